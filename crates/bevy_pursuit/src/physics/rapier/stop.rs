//! Stops the body of a removed agent.

use bevy::ecs::world::DeferredWorld;
use bevy::prelude::*;

use super::turn::stop_spin;
use super::velocity::{cancel_step, stop_linear};
use crate::agent::BodyState;

/// Stops a body when its agent was removed with all required components.
pub(super) fn stop_removed(removed: On<Remove, BodyState>, mut world: DeferredWorld) {
    let body = removed.entity;
    if world
        .get::<BodyState>(body)
        .is_some_and(|driver| driver.walks)
    {
        world.get_mut(body).map(stop_linear);
        world.get_mut(body).map(cancel_step);
    }
    stop_spin(world, body);
}
