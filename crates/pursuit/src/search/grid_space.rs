//! A [`Grid`] as a [`SearchSpace`].

use super::options::Heuristic;
use super::space::{Guarantee, SearchSpace};
use super::successors::{Successors, successors};
use crate::cell::{Cell, DiagonalPolicy, NEIGHBORS};
use crate::cost::{DIAGONAL, STRAIGHT, octile};
use crate::grid::Grid;

/// The free cells of a grid, the steps that a diagonal policy allows between them, and a goal.
///
/// A step costs [`STRAIGHT`] or [`DIAGONAL`] times the mean of the terrain costs of its two cells,
/// and so the same in both directions. Node numbers are private to the space: they count the blocked
/// padding around the grid, too, so that a neighbor is a fixed offset away and no step needs to ask
/// for the border.
#[derive(Clone, Copy, Debug)]
pub struct GridSpace<'g> {
    grid: &'g Grid,
    successors: &'static Successors,
    heuristic: Heuristic,
    diagonals: DiagonalPolicy,
    goal: Cell,
    goal_slot: u32,
    /// What to add to a node number for each of the [`NEIGHBORS`].
    offsets: [i32; 8],
}

impl<'g> GridSpace<'g> {
    /// The space in which `goal` is searched for. `goal` may be blocked, and is then never reached;
    /// `None` when it is outside of the grid.
    #[must_use]
    pub fn new(
        grid: &'g Grid,
        diagonals: DiagonalPolicy,
        heuristic: Heuristic,
        goal: Cell,
    ) -> Option<Self> {
        let stride = grid.stride() as i32;
        Some(Self {
            goal_slot: grid.slot(goal)?,
            successors: successors(diagonals),
            offsets: NEIGHBORS.map(|(dx, dy)| dx + dy * stride),
            grid,
            heuristic,
            diagonals,
            goal,
        })
    }

    /// The node of a cell, blocked or not; `None` outside of the grid.
    #[must_use]
    pub fn node(&self, cell: Cell) -> Option<u32> {
        self.grid.slot(cell)
    }

    /// The cell of a node.
    #[must_use]
    pub fn cell(&self, node: u32) -> Cell {
        self.grid.slot_cell(node)
    }

    /// Highest ratio of the heuristic to the true cost: above 1 only for Manhattan distance where
    /// steps may be diagonal.
    pub(super) fn overestimate(&self) -> f64 {
        let manhattan = self.heuristic == Heuristic::Manhattan;
        if manhattan && self.diagonals != DiagonalPolicy::Never {
            f64::from(2 * STRAIGHT) / f64::from(DIAGONAL)
        } else {
            1.0
        }
    }

    /// Which neighbors to look at after that arrival, one bit each in the order of [`NEIGHBORS`].
    #[inline(always)]
    fn successors(&self, node: u32, arrival: u8) -> u8 {
        let stride = self.grid.stride();
        let words = self.grid.words();
        // Three bits from the one before the node's on; a row's first cell looks into the blocked
        // last bit of the row above.
        let three = |middle: u32| -> usize {
            let first = middle.wrapping_sub(1);
            let index = (first / 64) as usize;
            let low = words.get(index).copied().unwrap_or(0);
            let high = words.get(index + 1).copied().unwrap_or(0);
            let both = u128::from(high) << 64 | u128::from(low);
            (both >> (first % 64)) as usize & 7
        };
        let rows = (
            three(node.wrapping_sub(stride)),
            three(node),
            three(node + stride),
        );
        self.successors[usize::from(arrival)][(rows.0 | rows.1 << 3 | rows.2 << 6) & 511]
    }
}

/// Straight-line distance, rounded down so that it stays consistent: diagonal steps cost a little
/// less than √2 straight ones, so its unit is the diagonal step.
fn euclidean(dx: u32, dy: u32) -> u64 {
    let half = u128::from(DIAGONAL / 2);
    // The square of the distance over `DIAGONAL / 2`, twice.
    let twice = half * half * (u128::from(dx).pow(2) + u128::from(dy).pow(2));
    let mut root = (twice as f64 / 2.0).sqrt() as u64;
    while 2 * u128::from(root) * u128::from(root) > twice {
        root -= 1;
    }
    while 2 * u128::from(root + 1) * u128::from(root + 1) <= twice {
        root += 1;
    }
    2 * root
}

impl SearchSpace for GridSpace<'_> {
    /// Columns and rows from the goal to the cell.
    type Place = (i32, i32);

    fn node_count(&self) -> u32 {
        self.grid.slot_count()
    }

    #[inline(always)]
    fn place(&self, node: u32) -> (i32, i32) {
        let cell = self.grid.slot_cell(node);
        (cell.x - self.goal.x, cell.y - self.goal.y)
    }

    #[inline(always)]
    fn is_goal(&self, node: u32) -> bool {
        node == self.goal_slot
    }

    #[inline(always)]
    fn heuristic(&self, (dx, dy): (i32, i32)) -> u64 {
        let (dx, dy) = (dx.unsigned_abs(), dy.unsigned_abs());
        match self.heuristic {
            Heuristic::Octile => octile(dx, dy),
            Heuristic::Manhattan => u64::from(STRAIGHT) * (u64::from(dx) + u64::from(dy)),
            Heuristic::Euclidean => euclidean(dx, dy),
            Heuristic::Zero => 0,
        }
    }

    #[inline(always)]
    fn distance(&self, (dx, dy): (i32, i32)) -> u64 {
        octile(dx.unsigned_abs(), dy.unsigned_abs())
    }

    fn guarantee(&self) -> Guarantee {
        if self.overestimate() > 1.0 {
            Guarantee::None
        } else if self.grid.has_terrain() {
            Guarantee::Consistent
        } else {
            // Costs are even; a step's cost counts at most twice: 2 · 1393 < 4096.
            Guarantee::Stepped { shift: 1 }
        }
    }

    #[inline(always)]
    fn for_each_neighbor(
        &self,
        node: u32,
        (dx, dy): (i32, i32),
        mut visit: impl FnMut(u32, (i32, i32), u32),
    ) {
        let costs = self.grid.slot_costs();
        let here = costs.map_or(1, |costs| u32::from(costs[node as usize]));
        for n in bits(self.successors(node, 0)) {
            let next = node.wrapping_add_signed(self.offsets[n]);
            let half = if n < 4 { STRAIGHT / 2 } else { DIAGONAL / 2 };
            let there = costs.map_or(1, |costs| u32::from(costs[next as usize]));
            let (x, y) = NEIGHBORS[n];
            visit(next, (dx + x, dy + y), half * (here + there));
        }
    }

    #[inline(always)]
    fn for_each_successor(
        &self,
        node: u32,
        (dx, dy): (i32, i32),
        arrival: u8,
        mut visit: impl FnMut(u32, (i32, i32), u32, u8),
    ) {
        for n in bits(self.successors(node, arrival)) {
            let next = node.wrapping_add_signed(self.offsets[n]);
            let (x, y) = NEIGHBORS[n];
            visit(
                next,
                (dx + x, dy + y),
                if n < 4 { STRAIGHT } else { DIAGONAL },
                n as u8 + 1,
            );
        }
    }
}

/// Places of the set bits, lowest first.
#[inline(always)]
fn bits(mut set: u8) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (bit < 8).then_some(bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_euclidean_estimate_is_exact_below_the_root() {
        assert_eq!(euclidean(0, 0), 0);
        assert_eq!(euclidean(1, 1), u64::from(DIAGONAL));
        assert_eq!(euclidean(7, 7), 7 * u64::from(DIAGONAL));
        assert_eq!(
            euclidean(1, 0),
            1968,
            "half of it is 984.9998, rounded down"
        );
        let far = 1 << 24;
        assert_eq!(euclidean(far, far), u64::from(far) * u64::from(DIAGONAL));
    }

    #[test]
    fn estimates_never_fall_by_more_than_a_step_costs() {
        let grid = Grid::builder(80, 80).unwrap().build();
        let goal = Cell::new(40, 40);
        for heuristic in [Heuristic::Octile, Heuristic::Euclidean, Heuristic::Zero] {
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
    fn the_borders_of_every_width_have_no_neighbors_beyond() {
        for width in [1, 62, 63, 64, 65, 127, 128] {
            let grid = Grid::builder(width, 3).unwrap().build();
            let space = GridSpace::new(
                &grid,
                DiagonalPolicy::Always,
                Heuristic::Zero,
                Cell::new(0, 0),
            );
            let space = space.unwrap();
            for cell in grid.rect().cells() {
                let mut seen = Vec::new();
                let node = space.node(cell).unwrap();
                space.for_each_neighbor(node, (0, 0), |next, _, _| seen.push(space.cell(next)));
                let expected: Vec<Cell> = NEIGHBORS
                    .iter()
                    .map(|&(dx, dy)| cell.offset(dx, dy))
                    .filter(|&next| grid.contains(next))
                    .collect();
                assert_eq!(seen, expected, "around {cell} in a grid of width {width}");
            }
        }
    }
}
