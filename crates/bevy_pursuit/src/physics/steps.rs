//! The order in which agents are driven in a tick.

use bevy::app::App;
use bevy::ecs::entity::Entity;
use bevy::ecs::schedule::{InternedScheduleLabel, IntoScheduleConfigs, SystemSet};
use bevy::ecs::system::{Query, Res, SystemParam};
use bevy::math::Vec3;
use bevy::time::Time;

use crate::agent::DesiredVelocity;
use crate::grid::{BakedGrid, GridRef};
use crate::schedule::{FollowTick, PursuitSystems, Ran, TickEnd};
use crate::settings::PursuitSettings;

/// The steps of driving, in order: the bodies of the physics engine, then everything else.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum DriveSteps {
    /// Bodies of the physics engine, in [`PursuitSystems::Drive`].
    Bodies,
    /// Bare transforms.
    Transforms,
    /// Bodies that the physics engine turns.
    TurnBodies,
    /// In [`TickEnd`]: bodies that are no longer driven are stopped.
    StopBodies,
    /// The motion state of the stopped bodies is reset.
    Forget,
}

pub(super) fn order_steps(app: &mut App, schedule: InternedScheduleLabel) {
    use DriveSteps::*;
    app.configure_sets(
        schedule,
        (
            (Bodies, Transforms, TurnBodies)
                .chain()
                .in_set(PursuitSystems::Drive),
            (StopBodies, Forget).chain().in_set(TickEnd),
        ),
    );
}

/// The tick in which agents are driven.
#[derive(SystemParam)]
pub(super) struct DrivenTick<'w, 's> {
    time: Res<'w, Time>,
    settings: Res<'w, PursuitSettings>,
    followed: Ran<'w, FollowTick>,
    grids: Query<'w, 's, (Entity, &'static BakedGrid)>,
}

impl DrivenTick<'_, '_> {
    /// All grids with their planes and snapshots.
    pub(super) fn grids(&self) -> Vec<GridRef<'_>> {
        self.grids.iter().map(GridRef::new).collect()
    }

    /// Time that the tick counts for, in seconds.
    pub(super) fn dt(&self) -> f32 {
        self.settings.step(self.time.delta_secs())
    }

    /// Whether the desired velocities were decided in this tick.
    pub(super) fn is_followed(&self) -> bool {
        self.followed.now()
    }

    /// The desired velocity of an agent; zero if it was not decided in this tick.
    pub(super) fn wanted(&self, desired: &DesiredVelocity) -> Vec3 {
        if self.is_followed() {
            desired.0
        } else {
            Vec3::ZERO
        }
    }
}
