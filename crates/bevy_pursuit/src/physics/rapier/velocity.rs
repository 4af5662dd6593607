//! The velocities that bodies should have, and how they are set and stopped.

use bevy::ecs::query::QueryData;
use bevy::prelude::*;
use bevy_rapier2d::prelude::*;

use crate::agent::{DesiredVelocity, NavAgent, TickPosition};
use crate::physics::driven_tick::{DrivenOn, DrivenTick};

/// The components that decide the velocity of a body.
#[derive(QueryData)]
pub(super) struct AllowedVelocity {
    agent: &'static NavAgent,
    desired: &'static DesiredVelocity,
    position: &'static TickPosition,
    driven_on: DrivenOn<'static>,
}

impl AllowedVelocityItem<'_, '_> {
    /// The desired velocity, or the part of it that stays out of cells forbidden to the agent's class. This is checked
    /// again here, because a game may write any velocity.
    pub(super) fn velocity(&self, tick: &DrivenTick) -> Vec2 {
        let wanted = tick.wanted(self.desired);
        let grid = tick.grid_under(self.driven_on, self.position.0, wanted);
        let allowed = grid.and_then(|grid| {
            let (plane, snapshot) = (grid.plane(), grid.snapshot()?);
            let from = plane.to_grid(self.position.0);
            let step = plane.direction_to_grid(wanted * tick.dt());
            let part = snapshot.keep_out(from, step, self.agent.class);
            (part != step).then(|| plane.direction_to_world(part / tick.dt()))
        });
        in_plane(allowed.unwrap_or(wanted))
    }
}

/// The part of a desired velocity in the XY plane, in which all bodies of the 2D physics move. If the velocity leads
/// out of that plane, returns zero and logs a warning.
fn in_plane(desired: Vec3) -> Vec2 {
    if desired.z.abs() > 0.01 * desired.length() {
        warn_once!(
            "an agent with a RigidBody of Rapier is on a NavGrid whose NavFrame is not in the XY plane: 2D physics \
             cannot move it there. Remove its RigidBody, so that its Transform is moved (said once)"
        );
        return Vec2::ZERO;
    }
    desired.xy()
}

/// Sets the linear velocity of a body. Its angular velocity stays the same.
pub(super) fn set_linear(velocity: &mut Mut<Velocity>, linear: Vec2) {
    let angular = velocity.angular;
    velocity.set_if_neq(Velocity { linear, angular });
}

/// Sets the angular velocity of a body. Its linear velocity stays the same.
pub(super) fn set_angular(velocity: &mut Mut<Velocity>, angular: f32) {
    let linear = velocity.linear;
    velocity.set_if_neq(Velocity { linear, angular });
}

/// Stops the linear motion of a body. Its angular velocity stays the same.
pub(super) fn stop_linear(mut velocity: Mut<Velocity>) {
    set_linear(&mut velocity, Vec2::ZERO);
}

/// Stops the rotation of a body. Its linear velocity stays the same.
pub(super) fn stop_angular(mut velocity: Mut<Velocity>) {
    set_angular(&mut velocity, 0.0);
}

/// Cancels the step that a kinematic body was going to make.
pub(super) fn cancel_step(mut controller: Mut<KinematicCharacterController>) {
    if controller.translation.is_some() {
        controller.translation = None;
    }
}
