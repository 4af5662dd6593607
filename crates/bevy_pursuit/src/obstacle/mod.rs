//! What stands in the way of agents, and the seam by which any source of obstacles says so.
//!
//! A source notes in [`ObservedObstacles`] what became of its obstacles: colliders of Rapier and [`NavObstacle`]s do it
//! in [`PursuitSystems::Observe`], a game may do it anywhere. What follows (which grids it concerns, when they are
//! baked) is the same for all.
//!
//! [`NavObstacle`]: crate::NavObstacle
//! [`PursuitSystems::Observe`]: crate::PursuitSystems::Observe

mod carriers;
mod frames;
pub(crate) mod nav_obstacle;
mod outline;
mod record;
pub(crate) mod shape;

#[cfg(feature = "rapier2d")]
pub(crate) use carriers::Agents;
pub(crate) use carriers::{Carriers, note_carriers};
#[cfg(feature = "rapier2d")]
pub(crate) use frames::Attendance;
pub(crate) use frames::{Frames, count_frames};
pub(crate) use nav_obstacle::{NavObstacle, any_nav_obstacle, observe_nav_obstacles};
pub use outline::{Outline, Pieces};
pub(crate) use record::Edits;
#[cfg(feature = "rapier2d")]
pub(crate) use record::pose_of;
pub use record::{ObservedObstacles, Obstacle, ObstacleId, ObstacleSource};
