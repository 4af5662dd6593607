//! Where obstacles come from.
//!
//! Each source is a system that looks at components of its own and tells `record` what became of
//! an obstacle. What follows (which grids it concerns, when they are baked) is the same for all.
//! A new kind of obstacle is a new file here, a variant of `Source`, and a system in the plugin.

mod body_size;
mod carriers;
mod colliders;
mod frames;
mod nav_obstacle;
mod record;

pub(super) use body_size::measure_targets;
pub(super) use carriers::{Carriers, note_carriers};
pub(super) use colliders::observe_colliders;
pub(super) use frames::{Frames, count_frames};
pub use nav_obstacle::{NavObstacle, ObstacleShape};
pub(super) use nav_obstacle::{any_nav_obstacle, observe_nav_obstacles};
pub(crate) use record::ObservedObstacles;
pub(super) use record::{Edits, Obstacle, ObstacleId};
