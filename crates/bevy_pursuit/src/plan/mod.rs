//! Turns intents into paths: decides which entities need a search, runs the searches, and installs their results.
//!
//! Pending work is data: an entity and its ticket wait in the queue until a task takes them. An answer is installed
//! only if its entity still waits for the ticket of the answer.

pub(crate) mod answer;
pub(crate) mod ask;
pub(crate) mod batch;
pub(crate) mod dispatch;
pub(crate) mod ends;
pub(crate) mod enqueue;
mod fade;
mod jobs;
mod join;
pub(crate) mod judge;
mod lines;
pub(crate) mod planner;
mod priced;
pub(crate) mod queue;
pub(crate) mod reason;
pub(crate) mod recheck;
#[cfg_attr(not(feature = "recorder"), path = "no_recorder.rs")]
pub(crate) mod recorder;
mod refuge;
pub(crate) mod report;
mod searches;
mod share;
mod shore;
pub(crate) mod waypoints;

use bevy::app::{App, Last, Plugin};
use bevy::ecs::schedule::{InternedScheduleLabel, IntoScheduleConfigs};

use self::answer::poll_searches;
use self::ask::AskLimit;
use self::batch::SearchTasks;
use self::dispatch::{prepare_searches, spawn_searches};
use self::enqueue::enqueue_searches;
use self::fade::end_prices;
use self::join::{is_crowded, join_flows};
use self::lines::note_lines;
use self::queue::PlanQueue;
use crate::agent::{NavPath, OffFields, PathStatus};
use crate::events::{PathFailed, PathFound, TargetLost};
use crate::fields::{FieldCache, any_flow, begin_fields, keep_flows};
use crate::schedule::{FlowSteps, FrameOver, MainSystems, PursuitSystems, ensure_schedule};
use crate::settings::PursuitSettings;
use crate::stats::PursuitStats;

pub(crate) use fade::{any_price, has_look_turn};
pub use reason::PlanReason;
#[cfg(feature = "recorder")]
pub use recorder::{PathRecorder, RecordedPath};
pub use report::{NavReport, NextPlan};

/// Runs searches: turns what entities want into [`NavPath`]s.
///
/// Without this plugin, there are no paths, [`PathStatus`] stays `Idle`, and no [`PathFound`], [`PathFailed`] or
/// [`TargetLost`] is triggered. Chasers still go straight to a target that they see.
#[derive(Clone, Copy, Debug)]
pub struct PlanPlugin {
    /// The schedule in which the physics runs.
    pub schedule: InternedScheduleLabel,
}

impl Plugin for PlanPlugin {
    fn build(&self, app: &mut App) {
        ensure_schedule(app, self.schedule);
        app.init_resource::<PlanQueue>()
            .init_resource::<SearchTasks>()
            .init_resource::<FieldCache>()
            .init_resource::<OffFields>()
            .init_resource::<AskLimit>()
            .register_type::<NavPath>()
            .register_type::<NavReport>()
            .register_type::<PathStatus>()
            .register_type::<PathFound>()
            .register_type::<PathFailed>()
            .register_type::<TargetLost>()
            .register_type::<PursuitSettings>()
            .register_type::<PursuitStats>()
            .add_main_systems(
                self.schedule,
                (
                    (
                        end_prices.run_if(any_price).run_if(has_look_turn),
                        note_lines.run_if(has_look_turn),
                        keep_flows.run_if(any_flow),
                        join_flows.run_if(is_crowded),
                    )
                        .chain()
                        .in_set(FlowSteps),
                    (poll_searches, enqueue_searches, prepare_searches)
                        .chain()
                        .in_set(PursuitSystems::Plan)
                        .after(FlowSteps),
                ),
            )
            .add_main_systems(
                Last,
                (begin_fields.run_if(any_flow), spawn_searches).in_set(FrameOver::Searches),
            );
        #[cfg(feature = "recorder")]
        app.register_type::<PathRecorder>()
            .register_type::<RecordedPath>();
    }
}
