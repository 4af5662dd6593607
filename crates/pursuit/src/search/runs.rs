//! A\* over terrain that looks only at the steps that a cheapest path may need, and goes on along a run of cells
//! without the open list: straight as long as no other step is needed, and a little way diagonally.
//!
//! Where the ground is even for the most part, straight runs are read off bits, 64 cells at a time, and what they pass
//! is not noted: jump points. Where it is not, runs are short, and what is noted of each cell that they pass ends
//! others.

use super::astar;
use super::bucket_state::{BucketState, nearest, put};
use super::buckets::Buckets;
use super::grid_space::{GridSpace, HALF};
use super::legs::Legs;
use super::options::{FindPathError, SearchLimits, SearchStats};
use super::progress::Progress;
use super::recorder::{Change, SearchRecorder, Teller};
use super::scratch::{Nodes, SearchScratch, three};
use super::space::SearchSpace;
use super::work::{Ended, Stop, Work, limit_reached};
use crate::cancel::Cancel;
use crate::cell::Cell;
use crate::cost::STRAIGHT;
use crate::terrain::{Passes, Terrain, Window};

/// f is counted in halves, so that all are even.
const UNIT: u64 = 2;

/// The buckets hold nodes whose f is at most this far above the f of the current node, in straight steps over the
/// cheapest ground. A node beyond that waits outside of the buckets until the search gets there.
const AHEAD: u32 = 512;

/// How far straight runs go cell by cell, in steps over the cheapest ground: what lies beyond the goal is in vain.
const STRAIGHT_REACH: u32 = 64;

/// How many steps diagonal runs go, where straight ones go cell by cell and where they jump.
const DIAGONAL_REACH: [u32; 2] = [3, 16];

/// Of an arrival, that the node waits outside of the order.
const WAITS: u8 = 1 << 7;

/// Begins a search from a node to the goal of the space.
pub(super) fn begin(
    space: &GridSpace<'_>,
    start: u32,
    limits: &SearchLimits,
    scratch: &mut SearchScratch,
) -> BucketState {
    let open = scratch.buckets.get_or_insert_default();
    let ahead = u64::from(AHEAD * STRAIGHT * space.cheapest);
    open.start(f(space, start, 0), UNIT * ahead);
    scratch.nodes.start(space.node_count());
    scratch.nodes.improve(start, 0, true);
    if space.jumps() {
        scratch.legs.make_room(space.node_count());
    }
    BucketState::new(start, limits.weights.g)
}

/// Goes on with a search in the space that it began in, and expands at most `budget` nodes. The path at its end is in the
/// scratch's trail, end first.
pub(super) fn go_on<R: SearchRecorder<u32>>(
    space: &GridSpace<'_>,
    state: &mut BucketState,
    (budget, limits): (u32, &SearchLimits),
    scratch: &mut SearchScratch,
    recorder: &mut R,
    cancel: Cancel<'_>,
) -> Result<Progress<Ended<u32>>, FindPathError> {
    let work = Work::go_on(state.expanded, budget, limits, cancel);
    let tell = Teller::new(space, limits.weights, recorder);
    let stop;
    (stop, *state) = match space.runs() {
        Some(terrain) if space.jumps() => {
            Runs::<R, true>::new(space, terrain, scratch, tell, *state).expand_all(work)?
        }
        Some(terrain) => {
            Runs::<R, false>::new(space, terrain, scratch, tell, *state).expand_all(work)?
        }
        None => (Some(Stop::Exhausted), *state),
    };
    let Some(stop) = stop.or_else(|| limit_reached(state.expanded, limits)) else {
        return Ok(Progress::Running);
    };
    let (end, reached) = match state.goal_bucket {
        Some(_) => (space.goal_node(), Stop::Goal),
        None => {
            let is_closed = |node: u32| scratch.nodes.closed_cost(node).is_some();
            (nearest(space, state, is_closed, cancel)?, stop)
        }
    };
    let cost = if space.jumps() {
        scratch
            .legs
            .trace(space, (state.start, end), &mut scratch.trail, cancel)?
    } else {
        astar::trace(space, end, scratch, cancel)?
    };
    // Other nodes than the goal, after a limit or jumps, need not have been reached at the least cost.
    let is_least = stop != Stop::Limit && (reached == Stop::Goal || !space.jumps());
    let least = if is_least {
        cost
    } else {
        let (from, to) = (space.place(state.start), space.place(end));
        space.heuristic((from.0 - to.0, from.1 - to.1))
    };
    Ok(Progress::Done(Ended {
        stop: reached,
        end,
        cost,
        slack: cost.saturating_sub(least) + 1,
        stats: SearchStats {
            expanded: state.expanded,
            pushed: state.pushed,
        },
    }))
}

/// f of a node at cost `g`.
#[inline(always)]
fn f(space: &GridSpace<'_>, node: u32, g: u64) -> u64 {
    UNIT * (g + space.heuristic(space.place(node)))
}

/// The bits of a cell, in rows and in columns.
#[inline(always)]
fn bits(passes: &Passes, cell: Cell) -> [u32; 2] {
    let (x, y) = (cell.x as u32, cell.y as u32);
    [passes.bit::<0>(x, y), passes.bit::<1>(x, y)]
}

/// With `JUMPS`, straight runs are read off bits.
struct Runs<'a, R, const JUMPS: bool> {
    space: &'a GridSpace<'a>,
    terrain: &'a Terrain,
    /// See [`Terrain::cells`].
    cells: &'a [u16],
    passes: &'a Passes,
    nodes: &'a mut Nodes,
    legs: &'a mut Legs,
    open: &'a mut Buckets,
    goal: [u32; 2],
    /// What straight runs cost at most that go cell by cell.
    reach: u64,
    tell: Teller<'a, GridSpace<'a>, R>,
    state: BucketState,
}

/// A cell on a run, and the way to it.
#[derive(Clone, Copy)]
struct Head {
    node: u32,
    cell: u16,
    g: u64,
    /// For jumps.
    bits: [u32; 2],
}

/// Where a run began.
#[derive(Clone, Copy)]
struct Origin {
    node: u32,
    /// A straight run that goes cell by cell goes on as long as it costs less.
    most: u64,
}

impl<'a, R: SearchRecorder<u32>, const JUMPS: bool> Runs<'a, R, JUMPS> {
    fn new(
        space: &'a GridSpace<'a>,
        terrain: &'a Terrain,
        scratch: &'a mut SearchScratch,
        tell: Teller<'a, GridSpace<'a>, R>,
        state: BucketState,
    ) -> Self {
        let passes = terrain.passes();
        Self {
            space,
            terrain,
            cells: terrain.cells(),
            passes,
            nodes: &mut scratch.nodes,
            legs: &mut scratch.legs,
            open: scratch.buckets.get_or_insert_default(),
            goal: bits(passes, space.cell(space.goal_node())),
            reach: u64::from(STRAIGHT_REACH * STRAIGHT * space.cheapest),
            tell,
            state,
        }
    }

    #[inline(always)]
    fn cell(&self, node: u32) -> u16 {
        self.cells.get(node as usize).copied().unwrap_or(0)
    }

    /// The steps that are needed after that arrival.
    #[inline(always)]
    fn needed(&self, node: u32, arrival: u8) -> u8 {
        let known = || self.space.successors(node, arrival);
        let Some(step) = arrival.checked_sub(1) else {
            return known();
        };
        if self.terrain.is_even(node) {
            return known();
        }
        let (above, below) = self.space.beside(node);
        let row = |middle: u32| {
            let [left, middle, right] = three(self.cells, middle);
            [left as u8, middle as u8, right as u8]
        };
        Window::new([row(above), row(node), row(below)]).needed(usize::from(step))
    }

    /// As in `grid_astar`, nodes of one bucket come in any order, and some again. `None` for why it stops if there are
    /// nodes to expand and none may be any more.
    #[inline(never)]
    fn expand_all(
        mut self,
        mut work: Work<'_>,
    ) -> Result<(Option<Stop>, BucketState), FindPathError> {
        let stop = loop {
            let Some((node, mut arrival)) = self.state.upcoming.take().or_else(|| self.open.pop())
            else {
                break Some(Stop::Exhausted);
            };
            let bucket = self.open.current();
            if self.state.goal_bucket.is_some_and(|goal| goal < bucket) {
                break Some(Stop::Goal);
            }
            let Some(g) = self.nodes.close(node) else {
                self.tell.dropped(node);
                continue;
            };
            if arrival & WAITS != 0 {
                arrival &= !WAITS;
                let f = f(self.space, node, g);
                if self.open.bucket(f) > bucket {
                    self.nodes.open(node);
                    self.put(f, (node, arrival));
                    continue;
                }
            }
            if self.space.is_goal(node) {
                self.tell.reached(node, g);
                self.state.goal_bucket = Some(bucket);
                continue;
            }
            if !work.expand()? {
                self.nodes.open(node);
                self.state.upcoming = Some((node, arrival));
                break None;
            }
            self.tell.expanded(node, g);
            self.see(node);
            self.expand(node, g, arrival);
        };
        self.state.expanded = work.expanded();
        Ok((stop, self.state))
    }

    #[inline(always)]
    fn expand(&mut self, node: u32, g: u64, arrival: u8) {
        let (cell, most) = (self.cell(node), g + self.reach);
        let bits = if JUMPS {
            bits(self.passes, self.space.cell(node))
        } else {
            [0; 2]
        };
        let head = Head {
            node,
            cell,
            g,
            bits,
        };
        let origin = Origin { node, most };
        let mut needed = self.needed(node, arrival);
        while needed != 0 {
            let n = needed.trailing_zeros();
            needed &= needed - 1;
            match n {
                0 => self.straight::<0>(head, origin),
                1 => self.straight::<1>(head, origin),
                2 => self.straight::<2>(head, origin),
                3 => self.straight::<3>(head, origin),
                4 => self.diagonal::<4, 0, 2>(head, origin),
                5 => self.diagonal::<5, 1, 2>(head, origin),
                6 => self.diagonal::<6, 0, 3>(head, origin),
                _ => self.diagonal::<7, 1, 3>(head, origin),
            }
        }
    }

    #[inline(always)]
    fn see(&mut self, node: u32) {
        let (first, last) = self.state.seen;
        self.state.seen = (first.min(node), last.max(node));
    }

    /// The next cell in the direction `N` of [`NEIGHBORS`](crate::NEIGHBORS).
    #[inline(always)]
    fn step<const N: usize>(&self, from: Head) -> Head {
        let node = self.space.neighbor(from.node, N);
        let cell = self.cell(node);
        let costs = u32::from(from.cell & 255) + u32::from(cell & 255);
        let g = from.g + u64::from(HALF[N] * costs);
        Head {
            node,
            cell,
            g,
            ..from
        }
    }

    /// Whether a run may pass a cell.
    #[inline(always)]
    fn passes<const N: usize>(&self, to: Head) -> bool {
        to.cell >> (8 + N) & 1 != 0 && !self.space.is_goal(to.node)
    }

    /// Notes a way to a cell if it is the best so far, and says so. Whether the run passes it.
    #[inline(always)]
    fn reach(&mut self, to: Head, before: u32, origin: u32, is_passed: bool) -> bool {
        let Head { node, g, .. } = to;
        let is_known = R::LISTENS && self.nodes.cost(node).is_some();
        let is_better = self.nodes.improve_as(node, g, is_passed);
        self.tell
            .relaxed(node, Some(before), g, Change::of(is_known, is_better));
        self.state.pushed = self.state.pushed.wrapping_add(u32::from(is_better));
        if JUMPS && is_better {
            self.legs.note(node, origin);
        }
        is_better
    }

    /// Passes a cell, unless a way as good was known to it.
    #[inline(always)]
    fn pass(&mut self, to: Head, before: u32, origin: u32) -> bool {
        self.see(to.node);
        self.reach(to, before, origin, true)
    }

    /// Ends a run.
    #[inline(always)]
    fn open<const N: usize>(&mut self, to: Head, before: u32, origin: u32) {
        if self.reach(to, before, origin, false) {
            let f = f(self.space, to.node, to.g);
            self.put(f, (to.node, N as u8 + 1));
        }
    }

    /// Puts a node and its arrival on the open list. One whose f is too far ahead waits in the last bucket, to be put
    /// again.
    #[inline(always)]
    fn put(&mut self, f: u64, next: (u32, u8)) {
        let last = self.open.last();
        if self.open.bucket(f) > last {
            self.open.push(last, next.0, next.1 | WAITS);
        } else {
            put(self.open, &mut self.state.upcoming, f, next);
        }
    }

    /// Goes straight on from a cell.
    #[inline(always)]
    fn straight<const N: usize>(&mut self, from: Head, origin: Origin) {
        if JUMPS {
            self.jump::<N>(from, origin.node);
        } else {
            self.walk::<N>(from, origin);
        }
    }

    #[inline(always)]
    fn walk<const N: usize>(&mut self, mut from: Head, origin: Origin) {
        loop {
            let to = self.step::<N>(from);
            if to.cell == 0 {
                return;
            }
            if !self.passes::<N>(to) || to.g >= origin.most {
                return self.open::<N>(to, from.node, origin.node);
            }
            if !self.pass(to, from.node, origin.node) {
                return;
            }
            from = to;
        }
    }

    /// Goes straight on from a cell to the next one after which other steps may be needed. In between, it passes cells
    /// where costs change.
    #[inline(always)]
    fn jump<const N: usize>(&mut self, mut from: Head, origin: u32) {
        let first = from.node;
        loop {
            let (steps, is_goal) = self.steps::<N>(from);
            let by = self.space.offset(N).wrapping_mul(steps as i32);
            let node = from.node.wrapping_add_signed(by);
            let cell = self.cell(node);
            if cell == 0 {
                return;
            }
            // All cells but the last one cost the same.
            let [here, there] = [from.cell, cell].map(|cell| u64::from(cell & 255));
            let costs = here * u64::from(2 * steps - 1) + there;
            let to = Head {
                node,
                cell,
                g: from.g + u64::from(HALF[N]) * costs,
                bits: self.passes.ahead::<N>(from.bits, steps),
            };
            if is_goal || !self.passes::<N>(to) {
                return self.open::<N>(to, first, origin);
            }
            from = to;
        }
    }

    /// Steps straight on to the next cell that bits do not pass, or to the goal if that comes before.
    #[inline(always)]
    fn steps<const N: usize>(&self, from: Head) -> (u32, bool) {
        let (from, goal) = (from.bits[N / 2], self.goal[N / 2]);
        let steps = self.passes.steps::<N>(from);
        let to_goal = if N.is_multiple_of(2) {
            goal.wrapping_sub(from)
        } else {
            from.wrapping_sub(goal)
        };
        let is_goal = (1..=steps).contains(&to_goal);
        (if is_goal { to_goal } else { steps }, is_goal)
    }

    /// Goes diagonally on from a cell, and from each cell straight to both sides, `X` and `Y`.
    #[inline(always)]
    fn diagonal<const N: usize, const X: usize, const Y: usize>(
        &mut self,
        mut from: Head,
        origin: Origin,
    ) {
        for left in (0..DIAGONAL_REACH[usize::from(JUMPS)]).rev() {
            let mut to = self.step::<N>(from);
            if left == 0 || !self.passes::<N>(to) {
                return self.open::<N>(to, from.node, origin.node);
            }
            if !self.pass(to, from.node, origin.node) {
                return;
            }
            if JUMPS {
                let beside = self.passes.ahead::<X>(to.bits, 1);
                to.bits = self.passes.ahead::<Y>(beside, 1);
            }
            self.straight::<X>(to, origin);
            self.straight::<Y>(to, origin);
            from = to;
        }
    }
}
