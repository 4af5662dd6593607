//! Many measurements of one thing, and what to say about them.

/// Measurements in any unit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Samples(Vec<f64>);

impl Samples {
    pub(crate) fn push(&mut self, value: f64) {
        self.0.push(value);
    }

    /// Measures `count` things one after the other, as often as `rounds` says, and keeps the least of
    /// each: what else the machine does only ever adds. `measure` gets the round and the thing.
    pub(crate) fn least(
        rounds: usize,
        count: usize,
        mut measure: impl FnMut(usize, usize) -> f64,
    ) -> Self {
        let mut least = vec![f64::INFINITY; count];
        for round in 0..rounds {
            for (thing, least) in least.iter_mut().enumerate() {
                *least = least.min(measure(round, thing));
            }
        }
        Samples(least)
    }

    /// Adds those of another.
    pub(crate) fn append(&mut self, other: &Self) {
        self.0.extend_from_slice(&other.0);
    }

    /// All but the first `count`.
    pub(crate) fn skip(&self, count: usize) -> Self {
        Samples(self.0.iter().skip(count).copied().collect())
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = f64> {
        self.0.iter().copied()
    }

    /// The latest; `None` without samples.
    pub(crate) fn last(&self) -> Option<f64> {
        self.0.last().copied()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// `None` without samples.
    pub(crate) fn mean(&self) -> Option<f64> {
        let sum: f64 = self.0.iter().sum();
        (!self.0.is_empty()).then(|| sum / self.0.len() as f64)
    }

    /// The smallest sample that at least `share` (0 to 1) of all do not exceed: the nearest-rank
    /// percentile, which is always a value that was measured. `None` without samples.
    pub(crate) fn percentile(&self, share: f64) -> Option<f64> {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let rank = (share * sorted.len() as f64).ceil() as usize;
        sorted.get(rank.max(1) - 1).copied()
    }

    /// `None` without samples.
    pub(crate) fn max(&self) -> Option<f64> {
        self.percentile(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Samples;

    fn samples(values: impl IntoIterator<Item = u32>) -> Samples {
        let mut samples = Samples::default();
        values.into_iter().for_each(|v| samples.push(f64::from(v)));
        samples
    }

    #[test]
    fn percentiles_are_values_that_were_measured() {
        let hundred = samples((1..=100).rev());
        let at = [0.0, 0.5, 0.95, 0.99, 1.0].map(|share| hundred.percentile(share));
        assert_eq!(at, [1.0, 50.0, 95.0, 99.0, 100.0].map(Some));
    }

    #[test]
    fn the_least_of_some_rounds_counts() {
        let measured = [[3.0, 9.0], [5.0, 1.0]];
        let least = Samples::least(2, 2, |round, thing| measured[round][thing]);
        assert_eq!(least.values().collect::<Vec<_>>(), [3.0, 1.0]);
        let mut all = samples([7]);
        all.append(&least);
        assert_eq!(all.values().collect::<Vec<_>>(), [7.0, 3.0, 1.0]);
    }

    #[test]
    fn the_first_samples_can_be_left_out() {
        let three = samples([9, 1, 2]);
        assert_eq!(three.skip(1).values().collect::<Vec<_>>(), [1.0, 2.0]);
        assert_eq!(three.skip(5).len(), 0);
    }

    #[test]
    fn one_sample_is_every_percentile() {
        let one = samples([7]);
        assert_eq!(
            (one.percentile(0.01), one.max(), one.mean()),
            (Some(7.0), Some(7.0), Some(7.0))
        );
    }

    #[test]
    fn without_samples_there_is_nothing_to_say() {
        let none = Samples::default();
        assert_eq!(
            (none.mean(), none.percentile(0.5), none.max()),
            (None, None, None)
        );
    }
}
