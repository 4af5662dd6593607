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
    /// The outcome of a search that stopped for this reason. `shortfall` says why the goal is out of reach, if that was
    /// known before the search.
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
    /// Bound on the excess cost: `cost` minus the cost of the cheapest path to `end` is less than this.
    pub(crate) slack: u64,
    pub(crate) stats: SearchStats,
}

/// Counts the nodes that are expanded during one step (one call) of a search.
pub(crate) struct Work<'a> {
    expanded: u32,
    /// The number of expanded nodes at which the step ends, because its budget is used up or the search has reached its
    /// limit.
    max_expanded: u32,
    cancel: Cancel<'a>,
}

impl<'a> Work<'a> {
    /// The counter of a step that may expand `budget` nodes, in a search that has expanded `expanded` nodes before.
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
            max_expanded: limit.min(expanded.saturating_add(budget)),
            cancel,
        }
    }

    /// Counts a node that is about to be expanded. Returns `false`, and counts nothing, if the step may expand no more
    /// nodes.
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
        self.expanded == self.max_expanded
    }

    /// Counts a node without checking the limit.
    #[inline(always)]
    pub(crate) fn count(&mut self) -> Result<(), Cancelled> {
        self.expanded += 1;
        self.cancel.check_at(self.expanded)
    }

    #[inline]
    pub(crate) fn expanded(&self) -> u32 {
        self.expanded
    }
}

/// [`Stop::Limit`] if a search that has expanded `expanded` nodes has reached its limit, `None` if a later step may
/// expand more.
pub(crate) fn limit_reached(expanded: u32, limits: &SearchLimits) -> Option<Stop> {
    let limit = limits.max_expanded.unwrap_or(u32::MAX);
    (expanded >= limit).then_some(Stop::Limit)
}

/// The state of a search after one of its steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress<T> {
    /// The search needs more steps.
    Running,
    /// The search is over, with this result.
    Done(T),
}

/// Calls `step` until it returns a result.
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

/// Adds a node to a trail, and checks `cancel` once every 1,024 nodes.
#[inline(always)]
pub(super) fn push(trail: &mut Vec<u32>, node: u32, cancel: Cancel<'_>) -> Result<(), Cancelled> {
    trail.push(node);
    cancel.check_at(trail.len() as u32)
}
