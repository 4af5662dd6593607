//! A [`Grid`] as a [`SearchSpace`].

use super::options::Heuristic;
use super::space::{Guarantee, SearchSpace};
use crate::bits::ones;
use crate::cell::{Cell, DiagonalPolicy, NEIGHBORS};
use crate::cost::{DIAGONAL, STRAIGHT, half_octile};
use crate::grid::Grid;
use crate::pruning::{ALWAYS_NEEDED, Successors, successors};
use crate::terrain::Terrain;
use crate::walls::Walls;

/// The free cells of a grid, the steps that a diagonal policy allows between them, and a goal.
///
/// A step costs [`STRAIGHT`] or [`DIAGONAL`] times the mean of the terrain costs of its two cells, so both directions
/// cost the same. Node numbers are private to the space. The blocked padding around the grid also has node numbers, so
/// that a neighbor is a fixed offset away and no step needs to check for the border.
#[derive(Clone, Copy, Debug)]
pub struct GridSpace<'g> {
    walls: &'g Walls,
    terrain: Option<&'g Terrain>,
    successors: &'static Successors,
    heuristic: Heuristic,
    /// Whether the search may follow straight runs over terrain: see [`with_runs`](Self::with_runs).
    runs: bool,
    jumps: bool,
    row_words: u32,
    /// The cost of a cell that estimates assume: the lowest terrain cost or, without terrain, the cost of every cell.
    pub(crate) cheapest: u32,
    diagonals: DiagonalPolicy,
    goal: Cell,
    goal_node: u32,
    /// What to add to the number of a node to get each of its [`NEIGHBORS`].
    offsets: [i32; 8],
}

impl<'g> GridSpace<'g> {
    /// The space of a search for `goal`. A blocked goal is never reached. `None` if the goal is outside of the grid.
    #[must_use]
    pub fn new(
        grid: &'g Grid,
        diagonals: DiagonalPolicy,
        heuristic: Heuristic,
        goal: Cell,
    ) -> Option<Self> {
        let (walls, terrain) = (grid.walls(), grid.uneven());
        let stride = walls.node_stride() as i32;
        let uniform = grid.uniform_cost().unwrap_or(1);
        Some(Self {
            goal_node: walls.node(goal)?,
            terrain,
            cheapest: u32::from(terrain.map_or(uniform, |terrain| terrain.cheapest)),
            successors: successors(diagonals),
            offsets: NEIGHBORS.map(|(dx, dy)| dx + dy * stride),
            row_words: walls.stride() / 64,
            walls,
            heuristic,
            runs: false,
            jumps: false,
            diagonals,
            goal,
        })
    }

    /// If all cells cost the same, a copy of this space with costs in units of that cost. Otherwise this space,
    /// unchanged.
    pub(super) fn in_units(self) -> Self {
        let cheapest = if self.terrain.is_some() {
            self.cheapest
        } else {
            1
        };
        Self { cheapest, ..self }
    }

    /// A copy of this space with which the search follows straight runs if they are valid, and jumps if jumps are
    /// faster.
    pub(super) fn with_runs(self) -> Self {
        let runs = self.terrain.filter(|_| {
            self.heuristic == Heuristic::Octile && self.diagonals == DiagonalPolicy::NoCornerCut
        });
        let free = self.walls.free_count();
        Self {
            runs: runs.is_some(),
            jumps: runs.is_some_and(|terrain| terrain.passes().are_most(free)),
            ..self
        }
    }

    /// A copy of this space with which the search jumps if `jumps` is set and jumps are possible, even if they are
    /// slower.
    #[cfg(test)]
    pub(super) fn with_jumps(self, jumps: bool) -> Self {
        let can = (self.runs()).is_some_and(|terrain| terrain.passes().are_known());
        Self {
            jumps: jumps && can,
            ..self
        }
    }

    /// Whether a search over terrain jumps: see [`Passes::are_most`](crate::terrain::Passes::are_most).
    pub(super) fn jumps(&self) -> bool {
        self.jumps
    }

    /// The terrain, if the search may follow straight runs over it.
    pub(super) fn runs(&self) -> Option<&'g Terrain> {
        self.terrain.filter(|_| self.runs)
    }

    /// The node of a free or blocked cell. `None` if the cell is outside the grid.
    #[must_use]
    pub fn node(&self, cell: Cell) -> Option<u32> {
        self.walls.node(cell)
    }

    /// The cell of a node.
    #[must_use]
    pub fn cell(&self, node: u32) -> Cell {
        self.walls.node_cell(node)
    }

    pub(super) fn terrain(&self) -> Option<&'g Terrain> {
        self.terrain
    }

    /// The factor by which the search in `grid_astar` multiplies g + h, so that every f is even.
    #[inline(always)]
    pub(super) fn unit(&self) -> u64 {
        if self.terrain.is_some() { 2 } else { 1 }
    }

    /// The maximum that a step adds to f.
    pub(super) fn max_rise(&self) -> u64 {
        let dearest = |terrain: &Terrain| u32::from(terrain.dearest);
        let dearest = self.terrain.map_or(self.cheapest, dearest);
        // f rises most with the most expensive step, if it leads away from the goal. A step raises the estimate by at
        // most the cost of a diagonal step over the cheapest ground.
        self.unit() * u64::from(DIAGONAL * (dearest + self.cheapest))
    }

    pub(super) fn goal_node(&self) -> u32 {
        self.goal_node
    }

    /// The nodes above and below a node.
    #[inline(always)]
    pub(super) fn beside(&self, node: u32) -> (u32, u32) {
        let stride = self.walls.node_stride();
        (node.wrapping_sub(stride), node.wrapping_add(stride))
    }

    /// What to add to the number of a node to get its `n`th neighbor, in the order of [`NEIGHBORS`].
    #[inline(always)]
    pub(super) fn offset(&self, n: usize) -> i32 {
        self.offsets[n % 8]
    }

    #[inline(always)]
    pub(super) fn neighbor(&self, node: u32, n: usize) -> u32 {
        node.wrapping_add_signed(self.offsets[n % 8])
    }

    /// The terrain cost of a node, from which the costs of its steps are computed.
    #[inline(always)]
    fn cost<const TERRAIN: bool>(&self, node: u32) -> u32 {
        match self.terrain {
            Some(terrain) if TERRAIN => u32::from(terrain.cost(node)),
            _ => self.cheapest,
        }
    }

    /// Cost of the step to the `n`th neighbor of a node, if the step is allowed. `TERRAIN` is whether the grid has
    /// terrain.
    #[inline(always)]
    pub(super) fn step_cost<const TERRAIN: bool>(&self, node: u32, n: usize) -> u64 {
        let costs = self.cost::<TERRAIN>(node) + self.cost::<TERRAIN>(self.neighbor(node, n));
        u64::from(HALF_STEP_COSTS[n % 8] * costs)
    }

    /// The f of a node at the end of a path of cost `g`, for the search in `grid_astar`.
    #[inline(always)]
    pub(super) fn f(&self, node: u32, g: u64) -> u64 {
        self.unit() * (g + self.heuristic(self.place(node)))
    }

    /// The neighbors that a cheapest path may need from a node that was reached by `arrival` (see `front::Expanding`),
    /// one bit each. If the costs around the node differ, these are nearly all neighbors to which a step is allowed.
    #[inline(always)]
    pub(super) fn looked_at<const TERRAIN: bool>(&self, node: u32, arrival: u8) -> u8 {
        match self.terrain {
            Some(terrain) if TERRAIN && !terrain.is_even(node) => {
                let needed = ALWAYS_NEEDED.get(usize::from(arrival));
                self.successors(node, 0) & needed.copied().unwrap_or(u8::MAX)
            }
            _ => self.successors(node, arrival),
        }
    }

    /// The neighbors to examine from a node that was reached by `arrival` (see `front::Expanding`), one bit each, in
    /// the order of [`NEIGHBORS`]. Valid if all costs around the node are equal.
    #[inline(always)]
    pub(super) fn successors(&self, node: u32, arrival: u8) -> u8 {
        let Some(window) = self.window(self.walls.node_slot(node)) else {
            return 0;
        };
        let table = self.successors.get(usize::from(arrival));
        table.map_or(0, |table| table[window % 512])
    }

    /// The free cells of the 3 × 3 window around a slot, with bits as in [`Successors`].
    ///
    /// ```text
    /// bit               0 1 2 3 4      words of three rows; the slot is bit 2 of the middle one
    /// row above         . 1 1 . .
    /// row               . 1 1 1 .
    /// row below         . . 1 1 .
    ///
    /// bits of the       0 1 2          1 1 .
    /// window            3 4 5          1 1 1      0b110_111_011
    ///                   6 7 8          . 1 1
    /// ```
    #[inline(always)]
    fn window(&self, slot: u32) -> Option<usize> {
        let words = self.walls.words();
        let row_words = self.row_words as usize;
        let (index, bit) = ((slot / 64) as usize, slot % 64);
        let up = words.get(index.wrapping_sub(row_words))?;
        let here = words.get(index)?;
        let down = words.get(index + row_words)?;
        Some(if (1..63).contains(&bit) {
            let three = |word: u64| (word >> (bit - 1)) as usize & 7;
            three(*up) | three(*here) << 3 | three(*down) << 6
        } else {
            self.window_across_words(slot)
        })
    }

    /// The window around a slot whose three columns do not lie in one word of each row.
    #[cold]
    fn window_across_words(&self, slot: u32) -> usize {
        let is_free = |slot: u32| usize::from(self.walls.slot_is_free(slot));
        let three = |middle: u32| {
            // The bit before the first cell of a row is the last bit of the row above, which is blocked.
            is_free(middle.wrapping_sub(1)) | is_free(middle) << 1 | is_free(middle + 1) << 2
        };
        let stride = self.walls.stride();
        three(slot.wrapping_sub(stride)) | three(slot) << 3 | three(slot + stride) << 6
    }
}

impl SearchSpace for GridSpace<'_> {
    /// Number of columns and of rows from the goal to the cell.
    type Place = (i32, i32);

    fn node_count(&self) -> u32 {
        self.walls.node_count()
    }

    #[inline(always)]
    fn place(&self, node: u32) -> (i32, i32) {
        let cell = self.walls.node_cell(node);
        (cell.x - self.goal.x, cell.y - self.goal.y)
    }

    #[inline(always)]
    fn is_goal(&self, node: u32) -> bool {
        node == self.goal_node
    }

    #[inline(always)]
    fn heuristic(&self, (dx, dy): (i32, i32)) -> u64 {
        let (dx, dy) = (dx.unsigned_abs(), dy.unsigned_abs());
        let open = match (self.heuristic, self.diagonals) {
            (Heuristic::Zero, _) => 0,
            (_, DiagonalPolicy::Never) => u64::from(STRAIGHT) * (u64::from(dx) + u64::from(dy)),
            _ => 2 * half_octile(dx, dy),
        };
        open * u64::from(self.cheapest)
    }

    #[inline(always)]
    fn distance(&self, (dx, dy): (i32, i32)) -> u64 {
        2 * half_octile(dx.unsigned_abs(), dy.unsigned_abs())
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Consistent
    }

    #[inline(always)]
    fn for_each_neighbor(
        &self,
        node: u32,
        (dx, dy): (i32, i32),
        mut visit: impl FnMut(u32, (i32, i32), u32),
    ) {
        if !self.walls.slot_is_free(self.walls.node_slot(node)) {
            return;
        }
        let here = self.cost::<true>(node);
        for n in ones(self.successors(node, 0).into()).map(|n| n as usize % 8) {
            let next = node.wrapping_add_signed(self.offsets[n]);
            let (x, y) = NEIGHBORS[n];
            let step = HALF_STEP_COSTS[n] * (here + self.cost::<true>(next));
            visit(next, (dx + x, dy + y), step);
        }
    }
}

/// Half of the cost of a step to each of the [`NEIGHBORS`] over terrain of cost 1. A step costs this times the sum of
/// the terrain costs of its two cells.
pub(super) const HALF_STEP_COSTS: [u32; 8] = {
    let (straight, diagonal) = (STRAIGHT / 2, DIAGONAL / 2);
    [
        straight, straight, straight, straight, diagonal, diagonal, diagonal, diagonal,
    ]
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{any_walls, each_case};

    #[test]
    fn estimates_never_fall_by_more_than_a_step_costs() {
        let grid = Grid::builder(80, 80).unwrap().build();
        let goal = Cell::new(40, 40);
        for heuristic in [Heuristic::Octile, Heuristic::Zero] {
            let space = GridSpace::new(&grid, DiagonalPolicy::Always, heuristic, goal).unwrap();
            for cell in grid.rect().cells() {
                let node = space.node(cell).unwrap();
                let place = space.place(node);
                let here = space.heuristic(place);
                assert!(here <= space.distance(place), "{heuristic:?} at {cell}");
                space.for_each_neighbor(node, place, |next, next_place, cost| {
                    assert_eq!(space.place(next), next_place);
                    let there = space.heuristic(next_place);
                    assert!(here <= u64::from(cost) + there, "{heuristic:?} at {cell}");
                });
            }
        }
    }

    #[test]
    fn the_picture_of_a_window_is_right() {
        let rows = [".11..", ".111.", "..11."];
        let is_free = |cell: Cell| rows[cell.y as usize].as_bytes()[cell.x as usize] == b'1';
        let grid = Grid::from_fn(5, 3, is_free).unwrap();
        let policy = DiagonalPolicy::Always;
        let space = GridSpace::new(&grid, policy, Heuristic::Zero, Cell::new(0, 0)).unwrap();
        let slot = grid.walls().slot(Cell::new(2, 1)).unwrap();
        assert_eq!(space.window(slot), Some(0b110_111_011));
    }

    #[test]
    fn windows_and_neighbors_equal_a_look_at_each_cell() {
        each_case(200, |random| {
            let widths = [1, 2, 31, 32, 33, 62, 63, 64, 65, 127, 128, 130];
            let (width, height) = (*random.choice(&widths).unwrap(), random.u32(1..6));
            let grid = any_walls(random, width, height, 2..19);
            let policy = DiagonalPolicy::Always;
            let space = GridSpace::new(&grid, policy, Heuristic::Zero, Cell::new(0, 0)).unwrap();
            for cell in grid.rect().cells() {
                let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)));
                let bits = around.map(|(dx, dy)| {
                    usize::from(grid.is_free(cell.offset(dx, dy))) << (3 * (dy + 1) + dx + 1)
                });
                let found = space.window(grid.walls().slot(cell).unwrap());
                assert_eq!(found, Some(bits.sum()), "{cell} of {width} columns");
                let node = space.node(cell).unwrap();
                let mut seen = Vec::new();
                space.for_each_neighbor(node, (0, 0), |next, _, _| seen.push(space.cell(next)));
                let around = NEIGHBORS.map(|(dx, dy)| cell.offset(dx, dy)).into_iter();
                let free = around.filter(|&next| grid.is_free(cell) && grid.is_free(next));
                assert!(seen.into_iter().eq(free), "{cell} of {width} columns");
            }
        });
    }
}
