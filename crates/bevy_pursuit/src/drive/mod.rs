//! Moves bodies by the velocity that their agents want: dynamic, kinematic, or a bare transform.

use std::f32::consts::PI;

use bevy::app::{App, Plugin};
use bevy::ecs::prelude::*;
use bevy::ecs::schedule::{InternedScheduleLabel, IntoScheduleConfigs};
use bevy::math::Vec2;
use bevy::time::Time;
use bevy::transform::components::Transform;
use bevy::transform::helper::TransformHelper;
use bevy_rapier2d::control::{CharacterLength, KinematicCharacterController};
use bevy_rapier2d::dynamics::{GravityScale, LockedAxes, RigidBody, Velocity};
use bevy_rapier2d::geometry::CollisionGroups;

use crate::grid::BakedGrid;
use crate::grid::NavSnapshot;
use crate::motion::agent::{DesiredVelocity, NavAgent};
use crate::schedule::PursuitSystems;
use crate::settings::PursuitSettings;

/// Moves bodies.
pub(crate) struct DrivePlugin {
    pub(crate) schedule: InternedScheduleLabel,
}

impl Plugin for DrivePlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(
            self.schedule,
            (
                (equip_bodies, stop_bodies),
                (drive_velocities, drive_controllers, drive_transforms),
            )
                .chain()
                .in_set(PursuitSystems::Drive),
        );
    }
}

/// A character controller for a world that is seen from above.
///
/// Rapier's default is made for platformers: it snaps to the ground, climbs steps and slides down
/// slopes. This one only slides along walls. `radius` is the body's, in world units; the
/// controller keeps a hundredth of it as its gap to walls.
pub fn top_down_controller(radius: f32) -> KinematicCharacterController {
    KinematicCharacterController {
        offset: CharacterLength::Absolute(0.01 * radius),
        snap_to_ground: None,
        autostep: None,
        max_slope_climb_angle: PI,
        min_slope_slide_angle: PI,
        apply_impulse_to_dynamic_bodies: false,
        ..KinematicCharacterController::default()
    }
}

/// Gives an agent's body what driving needs and the user did not set.
///
/// A dynamic body is kept upright and weightless; a position-based kinematic one gets a
/// [`top_down_controller`] that minds the collider's own groups.
fn equip_bodies(
    mut commands: Commands,
    bodies: Query<
        (
            Entity,
            &NavAgent,
            &RigidBody,
            Has<Velocity>,
            Has<LockedAxes>,
            Has<GravityScale>,
            Has<KinematicCharacterController>,
            Option<&CollisionGroups>,
        ),
        Or<(Added<NavAgent>, Changed<RigidBody>)>,
    >,
) {
    for (entity, agent, body, velocity, locked, gravity, controller, groups) in &bodies {
        let mut entity = commands.entity(entity);
        match body {
            RigidBody::Dynamic => {
                if !velocity {
                    entity.insert(Velocity::default());
                }
                if !locked {
                    entity.insert(LockedAxes::ROTATION_LOCKED);
                }
                if !gravity {
                    entity.insert(GravityScale(0.0));
                }
            }
            RigidBody::KinematicVelocityBased if !velocity => {
                entity.insert(Velocity::default());
            }
            RigidBody::KinematicPositionBased if !controller => {
                let mut controller = top_down_controller(agent.radius);
                controller.filter_groups = groups.copied();
                entity.insert(controller);
            }
            _ => {}
        }
    }
}

/// Stops the bodies of agents that are agents no longer.
fn stop_bodies(
    mut bodies: Query<(&mut DesiredVelocity, Option<&mut Velocity>), Without<NavAgent>>,
) {
    for (mut desired, velocity) in &mut bodies {
        if desired.0 != Vec2::ZERO {
            desired.0 = Vec2::ZERO;
            if let Some(mut velocity) = velocity {
                velocity.linear = Vec2::ZERO;
            }
        }
    }
}

/// Sets the velocity of dynamic and of velocity-based kinematic bodies.
fn drive_velocities(
    mut bodies: Query<(&DesiredVelocity, &RigidBody, &mut Velocity), With<NavAgent>>,
) {
    for (desired, body, mut velocity) in &mut bodies {
        if matches!(body, RigidBody::Dynamic | RigidBody::KinematicVelocityBased) {
            let driven = Velocity {
                linear: desired.0,
                ..*velocity
            };
            velocity.set_if_neq(driven);
        }
    }
}

/// Hands the step to the character controller, which slides it along walls.
fn drive_controllers(
    time: Res<Time>,
    settings: Res<PursuitSettings>,
    mut bodies: Query<
        (
            &DesiredVelocity,
            &RigidBody,
            &mut KinematicCharacterController,
        ),
        With<NavAgent>,
    >,
) {
    let dt = time.delta_secs().min(settings.max_step);
    for (desired, body, mut controller) in &mut bodies {
        if *body == RigidBody::KinematicPositionBased && desired.0 != Vec2::ZERO {
            controller.translation = Some(desired.0 * dt);
        }
    }
}

/// Moves agents without a body. No physics stops these, so the grid does.
fn drive_transforms(
    time: Res<Time>,
    settings: Res<PursuitSettings>,
    grids: Query<&BakedGrid>,
    mut transforms: ParamSet<(TransformHelper, Query<&mut Transform>)>,
    agents: Query<(Entity, &NavAgent, &DesiredVelocity, Option<&ChildOf>), Without<RigidBody>>,
) {
    let dt = time.delta_secs().min(settings.max_step);
    for (entity, agent, desired, parent) in &agents {
        if desired.0 == Vec2::ZERO {
            continue;
        }
        let helper = transforms.p0();
        let Ok(global) = helper.compute_global_transform(entity) else {
            continue;
        };
        let to_local = parent
            .and_then(|parent| helper.compute_global_transform(parent.parent()).ok())
            .map(|parent| parent.affine().inverse());
        let position = global.translation().truncate();
        let snapshot = grids
            .iter()
            .filter_map(BakedGrid::snapshot)
            .find(|snapshot| snapshot.layout().cell_at(position).is_some());
        let wanted = desired.0 * dt;
        let moved = snapshot.map_or(wanted, |snapshot| {
            slide_along_walls(snapshot, agent.radius, position, wanted)
        });
        let moved = moved.extend(0.0);
        let local = to_local.map_or(moved, |to_local| to_local.transform_vector3(moved));
        // A parent flattened to a line or a point leaves no way to walk.
        if local.is_finite()
            && let Ok(mut transform) = transforms.p1().get_mut(entity)
        {
            transform.translation += local;
        }
    }
}

/// The part of a step that keeps the body clear of walls: all of it, else along one axis.
///
/// A body that is already too near to a wall may only move away from it.
fn slide_along_walls(snapshot: &NavSnapshot, radius: f32, position: Vec2, wanted: Vec2) -> Vec2 {
    let here = snapshot.clearance_at(position);
    let planned = snapshot.radius_cells(radius) * snapshot.layout().cell_size();
    let enough = planned.min(here);
    let fits = |part: &Vec2| {
        let there = position + *part;
        let clear = snapshot.clearance_at(there);
        // The free discs around both ends meet, so that no wall, however thin, is between.
        let is_near = here < planned || part.length() < here + clear;
        snapshot.line_of_sight(position, there, radius) || (is_near && clear >= enough)
    };
    let parts = [wanted, Vec2::new(wanted.x, 0.0), Vec2::new(0.0, wanted.y)];
    parts.into_iter().find(fits).unwrap_or(Vec2::ZERO)
}

#[cfg(test)]
mod tests {
    use pursuit::clearance::Step;
    use pursuit::{Clearance, DiagonalPolicy, Layout};

    use super::*;

    /// Ten columns and three rows of unit cells, and a wall without thickness at x = 5.
    fn thin_wall() -> NavSnapshot {
        let layout = Layout::new(Vec2::ZERO, 1.0, 10, 3).unwrap();
        let mut clearance = Clearance::open(10, 3, 4.0).unwrap();
        for cell in layout.rect().cells() {
            clearance.lower_center(cell, (layout.center(cell).x - 5.0).abs());
            for step in Step::ALL {
                let ends = [cell, step.end(cell)].map(|end| layout.center(end).x - 5.0);
                let crosses = ends[0] * ends[1] < 0.0;
                let nearest = ends[0].abs().min(ends[1].abs());
                clearance.lower_step(cell, step, if crosses { 0.0 } else { nearest });
            }
        }
        NavSnapshot::new(layout, clearance, DiagonalPolicy::default(), 1)
    }

    #[test]
    fn no_step_however_long_leads_through_a_thin_wall() {
        let snapshot = thin_wall();
        for to in 0..10 {
            let from = Vec2::new(1.5, 1.5);
            let wanted = Vec2::new(to as f32 + 0.5, 1.5) - from;
            let end = from + slide_along_walls(&snapshot, 0.4, from, wanted);
            assert!(end.x < 5.0, "from {from} by {wanted} to {end}");
            let is_free = to < 5;
            assert_eq!(end == from + wanted, is_free, "by {wanted} to {end}");
        }
    }

    #[test]
    fn a_step_into_a_wall_slides_along_it() {
        let slid = slide_along_walls(&thin_wall(), 0.4, Vec2::new(4.5, 0.6), Vec2::new(0.5, 0.7));
        assert_eq!(slid, Vec2::new(0.0, 0.7));
    }
}
