#![doc = include_str!("../README.md")]

mod agent;
mod bake;
mod chunks;
mod deferred;
mod diagnostics;
mod drive;
pub mod events;
pub mod grid;
mod intent;
mod motion;
mod names;
mod navigation;
mod plan;
pub mod plugins;
mod schedule;
pub mod settings;
mod stats;

pub use agent::{
    DesiredVelocity, FailReason, Locomotion, NavAgent, NavBody, NavDrive, NavPath, PathCursor,
    PathStatus, Paused, RepathPolicy,
};
pub use bake::source::{NavObstacle, ObstacleShape};
pub use diagnostics::PursuitDiagnostics;
pub use drive::top_down_controller;
pub use drive::turn::NavTurn;
pub use events::{AgentStuck, PathFailed, PathFound, TargetLost, TargetReached};
pub use grid::{BakedGrid, Diagonals, GridBaked, NavGrid, ObstacleLayers, OnGrid};
pub use intent::{Chase, Flee, PathRequest};
pub use navigation::{GridNavigation, Navigation};
pub use plan::{NextPlan, Outlook, PlanReason, Wants};
#[cfg(feature = "recorder")]
pub use plan::{PathRecorder, RecordedPath};
pub use plugins::PursuitPlugins;
/// The core, which knows no engine: grids, search, line of sight, string pulling, steering.
///
/// ```
/// use bevy_pursuit::core::{STRAIGHT, octile};
///
/// assert_eq!(octile(3, 0), 3 * u64::from(STRAIGHT));
/// ```
pub use pursuit as core;
pub use schedule::PursuitSystems;
pub use settings::{PlanMode, PursuitSettings};
pub use stats::PursuitStats;

/// The names that a game needs, in one import.
pub mod prelude {
    #[cfg(feature = "recorder")]
    pub use crate::PathRecorder;
    pub use crate::{
        AgentStuck, BakedGrid, Chase, DesiredVelocity, Diagonals, FailReason, Flee, GridBaked,
        GridNavigation, Locomotion, NavAgent, NavBody, NavDrive, NavGrid, NavObstacle, NavPath,
        NavTurn, Navigation, NextPlan, ObstacleLayers, ObstacleShape, OnGrid, Outlook, PathCursor,
        PathFailed, PathFound, PathRequest, PathStatus, Paused, PlanMode, PlanReason,
        PursuitDiagnostics, PursuitPlugins, PursuitSettings, PursuitStats, PursuitSystems,
        RepathPolicy, TargetLost, TargetReached, Wants, top_down_controller,
    };
}
