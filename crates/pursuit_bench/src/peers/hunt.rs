//! A chase that another crate plays.

use bevy::prelude::{Entity, Vec2};
use pursuit::Grid;

/// The target of a chase, its agents and its level. All entities have a `Transform`. The benchmark moves the target, and the
/// crate's systems move the agents.
#[derive(Clone, Copy, Debug)]
pub struct Hunt<'g> {
    /// The level. A cell is a unit square; cell (0, 0) begins at the origin.
    pub level: &'g Grid,
    /// What is chased.
    pub target: Entity,
    /// The agents that chase it, and the start of each.
    pub agents: &'g [(Entity, Vec2)],
    /// Of all of them, in cells.
    pub radius: f32,
    /// Of the agents, in cells per second.
    pub speed: f32,
}
