#![cfg_attr(feature = "rapier2d", doc = include_str!("../README.md"))]
#![cfg_attr(not(feature = "rapier2d"), doc = "NPCs that chase, without a physics.")]

mod agent;
mod avoid;
mod bake;
mod chunks;
mod deferred;
mod diagnostics;
pub mod events;
mod flow;
pub mod grid;
mod ground;
mod intent;
mod motion;
mod names;
mod navigation;
pub mod obstacle;
mod physics;
mod plan;
pub mod plugins;
pub mod rollback;
mod schedule;
pub mod settings;
mod stats;
mod visitor;

pub use agent::{
    DesiredVelocity, FailReason, Locomotion, NavAgent, NavAvoidance, NavAvoided, NavBody, NavDrive,
    NavFrame, NavPath, NavPaused, NavPriority, PathCursor, PathStatus, RepathPolicy, Wants,
    WorldPoint,
};
pub use diagnostics::PursuitDiagnostics;
pub use events::{
    AgentStuck, EnteredForbidden, GoalReached, GridBaked, PathFailed, PathFound, TargetLost,
};
pub use grid::{BakedGrid, Diagonals, NavGrid, ObstacleLayers, OnGrid};
pub use ground::{AgentClass, AgentClasses, AreaId, AreaInfo, NavArea, NavAreas, NavSeeThrough};
pub use intent::{Chase, Flee, PathRequest};
pub use navigation::{Asker, Navigation};
pub use obstacle::nav_obstacle::NavObstacle;
pub use obstacle::shape::ObstacleShape;
#[cfg(feature = "rapier2d")]
pub use physics::top_down_controller;
pub use physics::turn::NavTurn;
pub use plan::{NextPlan, Outlook, PlanReason};
#[cfg(feature = "recorder")]
pub use plan::{PathRecorder, RecordedPath};
pub use plugins::PursuitPlugins;
/// The core, which knows no engine: grids, search, line of sight, string pulling, steering.
///
/// ```
/// use bevy_pursuit::core::{Cell, STRAIGHT, octile};
///
/// let [start, end] = [(0, 0), (3, 0)].map(Cell::from);
/// assert_eq!(octile(start, end), 3 * u64::from(STRAIGHT));
/// ```
pub use pursuit as core;
pub use schedule::{InlineBakes, PursuitSystems};
pub use settings::{PlanMode, PursuitSettings};
pub use stats::PursuitStats;

/// The names that a game needs, in one import. What tools need stands at the root.
pub mod prelude {
    pub use crate::{
        AgentClass, AgentClasses, AgentStuck, AreaId, Chase, EnteredForbidden, FailReason, Flee,
        GoalReached, Locomotion, NavAgent, NavArea, NavAreas, NavAvoidance, NavAvoided, NavDrive,
        NavGrid, NavObstacle, NavPath, NavPaused, NavPriority, NavSeeThrough, NavTurn, Navigation,
        ObstacleLayers, OnGrid, PathFailed, PathFound, PathRequest, PathStatus, PursuitPlugins,
        PursuitSettings, PursuitSystems, RepathPolicy, TargetLost,
    };
}
