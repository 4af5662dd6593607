//! The plugin group that a game adds.

use bevy::app::{FixedUpdate, PluginGroup, PluginGroupBuilder, PostUpdate};
use bevy::ecs::schedule::{InternedScheduleLabel, ScheduleLabel};

use crate::bake::BakePlugin;
use crate::diagnostics::DiagnosticsPlugin;
use crate::drive::DrivePlugin;
use crate::intent::decide::DecidePlugin;
use crate::motion::FollowPlugin;
use crate::plan::PlanPlugin;
use crate::schedule::SchedulePlugin;

/// Everything that makes NPCs chase: bake, decide, plan, follow, drive.
///
/// Runs in the schedule of the physics. Rapier's default is `PostUpdate`, and so is Pursuit's;
/// with `RapierPhysicsPlugin::in_fixed_schedule()` take [`PursuitPlugins::in_fixed_schedule`].
///
/// Effect of the fixed schedule: agents move alike at every frame rate, dynamic bodies included.
#[derive(Clone, Copy, Debug)]
pub struct PursuitPlugins {
    schedule: InternedScheduleLabel,
}

impl PursuitPlugins {
    /// Runs in `FixedUpdate`.
    pub fn in_fixed_schedule(self) -> Self {
        self.in_schedule(FixedUpdate)
    }

    /// Runs in `schedule`: the one in which the physics runs.
    pub fn in_schedule(self, schedule: impl ScheduleLabel) -> Self {
        Self {
            schedule: schedule.intern(),
        }
    }
}

impl Default for PursuitPlugins {
    fn default() -> Self {
        Self {
            schedule: PostUpdate.intern(),
        }
    }
}

impl PluginGroup for PursuitPlugins {
    fn build(self) -> PluginGroupBuilder {
        let schedule = self.schedule;
        PluginGroupBuilder::start::<Self>()
            .add(SchedulePlugin { schedule })
            .add(BakePlugin)
            .add(DecidePlugin { schedule })
            .add(PlanPlugin { schedule })
            .add(FollowPlugin { schedule })
            .add(DrivePlugin { schedule })
            .add(DiagnosticsPlugin { schedule })
    }
}
