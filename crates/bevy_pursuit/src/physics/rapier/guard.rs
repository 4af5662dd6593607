//! Stops bodies that Pursuit set in motion and no longer drives.

use std::mem;

use bevy::ecs::prelude::*;
use bevy::ecs::world::DeferredWorld;
use bevy_rapier2d::prelude::*;

use super::turn::{Turning, stop_spin};
use super::velocity::{cancel_step, stop_angular, stop_linear};
use crate::agent::{BodyState, NavAgent};
use crate::physics::guard::NotDriven;
use crate::schedule::{DriveTick, Ran};

/// The components that keep a body moving by themselves.
type Motion<'a> = (
    &'a BodyState,
    Option<&'a mut Turning>,
    Option<&'a mut Velocity>,
    Option<&'a mut KinematicCharacterController>,
);

/// Stops a body if Pursuit set it in motion. Returns whether it did.
fn stop(
    driver: &BodyState,
    turning: Option<Mut<Turning>>,
    velocity: Option<&mut Mut<Velocity>>,
    controller: Option<Mut<KinematicCharacterController>>,
) -> bool {
    let spins = turning.is_some_and(|mut turning| mem::take(&mut turning.spins));
    if !driver.walks && !spins {
        return false;
    }
    if let Some(velocity) = velocity {
        if driver.walks {
            stop_linear(velocity.reborrow());
        }
        if spins {
            stop_angular(velocity.reborrow());
        }
    }
    if driver.walks {
        controller.map(cancel_step);
    }
    true
}

/// The handle of a body in the physics, if it has one.
type InPhysics<'a> = Option<(&'a RapierContextEntityLink, &'a RapierRigidBodyHandle)>;

/// Stops the bodies of entities that are no longer agents, or are disabled. If the game did not let
/// [`PursuitSystems::Drive`](crate::schedule::PursuitSystems) run in this tick, also stops the bodies of all agents.
pub(super) fn stop_bodies(
    driven: Ran<DriveTick>,
    mut bodies: ParamSet<(
        Query<(Motion, InPhysics), NotDriven>,
        Query<Motion, With<NavAgent>>,
    )>,
    mut physics: Query<&mut RapierRigidBodySet>,
) {
    for ((driver, turning, mut velocity, controller), body) in &mut bodies.p0() {
        let was_moving = stop(driver, turning, velocity.as_mut(), controller);
        // Rapier ignores the components of disabled entities, but keeps moving their bodies.
        if was_moving
            && let Some(velocity) = velocity
            && let Some((link, handle)) = body
            && let Ok(mut set) = physics.get_mut(link.0)
            && let Some(body) = set.bodies.get_mut(handle.0)
        {
            body.set_linvel(velocity.linear, true);
            body.set_angvel(velocity.angular, true);
        }
    }
    if !driven.now() {
        for (driver, turning, mut velocity, controller) in &mut bodies.p1() {
            stop(driver, turning, velocity.as_mut(), controller);
        }
    }
}

/// Stops a body when its agent was removed with all required components.
pub(super) fn stop_removed(removed: On<Remove, BodyState>, mut world: DeferredWorld) {
    let body = removed.entity;
    let driver = world.get::<BodyState>(body);
    if driver.is_some_and(|driver| driver.walks) {
        world.get_mut(body).map(stop_linear);
        world.get_mut(body).map(cancel_step);
    }
    stop_spin(world, body);
}
