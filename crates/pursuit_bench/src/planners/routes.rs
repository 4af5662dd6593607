//! Trips over stored routes on large maps, beside searches of the whole way.

use std::path::Path;

use fastrand::Rng;
use pursuit::glam::Vec2;
use pursuit::steer::length;
use pursuit::{
    Algorithm, Cell, DiagonalPolicy, FindPathError, FoundPath, NavMap, NavScratch, PathOptions,
};
use pursuit_lab::routes::{RouteMap, Trip, TripOptions};
use serde_json::{Value, json};

use super::ground::largest_region;
use super::rows::{Rows, SEED};
use crate::clock::Clock;
use crate::error::BenchError;
use crate::game::agent::AGENT_RADIUS as RADIUS;
use crate::mapset::{self, MapSet};
use crate::samples::Samples;

/// Trips per map.
const TRIPS: usize = 10_000;
/// Places per map.
const PLACES: usize = 40;
/// How much longer than the shortest way a route may be.
const STRETCH: f32 = 1.2;
/// Largest radius of the map, in cells.
const CAP: f32 = 2.0;

/// Measures the maps of all sets that are large enough.
pub(super) fn measure(
    sets: &[MapSet],
    least_side: u32,
    every: usize,
    clock: &Clock,
) -> Result<Rows, BenchError> {
    let mut rows = Rows::default();
    for path in sets.iter().flat_map(|set| &set.maps) {
        let grid = mapset::load_map(path)?;
        if grid.width().min(grid.height()) < least_side {
            continue;
        }
        let map = NavMap::new(&grid, CAP, DiagonalPolicy::NoCornerCut);
        run(path, &map, TRIPS.div_ceil(every), clock, &mut rows)?;
    }
    Ok(rows)
}

fn run(
    path: &Path,
    map: &NavMap,
    count: usize,
    clock: &Clock,
    rows: &mut Rows,
) -> Result<(), BenchError> {
    let cells = largest_region(&map.layers(RADIUS));
    let mut random = Rng::with_seed(SEED);
    let mut cell = || random.choice(&cells).copied();
    let places: Vec<Cell> = (0..PLACES).filter_map(|_| cell()).collect();
    let ends: Vec<(Cell, Cell)> = (0..count).filter_map(|_| cell().zip(cell())).collect();
    let mut scratch = NavScratch::new();
    let (routes, us) = clock.time(|| built(map, &places, &mut scratch));
    let no_routes = || BenchError::at(path, "no roads can be laid between its places");
    let routes = routes.ok_or_else(no_routes)?;
    let mut tally = Tally::default();
    tally.run(map, &routes, &ends, &mut scratch, clock);
    let mut row = tally.row();
    let name = mapset::stem(path);
    row["size"] = json!([map.rect().width(), map.rect().height()]);
    row["places"] = routes.places().len().into();
    row["roads"] = routes.roads().len().into();
    // Takes to lay the roads and to work out all routes.
    row["build_ms"] = (us / 1e3).into();
    row["saved_bytes"] = saved_bytes(&routes).into();
    let wrong = tally.wrong;
    let fault = (wrong > 0).then(|| format!("routes on {name}: {wrong} wrong trips"));
    row["map"] = name.into();
    rows.add(row, fault);
    Ok(())
}

/// `None` where no roads can be laid.
fn built(map: &NavMap, places: &[Cell], scratch: &mut NavScratch) -> Option<RouteMap> {
    let mut builder = RouteMap::builder(RADIUS);
    for (number, place) in places.iter().enumerate() {
        let added = builder.place(&format!("place {number}"), place.center());
        added.ok()?;
    }
    builder.pave_all(map, STRETCH, scratch).ok()?;
    builder.build().ok()
}

/// How many bytes a waypoint map takes as it is saved, in the format of `postcard`.
fn saved_bytes(routes: &RouteMap) -> usize {
    postcard::to_allocvec(routes).map_or(0, |bytes| bytes.len())
}

#[derive(Default)]
struct Tally {
    us: [Samples; 4],
    excess: Samples,
    /// Lengths of all trips, and of the shortest ways.
    lengths: [f64; 2],
    by_route: usize,
    wrong: usize,
}

impl Tally {
    fn run(
        &mut self,
        map: &NavMap,
        routes: &RouteMap,
        ends: &[(Cell, Cell)],
        scratch: &mut NavScratch,
        clock: &Clock,
    ) {
        let mut shortest = vec![0.0; ends.len()];
        let taut = |at: usize| {
            let (from, to) = ends[at];
            map.taut_path(from.center(), to.center(), RADIUS, scratch)
        };
        self.us[3] = clock.time_each(ends.len(), taut, |at, way| {
            shortest[at] = way.map_or(0.0, |way| length(&way));
        });
        let options = TripOptions::default();
        let trip = |at: usize| {
            let (from, to) = ends[at];
            routes.trip(map, from.center(), to.center(), &options, scratch)
        };
        self.us[0] = clock.time_each(ends.len(), trip, |at, trip| {
            let to = ends[at].1.center();
            let trip = trip.ok().filter(|trip| leads_there(map, trip, to));
            match trip {
                Some(trip) => self.note(&trip, shortest[at]),
                None => self.wrong += 1,
            }
        });
        for (which, algorithm) in [(1, Algorithm::AStar), (2, Algorithm::JumpPoint)] {
            let search = |at: usize| search(map, ends[at], algorithm, scratch);
            let check = |_, found: Result<FoundPath, FindPathError>| {
                self.wrong += usize::from(found.is_err());
            };
            self.us[which] = clock.time_each(ends.len(), search, check);
        }
    }

    fn note(&mut self, trip: &Trip, shortest: f32) {
        self.by_route += usize::from(trip.route.is_some());
        if shortest > 0.0 {
            let lengths = [trip.length, shortest].map(f64::from);
            self.excess.push(percent_more(lengths));
            self.lengths[0] += lengths[0];
            self.lengths[1] += lengths[1];
        }
    }

    fn row(&self) -> Value {
        let us = |at: usize| self.us[at].mean().unwrap_or_default();
        let p = |share| self.excess.percentile(share).unwrap_or_default();
        json!({
            "trips": self.us[0].len(),
            // Trips of which a part is stored.
            "by_route": self.by_route,
            // Means. Trips are compared with the shortest way by straight lines, `taut`.
            "trip_us": us(0),
            "astar_us": us(1),
            "jump_us": us(2),
            "taut_us": us(3),
            // By how many percent trips are longer than that.
            "excess_mean": self.excess.mean().unwrap_or_default(),
            "excess_p95": p(0.95),
            "excess_max": p(1.0),
            // The same of the lengths of all trips together, so that long ones count for more.
            "excess_sum": percent_more(self.lengths),
            // Trips that do not lead to their goal, or through a wall.
            "wrong": self.wrong,
        })
    }
}

fn search(
    map: &NavMap,
    (from, to): (Cell, Cell),
    algorithm: Algorithm,
    scratch: &mut NavScratch,
) -> Result<FoundPath, FindPathError> {
    let options = PathOptions {
        algorithm,
        ..PathOptions::default()
    };
    map.find_path(from, to, RADIUS, &options, scratch)
}

/// Whether a body can walk all of a trip, to the goal.
fn leads_there(map: &NavMap, trip: &Trip, to: Vec2) -> bool {
    let ends_there = trip.is_complete && trip.waypoints.last() == Some(&to);
    ends_there && trip.blocked_ahead(map, RADIUS, 0).is_none()
}

/// By how many percent the first is more; 0 of nothing.
fn percent_more([own, other]: [f64; 2]) -> f64 {
    if other > 0.0 {
        100.0 * (own / other - 1.0)
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::{leads_there, saved_bytes};
    use pursuit::glam::Vec2;
    use pursuit::maps::parse_ascii;
    use pursuit::{DiagonalPolicy, NavMap, NavScratch};
    use pursuit_lab::routes::{RouteMap, TripOptions};

    #[test]
    fn saved_are_the_version_the_radius_the_places_and_the_roads() {
        let mut builder = RouteMap::builder(0.4);
        let mut place = |name, x| builder.place(name, Vec2::new(x, 0.0)).unwrap();
        let (a, b) = (place("a", 0.0), place("bc", 9.0));
        builder.road(a, b, &[Vec2::ONE]).unwrap();
        // A byte for the version and each count, number and flag; 4 for the radius, 8 for a point.
        let places = 1 + (1 + 1 + 8) + (1 + 2 + 8);
        let roads = 1 + (1 + 1 + (1 + 3 * 8) + 1);
        let routes = builder.build().unwrap();
        assert_eq!(saved_bytes(&routes), 1 + 4 + places + roads);
    }

    #[test]
    fn a_trip_into_a_wall_or_elsewhere_is_wrong() {
        let map = |text| {
            let grid = parse_ascii(text).unwrap().grid;
            NavMap::new(&grid, 2.0, DiagonalPolicy::NoCornerCut)
        };
        let (open, closed) = (map("......"), map("...#.."));
        let routes = RouteMap::builder(0.4).build().unwrap();
        let to = Vec2::new(5.0, 0.0);
        let (options, scratch) = (TripOptions::default(), &mut NavScratch::new());
        let trip = routes.trip(&open, Vec2::ZERO, to, &options, scratch);
        let trip = trip.unwrap();
        assert!(leads_there(&open, &trip, to));
        assert!(!leads_there(&closed, &trip, to));
        assert!(!leads_there(&open, &trip, Vec2::new(4.0, 0.0)));
    }
}
