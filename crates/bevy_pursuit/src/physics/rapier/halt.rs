//! Takes from a body the motion that it was given.

use bevy::ecs::change_detection::{DetectChangesMut, Mut};
use bevy::math::Vec2;
use bevy_rapier2d::control::KinematicCharacterController;
use bevy_rapier2d::dynamics::Velocity;

/// Stops a body; its rotation goes on.
pub(super) fn halt_body(mut velocity: Mut<Velocity>) {
    let stopped = Velocity {
        linear: Vec2::ZERO,
        ..*velocity
    };
    velocity.set_if_neq(stopped);
}

/// Stops the rotation of a body; its motion goes on.
pub(super) fn halt_spin(mut velocity: Mut<Velocity>) {
    let stopped = Velocity {
        angular: 0.0,
        ..*velocity
    };
    velocity.set_if_neq(stopped);
}

/// Takes back the step that a kinematic body was to make.
pub(super) fn halt_controller(mut controller: Mut<KinematicCharacterController>) {
    if controller.translation.is_some() {
        controller.translation = None;
    }
}
