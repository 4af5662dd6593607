//! The plugin group that a game adds, and the plugins in it.
//!
//! Each stage is a plugin of its own. All plugins except [`SchedulePlugin`] can be disabled. The docs of each plugin
//! say what is missing without it; the other stages keep working.
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_pursuit::prelude::*;
//! use bevy_pursuit::plugins::DrivePlugin;
//!
//! # let mut app = App::new();
//! // The game moves its agents itself, by their `DesiredVelocity`.
//! app.add_plugins(PursuitPlugins::default().build().disable::<DrivePlugin>());
//! ```

use bevy::app::{FixedUpdate, PluginGroup, PluginGroupBuilder, PostUpdate};
use bevy::ecs::schedule::{InternedScheduleLabel, ScheduleLabel};

pub use crate::avoid::AvoidPlugin;
pub use crate::bake::BakePlugin;
pub use crate::diagnostics::DiagnosticsPlugin;
pub use crate::intent::decide::DecidePlugin;
pub use crate::intent::decided::DecideInEachTick;
pub use crate::motion::FollowPlugin;
pub use crate::physics::DrivePlugin;
pub use crate::plan::PlanPlugin;
pub use crate::schedule::{InlineBakeSystems, SchedulePlugin};

/// Everything that makes agents chase: bake, decide, plan, follow, avoid, drive.
///
/// The plugins run in the schedule of the physics. The default is `PostUpdate`, as for Rapier. With
/// `RapierPhysicsPlugin::in_fixed_schedule()`, use [`PursuitPlugins::in_fixed_schedule`]. In the fixed schedule, all
/// agents move in the same way at every frame rate, including agents with dynamic bodies.
///
/// Each stage is a plugin that can be disabled: see [`plugins`](self).
#[derive(Clone, Copy, Debug)]
pub struct PursuitPlugins {
    schedule: InternedScheduleLabel,
}

impl PursuitPlugins {
    /// Makes the plugins run in `FixedUpdate`.
    pub fn in_fixed_schedule(self) -> Self {
        self.in_schedule(FixedUpdate)
    }

    /// Makes the plugins run in `schedule`. This must be the schedule in which the physics runs.
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
        let group = PluginGroupBuilder::start::<Self>().add(SchedulePlugin { schedule });
        #[cfg(feature = "rapier2d")]
        let group = group.add(crate::physics::PhysicsPlugin { schedule });
        group
            .add(BakePlugin { schedule })
            .add(DecidePlugin { schedule })
            .add(PlanPlugin { schedule })
            .add(FollowPlugin { schedule })
            .add(AvoidPlugin { schedule })
            .add(DrivePlugin { schedule })
            .add(DiagnosticsPlugin { schedule })
    }
}
