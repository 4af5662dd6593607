//! Where in a tick the physics does its part.

use bevy::app::App;
use bevy::ecs::entity::Entity;
use bevy::ecs::schedule::{InternedScheduleLabel, IntoScheduleConfigs, SystemSet};
use bevy::ecs::system::{Query, Res, SystemParam};
use bevy::math::Vec3;
use bevy::time::Time;

use crate::agent::DesiredVelocity;
use crate::grid::{BakedGrid, Ground};
use crate::schedule::{FollowTick, PursuitSystems, Ran, TickEnd};
use crate::settings::PursuitSettings;

/// What drives agents, in order: the physics its bodies, then Pursuit what is left.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum DriveSteps {
    /// Bodies of the physics, in [`PursuitSystems::Drive`].
    Bodies,
    /// Bare transforms.
    Transforms,
    /// Bodies that the physics turns.
    TurnBodies,
    /// In [`TickEnd`]: the physics stops what it does not drive any more.
    StopBodies,
    /// What was noted of these is forgotten.
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

/// The tick that agents are driven in.
#[derive(SystemParam)]
pub(super) struct DrivenTick<'w, 's> {
    time: Res<'w, Time>,
    settings: Res<'w, PursuitSettings>,
    followed: Ran<'w, FollowTick>,
    grids: Query<'w, 's, (Entity, &'static BakedGrid)>,
}

impl DrivenTick<'_, '_> {
    /// The grids that agents are on.
    pub(super) fn grids(&self) -> Vec<Ground<'_>> {
        self.grids.iter().map(Ground::new).collect()
    }

    /// How long it counts, in seconds.
    pub(super) fn dt(&self) -> f32 {
        self.settings.step(self.time.delta_secs())
    }

    /// Whether desired velocities are of this tick.
    pub(super) fn is_followed(&self) -> bool {
        self.followed.now()
    }

    /// What an agent wants: nothing where that was not decided in this tick.
    pub(super) fn wanted(&self, desired: &DesiredVelocity) -> Vec3 {
        if self.is_followed() {
            desired.0
        } else {
            Vec3::ZERO
        }
    }
}
