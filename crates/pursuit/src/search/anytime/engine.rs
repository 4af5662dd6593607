//! The work of an anytime search: ARA\* (Likhachev, Gordon and Thrun, 2003).
//!
//! A\* with a weight on the estimate, again and again with less weight. Each round keeps the costs that the
//! rounds before found, and expands only nodes whose cost fell since they were expanded last:
//!
//! ```text
//! open        reached, and waits to be expanded in this round
//! closed      expanded in this round: not again before the next one
//! improved    closed, but a cheaper way to it turned up since
//! ```
//!
//! The next round begins with all that is open or improved. Any path that is cheaper than the best one leads
//! through one of these nodes, at its cost. So the least g + h of them is a lower bound of the cheapest cost,
//! whatever the weights were, and the best path's cost divided by it is the bound that is told.

use std::sync::atomic::AtomicBool;

use super::options::{AnytimeWeights, Improvement};
use crate::cancel::{Cancelled, Watch};
use crate::search::astar;
use crate::search::open::Heap;
use crate::search::options::{FindPathError, Outcome, PartialReason, SearchLimits, SearchStats};
use crate::search::recorder::NodeRecorder;
use crate::search::scratch::{Nodes, SearchScratch};
use crate::search::space::{Guarantee, SearchSpace};
use crate::search::work::Work;

/// Weights count in parts of 1 of that many.
const ONE: u64 = 1024;

/// Above every f.
const INFINITE: u64 = u64::MAX;

/// What a search keeps from step to step, beside what is in the scratch.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct AnytimeState {
    weights: AnytimeWeights,
    /// That of the estimate in this round, in parts of [`ONE`].
    weight: u64,
    /// Cost of the best path to a goal and that goal.
    best: Option<(u64, u32)>,
    /// The cheapest path costs that much or more.
    lower: u64,
    /// Of the nodes expanded, the least distance to the goal and the node.
    nearest: (u64, u32),
    /// Cost of the path in the scratch's trail.
    written: u64,
    expanded: u32,
    pushed: u32,
    stage: Stage,
}

/// What comes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// Expansions until a goal is reached for the first time.
    First,
    /// Expansions until the bound of that goal is proven.
    Proof,
    /// Expansions until the round is over.
    Round,
    /// The round is over, and another begins.
    Between,
}

/// What a step found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::search) enum Told {
    Nothing,
    Better,
    Last,
}

impl Told {
    /// The step that tells this.
    pub(super) fn with<T>(self, answer: Option<T>) -> Improvement<T> {
        match (self, answer) {
            (Self::Better, Some(answer)) => Improvement::Better(answer),
            (Self::Last, Some(answer)) => Improvement::Last(answer),
            (_, _) => Improvement::Running,
        }
    }
}

impl AnytimeState {
    /// Where the best path ends: at a goal, or at what is nearest to it.
    pub(in crate::search) fn end(&self) -> u32 {
        self.best.map_or(self.nearest.1, |(_, goal)| goal)
    }

    pub(in crate::search) fn has_goal(&self) -> bool {
        self.best.is_some()
    }

    /// How many times the cheapest cost a path to the goal may cost that has this cost.
    fn bound(&self, cost: u64) -> f64 {
        if cost <= self.lower {
            1.0
        } else {
            cost as f64 / self.lower as f64
        }
    }

    /// Where the path ends that is told now, and its bound.
    pub(in crate::search) fn outcome(&self) -> (Outcome, f64) {
        if let Some((cost, _)) = self.best {
            return (Outcome::Complete, self.bound(cost));
        }
        // All that can be reached was, and every improvement was followed up.
        (Outcome::Partial(PartialReason::Unreachable), 1.0)
    }

    /// The work until now, and the cost of the path in the scratch's trail.
    pub(in crate::search) fn stats(&self) -> SearchStats {
        SearchStats {
            expanded: self.expanded,
            pushed: self.pushed,
            cost: self.written,
        }
    }

    /// Where estimates are consistent, a round that is over has a path of no more than its weight times the
    /// cheapest cost.
    fn trust_weight(&mut self, guarantee: Guarantee) {
        if let (Some((cost, _)), Guarantee::Consistent) = (self.best, guarantee) {
            let least = (u128::from(cost) * u128::from(ONE)).div_ceil(u128::from(self.weight));
            self.lower = self.lower.max(least as u64);
        }
    }

    /// No node of this f or a larger one is expanded in this stage.
    fn stop(&self) -> u64 {
        let Some((cost, _)) = self.best else {
            return INFINITE;
        };
        let parts = self.f(cost, 0);
        match self.stage {
            // The weight is 1: f is a lower bound.
            Stage::Proof => (parts as f64 / f64::from(self.weights.first)) as u64 + 1,
            _ => parts,
        }
    }

    /// What a way that costs g and may cost h more cannot improve on.
    fn is_hopeless(&self, least: u64) -> bool {
        self.best.is_some_and(|(cost, _)| least >= cost)
    }

    fn f(&self, g: u64, h: u64) -> u64 {
        let sum = g.saturating_mul(ONE);
        sum.saturating_add(h.saturating_mul(self.weight))
            .min(INFINITE - 1)
    }

    /// The weight of the next round: less than that of this one, and than the bound.
    fn fall(&mut self, guarantee: Guarantee) {
        let bound = self
            .best
            .map_or(f64::INFINITY, |(cost, _)| self.bound(cost));
        let next = bound.min(self.weight as f64 / ONE as f64) - f64::from(self.weights.fall);
        let least = match guarantee {
            Guarantee::Consistent => ONE,
            // Estimates that promise nothing prove nothing. The last round does without.
            Guarantee::None if self.weight <= ONE => 0,
            Guarantee::None => ONE,
        };
        self.weight = ((next * ONE as f64) as u64).max(least);
    }
}

/// The part of an estimate that a lower bound may count on.
#[inline(always)]
fn sure<S: SearchSpace>(space: &S, h: u64) -> u64 {
    match space.guarantee() {
        Guarantee::Consistent => h,
        Guarantee::None => 0,
    }
}

/// Puts the start, a node of the space, on the open list.
pub(in crate::search) fn begin<S: SearchSpace>(
    space: &S,
    start: u32,
    weights: AnytimeWeights,
    scratch: &mut SearchScratch,
) -> AnytimeState {
    let SearchScratch {
        nodes,
        heap,
        anytime,
        ..
    } = scratch;
    let place = space.place(start);
    nodes.start(space.node_count());
    nodes.improve(start, 0, false);
    anytime.closed.clear();
    anytime.improved.clear();
    heap.start();
    let state = AnytimeState {
        weights,
        weight: weights.eager(ONE),
        best: space.is_goal(start).then_some((0, start)),
        lower: 0,
        nearest: (space.distance(place), start),
        written: 0,
        expanded: 0,
        pushed: 1,
        stage: Stage::First,
    };
    heap.push(state.f(0, space.heuristic(place)), start);
    state
}

/// Goes on with a search and expands at most `budget` nodes, or fewer until there is something to tell.
pub(in crate::search) fn go_on<S: SearchSpace>(
    space: &S,
    state: &mut AnytimeState,
    budget: u32,
    cancel: Option<&AtomicBool>,
    scratch: &mut SearchScratch,
    recorder: &mut impl NodeRecorder,
) -> Result<Told, FindPathError> {
    let limits = SearchLimits {
        cancel,
        ..SearchLimits::default()
    };
    let mut work = Work::go_on(state.expanded, budget, &limits);
    loop {
        if state.stage == Stage::Between {
            state.fall(space.guarantee());
            next_round(space, state, cancel, scratch)?;
            state.stage = if state.has_goal() {
                Stage::Round
            } else {
                Stage::First
            };
        }
        let is_over = expand(space, state, &mut work, scratch, recorder);
        state.expanded = work.expanded();
        if !is_over? {
            return Ok(Told::Nothing);
        }
        let lower = lower_bound(space, state, cancel, scratch)?;
        state.lower = state.lower.max(lower);
        if state.stage == Stage::Round {
            state.trust_weight(space.guarantee());
        }
        if !state.has_goal() && !scratch.anytime.improved.is_empty() {
            // No goal is within reach: what is left are cheaper ways to nodes known.
            state.stage = Stage::Between;
            continue;
        }
        let cost = write_path(space, state, cancel, scratch)?;
        state.written = cost;
        if !state.has_goal() {
            return Ok(Told::Last);
        }
        if cost <= state.lower {
            return Ok(Told::Last);
        }
        let is_good = state.bound(cost) <= f64::from(state.weights.first);
        let can_prove = space.guarantee() == Guarantee::Consistent;
        if state.stage == Stage::First && !is_good && can_prove {
            state.weight = ONE;
            next_round(space, state, cancel, scratch)?;
            state.stage = Stage::Proof;
            continue;
        }
        if state.stage != Stage::Round {
            state.weight = state.weights.first_in(ONE);
        }
        state.stage = Stage::Between;
        return Ok(Told::Better);
    }
}

/// Expands nodes, smallest f first, until the stage is over. `false` if none may be expanded any more.
fn expand<S: SearchSpace>(
    space: &S,
    state: &mut AnytimeState,
    work: &mut Work<'_>,
    scratch: &mut SearchScratch,
    recorder: &mut impl NodeRecorder,
) -> Result<bool, Cancelled> {
    let SearchScratch {
        nodes,
        heap,
        anytime: memory,
        ..
    } = scratch;
    let mut stop = state.stop();
    while let Some(entry) = heap.pop() {
        let node = Heap::node(entry);
        if Heap::f(entry) >= stop {
            heap.put_back(entry);
            return Ok(true);
        }
        let Some(g) = nodes.close(node) else {
            continue;
        };
        let place = space.place(node);
        if state.has_goal()
            && state.is_hopeless(g.saturating_add(sure(space, space.heuristic(place))))
        {
            // Neither open nor closed: a cheaper way there may not be hopeless.
            nodes.open(node);
            continue;
        }
        if work.is_spent() {
            nodes.open(node);
            heap.put_back(entry);
            return Ok(false);
        }
        memory.closed.push(node);
        work.count()?;
        recorder.expanded(node, g);
        let distance = space.distance(place);
        if distance <= state.nearest.0 {
            state.nearest = state.nearest.min((distance, node));
        }
        space.for_each_neighbor(node, place, |next, next_place, cost| {
            let next_g = g + u64::from(cost.max(1));
            if !nodes.is_cheaper(next, next_g) {
                return;
            }
            let h = space.heuristic(next_place);
            if state.is_hopeless(next_g.saturating_add(sure(space, h))) {
                return;
            }
            if nodes.improve_always(next, next_g) {
                memory.improved.push(next);
            } else {
                let f = state.f(next_g, h);
                heap.push(f, next);
                state.pushed = state.pushed.saturating_add(1);
                recorder.opened(next, next_g, f / ONE);
            }
            if space.is_goal(next) {
                state.best = Some((next_g, next));
                stop = state.stop();
            }
        });
        if state.stage == Stage::First && state.has_goal() {
            break;
        }
    }
    Ok(true)
}

/// Least g + h of the nodes that are open or improved, or the cost of the best path if that is less.
fn lower_bound<S: SearchSpace>(
    space: &S,
    state: &AnytimeState,
    cancel: Option<&AtomicBool>,
    scratch: &SearchScratch,
) -> Result<u64, Cancelled> {
    let (nodes, memory) = (&scratch.nodes, &scratch.anytime);
    let mut watch = Watch::new(cancel);
    let mut lower = state.best.map_or(u64::MAX, |(cost, _)| cost);
    let open = scratch
        .heap
        .entries()
        .iter()
        .map(|&entry| Heap::node(entry));
    let open = open.filter(|&node| nodes.is_open(node));
    for node in open.chain(memory.improved.iter().copied()) {
        watch.pass(1)?;
        // Costs of this search: what is listed was reached.
        if let Some(g) = nodes.cost(node).filter(|&g| g < lower) {
            let h = space.heuristic(space.place(node));
            lower = lower.min(g.saturating_add(sure(space, h)));
        }
    }
    Ok(lower)
}

/// Writes the best path to the scratch's trail, end first, and returns its cost.
///
/// A node on it can have been reached at less cost since it was expanded last. Then the path costs less than
/// its end knows, and all nodes on it hear of that: no later path costs more.
fn write_path<S: SearchSpace>(
    space: &S,
    state: &mut AnytimeState,
    cancel: Option<&AtomicBool>,
    scratch: &mut SearchScratch,
) -> Result<u64, FindPathError> {
    let cost = astar::trace(space, state.end(), cancel, scratch)?;
    let Some((_, goal)) = state.best.filter(|&(known, _)| cost < known) else {
        return Ok(cost);
    };
    state.best = Some((cost, goal));
    let SearchScratch {
        nodes,
        heap,
        anytime: memory,
        trail,
        ..
    } = scratch;
    let mut watch = Watch::new(cancel);
    let mut g = 0;
    for step in trail.windows(2).rev() {
        watch.pass(1)?;
        let (to, from) = (step[0], step[1]);
        let mut least = u32::MAX;
        space.for_each_neighbor(from, space.place(from), |next, _, cost| {
            if next == to {
                least = least.min(cost.max(1));
            }
        });
        g += u64::from(least);
        if !nodes.is_cheaper(to, g) {
            continue;
        }
        if nodes.improve_always(to, g) {
            memory.improved.push(to);
        } else {
            heap.push(state.f(g, space.heuristic(space.place(to))), to);
        }
    }
    Ok(cost)
}

/// Opens all that is open or improved for a round with another weight, unless it is hopeless.
fn next_round<S: SearchSpace>(
    space: &S,
    state: &AnytimeState,
    cancel: Option<&AtomicBool>,
    scratch: &mut SearchScratch,
) -> Result<(), Cancelled> {
    let SearchScratch {
        nodes,
        heap,
        anytime: memory,
        ..
    } = scratch;
    let mut watch = Watch::new(cancel);
    memory.frontier.clear();
    // A node can be listed more than once. It is closed when it is met first.
    let mut gather = |nodes: &mut Nodes, node: u32| {
        if nodes.close(node).is_some() {
            memory.frontier.push(node);
        }
    };
    for &entry in heap.entries() {
        watch.pass(1)?;
        gather(nodes, Heap::node(entry));
    }
    for &node in &memory.improved {
        watch.pass(1)?;
        nodes.open(node);
    }
    for &node in &memory.improved {
        watch.pass(1)?;
        gather(nodes, node);
    }
    for &node in memory.closed.iter().chain(&memory.frontier) {
        watch.pass(1)?;
        nodes.open(node);
    }
    memory.closed.clear();
    memory.improved.clear();
    heap.start();
    for &node in &memory.frontier {
        watch.pass(1)?;
        let h = space.heuristic(space.place(node));
        let Some(g) = nodes.cost(node) else { continue };
        if !state.is_hopeless(g.saturating_add(sure(space, h))) {
            heap.push(state.f(g, h), node);
        }
    }
    Ok(())
}
