//! Where in a tick the physics does its part.

use bevy::app::App;
use bevy::ecs::schedule::{InternedScheduleLabel, IntoScheduleConfigs, SystemSet};

use crate::schedule::{PursuitSystems, TickEnd};

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
