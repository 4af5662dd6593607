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
use crate::search::open::Heap;
use crate::search::options::{Outcome, PartialReason, SearchLimits, SearchStats};
use crate::search::recorder::NodeRecorder;
use crate::search::scratch::{Improved, Nodes, SearchScratch};
use crate::search::space::{Guarantee, SearchSpace};
use crate::search::work::Work;

/// Weights count in parts of 1 of that many.
const ONE: u64 = 1024;

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
    expanded: u32,
    pushed: u32,
    /// Whether there was an answer.
    has_told: bool,
    /// Whether a round is over, and the next step begins another.
    is_between: bool,
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

    /// Where a path of that cost ends that is told now, and its bound.
    pub(in crate::search) fn outcome(&self, cost: u64) -> (Outcome, f64) {
        if self.has_goal() {
            return (Outcome::Complete, self.bound(cost));
        }
        // All that can be reached was, and every improvement was followed up.
        (Outcome::Partial(PartialReason::Unreachable), 1.0)
    }

    pub(in crate::search) fn stats(&self, cost: u64) -> SearchStats {
        SearchStats {
            expanded: self.expanded,
            pushed: self.pushed,
            cost,
        }
    }

    /// What a way that costs g and may cost h more cannot improve on.
    fn is_hopeless(&self, least: u64) -> bool {
        self.best.is_some_and(|(cost, _)| least >= cost)
    }

    fn f(&self, g: u64, h: u64) -> u64 {
        g.saturating_mul(ONE)
            .saturating_add(h.saturating_mul(self.weight))
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
        weight: (f64::from(weights.first) * ONE as f64) as u64,
        best: space.is_goal(start).then_some((0, start)),
        lower: 0,
        nearest: (space.distance(place), start),
        expanded: 0,
        pushed: 1,
        has_told: false,
        is_between: false,
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
) -> Result<Told, Cancelled> {
    let limits = SearchLimits {
        cancel,
        ..SearchLimits::default()
    };
    let mut work = Work::go_on(state.expanded, budget, &limits);
    loop {
        if state.is_between {
            next_round(space, state, cancel, scratch)?;
        }
        let round = expand(space, state, &mut work, scratch, recorder);
        state.expanded = work.expanded();
        let round = round?;
        if round == Round::Spent {
            return Ok(Told::Nothing);
        }
        let lower = lower_bound(space, state, cancel, scratch)?;
        state.lower = state.lower.max(lower);
        let Some((cost, _)) = state.best else {
            // No goal is within reach: what is left are cheaper ways to nodes known.
            state.is_between = true;
            if scratch.anytime.improved.is_empty() {
                return Ok(Told::Last);
            }
            continue;
        };
        if cost <= state.lower {
            return Ok(Told::Last);
        }
        let is_good = state.bound(cost) <= f64::from(state.weights.first);
        if round == Round::FirstGoal && !is_good {
            continue;
        }
        (state.has_told, state.is_between) = (true, true);
        return Ok(Told::Better);
    }
}

/// Why a round stopped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Round {
    Spent,
    /// A goal was reached for the first time.
    FirstGoal,
    Over,
}

/// Expands nodes, smallest f first, until none has a smaller one than the best goal.
fn expand<S: SearchSpace>(
    space: &S,
    state: &mut AnytimeState,
    work: &mut Work<'_>,
    scratch: &mut SearchScratch,
    recorder: &mut impl NodeRecorder,
) -> Result<Round, Cancelled> {
    let SearchScratch {
        nodes,
        heap,
        anytime: memory,
        ..
    } = scratch;
    let mut goal_f = state.best.map_or(u64::MAX, |(cost, _)| state.f(cost, 0));
    while let Some(entry) = heap.pop() {
        let node = Heap::node(entry);
        if state.has_goal() && Heap::f(entry) >= goal_f {
            heap.put_back(entry);
            return Ok(Round::Over);
        }
        let Some(g) = nodes.close(node) else {
            continue;
        };
        let place = space.place(node);
        if state.is_hopeless(g.saturating_add(sure(space, space.heuristic(place)))) {
            // Neither open nor closed: a cheaper way there may not be hopeless.
            nodes.open(node);
            continue;
        }
        if work.is_spent() {
            nodes.open(node);
            heap.put_back(entry);
            return Ok(Round::Spent);
        }
        memory.closed.push(node);
        work.count()?;
        recorder.expanded(node, g);
        let distance = space.distance(place);
        if distance <= state.nearest.0 {
            state.nearest = state.nearest.min((distance, node));
        }
        let had_goal = state.has_goal();
        space.for_each_neighbor(node, place, |next, next_place, cost| {
            let next_g = g + u64::from(cost.max(1));
            let h = space.heuristic(next_place);
            if state.is_hopeless(next_g.saturating_add(sure(space, h))) {
                return;
            }
            match nodes.improve_always(next, next_g) {
                Improved::No => return,
                Improved::Closed => memory.improved.push(next),
                Improved::Open => {
                    let f = state.f(next_g, h);
                    heap.push(f, next);
                    state.pushed = state.pushed.saturating_add(1);
                    recorder.opened(next, next_g, f / ONE);
                }
            }
            if space.is_goal(next) {
                state.best = Some((next_g, next));
                goal_f = state.f(next_g, 0);
            }
        });
        if state.has_goal() && !had_goal && !state.has_told {
            return Ok(Round::FirstGoal);
        }
    }
    Ok(Round::Over)
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

/// Opens all that is open or improved for a round with less weight, unless it is hopeless.
fn next_round<S: SearchSpace>(
    space: &S,
    state: &mut AnytimeState,
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
    state.fall(space.guarantee());
    state.is_between = false;
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
