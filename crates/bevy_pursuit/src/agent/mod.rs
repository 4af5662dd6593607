//! Data of an agent that several stages share. No stage lives here.

mod avoidance;
mod body;
#[cfg_attr(
    not(feature = "rapier2d"),
    expect(
        dead_code,
        reason = "only a physics says more than that a transform is bare"
    )
)]
mod body_state;
mod chased;
mod cursor;
mod errand;
mod flow_follower;
mod following;
mod frame;
mod intent;
mod jam;
mod locomotion;
mod nav_agent;
mod path;
mod place;
mod planning;
mod progress;
mod repath;
mod status;
mod walk;

pub(crate) use avoidance::CrowdState;
pub use avoidance::{CrowdObstacle, NavAvoidance, NavPriority};
pub(crate) use body::BodyKey;
pub use body::NavBody;
pub use body_state::NavDrive;
pub(crate) use body_state::{BodyKind, BodyState, Drive, DriverState};
pub(crate) use chased::{BodySize, ChaseIndex};
pub use cursor::PathCursor;
pub use errand::Wants;
pub(crate) use errand::{GoalKind, NavOrder};
pub(crate) use flow_follower::{FlowFollower, turn};
pub(crate) use following::{Following, Past};
pub(crate) use frame::Plane;
pub use frame::{NavFrame, WorldPoint};
pub(crate) use intent::{Intent, renew};
pub(crate) use jam::Jam;
pub use locomotion::{DesiredVelocity, Locomotion, NavPaused};
pub use nav_agent::NavAgent;
pub use path::NavPath;
pub(crate) use path::{Leg, LegStart};
pub(crate) use place::{Place, read_places, world_position};
pub(crate) use planning::{Planning, Purpose};
pub(crate) use progress::{FORGET_RATE, Tick, Watch};
pub use repath::RepathPolicy;
pub(crate) use repath::{Drift, retry_delay};
pub use status::{FailReason, PathStatus};
pub(crate) use walk::{Walk, Walker};
