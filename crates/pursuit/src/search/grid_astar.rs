//! A\* on a grid with equal weights, the case that counts: tables in place of arithmetic, and open
//! nodes in buckets.
//!
//! It knows of no node its g, only its f = g + h: the tables tell how that changes along each step. f
//! is counted so that all are even, see [`GridSpace::unit`].

use std::sync::atomic::AtomicBool;

use super::astar::{self, CANCEL_INTERVAL, Search, Stop, Work};
use super::buckets::Buckets;
use super::grid_space::GridSpace;
use super::options::{FindPathError, SearchLimits, Weights};
use super::recorder::{CellRecorder, NodeRecorder, SearchRecorder};
use super::rises::rises;
use super::scratch::{Nodes, SearchScratch, View};
use super::space::{Guarantee, SearchSpace};
use super::steps::{Computed, Plain, Steps, Uneven};
use crate::cancel::{Cancelled, check};
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
        let cost = astar::trace(space, search.end, limits.cancel, scratch)?;
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
    let work = Work::start(limits)?;
    let open = buckets.get_or_insert_default();
    let f = space.heuristic(space.place(start)) * space.unit();
    open.start(f, space.max_rise());
    nodes.start(space.node_count());
    let mut view = nodes.view();
    view.set(start, f);
    let done = expand_all(space, steps, view, open, work, start, recorder)?;
    let (end, stop) = match done.goal_bucket {
        Some(_) => (space.goal_node(), Stop::Goal),
        None => {
            let view = nodes.view();
            let end = nearest(space, &view, start, done.seen, limits.cancel)?;
            (end, done.stop)
        }
    };
    // Ways to nodes of the bucket at hand are final once that is empty.
    let slack = if open.is_exact() || done.stop != Stop::Limit {
        1
    } else {
        open.width() / space.unit()
    };
    Ok(GridSearch {
        search: Search {
            end,
            stop,
            stats: done.work.stats(done.pushed),
        },
        cost: trace(space, nodes, end, limits.cancel, trail)?,
        slack,
    })
}

/// A search that came to its end.
struct Done<'a> {
    stop: Stop,
    work: Work<'a>,
    pushed: u32,
    /// First and last of the nodes expanded.
    seen: (u32, u32),
    /// The goal's bucket, if that was reached: the search goes on to its end, for there may be a
    /// cheaper way to the goal in it.
    goal_bucket: Option<u64>,
}

/// Nodes of one bucket come in any order. So a node can be expanded before the cheapest way to it is
/// known, and again after; the ways to all nodes in earlier buckets are final.
#[inline(never)]
fn expand_all<'a, S: Steps>(
    space: &GridSpace<'_>,
    steps: &S,
    mut view: View<'_>,
    open: &mut Buckets,
    mut work: Work<'a>,
    start: u32,
    recorder: &mut impl NodeRecorder,
) -> Result<Done<'a>, FindPathError> {
    // What was found last in the current bucket comes next: it need not wait in there.
    let mut hand = Some((start, 0));
    let mut pushed: u32 = 1;
    let mut seen = (start, start);
    let mut goal_bucket = None;
    let stop = loop {
        let Some((node, arrival)) = hand.take().or_else(|| open.pop()) else {
            break Stop::Exhausted;
        };
        if goal_bucket.is_some_and(|bucket| bucket < open.current()) {
            break Stop::Goal;
        }
        let Some(f) = view.close(node) else {
            continue;
        };
        if space.is_goal(node) {
            goal_bucket = Some(open.current());
            if open.is_exact() {
                break Stop::Goal;
            }
            continue;
        }
        if !work.expand()? {
            view.open(node);
            break Stop::Limit;
        }
        recorder.expanded(node, space.g(node, f));
        seen = (seen.0.min(node), seen.1.max(node));
        let mut rising = [0; 8];
        let mut better = steps.better(space, &view, node, arrival, f, &mut rising);
        while better != 0 {
            let n = better.trailing_zeros() as usize % 8;
            better &= better - 1;
            let (next, arrival) = (space.neighbor(node, n), n as u8 + 1);
            let next_f = f + u64::from(rising[n]);
            view.set(next, next_f);
            pushed = pushed.wrapping_add(1);
            recorder.opened(next, space.g(next, next_f), next_f / space.unit());
            put(open, &mut hand, next_f, (next, arrival));
        }
    };
    Ok(Done {
        stop,
        work,
        pushed,
        seen,
        goal_bucket,
    })
}

/// Puts a node and its arrival on the open list, or in the hand if it belongs in the current bucket.
#[inline(always)]
fn put(open: &mut Buckets, hand: &mut Option<(u32, u8)>, f: u64, next: (u32, u8)) {
    let bucket = open.bucket(f);
    if bucket != open.current() {
        open.push(bucket, next.0, next.1);
    } else if let Some((node, arrival)) = hand.replace(next) {
        open.push(bucket, node, arrival);
    }
}

/// Of the nodes expanded, which lie between the two `seen`, the one with the smallest distance, then
/// the smallest number.
fn nearest(
    space: &GridSpace<'_>,
    view: &View<'_>,
    start: u32,
    seen: (u32, u32),
    cancel: Option<&AtomicBool>,
) -> Result<u32, Cancelled> {
    let mut best = (space.distance(space.place(start)), start);
    for first in (seen.0..=seen.1).step_by(CANCEL_INTERVAL as usize) {
        check(cancel)?;
        for node in first..=seen.1.min(first + CANCEL_INTERVAL - 1) {
            if view.is_closed(node) {
                best = best.min((space.distance(space.place(node)), node));
            }
        }
    }
    Ok(best.1)
}

/// As [`astar::trace`], by f.
fn trace(
    space: &GridSpace<'_>,
    nodes: &Nodes,
    end: u32,
    cancel: Option<&AtomicBool>,
    trail: &mut Vec<u32>,
) -> Result<u64, Cancelled> {
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
        astar::push(trail, node, cancel)?;
    }
    Ok(cost)
}
