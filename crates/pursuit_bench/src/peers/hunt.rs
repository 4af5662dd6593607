//! The chase that a peer plays.

use bevy::prelude::{Entity, Vec2};
use pursuit::Grid;

/// The target, the agents and the level of a chase. All entities have a `Transform`. The benchmark moves the target,
/// and the peer's systems move the agents.
#[derive(Clone, Copy, Debug)]
pub struct Hunt<'g> {
    /// The level. A cell is a unit square, and the lower left corner of cell (0, 0) is the origin.
    pub level: &'g Grid,
    /// The chased entity.
    pub target: Entity,
    /// The agents, each with its start.
    pub agents: &'g [(Entity, Vec2)],
    /// Radius of the target and of the agents, in cells.
    pub radius: f32,
    /// Speed of the agents, in cells per second.
    pub speed: f32,
}
