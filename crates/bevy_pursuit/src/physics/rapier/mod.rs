//! Rapier's colliders as obstacles, and Rapier's bodies as agents.

mod blockers;
mod body_size;
mod carriers;
mod colliders;
mod decompose;
mod dynamic;
mod guard;
mod inspect;
mod kinematic;
#[cfg(test)]
#[path = "tests/random_shapes.rs"]
pub(crate) mod random_shapes;
mod turn;
mod velocity;
mod warnings;

use bevy::ecs::schedule::InternedScheduleLabel;
use bevy::prelude::*;
use bevy_rapier2d::prelude::*;

#[cfg(test)]
pub(crate) use self::decompose::decompose;
pub use self::kinematic::top_down_controller;

use self::warnings::{
    watch_damping, watch_groups, watch_lag, watch_reach, watch_speed, watch_steps, watch_worlds,
};
use crate::agent::{NavAgent, NavPaused};
use crate::grid::ObstacleLayers;
use crate::obstacle::nav_obstacle::NavObstacle;
use crate::physics::guard::reset_motion;
use crate::physics::transform::drive_roots;
use crate::physics::turn::{NavTurn, turn_transforms};
use crate::physics::warnings::log_once;
use crate::plan::{any_price, has_look_turn};
use crate::schedule::{
    MainSystems, PursuitSystems, PursuitTickSystems, TickEnd, TickOver, TickStart, ensure_schedule,
};
use crate::visitor::StateVisitor;

/// Filter for entities that may be obstacles.
pub(crate) type Solid = Or<(With<NavObstacle>, With<Collider>)>;

/// Filter for agents with a body. While there are no such agents, the systems that drive bodies do not run.
type AgentBodies = (With<NavAgent>, With<RigidBody>);

impl From<Group> for ObstacleLayers {
    fn from(group: Group) -> Self {
        Self(group.bits())
    }
}

/// Orders Rapier's sets relative to Pursuit's sets, and warns if Rapier's plugin is missing.
pub(crate) struct PhysicsPlugin {
    /// The schedule in which the physics runs.
    pub(crate) schedule: InternedScheduleLabel,
}

impl Plugin for PhysicsPlugin {
    fn build(&self, app: &mut App) {
        ensure_schedule(app, self.schedule);
        app.configure_sets(
            self.schedule,
            (
                PhysicsSet::SyncBackend.after(TickOver),
                PhysicsSet::Writeback.before(PursuitSystems::Last),
            ),
        );
    }

    fn finish(&self, app: &mut App) {
        if !app.world().contains_resource::<TimestepMode>() {
            warn!(
                "Pursuit runs without RapierPhysicsPlugin: agents with a RigidBody will not move. Add the plugin, or \
                 turn off the feature rapier2d if no agent has a RigidBody"
            );
        }
    }
}

/// Orders the systems that observe obstacles after the physics.
pub(crate) fn order_observers(app: &mut App) {
    app.configure_sets(
        PostUpdate,
        PhysicsSet::Writeback.before(PursuitSystems::Observe),
    );
}

/// Observes colliders and bodies as obstacles and as targets.
pub(crate) fn observe_bodies() -> impl System<In = (), Out = ()> {
    let observers = carriers::note_bodies
        .pipe(colliders::observe_colliders)
        .pipe(body_size::measure_targets)
        .pipe(watch_worlds.pipe(log_once));
    IntoSystem::into_system(observers)
}

/// Visits the types that hold the state of bodies.
pub(crate) fn visit_state(visitor: &mut impl StateVisitor) {
    visitor.component::<turn::Turning>();
    visitor.component::<kinematic::GivenController>();
    visitor.computed::<warnings::StepProbe>();
}

/// Adds the systems that drive bodies.
pub(super) fn drive_bodies(app: &mut App, schedule: InternedScheduleLabel) {
    if !app.is_plugin_added::<PhysicsPlugin>() {
        app.add_plugins(PhysicsPlugin { schedule });
    }
    app.init_resource::<warnings::StepProbe>()
        .add_observer(guard::stop_removed)
        .add_observer(turn::stop_turning)
        .add_main_systems(
            schedule,
            (
                (
                    warnings::look_before_physics,
                    (inspect::equip_bodies, kinematic::give_controllers)
                        .chain()
                        .run_if(any_match_filter::<AgentBodies>),
                    turn::equip_turning.run_if(any_with_component::<NavTurn>),
                    kinematic::tune_controllers
                        .run_if(any_with_component::<kinematic::GivenController>),
                    inspect::inspect_drivers,
                    (watch_lag.pipe(log_once))
                        .pipe(watch_speed.pipe(log_once))
                        .pipe(watch_steps.pipe(log_once))
                        .pipe(watch_groups.pipe(log_once))
                        .pipe(watch_reach.pipe(log_once))
                        .pipe(watch_damping.pipe(log_once))
                        .run_if(any_match_filter::<AgentBodies>),
                )
                    .chain()
                    .in_set(TickStart),
                blockers::look_for_blockers
                    .run_if(has_look_turn)
                    .run_if(any_price)
                    .after(PursuitSystems::Decide)
                    .before(PursuitSystems::Plan)
                    .in_set(PursuitTickSystems),
                dynamic::stop_walking
                    .run_if(any_with_component::<NavPaused>)
                    .after(PursuitSystems::Plan)
                    .before(PursuitSystems::Follow)
                    .in_set(PursuitTickSystems),
                (dynamic::drive_velocities, kinematic::drive_controllers)
                    .chain()
                    .run_if(any_match_filter::<AgentBodies>)
                    .before(drive_roots)
                    .in_set(PursuitSystems::Drive),
                turn::turn_bodies
                    .run_if(any_with_component::<NavTurn>)
                    .after(turn_transforms)
                    .in_set(PursuitSystems::Drive),
                guard::stop_bodies.before(reset_motion).in_set(TickEnd),
                warnings::look_after_physics
                    .after(TickEnd)
                    .after(PhysicsSet::StepSimulation)
                    .before(PursuitSystems::Last)
                    .in_set(PursuitTickSystems),
            ),
        );
}
