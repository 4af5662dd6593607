//! Recordings of searches with every kind of options.

use fastrand::Rng;
use pursuit::oracle::{self, cases};
use pursuit::{
    Algorithm, BodyLayers, Cell, FoundPath, Grid, Heuristic, Outcome, PathOptions, SearchScratch,
    octile,
};
use pursuit_lab::recording::{Change, Event, Recording};
use pursuit_lab::replay::Replay;

use super::worlds::{Plain, any_ends, any_grid, any_options, check_work};

const GRIDS: u16 = 1800;
const SEARCHES: usize = 4;

/// Whether every examined cell is a neighbor of its parent, as in searches without jump points.
fn is_cell_by_cell(events: &[Event]) -> bool {
    events.iter().all(|event| match event {
        Event::Relaxed(way, _) => way.parent.is_none_or(|parent| {
            parent
                .x
                .abs_diff(way.node.x)
                .max(parent.y.abs_diff(way.node.y))
                == 1
        }),
        Event::Reached(way) => way.parent.is_none(),
        _ => true,
    })
}

#[test]
fn a_recording_has_the_path_and_the_counts_of_its_search() {
    let mut scratch = SearchScratch::new();
    // Numbers of searches: with jump points, cell by cell on uniform cost, cell by cell on terrain, weighted.
    let mut seen = [0; 4];
    for seed in 0..cases(GRIDS) {
        let rng = &mut Rng::with_seed(seed);
        let grid = any_grid(rng, 60);
        for _ in 0..SEARCHES {
            let ((start, goal), options) = (any_ends(rng, &grid), any_options(rng));
            let what = format!("seed {seed}: {start} to {goal} by {options:?}");
            let layers = BodyLayers::from_grid(grid.clone(), options.diagonals);
            let mut plain = Plain::default();
            let found = layers.find_path_recorded(start, goal, &options, &mut scratch, &mut plain);
            let found = found.unwrap();
            let cells: Vec<Cell> = found.path.cells().collect();
            let recording = Recording::of_path(&grid, start, goal, &options, &mut scratch).unwrap();
            assert!(!recording.is_cut());
            assert!(recording.events().eq(plain.0.iter().copied()), "{what}");
            let end = recording.end().unwrap();
            assert_eq!((&end.path, end.cost), (&cells, found.path.cost), "{what}");
            assert_eq!((end.outcome, end.bound), (found.outcome, found.bound));
            let counts = recording.counts();
            check_work(counts, found.stats);
            let mut replay = Replay::new(recording);
            replay.seek(u32::MAX);
            assert_eq!(replay.counts(), counts, "{what}");
            let places: Vec<_> = cells.iter().map(|&cell| replay.path_place(cell)).collect();
            assert!(places.into_iter().eq((0..cells.len() as u32).map(Some)));
            check_parents(&grid, &replay, &found, &options, &what);
            let events = &plain.0;
            let kind = match () {
                () if options.weights.g != options.weights.h => 3,
                () if !is_cell_by_cell(events) => 0,
                () if grid.uniform_cost().is_some() => 1,
                () => 2,
            };
            seen[kind] += usize::from(events.len() > 10);
        }
    }
    assert!(seen.into_iter().min() > Some(cases(50)), "{seen:?}");
}

/// Asserts that the parents lead to the start by legal steps, and that the costs of these steps agree with the replay.
fn check_parents(
    grid: &Grid,
    replay: &Replay,
    found: &FoundPath,
    options: &PathOptions,
    what: &str,
) {
    let search = replay.recording().search();
    if found.outcome != Outcome::Complete || replay.len() < 3 {
        return;
    }
    let events: Vec<Event> = replay.recording().events().collect();
    let way = replay.way_to(search.goal);
    let ends = (way.first(), way.last());
    assert_eq!(ends, (Some(&search.start), Some(&search.goal)), "{what}");
    let g = |cell: Cell| replay.cell(cell).costs.map(|costs| costs.g);
    if !is_cell_by_cell(&events) {
        let unit = grid.uniform_cost().map_or(1, u64::from);
        for leg in way.windows(2).skip(1) {
            let open = octile(leg[0], leg[1]);
            assert!(g(leg[1]) >= g(leg[0]).map(|g| g + open * unit), "{what}");
        }
        assert_eq!(g(search.goal), Some(found.path.cost), "{what}");
        return;
    }
    let cost = oracle::walk_cost(grid, &way, search.diagonals).unwrap();
    assert!(
        Some(cost) <= g(search.goal),
        "{what}: a step was not reported"
    );
    let is_exact = options.weights.g == options.weights.h && found.bound == 1.0;
    if is_exact {
        assert_eq!(Some(cost), g(search.goal), "{what}");
        assert_eq!(cost, found.path.cost, "{what}");
    }
}

#[test]
fn every_look_at_a_neighbor_is_recorded_with_its_costs() {
    let mut scratch = SearchScratch::new();
    let mut kept = 0;
    for seed in 0..cases(600) {
        let rng = &mut Rng::with_seed(seed);
        let grid = any_grid(rng, 30);
        let ((start, goal), mut options) = (any_ends(rng, &grid), any_options(rng));
        options.algorithm = Algorithm::AStar;
        let recording = Recording::of_path(&grid, start, goal, &options, &mut scratch).unwrap();
        let mut from = None;
        for event in recording.events() {
            let (way, change) = match event {
                Event::Expanded(way) => {
                    from = Some(way);
                    continue;
                }
                Event::Relaxed(way, change) => (way, change),
                _ => continue,
            };
            let f = u64::from(options.weights.g) * way.g + u64::from(options.weights.h) * way.h;
            assert_eq!(way.f, f, "seed {seed}: {way:?}");
            kept += usize::from(change == Change::Kept);
            let Some(from) = from else {
                assert_eq!((way.node, way.g, way.parent), (start, 0, None));
                continue;
            };
            assert_eq!(way.parent, Some(from.node));
            let step = oracle::walk_cost(&grid, &[from.node, way.node], options.diagonals);
            assert_eq!(Some(way.g - from.g), step, "seed {seed}: {way:?}");
        }
    }
    assert!(kept > cases(1000), "only {kept} looks changed nothing");
}

#[test]
fn an_event_takes_less_than_six_bytes_or_nine_with_jump_points() {
    let rng = &mut Rng::with_seed(5);
    let grid = Grid::from_fn(200, 200, |_| rng.u8(0..5) != 0).unwrap();
    let mut grid = grid.to_builder();
    grid.set_free(Cell::new(0, 0), true).unwrap();
    let grid = grid.build();
    for (algorithm, heuristic, most) in [
        (Algorithm::AStar, Heuristic::Octile, 6.0),
        (Algorithm::AStar, Heuristic::Zero, 6.0),
        (Algorithm::JumpPoint, Heuristic::Octile, 9.0),
    ] {
        let options = PathOptions {
            algorithm,
            heuristic,
            ..PathOptions::default()
        };
        let (start, goal) = (Cell::new(0, 0), Cell::new(198, 197));
        let recording = Recording::of_path(&grid, start, goal, &options, &mut SearchScratch::new());
        let recording = recording.unwrap();
        let bytes = recording.log_bytes() as f64 / f64::from(recording.len());
        assert!(
            recording.len() > 1000 && bytes < most,
            "{algorithm:?}: {bytes}"
        );
    }
}

#[test]
fn a_search_that_begins_again_after_its_end_replaces_the_recording() {
    let grid = Grid::from_fn(9, 9, |cell| cell.x != 4 || cell.y == 0).unwrap();
    let (start, goal) = (Cell::new(1, 8), Cell::new(8, 8));
    let options = PathOptions::default();
    let scratch = &mut SearchScratch::new();
    let once = Recording::of_path(&grid, start, goal, &options, scratch).unwrap();
    let mut twice = once.clone();
    let layers = BodyLayers::from_grid(grid, options.diagonals);
    let found = layers.find_path_recorded(start, goal, &options, scratch, &mut twice);
    let found = found.unwrap();
    assert_eq!(twice.end(), None);
    twice.finish(&found, None);
    assert_eq!(twice, once);
}
