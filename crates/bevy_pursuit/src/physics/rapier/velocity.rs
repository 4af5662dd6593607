//! Sets and stops the motion of bodies.

use bevy::prelude::*;
use bevy_rapier2d::control::KinematicCharacterController;
use bevy_rapier2d::dynamics::Velocity;

/// Sets the linear velocity of a body. Its angular velocity stays the same.
pub(super) fn set_linear(velocity: &mut Mut<Velocity>, linear: Vec2) {
    let next = Velocity {
        linear,
        ..**velocity
    };
    velocity.set_if_neq(next);
}

/// Sets the angular velocity of a body. Its linear velocity stays the same.
pub(super) fn set_angular(velocity: &mut Mut<Velocity>, angular: f32) {
    let next = Velocity {
        angular,
        ..**velocity
    };
    velocity.set_if_neq(next);
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
