//! The one file that orders systems: Pursuit's stages among themselves and against Rapier's.

use bevy::app::{App, Plugin, PostUpdate};
use bevy::ecs::schedule::{InternedScheduleLabel, IntoScheduleConfigs, ScheduleLabel, SystemSet};
use bevy::log::warn;
use bevy::transform::TransformSystems;
use bevy_rapier2d::plugin::{PhysicsSet, TimestepMode};

/// The stages of Pursuit, in the order in which data flows.
///
/// [`Request`](Self::Request) to [`Drive`](Self::Drive) run in the schedule of the physics, just
/// before it; [`Observe`](Self::Observe) and [`Bake`](Self::Bake) at the end of `PostUpdate`, when
/// every transform is up to date.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PursuitSystems {
    /// Notes which colliders changed.
    Observe,
    /// Bakes what changed and installs what was baked.
    Bake,
    /// Turns [`PathRequest`](crate::motion::agent::PathRequest) and [`Chase`](crate::motion::agent::Chase) into
    /// orders.
    Request,
    /// Starts searches and takes in their answers.
    Plan,
    /// Walks along paths: decides the desired velocity.
    Follow,
    /// Moves bodies by the desired velocity.
    Drive,
}

/// Before all stages of a tick: reads what they share. Runs also where a game gates the stages.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TickStart;

/// Orders [`PursuitSystems`] in the chosen schedule.
pub(crate) struct SchedulePlugin {
    pub(crate) schedule: InternedScheduleLabel,
}

impl Plugin for SchedulePlugin {
    fn build(&self, app: &mut App) {
        use PursuitSystems::*;
        app.configure_sets(
            self.schedule,
            (TickStart, Request, Plan, Follow, Drive)
                .chain()
                .before(PhysicsSet::SyncBackend),
        );
        app.configure_sets(
            PostUpdate,
            (Observe, Bake)
                .chain()
                .after(PhysicsSet::Writeback)
                .after(TransformSystems::Propagate),
        );
        if self.schedule == PostUpdate.intern() {
            app.configure_sets(PostUpdate, Drive.before(TransformSystems::Propagate));
        }
    }

    fn finish(&self, app: &mut App) {
        if !app.world().contains_resource::<TimestepMode>() {
            warn!("Pursuit runs without RapierPhysicsPlugin: agents with a body will not move");
        }
    }
}
