//! The parts of the present tick that the drive stage reads.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use crate::agent::DesiredVelocity;
use crate::grid::Grids;
use crate::schedule::{FollowTick, Ran};
use crate::settings::PursuitSettings;

/// The time, the settings and the grids, and whether velocities are up to date.
#[derive(SystemParam)]
pub(super) struct DrivenTick<'w> {
    time: Res<'w, Time>,
    settings: Res<'w, PursuitSettings>,
    followed: Ran<'w, FollowTick>,
    pub(super) grids: Res<'w, Grids>,
}

impl DrivenTick<'_> {
    /// Time by which agents move on in this tick, in seconds: at most [`PursuitSettings::max_delta`].
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
