//! Moves bodies by the velocity that their agents want: dynamic, kinematic, or a bare transform.

mod dynamic;
mod guard;
mod halt;
mod inspect;
mod kinematic;
mod stop;
mod transform;
pub(crate) mod turn;
mod warnings;

use bevy::app::{App, Plugin};
use bevy::ecs::hierarchy::ChildOf;
use bevy::ecs::query::{With, Without};
use bevy::ecs::schedule::common_conditions::{
    any_match_filter, any_with_component, resource_changed,
};
use bevy::ecs::schedule::{InternedScheduleLabel, IntoScheduleConfigs};
use bevy_rapier2d::dynamics::RigidBody;
use bevy_rapier2d::plugin::PhysicsSet;

use crate::agent::{NavAgent, NavDrive, NavPaused};
use crate::schedule::{PursuitSystems, TickEnd, TickStart, ensure_schedule, on_main};
use crate::settings::PursuitSettings;

use turn::NavTurn;

pub use kinematic::top_down_controller;

/// Agents that the physics knows. Where there are none, their systems are not run: in a small game
/// that is most of what the drivers cost.
type AgentBodies = (With<NavAgent>, With<RigidBody>);

/// Agents that stand below another entity, and that no physics moves.
type CarriedAgents = (With<NavAgent>, With<ChildOf>, Without<RigidBody>);

/// Moves agents by the [`DesiredVelocity`](crate::DesiredVelocity) that they have, and turns them.
///
/// Without it nobody is moved, turned, equipped with a controller, or stopped: the game moves each agent
/// by its `DesiredVelocity`, which is still written. Agents that it does not move tell that they are
/// stuck. Bodies that could not be driven are planned for all the same, and what was an agent keeps its
/// last `DesiredVelocity`.
#[derive(Clone, Copy, Debug)]
pub struct DrivePlugin {
    /// The schedule in which the physics runs.
    pub schedule: InternedScheduleLabel,
}

impl Plugin for DrivePlugin {
    fn build(&self, app: &mut App) {
        ensure_schedule(app, self.schedule);
        register(app);
        app.init_resource::<PursuitSettings>()
            .init_resource::<warnings::StepProbe>()
            .add_systems(
                self.schedule,
                (
                    (
                        on_main(warnings::look_before_physics),
                        (
                            on_main(inspect::equip_bodies),
                            on_main(kinematic::give_controllers),
                        )
                            .chain()
                            .run_if(any_match_filter::<AgentBodies>),
                        on_main(kinematic::tune_controllers)
                            .run_if(any_with_component::<kinematic::GivenController>),
                        on_main(inspect::inspect_drivers),
                        on_main(warnings::watch_settings)
                            .run_if(resource_changed::<PursuitSettings>),
                        on_main(warnings::watch_grips).run_if(any_with_component::<NavDrive>),
                        on_main(turn::watch_turns).run_if(any_with_component::<NavTurn>),
                        on_main(warnings::watch_timestep).run_if(any_match_filter::<AgentBodies>),
                        on_main(warnings::watch_speeds).run_if(any_match_filter::<AgentBodies>),
                        on_main(warnings::watch_ticks).run_if(any_with_component::<NavAgent>),
                    )
                        .chain()
                        .in_set(TickStart),
                    on_main(dynamic::stand_still)
                        .run_if(any_with_component::<NavPaused>)
                        .after(PursuitSystems::Plan)
                        .before(PursuitSystems::Follow),
                    (
                        (
                            on_main(dynamic::drive_velocities),
                            on_main(kinematic::drive_controllers),
                        )
                            .chain()
                            .run_if(any_match_filter::<AgentBodies>),
                        on_main(transform::drive_roots),
                        on_main(transform::drive_children)
                            .run_if(any_match_filter::<CarriedAgents>),
                        (on_main(turn::turn_transforms), on_main(turn::turn_bodies))
                            .chain()
                            .run_if(any_with_component::<NavTurn>),
                    )
                        .chain()
                        .in_set(PursuitSystems::Drive),
                    (
                        on_main(guard::stop_undriven).run_if(guard::is_undriven),
                        on_main(guard::stop_strangers).run_if(any_match_filter::<guard::Strangers>),
                    )
                        .chain()
                        .in_set(TickEnd),
                    on_main(warnings::look_after_physics)
                        .after(TickEnd)
                        .after(PhysicsSet::StepSimulation),
                ),
            );
    }
}

fn register(app: &mut App) {
    app.register_type::<NavDrive>()
        .register_type::<NavTurn>()
        .add_observer(stop::stop_removed);
}
