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

use super::memory::{AnytimeMemory, push};
use super::options::{AnytimeWeights, Improvement};
use super::state::{AnytimeState, ONE, Stage};
use crate::cancel::{Cancel, Cancelled};
use crate::search::astar;
use crate::search::open::Heap;
use crate::search::options::FindPathError;
use crate::search::recorder::{Change, SearchRecorder, Teller};
use crate::search::scratch::{Nodes, SearchScratch};
use crate::search::space::{Guarantee, SearchSpace};
use crate::search::work::Work;

/// What a path costs at least that leads over a node of this g and h.
#[inline(always)]
fn least<S: SearchSpace>(space: &S, g: u64, h: u64) -> u64 {
    match space.guarantee() {
        Guarantee::Consistent => g.saturating_add(h),
        Guarantee::None => g,
    }
}

/// Puts the start, a node of the space, on the open list.
pub(super) fn begin<S: SearchSpace>(
    space: &S,
    start: u32,
    weights: AnytimeWeights,
    scratch: &mut SearchScratch,
    recorder: &mut impl SearchRecorder<u32>,
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
    anytime.forget_closed();
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
    recorder.started();
    recorder.passed(state.weights());
    Teller::new(space, state.weights(), recorder).start(start);
    state
}

/// Goes on with a search and expands at most `budget` nodes, or fewer until there is something to tell.
pub(super) fn go_on<S: SearchSpace>(
    space: &S,
    state: &mut AnytimeState,
    budget: u32,
    scratch: &mut SearchScratch,
    recorder: &mut impl SearchRecorder<u32>,
) -> Result<Improvement<()>, FindPathError> {
    if state.stage == Stage::Over {
        return Ok(Improvement::Last(()));
    }
    // Counted from 0 on: what all steps expand may be more than 32 bits hold, and that is no end.
    let (before, mut work) = (state.expanded, Work::without_limit(0, budget));
    loop {
        if state.stage == Stage::Between {
            state.fall(space.guarantee());
            next_round(space, state, scratch, recorder);
            state.stage = if state.has_goal() {
                Stage::Round
            } else {
                Stage::First
            };
        }
        let is_over = expand(space, state, &mut work, scratch, recorder);
        state.expanded = before.saturating_add(work.expanded());
        if !is_over? {
            return Ok(Improvement::Running);
        }
        let lower = lower_bound(space, state, scratch);
        state.lower = state.lower.max(lower);
        state.trust_weight(space.guarantee());
        if !state.has_goal() && !scratch.anytime.improved.is_empty() {
            // No goal is within reach: what is left are cheaper ways to nodes known.
            state.stage = Stage::Between;
            continue;
        }
        let cost = write_path(space, state, scratch, recorder)?;
        state.written = cost;
        if !state.has_goal() || cost <= state.lower {
            state.stage = Stage::Over;
            recorder.answered(cost, cost);
            return Ok(Improvement::Last(()));
        }
        let is_good = state.bound(cost) <= f64::from(state.weights.first);
        let can_prove = space.guarantee() == Guarantee::Consistent;
        if state.stage == Stage::First && !is_good && can_prove {
            state.weight = ONE;
            next_round(space, state, scratch, recorder);
            state.stage = Stage::Proof;
            continue;
        }
        if state.stage != Stage::Round {
            state.weight = state.weights.first_in(ONE);
        }
        state.stage = Stage::Between;
        recorder.answered(cost, state.lower);
        return Ok(Improvement::Better(()));
    }
}

/// Expands nodes, smallest f first, until the stage is over. `false` if none may be expanded any more.
fn expand<S: SearchSpace, R: SearchRecorder<u32>>(
    space: &S,
    state: &mut AnytimeState,
    work: &mut Work<'_>,
    scratch: &mut SearchScratch,
    recorder: &mut R,
) -> Result<bool, Cancelled> {
    let mut tell = Teller::new(space, state.weights(), recorder);
    let mut stop = state.stop();
    while let Some(entry) = scratch.heap.pop() {
        let node = Heap::node(entry);
        if Heap::f(entry) >= stop {
            scratch.heap.put_back(entry);
            return Ok(true);
        }
        let Some(g) = scratch.nodes.close(node) else {
            tell.dropped(node);
            continue;
        };
        let place = space.place(node);
        if state.has_goal() && state.is_hopeless(least(space, g, space.heuristic(place))) {
            // Neither open nor closed: a cheaper way there may not be hopeless.
            scratch.nodes.open(node);
            continue;
        }
        if work.is_spent() {
            scratch.nodes.open(node);
            scratch.heap.put_back(entry);
            return Ok(false);
        }
        let count = space.node_count() as usize;
        scratch.anytime.note_closed(node, count);
        work.count()?;
        tell.expanded(node, g);
        if scratch.heap.is_full() {
            drop_old_entries(space, state, scratch, &mut tell);
        }
        let distance = space.distance(place);
        if distance <= state.nearest.0 {
            state.nearest = state.nearest.min((distance, node));
        }
        space.for_each_neighbor(node, place, |next, next_place, cost| {
            let next = (next, next_place, g + u64::from(cost.max(1)));
            look(space, state, next, node, scratch, &mut tell);
        });
        if state.stage == Stage::First && state.has_goal() {
            break;
        }
        stop = state.stop();
    }
    Ok(true)
}

/// Drops the entries of nodes that are closed, or were pushed again at less cost.
#[cold]
#[inline(never)]
fn drop_old_entries<S: SearchSpace, R: SearchRecorder<u32>>(
    space: &S,
    state: &AnytimeState,
    scratch: &mut SearchScratch,
    tell: &mut Teller<'_, S, R>,
) {
    let (nodes, heap) = (&scratch.nodes, &mut scratch.heap);
    let counts = |entry: u128| {
        let node = Heap::node(entry);
        let g = nodes.cost(node).filter(|_| nodes.is_open(node));
        let f = g.map(|g| state.f(g, space.heuristic(space.place(node))));
        let counts = f == Some(Heap::f(entry));
        if !counts {
            tell.dropped(node);
        }
        counts
    };
    heap.make_room(counts);
}

/// Takes in a way to a node: `next` is the node, its place, and what the way costs.
#[inline(always)]
fn look<S: SearchSpace, R: SearchRecorder<u32>>(
    space: &S,
    state: &mut AnytimeState,
    (next, place, g): (u32, S::Place, u64),
    parent: u32,
    scratch: &mut SearchScratch,
    tell: &mut Teller<'_, S, R>,
) {
    let SearchScratch {
        nodes,
        heap,
        anytime,
        ..
    } = scratch;
    // Of a node that the space does not have, there is no estimate either.
    let h = nodes.is_cheaper(next, g).then(|| space.heuristic(place));
    let h = h.filter(|&h| !state.is_hopeless(least(space, g, h)));
    let is_known = R::LISTENS && nodes.cost(next).is_some();
    tell.relaxed(next, Some(parent), g, Change::of(is_known, h.is_some()));
    let Some(h) = h else { return };
    improve(state, (next, g, h), nodes, heap, anytime);
    if space.is_goal(next) {
        state.best = Some((g, next));
        tell.reached(next, g);
    }
}

/// Takes in a cheaper way to a node: `next` is the node, what the way costs, and the estimate of what remains.
#[inline(always)]
fn improve(
    state: &mut AnytimeState,
    (next, g, h): (u32, u64, u64),
    nodes: &mut Nodes,
    heap: &mut Heap,
    memory: &mut AnytimeMemory,
) {
    state.pushed = state.pushed.saturating_add(1);
    if nodes.improve_always(next, g) {
        push(&mut memory.improved, next);
    } else {
        heap.push(state.f(g, h), next);
    }
}

/// Least g + h of the nodes that are open or improved, or the cost of the best path if that is less.
fn lower_bound<S: SearchSpace>(space: &S, state: &AnytimeState, scratch: &SearchScratch) -> u64 {
    let (nodes, memory) = (&scratch.nodes, &scratch.anytime);
    let mut lower = state.best.map_or(u64::MAX, |(cost, _)| cost);
    let open = scratch
        .heap
        .entries()
        .iter()
        .map(|&entry| Heap::node(entry));
    let open = open.filter(|&node| nodes.is_open(node));
    for node in open.chain(memory.improved.iter().copied()) {
        // Costs of this search: what is listed was reached.
        if let Some(g) = nodes.cost(node).filter(|&g| g < lower) {
            let h = space.heuristic(space.place(node));
            lower = lower.min(least(space, g, h));
        }
    }
    lower
}

/// Writes the best path to the scratch's trail, end first, and returns its cost.
///
/// A node on it can have been reached at less cost since it was expanded last. Then the path costs less than
/// its end knows, and all nodes on it hear of that: no later path costs more.
fn write_path<S: SearchSpace>(
    space: &S,
    state: &mut AnytimeState,
    scratch: &mut SearchScratch,
    recorder: &mut impl SearchRecorder<u32>,
) -> Result<u64, FindPathError> {
    let cost = astar::trace(space, state.end(), scratch, Cancel::NEVER)?;
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
    let mut tell = Teller::new(space, state.weights(), recorder);
    let mut g = 0;
    for step in trail.windows(2).rev() {
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
        tell.relaxed(to, Some(from), g, Change::Improved);
        let h = space.heuristic(space.place(to));
        improve(state, (to, g, h), nodes, heap, memory);
    }
    Ok(cost)
}

/// Opens all that is open or improved for a round with another weight, unless it is hopeless.
fn next_round<S: SearchSpace>(
    space: &S,
    state: &AnytimeState,
    scratch: &mut SearchScratch,
    recorder: &mut impl SearchRecorder<u32>,
) {
    recorder.passed(state.weights());
    let SearchScratch {
        nodes,
        heap,
        anytime: memory,
        ..
    } = scratch;
    // A node can be listed more than once. It is closed when it is met first.
    heap.drop_entries(|entry| nodes.close(Heap::node(entry)).is_none());
    for &node in &memory.improved {
        nodes.open(node);
    }
    let mut kept = 0;
    for index in 0..memory.improved.len() {
        let node = memory.improved[index];
        if nodes.close(node).is_some() {
            memory.improved[kept] = node;
            kept += 1;
        }
    }
    memory.improved.truncate(kept);
    let open = heap.entries().iter().map(|&entry| Heap::node(entry));
    let listed = memory.closed.iter().chain(&memory.improved).copied();
    for node in open.chain(listed) {
        nodes.open(node);
    }
    if memory.has_closed_many {
        nodes.open_all();
    }
    memory.forget_closed();
    let f = |node: u32| {
        let h = space.heuristic(space.place(node));
        let g = nodes.cost(node)?;
        (!state.is_hopeless(least(space, g, h))).then(|| state.f(g, h))
    };
    heap.renew(&memory.improved, f);
    memory.improved.clear();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::grid_space::GridSpace;
    use crate::search::options::Heuristic;
    use crate::{Cell, DiagonalPolicy, Grid};

    #[test]
    fn a_search_goes_on_after_more_expansions_than_are_counted() {
        let grid = Grid::from_fn(9, 9, |cell| cell.x != 4 || cell.y == 8).unwrap();
        let policy = DiagonalPolicy::NoCornerCut;
        let space = GridSpace::new(&grid, policy, Heuristic::Octile, Cell::new(8, 0)).unwrap();
        let (start, scratch) = (
            space.node(Cell::new(0, 0)).unwrap(),
            &mut SearchScratch::new(),
        );
        let mut state = begin(&space, start, AnytimeWeights::default(), scratch, &mut ());
        state.expanded = u32::MAX - 3;
        let step = |_: u32| go_on(&space, &mut state, 1, scratch, &mut ());
        assert!(
            (0..1000)
                .map(step)
                .any(|told| told == Ok(Improvement::Last(())))
        );
    }
}
