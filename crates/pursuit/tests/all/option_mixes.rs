//! Thousands of searches with random options on random grids of unusual shapes, checked against the oracle.

use std::sync::atomic::AtomicBool;

use fastrand::Rng;
use pursuit::oracle::cases;
use pursuit::{
    Algorithm, BodyLayers, Cell, DiagonalPolicy, FindPathError, FoundPath, Grid, Outcome,
    PartialReason, PathOptions, SearchScratch, octile,
};

use crate::common::baked::{bake, is_baked};
use crate::common::bare::{find, find_path};
use crate::common::judge::Judge;
use crate::common::random::{any_cell, any_free, any_grid, any_options, any_size};

const GRIDS: u16 = 3000;
const SEARCHES: usize = 8;

/// The layers of a grid, and the layers of the grid with tables if it can have any.
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

/// Checks a result against the oracle's costs for all cells.
fn check(layers: &BodyLayers, judge: &Judge, goal: Cell, options: &PathOptions, found: &FoundPath) {
    let cheapest = judge.check(goal, found);
    let is_there = judge.cost_to(goal).is_some();
    assert_eq!(layers.is_reachable(found.path.turns[0], goal), is_there);
    let has_tables = is_baked(layers) && options.algorithm == Algorithm::Auto;
    let limit = options.max_expanded.filter(|_| !has_tables);
    let expanded = found.stats.expanded;
    assert!(limit.is_none_or(|limit| expanded <= limit));
    if found.outcome == Outcome::Partial(PartialReason::LimitReached) {
        assert_eq!(options.max_expanded, Some(expanded));
        return;
    }
    if options.weights.g == options.weights.h && limit != Some(expanded) {
        assert_eq!((found.path.cost, found.bound), (cheapest, 1.0));
        // Over terrain, a cell may be expanded before the cheapest path to it is known, and then again. This is rare.
        let times = if layers.grid().has_terrain() { 2 } else { 1 };
        let most = times * layers.grid().free_count();
        assert!(
            expanded as usize <= most,
            "cells are expanded more than once"
        );
    }
}

/// The grid with cost 1 for every free cell, and the cost that its free cells had. `None` if these costs differ.
fn leveled(grid: &Grid) -> Option<(Grid, u64)> {
    let cost = u64::from(grid.uniform_cost()?);
    let level = Grid::from_fn(grid.width(), grid.height(), |cell| grid.is_free(cell));
    Some((level.expect("the same size"), cost))
}

#[test]
fn searches_with_any_mix_of_options_keep_their_promises() {
    let mut kept = SearchScratch::new();
    let raised = AtomicBool::new(true);
    let mut limited = 0;
    for seed in 0..cases(GRIDS) {
        let rng = &mut Rng::with_seed(seed);
        let (width, height) = any_size(rng);
        let grid = any_grid(rng, width, height);
        let level = leveled(&grid);
        let diagonals = DiagonalPolicy::ALL[rng.usize(0..4)];
        let places = Places::of(grid, diagonals);
        let grid = places.known.grid();
        for _ in 0..SEARCHES {
            let (start, goal) = (any_cell(grid, rng), any_cell(grid, rng));
            let options = any_options(rng, diagonals);
            let layers = places.any(rng);
            let what =
                format!("seed {seed}: {grid:?} {start} to {goal} by {options:?} on {layers:?}");
            let answer = layers.find_path(start, goal, &options, &mut kept);
            if !grid.is_free(start) {
                assert_eq!(answer, Err(FindPathError::StartBlocked(start)), "{what}");
                continue;
            }
            let found = answer.as_ref().expect("the arguments are right");
            eprintln!("{what}"); // This is printed if a check fails.
            let judge = Judge::new(grid, start, diagonals);
            check(layers, &judge, goal, &options, found);
            limited += usize::from(options.max_expanded == Some(found.stats.expanded));

            let fresh = layers.find_path(start, goal, &options, &mut SearchScratch::new());
            assert_eq!(answer, fresh, "earlier searches changed a result");
            let search = layers.search(start, goal, &options, &mut kept).unwrap();
            let cancelled = search.finish(&mut (), (&raised).into());
            assert_eq!(cancelled, Err(FindPathError::Cancelled));
            if let Some((level, cost)) = &level
                && !is_baked(layers)
            {
                let mut expected = find(level, (start, goal), &options);
                expected.path.cost *= cost;
                assert_eq!(
                    found, &expected,
                    "the path differs from the path on level ground"
                );
            }
        }
    }
    assert!(
        limited > cases(100),
        "only {limited} searches reached their limits"
    );
}

#[test]
fn a_limited_search_keeps_its_limit_and_the_bound_that_it_states() {
    let mut struck = 0;
    for seed in 0..cases(3000) {
        let rng = &mut Rng::with_seed(seed);
        let (width, height) = any_size(rng);
        let grid = any_grid(rng, width, height);
        let (start, goal) = (any_free(&grid, rng), any_cell(&grid, rng));
        let diagonals = DiagonalPolicy::ALL[rng.usize(0..4)];
        let free = PathOptions {
            weights: Default::default(),
            max_expanded: None,
            ..any_options(rng, diagonals)
        };
        let limit = rng.u32(0..200);
        let limited = PathOptions {
            max_expanded: Some(limit),
            ..free
        };
        let [found, whole] = [limited, free].map(|options| find(&grid, (start, goal), &options));
        Judge::new(&grid, start, free.diagonals).check(goal, &found);
        let is_struck = found.outcome == Outcome::Partial(PartialReason::LimitReached);
        if is_struck || found.bound > whole.bound {
            assert!(found.stats.expanded == limit && whole.stats.expanded > limit);
            struck += 1;
        }
        if is_struck {
            // The path must end nearer to its target than it began.
            let target = whole.path.end().unwrap();
            let end = found.path.end().unwrap();
            assert!(octile(end, target) <= octile(start, target));
        } else if found.bound > whole.bound {
            // The search found a path to the goal before it reached the limit, but perhaps not the cheapest path.
            assert!(found.path.cost as f64 <= found.bound * whole.path.cost as f64);
        } else {
            assert_eq!(found, whole, "seed {seed}");
        }
        let fresh = find_path(&grid, start, goal, &limited, &mut SearchScratch::new());
        assert_eq!(
            fresh,
            Ok(found),
            "earlier searches with the scratch must not change a result"
        );
    }
    assert!(
        struck > cases(200),
        "only {struck} searches reached their limits"
    );
}
