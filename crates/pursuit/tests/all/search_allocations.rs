//! A search allocates only its path, once its scratch has grown to the grid.

use pursuit::{
    Algorithm, BodyLayers, Cell, DiagonalPolicy, Grid, Heuristic, PathOptions, SearchScratch,
    Weights,
};

use crate::common::baked::bake;
use crate::common::random::{by, with_costs};

const SIDE: i32 = 61;

/// A grid with pillars, and a closed room in the far corner.
fn pillars() -> Grid {
    Grid::from_fn(SIDE as u32, SIDE as u32, |cell| {
        let is_pillar = cell.x % 3 == 1 && cell.y % 4 == 1;
        let is_room = cell.x.min(cell.y) == SIDE - 6;
        !(is_pillar || is_room)
    })
    .expect("a good size")
}

/// The grid of [`pillars`], with a road of low cost through expensive ground.
fn hills() -> Grid {
    with_costs(&pillars(), |cell| if cell.y == 20 { 2 } else { 90 })
}

#[test]
fn a_search_allocates_only_its_path() {
    for grid in [pillars(), hills()] {
        check(&grid);
    }
}

#[allow(clippy::too_many_lines, reason = "one long list of cases")]
fn check(grid: &Grid) {
    let weighted = PathOptions {
        weights: Weights { g: 1, h: 2 },
        ..PathOptions::default()
    };
    let unled = PathOptions {
        heuristic: Heuristic::Zero,
        ..PathOptions::default()
    };
    let jump = by(Algorithm::JumpPoint);
    let step_by_step = by(Algorithm::AStar);
    let layers = || BodyLayers::from_grid(grid.clone(), jump.diagonals);
    let (known, baked) = (layers(), layers());
    let can_bake = cfg!(feature = "tables") && !grid.has_terrain();
    assert_eq!(bake(&baked), can_bake);
    let limited = PathOptions {
        max_expanded: Some(3),
        ..jump
    };
    let straight = PathOptions {
        diagonals: DiagonalPolicy::Never,
        ..PathOptions::default()
    };
    let without_diagonals = BodyLayers::from_grid(grid.clone(), straight.diagonals);
    let start = Cell::new(0, 0);
    let goals = [
        Cell::new(2, 54),
        Cell::new(50, 3),
        Cell::new(60, 60),
        Cell::new(1, 1),
    ];
    let mut scratch = SearchScratch::new();
    let all = [
        PathOptions::default(),
        weighted,
        unled,
        jump,
        step_by_step,
        limited,
        straight,
    ];
    let by_tables = (&baked, PathOptions::default());
    let by_searches = all.into_iter().map(|options| match options.diagonals {
        DiagonalPolicy::Never => (&without_diagonals, options),
        _ => (&known, options),
    });
    for (layers, options) in by_searches.chain([by_tables]) {
        for goal in goals {
            let mut search = || layers.find_path(start, goal, &options, &mut scratch);
            search().expect("a complete or partial path");
            let counted = allocation_counter::measure(|| {
                search().expect("a complete or partial path");
            });
            assert_eq!(
                counted.count_total, 1,
                "a search to {goal} must allocate only its path: {options:?}"
            );
            assert_eq!(counted.count_current, 0, "the path must be freed");
        }
    }
}
