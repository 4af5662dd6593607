//! The chasing agent of all games, and its reach.

use bevy_pursuit::prelude::NavAgent;

/// Radius of an agent and of the player, in cells.
pub(crate) const AGENT_RADIUS: f32 = 0.4;
/// Distance between the centers of an agent and the player at which the player is caught, in cells.
const AGENT_REACH: f32 = 2.5 * AGENT_RADIUS;
/// Speed of an agent, in cells per second.
pub(crate) const AGENT_SPEED: f32 = 8.0;

/// The agent of every game.
pub(crate) fn agent() -> NavAgent {
    NavAgent::from_radius(AGENT_RADIUS)
        .with_speed(AGENT_SPEED)
        .with_reach(AGENT_REACH)
}

/// The plugin reports an arrival when the center of `agent` is this close to a target without a body, in cells. This is
/// the reach of the agent or, if it has none, slightly more than its radius.
pub(crate) fn reach(agent: &NavAgent) -> f32 {
    agent.reach.unwrap_or(1.1 * agent.radius)
}
