//! Jump-point search against A\*, on random grids: costs, steps, turns, dead ends and limits.

use std::cell::RefCell;
use std::collections::HashSet;

use proptest::prelude::*;
use pursuit::oracle::{self, cases};
use pursuit::{
    Algorithm, BodyLayers, Cell, CellIndex, Change, DiagonalPolicy, FoundPath, Grid, Outcome,
    PartialReason, PathOptions, SearchRecorder, SearchScratch, Way, octile,
};

use crate::common::bare::find_path;

thread_local! {
    /// One for all cases: whatever a search leaves behind meets grids of all other sizes.
    static SCRATCH: RefCell<SearchScratch> = RefCell::new(SearchScratch::new());
}

fn find(grid: &Grid, ends: (Cell, Cell), options: &PathOptions) -> FoundPath {
    SCRATCH
        .with_borrow_mut(|scratch| find_path(grid, ends.0, ends.1, options, scratch))
        .expect("the arguments are right")
}

const JUMP: PathOptions = PathOptions {
    algorithm: Algorithm::JumpPoint,
    ..DEFAULT
};

const DEFAULT: PathOptions = PathOptions {
    algorithm: Algorithm::AStar,
    diagonals: DiagonalPolicy::NoCornerCut,
    heuristic: pursuit::Heuristic::Octile,
    ties: pursuit::Ties::Newest,
    weights: pursuit::Weights { g: 1, h: 1 },
    max_expanded: None,
};

/// Around the borders of words in both directions, and larger than a word.
fn any_side() -> impl Strategy<Value = u32> {
    prop_oneof![3 => 1u32..20, 2 => 61u32..68, 1 => 126u32..131, 1 => 20u32..200]
}

fn any_grid() -> impl Strategy<Value = Grid> {
    let kind = prop_oneof![Just(Kind::Noise), Just(Kind::Blocks), Just(Kind::Maze)];
    (any_side(), any_side(), kind, 0u32..60, any::<u64>()).prop_map(
        |(width, height, kind, percent, seed)| {
            let grid = match kind {
                Kind::Noise => Grid::from_fn(width, height, |cell| {
                    cell == Cell::new(0, 0) || random(seed, cell.x, cell.y) % 100 >= percent
                }),
                Kind::Blocks => blocks(width, height, percent, seed),
                Kind::Maze => maze(width, height, seed),
            };
            grid.expect("a good size")
        },
    )
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Each cell for itself.
    Noise,
    /// Walls that are rectangles, some of them overlapping.
    Blocks,
    /// Corridors one cell wide with some walls broken.
    Maze,
}

/// A number for each seed and pair of numbers.
fn random(seed: u64, a: i32, b: i32) -> u32 {
    // Steele, Lea and Flood, 2014: the mixing of SplitMix64.
    let mut z = seed ^ (a as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (b as u64) << 40;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 33) as u32
}

fn blocks(width: u32, height: u32, percent: u32, seed: u64) -> Result<Grid, pursuit::GridError> {
    let mut builder = Grid::builder(width, height)?;
    let count = width * height * percent / 3000;
    for block in 0..count as i32 {
        let number = |which: i32, below: u32| (random(seed, block, which) % below) as i32;
        let min = Cell::new(number(0, width), number(1, height));
        let max = min.offset(1 + number(2, 12), 1 + number(3, 12));
        builder.fill(pursuit::CellRect::new(min, max), false);
    }
    builder.set_free(Cell::new(0, 0), true)?;
    Ok(builder.build())
}

/// A binary tree of corridors: from each even cell one way on, to the left or up.
fn maze(width: u32, height: u32, seed: u64) -> Result<Grid, pursuit::GridError> {
    Grid::from_fn(width, height, |Cell { x, y }| {
        let goes_left = |x: i32, y: i32| y == 0 || x != 0 && random(seed, x, y).is_multiple_of(2);
        match (x % 2, y % 2) {
            (0, 0) => true,
            (1, 0) => goes_left(x + 1, y) || random(seed, x, -y).is_multiple_of(40),
            (0, 1) => !goes_left(x, y + 1) || random(seed, -x, y).is_multiple_of(40),
            _ => random(seed, -x, -y).is_multiple_of(30),
        }
    })
}

/// The free cell at or after a share of the grid, going around; (0, 0) is free.
fn free_cell(grid: &Grid, share: f64) -> Cell {
    let count = grid.cell_count() as u32;
    let skipped = (share * f64::from(count)) as u32;
    (0..count)
        .map(|index| grid.cell(CellIndex((skipped + index) % count)))
        .find(|&cell| grid.is_free(cell))
        .expect("(0, 0) is free")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(1500)))]

    #[test]
    fn it_costs_what_astar_costs_and_every_step_is_legal(
        grid in any_grid(), queries in prop::collection::vec((0.0f64..1.0, 0.0f64..1.0), 8),
    ) {
        for (a, b) in queries {
            let ends = (free_cell(&grid, a), free_cell(&grid, b));
            let (expected, found) = (find(&grid, ends, &DEFAULT), find(&grid, ends, &JUMP));
            prop_assert_eq!(found.outcome, expected.outcome);
            prop_assert_eq!(found.path.cost, expected.path.cost, "{:?}", ends);
            let walked = oracle::path_cost(&grid, &found.path, DiagonalPolicy::NoCornerCut);
            prop_assert_eq!(walked, Some(found.path.cost));
            prop_assert_eq!(found.path.start(), Some(ends.0));
            prop_assert_eq!(found.path.end(), expected.path.end());
            prop_assert_eq!(found.bound, 1.0);
        }
    }

    #[test]
    fn a_limit_leads_to_the_nearest_node_that_was_expanded(
        grid in any_grid(), a in 0.0f64..1.0, b in 0.0f64..1.0, limit in 0u32..60,
    ) {
        let ends = (free_cell(&grid, a), free_cell(&grid, b));
        let found = find(&grid, ends, &PathOptions { max_expanded: Some(limit), ..JUMP });
        let walked = oracle::path_cost(&grid, &found.path, DiagonalPolicy::NoCornerCut);
        prop_assert_eq!(walked, Some(found.path.cost));
        prop_assert!(found.stats.expanded <= limit);
        if found.outcome == Outcome::Partial(PartialReason::LimitReached) {
            let end = found.path.end().expect("the start at least");
            let cheapest = find(&grid, (ends.0, end), &DEFAULT);
            let bound = found.bound * cheapest.path.cost as f64 * (1.0 + 1e-12);
            prop_assert!(found.path.cost as f64 <= bound);
        }
    }
}

/// Far apart along a diagonal of many words, with one gap in a wall across it.
#[test]
fn long_diagonals_and_lines_cross_words() {
    for side in [63, 64, 65, 127, 128, 129, 300] {
        let wall = side as i32 / 2;
        let grid = Grid::from_fn(side, side, |cell| {
            cell.x + cell.y != 2 * wall && cell.x + cell.y != 2 * wall + 1 || cell.x == 2
        });
        let grid = grid.expect("a good size");
        let last = side as i32 - 1;
        let ends = (Cell::new(0, 0), Cell::new(last, last));
        for (start, goal) in [ends, (ends.1, ends.0)] {
            let found = find(&grid, (start, goal), &JUMP);
            let expected = find(&grid, (start, goal), &DEFAULT);
            assert_eq!(found.path.cost, expected.path.cost, "side {side}");
        }
    }
}

#[test]
fn a_corridor_maze_is_walked_without_a_search() {
    let comb = Grid::from_fn(99, 99, |cell| cell.x % 2 == 0 || cell.y == 0).expect("a good size");
    let found = find(&comb, (Cell::new(0, 98), Cell::new(98, 98)), &JUMP);
    assert_eq!(found.path.length(), 98.0 * 3.0);
    assert_eq!(found.stats.expanded, 0);
    let same_tooth = find(&comb, (Cell::new(4, 98), Cell::new(4, 50)), &JUMP);
    assert_eq!(same_tooth.path.length(), 48.0);
}

#[test]
fn an_edit_of_a_grid_is_seen() {
    let open = Grid::builder(70, 70).expect("a good size").build();
    let ends = (Cell::new(1, 35), Cell::new(68, 35));
    assert_eq!(find(&open, ends, &JUMP).path.length(), 67.0);
    let mut builder = open.to_builder();
    builder.fill(
        pursuit::CellRect::new(Cell::new(30, 1), Cell::new(31, 70)),
        false,
    );
    let walled = builder.build();
    let around = find(&walled, ends, &JUMP);
    assert_eq!(around.path.cost, find(&walled, ends, &DEFAULT).path.cost);
    assert!(around.path.length() > 90.0);
}

/// Notes what it is told.
#[derive(Default)]
struct Log {
    opened: Vec<(Way, Change)>,
    kept: Vec<Way>,
    expanded: Vec<Way>,
    reached: Vec<Way>,
}

impl SearchRecorder for Log {
    fn started(&mut self) {
        *self = Self::default();
    }

    fn relaxed(&mut self, way: Way, change: Change) {
        match change {
            Change::Kept => self.kept.push(way),
            _ => self.opened.push((way, change)),
        }
    }

    fn expanded(&mut self, way: Way) {
        self.expanded.push(way);
    }

    fn reached(&mut self, way: Way) {
        self.reached.push(way);
    }
}

#[test]
fn a_recorder_hears_of_what_the_stats_count() {
    let grid = blocks(100, 80, 40, 7).expect("a good size");
    let ends = (free_cell(&grid, 0.0), free_cell(&grid, 0.999));
    let blocked = grid.rect().cells().find(|&cell| !grid.is_free(cell));
    let in_vain = (ends.0, blocked.expect("a wall"));
    for (ends, options) in [
        (ends, DEFAULT),
        (ends, JUMP),
        (in_vain, DEFAULT),
        (in_vain, JUMP),
    ] {
        let mut log = Log::default();
        let mut scratch = SearchScratch::new();
        let layers = BodyLayers::from_grid(grid.clone(), options.diagonals);
        let found = layers.find_path_recorded(ends.0, ends.1, &options, &mut scratch, &mut log);
        let found = found.expect("the arguments are right");
        assert_eq!(log.expanded.len(), found.stats.expanded as usize);
        assert_eq!(log.opened.len(), found.stats.pushed as usize);
        let costs: Vec<u64> = log.reached.iter().map(|way| way.g).collect();
        assert_eq!(costs, [found.path.cost]);
        let end = found.path.end().expect("a path has an end");
        let estimate = |cell: Cell| octile(cell.x.abs_diff(end.x), cell.y.abs_diff(end.y));
        let mut known = HashSet::new();
        for &(way, change) in &log.opened {
            let is_new = known.insert(way.node);
            assert_eq!(is_new, change == Change::Discovered, "{way:?}");
            assert_eq!(is_new && way.g == 0, way.parent.is_none(), "{way:?}");
        }
        assert!(log.kept.iter().all(|way| known.contains(&way.node)));
        let opened = log.opened.iter().map(|(way, _)| way);
        for way in opened.chain(&log.kept).chain(&log.expanded) {
            assert_eq!(way.f, way.g + way.h);
            // Jump points know the ways out of dead ends.
            let is_octile = way.h == estimate(way.node);
            assert!(
                is_octile || options.algorithm != Algorithm::AStar && way.h > estimate(way.node)
            );
        }
        for way in log.expanded {
            assert!(way.f <= found.path.cost, "no need of {way:?}");
            let best = find(&grid, (ends.0, way.node), &DEFAULT);
            assert!(way.g >= best.path.cost);
        }
    }
}

#[test]
fn a_long_thin_strip_is_searched_cell_by_cell() {
    // Jump points need no look at any cell.
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
        let found = find(&grid, (Cell::new(0, 0), goal), &JUMP);
        assert_eq!(found.path.length(), f64::from(goal.x));
        assert_eq!(found.stats.expanded, expanded, "{width} x {height}");
    }
}
