//! Jump-point search, checked against A\* on random grids: costs, steps, turns and dead ends.

use std::collections::HashSet;

use fastrand::Rng;
use proptest::prelude::*;
use pursuit::oracle::{self, cases};
use pursuit::{
    Algorithm, BodyLayers, Cell, DiagonalPolicy, Grid, Relaxation, SearchScratch, octile,
};

use crate::common::bare::find;
use crate::common::log::{Event, Log};
use crate::common::random::{any_walls, by};

/// A side length that is often near a multiple of 64 cells, where words begin, and sometimes longer than two words.
fn any_side() -> impl Strategy<Value = u32> {
    prop_oneof![3 => 1u32..20, 2 => 61u32..68, 1 => 126u32..131, 1 => 20u32..200]
}

fn any_grid() -> impl Strategy<Value = Grid> {
    let walls = |(width, height, seed)| any_walls(&mut Rng::with_seed(seed), width, height);
    (any_side(), any_side(), any::<u64>()).prop_map(walls)
}

/// Skips a share of the grid's cells, row by row, and returns the next free cell. At the end of the grid, continues at
/// cell (0, 0), which is free.
fn free_cell(grid: &Grid, share: f64) -> Cell {
    let skipped = (share * grid.cell_count() as f64) as usize;
    let (before, after) = (grid.rect().cells(), grid.rect().cells().skip(skipped));
    let mut around = after.chain(before);
    let free = around.find(|&cell| grid.is_free(cell));
    free.expect("(0, 0) is free")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(1500)))]

    #[test]
    fn jump_point_search_finds_paths_of_astars_cost_with_legal_steps(
        grid in any_grid(), queries in prop::collection::vec((0.0f64..1.0, 0.0f64..1.0), 8),
    ) {
        for (a, b) in queries {
            let ends = (free_cell(&grid, a), free_cell(&grid, b));
            let (expected, found) = (find(&grid, ends, &by(Algorithm::AStar)), find(&grid, ends, &by(Algorithm::JumpPoint)));
            prop_assert_eq!(found.outcome, expected.outcome);
            prop_assert_eq!(found.path.cost, expected.path.cost, "{:?}", ends);
            let walked = oracle::path_cost(&grid, &found.path, DiagonalPolicy::NoCornerCut);
            prop_assert_eq!(walked, Some(found.path.cost));
            prop_assert_eq!(found.path.start(), Some(ends.0));
            prop_assert_eq!(found.path.end(), expected.path.end());
            prop_assert_eq!(found.bound, 1.0);
        }
    }
}

/// Start and goal are the ends of a diagonal that is many words long. A wall with one gap crosses the diagonal.
#[test]
fn long_diagonals_and_lines_across_words_have_the_right_cost() {
    for side in [63, 64, 65, 127, 128, 129, 300] {
        let wall = side as i32 / 2;
        let grid = Grid::from_fn(side, side, |cell| {
            cell.x + cell.y != 2 * wall && cell.x + cell.y != 2 * wall + 1 || cell.x == 2
        });
        let grid = grid.expect("a good size");
        let last = side as i32 - 1;
        let ends = (Cell::new(0, 0), Cell::new(last, last));
        for (start, goal) in [ends, (ends.1, ends.0)] {
            let found = find(&grid, (start, goal), &by(Algorithm::JumpPoint));
            let expected = find(&grid, (start, goal), &by(Algorithm::AStar));
            assert_eq!(found.path.cost, expected.path.cost, "side {side}");
        }
    }
}

#[test]
fn a_corridor_maze_is_walked_without_a_search() {
    let comb = Grid::from_fn(99, 99, |cell| cell.x % 2 == 0 || cell.y == 0).expect("a good size");
    let found = find(
        &comb,
        (Cell::new(0, 98), Cell::new(98, 98)),
        &by(Algorithm::JumpPoint),
    );
    assert_eq!(found.path.length(), 98.0 * 3.0);
    assert_eq!(found.stats.expanded, 0);
    let same_tooth = find(
        &comb,
        (Cell::new(4, 98), Cell::new(4, 50)),
        &by(Algorithm::JumpPoint),
    );
    assert_eq!(same_tooth.path.length(), 48.0);
}

#[test]
fn a_recorder_gets_exactly_the_events_that_the_stats_count() {
    let grid = Grid::from_fn(100, 80, |cell| {
        cell.x % 12 > 4 || cell.y % 9 > 5 || cell.y == 0
    });
    let grid = grid.expect("a good size");
    let ends = (free_cell(&grid, 0.0), free_cell(&grid, 0.999));
    let blocked = grid.rect().cells().rfind(|&cell| !grid.is_free(cell));
    let in_vain = (ends.0, blocked.expect("a wall"));
    let both = [Algorithm::AStar, Algorithm::JumpPoint].map(by);
    for (ends, options) in [ends, in_vain]
        .into_iter()
        .flat_map(|e| both.map(|it| (e, it)))
    {
        let mut log = Log::default();
        let mut scratch = SearchScratch::new();
        let layers = BodyLayers::from_grid(grid.clone(), options.diagonals);
        let found = layers.find_path_recorded(ends.0, ends.1, &options, &mut scratch, &mut log);
        let found = found.expect("the arguments are right");
        assert_eq!(log.expanded, found.stats.expanded);
        let end = found.path.end().expect("a path has an end");
        let (mut known, mut reached, mut pushed) = (HashSet::new(), Vec::new(), 0);
        for event in &log.events {
            let way = match *event {
                Event::Started | Event::Dropped(_) => continue,
                Event::Reached(way) => {
                    reached.push(way.g);
                    continue;
                }
                Event::Relaxed(way, Relaxation::Kept) => {
                    assert!(known.contains(&way.node));
                    way
                }
                Event::Relaxed(way, change) => {
                    let is_new = known.insert(way.node);
                    assert_eq!(is_new, change == Relaxation::Discovered, "{way:?}");
                    assert_eq!(is_new && way.g == 0, way.parent.is_none(), "{way:?}");
                    pushed += 1;
                    way
                }
                Event::Expanded(way) => {
                    assert!(way.f <= found.path.cost, "{way:?} need not be expanded");
                    let best = find(&grid, (ends.0, way.node), &by(Algorithm::AStar));
                    assert!(way.g >= best.path.cost);
                    way
                }
            };
            assert_eq!(way.f, way.g + way.h);
            // Jump-point search knows the length of paths out of dead ends, so its estimate may be above the octile
            // distance.
            let estimate = octile(way.node, end);
            let may_know = options.algorithm != Algorithm::AStar && way.h > estimate;
            assert!(way.h == estimate || may_know);
        }
        assert_eq!(
            (reached, pushed),
            (vec![found.path.cost], found.stats.pushed)
        );
    }
}

#[test]
fn long_thin_strips_are_searched_cell_by_cell() {
    // The last number of each shape is how many cells the search expands. It is 0 where jump-point search runs.
    let shapes = [
        (1 << 17, 7, 7),
        (1 << 17, 8, 0),
        (4096, 7, 0),
        (7, 4097, 6),
        (512, 5, 0),
        (513, 5, 7),
        (5, 513, 4),
        (6, 4096, 0),
    ];
    for (width, height, expanded) in shapes {
        let grid = Grid::builder(width, height).expect("a good size").build();
        let goal = Cell::new(width.min(8) as i32 - 1, 0);
        let found = find(&grid, (Cell::new(0, 0), goal), &by(Algorithm::JumpPoint));
        assert_eq!(found.path.length(), f64::from(goal.x));
        assert_eq!(found.stats.expanded, expanded, "{width} x {height}");
    }
}
