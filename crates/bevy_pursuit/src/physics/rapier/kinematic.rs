//! Drives position-based kinematic bodies through Rapier's character controller.

use std::f32::consts::PI;

use bevy::prelude::*;
use bevy_rapier2d::prelude::*;

use super::body_size::bounding_radius;
use super::velocity::AllowedVelocity;
use crate::agent::{BodyState, Drive, NavAgent, NavDrive, TickPosition};
use crate::grid::FIT_FRACTION;
use crate::physics::driven_tick::DrivenTick;

/// Gap that a controller keeps to walls, as a fraction of the body's radius.
const GAP_RADII: f32 = 0.01;

/// A character controller for a world that is seen from above.
///
/// Rapier's default is made for platformers: it snaps to the ground, climbs steps and slides down slopes. This one only
/// slides along walls. `radius` is the radius of the body, in world units. The controller keeps a gap of a hundredth of
/// the radius to walls.
pub fn top_down_controller(radius: f32) -> KinematicCharacterController {
    KinematicCharacterController {
        offset: CharacterLength::Absolute(GAP_RADII * radius),
        snap_to_ground: None,
        autostep: None,
        max_slope_climb_angle: PI,
        min_slope_slide_angle: PI,
        apply_impulse_to_dynamic_bodies: false,
        ..KinematicCharacterController::default()
    }
}

/// The values that Pursuit last wrote to a controller that it inserted itself.
///
/// If a controller has other values, the user has taken it over, and Pursuit leaves it alone. Unlike Pursuit's
/// other private components, this one is cloned with the agent, because the controller is.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub(super) struct GivenController {
    groups: Option<CollisionGroups>,
    offset: CharacterLength,
}

impl GivenController {
    fn of(controller: &KinematicCharacterController) -> Self {
        Self {
            groups: controller.filter_groups,
            offset: controller.offset,
        }
    }
}

/// Inserts a [`top_down_controller`] on position-based kinematic bodies without a controller.
pub(super) fn give_controllers(
    mut commands: Commands,
    bodies: Query<
        (Entity, &NavAgent, &RigidBody, Option<&CollisionGroups>),
        Without<KinematicCharacterController>,
    >,
) {
    for (entity, agent, body, groups) in &bodies {
        // Rapier panics if the gap is negative.
        if *body == RigidBody::KinematicPositionBased && agent.is_valid() {
            let mut controller = top_down_controller(agent.radius);
            controller.filter_groups = groups.copied();
            let given = GivenController::of(&controller);
            commands.entity(entity).try_insert((controller, given));
        }
    }
}

/// Updates the controllers that Pursuit inserted when the body's groups or radius change.
pub(super) fn tune_controllers(
    mut bodies: Query<(
        &NavAgent,
        Option<&CollisionGroups>,
        &mut KinematicCharacterController,
        &mut GivenController,
    )>,
) {
    for (agent, groups, mut controller, mut given) in &mut bodies {
        let now = GivenController {
            groups: groups.copied(),
            offset: CharacterLength::Absolute(GAP_RADII * agent.radius),
        };
        if now != *given && GivenController::of(&controller) == *given && agent.is_valid() {
            controller.filter_groups = now.groups;
            controller.offset = now.offset;
            *given = now;
        }
    }
}

/// Length to add to a body's radius when its path is planned, in world units. The controller keeps its offset free
/// around the collider, and stops where a path leads closer to an obstacle than this offset.
///
/// Paths keep [`FIT_FRACTION`] times the radius free. If the collider is smaller than the agent's radius, the added
/// length is smaller, too.
pub(super) fn gap(
    controller: &KinematicCharacterController,
    collider: Option<&Collider>,
    radius: f32,
) -> f32 {
    let body = collider.map_or(radius, |shape| bounding_radius(&shape.raw).min(radius));
    let needed = (body + offset(controller, collider)) / FIT_FRACTION;
    (needed - radius).max(0.0)
}

/// Distance that the controller keeps free of obstacles, in world units.
fn offset(controller: &KinematicCharacterController, collider: Option<&Collider>) -> f32 {
    let gap = match controller.offset {
        CharacterLength::Absolute(offset) => offset,
        CharacterLength::Relative(part) => {
            let shape = controller.custom_shape.as_ref().map(|(shape, ..)| shape);
            let shape = shape.or(collider);
            // Rapier's relative length is a fraction of the shape's height.
            part * shape.map_or(0.0, |shape| shape.raw.compute_local_aabb().extents().y)
        }
    };
    if gap.is_finite() { gap.max(0.0) } else { 0.0 }
}

/// The components that driving by a controller reads and writes.
type ControllerData<'a> = (
    Option<&'a NavDrive>,
    AllowedVelocity,
    &'a TickPosition,
    Has<ChildOf>,
    &'a RigidBody,
    &'a mut BodyState,
    &'a mut KinematicCharacterController,
);

/// Passes the step to the character controller, which slides the body along walls.
pub(super) fn drive_controllers(
    tick: DrivenTick,
    mut bodies: Query<ControllerData, With<NavAgent>>,
) {
    for (drive, allowed, place, is_child, body, mut driver, mut controller) in &mut bodies {
        if *body != RigidBody::KinematicPositionBased {
            continue;
        }
        let driver = driver.bypass_change_detection();
        let desired = allowed.velocity(&tick);
        // The controller makes each requested step once, so a body without a new step stops.
        if let Drive::Go(wanted) = driver.drive(desired, NavDrive::grip_of(drive)) {
            let wanted = wanted * tick.dt();
            let step = if is_child || !place.0.is_finite() {
                wanted
            } else {
                driver.representable(place.0.xy(), wanted)
            };
            controller.translation = Some(step);
        }
    }
}
