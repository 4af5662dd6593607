//! Tests of stored routes, and of trips over them.

use pursuit::glam::Vec2;
use pursuit::maps::parse_ascii;
use pursuit::oracle::{self, cases};
use pursuit::steer::length;
use pursuit::{Cell, DiagonalPolicy, Grid, NavMap, NavScratch, RegionId};
use pursuit_lab::routes::{Place, RouteMap, Trip};

const RADIUS: f32 = 0.45;

fn nav(grid: &Grid) -> NavMap {
    NavMap::new(grid, 2.0, DiagonalPolicy::NoCornerCut)
}

/// Rooms with sides of `size` cells, with doors and some rubble.
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

fn largest(map: &NavMap) -> RegionId {
    let layers = map.layers(RADIUS);
    let regions = layers.regions();
    regions.ids().max_by_key(|&id| regions.size(id)).unwrap()
}

fn cell_of(map: &NavMap, region: RegionId, rng: &mut fastrand::Rng) -> Cell {
    let layers = map.layers(RADIUS);
    let max = map.rect().max;
    loop {
        let cell = Cell::new(rng.i32(0..max.x), rng.i32(0..max.y));
        if layers.regions().region(cell) == Some(region) {
            return cell;
        }
    }
}

fn places(points: impl IntoIterator<Item = Vec2>) -> Vec<Place> {
    let named = points.into_iter().zip(0..).map(|(point, number)| Place {
        name: format!("place {number}"),
        point,
    });
    named.collect()
}

/// A route map with random places in the largest region, and with roads.
fn paved(map: &NavMap, count: usize, stretch: f32, rng: &mut fastrand::Rng) -> RouteMap {
    let region = largest(map);
    let points = (0..count).map(|_| cell_of(map, region, rng).center());
    let mut routes = RouteMap::new(RADIUS, places(points));
    routes
        .pave_all(map, stretch, &mut NavScratch::new())
        .unwrap();
    routes
}

fn is_safe(map: &NavMap, a: Vec2, b: Vec2) -> bool {
    map.line_of_sight(a, b, RADIUS) || {
        // A line that consists of legal steps is also safe.
        let (from, to) = (a.round(), b.round());
        let along = to - from;
        let count = along.abs().max_element();
        let cells: Vec<Cell> = (0..=count as i32)
            .map(|step| from + along * (step as f32 / count.max(1.0)))
            .map(|point| Cell::new(point.x as i32, point.y as i32))
            .collect();
        let layers = map.layers(RADIUS);
        oracle::walk_cost(layers.grid(), &cells, layers.diagonals()).is_some()
    }
}

#[track_caller]
fn check_trip(map: &NavMap, trip: &Trip, from: Vec2, to: Vec2) {
    assert_eq!(
        trip.waypoints.first(),
        Some(&from),
        "the trip does not begin at the walker"
    );
    assert_eq!(
        trip.waypoints.last(),
        Some(&to),
        "the trip does not end at the goal"
    );
    assert!(trip.stored.end <= trip.waypoints.len());
    assert!(trip.stored_length() <= trip.length());
    for leg in trip.waypoints.windows(2) {
        assert!(is_safe(map, leg[0], leg[1]), "{leg:?} leads through a wall");
    }
}

#[test]
fn routes_are_the_shortest_over_all_roads() {
    let mut rng = fastrand::Rng::with_seed(1);
    let map = nav(&Grid::from_fn(60, 60, |_| true).unwrap());
    for _ in 0..cases(2000) {
        let count = rng.usize(1..12);
        let point = |rng: &mut fastrand::Rng| Vec2::new(rng.f32(), rng.f32()) * 50.0 + 2.0;
        let points: Vec<Vec2> = (0..count).map(|_| point(&mut rng)).collect();
        let mut routes = RouteMap::new(RADIUS, places(points.iter().copied()));
        let mut naive = vec![vec![f32::INFINITY; count]; count];
        (0..count).for_each(|place| naive[place][place] = 0.0);
        for _ in 0..rng.usize(0..2 * count) {
            let ends = [(); 2].map(|()| rng.usize(0..count));
            let between: Vec<Vec2> = (0..rng.usize(0..4)).map(|_| point(&mut rng)).collect();
            assert!(routes.road(&map, ends, &between));
            let way = [&[points[ends[0]]], &between[..], &[points[ends[1]]]].concat();
            for [a, b] in [ends, [ends[1], ends[0]]] {
                naive[a][b] = naive[a][b].min(length(&way));
            }
        }
        for middle in 0..count {
            for from in 0..count {
                for to in 0..count {
                    let way = naive[from][middle] + naive[middle][to];
                    naive[from][to] = naive[from][to].min(way);
                }
            }
        }
        for (from, row) in naive.iter().enumerate() {
            for (to, &shortest) in row.iter().enumerate() {
                let route = routes.route([from, to]);
                assert_eq!(route.is_some(), shortest.is_finite());
                let Some(route) = route else { continue };
                assert_eq!(
                    (route[0], route[route.len() - 1]),
                    (points[from], points[to])
                );
                for own in [length(&route), routes.length([from, to])] {
                    assert!((own - shortest).abs() < 0.01, "{own} is not {shortest}");
                }
            }
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
        for road in routes.roads() {
            let mut legs = road.points.windows(2);
            assert!(legs.all(|leg| is_safe(&map, leg[0], leg[1])));
        }
        for (a, from) in routes.places().iter().enumerate() {
            for (b, to) in routes.places().iter().enumerate() {
                let shortest = map.taut_path(from.point, to.point, RADIUS, scratch);
                let shortest = length(&shortest.unwrap());
                let route = routes.length([a, b]);
                // The lengths of a taut path in its two directions may differ in the last bits.
                let most = stretch * shortest * 1.02 + 0.1;
                assert!(route <= most, "{route} above {stretch} times {shortest}");
            }
        }
    }
}

#[test]
fn an_infinite_stretch_joins_all_places_by_as_few_roads_as_possible() {
    let map = nav(&Grid::from_fn(40, 30, |_| true).unwrap());
    let points = [2.0, 30.0, 9.0, 2.0].map(|x| Vec2::new(x, 5.0));
    let mut routes = RouteMap::new(RADIUS, places(points));
    for _ in 0..2 {
        let paved = routes.pave_all(&map, f32::INFINITY, &mut NavScratch::new());
        assert!(paved.is_ok() && routes.roads().len() == 3);
    }
}

#[test]
fn trips_are_safe_and_on_average_less_than_a_fifth_longer_than_the_shortest_path() {
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
            let trip = routes.trip(&map, from, to, scratch).unwrap();
            check_trip(&map, &trip, from, to);
            assert!(trip.length() >= 0.9 * shortest - 0.1);
            if !trip.stored.is_empty() {
                by_route += 1;
                excess += trip.length() / shortest.max(1.0) - 1.0;
            }
        }
    }
    assert!(by_route > 600, "only {by_route} trips followed a route");
    let mean = excess / by_route as f32;
    assert!(
        mean < 0.18,
        "trips are {mean} longer than the shortest path"
    );
}

#[test]
fn a_road_through_a_wall_is_not_laid_and_trips_without_routes_are_searched() {
    let map = parse_ascii("A....#....\n.....#...B\n.....#....\n..........").unwrap();
    let [a, b] = ['A', 'B'].map(|mark| map.find(mark).unwrap().center());
    let map = nav(&map.grid);
    let mut routes = RouteMap::new(RADIUS, places([a, b]));
    assert!(!routes.road(&map, [0, 1], &[]));
    assert!(
        !routes.road(&map, [0, 2], &[]),
        "a road to a place that does not exist was laid"
    );
    assert_eq!(routes.route([0, 1]), None);
    let scratch = &mut NavScratch::new();
    let trip = routes.trip(&map, a, b, scratch).unwrap();
    check_trip(&map, &trip, a, b);
    assert!(trip.stored.is_empty());
    // This road leads around the end of the wall.
    assert!(routes.road(&map, [0, 1], &[Vec2::new(4.0, 3.0), Vec2::new(6.0, 3.0)]));
    assert!(routes.route([1, 0]).is_some());
    assert!(routes.trip(&map, a, Vec2::new(99.0, 0.0), scratch).is_err());
}

#[test]
fn a_trip_on_a_map_without_places_is_searched() {
    let map = nav(&Grid::from_fn(9, 9, |_| true).unwrap());
    let (from, to) = (Vec2::ZERO, Vec2::splat(8.0));
    let trip = RouteMap::new(RADIUS, Vec::new()).trip(&map, from, to, &mut NavScratch::new());
    check_trip(&map, &trip.unwrap(), from, to);
}

#[test]
fn no_route_joins_a_place_that_does_not_exist() {
    let map = nav(&Grid::from_fn(9, 9, |_| true).unwrap());
    let mut routes = RouteMap::new(RADIUS, places([Vec2::ONE, Vec2::splat(6.0)]));
    assert!(routes.road(&map, [0, 1], &[]));
    for ends in [
        [0, 2],
        [2, 0],
        [0, 3],
        [3, 3],
        [1, usize::MAX],
        [usize::MAX, 1],
    ] {
        assert_eq!(routes.route(ends), None, "{ends:?}");
        assert_eq!(routes.length(ends), f32::INFINITY, "{ends:?}");
    }
}
