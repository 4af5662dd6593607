//! The number of nodes that a search has expanded and may still expand.

use super::options::{FindPathError, Outcome, PartialReason, SearchLimits, SearchStats};
use crate::cancel::{Cancel, Cancelled};

/// Why a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    Goal,
    /// Nothing remains to be expanded, or the memory is full.
    Exhausted,
    Limit,
}

impl Stop {
    /// The outcome of a search that stopped like this. `shortfall` is the reason why the goal is out of reach, if that
    /// was known before the search.
    pub(crate) fn outcome(self, shortfall: Option<PartialReason>) -> Outcome {
        match self {
            Self::Goal => shortfall.map_or(Outcome::Complete, Outcome::Partial),
            Self::Exhausted => Outcome::Partial(PartialReason::Unreachable),
            Self::Limit => Outcome::Partial(PartialReason::LimitReached),
        }
    }
}

/// How a search ended. The nodes of its path are in its memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ended<N> {
    pub(crate) stop: Stop,
    /// The last node of the path: the goal, or the expanded node nearest to it, or the start.
    pub(crate) end: N,
    /// Cost of the path.
    pub(crate) cost: u64,
    /// The cost exceeds the cheapest cost by less than this.
    pub(crate) slack: u64,
    pub(crate) stats: SearchStats,
}

/// Counts expanded nodes during one step of a search.
pub(crate) struct Work<'a> {
    expanded: u32,
    /// The step ends when `expanded` reaches this: the smaller of its budget and the limit of the search.
    most: u32,
    cancel: Cancel<'a>,
}

impl<'a> Work<'a> {
    /// The work of a step that may expand `budget` nodes, in a search that has already expanded `expanded`.
    #[inline]
    pub(crate) fn go_on(
        expanded: u32,
        budget: u32,
        limits: &SearchLimits,
        cancel: Cancel<'a>,
    ) -> Self {
        let limit = limits.max_expanded.unwrap_or(u32::MAX);
        Self {
            expanded,
            most: limit.min(expanded.saturating_add(budget)),
            cancel,
        }
    }

    /// Counts a node about to be expanded; `false` if no more nodes may be expanded in this step.
    #[inline(always)]
    pub(crate) fn expand(&mut self) -> Result<bool, Cancelled> {
        if self.is_spent() {
            return Ok(false);
        }
        self.count()?;
        Ok(true)
    }

    /// Whether no more nodes may be expanded in this step.
    #[inline(always)]
    pub(crate) fn is_spent(&self) -> bool {
        self.expanded == self.most
    }

    /// Counts a node without a look at the limit.
    #[inline(always)]
    pub(crate) fn count(&mut self) -> Result<(), Cancelled> {
        self.expanded += 1;
        self.cancel.check_at(self.expanded)
    }

    #[inline]
    pub(crate) fn expanded(&self) -> u32 {
        self.expanded
    }

    pub(crate) fn stats(&self, pushed: u32) -> SearchStats {
        SearchStats {
            expanded: self.expanded,
            pushed,
        }
    }
}

/// [`Stop::Limit`] if a search that has expanded `expanded` nodes may expand no more, `None` if a later step may.
pub(crate) fn limit_reached(expanded: u32, limits: &SearchLimits) -> Option<Stop> {
    let limit = limits.max_expanded.unwrap_or(u32::MAX);
    (expanded >= limit).then_some(Stop::Limit)
}

/// The state of a search after a step: running, or done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress<T> {
    /// There is more to do: step again.
    Running,
    /// The search is over, and this is its answer.
    Done(T),
}

impl<T> Progress<T> {
    /// The answer, if there is one.
    #[must_use]
    pub fn done(self) -> Option<T> {
        match self {
            Self::Running => None,
            Self::Done(answer) => Some(answer),
        }
    }
}

/// Steps until there is an answer.
#[inline(always)]
pub(crate) fn finish<T>(
    mut step: impl FnMut() -> Result<Progress<T>, FindPathError>,
) -> Result<T, FindPathError> {
    loop {
        if let Progress::Done(answer) = step()? {
            return Ok(answer);
        }
    }
}

/// Adds a node to a trail, and asks `cancel` once in 1,024 nodes, as a search does.
#[inline(always)]
pub(super) fn push(trail: &mut Vec<u32>, node: u32, cancel: Cancel<'_>) -> Result<(), Cancelled> {
    trail.push(node);
    cancel.check_at(trail.len() as u32)
}
