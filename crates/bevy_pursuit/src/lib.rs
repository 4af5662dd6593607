#![doc = include_str!("../../../README.md")]

pub mod bake;
mod chunks;
mod diagnostics;
mod drive;
pub mod events;
pub mod grid;
pub mod intent;
pub mod motion;
mod navigation;
pub mod plan;
mod plugins;
mod schedule;
pub mod settings;
mod stats;

pub use bake::source::{NavObstacle, ObstacleShape};
pub use diagnostics::PursuitDiagnostics;
pub use drive::driver::NavDrive;
pub use drive::top_down_controller;
pub use events::{AgentStuck, PathFailed, PathFound, TargetReached};
pub use grid::{BakedGrid, Diagonals, GridBaked, NavGrid, ObstacleLayers, OnGrid};
pub use intent::{Chase, Flee, PathRequest, RepathPolicy};
pub use motion::{DesiredVelocity, Locomotion, NavAgent, PathCursor};
pub use navigation::{GridNavigation, Navigation};
pub use plan::{FailReason, NavPath, PathStatus};
pub use plugins::PursuitPlugins;
pub use schedule::PursuitSystems;
pub use settings::{PlanMode, PursuitSettings};
pub use stats::PursuitStats;

/// The names that a game needs, in one import.
pub mod prelude {
    pub use crate::{
        AgentStuck, BakedGrid, Chase, DesiredVelocity, Diagonals, FailReason, Flee, GridBaked,
        GridNavigation, Locomotion, NavAgent, NavDrive, NavGrid, NavObstacle, NavPath, Navigation,
        ObstacleLayers, ObstacleShape, OnGrid, PathCursor, PathFailed, PathFound, PathRequest,
        PathStatus, PlanMode, PursuitDiagnostics, PursuitPlugins, PursuitSettings, PursuitStats,
        PursuitSystems, RepathPolicy, TargetReached, top_down_controller,
    };
}
