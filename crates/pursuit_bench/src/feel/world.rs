//! The trips as a game: every agent has its own standing target.

use bevy::prelude::*;
use bevy_pursuit::prelude::*;

use super::gait::Gait;
use super::trips::Trips;
use crate::game::agent::reach;
use crate::game::events::{self, EventLog};
use crate::game::pools::Pools;
use crate::game::positions::position_of;
use crate::game::walls::WallBoxes;
use crate::game::{self, Mode, transform_at};

/// Maximum number of updates until a level is baked.
const MAX_BAKE_UPDATES: usize = 100;

/// An agent, with the index of its trip.
#[derive(Component)]
struct TripWalker(usize);

/// The results of all trips.
pub(super) struct Walked {
    /// Time to the arrival of each trip, in seconds. `None` if the agent did not arrive.
    pub(super) times: Vec<Option<f64>>,
    /// The first planned path of each trip.
    pub(super) paths: Vec<Vec<Vec2>>,
    pub(super) gait: Gait,
}

/// Walks all trips at the same time, with `rate` ticks per second, for at most `seconds`.
pub(super) fn walk(
    trips: &Trips,
    walls: &WallBoxes,
    pools: &Pools,
    rate: f64,
    seconds: f64,
) -> Walked {
    let mut app = game::app_at(rate, Mode::Inline, pools, walls);
    events::observe(&mut app);
    game::start(&mut app);
    // The level is baked before the trips start, so that no trip has to wait.
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
    let mut walked = Walked {
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

impl Walked {
    /// Measures the world at the end of a tick.
    fn read(&mut self, world: &mut World, trips: &Trips, walls: &WallBoxes, rate: f64, tick: u64) {
        let arrivals = std::mem::take(&mut world.resource_mut::<EventLog>().arrivals);
        for arrival in arrivals {
            if let Some(TripWalker(number)) = world.get::<TripWalker>(arrival.entity) {
                self.times[*number] = Some(tick as f64 / rate);
            }
            world.despawn(arrival.entity);
        }
        let walker = trips.walker;
        // Two more ticks: one in which the path is planned, and one for rounding.
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
