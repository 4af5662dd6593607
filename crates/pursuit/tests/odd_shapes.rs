//! How much memory grids of odd shapes take, and their searches.

use pursuit::{Algorithm, Cell, Grid, Outcome, PathOptions, SearchScratch, find_path};

/// Bytes per cell that a grid, one search on it and the path of that may take together.
const MOST: u64 = 64;
/// Those that what a search needs to know of a grid may take while it is worked out.
const PREPARED: u64 = 36;

/// The grid from end to end by a search, and bytes at the peak.
fn bytes(width: u32, height: u32, algorithm: Algorithm, cost: Option<u8>) -> u64 {
    let counted = allocation_counter::measure(|| {
        let mut grid = Grid::from_fn(width, height, |_| true).expect("a good size");
        if let Some(cost) = cost {
            let mut builder = grid.to_builder();
            builder.set_cost(Cell::new(0, 0), cost).expect("inside");
            drop(grid);
            grid = builder.build();
        }
        let (start, goal) = (
            Cell::new(0, 0),
            Cell::new(width as i32 - 1, height as i32 - 1),
        );
        let options = PathOptions {
            algorithm,
            ..PathOptions::default()
        };
        let found = find_path(&grid, start, goal, &options, &mut SearchScratch::new());
        let found = found.expect("a path");
        assert_eq!(found.outcome, Outcome::Complete);
        assert_eq!(found.path.cells().count() as u32, width.max(height));
    });
    counted.bytes_max
}

#[track_caller]
fn check(width: u32, height: u32, algorithm: Algorithm, cost: Option<u8>) {
    let cells = u64::from(width) * u64::from(height);
    let bytes = bytes(width, height, algorithm, cost);
    assert!(
        bytes <= MOST * cells + (1 << 17),
        "{width} x {height}, {algorithm:?}, cost {cost:?}: {} bytes per cell",
        bytes / cells
    );
}

#[test]
fn a_strip_and_a_search_on_it_take_no_more_than_64_bytes_a_cell() {
    for cost in [None, Some(200)] {
        check(1, 1 << 21, Algorithm::Auto, cost);
        check(1 << 21, 1, Algorithm::Auto, cost);
        for width in [2, 3, 5, 7, 8, 31, 32, 63, 64, 65] {
            check(width, 1 << 15, Algorithm::AStar, cost);
            check(width, 1 << 15, Algorithm::Auto, cost);
            check(1 << 15, width, Algorithm::Auto, cost);
        }
    }
}

#[test]
fn the_longest_strips_take_no_more_than_64_bytes_a_cell() {
    check(1, 1 << 24, Algorithm::Auto, None);
    check(1 << 22, 1, Algorithm::Auto, None);
}

#[test]
fn to_prepare_a_strip_takes_no_more_memory_than_to_search_it() {
    for (width, height) in [(1 << 22, 1), (1, 1 << 22), (2, 1 << 16), (1 << 17, 8)] {
        let grid = Grid::from_fn(width, height, |_| true).expect("a good size");
        let counted = allocation_counter::measure(|| grid.prepare());
        let cells = u64::from(width) * u64::from(height);
        assert!(
            counted.bytes_max <= PREPARED * cells,
            "{width} x {height}: {} MiB",
            counted.bytes_max >> 20
        );
    }
}

#[test]
fn a_blocked_goal_has_no_boards_built_for_it() {
    let goal = Cell::new(150, 70);
    let bytes = [Algorithm::Auto, Algorithm::AStar].map(|algorithm| {
        let grid = Grid::from_fn(300, 300, |cell| cell != goal).expect("a good size");
        let options = PathOptions {
            algorithm,
            ..PathOptions::default()
        };
        let counted = allocation_counter::measure(|| {
            let mut scratch = SearchScratch::new();
            let found = find_path(&grid, Cell::new(0, 0), goal, &options, &mut scratch);
            assert!(found.is_ok());
        });
        counted.bytes_max
    });
    assert_eq!(bytes[0], bytes[1]);
}
