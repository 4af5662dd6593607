//! Recordings of trips over stored routes.

use fastrand::Rng;
use glam::Vec2;
use pursuit::search::{Change, oracle};
use pursuit::tables::SearchTables;
use pursuit::{Cell, DIAGONAL, DiagonalPolicy, Grid, NavMap, NavScratch, STRAIGHT};
use pursuit_lab::recording::Recording;
use pursuit_lab::recording::{Event, RecordedAlgorithm, RecordedSearch};
use pursuit_lab::replay::Mark;
use pursuit_lab::replay::Replay;
use pursuit_lab::routes::{RouteEntry, RouteMap, TripError, TripOptions};

const RADIUS: f32 = 0.45;
const SIDE: i32 = 72;

/// Rooms of nine cells with doors, and some rubble; on even ground, or with patches of mud.
fn any_map(rng: &mut Rng, has_mud: bool) -> NavMap {
    let doors: Vec<i32> = (0..64).map(|_| rng.i32(1..9)).collect();
    let is_wall = |cell: Cell| {
        let (x, y) = (cell.x % 9, cell.y % 9);
        let room = (cell.x / 9 * 7 + cell.y / 9 * 3) as usize;
        let is_door = x == 0 && y == doors[room % 64] || y == 0 && x == doors[(room + 1) % 64];
        (x == 0 || y == 0) && !is_door
    };
    let mut rubble = Rng::with_seed(rng.u64(..));
    let is_free = |cell| !is_wall(cell) && rubble.u8(0..40) > 0;
    let grid = Grid::from_fn(SIDE as u32, SIDE as u32, is_free).unwrap();
    let map = NavMap::new(&grid, 2.0, DiagonalPolicy::NoCornerCut);
    if !has_mud {
        return map;
    }
    let mut builder = grid.to_builder();
    for cell in grid.rect().cells() {
        builder
            .set_cost(cell, 1 + (cell.x / 5 + cell.y / 4) as u8 % 5)
            .unwrap();
    }
    map.with_costs(&builder.build()).unwrap()
}

/// A point of the largest region.
fn any_point(map: &NavMap, rng: &mut Rng) -> Vec2 {
    let ground = map.ground(RADIUS);
    let regions = ground.regions();
    let largest = regions.ids().max_by_key(|&id| regions.size(id));
    loop {
        let cell = Cell::new(rng.i32(0..SIDE), rng.i32(0..SIDE));
        if regions.region(cell) == largest {
            return cell.center();
        }
    }
}

fn any_routes(map: &NavMap, rng: &mut Rng) -> RouteMap {
    let mut builder = RouteMap::builder(RADIUS);
    for number in 0..12 {
        let name = format!("place {number}");
        builder.place(&name, any_point(map, rng)).unwrap();
    }
    builder.pave_all(map, 1.2, &mut NavScratch::new()).unwrap();
    builder.build().unwrap()
}

fn any_options(rng: &mut Rng) -> TripOptions {
    let mut options = TripOptions::default();
    options.entry = [RouteEntry::Anywhere, RouteEntry::NearestPlace][rng.usize(0..2)];
    options.reach = rng.bool().then(|| 20.0 * rng.f32());
    options
}

/// What the cheapest way costs where nothing is in it.
fn octile(from: Cell, to: Cell) -> u64 {
    let (dx, dy) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
    let (few, many) = (dx.min(dy), dx.max(dy));
    u64::from(few) * u64::from(DIAGONAL) + u64::from(many - few) * u64::from(STRAIGHT)
}

/// What a replay shows is right: costs of the search that is shown, and at the end the whole trip. How many searches there
/// were.
fn check(recording: &Recording, map: &NavMap) -> usize {
    let saved = Recording::from_bytes(&recording.to_bytes());
    assert_eq!(saved.as_ref(), Ok(recording));
    let events: Vec<Event> = recording.events().collect();
    let starts = events.iter().enumerate();
    let starts = starts.filter(|(_, event)| **event == Event::Started);
    let starts: Vec<usize> = starts.map(|(place, _)| place).collect();
    let ground = map.ground(RADIUS);
    let mut replay = Replay::new(recording.clone());
    for (search, &begin) in starts.iter().enumerate() {
        let end = starts.get(search + 1).copied().unwrap_or(events.len());
        let Some(Event::Reached(way)) = events[begin..end]
            .iter()
            .rev()
            .find(|event| matches!(event, Event::Reached(_)))
        else {
            continue;
        };
        replay.seek(end as u32);
        let cells = replay.way_to(way.node);
        let options = PathOptions {
            diagonals: ground.diagonals(),
            ..PathOptions::default()
        };
        if options.can_jump(ground.grid()) {
            // From one jump point to the next; the way out of a dead end is told as one leg, however it winds.
            let least: u64 = cells.windows(2).map(|leg| octile(leg[0], leg[1])).sum();
            assert!(least <= way.g, "the search {search} is shown wrong");
        } else {
            let cost = oracle::walk_cost(ground.grid(), &cells, ground.diagonals());
            assert_eq!(cost, Some(way.g), "the search {search} is shown wrong");
        }
    }
    replay.seek(u32::MAX);
    let end = recording.end().unwrap();
    assert!(end.path.iter().all(|&cell| replay.mark(cell) == Mark::Path));
    let is_step =
        |step: &[Cell]| step[0].x.abs_diff(step[1].x) <= 1 && step[0].y.abs_diff(step[1].y) <= 1;
    assert!(end.path.windows(2).all(is_step), "the way has gaps");
    let search = recording.search();
    let ends = [end.path.first(), end.path.last()];
    assert_eq!(ends, [Some(&search.start), Some(&search.goal)]);
    starts.len()
}

#[test]
fn trips_tell_all_that_their_searches_do_and_stay_as_they_are() {
    let (mut several, mut by_route, mut back, mut improved) = (0, 0, 0, 0);
    let scratch = &mut NavScratch::new();
    for seed in 0..16 {
        let rng = &mut Rng::with_seed(seed);
        let map = any_map(rng, seed % 2 == 0);
        let routes = any_routes(&map, rng);
        for _ in 0..40 {
            let [from, to, off] = [(); 3].map(|()| any_point(&map, rng));
            let options = any_options(rng);
            let plain = routes.trip(&map, from, to, &options, scratch).unwrap();
            let recorded = Recording::of_trip(&routes, &map, from, to, &options, scratch);
            let (trip, recording) = recorded.unwrap();
            assert_eq!(trip, plain, "seed {seed}");
            let counts = recording.counts();
            assert_eq!(counts.expanded, trip.expanded.into(), "seed {seed}");
            assert_eq!(counts.pushed, trip.pushed.into(), "seed {seed}");
            assert_eq!(recording.search().algorithm, RecordedAlgorithm::Trip);
            several += usize::from(check(&recording, &map) > 1);
            by_route += usize::from(trip.route.is_some());
            let is_improved = |event: &Event| matches!(event, Event::Relaxed(_, Change::Improved));
            improved += recording.events().filter(is_improved).count();
            let plain = routes.rejoin(&map, &trip, off, &options, scratch).unwrap();
            let mut recording = Recording::new(RecordedSearch::trip(&map, off, to));
            let again = routes.rejoin_recorded(&map, &trip, off, &options, scratch, &mut recording);
            let again = again.unwrap();
            assert_eq!(again, plain, "seed {seed}");
            recording.finish_trip(&again, None);
            let counts = recording.counts();
            assert_eq!(counts.expanded, again.expanded.into(), "seed {seed}");
            assert_eq!(counts.pushed, again.pushed.into(), "seed {seed}");
            // The way back, which led around something, and then a new trip.
            back += usize::from(check(&recording, &map) > 1);
        }
    }
    assert!(several > 100, "{several} trips had several searches");
    assert!(by_route > 100, "{by_route} trips followed a route");
    assert!(back > 50, "{back} walkers weighed two ways back");
    assert!(improved > 100, "{improved} nodes had another parent");
}

#[test]
fn trips_are_recorded_on_a_ground_with_tables_too() {
    let rng = &mut Rng::with_seed(7);
    let scratch = &mut NavScratch::new();
    let map = any_map(rng, false);
    let routes = any_routes(&map, rng);
    let ground = map.ground(RADIUS);
    let tables = SearchTables::build(ground.grid(), ground.diagonals());
    assert!(ground.set_tables(tables.unwrap()));
    let mut expanded = 0;
    for _ in 0..40 {
        let [from, to] = [(); 2].map(|()| any_point(&map, rng));
        let options = any_options(rng);
        let plain = routes.trip(&map, from, to, &options, scratch).unwrap();
        let recorded = Recording::of_trip(&routes, &map, from, to, &options, scratch);
        let (trip, recording) = recorded.unwrap();
        assert_eq!(trip.is_complete, plain.is_complete);
        let counts = recording.counts();
        assert_eq!(counts.expanded, trip.expanded.into());
        assert_eq!(counts.pushed, trip.pushed.into());
        check(&recording, &map);
        expanded += counts.expanded;
    }
    assert!(expanded > 100, "{expanded} nodes: tables answered");
}

#[test]
fn a_trip_that_falls_short_keeps_the_goal_that_was_asked_for() {
    let rng = &mut Rng::with_seed(9);
    let map = any_map(rng, false);
    let routes = any_routes(&map, rng);
    let (options, scratch) = (TripOptions::default(), &mut NavScratch::new());
    let (from, wall) = (any_point(&map, rng), Vec2::ZERO);
    let recorded = Recording::of_trip(&routes, &map, from, wall, &options, scratch);
    let (trip, recording) = recorded.unwrap();
    assert!(!trip.is_complete);
    assert_eq!(recording.search().goal, Cell::new(0, 0));
    assert_ne!(recording.end().unwrap().path.last(), Some(&Cell::new(0, 0)));
}

#[test]
fn a_trip_to_nowhere_is_no_recording() {
    let rng = &mut Rng::with_seed(8);
    let map = any_map(rng, false);
    let routes = any_routes(&map, rng);
    let (options, scratch) = (TripOptions::default(), &mut NavScratch::new());
    let from = any_point(&map, rng);
    let refused = Recording::of_trip(&routes, &map, from, "nowhere", &options, scratch);
    let expected = TripError::UnknownName("nowhere".to_owned());
    assert_eq!(refused.map(|_| ()), Err(expected));
}

#[test]
fn points_that_no_trip_has_are_noted_at_once() {
    let grid = Grid::from_fn(8, 8, |_| true).unwrap();
    let map = NavMap::new(&grid, 2.0, DiagonalPolicy::NoCornerCut);
    let routes = RouteMap::builder(RADIUS).build().unwrap();
    let (a, b) = (Cell::new(1, 1), Cell::new(6, 6));
    let (from, to) = (a.center(), b.center());
    let (options, scratch) = (TripOptions::default(), &mut NavScratch::new());
    let trip = routes.trip(&map, from, to, &options, scratch).unwrap();
    let far = |x: f32, y: f32| 1e30 * Vec2::new(x, y);
    for (waypoints, expected) in [
        (vec![Vec2::NAN, from], vec![a]),
        (vec![from, Vec2::INFINITY, to], vec![a, b]),
        (
            vec![from, Vec2::new(f32::NEG_INFINITY, 0.0), to],
            vec![a, b],
        ),
        (vec![far(1.0, 1.0), far(2.0, 2.0)], vec![]),
        (vec![far(-1.0, 0.0), far(1.0, 0.0), to], vec![b]),
        (vec![Vec2::MIN, Vec2::MAX, to], vec![b]),
    ] {
        let mut odd = trip.clone();
        (odd.waypoints, odd.length) = (waypoints, f32::NAN);
        let mut recording = Recording::new(RecordedSearch::trip(&map, from, to));
        recording.finish_trip(&odd, None);
        assert_eq!(recording.end().unwrap().path, expected, "{odd:?}");
        assert_eq!(
            Recording::from_bytes(&recording.to_bytes()),
            Ok(recording.clone())
        );
    }
}
