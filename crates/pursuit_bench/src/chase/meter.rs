//! What a chase is measured by. Reads the world and the plugin's events; changes nothing.

use bevy::prelude::*;
use bevy_pursuit::prelude::*;

use super::plan::AGENT_RADIUS;
use super::walls::Walls;
use super::world::{Chaser, Player};
use crate::samples::Samples;

/// An agent's center may come this near to a wall, as a share of its radius.
const TOUCHING: f32 = 0.98;

/// What observers heard.
#[derive(Resource, Default)]
pub(crate) struct Heard {
    pub(crate) request_to_path_ms: Samples,
    pub(crate) stuck: usize,
}

/// Hears the plugin's events.
pub(crate) fn listen(app: &mut App) {
    app.init_resource::<Heard>()
        .add_observer(|event: On<PathFound>, mut heard: ResMut<Heard>| {
            heard.answered(event.latency.as_secs_f64());
        })
        .add_observer(|event: On<PathFailed>, mut heard: ResMut<Heard>| {
            heard.answered(event.latency.as_secs_f64());
        })
        .add_observer(|_: On<AgentStuck>, mut heard: ResMut<Heard>| heard.stuck += 1);
}

impl Heard {
    fn answered(&mut self, seconds: f64) {
        self.request_to_path_ms.push(seconds * 1e3);
    }
}

/// Counts over all ticks so far.
pub(crate) struct Meter {
    /// Tick at which each agent first came within arrival distance of the player.
    pub(crate) caught_at: Vec<Option<u64>>,
    pub(crate) wall_overlaps: u64,
    /// Least distance of a center to a wall, if it was ever less than the radius.
    pub(crate) nearest_wall: f32,
    pub(crate) main_thread_ms: Samples,
    pub(crate) positions: Hash,
}

impl Meter {
    pub(crate) fn new(agents: usize) -> Self {
        Meter {
            caught_at: vec![None; agents],
            wall_overlaps: 0,
            nearest_wall: AGENT_RADIUS,
            main_thread_ms: Samples::default(),
            positions: Hash::default(),
        }
    }

    pub(crate) fn all_caught(&self) -> bool {
        self.caught_at.iter().all(Option::is_some)
    }

    /// Looks at the world at the end of a tick.
    pub(crate) fn read(&mut self, world: &mut World, walls: &Walls, tick: u64) {
        let mut players = world.query_filtered::<&Transform, With<Player>>();
        let player = players.iter(world).next().map(place).unwrap_or_default();
        let mut chasers = world.query::<(&Chaser, &NavAgent, &Transform)>();
        let mut places = vec![Vec2::NAN; self.caught_at.len()];
        for (chaser, agent, transform) in chasers.iter(world) {
            let here = place(transform);
            places[chaser.0] = here;
            if here.distance(player) <= agent.arrival_distance {
                self.caught_at[chaser.0].get_or_insert(tick);
            }
            // A position that is no number is in no good place either.
            let wall = if here.is_finite() {
                walls.distance(here, AGENT_RADIUS).unwrap_or(AGENT_RADIUS)
            } else {
                0.0
            };
            self.nearest_wall = self.nearest_wall.min(wall);
            self.wall_overlaps += u64::from(wall < TOUCHING * AGENT_RADIUS);
        }
        for here in places.iter().chain([&player]) {
            self.positions.add(here.x.to_bits());
            self.positions.add(here.y.to_bits());
        }
        let spent = world.resource::<PursuitStats>().frame_time;
        self.main_thread_ms.push(spent.as_secs_f64() * 1e3);
    }
}

fn place(transform: &Transform) -> Vec2 {
    transform.translation.truncate()
}

/// FNV-1a, 64 bits (Fowler, Noll, Vo, 1991): the same on every machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hash(u64);

impl Default for Hash {
    fn default() -> Self {
        Hash(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    fn add(&mut self, value: u32) {
        for byte in value.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    pub(crate) fn get(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::Hash;

    #[test]
    fn the_hash_is_fnv_1a() {
        let mut hash = Hash::default();
        hash.add(u32::from_le_bytes(*b"foob"));
        // The reference value of the empty string, and of "foob" by the published algorithm.
        assert_eq!(Hash::default().get(), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash.get(), 0xdd12_0e79_0c25_12af);
    }

    #[test]
    fn the_hash_minds_the_order() {
        let of = |values: [u32; 2]| {
            let mut hash = Hash::default();
            values.iter().for_each(|&value| hash.add(value));
            hash
        };
        assert_ne!(of([1, 2]), of([2, 1]));
    }
}
