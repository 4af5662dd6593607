//! The trips as a game: every agent has a target of its own, which stands.

use bevy::prelude::*;
use bevy_pursuit::prelude::*;

use super::gait::Gait;
use super::trips::Trips;
use crate::game::agent::reach;
use crate::game::heard::{self, Heard};
use crate::game::pools::Pools;
use crate::game::positions::place;
use crate::game::walls::Walls;
use crate::game::{self, Mode, at};

/// Updates in which a level is baked at the latest.
const BAKED_WITHIN: usize = 100;

/// Who walks a trip, by its number.
#[derive(Component)]
struct Walks(usize);

/// What came of all trips.
pub(super) struct Walked {
    /// Seconds to the arrival of each, if it arrived.
    pub(super) times: Vec<Option<f64>>,
    /// The path of each as it was planned at first.
    pub(super) paths: Vec<Vec<Vec2>>,
    pub(super) gait: Gait,
}

/// Walks all trips at the same time, in `rate` ticks per second, for at most `seconds`.
pub(super) fn walk(trips: &Trips, walls: &Walls, pools: &Pools, rate: f64, seconds: f64) -> Walked {
    let mut app = game::app_at(rate, Mode::Inline, pools, walls);
    heard::listen(&mut app);
    game::start(&mut app);
    // No trip has to wait for the bake.
    game::update_until(&mut app, BAKED_WITHIN, game::is_baked);
    let world = app.world_mut();
    for (number, trip) in trips.trips.iter().enumerate() {
        let target = world.spawn(at(trip.to)).id();
        world.spawn((
            Walks(number),
            (trips.agent, NavAvoidance::None),
            Chase::new(target),
            at(trip.from),
        ));
    }
    let mut run = Run {
        trips,
        walls,
        rate,
        walked: Walked {
            times: vec![None; trips.trips.len()],
            paths: vec![Vec::new(); trips.trips.len()],
            gait: Gait::new(trips.trips.len(), trips.agent.speed, rate),
        },
    };
    let last = (seconds * rate).ceil() as u64;
    let mut tick = 0;
    while tick < last && run.walked.times.iter().any(Option::is_none) {
        app.update();
        tick += 1;
        run.read(app.world_mut(), tick);
    }
    run.walked
}

struct Run<'a> {
    trips: &'a Trips,
    walls: &'a Walls,
    rate: f64,
    walked: Walked,
}

impl Run<'_> {
    /// Looks at the world at the end of a tick.
    fn read(&mut self, world: &mut World, tick: u64) {
        let arrivals = std::mem::take(&mut world.resource_mut::<Heard>().arrivals);
        for arrival in arrivals {
            if let Some(Walks(number)) = world.get::<Walks>(arrival.entity) {
                self.walked.times[*number] = Some(tick as f64 / self.rate);
            }
            world.despawn(arrival.entity);
        }
        let walker = self.trips.walker;
        // Two ticks more: one in which the path is planned, one for rounding.
        let to_speed = walker.speed / walker.acceleration + 2.0 / self.rate;
        let is_fast = tick as f64 / self.rate > to_speed;
        let to_brake = walker.runway() + 2.0 * walker.speed / self.rate;
        let to_brake = to_brake as f32 + reach(&self.trips.agent);
        let mut agents = world.query::<(&Walks, &NavPath, &Transform)>();
        for (walks, path, transform) in agents.iter(world) {
            let number = walks.0;
            let here = place(transform);
            let is_free = is_fast && here.distance(self.trips.trips[number].to) > to_brake;
            self.walked
                .gait
                .read(number, tick, here, is_free, self.walls);
            let planned = &mut self.walked.paths[number];
            if planned.is_empty() {
                planned.extend(path.waypoints().map(Vec3::truncate));
            }
        }
    }
}
