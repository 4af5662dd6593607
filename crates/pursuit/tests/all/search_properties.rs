//! Searches on random grids against the oracle: costs, legal steps, reachability, bounds.

use std::cell::RefCell;

use proptest::prelude::*;
use pursuit::oracle::{self, cases};
use pursuit::{
    Algorithm, BodyLayers, Cell, CellIndex, DiagonalPolicy, FoundPath, Grid, Heuristic, Outcome,
    PartialReason, PathOptions, SearchScratch, Weights, octile,
};

use crate::common::bare::find_path;

thread_local! {
    /// One for all cases: whatever a search leaves behind meets grids of all other sizes.
    static SCRATCH: RefCell<SearchScratch> = RefCell::new(SearchScratch::new());
}

fn find(grid: &Grid, start: Cell, goal: Cell, options: &PathOptions) -> FoundPath {
    SCRATCH
        .with_borrow_mut(|scratch| find_path(grid, start, goal, options, scratch))
        .expect("the arguments are right")
}

/// All ways to search that must agree on cost and outcome, with these options otherwise.
fn ways(options: PathOptions) -> Vec<PathOptions> {
    let all = [Algorithm::Auto, Algorithm::AStar, Algorithm::JumpPoint];
    all.map(|algorithm| PathOptions {
        algorithm,
        ..options
    })
    .to_vec()
}

fn any_size() -> impl Strategy<Value = (u32, u32)> {
    prop_oneof![
        3 => (1u32..12, 1u32..12),
        2 => (60u32..68, 1u32..30),
        1 => (124u32..132, 1u32..30),
        1 => (1u32..4, 60u32..70),
        1 => (20u32..150, 10u32..40),
        1 => (10u32..40, 20u32..150),
    ]
}

const INSIDE: &str = "the cell is inside";

/// How terrain is spread over a grid.
#[derive(Clone, Copy, Debug)]
enum Terrain {
    /// Every cell costs 1.
    Plain,
    /// Every cell costs the same, and more than 1.
    Raised(u8),
    /// A third of the cells cost up to 9, some of them up to 255.
    Sprinkled,
    /// Any costs from the first on.
    Random(u8),
    /// Square patches of one cost each, from the first on to 8 more.
    Patches(u8),
}

impl Terrain {
    fn cost(self, cell: Cell, random: &mut impl FnMut(u32) -> u32) -> u8 {
        let cost = match self {
            Self::Plain => 1,
            Self::Raised(cost) => u32::from(cost),
            Self::Sprinkled if random(3) > 0 => 1,
            Self::Sprinkled if random(9) > 0 => 1 + random(9),
            Self::Sprinkled => 1 + random(255),
            Self::Random(low) => u32::from(low) + random(256 - u32::from(low)),
            Self::Patches(low) => u32::from(low) + (cell.x / 5 * 7 + cell.y / 6 * 5) as u32 % 9,
        };
        cost.min(255) as u8
    }
}

fn any_terrain() -> impl Strategy<Value = Terrain> {
    prop_oneof![
        4 => Just(Terrain::Plain),
        1 => (2u8..=255).prop_map(Terrain::Raised),
        2 => Just(Terrain::Sprinkled),
        2 => (1u8..=255).prop_map(Terrain::Random),
        2 => (1u8..=255).prop_map(Terrain::Patches),
    ]
}

/// Random walls of any density, then some long walls with gaps, and terrain.
fn any_grid() -> impl Strategy<Value = Grid> {
    (any_size(), 0u32..60, 0usize..6, any_terrain(), any::<u64>()).prop_map(
        |((width, height), percent, lines, terrain, seed)| {
            let mut state = seed;
            let mut random = move |below: u32| {
                // Steele, Lea and Flood, 2014: SplitMix64.
                state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
                let mut z = state;
                z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
                z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
                ((z ^ (z >> 31)) >> 33) as u32 % below
            };
            let mut builder = Grid::builder(width, height).expect("a good size");
            let cells = builder.clone().build().rect();
            for cell in cells.cells() {
                builder
                    .set_free(cell, random(100) >= percent)
                    .expect(INSIDE);
                let cost = terrain.cost(cell, &mut random);
                builder.set_cost(cell, cost).expect(INSIDE);
            }
            for _ in 0..lines {
                let (x, y) = (random(width) as i32, random(height) as i32);
                let upright = random(2) == 0;
                for cell in cells.cells() {
                    let on_line = if upright { cell.x == x } else { cell.y == y };
                    if on_line && random(20) != 0 {
                        builder.set_free(cell, false).expect(INSIDE);
                    }
                }
            }
            // Somewhere to start from.
            builder.set_free(Cell::new(0, 0), true).expect(INSIDE);
            builder.build()
        },
    )
}

fn any_policy() -> impl Strategy<Value = DiagonalPolicy> {
    prop::sample::select(DiagonalPolicy::ALL.to_vec())
}

fn any_heuristic() -> impl Strategy<Value = Heuristic> {
    prop_oneof![
        Just(Heuristic::Octile),
        Just(Heuristic::Manhattan),
        Just(Heuristic::Euclidean),
        Just(Heuristic::Zero),
    ]
}

/// The free cell at or after a share of the grid, going around; (0, 0) is free.
fn free_cell(grid: &Grid, share: f64) -> Cell {
    let cells = grid.rect().cells().cycle();
    let skipped = (share * grid.cell_count() as f64) as usize;
    cells
        .skip(skipped)
        .find(|&cell| grid.is_free(cell))
        .expect("(0, 0) is free")
}

fn any_cell(grid: &Grid, share: f64) -> Cell {
    grid.cell(CellIndex((share * grid.cell_count() as f64) as u32))
}

fn distance(a: Cell, b: Cell) -> u64 {
    octile(a.x.abs_diff(b.x), a.y.abs_diff(b.y))
}

fn share() -> impl Strategy<Value = f64> {
    0.0..1.0
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(3000)))]

    #[test]
    fn the_cost_is_the_oracles_and_every_step_is_legal(
        grid in any_grid(),
        diagonals in any_policy(),
        heuristic in any_heuristic(),
        ends in (share(), share()),
    ) {
        let (start, goal) = (free_cell(&grid, ends.0), any_cell(&grid, ends.1));
        let costs = oracle::distances(&grid, start, diagonals);
        let cost_to = |cell| costs[grid.index(cell).unwrap().get()];
        let layers = BodyLayers::from_grid(grid.clone(), diagonals);
        let options = PathOptions { diagonals, heuristic, ..PathOptions::default() };
        for options in ways(options) {
            let found = find(&grid, start, goal, &options);

            let end = found.path.end().unwrap();
            prop_assert_eq!(found.path.start(), Some(start));
            prop_assert_eq!(oracle::path_cost(&grid, &found.path, diagonals), Some(found.path.cost));
            prop_assert_eq!(layers.is_reachable(start, goal), cost_to(goal).is_some());
            let expected = match cost_to(goal) {
                Some(_) => Outcome::Complete,
                None if grid.is_free(goal) => Outcome::Partial(PartialReason::Unreachable),
                None => Outcome::Partial(PartialReason::GoalBlocked),
            };
            prop_assert_eq!(found.outcome, expected);
            if expected == Outcome::Complete {
                prop_assert_eq!(end, goal);
            } else {
                let nearest = grid
                    .rect()
                    .cells()
                    .filter(|&cell| cost_to(cell).is_some())
                    .min_by_key(|&cell| distance(cell, goal));
                prop_assert_eq!(Some(end), nearest, "not the nearest reachable cell to {}", goal);
            }
            let cheapest = cost_to(end).unwrap();
            let admissible = heuristic != Heuristic::Manhattan || diagonals == DiagonalPolicy::Never;
            if admissible {
                prop_assert_eq!(found.bound, 1.0);
                prop_assert_eq!(found.path.cost, cheapest, "from {} to {}", start, end);
                // Over terrain a cell may be expanded before the cheapest way to it is known, hardly ever.
                let times = if grid.has_terrain() { 2 } else { 1 };
                prop_assert!(found.stats.expanded as usize <= times * grid.free_count(), "expanded again");
            }
            prop_assert!(found.path.cost as f64 <= found.bound * cheapest as f64);
        }
    }

    #[test]
    fn there_and_back_cost_the_same(
        grid in any_grid(), diagonals in any_policy(), ends in (share(), share()),
    ) {
        let (a, b) = (free_cell(&grid, ends.0), free_cell(&grid, ends.1));
        for options in ways(PathOptions { diagonals, ..PathOptions::default() }) {
            let (there, back) = (find(&grid, a, b, &options), find(&grid, b, a, &options));
            prop_assert_eq!(there.outcome, back.outcome);
            if there.outcome == Outcome::Complete {
                prop_assert_eq!(there.path.cost, back.path.cost);
            }
        }
    }

    #[test]
    fn a_weighted_search_stays_within_the_bound_that_it_states(
        grid in any_grid(),
        diagonals in any_policy(),
        heuristic in any_heuristic(),
        ends in (share(), share()),
        weights in (0u16..6, 0u16..6).prop_filter("not both zero", |&(g, h)| (g, h) != (0, 0)),
    ) {
        let weights = Weights { g: weights.0, h: weights.1 };
        let (start, goal) = (free_cell(&grid, ends.0), any_cell(&grid, ends.1));
        for options in ways(PathOptions { diagonals, heuristic, weights, ..PathOptions::default() }) {
            let found = find(&grid, start, goal, &options);
            prop_assert_eq!(oracle::path_cost(&grid, &found.path, diagonals), Some(found.path.cost));
            let cheapest = oracle::dijkstra(&grid, start, found.path.end().unwrap(), diagonals).unwrap();
            prop_assert!(found.bound >= 1.0);
            prop_assert!(
                found.path.cost as f64 <= found.bound * cheapest as f64 * (1.0 + 1e-12),
                "cost {} is not within {} of {}", found.path.cost, found.bound, cheapest
            );
            let reachable = oracle::dijkstra(&grid, start, goal, diagonals).is_some();
            prop_assert_eq!(found.outcome == Outcome::Complete, reachable);
            if weights.g > 0 && weights.h == 0 {
                prop_assert_eq!(found.path.cost, cheapest, "without an estimate it is Dijkstra's search");
            }
        }
    }

    #[test]
    fn a_limit_is_kept_and_the_path_is_as_good_as_it_says(
        grid in any_grid(),
        diagonals in any_policy(),
        heuristic in any_heuristic(),
        ends in (share(), share()),
        limit in 0u32..200,
    ) {
        let (start, goal) = (free_cell(&grid, ends.0), any_cell(&grid, ends.1));
        for free in ways(PathOptions { diagonals, heuristic, ..PathOptions::default() }) {
            let limited = PathOptions { max_expanded: Some(limit), ..free };
            let found = find(&grid, start, goal, &limited);
            let unlimited = find(&grid, start, goal, &free);
            prop_assert!(found.stats.expanded <= limit);
            prop_assert_eq!(oracle::path_cost(&grid, &found.path, diagonals), Some(found.path.cost));
            if found.outcome == Outcome::Partial(PartialReason::LimitReached) {
                prop_assert_eq!(found.stats.expanded, limit);
                prop_assert!(unlimited.stats.expanded > limit);
                let end = found.path.end().unwrap();
                // Nearer to where it went.
                let target = unlimited.path.end().unwrap();
                prop_assert!(distance(end, target) <= distance(start, target));
                let cheapest = oracle::dijkstra(&grid, start, end, diagonals).unwrap();
                prop_assert!(found.path.cost as f64 <= found.bound * cheapest as f64);
            } else if found.bound > unlimited.bound {
                // There was a path, and no time to look for a cheaper one.
                prop_assert_eq!(found.outcome, unlimited.outcome);
                prop_assert_eq!(found.path.end(), unlimited.path.end());
                prop_assert_eq!(found.stats.expanded, limit);
                prop_assert!(unlimited.stats.expanded > limit);
                prop_assert!(found.path.cost as f64 <= found.bound * unlimited.path.cost as f64);
            } else {
                prop_assert_eq!(&found, &unlimited);
            }
            let fresh = find_path(&grid, start, goal, &limited, &mut SearchScratch::new());
            prop_assert_eq!(fresh, Ok(found), "what the scratch did before must not matter");
        }
    }
}
