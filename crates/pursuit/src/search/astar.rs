//! A\* over any [`SearchSpace`] (Hart, Nilsson and Raphael, 1968), weighted at will (Pohl, 1970).

use std::sync::atomic::AtomicBool;

use super::options::{FindPathError, Outcome, PartialReason, SearchLimits, SearchStats, Weights};
use super::recorder::NodeRecorder;
use super::scratch::SearchScratch;
use super::space::{Guarantee, SearchSpace};
pub(super) use crate::cancel::check as check_cancel;
use crate::cancel::{Cancelled, check};

/// Expansions, or nodes of a path walked back, between two looks at the cancel flag.
pub(super) const CANCEL_INTERVAL: u32 = 1024;

/// A path through a [`SearchSpace`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpacePath {
    /// Nodes from the start to the goal, or to the nearest node that was reached.
    pub nodes: Vec<u32>,
    /// Sum of the costs of its steps.
    pub cost: u64,
    /// Whether the path ends at the goal. Never [`PartialReason::GoalBlocked`]: a space does not
    /// know why its goal is out of reach.
    pub outcome: Outcome,
    /// The work done.
    pub stats: SearchStats,
}

/// Searches the cheapest path from `start` to the goal of a space. With equal weights it is optimal
/// where the heuristic never overestimates. `None` when `start` is not a node of the space: that is
/// looked at first, then weights, then the cancel flag.
///
/// # Errors
///
/// [`FindPathError::ZeroWeights`] and [`FindPathError::Cancelled`].
pub fn astar<S: SearchSpace>(
    space: &S,
    start: u32,
    limits: &SearchLimits<'_>,
    scratch: &mut SearchScratch,
) -> Result<Option<SpacePath>, FindPathError> {
    if start >= space.node_count() {
        return Ok(None);
    }
    let search = search(space, start, limits, scratch, &mut ())?;
    let cost = trace(space, search.end, limits.cancel, scratch)?;
    Ok(Some(SpacePath {
        nodes: scratch.trail.iter().rev().copied().collect(),
        cost,
        outcome: match search.stop {
            Stop::Goal => Outcome::Complete,
            Stop::Exhausted => Outcome::Partial(PartialReason::Unreachable),
            Stop::Limit => Outcome::Partial(PartialReason::LimitReached),
        },
        stats: SearchStats {
            cost,
            ..search.stats
        },
    }))
}

/// Why a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    Goal,
    Exhausted,
    Limit,
}

/// How a search ended; the costs of the nodes are in the scratch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search {
    /// The goal, or else the expanded node nearest to it, or the start.
    pub(super) end: u32,
    pub(super) stop: Stop,
    /// Without the cost, which tracing the path tells.
    pub(super) stats: SearchStats,
}

/// Runs the search. `start` is a node of the space.
pub(super) fn search<S: SearchSpace>(
    space: &S,
    start: u32,
    limits: &SearchLimits<'_>,
    scratch: &mut SearchScratch,
    recorder: &mut impl NodeRecorder,
) -> Result<Search, FindPathError> {
    let Weights { g, h } = limits.weights;
    if (g, h) == (0, 0) {
        return Err(FindPathError::ZeroWeights);
    }
    let sum = WeightedSum {
        g: u64::from(g),
        h: u64::from(h),
    };
    match space.guarantee() {
        // With consistent estimates the bound k_h / k_g holds at every node's first expansion, so
        // none is expanded twice (Likhachev, Gordon and Thrun, 2003).
        Guarantee::Consistent => run::<_, _, ONCE>(space, start, limits, &sum, scratch, recorder),
        Guarantee::None => run::<_, _, REOPEN>(space, start, limits, &sum, scratch, recorder),
    }
}

/// Each node is expanded once.
const ONCE: u8 = 0;
/// A node is expanded again when a cheaper way to it turns up.
const REOPEN: u8 = 1;

/// How g and h make f.
struct WeightedSum {
    g: u64,
    h: u64,
}

impl WeightedSum {
    #[inline(always)]
    fn f(&self, g: u64, h: u64) -> u64 {
        // On grids nothing saturates: g < 2^47.5, h < 2^44 and 2^16 · (2^47.5 + 2^44) < 2^64.
        self.g
            .saturating_mul(g)
            .saturating_add(self.h.saturating_mul(h))
    }
}

fn run<S: SearchSpace, R: NodeRecorder, const KIND: u8>(
    space: &S,
    start: u32,
    limits: &SearchLimits<'_>,
    sum: &WeightedSum,
    scratch: &mut SearchScratch,
    recorder: &mut R,
) -> Result<Search, FindPathError> {
    let SearchScratch {
        nodes, heap: open, ..
    } = scratch;
    let mut work = Work::start(limits)?;
    let start_place = space.place(start);
    nodes.start(space.node_count());
    nodes.improve(start, 0, false);
    open.start();
    open.push(sum.f(0, space.heuristic(start_place)), start);
    let mut nearest = (space.distance(start_place), start);
    let stop = loop {
        let Some(node) = open.pop() else {
            break Stop::Exhausted;
        };
        let Some(g) = nodes.close(node) else {
            continue;
        };
        if space.is_goal(node) {
            nearest.1 = node;
            break Stop::Goal;
        }
        if !work.expand()? {
            break Stop::Limit;
        }
        recorder.expanded(node, g);
        let place = space.place(node);
        let distance = space.distance(place);
        if distance <= nearest.0 {
            nearest = nearest.min((distance, node));
        }
        space.for_each_neighbor(node, place, |next, next_place, cost| {
            let next_g = g + u64::from(cost.max(1));
            if nodes.improve(next, next_g, KIND == REOPEN) {
                let f = sum.f(next_g, space.heuristic(next_place));
                open.push(f, next);
                recorder.opened(next, next_g, f);
            }
        });
    };
    Ok(Search {
        end: nearest.1,
        stop,
        stats: work.stats(open.pushed()),
    })
}

/// The work that a search has done and may still do.
pub(super) struct Work<'a> {
    expanded: u32,
    limit: u32,
    cancel: Option<&'a AtomicBool>,
}

impl<'a> Work<'a> {
    pub(super) fn start(limits: &SearchLimits<'a>) -> Result<Self, FindPathError> {
        check(limits.cancel)?;
        Ok(Self {
            expanded: 0,
            limit: limits.max_expanded.unwrap_or(u32::MAX),
            cancel: limits.cancel,
        })
    }

    /// Counts a node about to be expanded; `false` when none may be any more.
    #[inline(always)]
    pub(super) fn expand(&mut self) -> Result<bool, FindPathError> {
        if self.expanded == self.limit {
            return Ok(false);
        }
        self.expanded += 1;
        if self.expanded.is_multiple_of(CANCEL_INTERVAL) {
            check(self.cancel)?;
        }
        Ok(true)
    }

    pub(super) fn stats(&self, pushed: u32) -> SearchStats {
        SearchStats {
            expanded: self.expanded,
            pushed,
            cost: 0,
        }
    }
}

/// Walks back from the search's end to the start over the cheapest predecessors, writes the nodes to
/// the scratch's trail, end first, and returns the cost.
///
/// Searches keep costs, not parents: a node's parent is a neighbor through which its cost comes
/// about. That makes the states smaller, and of several such neighbors the one straight ahead can be
/// taken, which gives paths with fewer turns.
pub(super) fn trace<S: SearchSpace>(
    space: &S,
    end: u32,
    cancel: Option<&AtomicBool>,
    scratch: &mut SearchScratch,
) -> Result<u64, FindPathError> {
    let SearchScratch { nodes, trail, .. } = scratch;
    trail.clear();
    trail.push(end);
    let mut cost = 0;
    let (mut node, mut offset) = (end, 0);
    // A predecessor on a path costs less than the node, so this ends.
    while let Some(g @ 1..) = nodes.cost(node) {
        let mut best: Option<(u64, bool, u32, u64)> = None;
        space.for_each_predecessor(node, space.place(node), |previous, _, step| {
            let step = u64::from(step.max(1));
            let Some(way) = nodes.cost(previous).map(|before| before + step) else {
                return;
            };
            let turns = node.wrapping_sub(previous) != offset;
            if way <= g && best.is_none_or(|(least, turn, ..)| (way, turns) < (least, turn)) {
                best = Some((way, turns, previous, step));
            }
        });
        let Some((_, _, previous, step)) = best else {
            break;
        };
        cost += step;
        offset = node.wrapping_sub(previous);
        node = previous;
        push(trail, node, cancel)?;
    }
    Ok(cost)
}

/// Adds a node to a trail and looks at the flag now and then.
#[inline(always)]
pub(super) fn push(
    trail: &mut Vec<u32>,
    node: u32,
    cancel: Option<&AtomicBool>,
) -> Result<(), Cancelled> {
    trail.push(node);
    if trail.len().is_multiple_of(CANCEL_INTERVAL as usize) {
        check(cancel)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nodes on a line with two roads between neighbors and a one-way shortcut.
    struct Line {
        goal: u32,
    }

    impl Line {
        const STEPS: [(u32, u32, u32); 7] = [
            (0, 1, 5),
            (0, 1, 3),
            (1, 2, 3),
            (2, 3, 3),
            (0, 3, 8),
            (3, 2, 1),
            (4, 0, 1),
        ];
    }

    impl SearchSpace for Line {
        type Place = ();

        fn node_count(&self) -> u32 {
            5
        }

        fn place(&self, _: u32) {}

        fn is_goal(&self, node: u32) -> bool {
            node == self.goal
        }

        fn heuristic(&self, (): ()) -> u64 {
            0
        }

        fn for_each_neighbor(&self, node: u32, (): (), mut visit: impl FnMut(u32, (), u32)) {
            for (_, to, cost) in Self::STEPS.into_iter().filter(|step| step.0 == node) {
                visit(to, (), cost);
            }
        }

        fn for_each_predecessor(&self, node: u32, (): (), mut visit: impl FnMut(u32, (), u32)) {
            for (from, _, cost) in Self::STEPS.into_iter().filter(|step| step.1 == node) {
                visit(from, (), cost);
            }
        }
    }

    fn walk(goal: u32, start: u32) -> Option<SpacePath> {
        let limits = SearchLimits::default();
        astar(&Line { goal }, start, &limits, &mut SearchScratch::new()).unwrap()
    }

    #[test]
    fn a_graph_with_one_way_steps_is_searched_forward() {
        let path = walk(3, 0).unwrap();
        assert_eq!((path.nodes, path.cost), (vec![0, 3], 8));
        let path = walk(2, 0).unwrap();
        assert_eq!((path.nodes, path.cost), (vec![0, 1, 2], 6));
        assert_eq!(path.outcome, Outcome::Complete);
    }

    #[test]
    fn a_step_against_its_direction_is_not_taken() {
        let path = walk(4, 0).unwrap();
        assert_eq!(path.outcome, Outcome::Partial(PartialReason::Unreachable));
        assert_eq!(
            path.nodes,
            [0],
            "all are equally far, so the smallest node is nearest"
        );
    }

    #[test]
    fn a_start_that_is_no_node_has_no_path() {
        assert_eq!(walk(0, 5), None);
    }
}
