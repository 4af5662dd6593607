//! Records the obstacles that block agents, and gives any source an interface to report its obstacles.
//!
//! A source writes the changes of its obstacles to [`ObservedObstacles`]. The sources for Rapier's colliders
//! and for [`NavObstacle`]s do so in [`PursuitSystems::Observe`]; a game may do so anywhere. The grids treat the
//! changes of all sources alike.
//!
//! [`NavObstacle`]: crate::NavObstacle
//! [`PursuitSystems::Observe`]: crate::PursuitSystems::Observe

mod carriers;
mod changes;
mod missed_frames;
pub(crate) mod nav_obstacle;
mod outline;
mod record;
pub(crate) mod shape;

#[cfg(feature = "rapier2d")]
pub(crate) use carriers::CarryingAgents;
pub(crate) use carriers::{Carriers, note_carriers};
#[cfg(feature = "rapier2d")]
pub(crate) use changes::ObstacleChanges;
#[cfg(feature = "rapier2d")]
pub(crate) use missed_frames::MissedFrames;
pub(crate) use missed_frames::{FrameCounter, count_frames};
pub(crate) use nav_obstacle::{NavObstacle, observe_nav_obstacles};
pub use outline::{Outline, Pieces};
pub(crate) use record::Edits;
#[cfg(feature = "rapier2d")]
pub(crate) use record::pose_of;
pub use record::{ObservedObstacles, Obstacle, ObstacleId, ObstacleSource};
