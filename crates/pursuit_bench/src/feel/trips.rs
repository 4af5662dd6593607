//! Which trips are walked.

use bevy::math::Vec2;
use bevy_pursuit::prelude::NavAgent;
use fastrand::Rng;
use pursuit::{Cell, Grid, SearchScratch};

use super::reference::{Reference, ShortestPath};
use super::walker::Walker;
use crate::game::agent::{AGENT_RADIUS, AGENT_SPEED, agent};
use crate::game::places::Places;
use crate::game::walls::center;

/// Shortest time of a trip, in seconds.
pub(super) const SHORTEST: f64 = 10.0;
/// Part of the time of a run that the longest trip may take.
const LONGEST: f64 = 0.8;
/// Pairs of places that show how large a level is.
const PROBES: usize = 200;
/// Pairs of places that are tried per trip.
const TRIES: usize = 100;

/// From one place to another, and the best that can be made of it.
pub(super) struct Trip {
    pub(super) from: Vec2,
    pub(super) to: Vec2,
    pub(super) route: ShortestPath,
    /// Of the reference, in seconds.
    pub(super) time: f64,
}

/// The trips of a level.
pub(super) struct Trips {
    /// The agent that walks. On a level too small for trips of [`SHORTEST`] seconds it is slower than elsewhere.
    pub(super) agent: NavAgent,
    pub(super) walker: Walker,
    pub(super) trips: Vec<Trip>,
}

/// Chooses `count` trips between random places that take at least [`SHORTEST`] seconds, and well less
/// than `seconds`. `None` where the level has no room.
pub(super) fn choose(level: &Grid, count: usize, seconds: f64, seed: u64) -> Option<Trips> {
    let mut draw = Draw {
        places: Places::new(level, AGENT_RADIUS)?,
        random: Rng::with_seed(seed),
        scratch: SearchScratch::new(),
    };
    let agent = draw.agent()?;
    let walker = Walker::of(&agent);
    let mut reference = Reference::new(level, f64::from(AGENT_RADIUS));
    let mut trips = Vec::new();
    let allowed = SHORTEST..=(LONGEST * seconds).max(2.0 * SHORTEST);
    for _ in 0..TRIES * count {
        if trips.len() == count {
            break;
        }
        let Some((from, to, length)) = draw.pair() else {
            continue;
        };
        // The walk over cells is never shorter than the shortest path, and never by half longer.
        let (most, least) = (walker.time(length), walker.time(length / 1.5));
        if most < *allowed.start() || least > *allowed.end() {
            continue;
        }
        let (from, to) = (center(from), center(to));
        let Some(route) = reference.route(from.as_dvec2(), to.as_dvec2()) else {
            continue;
        };
        let time = walker.time(route.length);
        if allowed.contains(&time) {
            trips.push(Trip {
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

struct Draw {
    places: Places,
    random: Rng,
    scratch: SearchScratch,
}

impl Draw {
    /// Two random places, and the length of the shortest walk over cells between them.
    fn pair(&mut self) -> Option<(Cell, Cell, f64)> {
        let path = self.places.walk(&mut self.random, &mut self.scratch)?.path;
        Some((path.start()?, path.end()?, path.length()))
    }

    /// The agent of all games, or on a small level one so slow that a quarter of all ways are long
    /// enough.
    fn agent(&mut self) -> Option<NavAgent> {
        let pairs = (0..PROBES).filter_map(|_| Some(self.pair()?.2));
        let mut lengths: Vec<f64> = pairs.collect();
        lengths.sort_by(f64::total_cmp);
        let long = lengths.get(lengths.len() * 3 / 4)?;
        // A tenth for what the shortest path is shorter than a walk over cells.
        let speed = (0.9 * long / SHORTEST) as f32;
        Some(agent().with_speed(speed.min(AGENT_SPEED)))
    }
}

#[cfg(test)]
mod tests {
    use super::{SHORTEST, choose};
    use crate::game::agent::AGENT_SPEED;
    use pursuit::Grid;

    fn open(size: u32) -> Grid {
        Grid::from_fn(size, size, |_| true).unwrap()
    }

    #[test]
    fn trips_take_as_long_as_they_should_and_depend_on_the_seed_alone() {
        let level = open(200);
        let of = |seed| choose(&level, 20, 60.0, seed).unwrap();
        let trips = of(1);
        assert_eq!((trips.trips.len(), trips.agent.speed), (20, AGENT_SPEED));
        for trip in &trips.trips {
            assert!(trip.time >= SHORTEST && trip.time <= 48.0, "{}", trip.time);
        }
        let starts = |seed| -> Vec<_> { of(seed).trips.iter().map(|trip| trip.from).collect() };
        assert_eq!(starts(1), starts(1));
        assert_ne!(starts(1), starts(2));
    }

    #[test]
    fn on_a_small_level_agents_are_slower_and_without_room_there_are_no_trips() {
        let trips = choose(&open(12), 5, 60.0, 1).unwrap();
        assert!(trips.agent.speed < 2.0, "{}", trips.agent.speed);
        assert_eq!(trips.trips.len(), 5);
        assert!(choose(&Grid::from_fn(3, 3, |_| false).unwrap(), 1, 60.0, 1).is_none());
    }
}
