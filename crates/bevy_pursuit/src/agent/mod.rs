//! Data of an agent that several stages share, and the system that reads positions.

mod avoidance;
mod body;
#[cfg_attr(
    not(feature = "rapier2d"),
    expect(
        dead_code,
        reason = "only a physics integration sets more than the default, a bare transform"
    )
)]
mod body_state;
mod chased;
mod cursor;
mod follow_memory;
mod frame;
mod intent;
mod locomotion;
mod nav_agent;
mod nav_order;
mod off_field;
mod path;
mod planning;
mod prices;
mod progress;
mod repath;
mod status;
mod tick_position;
mod walk;
mod walk_state;

pub(crate) use avoidance::CrowdState;
pub use avoidance::{CrowdObstacle, NavAvoidance, NavPriority};
pub use body::NavBody;
pub(crate) use body::NavBodyKey;
pub use body_state::NavDrive;
pub(crate) use body_state::{BodyKind, BodyState, Drive, DriverState};
pub(crate) use chased::{BodySize, ChaseIndex, Chasers};
pub use cursor::PathCursor;
pub(crate) use follow_memory::{FollowMemory, Past};
pub(crate) use frame::GridPlane;
pub use frame::{NavFrame, WorldPoint};
pub(crate) use intent::{Decided, Intent, Present, TargetPositions, renew};
pub(crate) use locomotion::WalkedGrid;
pub use locomotion::{DesiredVelocity, Locomotion, NavPaused};
pub use nav_agent::NavAgent;
pub use nav_order::Wants;
pub(crate) use nav_order::{GoalKind, NavOrder};
pub(crate) use off_field::{ByMarker, OffField, OffFields};
pub use path::NavPath;
pub(crate) use path::{Leg, LegStart};
pub(crate) use planning::{Planning, Purpose, Ticket};
pub(crate) use prices::{GridPrices, Line, Price, Prices};
pub(crate) use progress::{
    FORGET_RATE, MIN_WANTED_RADII, ProgressSample, ProgressWatch, progress_distance,
};
pub(crate) use repath::Drift;
pub use repath::RepathPolicy;
pub use status::{FailReason, PathStatus};
pub(crate) use tick_position::{TickPosition, read_positions, world_position};
pub(crate) use walk::{Walk, WalkerParts, remaining_distance};
pub(crate) use walk_state::{FieldWalk, WalkSource, WalkState, has_join_turn};
