//! Who chases: one body for all games, and what the plugin promises of it.

use bevy_pursuit::prelude::NavAgent;

/// Radius of an agent and of the player, in cells.
pub(crate) const AGENT_RADIUS: f32 = 0.4;
/// In cells per second.
pub(crate) const AGENT_SPEED: f32 = 8.0;

/// The agent of every game.
pub(crate) fn agent() -> NavAgent {
    NavAgent::from_radius(AGENT_RADIUS).with_speed(AGENT_SPEED)
}

/// Distance between the centers of `agent` and of a target without a body at which the plugin says
/// that the target is reached.
pub(crate) fn reach(agent: &NavAgent) -> f32 {
    agent.arrival_distance
}

#[cfg(test)]
mod tests {
    use super::{AGENT_RADIUS, agent, reach};

    #[test]
    fn agents_reach_a_target_from_two_and_a_half_radii_away() {
        assert_eq!(reach(&agent()), 2.5 * AGENT_RADIUS);
    }
}
