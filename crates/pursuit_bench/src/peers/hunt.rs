//! A chase that another crate plays.

use bevy::prelude::{Entity, Vec2};
use pursuit::Grid;

/// Who chases whom, and where. All have a `Transform`; the benchmark moves the target, and the crate's systems the agents.
#[derive(Clone, Copy, Debug)]
pub struct Hunt<'g> {
    /// The level. A cell is a unit square; cell (0, 0) begins at the origin.
    pub level: &'g Grid,
    /// What is chased.
    pub target: Entity,
    /// Those who chase it, and where each begins.
    pub agents: &'g [(Entity, Vec2)],
    /// Of all of them, in cells.
    pub radius: f32,
    /// Of the agents, in cells per second.
    pub speed: f32,
}
