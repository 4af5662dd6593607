//! Random cases for tests.

use std::ops::Range;

use fastrand::Rng;

use crate::cell::Cell;
use crate::clearance::Clearance;
use crate::grid::Grid;
use crate::search::oracle::cases;

/// Runs `check` on [`cases`]`(count)` random cases. If a case panics, its number is printed.
pub(crate) fn each_case(count: u16, mut check: impl FnMut(&mut Rng)) {
    for seed in 0..cases(count) {
        let _named = Case(seed);
        check(&mut Rng::with_seed(seed));
    }
}

/// Prints the number of a case if a panic drops this value.
struct Case(u64);

impl Drop for Case {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("failed in case {}", self.0);
        }
    }
}

/// A random cell of a grid, free or not.
pub(crate) fn any_cell(rng: &mut Rng, grid: &Grid) -> Cell {
    let (width, height) = (grid.width() as i32, grid.height() as i32);
    Cell::new(rng.i32(0..width), rng.i32(0..height))
}

/// A grid with random walls. The number of walls per 20 cells is drawn from `walls`.
pub(crate) fn any_walls(rng: &mut Rng, width: u32, height: u32, walls: Range<u8>) -> Grid {
    let walls = rng.u8(walls);
    Grid::from_fn(width, height, |_| rng.u8(0..20) >= walls).expect("a good size")
}

/// A grid with the walls of `grid`, and with a cost for each cell.
pub(crate) fn with_costs(grid: &Grid, mut cost: impl FnMut(Cell) -> u8) -> Grid {
    let mut builder = grid.to_builder();
    for cell in grid.rect().cells() {
        builder.set_cost(cell, cost(cell)).expect("inside");
    }
    builder.build()
}

/// A grid with random walls and with sides in a range, and its clearance field.
pub(crate) fn any_field(rng: &mut Rng, sides: Range<u32>) -> (Grid, Clearance) {
    let (width, height) = (rng.u32(sides.clone()), rng.u32(sides));
    let grid = any_walls(rng, width, height, 0..6);
    let field = Clearance::from_grid(&grid, 4.0);
    (grid, field)
}
