//! Chooses the trips.

use bevy::math::Vec2;
use bevy_pursuit::prelude::NavAgent;
use fastrand::Rng;
use pursuit::{Cell, Grid, SearchScratch};

use super::reference::{Reference, ShortestPath};
use super::walker::Walker;
use crate::game::agent::{AGENT_RADIUS, AGENT_SPEED, agent};
use crate::game::places::Places;
use crate::game::walls::center;

/// Minimum time of a trip, in seconds.
pub(super) const MIN_TRIP_SECONDS: f64 = 10.0;
/// Maximum time of a trip, as a fraction of the duration of the run.
const MAX_RUN_FRACTION: f64 = 0.8;
/// The length of typical trips on a level is estimated from this number of random pairs of places.
const SIZE_PROBES: usize = 200;
/// Maximum number of random pairs of places that are tried per trip.
const TRIES_PER_TRIP: usize = 100;

/// A trip between two places, with its shortest path.
pub(super) struct FeelTrip {
    pub(super) from: Vec2,
    pub(super) to: Vec2,
    pub(super) route: ShortestPath,
    /// Time that the reference takes for the shortest path, in seconds.
    pub(super) time: f64,
}

/// The trips of a level.
pub(super) struct Trips {
    /// The walking agent. On a level that is too small for trips of [`MIN_TRIP_SECONDS`], the agent is slower than
    /// usual.
    pub(super) agent: NavAgent,
    pub(super) walker: Walker,
    pub(super) trips: Vec<FeelTrip>,
}

/// Chooses `count` trips between random places. Each trip takes at least [`MIN_TRIP_SECONDS`], and at most the greater
/// of `MAX_RUN_FRACTION · seconds` and `2 · MIN_TRIP_SECONDS`. `None` if the level has no room for an agent.
pub(super) fn choose(level: &Grid, count: usize, seconds: f64, seed: u64) -> Option<Trips> {
    let mut draw = TripDraw {
        places: Places::new(level, AGENT_RADIUS)?,
        random: Rng::with_seed(seed),
        scratch: SearchScratch::new(),
    };
    let agent = draw.agent()?;
    let walker = Walker::of(&agent);
    let mut reference = Reference::new(level, f64::from(AGENT_RADIUS));
    let mut trips = Vec::new();
    let allowed = MIN_TRIP_SECONDS..=(MAX_RUN_FRACTION * seconds).max(2.0 * MIN_TRIP_SECONDS);
    for _ in 0..TRIES_PER_TRIP * count {
        if trips.len() == count {
            break;
        }
        let Some((from, to, length)) = draw.pair() else {
            continue;
        };
        // A walk over cells is at least as long as the shortest path, and at most 1.5 times as long.
        let (max_time, min_time) = (walker.time(length), walker.time(length / 1.5));
        if max_time < *allowed.start() || min_time > *allowed.end() {
            continue;
        }
        let (from, to) = (center(from), center(to));
        let Some(route) = reference.route(from.as_dvec2(), to.as_dvec2()) else {
            continue;
        };
        let time = walker.time(route.length);
        if allowed.contains(&time) {
            trips.push(FeelTrip {
                from,
                to,
                route,
                time,
            });
        }
    }
    Some(Trips {
        agent,
        walker,
        trips,
    })
}

struct TripDraw {
    places: Places,
    random: Rng,
    scratch: SearchScratch,
}

impl TripDraw {
    /// Two random places, and the length of the shortest walk over cells between them, in cells.
    fn pair(&mut self) -> Option<(Cell, Cell, f64)> {
        let path = self.places.walk(&mut self.random, &mut self.scratch)?.path;
        Some((path.start()?, path.end()?, path.length()))
    }

    /// The agent of all games. On a small level its speed is reduced, so that about a quarter of all trips take long
    /// enough.
    fn agent(&mut self) -> Option<NavAgent> {
        let pairs = (0..SIZE_PROBES).filter_map(|_| Some(self.pair()?.2));
        let mut lengths: Vec<f64> = pairs.collect();
        lengths.sort_by(f64::total_cmp);
        let long = lengths.get(lengths.len() * 3 / 4)?;
        // The factor 0.9 allows for shortest paths that are shorter than the walk over cells.
        let speed = (0.9 * long / MIN_TRIP_SECONDS) as f32;
        Some(agent().with_speed(speed.min(AGENT_SPEED)))
    }
}

#[cfg(test)]
mod tests {
    use super::{MIN_TRIP_SECONDS, choose};
    use crate::game::agent::AGENT_SPEED;
    use pursuit::Grid;

    fn open(size: u32) -> Grid {
        Grid::from_fn(size, size, |_| true).unwrap()
    }

    #[test]
    fn trips_last_between_the_bounds_and_depend_only_on_the_seed() {
        let level = open(200);
        let of = |seed| choose(&level, 20, 60.0, seed).unwrap();
        let trips = of(1);
        assert_eq!((trips.trips.len(), trips.agent.speed), (20, AGENT_SPEED));
        for trip in &trips.trips {
            assert!(
                trip.time >= MIN_TRIP_SECONDS && trip.time <= 48.0,
                "{}",
                trip.time
            );
        }
        let starts = |seed| -> Vec<_> { of(seed).trips.iter().map(|trip| trip.from).collect() };
        assert_eq!(starts(1), starts(1));
        assert_ne!(starts(1), starts(2));
    }

    #[test]
    fn agents_are_slower_on_a_small_level_and_a_full_level_has_no_trips() {
        let trips = choose(&open(12), 5, 60.0, 1).unwrap();
        assert!(trips.agent.speed < 2.0, "{}", trips.agent.speed);
        assert_eq!(trips.trips.len(), 5);
        assert!(choose(&Grid::from_fn(3, 3, |_| false).unwrap(), 1, 60.0, 1).is_none());
    }
}
