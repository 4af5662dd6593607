//! Stops bodies that Pursuit set in motion and does not drive any more.

use std::mem;

use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::prelude::*;
use bevy::math::Vec2;
use bevy_rapier2d::control::KinematicCharacterController;
use bevy_rapier2d::dynamics::{RapierRigidBodyHandle, Velocity};
use bevy_rapier2d::plugin::RapierContextEntityLink;
use bevy_rapier2d::plugin::context::RapierRigidBodySet;

use crate::agent::{DesiredVelocity, Driver, NavAgent};
use crate::drive::halt::{halt_body, halt_controller, halt_spin};
use crate::drive::stop::Turning;
use crate::schedule::{DriveTick, Ran};

/// What of a body moves on by itself.
type Motion<'a> = (
    &'a mut Driver,
    Option<&'a mut Turning>,
    Option<&'a mut Velocity>,
    Option<&'a mut KinematicCharacterController>,
);

/// Stops a body, if Pursuit set it in motion; whether it did.
fn stop(
    driver: &mut Driver,
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
            halt_body(velocity.reborrow());
        }
        if spins {
            halt_spin(velocity.reborrow());
        }
    }
    if driver.walks {
        controller.map(halt_controller);
        driver.walks = false;
        driver.carry = Vec2::ZERO;
    }
    true
}

/// Whether a game did not let [`PursuitSystems::Drive`](crate::schedule::PursuitSystems) run in this
/// tick.
pub(super) fn is_undriven(driven: Ran<DriveTick>) -> bool {
    !driven.now()
}

/// Stops all bodies that Pursuit set in motion.
pub(super) fn stop_undriven(mut bodies: Query<Motion, With<NavAgent>>) {
    for (mut driver, turning, mut velocity, controller) in &mut bodies {
        let driver = driver.bypass_change_detection();
        stop(driver, turning, velocity.as_mut(), controller);
    }
}

/// Agents that are agents no longer, or out of the game for now.
type Strange = Or<(Without<NavAgent>, With<Disabled>)>;
/// The same, to ask whether there are any.
pub(super) type Strangers = (With<Driver>, Strange);

/// Stops bodies that are no agents any more, or disabled.
pub(super) fn stop_strangers(
    mut bodies: Query<
        (
            Motion,
            &mut DesiredVelocity,
            Option<(&RapierContextEntityLink, &RapierRigidBodyHandle)>,
        ),
        Strange,
    >,
    mut physics: Query<&mut RapierRigidBodySet>,
) {
    for ((mut driver, turning, mut velocity, controller), mut desired, body) in &mut bodies {
        desired.set_if_neq(DesiredVelocity::default());
        let driver = driver.bypass_change_detection();
        let was_moving = stop(driver, turning, velocity.as_mut(), controller);
        // Rapier does not look at components of disabled entities, but goes on to move their bodies.
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
}
