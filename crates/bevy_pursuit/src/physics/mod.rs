//! Moves agents by their desired velocities, and turns the obstacles of a physics engine into obstacles of
//! Pursuit.
//!
//! Only `rapier` depends on Rapier: it writes each agent's `BodyState`, drives the bodies, and observes colliders as
//! obstacles. `transform` moves agents that no physics engine moves. Another physics engine would get a folder of its own.

mod driven_tick;
mod guard;
#[cfg(feature = "rapier2d")]
mod rapier;
mod transform;
pub(crate) mod turn;
mod warnings;

use bevy::ecs::schedule::InternedScheduleLabel;
use bevy::prelude::*;

#[cfg(feature = "rapier2d")]
use self::rapier::drive_bodies;
#[cfg(feature = "rapier2d")]
pub use self::rapier::top_down_controller;
#[cfg(feature = "rapier2d")]
pub(crate) use self::rapier::{PhysicsPlugin, Solid, observe_bodies, order_observers, visit_state};
#[cfg(all(test, feature = "rapier2d"))]
pub(crate) use self::rapier::{decompose, random_shapes};

pub(crate) use self::turn::NavTurn;
use self::warnings::{
    log_once, watch_classes, watch_crowd_obstacles, watch_drives, watch_scales, watch_settings,
    watch_ticks, watch_turns,
};
use crate::agent::{NavAgent, NavDrive};
#[cfg(not(feature = "rapier2d"))]
use crate::obstacle::nav_obstacle::NavObstacle;
use crate::schedule::{MainSystems, PursuitSystems, TickEnd, TickStart, ensure_schedule};
#[cfg(not(feature = "rapier2d"))]
use crate::visitor::StateVisitor;

/// Filter for entities that may be obstacles.
#[cfg(not(feature = "rapier2d"))]
pub(crate) type Solid = With<NavObstacle>;

/// Filter for agents with a parent entity.
type CarriedAgents = (With<NavAgent>, With<ChildOf>);

/// Moves agents by their [`DesiredVelocity`](crate::DesiredVelocity), and turns them.
///
/// Without this plugin no agent is moved, turned, stopped, or given a controller: the game moves each agent by its
/// `DesiredVelocity`, which is still written. Agents that the game does not move are reported as stuck. Paths are
/// planned even for bodies that could not be driven, and an entity that is no longer an agent keeps its last
/// `DesiredVelocity`.
#[derive(Clone, Copy, Debug)]
pub struct DrivePlugin {
    /// The schedule in which the physics runs.
    pub schedule: InternedScheduleLabel,
}

impl Plugin for DrivePlugin {
    fn build(&self, app: &mut App) {
        ensure_schedule(app, self.schedule);
        drive_bodies(app, self.schedule);
        app.register_type::<NavDrive>()
            .register_type::<NavTurn>()
            .add_main_systems(
                self.schedule,
                (
                    watch_ticks
                        .pipe(log_once)
                        .pipe(watch_settings.pipe(log_once))
                        .pipe(watch_drives.pipe(log_once))
                        .pipe(watch_turns.pipe(log_once))
                        .pipe(watch_scales.pipe(log_once))
                        .pipe(watch_classes.pipe(log_once))
                        .pipe(watch_crowd_obstacles.pipe(log_once))
                        .in_set(TickStart),
                    (
                        transform::drive_roots,
                        transform::drive_children.run_if(any_match_filter::<CarriedAgents>),
                        turn::turn_transforms.run_if(any_with_component::<NavTurn>),
                    )
                        .chain()
                        .in_set(PursuitSystems::Drive),
                    guard::reset_motion.in_set(TickEnd),
                ),
            );
    }
}

/// Does nothing: without a physics engine there are no bodies to drive.
#[cfg(not(feature = "rapier2d"))]
fn drive_bodies(_: &mut App, _: InternedScheduleLabel) {}

/// Does nothing: without a physics engine there is no further state.
#[cfg(not(feature = "rapier2d"))]
pub(crate) fn visit_state(_: &mut impl StateVisitor) {}

/// Does nothing: without a physics engine there are no colliders.
#[cfg(not(feature = "rapier2d"))]
pub(crate) fn order_observers(_: &mut App) {}

/// Does nothing: without a physics engine there are no colliders.
#[cfg(not(feature = "rapier2d"))]
pub(crate) fn observe_bodies() -> impl System<In = (), Out = ()> {
    IntoSystem::into_system(|| {})
}
