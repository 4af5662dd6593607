//! Random grids.

use pursuit::{Cell, DiagonalPolicy, FoundPath, Grid, GridBuilder, oracle};

/// Walls of any density, some long ones with gaps, and terrain of several kinds.
pub(crate) fn random_grid(random: &mut fastrand::Rng) -> Grid {
    let (width, height) = match random.u8(0..4) {
        0 => (random.u32(1..12), random.u32(1..12)),
        1 => (random.u32(60..70), random.u32(1..20)),
        _ => (random.u32(5..40), random.u32(5..40)),
    };
    let mut builder = Grid::builder(width, height).unwrap();
    let all = builder.clone().build().rect();
    let (percent, kind) = (random.u32(0..50), random.u8(0..4));
    for cell in all.cells() {
        builder
            .set_free(cell, random.u32(0..100) >= percent)
            .unwrap();
        builder
            .set_cost(cell, any_cost(kind, cell, random))
            .unwrap();
    }
    for _ in 0..random.u32(0..4) {
        let (x, y) = (random.i32(0..width as i32), random.i32(0..height as i32));
        let upright = random.bool();
        let is_on_line = |cell: &Cell| if upright { cell.x == x } else { cell.y == y };
        for cell in all.cells().filter(is_on_line) {
            if random.u8(0..10) != 0 {
                builder.set_free(cell, false).unwrap();
            }
        }
    }
    builder.set_free(Cell::new(0, 0), true).unwrap();
    builder.build()
}

fn any_cost(kind: u8, cell: Cell, random: &mut fastrand::Rng) -> u8 {
    match kind {
        0 => 1,
        1 => 3,
        2 => 1 + ((cell.x / 5 * 7 + cell.y / 6 * 5) % 9) as u8,
        _ if random.u8(0..9) > 0 => random.u8(1..5),
        _ => random.u8(1..=255),
    }
}

pub(crate) fn any_policy(random: &mut fastrand::Rng) -> DiagonalPolicy {
    DiagonalPolicy::ALL[random.usize(0..4)]
}

/// A free cell; there is one.
pub(crate) fn any_free(grid: &Grid, random: &mut fastrand::Rng) -> Cell {
    let skipped = random.usize(0..grid.cell_count());
    let mut cells = grid.rect().cells().cycle().skip(skipped);
    cells.find(|&cell| grid.is_free(cell)).unwrap()
}

pub(crate) fn any_cell(grid: &Grid, random: &mut fastrand::Rng) -> Cell {
    let (width, height) = (grid.width() as i32, grid.height() as i32);
    Cell::new(random.i32(0..width), random.i32(0..height))
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

/// Panics unless the cells of a path lead from `start` to its end and cost what it says.
#[track_caller]
pub(crate) fn check_walk(grid: &Grid, found: &FoundPath, start: Cell, policy: DiagonalPolicy) {
    assert_eq!(found.path.start(), Some(start));
    let walked = oracle::path_cost(grid, &found.path, policy);
    assert_eq!(walked, Some(found.path.cost), "from {start}: {found:?}");
}
