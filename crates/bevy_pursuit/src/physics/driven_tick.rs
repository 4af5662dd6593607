//! The inputs that all systems of the drive stage share in one tick.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use crate::agent::{DesiredVelocity, WalkedGrid};
use crate::grid::{GridRef, Grids, OnGrid, grid_at_or_near};
use crate::schedule::{FollowTick, Ran};
use crate::settings::PursuitSettings;

/// The components that determine which grid an agent is driven on.
pub(super) type DrivenOn<'a> = (&'a WalkedGrid, Option<&'a OnGrid>);

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

    /// The grid under an agent that is driven from a position in the world with the velocity `wanted`: the grid on
    /// which the follow stage last decided a velocity, else the grid at the position or nearest to it.
    pub(super) fn grid_under(
        &self,
        (walked, named): DrivenOn,
        position: Vec3,
        wanted: Vec3,
    ) -> Option<GridRef<'_>> {
        let chosen = || grid_at_or_near(named.copied(), position, &self.grids);
        // An agent that is not driven anywhere needs no grid.
        let chosen = || (wanted != Vec3::ZERO).then(chosen).flatten();
        let walked = self.grids.get(walked.0);
        walked.or_else(|| self.grids.get(chosen()))
    }
}
