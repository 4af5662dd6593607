//! Stops a body whose agent is gone, and the rotation that Pursuit gave it.

use std::mem;

use bevy::ecs::component::Component;
use bevy::ecs::entity::Entity;
use bevy::ecs::lifecycle::Remove;
use bevy::ecs::observer::On;
use bevy::ecs::world::DeferredWorld;

use super::halt::{halt_body, halt_controller, halt_spin};
use crate::agent::Driver;

/// Whether the body of an agent has an angular velocity that Pursuit gave it.
///
/// Cloned with the agent, unlike Pursuit's other notes, because the velocity is.
#[derive(Component, Clone, Copy, Debug, Default)]
pub(super) struct Turning {
    pub(super) spins: bool,
}

/// Stops a body whose agent was removed with all that came with it.
pub(super) fn stop_removed(removed: On<Remove, Driver>, mut world: DeferredWorld) {
    let body = removed.entity;
    if world.get::<Driver>(body).is_some_and(|driver| driver.walks) {
        world.get_mut(body).map(halt_body);
        world.get_mut(body).map(halt_controller);
    }
    stop_spin(world, body);
}

/// Stops the rotation of a body that Pursuit turns.
pub(super) fn stop_spin(mut world: DeferredWorld, body: Entity) {
    let turning = world.get_mut::<Turning>(body);
    if turning.is_some_and(|mut turning| mem::take(&mut turning.spins)) {
        world.get_mut(body).map(halt_spin);
    }
}
