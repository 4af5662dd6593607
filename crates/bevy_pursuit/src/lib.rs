#![doc = include_str!("../../../README.md")]

pub mod bake;
mod diagnostics;
mod drive;
pub mod events;
pub mod grid;
mod intent;
pub mod motion;
mod plan;
mod plugins;
mod schedule;
pub mod settings;
mod stats;

pub use bake::source::{NavObstacle, ObstacleShape};
pub use diagnostics::PursuitDiagnostics;
pub use drive::top_down_controller;
pub use events::{AgentStuck, PathFailed, PathFound, TargetReached};
pub use grid::{BakedGrid, Diagonals, GridBaked, NavGrid, ObstacleLayers, OnGrid};
pub use motion::agent::{
    Chase, DesiredVelocity, FailReason, Locomotion, NavAgent, NavPath, PathCursor, PathRequest,
    PathStatus, RepathPolicy,
};
pub use plugins::PursuitPlugins;
pub use schedule::PursuitSystems;
pub use settings::{PlanMode, PursuitSettings};
pub use stats::PursuitStats;

/// The names that a game needs, in one import.
pub mod prelude {
    pub use crate::{
        AgentStuck, BakedGrid, Chase, DesiredVelocity, Diagonals, FailReason, GridBaked,
        Locomotion, NavAgent, NavGrid, NavObstacle, NavPath, ObstacleLayers, ObstacleShape,
        PathCursor, PathFailed, PathFound, PathRequest, PathStatus, PlanMode, PursuitDiagnostics,
        PursuitPlugins, PursuitSettings, PursuitStats, PursuitSystems, RepathPolicy, TargetReached,
        top_down_controller,
    };
}
