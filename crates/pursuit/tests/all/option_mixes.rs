//! Thousands of searches with random options on random grids of odd shapes, against the oracle.

use std::sync::atomic::AtomicBool;

use fastrand::Rng;
use pursuit::oracle::{self, cases};
use pursuit::{
    Algorithm, BodyLayers, Cell, CellIndex, DiagonalPolicy, FindPathError, FoundPath, Grid,
    Heuristic, Outcome, PartialReason, PathOptions, SearchScratch, Ties, octile,
};

use crate::common::any_options;
use crate::common::baked::{bake, is_baked};
use crate::common::bare::find_path;

const GRIDS: u16 = 1200;
const SEARCHES: usize = 8;

/// Walls of any density and terrain of any kind, or none; what walls cost is any.
fn any_grid(rng: &mut Rng) -> Grid {
    let (width, height) = match rng.u8(0..5) {
        0 => (rng.u32(1..4), rng.u32(1..120)),
        1 => (rng.u32(1..120), rng.u32(1..4)),
        2 => (rng.u32(29..35), rng.u32(1..20)),
        3 => (rng.u32(60..70), rng.u32(1..12)),
        _ => (rng.u32(1..24), rng.u32(1..24)),
    };
    let mut builder = Grid::builder(width, height).expect("a good size");
    let percent = rng.u32(0..50);
    let (kind, uniform) = (rng.u8(0..6), rng.u8(1..));
    for cell in builder.clone().build().rect().cells() {
        let is_free = cell == Cell::new(0, 0) || rng.u32(0..100) >= percent;
        builder.set_free(cell, is_free).expect("inside");
        let cost = match kind {
            0 => 1,
            1 if is_free => 1,
            2 if is_free => uniform,
            3 if rng.u8(0..30) > 0 => 1,
            4 => 1 + (cell.x / 5 + cell.y / 4) as u8 % 5,
            _ => rng.u8(1..),
        };
        builder.set_cost(cell, cost).expect("inside");
    }
    builder.build()
}

/// What is known of a grid, and the same with tables if there can be any.
struct Places {
    known: BodyLayers,
    baked: Option<BodyLayers>,
}

impl Places {
    fn of(grid: Grid, diagonals: DiagonalPolicy) -> Self {
        let baked = Some(BodyLayers::from_grid(grid.clone(), diagonals)).filter(bake);
        let known = BodyLayers::from_grid(grid, diagonals);
        Self { known, baked }
    }

    fn any(&self, rng: &mut Rng) -> &BodyLayers {
        let baked = self.baked.as_ref().filter(|_| rng.u8(0..3) == 0);
        baked.unwrap_or(&self.known)
    }
}

fn distance(a: Cell, b: Cell) -> u64 {
    octile(a.x.abs_diff(b.x), a.y.abs_diff(b.y))
}

/// Holds an answer against what the oracle says of all cells.
fn check(
    layers: &BodyLayers,
    (start, goal): (Cell, Cell),
    options: &PathOptions,
    found: &FoundPath,
    costs: &[Option<u64>],
) {
    let grid = layers.grid();
    let cost_to = |cell: Cell| grid.index(cell).and_then(|index| costs[index.get()]);
    let end = found.path.end().expect("a path has an end");
    assert_eq!(found.path.start(), Some(start));
    let walked = oracle::path_cost(grid, &found.path, options.diagonals);
    assert_eq!(walked, Some(found.path.cost), "a step is not legal");
    let cheapest = cost_to(end).expect("the path leads there");
    let most = found.bound * cheapest as f64 * (1.0 + 1e-12);
    assert!(found.bound >= 1.0 && found.path.cost as f64 <= most);
    assert_eq!(found.outcome == Outcome::Complete, end == goal);

    let has_tables = is_baked(layers) && options.algorithm == Algorithm::Auto;
    let limit = options.max_expanded.filter(|_| !has_tables);
    assert!(limit.is_none_or(|limit| found.stats.expanded <= limit));
    let is_limited = found.outcome == Outcome::Partial(PartialReason::LimitReached);
    if is_limited {
        assert_eq!(options.max_expanded, Some(found.stats.expanded));
        return;
    }
    let expected = match cost_to(goal) {
        Some(_) => Outcome::Complete,
        None if grid.is_free(goal) => Outcome::Partial(PartialReason::Unreachable),
        None => Outcome::Partial(PartialReason::GoalBlocked),
    };
    assert_eq!(found.outcome, expected);
    let reachable = grid.rect().cells().filter(|&cell| cost_to(cell).is_some());
    let nearest = reachable.min_by_key(|&cell| distance(cell, goal));
    assert_eq!(Some(end), nearest, "not the nearest cell");
    let is_admissible =
        options.heuristic != Heuristic::Manhattan || options.diagonals == DiagonalPolicy::Never;
    let struck = limit == Some(found.stats.expanded);
    if is_admissible && options.weights.g == options.weights.h && !struck {
        assert_eq!((found.path.cost, found.bound), (cheapest, 1.0));
    }
}

/// The same grid with every free cell at cost 1, if they all cost the same, and that cost.
fn leveled(grid: &Grid) -> Option<(Grid, u64)> {
    let cost = u64::from(grid.uniform_cost()?);
    let level = Grid::from_fn(grid.width(), grid.height(), |cell| grid.is_free(cell));
    Some((level.expect("the same size"), cost))
}

#[test]
fn every_mix_of_options_holds_what_it_promises() {
    let mut kept = SearchScratch::new();
    let raised = AtomicBool::new(true);
    let mut limited = 0;
    for seed in 0..cases(GRIDS) {
        let rng = &mut Rng::with_seed(seed);
        let grid = any_grid(rng);
        let level = leveled(&grid);
        let diagonals = DiagonalPolicy::ALL[rng.usize(0..4)];
        let places = Places::of(grid, diagonals);
        let grid = places.known.grid();
        for _ in 0..SEARCHES {
            let any = |rng: &mut Rng| grid.cell(CellIndex(rng.u32(0..grid.cell_count() as u32)));
            let (start, goal) = (any(rng), any(rng));
            let ties = [Ties::Newest, Ties::Oldest, Ties::LargestG, Ties::SmallestG];
            let options = PathOptions {
                ties: ties[rng.usize(0..4)],
                ..any_options(rng, diagonals)
            };
            let layers = places.any(rng);
            let what =
                format!("seed {seed}: {grid:?} {start} to {goal} by {options:?} on {layers:?}");
            let answer = layers.find_path(start, goal, &options, &mut kept);
            if !grid.is_free(start) {
                assert_eq!(answer, Err(FindPathError::StartBlocked(start)), "{what}");
                continue;
            }
            let found = answer.as_ref().expect("the arguments are right");
            eprintln!("{what}"); // Told if a check fails.
            let costs = oracle::distances(grid, start, diagonals);
            check(layers, (start, goal), &options, found, &costs);
            limited += usize::from(options.max_expanded == Some(found.stats.expanded));

            let fresh = layers.find_path(start, goal, &options, &mut SearchScratch::new());
            assert_eq!(answer, fresh, "what the scratch did before matters");
            let cancelled = layers.find_path_until(start, goal, &options, &mut kept, &raised);
            assert_eq!(cancelled, Err(FindPathError::Cancelled));
            if let Some((level, cost)) = &level
                && !is_baked(layers)
            {
                let expected = find_path(level, start, goal, &options, &mut kept);
                let mut expected = expected.expect("the arguments are right");
                expected.path.cost *= cost;
                assert_eq!(found, &expected, "not as on even layers");
            }
        }
    }
    assert!(limited > cases(100), "{limited} searches met their limits");
}
