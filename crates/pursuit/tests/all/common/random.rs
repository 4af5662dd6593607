//! Random grids of every kind, and random options.

use fastrand::Rng;
use pursuit::{Algorithm, Cell, CellRect, DiagonalPolicy, Grid, Heuristic, PathOptions, Weights};

/// A random size. Some sizes are strips, some are squares, and some have sides near multiples of 64 cells, where words
/// begin.
pub(crate) fn any_size(rng: &mut Rng) -> (u32, u32) {
    let long = match rng.u8(0..9) {
        0 => rng.u32(1..120),
        1 | 2 => rng.u32(60..70),
        3 => rng.u32(124..132),
        _ => rng.u32(1..24),
    };
    let other = [4, 12, 40][rng.usize(0..3)];
    let other = rng.u32(1..other);
    if rng.bool() {
        (long, other)
    } else {
        (other, long)
    }
}

/// Random walls of any density: single walls, blocks, corridors, rooms and long walls. Cell (0, 0) is free.
pub(crate) fn any_walls(rng: &mut Rng, width: u32, height: u32) -> Grid {
    let mut builder = Grid::builder(width, height).unwrap();
    let (kind, percent, side) = (rng.u8(0..4), rng.u32(0..60), rng.i32(3..12));
    let (columns, rows) = (width as i32, height as i32);
    for cell in CellRect::new(Cell::new(0, 0), Cell::new(columns, rows)).cells() {
        let is_free = match kind {
            0 => rng.u32(0..100) >= percent,
            // Corridors, which have dead ends.
            1 => cell.x % 2 == 0 && cell.y % 2 == 0 || (cell.x + cell.y) % 2 != 0 && rng.bool(),
            // Rooms with doors.
            2 => cell.x % side != 0 && cell.y % side != 0 || rng.u8(0..9) == 0,
            _ => true,
        };
        builder.set_free(cell, is_free).unwrap();
    }
    for _ in 0..rng.u32(0..8) {
        let min = Cell::new(rng.i32(0..columns), rng.i32(0..rows));
        let (wide, high) = match rng.u8(0..5) {
            0 => (columns, 1),
            1 => (1, rows),
            _ => (rng.i32(1..12), rng.i32(1..12)),
        };
        builder.fill(CellRect::new(min, min.offset(wide, high)), false);
    }
    builder.set_free(Cell::new(0, 0), true).unwrap();
    builder.build()
}

/// A grid from [`any_walls`] with even ground, or with terrain of any kind. Walls have any cost.
pub(crate) fn any_grid(rng: &mut Rng, width: u32, height: u32) -> Grid {
    let walls = any_walls(rng, width, height);
    let (kind, uniform) = (rng.u8(0..8), rng.u8(1..));
    with_costs(&walls, |cell| match kind {
        0 if walls.is_free(cell) => uniform,
        1 => 1 + (cell.x / 5 * 7 + cell.y / 4 * 5) as u8 % 9,
        2 => rng.u8(1..),
        // A few expensive cells.
        3 if rng.u8(0..20) == 0 => rng.u8(1..),
        4 if walls.is_free(cell) => 1,
        0 | 4 => rng.u8(1..),
        _ => 1,
    })
}

/// A grid with the walls of `grid`, and with a cost for each cell.
pub(crate) fn with_costs(grid: &Grid, mut cost: impl FnMut(Cell) -> u8) -> Grid {
    let mut builder = grid.to_builder();
    for cell in grid.rect().cells() {
        builder.set_cost(cell, cost(cell)).unwrap();
    }
    builder.build()
}

/// A random free cell. The grid must have at least one.
pub(crate) fn any_free(grid: &Grid, rng: &mut Rng) -> Cell {
    let skipped = rng.usize(0..grid.cell_count());
    let mut cells = grid.rect().cells().cycle().skip(skipped);
    cells.find(|&cell| grid.is_free(cell)).unwrap()
}

pub(crate) fn any_cell(grid: &Grid, rng: &mut Rng) -> Cell {
    let (width, height) = (grid.width() as i32, grid.height() as i32);
    Cell::new(rng.i32(0..width), rng.i32(0..height))
}

/// The default options with another algorithm.
pub(crate) fn by(algorithm: Algorithm) -> PathOptions {
    PathOptions {
        algorithm,
        ..PathOptions::default()
    }
}

/// Random options. Most of them lead to cheapest paths, and a third of them have a limit.
pub(crate) fn any_options(rng: &mut Rng, diagonals: DiagonalPolicy) -> PathOptions {
    let weights = [(1, 1), (1, 1), (1, 1), (2, 3), (0, 1), (1, 0), (7, 7)];
    let (g, h) = weights[rng.usize(0..weights.len())];
    PathOptions {
        diagonals,
        weights: Weights { g, h },
        algorithm: [Algorithm::Auto, Algorithm::AStar, Algorithm::JumpPoint][rng.usize(0..3)],
        heuristic: [Heuristic::Octile, Heuristic::Zero][usize::from(rng.u8(0..6) == 0)],
        max_expanded: (rng.u8(0..3) == 0).then(|| rng.u32(0..80)),
    }
}
