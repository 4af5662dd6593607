//! Moves bodies by the velocity that their agents want: dynamic, kinematic, or a bare transform.

pub(crate) mod driver;
mod dynamic;
mod guard;
mod inspect;
mod kinematic;
mod transform;
mod watch;

use bevy::app::{App, Plugin};
use bevy::ecs::schedule::{InternedScheduleLabel, IntoScheduleConfigs};
use bevy_rapier2d::plugin::PhysicsSet;

use crate::schedule::{PursuitSystems, TickEnd, TickStart};
use crate::settings::PursuitSettings;

use driver::NavDrive;

pub use kinematic::top_down_controller;

/// Moves bodies.
pub(crate) struct DrivePlugin {
    pub(crate) schedule: InternedScheduleLabel,
}

impl Plugin for DrivePlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<PursuitSettings>()
            .init_resource::<watch::StepProbe>()
            .register_type::<NavDrive>()
            .add_observer(guard::stop_removed)
            .add_systems(
                self.schedule,
                (
                    (
                        watch::look_before_physics,
                        inspect::equip_bodies,
                        kinematic::give_controllers,
                        kinematic::tune_controllers,
                        inspect::inspect_drivers,
                        watch::watch_settings,
                        watch::watch_grips,
                        watch::watch_timestep,
                    )
                        .chain()
                        .in_set(TickStart),
                    (
                        dynamic::drive_velocities,
                        kinematic::drive_controllers,
                        transform::drive_roots,
                        transform::drive_children,
                    )
                        .chain()
                        .in_set(PursuitSystems::Drive),
                    (guard::stop_undriven, guard::stop_strangers)
                        .chain()
                        .in_set(TickEnd),
                    watch::look_after_physics
                        .after(TickEnd)
                        .after(PhysicsSet::StepSimulation),
                ),
            );
    }
}
