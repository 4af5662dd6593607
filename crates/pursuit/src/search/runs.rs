//! A\* over terrain that examines only the steps that a cheapest path may need. It follows runs of cells without the
//! open list: straight runs, which end where another step may be needed, and diagonal runs of a few steps.
//!
//! If most of the ground is even, bit operations find the end of a straight run, 64 cells at a time. The search then
//! goes from jump point to jump point, and does not record the cells between them. Otherwise runs are short, and the
//! search records each cell along a run. A later run that reaches such a cell ends there, unless it is cheaper.

use super::front::{Expand, Expanding, Front};
use super::grid_space::{GridSpace, HALF_STEP_COSTS};
use super::recorder::SearchRecorder;
use super::scratch::three;
use super::space::SearchSpace;
use crate::bits::ones;
use crate::cell::Cell;
use crate::cost::STRAIGHT;
use crate::terrain::{Passes, Terrain, Window};

/// How far the buckets reach above the f of the current node, in straight steps over the cheapest ground. A node with a
/// greater f waits in the last bucket: see [`Front::put`].
const BUCKETED_STEPS: u32 = 512;

/// Maximum cost of a straight run that goes cell by cell, in straight steps over the cheapest ground. Without a
/// maximum, a run would waste work on cells beyond the goal.
const MAX_STRAIGHT_STEPS: u32 = 64;

/// Maximum number of steps in a diagonal run: the first number if straight runs go cell by cell, the second if they
/// jump.
const MAX_DIAGONAL_STEPS: [u32; 2] = [3, 16];

/// The range of f above the current node that the buckets must hold. It determines their width.
pub(super) fn max_rise(space: &GridSpace<'_>) -> u64 {
    space.unit() * u64::from(BUCKETED_STEPS * STRAIGHT * space.cheapest)
}

/// The indices of a cell's bit in the rows and in the columns of `passes`.
#[inline(always)]
fn bits(passes: &Passes, cell: Cell) -> [u32; 2] {
    let (x, y) = (cell.x as u32, cell.y as u32);
    [passes.bit::<0>(x, y), passes.bit::<1>(x, y)]
}

/// Data for runs over terrain. With `JUMPS`, straight runs jump. Without `JUMPS`, they go cell by cell.
#[derive(Clone, Copy)]
pub(super) struct RunGround<'a, const JUMPS: bool> {
    terrain: &'a Terrain,
    /// See [`Terrain::cells`].
    cells: &'a [u16],
    passes: &'a Passes,
    goal: [u32; 2],
    /// Maximum cost of a straight run that goes cell by cell.
    reach: u64,
}

impl<'a, const JUMPS: bool> RunGround<'a, JUMPS> {
    pub(super) fn new(space: &GridSpace<'_>, terrain: &'a Terrain) -> Self {
        let passes = terrain.passes();
        Self {
            terrain,
            cells: terrain.cells(),
            passes,
            goal: bits(passes, space.cell(space.goal_node())),
            reach: u64::from(MAX_STRAIGHT_STEPS * STRAIGHT * space.cheapest),
        }
    }
}

impl<const JUMPS: bool> Expand for RunGround<'_, JUMPS> {
    #[inline(always)]
    fn expand<R: SearchRecorder<u32>>(&self, front: &mut Front<'_, R>, from: Expanding) {
        let ground = *self;
        Runs { front, ground }.expand(from);
    }
}

/// The runs from a node.
struct Runs<'f, 'a, R, const JUMPS: bool> {
    front: &'f mut Front<'a, R>,
    ground: RunGround<'f, JUMPS>,
}

/// A cell on a run, and the cost of the path to it.
#[derive(Clone, Copy)]
struct Head {
    node: u32,
    cell: u16,
    g: u64,
    /// The indices of the cell's bit, as in [`bits`]. Only jumps use them.
    bits: [u32; 2],
}

/// The node from which a run starts.
#[derive(Clone, Copy)]
struct Origin {
    node: u32,
    /// A straight run that goes cell by cell ends when the cost of the path reaches this.
    max_cost: u64,
}

impl<R: SearchRecorder<u32>, const JUMPS: bool> Runs<'_, '_, R, JUMPS> {
    #[inline(always)]
    fn cell(&self, node: u32) -> u16 {
        self.ground.cells.get(node as usize).copied().unwrap_or(0)
    }

    /// The steps that a cheapest path may need from a node that was reached by `arrival` (see [`Expanding`]), one bit
    /// each.
    #[inline(always)]
    fn needed(&self, node: u32, arrival: u8) -> u8 {
        let known = || self.front.space.successors(node, arrival);
        let Some(step) = arrival.checked_sub(1) else {
            return known();
        };
        if self.ground.terrain.is_even(node) {
            return known();
        }
        let (above, below) = self.front.space.beside(node);
        let row = |middle: u32| {
            let [left, middle, right] = three(self.ground.cells, middle);
            [left as u8, middle as u8, right as u8]
        };
        Window::new([row(above), row(node), row(below)]).needed(usize::from(step))
    }

    #[inline(always)]
    fn expand(&mut self, Expanding { node, g, arrival }: Expanding) {
        let (cell, max_cost) = (self.cell(node), g + self.ground.reach);
        let bits = if JUMPS {
            bits(self.ground.passes, self.front.space.cell(node))
        } else {
            [0; 2]
        };
        let head = Head {
            node,
            cell,
            g,
            bits,
        };
        let origin = Origin { node, max_cost };
        for n in ones(self.needed(node, arrival).into()) {
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

    /// The next cell in the direction `N` of [`NEIGHBORS`](crate::NEIGHBORS).
    #[inline(always)]
    fn step<const N: usize>(&self, from: Head) -> Head {
        let node = self.front.space.neighbor(from.node, N);
        let cell = self.cell(node);
        let costs = u32::from(from.cell & 255) + u32::from(cell & 255);
        let g = from.g + u64::from(HALF_STEP_COSTS[N] * costs);
        Head {
            node,
            cell,
            g,
            ..from
        }
    }

    /// Whether a run in the direction `N` may continue beyond a cell.
    #[inline(always)]
    fn passes<const N: usize>(&self, to: Head) -> bool {
        to.cell >> (8 + N) & 1 != 0 && !self.front.space.is_goal(to.node)
    }

    /// Records a path to a cell if it is the best so far, and returns whether it is. `is_passed` is whether the run
    /// continues beyond the cell.
    #[inline(always)]
    fn reach(&mut self, to: Head, before: u32, origin: u32, is_passed: bool) -> bool {
        let is_better = self.front.reach(to.node, to.g, before, is_passed);
        if JUMPS && is_better {
            self.front.legs.note(to.node, origin);
        }
        is_better
    }

    /// Records that a run continues beyond a cell, if the run's path to the cell is cheaper than the known one. Returns
    /// whether it is.
    #[inline(always)]
    fn pass(&mut self, to: Head, before: u32, origin: u32) -> bool {
        self.front.see(to.node);
        self.reach(to, before, origin, true)
    }

    /// Ends a run: puts its last cell on the open list if the path to it is the best so far.
    #[inline(always)]
    fn open<const N: usize>(&mut self, to: Head, before: u32, origin: u32) {
        if self.reach(to, before, origin, false) {
            let f = self.front.space.f(to.node, to.g);
            self.front.put(f, (to.node, N as u8 + 1));
        }
    }

    /// Follows a straight run from a cell.
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
            if !self.passes::<N>(to) || to.g >= origin.max_cost {
                return self.open::<N>(to, from.node, origin.node);
            }
            if !self.pass(to, from.node, origin.node) {
                return;
            }
            from = to;
        }
    }

    /// Jumps along a straight line to the next cell from which other steps may be needed. The jump continues beyond
    /// cells at which only the cost changes.
    #[inline(always)]
    fn jump<const N: usize>(&mut self, mut from: Head, origin: u32) {
        let first = from.node;
        loop {
            let (steps, is_goal) = self.steps::<N>(from);
            let by = self.front.space.offset(N).wrapping_mul(steps as i32);
            let node = from.node.wrapping_add_signed(by);
            let cell = self.cell(node);
            if cell == 0 {
                return;
            }
            // All cells except the last cost the same.
            let [here, there] = [from.cell, cell].map(|cell| u64::from(cell & 255));
            let costs = here * u64::from(2 * steps - 1) + there;
            let to = Head {
                node,
                cell,
                g: from.g + u64::from(HALF_STEP_COSTS[N]) * costs,
                bits: self.ground.passes.ahead::<N>(from.bits, steps),
            };
            if is_goal || !self.passes::<N>(to) {
                return self.open::<N>(to, first, origin);
            }
            from = to;
        }
    }

    /// Number of straight steps to the next cell at which [`Passes`] ends a run, or to the goal if the goal is not
    /// farther away. The second value is whether that cell is the goal.
    #[inline(always)]
    fn steps<const N: usize>(&self, from: Head) -> (u32, bool) {
        let (from, goal) = (from.bits[N / 2], self.ground.goal[N / 2]);
        let steps = self.ground.passes.steps::<N>(from);
        let to_goal = if N.is_multiple_of(2) {
            goal.wrapping_sub(from)
        } else {
            from.wrapping_sub(goal)
        };
        let is_goal = (1..=steps).contains(&to_goal);
        (if is_goal { to_goal } else { steps }, is_goal)
    }

    /// Follows a diagonal run from a cell. From each cell along it, also follows the straight runs in the two adjacent
    /// directions `X` and `Y`.
    #[inline(always)]
    fn diagonal<const N: usize, const X: usize, const Y: usize>(
        &mut self,
        mut from: Head,
        origin: Origin,
    ) {
        for left in (0..MAX_DIAGONAL_STEPS[usize::from(JUMPS)]).rev() {
            let mut to = self.step::<N>(from);
            if left == 0 || !self.passes::<N>(to) {
                return self.open::<N>(to, from.node, origin.node);
            }
            if !self.pass(to, from.node, origin.node) {
                return;
            }
            if JUMPS {
                let beside = self.ground.passes.ahead::<X>(to.bits, 1);
                to.bits = self.ground.passes.ahead::<Y>(beside, 1);
            }
            self.straight::<X>(to, origin);
            self.straight::<Y>(to, origin);
            from = to;
        }
    }
}
