//! Random grids, and edits of them.

use pursuit::{Cell, DiagonalPolicy, Grid, GridBuilder};

use crate::common::random::{any_cell, any_grid, any_size};

pub(crate) fn random_grid(random: &mut fastrand::Rng) -> Grid {
    let (width, height) = any_size(random);
    any_grid(random, width, height)
}

pub(crate) fn any_policy(random: &mut fastrand::Rng) -> DiagonalPolicy {
    DiagonalPolicy::ALL[random.usize(0..4)]
}

/// Opens, closes, or changes what it costs to cross: a cell, or a few in a row.
pub(crate) fn edit(builder: &mut GridBuilder, grid: &Grid, random: &mut fastrand::Rng) {
    let at = any_cell(grid, random);
    let (dx, dy) = if random.bool() { (1, 0) } else { (0, 1) };
    let kind = random.u8(0..4);
    for cell in (0..random.i32(1..5)).map(|k| at.offset(k * dx, k * dy)) {
        if grid.contains(cell) {
            match kind {
                0 => builder.set_cost(cell, random.u8(1..9)).unwrap(),
                1 => builder.set_free(cell, true).unwrap(),
                _ => builder.set_free(cell, false).unwrap(),
            }
        }
    }
    builder.set_free(Cell::new(0, 0), true).unwrap();
}
