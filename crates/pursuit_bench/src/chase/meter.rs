//! Measures a chase. The meter reads the world and the plugin's events, and changes nothing.

use std::time::Instant;

use bevy::prelude::*;
use bevy_pursuit::PursuitStats;
use bevy_pursuit::prelude::*;

use super::world::{Chaser, PLAYER_SPEED_FRACTION, Player};
use crate::clock::thread_ms;
use crate::game::TICK_RATE;
use crate::game::agent::{AGENT_RADIUS, AGENT_SPEED, reach};
use crate::game::events::EventLog;
use crate::game::positions::{Hash, position_of, position_of_only};
use crate::game::stages::StageClock;
use crate::game::walls::WallBoxes;
use crate::samples::Samples;

/// Minimum distance from the center of an agent to a wall, in radii of the agent.
pub(crate) const MIN_WALL_RADII: f32 = 0.98;

/// Greatest distance by which an agent and the player can move apart in the tick in which the plugin reports an
/// arrival, in cells. It includes 1 % for rounding.
const MAX_MOTION_IN_TICK: f32 =
    1.01 * (1.0 + PLAYER_SPEED_FRACTION) * AGENT_SPEED / TICK_RATE as f32;

/// The measurements of all ticks so far.
#[derive(Default)]
pub(crate) struct Meter {
    /// For each agent, the tick in which the plugin first reported that the agent reached the player.
    pub(crate) caught_at: Vec<Option<u64>>,
    /// Number of reported arrivals at which the player was out of the agent's reach.
    pub(crate) far_arrivals: u64,
    /// Greatest distance between the centers of an agent and the player at a reported arrival, in cells.
    pub(crate) farthest_arrival: Option<f32>,
    pub(crate) wall_overlaps: u64,
    /// Least distance of an agent's center to a wall, in cells. It is never greater than the radius.
    pub(crate) nearest_wall: f32,
    pub(crate) main_thread_ms: Samples,
    /// Duration of whole updates of the app, physics included, in milliseconds: elapsed time, and CPU time of this
    /// thread.
    pub(crate) update_ms: [Samples; 2],
    /// Number of agents that walked in each tick. An agent that waits for its path costs the plugin almost no time.
    pub(crate) walking: Samples,
    pub(crate) positions: Hash,
}

impl Meter {
    pub(crate) fn new(agents: usize) -> Self {
        Meter {
            caught_at: vec![None; agents],
            nearest_wall: AGENT_RADIUS,
            ..Meter::default()
        }
    }

    /// Runs a tick, and measures its duration.
    pub(crate) fn update(&mut self, app: &mut App) {
        let (start, on_cpu) = (Instant::now(), thread_ms());
        app.update();
        let took = [start.elapsed().as_secs_f64() * 1e3, thread_ms() - on_cpu];
        let both = self.update_ms.iter_mut().zip(took);
        both.for_each(|(all, ms)| all.push(ms));
    }

    /// Measures the world at the end of a tick.
    pub(crate) fn read(&mut self, world: &mut World, walls: &WallBoxes, tick: u64) {
        let spent = world.resource::<PursuitStats>().frame_time;
        self.main_thread_ms.push(spent.as_secs_f64() * 1e3);
        if let Some(mut stages) = world.get_resource_mut::<StageClock>() {
            stages.end_tick();
        }
        let player = position_of_only::<Player>(world);
        let arrivals = std::mem::take(&mut world.resource_mut::<EventLog>().arrivals);
        for arrival in arrivals {
            self.arrived(world, arrival, player, tick);
        }
        let mut chasers = world.query::<(&Chaser, &Locomotion, &Transform)>();
        let mut walking = 0_u32;
        let mut places = vec![Vec2::NAN; self.caught_at.len()];
        for (chaser, locomotion, transform) in chasers.iter(world) {
            let here = position_of(transform);
            let is_walking = matches!(locomotion, Locomotion::Moving | Locomotion::Straight);
            walking += u32::from(is_walking);
            places[chaser.0] = here;
            let wall = walls.clearance(here, AGENT_RADIUS);
            self.nearest_wall = self.nearest_wall.min(wall);
            self.wall_overlaps += u64::from(wall < MIN_WALL_RADII * AGENT_RADIUS);
        }
        self.walking.push(f64::from(walking));
        for &here in places.iter().chain([&player]) {
            self.positions.add_place(here);
        }
    }

    /// Records that an agent caught the player, and checks that the player was in reach.
    fn arrived(&mut self, world: &World, arrival: GoalReached, player: Vec2, tick: u64) {
        let entity = world.get_entity(arrival.entity);
        let parts =
            entity.map(|entity| entity.get_components::<(&Chaser, &NavAgent, &Transform)>());
        let Ok(Ok((chaser, agent, transform))) = parts else {
            return;
        };
        self.caught_at[chaser.0].get_or_insert(tick);
        let distance = position_of(transform).distance(player);
        let farthest = self.farthest_arrival.unwrap_or(distance);
        self.farthest_arrival = Some(farthest.max(distance));
        // A distance of NaN is treated as out of reach.
        let near = distance <= reach(agent) + MAX_MOTION_IN_TICK;
        self.far_arrivals += u64::from(!near);
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_MOTION_IN_TICK, Meter};
    use crate::chase::world::{Chaser, Player};
    use crate::game::agent::{agent, reach};
    use crate::game::events::EventLog;
    use crate::game::walls::WallBoxes;
    use bevy::prelude::*;
    use bevy_pursuit::PursuitStats;
    use bevy_pursuit::prelude::*;
    use pursuit::maps::parse_ascii;

    /// A [`Meter`] that has recorded one arrival, by an agent whose distance from the player is `distance`.
    fn arrival_from(distance: f32) -> Meter {
        let mut world = World::new();
        let player = world.spawn((Player, Transform::from_xyz(3.0, 3.0, 0.0)));
        let player = player.id();
        let at = Transform::from_xyz(3.0 + distance, 3.0, 0.0);
        let entity = world
            .spawn((Chaser(1), agent(), NavAvoidance::None, at))
            .id();
        world.init_resource::<PursuitStats>();
        world.insert_resource(EventLog {
            arrivals: vec![GoalReached {
                entity,
                target: Some(player),
            }],
            ..EventLog::default()
        });
        let walls = WallBoxes::of(&parse_ascii("#.\n..\n").unwrap().grid);
        let mut meter = Meter::new(2);
        meter.read(&mut world, &walls, 7);
        meter
    }

    #[test]
    fn arrivals_out_of_reach_are_counted() {
        let max = reach(&agent()) + MAX_MOTION_IN_TICK;
        let near = arrival_from(max - 0.01);
        assert_eq!(
            (near.far_arrivals, near.caught_at),
            (0, vec![None, Some(7)])
        );
        assert_eq!(arrival_from(max + 0.01).far_arrivals, 1);
        assert_eq!(arrival_from(f32::NAN).far_arrivals, 1);
    }
}
