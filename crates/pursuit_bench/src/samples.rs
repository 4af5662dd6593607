//! Many measurements of one thing, and what to say about them.

/// Measurements in any unit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Samples(Vec<f64>);

impl Samples {
    pub(crate) fn push(&mut self, value: f64) {
        self.0.push(value);
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
