//! Waypoint maps: what they store, the trips over them, edits, and what is saved.

use glam::Vec2;
use pursuit::maps::parse_ascii;
use pursuit::oracle::{self, cases};
use pursuit::steer::length;
use pursuit::{
    Cell, CellRect, DiagonalPolicy, FindPathError, Grid, LiveMap, NavMap, NavScratch, RegionId,
};
use pursuit_lab::routes::{
    Destination, PlaceId, RoadId, RouteMap, RouteMapBuilder, RouteMapError, Trip, TripError,
    TripOptions,
};

pub(crate) const RADIUS: f32 = 0.45;

fn nav(grid: &Grid) -> NavMap {
    NavMap::new(grid, 2.0, DiagonalPolicy::NoCornerCut)
}

/// Rooms of `size` cells with doors, and some rubble.
fn rooms(rng: &mut fastrand::Rng, side: u32, size: i32) -> Grid {
    let doors: Vec<i32> = (0..64).map(|_| rng.i32(1..size)).collect();
    let rubble: Vec<Cell> = (0..side * side / 40)
        .map(|_| Cell::new(rng.i32(0..side as i32), rng.i32(0..side as i32)))
        .collect();
    let is_wall = |cell: Cell| {
        let (x, y) = (cell.x % size, cell.y % size);
        let room = (cell.x / size * 7 + cell.y / size * 3) as usize;
        let is_door = x == 0 && y == doors[room % 64] || y == 0 && x == doors[(room + 1) % 64];
        (x == 0 || y == 0) && !is_door
    };
    Grid::from_fn(side, side, |cell| !is_wall(cell) && !rubble.contains(&cell)).unwrap()
}

pub(crate) fn largest(map: &NavMap) -> RegionId {
    let layers = map.layers(RADIUS);
    let regions = layers.regions();
    regions.ids().max_by_key(|&id| regions.size(id)).unwrap()
}

pub(crate) fn cell_of(map: &NavMap, region: RegionId, rng: &mut fastrand::Rng) -> Cell {
    let layers = map.layers(RADIUS);
    let max = map.rect().max;
    loop {
        let cell = Cell::new(rng.i32(0..max.x), rng.i32(0..max.y));
        if layers.regions().region(cell) == Some(region) {
            return cell;
        }
    }
}

/// Places in the largest region, not paved.
fn places(map: &NavMap, count: usize, rng: &mut fastrand::Rng) -> RouteMapBuilder {
    let region = largest(map);
    let mut builder = RouteMap::builder(RADIUS);
    for number in 0..count {
        let name = format!("place {number}");
        let point = cell_of(map, region, rng).center();
        builder.place(&name, point).unwrap();
    }
    builder
}

pub(crate) fn paved(map: &NavMap, count: usize, stretch: f32, rng: &mut fastrand::Rng) -> RouteMap {
    let mut builder = places(map, count, rng);
    builder
        .pave_all(map, stretch, &mut NavScratch::new())
        .unwrap();
    builder.build().unwrap()
}

fn is_safe(map: &NavMap, a: Vec2, b: Vec2) -> bool {
    map.line_of_sight(a, b, RADIUS) || {
        // Or a run of steps.
        let (from, to) = (a.round(), b.round());
        let along = to - from;
        let count = along.abs().max_element();
        let cells: Vec<Cell> = (0..=count as i32)
            .map(|step| from + along * (step as f32 / count.max(1.0)))
            .map(|point| Cell::new(point.x as i32, point.y as i32))
            .collect();
        let layers = map.layers(RADIUS);
        a.distance(from) < 1e-3
            && b.distance(to) < 1e-3
            && oracle::walk_cost(layers.grid(), &cells, layers.diagonals()).is_some()
    }
}

/// A road straight from place `a` to place `b`.
fn one_road(a: Vec2, b: Vec2) -> RouteMap {
    let mut builder = RouteMap::builder(RADIUS);
    let ends = [("a", a), ("b", b)].map(|(name, at)| builder.place(name, at).unwrap());
    builder.road(ends[0], ends[1], &[]).unwrap();
    builder.build().unwrap()
}

#[track_caller]
fn check_trip(map: &NavMap, trip: &Trip, from: Vec2, to: Vec2) {
    assert_eq!(trip.waypoints.first(), Some(&from), "begins at the walker");
    assert_eq!(trip.waypoints.last(), Some(&to), "ends at the goal");
    assert!(trip.is_complete);
    let sum = length(&trip.waypoints);
    assert!((trip.length - sum).abs() <= 1e-3 * sum.max(1.0));
    let stored = length(&trip.waypoints[trip.stored.clone()]);
    assert!((trip.stored_length - stored).abs() <= 1e-3 * sum.max(1.0));
    assert!(trip.stored.is_empty() == trip.route.is_none());
    for leg in trip.waypoints.windows(2) {
        assert!(is_safe(map, leg[0], leg[1]), "{leg:?} leads through a wall");
    }
}

#[test]
fn routes_are_the_shortest_over_all_roads() {
    let mut rng = fastrand::Rng::with_seed(1);
    for _ in 0..cases(3000) {
        let count = rng.usize(1..12);
        let mut builder = RouteMap::builder(0.0);
        let point = |rng: &mut fastrand::Rng| Vec2::new(rng.f32(), rng.f32()) * 50.0;
        for name in 0..count {
            builder.place(&name.to_string(), point(&mut rng)).unwrap();
        }
        let mut naive = vec![vec![f32::INFINITY; count]; count];
        (0..count).for_each(|place| naive[place][place] = 0.0);
        for _ in 0..rng.usize(0..2 * count) {
            let [a, b] = [(); 2].map(|()| PlaceId(rng.u16(0..count as u16)));
            let between: Vec<Vec2> = (0..rng.usize(0..4)).map(|_| point(&mut rng)).collect();
            let is_one_way = rng.bool();
            let laid = if is_one_way {
                builder.one_way(a, b, &between)
            } else {
                builder.road(a, b, &between)
            };
            let Ok(road) = laid else {
                assert!(matches!(laid, Err(RouteMapError::Loop(_))) && a == b);
                continue;
            };
            let built = builder.clone().build().unwrap();
            let long = built.roads()[road.get()].length();
            naive[a.get()][b.get()] = naive[a.get()][b.get()].min(long);
            if !is_one_way {
                naive[b.get()][a.get()] = naive[b.get()][a.get()].min(long);
            }
        }
        for over in 0..count {
            for a in 0..count {
                for b in 0..count {
                    naive[a][b] = naive[a][b].min(naive[a][over] + naive[over][b]);
                }
            }
        }
        let routes = builder.build().unwrap();
        check_routes(&routes, &naive);
    }
}

/// Each route is as long as the naive search says, begins and ends at its places and follows its roads.
fn check_routes(routes: &RouteMap, naive: &[Vec<f32>]) {
    for (a, row) in naive.iter().enumerate() {
        for (b, &expected) in row.iter().enumerate() {
            let [from, to] = [a, b].map(|place| PlaceId(place as u16));
            let Some(route) = routes.route(from, to) else {
                assert!(expected.is_infinite(), "{a} to {b} takes {expected}");
                continue;
            };
            assert_eq!(route.waypoints.first(), Some(&routes.places()[a].point));
            assert_eq!(route.waypoints.last(), Some(&routes.places()[b].point));
            let walked = length(&route.waypoints);
            assert!((route.length - expected).abs() <= 1e-4 * expected.max(1.0));
            assert!((route.length - walked).abs() <= 1e-4 * expected.max(1.0));
            let mut at = from;
            for &(id, begin) in &route.roads {
                let road = &routes.roads()[id.get()];
                assert!(road.from == at || road.to == at && !road.is_one_way);
                assert_eq!(route.waypoints[begin], routes.places()[at.get()].point);
                at = if road.from == at { road.to } else { road.from };
            }
            assert_eq!(at, to);
        }
    }
}

#[test]
fn paved_routes_keep_their_stretch_and_their_lines_are_safe() {
    let mut rng = fastrand::Rng::with_seed(2);
    let scratch = &mut NavScratch::new();
    for round in 0..24 {
        let map = nav(&rooms(&mut rng, 60, 12));
        let stretch = [1.0, 1.1, 1.2, 1.5][round % 4];
        let routes = paved(&map, 12, stretch, &mut rng);
        assert_eq!(routes.clone().update(&map), []);
        for (a, from) in (0..).zip(routes.places()) {
            for (b, to) in (0..).zip(routes.places()) {
                let shortest = map
                    .taut_path(from.point, to.point, RADIUS, scratch)
                    .unwrap();
                let shortest = length(&shortest);
                let route = routes.route(PlaceId(a), PlaceId(b)).unwrap().length;
                // A taut path is not the same in both directions to the last bit.
                let most = stretch * shortest * 1.02 + 0.1;
                assert!(route <= most, "{route} above {stretch} times {shortest}");
            }
        }
    }
}

#[test]
fn an_endless_stretch_joins_all_places_by_as_few_roads_as_do() {
    let map = nav(&Grid::from_fn(40, 30, |_| true).unwrap());
    for stretch in [1e9, f32::MAX, f32::INFINITY] {
        let mut builder = RouteMap::builder(RADIUS);
        for (name, x) in [("a", 2.0), ("b", 30.0), ("c", 9.0), ("like a", 2.0)] {
            builder.place(name, Vec2::new(x, 5.0)).unwrap();
        }
        let laid = builder.pave_all(&map, stretch, &mut NavScratch::new());
        assert_eq!(laid, Ok(3), "stretch {stretch}");
        let again = builder.pave_all(&map, stretch, &mut NavScratch::new());
        assert_eq!(again, Ok(0), "stretch {stretch}");
    }
}

#[test]
fn trips_are_safe_and_bounded_by_the_way_over_their_places() {
    let mut rng = fastrand::Rng::with_seed(3);
    let scratch = &mut NavScratch::new();
    let (mut by_route, mut excess) = (0, 0.0);
    for _ in 0..20 {
        let map = nav(&rooms(&mut rng, 100, 10));
        let region = largest(&map);
        let routes = paved(&map, 16, 1.2, &mut rng);
        for _ in 0..60 {
            let [from, to] = [(); 2].map(|()| cell_of(&map, region, &mut rng).center());
            let shortest = length(&map.taut_path(from, to, RADIUS, scratch).unwrap());
            let trip = routes.trip(&map, from, to, &TripOptions::default(), scratch);
            let trip = trip.unwrap();
            check_trip(&map, &trip, from, to);
            assert_eq!(trip.broken, None);
            assert!(trip.length >= 0.9 * shortest - 0.1, "shorter than possible");
            if trip.route.is_some() {
                by_route += 1;
                excess += trip.length / shortest.max(1.0) - 1.0;
            }
        }
    }
    assert!(by_route > 600, "only {by_route} trips followed a route");
    let mean = excess / by_route as f32;
    // On small rooms, where a place is never far from both ends; a few percent on game maps.
    assert!(mean < 0.18, "trips are {mean} longer than the shortest way");
}

#[test]
fn a_walker_that_left_its_trip_is_led_back_into_it() {
    let mut rng = fastrand::Rng::with_seed(4);
    let scratch = &mut NavScratch::new();
    let options = TripOptions::default();
    let mut kept = 0;
    for _ in 0..10 {
        let map = nav(&rooms(&mut rng, 100, 10));
        let region = largest(&map);
        let routes = paved(&map, 16, 1.2, &mut rng);
        for _ in 0..40 {
            let [from, to, off] = [(); 3].map(|()| cell_of(&map, region, &mut rng).center());
            let trip = routes.trip(&map, from, to, &options, scratch).unwrap();
            let back = routes.rejoin(&map, &trip, off, &options, scratch).unwrap();
            check_trip(&map, &back, off, to);
            kept += usize::from(!back.stored.is_empty());
            // From a waypoint of the trip the rest of it is as good as ever.
            let middle = trip.waypoints.len() / 2;
            let rest = routes.rejoin(&map, &trip, trip.waypoints[middle], &options, scratch);
            let rest = rest.unwrap();
            check_trip(&map, &rest, trip.waypoints[middle], to);
            assert!(rest.length <= length(&trip.waypoints[middle..]) * 1.02 + 0.1);
        }
    }
    assert!(kept > 100, "only {kept} ways back kept a stored part");
}

#[test]
fn a_walker_is_led_back_into_a_trip_whose_stored_part_was_cut_off() {
    let mut rng = fastrand::Rng::with_seed(6);
    let (scratch, options) = (&mut NavScratch::new(), TripOptions::default());
    let map = nav(&rooms(&mut rng, 100, 10));
    let region = largest(&map);
    let routes = paved(&map, 16, 1.2, &mut rng);
    let (from, whole) = loop {
        let [from, to] = [(); 2].map(|()| cell_of(&map, region, &mut rng).center());
        let trip = routes.trip(&map, from, to, &options, scratch).unwrap();
        if trip.route.is_some() {
            break (from, trip);
        }
    };
    for cut in 1..=whole.waypoints.len() {
        for stored in [whole.stored.clone(), 0..usize::MAX] {
            let mut trip = whole.clone();
            trip.waypoints.truncate(cut);
            trip.stored = stored;
            let back = routes.rejoin(&map, &trip, from, &options, scratch);
            check_trip(&map, &back.unwrap(), from, whole.waypoints[cut - 1]);
        }
    }
}

#[test]
fn a_wall_across_a_road_is_found_and_routes_lead_around_it() {
    let grid = Grid::from_fn(40, 21, |cell| {
        cell.y == 3 || cell.y == 17 || cell.x % 39 == 0
    })
    .unwrap();
    let mut live = LiveMap::new(nav(&grid));
    let mut builder = RouteMap::builder(RADIUS);
    let [a, b] = [("west", 0.0), ("east", 39.0)]
        .map(|(name, x)| builder.place(name, Vec2::new(x, 10.0)).unwrap());
    let upper = [Vec2::new(0.0, 3.0), Vec2::new(39.0, 3.0)];
    let lower = [Vec2::new(0.0, 17.0), Vec2::new(39.0, 17.0)];
    builder.road(a, b, &upper).unwrap();
    builder.road(a, b, &lower).unwrap();
    let mut routes = builder.build().unwrap();
    assert_eq!(routes.update(live.map()), []);
    assert_eq!(routes.route(a, b).unwrap().roads, [(RoadId(0), 0)]);
    let (options, scratch) = (TripOptions::default(), &mut NavScratch::new());
    let [from, to] = [Vec2::new(0.0, 10.0), Vec2::new(39.0, 9.0)];
    let trip = routes.trip(live.map(), from, to, &options, scratch);
    let trip = trip.unwrap();

    let wall = CellRect::new(Cell::new(20, 3), Cell::new(21, 4));
    let closed = Grid::from_fn(40, 21, |cell| grid.is_free(cell) && !wall.contains(cell)).unwrap();
    let draw = |live: &mut LiveMap, grid: &Grid| {
        let clearance = nav(grid).clearance().clone();
        live.edit(&[wall.grow(4)], |distances| *distances = clearance)
            .unwrap();
    };
    draw(&mut live, &closed);
    let map = live.map().clone();
    // It is found on the way, by the trip, and by a look at all roads.
    let at = trip.blocked_ahead(&map, RADIUS, 1).unwrap();
    assert!(trip.waypoints[at].x >= 20.0 && trip.waypoints[at - 1].x <= 20.0);
    let around = routes.trip(&map, from, to, &options, scratch);
    let around = around.unwrap();
    check_trip(&map, &around, from, to);
    assert!(around.route.is_none() || around.broken.is_none());

    assert_eq!(routes.update(&map), [RoadId(0)]);
    assert!(!routes.is_open(RoadId(0)) && routes.is_open(RoadId(1)));
    assert_eq!(routes.route(a, b).unwrap().roads, [(RoadId(1), 0)]);
    draw(&mut live, &grid);
    assert_eq!(routes.update(live.map()), [RoadId(0)]);
    assert_eq!(routes.route(a, b).unwrap().roads, [(RoadId(0), 0)]);
}

#[test]
fn a_trip_says_which_road_is_blocked_and_leads_around_it() {
    let text = "..........\n.########.\n..........\n.########.\n..........";
    let grid = parse_ascii(text).unwrap().grid;
    let [from, to] = [0.0, 9.0].map(|x| Vec2::new(x, 2.0));
    let routes = one_road(from, to);
    let blocked = Grid::from_fn(10, 5, |cell| grid.is_free(cell) && cell != Cell::new(5, 2));
    let map = nav(&blocked.unwrap());
    let mut options = TripOptions::default();
    options.reach = Some(1.0);
    let trip = routes.trip(&map, from, "b", &options, &mut NavScratch::new());
    let trip = trip.unwrap();
    check_trip(&map, &trip, from, to);
    assert_eq!((trip.broken, trip.route), (Some(RoadId(0)), None));
}

#[test]
fn what_is_left_of_a_road_counts_from_where_it_is_joined() {
    let map = nav(&Grid::from_fn(60, 3, |_| true).unwrap());
    let [from, to, off] = [(0.0, 1.0), (59.0, 1.0), (30.0, 0.0)].map(Vec2::from);
    let (routes, scratch) = (one_road(from, to), &mut NavScratch::new());
    let mut options = TripOptions::default();
    options.reach = Some(1.0);
    let trip = routes.trip(&map, from, to, &options, scratch).unwrap();
    assert_eq!(trip.stored_length, 57.0, "all but the reach at both ends");
    let back = routes.rejoin(&map, &trip, off, &options, scratch).unwrap();
    check_trip(&map, &back, off, to);
    assert!((back.stored_length - 28.0).abs() < 1e-3, "{back:?}");
}

/// A wall with a gap at its end, and places on both sides of it, outside, and in it.
fn walled() -> (NavMap, RouteMap) {
    let map = nav(&Grid::from_fn(40, 40, |cell| cell.x != 20 || cell.y == 39).unwrap());
    let mut builder = RouteMap::builder(RADIUS);
    let places = [(-3.0, 0.0), (10.0, 30.0), (39.0, 0.0), (20.0, 20.0)];
    let names = ["outside", "west", "east", "wall"];
    let ids: Vec<PlaceId> = names
        .into_iter()
        .zip(places)
        .map(|(name, at)| builder.place(name, at.into()).unwrap())
        .collect();
    let below = [Vec2::new(-3.0, 50.0), Vec2::new(39.0, 50.0)];
    builder.road(ids[0], ids[2], &below).unwrap();
    builder.road(ids[1], ids[2], &[]).unwrap();
    builder.road(ids[1], ids[3], &[]).unwrap();
    (map, builder.build().unwrap())
}

#[test]
fn places_and_goals_outside_or_in_walls_leave_trips_as_good_as_searches() {
    let ((map, routes), scratch) = (walled(), &mut NavScratch::new());
    let ends = [
        (0.0, 0.0),
        (39.0, 2.0),
        (20.0, 20.0),
        (22.0, 20.0),
        (50.0, 0.0),
    ]
    .map(Vec2::from);
    let all = ends.into_iter().flat_map(|from| ends.map(|to| (from, to)));
    for (from, to) in all {
        let direct = map.taut_path(from, to, RADIUS, scratch);
        for mix in 0..6 {
            let mut options = TripOptions::default();
            options.verify = mix % 2 == 0;
            options.reach = [None, Some(1.0), Some(f32::NAN)][mix / 2];
            let trip = routes.trip(&map, from, to, &options, scratch);
            let what = format!("{from} to {to} by {options:?}");
            match (&trip, &direct) {
                (Ok(trip), Ok(direct)) => {
                    assert_eq!(trip.waypoints.last(), direct.last(), "{what}");
                    let back = routes.rejoin(&map, trip, ends[0], &options, scratch);
                    assert!(back.is_ok(), "{what}: {back:?}");
                }
                (Err(TripError::Search(error)), Err(expected)) => assert_eq!(error, expected),
                _ => panic!("{what}: {trip:?}"),
            }
        }
    }
}

#[test]
fn errors_are_reasons() {
    let grid = parse_ascii("....#....").unwrap().grid;
    let map = nav(&grid);
    let scratch = &mut NavScratch::new();
    let mut builder = RouteMap::builder(RADIUS);
    let a = builder.place("a", Vec2::ZERO).unwrap();
    let b = builder.place("b", Vec2::new(8.0, 0.0)).unwrap();
    let same = builder.place("a", Vec2::ONE);
    assert_eq!(same, Err(RouteMapError::SameName("a".into())));
    let nowhere = builder.place("c", Vec2::NAN).unwrap_err();
    assert!(matches!(nowhere, RouteMapError::PlaceNotFinite { .. }));
    assert_eq!(builder.road(a, a, &[]), Err(RouteMapError::Loop(RoadId(0))));
    let far = PlaceId(7);
    let unknown = builder.road(a, far, &[]);
    assert_eq!(unknown, Err(RouteMapError::UnknownPlace(far)));
    let nowhere = builder.road(a, b, &[Vec2::splat(f32::INFINITY)]);
    let nowhere = nowhere.unwrap_err();
    assert!(matches!(
        nowhere,
        RouteMapError::PointNotFinite { index: 1, .. }
    ));
    for stretch in [0.9, f32::NAN] {
        let refused = builder.pave_all(&map, stretch, scratch).unwrap_err();
        assert!(matches!(refused, RouteMapError::Stretch(_)), "{stretch}");
    }
    let laid = builder.pave_all(&map, 1.0, scratch);
    assert_eq!(laid, Ok(0), "nothing joins them");
    for (name, x) in [("in the wall", 4.0), ("outside", 90.0)] {
        let mut walled = builder.clone();
        walled.place(name, Vec2::new(x, 0.0)).unwrap();
        let blocked = RouteMapError::PlaceBlocked(name.into());
        assert_eq!(walled.pave_all(&map, 1.2, scratch), Err(blocked));
    }
    for radius in [f32::NAN, -1.0, f32::INFINITY] {
        let refused = RouteMap::builder(radius).build().unwrap_err();
        assert!(matches!(refused, RouteMapError::Radius(_)), "{radius}");
    }

    let routes = builder.build().unwrap();
    let options = TripOptions::default();
    let mut to = |to: Destination<'_>| routes.trip(&map, Vec2::ZERO, to, &options, scratch);
    assert_eq!(to("c".into()), Err(TripError::UnknownName("c".into())));
    assert_eq!(to(far.into()), Err(TripError::UnknownPlace(far)));
    assert_eq!(to("b".into()), Err(TripError::NoWay("b".into())));
    let near = to(Vec2::new(8.0, 0.0).into()).unwrap();
    assert!(!near.is_complete, "as near as it gets");
    assert_eq!(near.waypoints.last(), Some(&Vec2::new(3.0, 0.0)));
    let outside = to(Vec2::new(90.0, 0.0).into());
    let cell = Cell::new(90, 0);
    let beyond = TripError::Search(FindPathError::GoalOutside(cell));
    assert_eq!(outside, Err(beyond));
    let nowhere = TripError::Search(FindPathError::GoalNotFinite);
    assert_eq!(to(Vec2::NAN.into()), Err(nowhere));
    let wall = Grid::from_fn(30, 9, |cell| cell.x < 10 || cell.x > 20).unwrap();
    let inside = Vec2::new(15.0, 4.0);
    let stuck = routes.trip(&nav(&wall), inside, Vec2::ONE, &options, scratch);
    let blocked = FindPathError::StartBlocked(Cell::new(15, 4));
    assert_eq!(stuck, Err(TripError::Search(blocked)));
}

#[test]
fn what_is_saved_is_loaded_as_it_was() {
    let mut rng = fastrand::Rng::with_seed(6);
    let map = nav(&rooms(&mut rng, 60, 12));
    let routes = paved(&map, 10, 1.2, &mut rng);
    let bytes = postcard::to_allocvec(&routes).unwrap();
    let again: RouteMap = postcard::from_bytes(&bytes).unwrap();
    assert_eq!(again.places(), routes.places());
    assert_eq!(again.roads(), routes.roads());
    assert_eq!(again.radius(), routes.radius());
    for (a, b) in (0..10).flat_map(|a| (0..10).map(move |b| (PlaceId(a), PlaceId(b)))) {
        assert_eq!(again.route(a, b), routes.route(a, b));
    }
    assert_eq!(postcard::to_allocvec(&again).unwrap(), bytes);
}

#[test]
fn damaged_files_are_refused_or_are_other_maps_and_never_panic() {
    let mut rng = fastrand::Rng::with_seed(7);
    let map = nav(&rooms(&mut rng, 60, 12));
    let routes = paved(&map, 6, 1.2, &mut rng);
    let bytes = postcard::to_allocvec(&routes).unwrap();
    let mut refused = 0;
    for _ in 0..cases(20_000) {
        let mut damaged = bytes.clone();
        match rng.u8(0..3) {
            0 => damaged.truncate(rng.usize(0..bytes.len())),
            1 => damaged[rng.usize(0..bytes.len())] ^= 1 << rng.u8(0..8),
            _ => damaged[rng.usize(0..bytes.len())] = rng.u8(..),
        }
        match postcard::from_bytes::<RouteMap>(&damaged) {
            Ok(other) => {
                let count = other.places().len() as u16;
                for (a, b) in (0..count).flat_map(|a| (0..count).map(move |b| (a, b))) {
                    let _ = other.route(PlaceId(a), PlaceId(b));
                }
                let _ = other.clone().update(&map);
            }
            Err(_) => refused += 1,
        }
    }
    assert!(
        refused > cases(5_000),
        "only {refused} damaged files were refused"
    );
    // A length of two billion places, and nothing behind it.
    let huge = [1, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x07];
    assert!(postcard::from_bytes::<RouteMap>(&huge).is_err());
    let mut newer = bytes.clone();
    newer[0] = 9;
    assert!(postcard::from_bytes::<RouteMap>(&newer).is_err());
}

#[test]
fn a_map_without_places_searches_every_trip() {
    let map = nav(&Grid::from_fn(30, 30, |cell| cell.x != 15 || cell.y == 29).unwrap());
    let routes = RouteMap::builder(RADIUS).build().unwrap();
    let [from, to] = [Vec2::ZERO, Vec2::new(29.0, 0.0)];
    let (options, scratch) = (TripOptions::default(), &mut NavScratch::new());
    let trip = routes.trip(&map, from, to, &options, scratch).unwrap();
    check_trip(&map, &trip, from, to);
    assert_eq!(trip.route, None);
    assert_eq!(routes.route(PlaceId(0), PlaceId(0)), None);
    assert_eq!(routes.route(PlaceId(3), PlaceId(0)), None);
}

#[test]
fn a_map_of_513_to_1024_places_is_built_paved_and_loaded() {
    let map = nav(&Grid::from_fn(64, 64, |_| true).unwrap());
    for count in [512, 513, 1024] {
        let mut builder = RouteMap::builder(RADIUS);
        let mut last = None;
        for number in 0..count {
            let point = Vec2::new((number % 32) as f32, (number / 32) as f32);
            let place = builder.place(&number.to_string(), point).unwrap();
            if let Some(last) = last.replace(place) {
                builder.road(last, place, &[]).unwrap();
            }
        }
        let laid = builder.pave_all(&map, f32::INFINITY, &mut NavScratch::new());
        assert_eq!(laid, Ok(0), "all places are joined");
        let routes = builder.build().unwrap();
        assert_eq!(routes.reach(), 1.0);
        let bytes = postcard::to_allocvec(&routes).unwrap();
        let loaded: RouteMap = postcard::from_bytes(&bytes).unwrap();
        assert_eq!(loaded.places(), routes.places());
    }
}
