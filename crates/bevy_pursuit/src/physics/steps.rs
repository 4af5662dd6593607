//! The order in which agents are driven in a tick.

use bevy::ecs::schedule::InternedScheduleLabel;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use crate::agent::DesiredVelocity;
use crate::grid::Grids;
use crate::schedule::{FollowTick, PursuitSystems, Ran, TickEnd};
use crate::settings::PursuitSettings;

/// The sets of systems that drive agents, in the order in which they run.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum DriveSteps {
    /// Moves the bodies of the physics engine. The first of three sets in [`PursuitSystems::Drive`].
    Bodies,
    /// Moves and turns bare transforms.
    Transforms,
    /// Turns the bodies whose rotation the physics engine decides.
    TurnBodies,
    /// Stops bodies that are no longer driven. The first of two sets in [`TickEnd`].
    StopBodies,
    /// Resets the motion state of the stopped bodies.
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

/// The parts of the present tick that the drive stage reads.
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
