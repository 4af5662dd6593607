//! Grids that are built cell by cell.

use std::sync::Arc;

use super::{CellCosts, Grid};
use crate::cancel::uncancelled;
use crate::cell::{Cell, CellRect};
use crate::grid_error::GridError;
use crate::walls::Walls;

impl Grid {
    /// A builder in which every cell is free and costs 1.
    ///
    /// # Errors
    ///
    /// [`GridError::Empty`] if there are no cells, and [`GridError::TooLarge`] if there are too many.
    pub fn builder(width: u32, height: u32) -> Result<GridBuilder, GridError> {
        let mut walls = Walls::blocked(width, height)?;
        walls.fill(walls.rect(), true);
        let costs = CellCosts::Flat(1);
        Ok(GridBuilder { walls, costs })
    }

    /// A builder that starts as a copy of this grid. Even without changes, it builds a different grid, for which tables
    /// of this grid are not valid.
    #[must_use]
    pub fn to_builder(&self) -> GridBuilder {
        let (walls, costs) = (self.walls.clone(), self.costs());
        GridBuilder { walls, costs }
    }
}

/// Builds a [`Grid`] cell by cell.
#[derive(Clone, Debug)]
pub struct GridBuilder {
    walls: Walls,
    costs: CellCosts,
}

impl GridBuilder {
    /// Frees or blocks one cell.
    ///
    /// # Errors
    ///
    /// [`GridError::Outside`] if the cell is outside the grid.
    pub fn set_free(&mut self, cell: Cell, free: bool) -> Result<(), GridError> {
        let is_set = self.walls.set_free(cell, free);
        is_set.then_some(()).ok_or(GridError::Outside(cell))
    }

    /// Sets the terrain cost of one cell, from 1 (the initial cost) to 255. The cost of a step grows with the costs of
    /// the two cells that it joins. The cost of a blocked cell applies once the cell is freed.
    ///
    /// # Errors
    ///
    /// [`GridError::Outside`] if the cell is outside the grid, and [`GridError::ZeroCost`] if the cost is 0.
    pub fn set_cost(&mut self, cell: Cell, cost: u8) -> Result<(), GridError> {
        let node = self.walls.node(cell).ok_or(GridError::Outside(cell))?;
        if cost == 0 {
            return Err(GridError::ZeroCost(cell));
        }
        if let CellCosts::Flat(all) = self.costs {
            if cost == all {
                return Ok(());
            }
            let count = self.walls.node_count() as usize;
            self.costs = CellCosts::Each(vec![all; count].into());
        }
        if let CellCosts::Each(costs) = &mut self.costs {
            Arc::make_mut(costs)[node as usize] = cost;
        }
        Ok(())
    }

    /// Frees or blocks every cell of a rectangle. Parts of the rectangle outside the grid are ignored.
    pub fn fill(&mut self, rect: CellRect, free: bool) {
        self.walls.fill(rect, free);
    }

    /// The finished grid.
    #[must_use]
    pub fn build(self) -> Grid {
        let costs = match self.costs {
            CellCosts::Each(costs) if costs.iter().all(|&cost| cost == 1) => CellCosts::Flat(1),
            costs => costs,
        };
        uncancelled(|cancel| Grid::new(self.walls, costs, cancel))
    }
}
