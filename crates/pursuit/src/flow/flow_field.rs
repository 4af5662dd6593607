//! A whole field, at rest.

use glam::Vec2;

use super::directions;
use super::field::{FieldError, IntegrationField};
use super::sight;
use super::table::{CostTable, FAR, WALL};
use crate::cancel::Cancel;
use crate::cell::{Cell, CellRect, DiagonalPolicy, NEIGHBORS};
use crate::grid::Grid;
use crate::path::Path;

/// A whole integration field at rest: for each cell what the cheapest way to the nearest goal costs, which way to go,
/// and whether a body can go straight to the goal. Many threads may read it at once. A question takes a load or two.
///
/// [`FlowField::build`] makes one for a body on a map. It shows the ground as it was then, and knows
/// [which that is](Self::is_of).
///
/// Some cells have no way: those outside, those from which no goal can be reached, and those from which the way costs
/// more than the bound, or than 32 bits can hold.
///
/// A cell takes four bytes for its cost, one for its direction and a bit for sight; one more byte where the ground
/// differs in cost, or is jammed.
#[derive(Clone, Debug)]
pub struct FlowField {
    table: CostTable,
    directions: Vec<u8>,
    seen: Vec<u64>,
    goals: Vec<(Cell, u32)>,
    settled: u32,
    /// Identity of the grid.
    ground: u64,
}

impl FlowField {
    /// Works a field out that was started on a grid, and takes its costs. `is_clear` says that a body fits everywhere
    /// between four cells that are free. Only where it `sees` are cells found that are in sight of the goal.
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
            slot.is_some_and(|slot| !matches!(table.costs[slot], WALL | FAR))
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

    /// Seeds of a field around those who stand in full cells: the goals, and cells beside full ones, at the price of the rest
    /// of the way.
    pub(crate) fn places(&self, full: &[Cell], price: u32) -> Vec<(Cell, u32)> {
        let priced = |cell: Cell| Some((cell, self.cost(cell)?.saturating_mul(price)));
        let beside = full
            .iter()
            .flat_map(|cell| NEIGHBORS.map(|(x, y)| cell.offset(x, y)))
            .filter_map(priced);
        self.goals.iter().copied().chain(beside).collect()
    }

    /// The slot of a cell from which a way is known.
    #[inline]
    fn slot(&self, cell: Cell) -> Option<usize> {
        let slot = self.table.slot(cell)?;
        let is_known = !matches!(self.table.costs[slot], WALL | FAR);
        is_known.then_some(slot)
    }

    /// What the cheapest way from a cell to a goal costs, in units of [`Path::cost`], with what the goal's seed costs.
    /// `None` without a way.
    #[must_use]
    #[inline]
    pub fn cost(&self, cell: Cell) -> Option<u32> {
        self.slot(cell).map(|slot| self.table.costs[slot] - 1)
    }

    /// The same of a cell, the one right of it, and the two above: `None` if one has no way.
    pub(crate) fn costs_of_square(&self, corner: Cell) -> Option<[u32; 4]> {
        // The table has a frame of walls.
        let low = self.table.slot(corner)?;
        let high = low + self.table.stride();
        let costs = [low, low + 1, high, high + 1].map(|slot| self.table.costs[slot]);
        let are_known = costs.iter().all(|cost| !matches!(*cost, WALL | FAR));
        are_known.then(|| costs.map(|cost| cost - 1))
    }

    /// Which way to go from a cell: a unit vector in cell space, zero on a goal; `None` without a way.
    ///
    /// One of 16 directions: the mean of the steps that begin a cheapest way. A body that goes that way from the
    /// cell's center fits until it is a cell further along an axis, and enters cells alone whose ways are cheaper. For
    /// bodies that [see nothing](Self::can_go_straight) it is one of the steps.
    #[must_use]
    #[inline]
    pub fn direction(&self, cell: Cell) -> Option<Vec2> {
        let byte = self.directions[self.table.slot(cell)?];
        directions::vector(byte)
    }

    /// Whether a body can go straight from a cell's center to that of the first goal, at no more than the cell's
    /// [`cost`](Self::cost): as [`NavMap::can_go_straight_within`](crate::NavMap::can_go_straight_within) says.
    ///
    /// `true` is a proof. `false` may also stand for a line that barely fits, or one over ground that costs more than
    /// the goal's. Bodies with a radius below 0.21 cells see nothing, and with [`DiagonalPolicy::Never`] those below 0.51.
    #[must_use]
    pub fn can_go_straight(&self, cell: Cell) -> bool {
        let slot = self.slot(cell);
        slot.is_some_and(|slot| self.seen[slot / 64] >> (slot % 64) & 1 != 0)
    }

    /// The cheapest way from a cell to a goal, given by its ends and the cells where it turns. Its cost is
    /// [that of the cell](Self::cost). `None` without a way.
    #[must_use]
    pub fn path(&self, cell: Cell) -> Option<Path> {
        self.slot(cell).map(|slot| self.table.path(slot))
    }

    /// Whether it is of a grid, or of one with the same walls and costs from which that was cloned.
    pub(crate) fn is_of_grid(&self, grid: &Grid) -> bool {
        self.ground == grid.identity()
    }

    /// Number of cells that were settled to build it.
    #[must_use]
    pub fn settled(&self) -> u32 {
        self.settled
    }

    /// What it takes of memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let table = self.table.costs.len() * 4 + self.table.terrain.len();
        table + self.directions.len() + self.seen.len() * 8
    }

    /// The cells that it covers.
    #[must_use]
    pub fn rect(&self) -> CellRect {
        self.table.rect
    }

    /// The seeds that are free cells within bounds, in the order in which they were given.
    #[must_use]
    pub fn goals(&self) -> &[(Cell, u32)] {
        &self.goals
    }
}
