//! Memory of regions: their bytes per cell, and edits that allocate nothing.

use pursuit::{Cell, CellRect, DiagonalPolicy, Grid, Regions};

/// Number of bytes per cell that remain allocated for the regions of a grid.
fn bytes_per_cell(grid: &Grid, diagonals: DiagonalPolicy) -> f64 {
    let mut kept = None;
    let counted = allocation_counter::measure(|| kept = Some(Regions::of(grid, diagonals)));
    assert!(kept.unwrap().ids().next().is_some());
    counted.bytes_current as f64 / grid.cell_count() as f64
}

fn noise(width: u32, height: u32, tenths: u32) -> Grid {
    let mut rng = fastrand::Rng::with_seed(7);
    Grid::from_fn(width, height, |_| rng.u32(0..10) < tenths).unwrap()
}

/// Houses of 13 × 9 cells with streets of 5 cells between them.
fn town(side: u32) -> Grid {
    let mut builder = Grid::builder(side, side).unwrap();
    for y in (0..side as i32).step_by(14) {
        for x in (0..side as i32).step_by(18) {
            let house = CellRect::new(Cell::new(x, y), Cell::new(x + 13, y + 9));
            builder.fill(house, false);
        }
    }
    builder.build()
}

#[test]
fn regions_of_towns_take_less_than_a_byte_per_cell_and_of_any_grid_at_most_eight() {
    let no_corner = DiagonalPolicy::NoCornerCut;
    let checkers = Grid::from_fn(1024, 1024, |cell| (cell.x + cell.y) % 2 == 0).unwrap();
    let cases = [
        ("the largest town", town(16384), 0.6),
        ("open", Grid::from_fn(1024, 1024, |_| true).unwrap(), 0.3),
        ("town", town(1024), 0.6),
        ("noise, a quarter blocked", noise(1000, 1000, 7), 1.0),
        ("noise, most blocked", noise(1000, 1000, 4), 4.0),
        ("one cell more than a tile", noise(65, 65, 9), 4.0),
        ("one column", noise(1, 1 << 24, 5), 6.0),
        ("one row", noise(1 << 24, 1, 5), 6.0),
        ("two columns", noise(2, 1 << 22, 5), 6.0),
        ("checkers", checkers, 8.0),
        (
            "checkers in a row",
            Grid::from_fn(1 << 20, 1, |cell| cell.x % 2 == 0).unwrap(),
            8.0,
        ),
        (
            "checkers in a column",
            Grid::from_fn(1, 1 << 20, |cell| cell.y % 2 == 0).unwrap(),
            8.0,
        ),
    ];
    for (name, grid, most) in cases {
        let bytes = bytes_per_cell(&grid, no_corner);
        assert!(bytes <= most, "{name}: {bytes:.2} bytes per cell");
    }
}

#[test]
fn an_edit_like_an_earlier_one_allocates_nothing() {
    let closed = town(512);
    let square = CellRect::new(Cell::new(255, 254), Cell::new(258, 257));
    let mut builder = closed.to_builder();
    builder.fill(square, true);
    builder.fill(
        CellRect::new(Cell::new(256, 255), Cell::new(257, 256)),
        false,
    );
    let open = builder.build();
    assert!(open != closed);
    let mut regions = Regions::of(&closed, DiagonalPolicy::NoCornerCut);
    for grid in [&open, &closed, &open, &closed] {
        regions.update(grid, square);
    }
    let counted = allocation_counter::measure(|| {
        regions.update(&open, square);
        regions.update(&closed, square);
    });
    assert_eq!(counted.count_total, 0);
    assert_eq!(regions, Regions::of(&closed, DiagonalPolicy::NoCornerCut));
}
