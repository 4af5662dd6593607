//! Searches in steps. With any budgets, the result and the recorded events are the same as for a search in a single
//! call.

use std::sync::atomic::AtomicBool;

use fastrand::Rng;
use pursuit::oracle::cases;
use pursuit::{
    Algorithm, BodyLayers, Cell, DiagonalPolicy, FindPathError, FoundPath, Grid, GridSpace,
    Heuristic, PathOptions, Progress, Search, SearchLimits, SearchScratch, SpaceSearch, Weights,
    astar,
};

use crate::common::baked::bake;
use crate::common::log::{Event, Log};
use crate::common::random::{any_cell, any_free, any_grid, any_options, by, with_costs};

const GRIDS: u16 = 2000;
const SEARCHES: usize = 8;

/// The result of a search, the events that were recorded, and the number of steps.
type Heard = (Result<FoundPath, FindPathError>, Vec<Event>, u32);

fn in_one_call(
    layers: &BodyLayers,
    (start, goal): (Cell, Cell),
    options: &PathOptions,
    scratch: &mut SearchScratch,
) -> Heard {
    let mut log = Log::default();
    let answer = layers.find_path_recorded(start, goal, options, scratch, &mut log);
    (answer, log.events, 1)
}

fn in_steps(
    search: &mut Search<'_>,
    mut budget: impl FnMut() -> u32,
    most: u32,
) -> Result<Heard, FindPathError> {
    let (mut log, mut steps) = (Log::default(), 0);
    loop {
        let (budget, before) = (budget(), log.expanded);
        steps += 1;
        assert!(steps <= most, "the search does not end");
        let progress = search.step(budget, &mut log)?;
        let expanded = log.expanded - before;
        assert!(expanded <= budget, "{expanded} expanded with {budget}");
        match progress {
            Progress::Running => assert_eq!(
                expanded, budget,
                "the search stopped before its budget was used up"
            ),
            Progress::Done(found) => return Ok((Ok(found), log.events, steps)),
        }
    }
}

#[test]
fn searches_in_steps_equal_searches_in_one_call() {
    let mut kept = SearchScratch::new();
    // The number of searches that paused, by kind: jump-point search, A* over cells, weighted A*.
    let mut paused = [0; 3];
    for seed in 0..cases(GRIDS) {
        let rng = &mut Rng::with_seed(seed);
        let (width, height) = (rng.u32(1..90), rng.u32(1..40));
        let grid = any_grid(rng, width, height);
        let any = DiagonalPolicy::ALL.get(rng.usize(0..9));
        let diagonals = *any.unwrap_or(&DiagonalPolicy::NoCornerCut);
        let [known, baked] = [0; 2].map(|_| BodyLayers::from_grid(grid.clone(), diagonals));
        bake(&baked);
        for _ in 0..SEARCHES {
            let ends = (any_free(&grid, rng), any_cell(&grid, rng));
            let options = any_options(rng, diagonals);
            let layers = if rng.u8(0..4) == 0 { &baked } else { &known };
            let what = format!("seed {seed}: {grid:?} {ends:?} by {options:?} on {layers:?}");
            let (expected, told, _) = in_one_call(layers, ends, &options, &mut kept);
            let found = expected.as_ref().expect("the arguments are right");
            let budgets = rng.u8(0..4);
            let mut dice = rng.fork();
            let budget = || match budgets {
                0 => 1,
                1 => dice.u32(0..4),
                2 => dice.u32(0..40),
                _ => dice.u32(1..9) * dice.u32(1..90),
            };
            let most = 20 * (found.stats.expanded + 10);
            let mut search = layers.search(ends.0, ends.1, &options, &mut kept).unwrap();
            let (answer, heard, steps) = in_steps(&mut search, budget, most).unwrap();
            assert_eq!(answer, expected, "{what}");
            assert_eq!(heard, told, "{what}");
            // The same search begins again.
            let again = in_steps(&mut search, || u32::MAX, 1).unwrap();
            assert_eq!((again.0, again.1), (expected, told), "{what}");
            let road = match () {
                () if options.weights.g != options.weights.h => 2,
                () if heard.iter().any(Event::is_jump) => 0,
                () => 1,
            };
            paused[road] += usize::from(steps > 1);
        }
    }
    let least = paused.into_iter().min();
    assert!(
        least > Some(cases(80)),
        "searches that paused, by kind: {paused:?}"
    );
}

#[test]
fn an_unfinished_search_does_not_affect_the_next() {
    let mut kept = SearchScratch::new();
    for seed in 0..cases(300) {
        let rng = &mut Rng::with_seed(seed);
        let (width, height) = (rng.u32(1..90), rng.u32(1..40));
        let grid = any_grid(rng, width, height);
        let layers = BodyLayers::from_grid(grid.clone(), DiagonalPolicy::NoCornerCut);
        for _ in 0..6 {
            let options = any_options(rng, DiagonalPolicy::NoCornerCut);
            let (start, goal) = (any_free(&grid, rng), any_free(&grid, rng));
            let mut left = layers.search(start, goal, &options, &mut kept).unwrap();
            let _ = left.step(rng.u32(0..20), &mut ()).unwrap();
            let options = any_options(rng, DiagonalPolicy::NoCornerCut);
            let found = layers.find_path(goal, start, &options, &mut kept);
            let fresh = layers.find_path(goal, start, &options, &mut SearchScratch::new());
            assert_eq!(found, fresh, "seed {seed}");
        }
    }
}

/// Rooms with doors, in which every kind of search expands many cells.
fn rooms() -> Grid {
    let mut rng = Rng::with_seed(3);
    Grid::from_fn(400, 400, |cell| {
        cell.x % 8 != 0 && cell.y % 8 != 0 || rng.u8(0..5) == 0
    })
    .unwrap()
}

#[test]
#[allow(clippy::too_many_lines, reason = "one long list of cases")]
fn raising_the_flag_soon_ends_every_kind_of_search() {
    let even = rooms();
    let hills = with_costs(&even, |cell| 1 + (cell.x / 9 % 7) as u8);
    let is_free = |&cell: &Cell| even.is_free(cell);
    let start = even.rect().cells().find(is_free).unwrap();
    let far = even.rect().cells().rfind(is_free).unwrap();
    let [even, hills] =
        [even, hills].map(|grid| BodyLayers::from_grid(grid, DiagonalPolicy::NoCornerCut));
    let astar = by(Algorithm::AStar);
    let jump = PathOptions {
        algorithm: Algorithm::JumpPoint,
        ..astar
    };
    let weighted = PathOptions {
        weights: Weights { g: 2, h: 1 },
        ..astar
    };
    let straight = PathOptions {
        heuristic: Heuristic::Zero,
        ..astar
    };
    let roads = [
        (&even, astar),
        (&hills, astar),
        (&even, jump),
        (&even, weighted),
        (&hills, straight),
    ];
    let mut scratch = SearchScratch::new();
    for (layers, options) in roads {
        let whole = layers
            .find_path(start, far, &options, &mut scratch)
            .unwrap();
        for at in [1, 700, 1500] {
            assert!(
                whole.stats.expanded > at + 2048,
                "{options:?}: {:?}",
                whole.stats
            );
            let flag = AtomicBool::new(false);
            let mut log = Log {
                flag: Some((&flag, at)),
                ..Log::default()
            };
            let search = layers.search(start, far, &options, &mut scratch).unwrap();
            let answer = search.finish(&mut log, (&flag).into());
            assert_eq!(answer, Err(FindPathError::Cancelled), "{options:?}");
            assert!(log.expanded <= at + 1024, "{} expanded", log.expanded);
        }
        let again = layers
            .find_path(start, far, &options, &mut scratch)
            .unwrap();
        assert_eq!(
            again, whole,
            "a cancelled search must not affect the next one"
        );
    }
}

#[test]
fn search_spaces_can_be_searched_in_steps() {
    let mut kept = SearchScratch::new();
    let mut paused = 0;
    for seed in 0..cases(400) {
        let rng = &mut Rng::with_seed(seed);
        let (width, height) = (rng.u32(1..90), rng.u32(1..40));
        let grid = any_grid(rng, width, height);
        let (start, goal) = (any_free(&grid, rng), any_free(&grid, rng));
        let heuristic = [Heuristic::Octile, Heuristic::Zero][rng.usize(0..2)];
        let space = GridSpace::new(&grid, DiagonalPolicy::OneFree, heuristic, goal).unwrap();
        let limits = SearchLimits {
            weights: Weights {
                g: 1,
                h: rng.u16(0..3),
            },
            max_expanded: rng.bool().then(|| rng.u32(0..100)),
        };
        let start = space.node(start).unwrap();
        let expected = astar(&space, start, &limits, &mut kept).unwrap().unwrap();
        let search = SpaceSearch::start(&space, start, &limits, &mut kept).unwrap();
        let mut search = search.expect("the start is a node");
        let most = rng.u32(1..60);
        let mut steps = 1;
        let found = loop {
            match search.step(rng.u32(0..most + 1), &mut ()).unwrap() {
                Progress::Running => steps += 1,
                Progress::Done(found) => break found,
            }
        };
        assert_eq!(found, expected, "seed {seed}");
        paused += usize::from(steps > 1);
    }
    assert!(paused > cases(100), "{paused}");
    let grid = Grid::from_fn(3, 3, |_| true).unwrap();
    let space = GridSpace::new(
        &grid,
        DiagonalPolicy::Never,
        Heuristic::Octile,
        Cell::new(0, 0),
    );
    let space = space.unwrap();
    let zero = SearchLimits {
        weights: Weights { g: 0, h: 0 },
        ..SearchLimits::default()
    };
    let started = |start| {
        SpaceSearch::start(&space, start, &zero, &mut SearchScratch::new()).map(|s| s.is_some())
    };
    assert_eq!(started(u32::MAX), Ok(false));
    assert_eq!(started(0), Err(FindPathError::ZeroWeights));
}
