//! The velocity that a body should have, so that it does not enter ground forbidden to its agent.

use bevy::ecs::query::QueryData;
use bevy::math::Vec3;

use crate::agent::{DesiredVelocity, NavAgent, TickPosition};
use crate::grid::{GridUnderAgent, OnPath};
use crate::physics::steps::DrivenTick;

/// The components that decide the velocity of a body.
#[derive(QueryData)]
pub(super) struct AllowedVelocity {
    agent: &'static NavAgent,
    desired: &'static DesiredVelocity,
    position: &'static TickPosition,
    on_path: OnPath<'static>,
}

impl AllowedVelocityItem<'_, '_> {
    /// The desired velocity, or the part of it that stays out of cells forbidden to the agent's class. This is checked
    /// again here, because a game may write any velocity.
    pub(super) fn velocity(&self, tick: &DrivenTick) -> Vec3 {
        let wanted = tick.wanted(self.desired);
        let under_agent = GridUnderAgent::of(&tick.grids, self.on_path);
        let Some(snapshot) = under_agent.snapshot() else {
            return wanted;
        };
        let from = under_agent.plane.to_grid(self.position.0);
        let step = under_agent.plane.direction_to_grid(wanted * tick.dt());
        let part = snapshot.keep_out(from, step, self.agent.class);
        match part == step {
            true => wanted,
            false => under_agent.plane.direction_to_world(part / tick.dt()),
        }
    }
}
