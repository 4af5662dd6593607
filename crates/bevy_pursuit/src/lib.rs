//! Enemies that chase the player in 2D games: a navigation grid built from the game's own Rapier colliders, and
//! agents that walk around walls and through doors as these open.
//!
//! # Quick start
//!
#![cfg_attr(feature = "rapier2d", doc = "```no_run")]
#![cfg_attr(not(feature = "rapier2d"), doc = "```ignore")]
//! use bevy::prelude::*;
//! use bevy_pursuit::prelude::*;
//! use bevy_rapier2d::prelude::*;
//!
//! fn main() {
//!     App::new()
//!         .add_plugins(DefaultPlugins)
//!         .add_plugins(RapierPhysicsPlugin::<NoUserData>::pixels_per_meter(100.))
//!         .add_plugins(PursuitPlugins::default())
//!         .add_systems(Startup, setup)
//!         .run();
//! }
//!
//! fn setup(mut commands: Commands) {
//!     // A grid over the level, a wall, a player, and an enemy that chases. Add a camera and sprites of your own.
//!     let level = Rect::new(-400., -300., 400., 300.);
//!     commands.spawn(NavGrid::covering(level).with_obstacles(Group::GROUP_1));
//!     commands.spawn((Collider::cuboid(80., 10.), CollisionGroups::new(Group::GROUP_1, Group::ALL)));
//!     let player = commands.spawn((CrowdObstacle { radius: 8. }, Transform::from_xyz(-300., -200., 0.))).id();
//!     commands.spawn((NavAgent::from_radius(8.), Chase::new(player), Transform::from_xyz(300., 200., 0.)));
//! }
//! ```
//!
//! # Where to look
//!
//! | I want … | |
//! |---|---|
//! | enemies that chase, stop in range, flee, go to a point | [`Chase`], [`Flee`], [`PathRequest`] on a [`NavAgent`] |
//! | walls | Rapier's colliders, [`NavObstacle`], [`obstacle::ObservedObstacles`] |
//! | mud, water, ducks that swim | [`NavArea`], [`NavAreas`], [`AgentClasses`] |
//! | a crowd that keeps apart and queues | [`NavAvoidance`] |
//! | knock-back, a stun, turning | [`NavDrive`], [`NavPaused`], [`NavTurn`] |
//! | to know what an agent is doing | [`PathStatus`], [`Locomotion`], [`events`] |
//! | to query a distance, a path, a line of sight | [`Navigation`] |
//! | a stage of my own | [`plugins`], [`PursuitSystems`] |
//! | a run that can be repeated exactly | [`PlanMode::Inline`], [`rollback`] |
//!
//! Lengths are in world units, and speeds in world units per second. Searches and bakes run in tasks, and no frame
//! waits for them: a new grid is ready a few frames after it was spawned.
//!
//! The book, `docs/src` in the repository, has a chapter for each row, and an FAQ ordered by symptom. The crate
//! `bevy_pursuit_debug` is an overlay that shows what Pursuit sees.
//!
//! # Features
//!
//! | | Default | |
//! |---|---|---|
//! | `rapier2d` | on | Rapier's colliders become obstacles, and Rapier's bodies are driven |
//! | `recorder` | off | `PathRecorder`: records the steps of a search for replay |
//! | `deep_bake` | off | `NavGrid::with_deep_bake`: search tables for levels that do not change |

#![cfg_attr(docsrs, feature(doc_cfg))]

mod agent;
mod avoid;
mod bake;
mod chunks;
mod diagnostics;
pub mod events;
mod fields;
pub mod grid;
mod ground;
mod intent;
mod motion;
mod names;
mod navigation;
pub mod obstacle;
mod pending_task;
mod physics;
mod plan;
pub mod plugins;
pub mod rollback;
mod schedule;
pub mod settings;
mod stats;
mod visitor;
#[cfg(test)]
#[path = "tests/walk_access.rs"]
mod walk_access;

pub use agent::{
    CrowdObstacle, DesiredVelocity, FailReason, Locomotion, NavAgent, NavAvoidance, NavBody,
    NavDrive, NavFrame, NavPath, NavPaused, NavPriority, PathStatus, RepathPolicy, WorldPoint,
};
pub use diagnostics::PursuitDiagnostics;
pub use events::{
    AgentStuck, EnteredForbidden, GoalReached, GridBaked, PathFailed, PathFound, TargetLost,
};
pub use grid::{BakedGrid, Diagonals, NavGrid, ObstacleLayers, OnGrid};
pub use ground::{
    AgentClass, AgentClasses, AreaId, AreaInfo, ClassId, NavArea, NavAreas, TooManyClasses,
    TransparentObstacle,
};
pub use intent::{Chase, Flee, PathRequest};
pub use navigation::{Navigation, NoPath};
pub use obstacle::nav_obstacle::NavObstacle;
pub use obstacle::shape::ObstacleShape;
#[cfg(feature = "rapier2d")]
pub use physics::top_down_controller;
pub use physics::turn::NavTurn;
#[cfg(feature = "recorder")]
pub use plan::{PathRecorder, RecordedPath};
pub use plugins::PursuitPlugins;
/// The core, which does not depend on an engine: grids, search, line of sight, string pulling, steering.
///
/// ```
/// use bevy_pursuit::core::{Cell, STRAIGHT, octile};
///
/// let [start, end] = [(0, 0), (3, 0)].map(Cell::from);
/// assert_eq!(octile(start, end), 3 * u64::from(STRAIGHT));
/// ```
pub use pursuit as core;
pub use schedule::{PursuitSystems, PursuitTickSystems};
pub use settings::{PlanMode, PursuitSettings};
pub use stats::PursuitStats;

/// Data for tools: what an agent wants, when and why its path is planned again, and how far the agent has come on it.
pub mod inspect {
    pub use crate::agent::{PathCursor, Wants};
    pub use crate::navigation::BodyOnGrid;
    pub use crate::plan::{NavReport, NextPlan, PlanReason};
}

/// Everything that a game usually needs, in one import. Items for tools are at the crate root, and in [`inspect`].
pub mod prelude {
    pub use crate::{
        AgentClass, AgentClasses, AgentStuck, AreaId, Chase, ClassId, CrowdObstacle,
        EnteredForbidden, FailReason, Flee, GoalReached, Locomotion, NavAgent, NavArea, NavAreas,
        NavAvoidance, NavDrive, NavGrid, NavObstacle, NavPath, NavPaused, NavPriority, NavTurn,
        Navigation, ObstacleLayers, OnGrid, PathFailed, PathFound, PathRequest, PathStatus,
        PursuitPlugins, PursuitSettings, PursuitSystems, PursuitTickSystems, RepathPolicy,
        TargetLost, TransparentObstacle,
    };
}
