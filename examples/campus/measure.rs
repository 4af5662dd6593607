//! A trip by stored routes beside full searches: time, length, memory.

use std::hint::black_box;
use std::time::{Duration, Instant};

use pursuit::glam::Vec2;
use pursuit::search::{Algorithm, PathOptions};
use pursuit::steer::length;
use pursuit::{FindPathError, NavMap, NavScratch, SearchScratch, TautScratch, taut_path};
use pursuit_lab::routes::{Destination, PlaceId, RouteMap, Trip, TripError, TripOptions};

/// Each is done this often; the time in the middle counts.
const TIMES: usize = 5;

/// Ways to plan, slowest last.
pub(crate) const METHODS: [&str; 3] = ["stored routes", "jump points", "A*"];

/// What one trip cost, by each of [`METHODS`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Figures {
    pub(crate) took: [Duration; 3],
    pub(crate) expanded: [u32; 3],
    /// Length of the trip, in cells.
    pub(crate) length: f32,
    /// Length of the shortest way that was found, in cells.
    pub(crate) shortest: f32,
}

impl Figures {
    /// By how much the trip is longer than the shortest way, in percent.
    pub(crate) fn excess(&self) -> f32 {
        100.0 * (self.length / self.shortest.max(1e-3) - 1.0).max(0.0)
    }
}

/// Working memory of all methods.
#[derive(Default)]
pub(crate) struct Scratch {
    pub(crate) nav: NavScratch,
    a_star: SearchScratch,
    taut: TautScratch,
}

/// What is held in memory, and what is taken for a while, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Memory {
    /// Places, roads, and the table of routes.
    pub(crate) table: usize,
    /// All routes, if each was written out.
    pub(crate) written_out: usize,
    /// What a trip works with.
    pub(crate) trip: u64,
    /// What A* works with.
    pub(crate) a_star: u64,
}

/// Plans a trip and measures it.
///
/// # Errors
///
/// Those of the trip.
pub(crate) fn measure<'d>(
    map: &NavMap,
    routes: &RouteMap,
    from: Vec2,
    to: impl Into<Destination<'d>>,
    scratch: &mut Scratch,
) -> Result<(Trip, Figures), TripError> {
    let options = TripOptions::default();
    let to = to.into();
    let planned = timed(|| routes.trip(map, from, to, &options, &mut scratch.nav));
    let (trip_took, trip) = (planned.0, planned.1?);
    let goal = trip.waypoints.last().copied().unwrap_or(from);
    let radius = routes.radius();
    let (jump_took, way) = timed(|| map.taut_path(from, goal, radius, &mut scratch.nav));
    let jump_length = length(&way?);
    let (a_star_took, found) = timed(|| a_star(map, radius, from, goal, scratch));
    let (a_star_length, expanded) = found?;
    let jumps = PathOptions::default();
    let ground = map.ground(radius);
    let ends = [from, goal].map(|point| ground.nearest_free(point));
    let jumped = match ends {
        [Some(first), Some(last)] => {
            let found = map.find_path(first, last, radius, &jumps, &mut scratch.nav)?;
            found.stats.expanded
        }
        _ => 0,
    };
    let figures = Figures {
        took: [trip_took, jump_took, a_star_took],
        expanded: [trip.expanded, jumped, expanded],
        length: trip.length,
        shortest: jump_length.min(a_star_length),
    };
    Ok((trip, figures))
}

/// The textbook's way: A* over all cells, then pulled taut. Its length, and how many cells it expanded.
fn a_star(
    map: &NavMap,
    radius: f32,
    from: Vec2,
    goal: Vec2,
    scratch: &mut Scratch,
) -> Result<(f32, u32), FindPathError> {
    let ground = map.ground(radius);
    let [Some(first), Some(last)] = [from, goal].map(|point| ground.nearest_free(point)) else {
        return Err(FindPathError::BadRadius);
    };
    let options = PathOptions {
        algorithm: Algorithm::AStar,
        ..PathOptions::default()
    };
    let found = ground.find_path(first, last, &options, &mut scratch.a_star)?;
    let turns = &found.path.turns;
    let way = taut_path(
        map.clearance(),
        from,
        turns,
        Some(goal),
        radius,
        &mut scratch.taut,
    );
    Ok((length(&way), found.stats.expanded))
}

/// What is stored, and the most that one of the trips between places takes.
pub(crate) fn memory(map: &NavMap, routes: &RouteMap) -> Memory {
    let mut memory = Memory {
        table: routes.bytes(),
        ..Memory::default()
    };
    // What belongs to the map, for all methods, is worked out before.
    let _ = map.ground(routes.radius());
    let options = TripOptions::default();
    let ids = || (0..routes.places().len() as u16).map(PlaceId);
    for (from, to) in ids().flat_map(|from| ids().map(move |to| (from, to))) {
        let Some(route) = routes.route(from, to).filter(|_| from != to) else {
            continue;
        };
        memory.written_out += size_of::<Vec<Vec2>>() + size_of_val(&*route.waypoints);
        let [start, goal] = [from, to].map(|place| routes.places()[place.get()].point);
        let trip = allocation_counter::measure(|| {
            let scratch = &mut NavScratch::new();
            let _ = black_box(routes.trip(map, start, to, &options, scratch));
        });
        let full = allocation_counter::measure(|| {
            let scratch = &mut Scratch::default();
            let _ = black_box(a_star(map, routes.radius(), start, goal, scratch));
        });
        memory.trip = memory.trip.max(trip.bytes_max);
        memory.a_star = memory.a_star.max(full.bytes_max);
    }
    memory
}

/// The time in the middle of a few, and the last answer.
pub(crate) fn timed<T>(mut work: impl FnMut() -> T) -> (Duration, T) {
    let mut answer = work();
    let mut times = [Duration::ZERO; TIMES];
    for took in &mut times {
        let begun = Instant::now();
        answer = black_box(work());
        *took = begun.elapsed();
    }
    times.sort_unstable();
    (times[TIMES / 2], answer)
}

/// A number of bytes, in a few signs.
pub(crate) fn bytes_text(bytes: u64) -> String {
    if bytes < 1024 {
        format!("{bytes} B")
    } else if bytes < 1024 * 1024 {
        format!("{:.1} KB", bytes as f64 / 1024.0)
    } else {
        format!("{:.1} MB", bytes as f64 / (1024.0 * 1024.0))
    }
}

/// A time in microseconds, in a few signs.
pub(crate) fn micros_text(took: Duration) -> String {
    let micros = took.as_secs_f64() * 1e6;
    if micros < 100.0 {
        format!("{micros:.1} us")
    } else {
        format!("{micros:.0} us")
    }
}
