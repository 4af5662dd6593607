//! A list of measurements, and its statistics.

use bevy::prelude::{Deref, DerefMut};
use serde_json::{Value, json};
use statrs::statistics::{Data, OrderStatistics};

use crate::report::joined;

/// Measurements of one quantity, in any unit.
#[derive(Clone, Debug, Default, Deref, DerefMut)]
pub(crate) struct Samples(Vec<f64>);

impl FromIterator<f64> for Samples {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        Samples(values.into_iter().collect())
    }
}

impl Samples {
    /// The samples without the first `count`.
    pub(crate) fn skip(&self, count: usize) -> Self {
        self.iter().skip(count).copied().collect()
    }

    pub(crate) fn mean(&self) -> Option<f64> {
        let sum: f64 = self.iter().sum();
        (!self.is_empty()).then(|| sum / self.len() as f64)
    }

    /// The nearest-rank percentile: the smallest sample that is at least as large as a fraction `share` (0 to 1) of all
    /// samples. The result is always a measured value. `None` without samples.
    pub(crate) fn percentile(&self, share: f64) -> Option<f64> {
        let rank = (share * self.len() as f64).ceil().max(1.0) as usize;
        let sample = Data::new(self.0.clone()).order_statistic(rank);
        (!self.is_empty()).then_some(sample)
    }

    pub(crate) fn max(&self) -> Option<f64> {
        self.percentile(1.0)
    }

    /// The median and the 99th percentile.
    pub(crate) fn spread(&self) -> Value {
        json!({ "p50": self.percentile(0.5), "p99": self.percentile(0.99) })
    }

    /// The median, the 99th percentile and the maximum. Used for milliseconds per tick.
    pub(crate) fn tick_time(&self) -> Value {
        joined(self.spread(), json!({ "max": self.max() }))
    }
}

#[cfg(test)]
mod tests {
    use super::Samples;

    #[test]
    fn percentiles_are_measured_values() {
        let hundred: Samples = (1..=100).rev().map(f64::from).collect();
        let at = [0.0, 0.5, 0.95, 0.99, 1.0].map(|share| hundred.percentile(share));
        assert_eq!(at, [1.0, 50.0, 95.0, 99.0, 100.0].map(Some));
        let one = Samples::from_iter([7.0]);
        assert_eq!((one.percentile(0.01), one.mean()), (Some(7.0), Some(7.0)));
        let none = Samples::default();
        assert_eq!((none.mean(), none.percentile(0.5)), (None, None));
    }
}
