//! Random cells, for tests.

use fastrand::Rng;

use super::Grid;
use crate::cell::Cell;

/// A cell of a grid, free or not.
pub(crate) fn any_cell(rng: &mut Rng, grid: &Grid) -> Cell {
    let (width, height) = (grid.width() as i32, grid.height() as i32);
    Cell::new(rng.i32(0..width), rng.i32(0..height))
}
