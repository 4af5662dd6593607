//! Measures how agents walk, from their positions alone: jitter, hesitation, and distance to walls.

use bevy::math::Vec2;

use super::turns::Turns;
use crate::game::agent::AGENT_RADIUS;
use crate::game::positions::Hash;
use crate::game::walls::WallBoxes;

/// An agent is slow if it moves at less than this fraction of its speed.
const MAX_SLOW_FRACTION: f32 = 0.9;
/// The heading of an agent is measured only if it moves faster than this fraction of its speed.
const MIN_HEADING_FRACTION: f32 = 0.05;

/// The measurements of all agents and ticks so far.
pub(super) struct Gait {
    speed: f32,
    rate: f64,
    walks: Vec<Walk>,
    agent_ticks: u64,
    free_ticks: u64,
    slow_ticks: u64,
    /// Least distance of an agent's center to a wall, in radii. It is never greater than 1.
    pub(super) wall_ratio_min: f32,
    pub(super) positions: Hash,
}

#[derive(Clone, Default)]
struct Walk {
    last: Option<Vec2>,
    turns: Turns,
}

impl Gait {
    /// `speed` is the speed of the agents in cells per second, and `rate` the number of ticks per second.
    pub(super) fn new(agents: usize, speed: f32, rate: f64) -> Self {
        Gait {
            speed,
            rate,
            walks: vec![Walk::default(); agents],
            agent_ticks: 0,
            free_ticks: 0,
            slow_ticks: 0,
            wall_ratio_min: 1.0,
            positions: Hash::default(),
        }
    }

    /// Measures an agent at the end of a tick. `here` is the position of the agent. `is_free` is `true` if nothing
    /// keeps the agent from walking at full speed.
    pub(super) fn read(
        &mut self,
        agent: usize,
        tick: u64,
        here: Vec2,
        is_free: bool,
        walls: &WallBoxes,
    ) {
        let full = self.speed / self.rate as f32;
        let walk = &mut self.walks[agent];
        let step = walk.last.map_or(Vec2::ZERO, |last| here - last);
        walk.last = Some(here);
        self.agent_ticks += 1;
        if step.length() > MIN_HEADING_FRACTION * full {
            walk.turns.step(tick as f64 / self.rate, step);
        }
        if is_free {
            self.free_ticks += 1;
            self.slow_ticks += u64::from(step.length() < MAX_SLOW_FRACTION * full);
        }
        let wall = walls.clearance(here, AGENT_RADIUS);
        self.wall_ratio_min = self.wall_ratio_min.min(wall / AGENT_RADIUS);
        self.positions.add_place(here);
    }

    /// Mean number of turns back and forth of an agent per minute.
    pub(super) fn reversals_per_minute(&self) -> Option<f64> {
        let reversals: u64 = self.walks.iter().map(|walk| walk.turns.reversals).sum();
        share(reversals, self.agent_ticks).map(|per_tick| per_tick * self.rate * 60.0)
    }

    /// Fraction of the time in which agents were slow. Only ticks with `is_free` are counted.
    pub(super) fn slow_share(&self) -> Option<f64> {
        share(self.slow_ticks, self.free_ticks)
    }
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::Gait;
    use crate::game::walls::WallBoxes;
    use bevy::math::Vec2;
    use pursuit::maps::parse_ascii;

    #[test]
    fn slow_ticks_count_only_while_the_path_is_free() {
        let walls = WallBoxes::of(&parse_ascii("......\n").unwrap().grid);
        let mut gait = Gait::new(1, 6.0, 60.0);
        let mut x = 0.5;
        for tick in 1..=10 {
            x += if tick > 8 { 0.05 } else { 0.1 };
            gait.read(0, tick, Vec2::new(x, 0.5), tick != 10, &walls);
        }
        // The first tick has no previous position.
        assert_eq!(gait.slow_share(), Some(2.0 / 9.0));
        assert_eq!(gait.wall_ratio_min, 1.0);
        assert_eq!(gait.reversals_per_minute(), Some(0.0));
    }

    #[test]
    fn the_distance_to_a_wall_is_measured_in_radii() {
        let walls = WallBoxes::of(&parse_ascii("#...\n").unwrap().grid);
        let mut gait = Gait::new(1, 6.0, 60.0);
        gait.read(0, 1, Vec2::new(1.3, 0.5), true, &walls);
        assert!((gait.wall_ratio_min - 0.75).abs() < 1e-5);
        gait.read(0, 2, Vec2::NAN, true, &walls);
        assert_eq!(gait.wall_ratio_min, 0.0);
    }
}
