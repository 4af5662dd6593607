//! Jump-point search (Harabor and Grastien, 2011) on bitboards: the cheapest path on a grid without
//! terrain costs, 8 neighbors and no cut corners.
//!
//! - Only jump points with a straight last step are opened; those on diagonals are passed over at once
//!   (intermediate pruning: Harabor and Grastien, 2014).
//! - A walk stops where a bit of [`JumpPointBoards`] says so, 64 cells at a time, diagonals too.
//! - The goal is no stop. It is found when one can go from the best open node diagonally and then
//!   straight to it: that is as cheap as the estimate says, so nothing open is better.
//! - Dead ends are left before the search and entered after it.

mod exits;
mod memory;

use std::ops::ControlFlow;

pub(crate) use memory::JumpMemory;

use exits::{Exits, leave};
use memory::{Arrival, Reached};

use crate::cancel::{Cancel, Cancelled};
use crate::cell::Cell;
use crate::cost::{HALF_DIAGONAL, HALF_STRAIGHT, half_octile};
use crate::jump::boards::JumpPointBoards;
use crate::jump::node::Node;
use crate::jump::walks::{for_each_branch, single_turn_path_is_free, to_jump_point};
use crate::path::turning_places;
use crate::search::options::{FindPathError, SearchLimits, SearchStats, Weights};
use crate::search::recorder::{Edge, Relaxation, SearchRecorder};
use crate::search::work::{Ended, Progress, Stop, Work, limit_reached};

/// Cost of a straight step, in half units.
const STRAIGHT_COST: u64 = HALF_STRAIGHT as u64;
/// Cost of a diagonal step, in half units.
const DIAGONAL_COST: u64 = HALF_DIAGONAL as u64;

/// Between nodes, which are not [`Cell`]s: their axes may be turned.
fn octile(a: Node, b: Node) -> u64 {
    half_octile(a.u.abs_diff(b.u), a.v.abs_diff(b.v))
}

/// Where a search goes.
#[derive(Clone, Copy, Debug)]
struct Aim {
    /// Where one leaves the dead end that the target is in, or the target.
    goal: Node,
    target: Node,
    start_h: u64,
    /// Costs of the ways out of dead ends, which come on top.
    ways: [u64; 2],
}

/// State that a search keeps from step to step, besides its memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JumpState {
    aim: Aim,
    expanded: u32,
    /// Of the ways expanded, the one that ends nearest to the target.
    nearest: ((u64, i32, i32), u32),
}

impl JumpState {
    /// Number of ways expanded.
    pub(crate) fn expanded(&self) -> u32 {
        self.expanded
    }
}

/// Begins a search from one free cell to another. Breaks with its end where there is nothing to expand.
#[inline(always)]
pub(crate) fn begin<R: SearchRecorder>(
    boards: &JumpPointBoards,
    ends: (Cell, Cell),
    limits: &SearchLimits,
    memory: &mut JumpMemory,
    recorder: &mut R,
    cancel: Cancel<'_>,
) -> Result<ControlFlow<Ended<Cell>, JumpState>, Cancelled> {
    let (start, goal) = (boards.node(ends.0), boards.node(ends.1));
    memory.start();
    let mut in_sight = |memory: &JumpMemory| {
        let ended = ended(boards, Stop::Goal, 0, memory);
        let costs = [ended.cost, 0];
        recorder.reached(Edge::new(ends.1, Some(ends.0), costs, limits.weights));
        Ok(ControlFlow::Break(ended))
    };
    if single_turn_path_is_free(boards, start, goal) {
        memory.corners.extend([goal, start]);
        return in_sight(memory);
    }
    memory.make_room(boards.slot_count());
    let slots = [start, goal].map(|node| boards.slot(node));
    let slots = match leave(&boards.dead_ends, slots, memory, cancel)? {
        Exits::Met(counts) => {
            add_way(boards, memory, 1, counts[1]);
            add_way(boards, memory, 0, counts[0]);
            return in_sight(memory);
        }
        Exits::Apart(slots) => slots,
    };
    let [from, to] = slots.map(|slot| boards.slot_node(slot));
    add_way(boards, memory, 1, usize::MAX);
    memory.corners.push(to);
    memory.reach(slots[0], 0, 0, Arrival::START, 0);
    let aim = Aim {
        goal: to,
        target: goal,
        start_h: octile(from, to),
        ways: [0, 1].map(|side| memory.ways[side].len().saturating_sub(1) as u64 * STRAIGHT_COST),
    };
    if R::LISTENS {
        let parent = Some(ends.0).filter(|_| from != start);
        let costs = aim.costs(from, 0);
        let edge = Edge::new(boards.cell(from), parent, costs, limits.weights);
        recorder.relaxed(edge, Relaxation::Discovered);
    }
    Ok(ControlFlow::Continue(JumpState {
        aim,
        expanded: 0,
        nearest: ((u64::MAX, 0, 0), 0),
    }))
}

impl Aim {
    /// g and h, in whole costs, of a node at which a search is at cost `g`.
    #[inline(always)]
    fn costs(&self, node: Node, g: u64) -> [u64; 2] {
        let h = octile(node, self.goal) + self.ways[1];
        [2 * (self.ways[0] + g), 2 * h]
    }
}

/// Goes on with a search and expands at most `budget` nodes. Its path is in the memory if there is one: to the goal, or
/// for [`Stop::Limit`] to the nearest node that was expanded.
#[inline(always)]
pub(crate) fn go_on<R: SearchRecorder>(
    boards: &JumpPointBoards,
    state: &mut JumpState,
    budget: u32,
    limits: &SearchLimits,
    memory: &mut JumpMemory,
    recorder: &mut R,
    cancel: Cancel<'_>,
) -> Result<Progress<Ended<Cell>>, FindPathError> {
    let search = JumpSearch {
        boards,
        aim: state.aim,
        memory,
        weights: limits.weights,
        recorder,
    };
    let Some(stop) = search.run(state, budget, limits, cancel)? else {
        return Ok(Progress::Running);
    };
    let mut walked = usize::MAX;
    if stop == Stop::Limit
        && let Some(count) = nearer_on_way(boards, memory, state.aim.target)
    {
        memory.corners.clear();
        walked = count;
    }
    add_way(boards, memory, 0, walked);
    let ended = ended(boards, stop, state.expanded, memory);
    Ok(Progress::Done(ended))
}

/// How many nodes of the start's way out of its dead end lead to the one nearest to the target, if that
/// is nearer than the end of the path found.
fn nearer_on_way(boards: &JumpPointBoards, memory: &JumpMemory, target: Node) -> Option<usize> {
    let way = memory.ways[0].iter().enumerate();
    let nearness_of = |slot: u32| nearness(boards, boards.slot_node(slot), target);
    let (best, place) = way.map(|(place, &slot)| (nearness_of(slot), place)).min()?;
    let last = *memory.corners.first()?;
    (best < nearness(boards, last, target)).then_some(place + 1)
}

fn ended(boards: &JumpPointBoards, stop: Stop, expanded: u32, memory: &JumpMemory) -> Ended<Cell> {
    let corners = &memory.corners;
    let legs = corners.windows(2);
    let cost = 2 * legs.map(|leg| octile(leg[0], leg[1])).sum::<u64>();
    let end = corners.first().map(|end| boards.cell(*end));
    let pushed = memory.count();
    Ended {
        stop,
        end: end.unwrap_or_default(),
        cost,
        slack: 1,
        stats: SearchStats { expanded, pushed },
    }
}

/// Adds the corners of the first `count` nodes of a way out of a dead end: from the goal out, or from
/// outside to the start.
fn add_way(boards: &JumpPointBoards, memory: &mut JumpMemory, side: usize, count: usize) {
    let JumpMemory { ways, corners, .. } = memory;
    let way = &ways[side][..count.min(ways[side].len())];
    let corner = |place: usize| boards.slot_node(way[place]);
    if side == 0 {
        corners.extend(turning_places(way).rev().map(corner));
    } else {
        corners.extend(turning_places(way).map(corner));
    }
}

/// A key that is smallest for the cell nearest to a target: the distance of the cell, then its index.
fn nearness(boards: &JumpPointBoards, node: Node, target: Node) -> (u64, i32, i32) {
    let cell = boards.cell(node);
    (octile(node, target), cell.y, cell.x)
}

struct JumpSearch<'a, R> {
    boards: &'a JumpPointBoards,
    aim: Aim,
    memory: &'a mut JumpMemory,
    /// For the recorder.
    weights: Weights,
    recorder: &'a mut R,
}

/// A way being expanded.
#[derive(Clone, Copy)]
struct Expansion {
    node: Node,
    g: u64,
    index: u32,
}

impl<R: SearchRecorder> JumpSearch<'_, R> {
    /// Returns why the search ended, and leaves corners in the memory, end first. `None` if it has to go on.
    fn run(
        mut self,
        state: &mut JumpState,
        budget: u32,
        limits: &SearchLimits,
        cancel: Cancel<'_>,
    ) -> Result<Option<Stop>, FindPathError> {
        let (boards, aim) = (self.boards, self.aim);
        let mut work = Work::go_on(state.expanded, budget, limits, cancel);
        let mut nearest = state.nearest;
        let (stop, last) = loop {
            let recorder = &mut *self.recorder;
            let dropped = |slot: u32| {
                if R::LISTENS {
                    recorder.dropped(boards.cell(boards.slot_node(slot)));
                }
            };
            let Some((index, reached)) = self.memory.take(dropped) else {
                break (Some(Stop::Exhausted), None);
            };
            let Reached {
                slot, g, arrival, ..
            } = reached;
            let node = boards.slot_node(slot);
            if arrival.may_see(node, aim.goal) && single_turn_path_is_free(boards, node, aim.goal) {
                self.tell_goal(node, g);
                break (Some(Stop::Goal), Some(index));
            }
            if work.is_spent() {
                self.memory
                    .open_way(index, g + octile(node, aim.goal) - aim.start_h);
                let limit = limit_reached(work.expanded(), limits);
                break (limit, Some(nearest.1));
            }
            if self.memory.is_full() {
                break (Some(Stop::Exhausted), None);
            }
            work.count()?;
            if R::LISTENS {
                let costs = aim.costs(node, g);
                let edge = Edge::new(boards.cell(node), None, costs, self.weights);
                self.recorder.expanded(edge);
            }
            if octile(node, aim.target) <= nearest.0.0 {
                nearest = nearest.min((nearness(boards, node, aim.target), index));
            }
            self.expand(Expansion { node, g, index }, arrival);
        };
        state.nearest = nearest;
        state.expanded = work.expanded();
        if stop == Some(Stop::Limit) {
            self.memory.corners.clear();
        }
        if let (Some(_), Some(last)) = (stop, last) {
            let mut corners = std::mem::take(&mut self.memory.corners);
            let trail = self.memory.trace(last);
            corners.extend(trail.map(|slot| boards.slot_node(slot)));
            self.memory.corners = corners;
        }
        Ok(stop)
    }

    #[inline(never)]
    fn expand(&mut self, from: Expansion, arrival: Arrival) {
        match arrival.decode() {
            Some((0, false, sides)) => self.go_on::<0, false>(from, sides),
            Some((0, true, sides)) => self.go_on::<0, true>(from, sides),
            Some((1, false, sides)) => self.go_on::<1, false>(from, sides),
            Some((_, true, sides)) => self.go_on::<1, true>(from, sides),
            _ => {
                self.diagonal::<true, true, 0>(from);
                self.diagonal::<false, true, 1>(from);
                self.diagonal::<false, false, 0>(from);
                self.diagonal::<true, false, 1>(from);
            }
        }
    }

    /// From a jump point straight on, and around the ends of walls at its sides: there diagonally, and
    /// straight to the side.
    #[inline(always)]
    fn go_on<const AXIS: usize, const UP: bool>(&mut self, from: Expansion, sides: u8) {
        self.straight::<AXIS, UP>(from);
        if AXIS == 0 {
            if sides & 1 != 0 {
                self.diagonal::<UP, true, 1>(from);
            }
            if sides & 2 != 0 {
                self.diagonal::<UP, false, 1>(from);
            }
        } else {
            if sides & 1 != 0 {
                self.diagonal::<true, UP, 0>(from);
            }
            if sides & 2 != 0 {
                self.diagonal::<false, UP, 0>(from);
            }
        }
    }

    /// Along a diagonal, and straight on from its branches. `U` and `V` tell which coordinates grow. At the
    /// first cell, only `START_AXIS` counts: the walk along the other axis is made elsewhere.
    #[inline(always)]
    fn diagonal<const U: bool, const V: bool, const START_AXIS: usize>(&mut self, from: Expansion) {
        let boards = self.boards;
        let branch = |axis: usize, steps: u32| {
            let node = from.node.moved::<0, U>(steps).moved::<1, V>(steps);
            let g = from.g + u64::from(steps) * DIAGONAL_COST;
            let from = Expansion { node, g, ..from };
            if axis == 0 {
                self.straight::<0, U>(from);
            } else {
                self.straight::<1, V>(from);
            }
        };
        if U == V {
            for_each_branch::<true, V, START_AXIS>(boards, from.node, branch);
        } else {
            for_each_branch::<false, V, START_AXIS>(boards, from.node, branch);
        }
    }

    #[inline(always)]
    fn straight<const AXIS: usize, const UP: bool>(&mut self, from: Expansion) {
        let (boards, goal) = (self.boards, self.aim.goal);
        let bit = boards.line_bit::<AXIS>(from.node);
        let side = from.node.side_ahead::<AXIS, UP>(goal);
        let (steps, sides) = to_jump_point::<UP>(&boards.lines[AXIS], bit, side, |steps| {
            single_turn_path_is_free(boards, from.node.moved::<AXIS, UP>(steps), goal)
        });
        if sides == 0 {
            return;
        }
        let node = from.node.moved::<AXIS, UP>(steps);
        let g = from.g + u64::from(steps) * STRAIGHT_COST;
        let arrival = Arrival::new(AXIS, UP, sides);
        let f = g + octile(node, goal) - self.aim.start_h;
        let slot = boards.slot(node);
        let is_known = R::LISTENS && self.memory.is_known(slot);
        let is_better = self.memory.reach(slot, g, f, arrival, from.index);
        if R::LISTENS {
            self.tell(node, g, from.index, Relaxation::of(is_known, is_better));
        }
    }

    #[inline(never)]
    fn tell(&mut self, node: Node, g: u64, parent: u32, change: Relaxation) {
        let cell = |node: Node| self.boards.cell(node);
        let parent = self.memory.trace(parent).next();
        let parent = parent.map(|slot| cell(self.boards.slot_node(slot)));
        let edge = Edge::new(cell(node), parent, self.aim.costs(node, g), self.weights);
        self.recorder.relaxed(edge, change);
    }

    /// The goal is in sight of a node that is at cost `g`.
    #[inline(always)]
    fn tell_goal(&mut self, node: Node, g: u64) {
        if R::LISTENS {
            let [g, h] = self.aim.costs(node, g);
            let cell = |node: Node| self.boards.cell(node);
            let (goal, parent) = (cell(self.aim.target), cell(node));
            let edge = Edge::new(goal, Some(parent), [g + h, 0], self.weights);
            self.recorder.reached(edge);
        }
    }
}

impl JumpMemory {
    /// The corners of the path that was found, from its start to its end. From each to the next one it goes
    /// diagonally first and then straight; at some it goes straight on.
    pub(crate) fn corners(
        &self,
        boards: &JumpPointBoards,
    ) -> impl ExactSizeIterator<Item = Cell> + Clone {
        self.corners.iter().rev().map(|&node| boards.cell(node))
    }
}
