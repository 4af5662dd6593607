//! What the stages share of an agent: values, and no stage.

mod body;
mod chased;
mod cursor;
mod driver;
mod errand;
mod following;
mod intent;
mod locomotion;
mod nav_agent;
mod path;
mod place;
mod planning;
mod progress;
mod repath;
mod status;

pub(crate) use body::BodyKey;
pub use body::NavBody;
pub(crate) use chased::{BodySize, ChaseIndex};
pub use cursor::PathCursor;
pub use driver::NavDrive;
pub(crate) use driver::{DYNAMIC, Driver, DriverState, Order};
pub(crate) use errand::{Errand, Want};
pub(crate) use following::Following;
pub(crate) use intent::{Intent, renew};
pub use locomotion::{DesiredVelocity, Locomotion, NavPaused};
pub use nav_agent::NavAgent;
pub use path::NavPath;
pub(crate) use place::{Place, read_places, world_position};
pub(crate) use planning::{Planning, Purpose};
pub(crate) use progress::Watch;
pub use repath::RepathPolicy;
pub(crate) use repath::{Drift, retry_delay};
pub use status::{FailReason, PathStatus};
