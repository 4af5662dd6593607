//! A\* over any [`SearchSpace`] (Hart, Nilsson and Raphael, 1968), with any weights (Pohl, 1970).

use std::cmp::Reverse;

use super::options::{FindPathError, Outcome, SearchLimits, SearchStats, Weights};
use super::recorder::{Relaxation, SearchRecorder, Teller};
use super::scratch::{Entry, SearchScratch};
use super::space::{Guarantee, SearchSpace};
use super::work::{Ended, Progress, Stop, Work, finish, limit_reached, push};
use crate::cancel::{Cancel, Cancelled};

/// A path through a [`SearchSpace`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpacePath {
    /// Nodes from the start to the goal, or to the reached node nearest to the goal.
    pub nodes: Vec<u32>,
    /// Sum of the costs of the steps.
    pub cost: u64,
    /// Whether the path ends at the goal. Never [`PartialReason::GoalBlocked`](crate::PartialReason::GoalBlocked): a
    /// space does not know why its goal is out of reach.
    pub outcome: Outcome,
    /// The work done.
    pub stats: SearchStats,
}

/// Searches for the cheapest path from `start` to the goal of a space. If both [weights](SearchLimits::weights) are
/// equal and the heuristic never overestimates, the path is optimal. Returns `None` if `start` is not a node of the
/// space; this is checked before the weights. To cancel a search that takes too long, use [`SpaceSearch::finish`].
///
/// # Errors
///
/// [`FindPathError::ZeroWeights`] if both weights are 0.
pub fn astar<S: SearchSpace>(
    space: &S,
    start: u32,
    limits: &SearchLimits,
    scratch: &mut SearchScratch,
) -> Result<Option<SpacePath>, FindPathError> {
    let Some(mut search) = SpaceSearch::start(space, start, limits, scratch)? else {
        return Ok(None);
    };
    finish(|| search.step(u32::MAX, &mut ())).map(Some)
}

/// The search of [`astar`], run in steps: a [`Search`](super::Search) on any [`SearchSpace`].
pub struct SpaceSearch<'a, S> {
    space: &'a S,
    start: u32,
    limits: SearchLimits,
    scratch: &'a mut SearchScratch,
    /// `None` before the first step.
    state: Option<SpaceState>,
}

impl<'a, S: SearchSpace> SpaceSearch<'a, S> {
    /// A search from `start` to the goal of a space, before its first step. `None` if `start` is not a node of the
    /// space.
    ///
    /// # Errors
    ///
    /// [`FindPathError::ZeroWeights`] if both weights are 0.
    pub fn start(
        space: &'a S,
        start: u32,
        limits: &SearchLimits,
        scratch: &'a mut SearchScratch,
    ) -> Result<Option<Self>, FindPathError> {
        if start >= space.node_count() {
            return Ok(None);
        }
        if limits.weights == (Weights { g: 0, h: 0 }) {
            return Err(FindPathError::ZeroWeights);
        }
        Ok(Some(Self {
            space,
            start,
            limits: *limits,
            scratch,
            state: None,
        }))
    }

    /// Continues the search and expands at most `budget` nodes. Reports the events of this step to `recorder`; pass
    /// `&mut ()` to record nothing. A step after the last one begins the same search again.
    ///
    /// # Errors
    ///
    /// None: [`start`](Self::start) has checked the arguments.
    pub fn step<R: SearchRecorder<u32>>(
        &mut self,
        budget: u32,
        recorder: &mut R,
    ) -> Result<Progress<SpacePath>, FindPathError> {
        self.advance(budget, recorder, Cancel::NEVER)
    }

    /// Continues the search to its end, and reports its events to `recorder`. Checks `cancel` at the start and once
    /// every 1,024 expansions.
    ///
    /// # Errors
    ///
    /// [`FindPathError::Cancelled`] if `cancel` ends the work before the path is known.
    pub fn finish<R: SearchRecorder<u32>>(
        mut self,
        recorder: &mut R,
        cancel: Cancel<'_>,
    ) -> Result<SpacePath, FindPathError> {
        cancel.check()?;
        finish(|| self.advance(u32::MAX, recorder, cancel))
    }

    #[inline(always)]
    fn advance<R: SearchRecorder<u32>>(
        &mut self,
        budget: u32,
        recorder: &mut R,
        cancel: Cancel<'_>,
    ) -> Result<Progress<SpacePath>, FindPathError> {
        let (space, limits, scratch) = (self.space, &self.limits, &mut *self.scratch);
        let mut state = match self.state.take() {
            Some(state) => state,
            None => {
                recorder.started();
                let weights = limits.weights;
                Teller::new(space, weights, recorder).start(self.start);
                begin(space, self.start, limits.weights, scratch)
            }
        };
        let progress = go_on(space, &mut state, budget, limits, scratch, recorder, cancel)?;
        let Progress::Done(ended) = progress else {
            self.state = Some(state);
            return Ok(Progress::Running);
        };
        Ok(Progress::Done(SpacePath {
            nodes: scratch.trail.iter().rev().copied().collect(),
            cost: ended.cost,
            outcome: ended.stop.outcome(None),
            stats: ended.stats,
        }))
    }
}

impl<S> std::fmt::Debug for SpaceSearch<'_, S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SpaceSearch")
            .field("start", &self.start)
            .field("limits", &self.limits)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

/// The state that a search keeps between its steps, in addition to its scratch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpaceState {
    /// Distance and number of the expanded node that is nearest to the goal.
    nearest: (u64, u32),
    expanded: u32,
    pushed: u32,
}

/// Puts the start, a node of the space, on the open list.
pub(crate) fn begin<S: SearchSpace>(
    space: &S,
    start: u32,
    weights: Weights,
    scratch: &mut SearchScratch,
) -> SpaceState {
    let SearchScratch { nodes, open, .. } = scratch;
    let place = space.place(start);
    nodes.start(space.node_count());
    nodes.improve(start, 0, false);
    open.clear();
    open.push(entry(weights.f(0, space.heuristic(place)), 0, start));
    SpaceState {
        nearest: (space.distance(place), start),
        expanded: 0,
        pushed: 1,
    }
}

fn entry(f: u64, pushed_before: u32, node: u32) -> Entry {
    (f, Reverse(pushed_before), node)
}

/// Continues a search and expands at most `budget` nodes. When the search is over, `scratch.trail` has the path, from
/// its end to its start.
pub(crate) fn go_on<S: SearchSpace, R: SearchRecorder<u32>>(
    space: &S,
    state: &mut SpaceState,
    budget: u32,
    limits: &SearchLimits,
    scratch: &mut SearchScratch,
    recorder: &mut R,
    cancel: Cancel<'_>,
) -> Result<Progress<Ended<u32>>, FindPathError> {
    // With consistent estimates the bound k_h / k_g holds at the first expansion of every node, so no node is expanded
    // twice (Likhachev, Gordon and Thrun, 2003). Otherwise a node is expanded again when the search finds a cheaper
    // path to it.
    let reopens = space.guarantee() == Guarantee::None;
    let SearchScratch { nodes, open, .. } = scratch;
    let weights = limits.weights;
    let mut tell = Teller::new(space, weights, recorder);
    let mut work = Work::go_on(state.expanded, budget, limits, cancel);
    let SpaceState {
        nearest,
        expanded,
        pushed,
    } = state;
    let stop = loop {
        let Some(next) = open.pop() else {
            break Some(Stop::Exhausted);
        };
        let node = next.2;
        let Some(g) = nodes.close(node) else {
            tell.dropped(node);
            continue;
        };
        if space.is_goal(node) {
            nearest.1 = node;
            tell.reached(node, g);
            break Some(Stop::Goal);
        }
        if !work.expand()? {
            nodes.open(node);
            open.push(next);
            break limit_reached(work.expanded(), limits);
        }
        tell.expanded(node, g);
        let place = space.place(node);
        let distance = space.distance(place);
        if distance <= nearest.0 {
            *nearest = (*nearest).min((distance, node));
        }
        space.for_each_neighbor(node, place, |next, next_place, cost| {
            let next_g = g + u64::from(cost.max(1));
            let is_known = R::LISTENS && nodes.cost(next).is_some();
            let is_better = nodes.improve(next, next_g, reopens);
            if is_better {
                let h = space.heuristic(next_place);
                open.push(entry(weights.f(next_g, h), *pushed, next));
                *pushed = pushed.saturating_add(1);
            }
            let relaxation = Relaxation::of(is_known, is_better);
            tell.relaxed(next, Some(node), next_g, relaxation);
        });
    };
    *expanded = work.expanded();
    let Some(stop) = stop else {
        return Ok(Progress::Running);
    };
    let (expanded, pushed) = (*expanded, *pushed);
    Ok(Progress::Done(Ended {
        stop,
        end: nearest.1,
        cost: trace(space, nearest.1, scratch, cancel)?,
        slack: 1,
        stats: SearchStats { expanded, pushed },
    }))
}

/// Traces the path back from the end of the search to its start, over the cheapest predecessors. Writes the nodes to
/// `scratch.trail`, end first, and returns the cost.
///
/// Searches store costs but no parents, so that their states are smaller. The parent of a node is the predecessor whose
/// cost plus the cost of the step is lowest. If this holds for several predecessors, the path goes straight on if it
/// can, so that it has fewer turns.
pub(crate) fn trace<S: SearchSpace>(
    space: &S,
    end: u32,
    scratch: &mut SearchScratch,
    cancel: Cancel<'_>,
) -> Result<u64, Cancelled> {
    let SearchScratch { nodes, trail, .. } = scratch;
    trail.clear();
    trail.push(end);
    let mut cost = 0;
    let (mut node, mut offset) = (end, 0);
    // The cost falls from each node to its predecessor on the path, so this loop ends.
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
