//! How an anytime search begins, and what it tells.

use crate::search::astar::SpacePath;
use crate::search::options::FindPathError;

/// How much the estimate counts in an anytime search: `f = g + weight · h`, with a weight that falls from
/// answer to answer until it is 1.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct AnytimeWeights {
    /// The most that the first answer may cost, as a multiple of the cheapest. More gives a first answer sooner
    /// and a dearer one. Until a goal is reached, the estimate is weighed by `2 · first − 1`, 5 by default. If
    /// that path is not proven to be good enough, the search goes on until it is. Finite, 1 or more: 1 is A\*.
    ///
    /// Default: `3.0`.
    pub first: f32,
    /// By how much the weight falls from one answer to the next, beginning with the first answer's `first`. It
    /// falls further where an answer is better than its weight promised: at least this far below the answer's
    /// bound. More gives fewer answers and the cheapest one sooner. Finite, above 0.
    /// Whatever it is, the weight falls by a 1024th of itself at least.
    ///
    /// Default: `1.0`.
    pub fall: f32,
}

impl Default for AnytimeWeights {
    fn default() -> Self {
        Self::new(3.0, 1.0)
    }
}

impl AnytimeWeights {
    /// These two. Whether they make sense is looked at when a search starts.
    #[must_use]
    pub const fn new(first: f32, fall: f32) -> Self {
        Self { first, fall }
    }

    /// The first weight, in parts of 1 of that many.
    pub(super) fn first_in(self, one: u64) -> u64 {
        (f64::from(self.first) * one as f64) as u64
    }

    /// The weight until a goal is reached, in the same parts: twice as far above 1. Paths are mostly far better
    /// than their weights, and what one is worth is proven in any case.
    pub(super) fn eager(self, one: u64) -> u64 {
        let first = self.first_in(one);
        first.saturating_add(first.saturating_sub(one))
    }

    pub(super) fn check(self) -> Result<(), FindPathError> {
        let is_good = |value: f32, least: f32| value.is_finite() && value >= least;
        if is_good(self.first, 1.0) && is_good(self.fall, f32::MIN_POSITIVE) {
            return Ok(());
        }
        Err(FindPathError::BadAnytimeWeights)
    }
}

/// What a step of an anytime search found: no answer, one of several, or the last one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Improvement<T> {
    /// Nothing new: step again.
    Running,
    /// A first answer, or a better one, or the same path with a better bound. A step goes on from here.
    Better(T),
    /// The last answer: the cheapest path, or where there is none, what is nearest.
    Last(T),
}

impl<T> Improvement<T> {
    /// The same with that of which an answer is made.
    pub(super) fn with<U>(self, answer: impl FnOnce() -> U) -> Improvement<U> {
        match self {
            Self::Running => Improvement::Running,
            Self::Better(_) => Improvement::Better(answer()),
            Self::Last(_) => Improvement::Last(answer()),
        }
    }

    /// The answer, if this step gave one.
    #[must_use]
    pub fn answer(self) -> Option<T> {
        match self {
            Self::Running => None,
            Self::Better(answer) | Self::Last(answer) => Some(answer),
        }
    }

    /// Whether no step can give a better answer.
    #[must_use]
    pub fn is_last(&self) -> bool {
        matches!(self, Self::Last(_))
    }
}

/// A path through a [`SearchSpace`](crate::SearchSpace), and what is proven about its cost.
#[derive(Clone, PartialEq, Debug)]
pub struct BoundedPath {
    /// The path. Its stats count all the work until now.
    pub path: SpacePath,
    /// The path costs at most this many times the cheapest path between its two ends: 1 for the cheapest.
    /// Infinite while nothing is known.
    pub bound: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_three_at_first_and_fall_by_one() {
        let weights = AnytimeWeights::default();
        assert_eq!((weights.first, weights.fall), (3.0, 1.0));
        assert_eq!(weights.check(), Ok(()));
    }

    #[test]
    fn weights_that_lead_nowhere_are_refused() {
        for (first, fall) in [
            (0.99, 0.5),
            (f32::NAN, 0.5),
            (f32::INFINITY, 0.5),
            (3.0, 0.0),
            (3.0, -1.0),
            (3.0, f32::NAN),
            (3.0, f32::INFINITY),
        ] {
            let refused = AnytimeWeights::new(first, fall).check();
            assert_eq!(
                refused,
                Err(FindPathError::BadAnytimeWeights),
                "{first}, {fall}"
            );
        }
    }
}
