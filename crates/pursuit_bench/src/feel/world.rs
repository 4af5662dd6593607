//! The trips as a game: every agent has a target of its own, which stands.

use bevy::prelude::*;
use bevy_pursuit::prelude::*;

use super::gait::Gait;
use super::trips::Trips;
use crate::game::agent::reach;
use crate::game::events::{self, ObservedEvents};
use crate::game::pools::Pools;
use crate::game::positions::position_of;
use crate::game::walls::Walls;
use crate::game::{self, Mode, transform_at};

/// Maximum number of updates until a level is baked.
const MAX_BAKE_UPDATES: usize = 100;

/// An agent that walks the trip of this number.
#[derive(Component)]
struct TripWalker(usize);

/// Results of all trips.
pub(super) struct WalkedTrips {
    /// Seconds to the arrival of each, if it arrived.
    pub(super) times: Vec<Option<f64>>,
    /// The first planned path of each.
    pub(super) paths: Vec<Vec<Vec2>>,
    pub(super) gait: Gait,
}

/// Walks all trips at the same time, in `rate` ticks per second, for at most `seconds`.
pub(super) fn walk(
    trips: &Trips,
    walls: &Walls,
    pools: &Pools,
    rate: f64,
    seconds: f64,
) -> WalkedTrips {
    let mut app = game::app_at(rate, Mode::Inline, pools, walls);
    events::observe(&mut app);
    game::start(&mut app);
    // No trip has to wait for the bake.
    game::update_until(&mut app, MAX_BAKE_UPDATES, game::is_baked);
    let world = app.world_mut();
    for (number, trip) in trips.trips.iter().enumerate() {
        let target = world.spawn(transform_at(trip.to)).id();
        world.spawn((
            TripWalker(number),
            (trips.agent, NavAvoidance::None),
            Chase::new(target),
            transform_at(trip.from),
        ));
    }
    let count = trips.trips.len();
    let mut walked = WalkedTrips {
        times: vec![None; count],
        paths: vec![Vec::new(); count],
        gait: Gait::new(count, trips.agent.speed, rate),
    };
    for tick in 1..=(seconds * rate).ceil() as u64 {
        app.update();
        walked.read(app.world_mut(), trips, walls, rate, tick);
        if walked.times.iter().all(Option::is_some) {
            break;
        }
    }
    walked
}

impl WalkedTrips {
    /// Looks at the world at the end of a tick.
    fn read(&mut self, world: &mut World, trips: &Trips, walls: &Walls, rate: f64, tick: u64) {
        let arrivals = std::mem::take(&mut world.resource_mut::<ObservedEvents>().arrivals);
        for arrival in arrivals {
            if let Some(TripWalker(number)) = world.get::<TripWalker>(arrival.entity) {
                self.times[*number] = Some(tick as f64 / rate);
            }
            world.despawn(arrival.entity);
        }
        let walker = trips.walker;
        // Two ticks more: one in which the path is planned, one for rounding.
        let to_speed = walker.speed / walker.acceleration + 2.0 / rate;
        let is_fast = tick as f64 / rate > to_speed;
        let to_brake = walker.runway() + 2.0 * walker.speed / rate;
        let to_brake = to_brake as f32 + reach(&trips.agent);
        let mut agents = world.query::<(&TripWalker, &NavPath, &Transform)>();
        for (trip, path, transform) in agents.iter(world) {
            let number = trip.0;
            let here = position_of(transform);
            let is_free = is_fast && here.distance(trips.trips[number].to) > to_brake;
            self.gait.read(number, tick, here, is_free, walls);
            let planned = &mut self.paths[number];
            if planned.is_empty() {
                planned.extend(path.waypoints().map(Vec3::truncate));
            }
        }
    }
}
