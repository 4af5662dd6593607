//! A\* over terrain that looks only at the steps that a cheapest path may need, and goes on along a run of cells
//! without the open list: straight as long as no other step is needed, and a little way diagonally.

use super::astar::trace;
use super::bucket_state::{BucketState, nearest, put};
use super::buckets::Buckets;
use super::grid_space::{GridSpace, HALF};
use super::options::{FindPathError, SearchLimits, SearchStats};
use super::progress::Progress;
use super::recorder::{Change, SearchRecorder, Teller};
use super::scratch::{Nodes, SearchScratch, three};
use super::space::SearchSpace;
use super::work::{Ended, Stop, Work, limit_reached};
use crate::cancel::{Cancel, Cancelled};
use crate::cost::{DIAGONAL, STRAIGHT};
use crate::terrain::Window;

/// f is counted in halves, so that all are even.
const UNIT: u64 = 2;

/// How far straight and diagonal runs go at most, in steps over the cheapest ground: what lies beyond the goal is in
/// vain.
const REACH: [u32; 2] = [64, 3];

/// What runs may cost, straight and diagonal ones.
fn reach(space: &GridSpace<'_>) -> [u64; 2] {
    let [straight, diagonal] = REACH;
    [straight * STRAIGHT, diagonal * DIAGONAL].map(|reach| u64::from(reach * space.cheapest))
}

/// Begins a search from a node to the goal of the space.
pub(super) fn begin(
    space: &GridSpace<'_>,
    start: u32,
    limits: &SearchLimits,
    scratch: &mut SearchScratch,
) -> BucketState {
    let dearest = space.runs().map_or(1, |terrain| terrain.dearest);
    let [straight, diagonal] = reach(space);
    // A run, and the step with which it ends. The estimate grows by no more than that.
    let most = straight.max(diagonal) + u64::from(DIAGONAL) * u64::from(dearest);
    let open = scratch.buckets.get_or_insert_default();
    open.start(f(space, start, 0), 2 * UNIT * most);
    scratch.nodes.start(space.node_count());
    scratch.nodes.improve(start, 0, true);
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
    let open = scratch.buckets.get_or_insert_default();
    let slack = open.width() / UNIT;
    let search = Runs {
        space,
        cells: space.runs().map_or(&[], |terrain| terrain.cells()),
        nodes: &mut scratch.nodes,
        open,
        reach: reach(space),
        tell: Teller::new(space, limits.weights, recorder),
        state: *state,
    };
    let work = Work::go_on(state.expanded, budget, limits, cancel);
    let stop;
    (stop, *state) = search.expand_all(work)?;
    let Some(stop) = stop.or_else(|| limit_reached(state.expanded, limits)) else {
        return Ok(Progress::Running);
    };
    let (end, reached) = match state.goal_bucket {
        Some(_) => (space.goal_node(), Stop::Goal),
        None => (find_nearest(space, state, stop, scratch, cancel)?, stop),
    };
    Ok(Progress::Done(Ended {
        stop: reached,
        end,
        cost: trace(space, end, scratch, cancel)?,
        // Ways to nodes of the bucket at hand are final once that is empty.
        slack: if stop == Stop::Limit { slack } else { 1 },
        stats: SearchStats {
            expanded: state.expanded,
            pushed: state.pushed,
        },
    }))
}

/// The nearest of the nodes that were closed. After a limit, only those count to which no way is much cheaper: not the
/// far ends of runs.
fn find_nearest(
    space: &GridSpace<'_>,
    state: &BucketState,
    stop: Stop,
    scratch: &mut SearchScratch,
    cancel: Cancel<'_>,
) -> Result<u32, Cancelled> {
    let open = scratch.buckets.get_or_insert_default();
    let is_due = |node: u32, g| open.bucket(f(space, node, g)) <= open.current();
    let counts = |node: u32| {
        let g = scratch.nodes.closed_cost(node);
        g.is_some_and(|g| stop != Stop::Limit || is_due(node, g))
    };
    nearest(space, state, counts, cancel)
}

/// f of a node at cost `g`.
#[inline(always)]
fn f(space: &GridSpace<'_>, node: u32, g: u64) -> u64 {
    UNIT * (g + space.heuristic(space.place(node)))
}

struct Runs<'a, R> {
    space: &'a GridSpace<'a>,
    /// See [`Terrain::cells`](crate::terrain::Terrain::cells).
    cells: &'a [u16],
    nodes: &'a mut Nodes,
    open: &'a mut Buckets,
    reach: [u64; 2],
    tell: Teller<'a, GridSpace<'a>, R>,
    state: BucketState,
}

/// A cell on a run, and the way to it.
#[derive(Clone, Copy)]
struct Head {
    node: u32,
    cell: u16,
    g: u64,
}

impl<R: SearchRecorder<u32>> Runs<'_, R> {
    #[inline(always)]
    fn cell(&self, node: u32) -> u16 {
        self.cells.get(node as usize).copied().unwrap_or(0)
    }

    /// The steps that are needed after that arrival.
    #[inline(always)]
    fn needed(&self, node: u32, arrival: u8) -> u8 {
        let Some(arrival) = arrival.checked_sub(1) else {
            return self.space.successors(node, 0);
        };
        let (above, below) = self.space.beside(node);
        let row = |middle: u32| {
            let [left, middle, right] = three(self.cells, middle);
            [left as u8, middle as u8, right as u8]
        };
        Window::new([row(above), row(node), row(below)]).needed(usize::from(arrival))
    }

    /// As in `grid_astar`, nodes of one bucket come in any order, and some again. `None` for why it stops if there are
    /// nodes to expand and none may be any more.
    #[inline(never)]
    fn expand_all(
        mut self,
        mut work: Work<'_>,
    ) -> Result<(Option<Stop>, BucketState), FindPathError> {
        let stop = loop {
            let Some((node, arrival)) = self.state.upcoming.take().or_else(|| self.open.pop())
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
            let head = Head {
                node,
                cell: self.cell(node),
                g,
            };
            let [straight, diagonal] = self.reach.map(|reach| g + reach);
            let mut needed = self.needed(node, arrival);
            while needed != 0 {
                let n = needed.trailing_zeros() as usize % 8;
                needed &= needed - 1;
                if n < 4 {
                    self.run(head, n, straight);
                } else {
                    self.run_diagonally(head, n, [straight, diagonal]);
                }
            }
        };
        self.state.expanded = work.expanded();
        Ok((stop, self.state))
    }

    #[inline(always)]
    fn see(&mut self, node: u32) {
        let (first, last) = self.state.seen;
        self.state.seen = (first.min(node), last.max(node));
    }

    /// The next cell in a direction.
    #[inline(always)]
    fn step(&self, from: Head, n: usize) -> Head {
        let node = self.space.neighbor(from.node, n);
        let cell = self.cell(node);
        let costs = u32::from(from.cell & 255) + u32::from(cell & 255);
        let g = from.g + u64::from(HALF[n % 8] * costs);
        Head { node, cell, g }
    }

    /// Notes a way to a cell if it is the best so far, and puts it on the open list if the run ends there; says whether
    /// the run goes on.
    #[inline(always)]
    fn take(&mut self, from: Head, to: Head, n: usize, most: u64) -> bool {
        let Head { node, cell, g } = to;
        let goes_on = cell >> (8 + n) & 1 != 0 && g < most && !self.space.is_goal(node);
        let is_known = R::LISTENS && self.nodes.cost(node).is_some();
        let is_better = self.nodes.improve_as(node, g, goes_on);
        self.tell
            .relaxed(node, Some(from.node), g, Change::of(is_known, is_better));
        self.state.pushed = self.state.pushed.wrapping_add(u32::from(is_better));
        if is_better && !goes_on {
            let f = f(self.space, node, g);
            put(self.open, &mut self.state.upcoming, f, (node, n as u8 + 1));
        }
        is_better && goes_on
    }

    /// Goes straight on from a cell.
    #[inline(always)]
    fn run(&mut self, mut from: Head, n: usize, most: u64) {
        let mut to = self.step(from, n);
        while to.cell != 0 && self.take(from, to, n, most) {
            self.see(to.node);
            from = to;
            to = self.step(from, n);
        }
    }

    /// Goes diagonally on from a cell, and from each cell straight to both sides.
    #[inline(always)]
    fn run_diagonally(&mut self, mut from: Head, n: usize, [straight, diagonal]: [u64; 2]) {
        let (left, up) = (!n.is_multiple_of(2), n > 5);
        let sides = [usize::from(left), 2 + usize::from(up)];
        let mut to = self.step(from, n);
        while self.take(from, to, n, diagonal) {
            self.see(to.node);
            for side in sides {
                self.run(to, side, straight);
            }
            from = to;
            to = self.step(from, n);
        }
    }
}
