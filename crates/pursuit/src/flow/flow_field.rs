//! A complete integration field.

use glam::Vec2;

use super::directions;
use super::field::{FieldError, IntegrationField};
use super::sight;
use super::table::{CostTable, UNKNOWN_COST, WALL};
use crate::cancel::Cancel;
use crate::cell::{Cell, CellRect, DiagonalPolicy, NEIGHBORS};
use crate::grid::Grid;
use crate::path::Path;

/// A complete integration field. For each cell it has the cost of the cheapest path to the nearest goal, the direction
/// to go, and whether a body can go straight to the goal. Many threads can read it at the same time, and a query reads
/// one or two entries.
///
/// [`FlowField::build`] makes one for a body on a map. The field keeps the ground as it was at that time, and
/// [`is_of`](Self::is_of) says whether layers still have this ground.
///
/// A cell has no path if it is outside the grid, if no goal can be reached from it, or if the path costs more than the
/// bound or than 32 bits can hold.
///
/// A cell takes four bytes for its cost, one byte for its direction and one bit for sight. If terrain costs differ or
/// cells are jammed, it takes one more byte.
#[derive(Clone, Debug)]
pub struct FlowField {
    table: CostTable,
    directions: Vec<u8>,
    seen: Vec<u64>,
    goals: Vec<(Cell, u32)>,
    settled: u32,
    /// Identity of the grid that the field was built on.
    ground: u64,
}

impl FlowField {
    /// Completes a field that was started on a grid, and takes its costs. `is_clear` is whether a body fits everywhere
    /// in the square between the centers of any four free cells. Only if `sees` is true, this also finds the cells from
    /// which the goal can be seen.
    pub(crate) fn of(
        field: &mut IntegrationField,
        grid: &Grid,
        seeds: &[(Cell, u32)],
        (is_clear, sees): (bool, bool),
        cancel: Cancel<'_>,
    ) -> Result<Self, FieldError> {
        let (table, mut directions) = field.take_whole(cancel)?;
        let is_goal = |&(cell, _): &(Cell, u32)| {
            let slot = table.slot(cell);
            slot.is_some_and(|slot| !matches!(table.costs[slot], WALL | UNKNOWN_COST))
        };
        let goals: Vec<(Cell, u32)> = seeds.iter().copied().filter(is_goal).collect();
        if directions.is_empty() {
            let are_mixed = is_clear && table.diagonals == DiagonalPolicy::NoCornerCut;
            directions = directions::bake(&table, are_mixed, cancel)?;
        } else if !is_clear {
            directions::straighten(&mut directions);
        }
        let seen = match goals.first() {
            Some(&(goal, cost)) if is_clear && sees => {
                sight::find(&table, goal, cost, goals.len() == 1, cancel)?
            }
            _ => vec![0; table.costs.len().div_ceil(64)],
        };
        Ok(Self {
            table,
            directions,
            seen,
            goals,
            settled: field.expanded(),
            ground: grid.identity(),
        })
    }

    /// Seeds of a field around full cells: the goals, and each cell beside a full cell. Such a cell gets `price` times
    /// the cost of its path to a goal.
    pub(crate) fn places(&self, full: &[Cell], price: u32) -> Vec<(Cell, u32)> {
        let priced = |cell: Cell| Some((cell, self.cost(cell)?.saturating_mul(price)));
        let around = |cell: &Cell| NEIGHBORS.map(|(x, y)| cell.offset(x, y));
        let beside = full.iter().flat_map(around).filter_map(priced);
        self.goals.iter().copied().chain(beside).collect()
    }

    /// The slot of a cell. `None` if the cell has no path.
    #[inline]
    fn slot(&self, cell: Cell) -> Option<usize> {
        let slot = self.table.slot(cell)?;
        let is_known = !matches!(self.table.costs[slot], WALL | UNKNOWN_COST);
        is_known.then_some(slot)
    }

    /// The cost of the cheapest path from a cell to a goal, in units of [`Path::cost`], including the cost of
    /// the goal's seed. `None` if there is no path.
    #[must_use]
    #[inline]
    pub fn cost(&self, cell: Cell) -> Option<u32> {
        self.slot(cell).map(|slot| self.table.costs[slot] - 1)
    }

    /// The costs of four cells: `corner`, the cell to its right, and the two cells above these. `None` if one of the
    /// four has no path.
    pub(crate) fn costs_of_square(&self, corner: Cell) -> Option<[u32; 4]> {
        // The table has a rim of walls, so all four slots exist.
        let low = self.table.slot(corner)?;
        let high = low + self.table.stride();
        let costs = [low, low + 1, high, high + 1].map(|slot| self.table.costs[slot]);
        let is_known = |cost: &u32| !matches!(*cost, WALL | UNKNOWN_COST);
        (costs.iter().all(is_known)).then(|| costs.map(|cost| cost - 1))
    }

    /// The direction to go from a cell: a unit vector in cell space, zero on a goal. `None` if there is no
    /// path.
    ///
    /// It is one of 16 directions: the mean of the first steps of the cheapest paths. A body that follows it from the
    /// cell's center fits until it is one cell farther along an axis, and enters only cells with cheaper paths. For
    /// bodies so small that [`can_go_straight`](Self::can_go_straight) is always `false`, it is one of the eight steps.
    #[must_use]
    #[inline]
    pub fn direction(&self, cell: Cell) -> Option<Vec2> {
        let byte = self.directions[self.table.slot(cell)?];
        directions::vector(byte)
    }

    /// Whether a body can go straight from a cell's center to the center of the first goal without a cost above the
    /// cell's [`cost`](Self::cost). It gives the answer of
    /// [`NavMap::can_go_straight_within`](crate::NavMap::can_go_straight_within) for this line.
    ///
    /// `true` is a proof. `false` may also mean that the line barely fits, or that it crosses ground that costs more
    /// than the goal's. It is always `false` for bodies with a radius below 0.21 cells, and with
    /// [`DiagonalPolicy::Never`] for bodies with a radius below 0.51 cells.
    #[must_use]
    pub fn can_go_straight(&self, cell: Cell) -> bool {
        let slot = self.slot(cell);
        slot.is_some_and(|slot| self.seen[slot / 64] >> (slot % 64) & 1 != 0)
    }

    /// The cheapest path from a cell to a goal, given by its ends and the cells where it turns. Its cost is the cell's
    /// [`cost`](Self::cost). `None` if there is no path.
    #[must_use]
    pub fn path(&self, cell: Cell) -> Option<Path> {
        self.slot(cell).map(|slot| self.table.path(slot))
    }

    /// Whether the field was built on `grid`, or on a grid from which `grid` was cloned with the same walls
    /// and costs.
    pub(crate) fn is_of_grid(&self, grid: &Grid) -> bool {
        self.ground == grid.identity()
    }

    /// Number of cells that were settled to build the field.
    #[must_use]
    pub fn settled(&self) -> u32 {
        self.settled
    }

    /// Memory of the field, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let table = self.table.costs.len() * 4 + self.table.terrain.len();
        table + self.directions.len() + self.seen.len() * 8
    }

    /// The rectangle of cells that the field covers.
    #[must_use]
    pub fn rect(&self) -> CellRect {
        self.table.rect
    }

    /// The seeds that are free cells within the bounds, in the order in which they were given.
    #[must_use]
    pub fn goals(&self) -> &[(Cell, u32)] {
        &self.goals
    }
}
