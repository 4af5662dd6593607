//! A\* on a grid with equal weights, the case that counts: tables in place of arithmetic, and open
//! nodes in buckets.
//!
//! It knows of no node its g, only its f = g + h: the tables tell how that changes along each step. f
//! is counted so that all are even, see [`GridSpace::unit`].

use super::astar::{self, Search, Stop, Work};
use super::buckets::Buckets;
use super::grid_space::GridSpace;
use super::options::{FindPathError, SearchLimits, Weights};
use super::recorder::{CellRecorder, NodeRecorder, SearchRecorder};
use super::rises::rises;
use super::scratch::{Nodes, SearchScratch, View};
use super::space::{Guarantee, SearchSpace};
use super::steps::{Computed, Plain, Steps, Uneven};
use crate::cell::NEIGHBORS;

/// How a search on a grid ended, and its path.
pub(super) struct GridSearch {
    pub(super) search: Search,
    /// Of the path to the search's end, whose nodes are in the scratch's trail, end first.
    pub(super) cost: u64,
    /// That cost is above the cheapest by less than this.
    pub(super) slack: u64,
}

/// Searches from a node to the goal of the space.
pub(super) fn search<R: SearchRecorder>(
    space: &GridSpace<'_>,
    start: u32,
    limits: &SearchLimits<'_>,
    scratch: &mut SearchScratch,
    recorder: &mut R,
) -> Result<GridSearch, FindPathError> {
    let recorder = &mut CellRecorder { space, recorder };
    let Weights { g, h } = limits.weights;
    if g != h || space.guarantee() != Guarantee::Consistent {
        let search = astar::search(space, start, limits, scratch, recorder)?;
        let cost = astar::trace(space, search.end, scratch);
        return Ok(GridSearch {
            search,
            cost,
            slack: 1,
        });
    }
    match (rises(space.estimate()), space.terrain()) {
        (Some(rises), None) => run(space, &Plain { rises }, start, limits, scratch, recorder),
        (Some(rises), Some((costs, terrain))) => {
            let steps = Uneven::new(costs, terrain, rises);
            run(space, &steps, start, limits, scratch, recorder)
        }
        (None, _) => run(space, &Computed, start, limits, scratch, recorder),
    }
}

fn run<S: Steps>(
    space: &GridSpace<'_>,
    steps: &S,
    start: u32,
    limits: &SearchLimits<'_>,
    scratch: &mut SearchScratch,
    recorder: &mut impl NodeRecorder,
) -> Result<GridSearch, FindPathError> {
    let SearchScratch {
        nodes,
        buckets,
        trail,
        ..
    } = scratch;
    let open = buckets.get_or_insert_default();
    let mut work = Work::start(limits)?;
    let f = space.heuristic(space.place(start)) * space.unit();
    open.start(f, space.max_rise());
    nodes.start(space.node_count());
    let mut view = nodes.view();
    view.set(start, f);
    let mut front = Front {
        hand: Some((start, 0)),
        pushed: 1,
        seen: (start, start),
        goal_bucket: None,
    };
    let stop = expand_all(
        space, steps, &mut view, open, &mut work, &mut front, recorder,
    )?;
    let (end, stop) = match (stop, front.goal_bucket) {
        (Stop::Limit, Some(_)) => (space.goal_node(), Stop::Limit),
        (_, Some(_)) => (space.goal_node(), Stop::Goal),
        (stop, None) => (nearest(space, &view, start, front.seen), stop),
    };
    let is_final = open.is_exact() || stop != Stop::Limit;
    let slack = if is_final {
        1
    } else {
        open.width() / space.unit()
    };
    Ok(GridSearch {
        search: Search {
            end,
            stop,
            stats: work.stats(front.pushed),
        },
        cost: trace(space, nodes, end, trail),
        slack,
    })
}

/// Where a search stands.
struct Front {
    /// What was found last in the current bucket and comes next, node and arrival: it need not wait
    /// in there.
    hand: Option<(u32, u8)>,
    pushed: u32,
    /// First and last of the nodes expanded.
    seen: (u32, u32),
    /// The goal's bucket, once that was reached: a cheaper way could come out of the same one.
    goal_bucket: Option<u64>,
}

/// Nodes of one bucket come in any order. So a node can be expanded before the cheapest way to it is
/// known, and again after; the ways to all nodes in earlier buckets are final.
#[inline(never)]
fn expand_all<S: Steps>(
    space: &GridSpace<'_>,
    steps: &S,
    view: &mut View<'_>,
    open: &mut Buckets,
    work: &mut Work<'_>,
    front: &mut Front,
    recorder: &mut impl NodeRecorder,
) -> Result<Stop, FindPathError> {
    loop {
        let Some((node, arrival)) = front.hand.take().or_else(|| open.pop()) else {
            return Ok(Stop::Exhausted);
        };
        if front
            .goal_bucket
            .is_some_and(|bucket| bucket < open.current())
        {
            return Ok(Stop::Goal);
        }
        let Some(f) = view.close(node) else {
            continue;
        };
        if space.is_goal(node) {
            front.goal_bucket = Some(open.current());
            if open.is_exact() {
                return Ok(Stop::Goal);
            }
            continue;
        }
        if !work.expand()? {
            view.open(node);
            return Ok(Stop::Limit);
        }
        recorder.expanded(node, space.g(node, f));
        front.seen = (front.seen.0.min(node), front.seen.1.max(node));
        let mut rising = [0; 8];
        let mut better = steps.better(space, view, node, arrival, f, &mut rising);
        while better != 0 {
            let n = better.trailing_zeros() as usize % 8;
            better &= better - 1;
            let (next, next_f) = (space.neighbor(node, n), f + u64::from(rising[n]));
            let arrival = n as u8 + 1;
            view.set(next, next_f);
            recorder.opened(next, space.g(next, next_f), next_f / space.unit());
            front.pushed = front.pushed.saturating_add(1);
            let bucket = open.bucket(next_f);
            if bucket != open.current() {
                open.push(bucket, next, arrival);
            } else if let Some((node, arrival)) = front.hand.replace((next, arrival)) {
                open.push(bucket, node, arrival);
            }
        }
    }
}

/// Of the nodes expanded, which lie between the two `seen`, the one with the smallest distance, then
/// the smallest number.
fn nearest(space: &GridSpace<'_>, view: &View<'_>, start: u32, seen: (u32, u32)) -> u32 {
    let mut best = (space.distance(space.place(start)), start);
    for node in seen.0..=seen.1 {
        if view.is_closed(node) {
            best = best.min((space.distance(space.place(node)), node));
        }
    }
    best.1
}

/// As [`astar::trace`], by f.
fn trace(space: &GridSpace<'_>, nodes: &Nodes, end: u32, trail: &mut Vec<u32>) -> u64 {
    trail.clear();
    trail.push(end);
    let mut cost = 0;
    let (mut node, mut straight) = (end, None);
    let unit = space.unit();
    // A predecessor's g is smaller than the node's, so this ends.
    while let Some(f) = nodes.f(node) {
        let place = space.place(node);
        let here = space.heuristic(place) * unit;
        if f == here {
            break;
        }
        // What the cost so far would be by way of that neighbor, and the step's cost.
        let way = |n: usize| {
            let before = space.neighbor(node, n);
            let (x, y) = NEIGHBORS[n];
            let there = space.heuristic((place.0 + x, place.1 + y)) * unit;
            let step = space.step_cost(node, n);
            // An estimate never falls by more than the step costs.
            let way = nodes.f(before)? + (unit * step + here - there);
            (way <= f).then_some((way, step))
        };
        let open = space.successors(node, 0);
        let ahead = straight.filter(|n| open >> n & 1 != 0);
        let best = ahead.and_then(|n| Some((way(n)?, n))).or_else(|| {
            let neighbors = (0..8).filter(|n| open >> n & 1 != 0);
            neighbors
                .filter_map(|n| Some((way(n)?, n)))
                .min_by_key(|&((way, _), n)| (way, n))
        });
        let Some(((_, step), n)) = best else {
            break;
        };
        cost += step;
        straight = Some(n);
        node = space.neighbor(node, n);
        trail.push(node);
    }
    cost
}
