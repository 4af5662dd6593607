//! Why an entity has no path to its goal.

use crate::agent::{FailReason, PathStatus};

/// Why an entity has no path to its goal. [`Navigation`](crate::Navigation) returns this error when it is asked about
/// the path of an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoPath {
    /// The entity wants nothing, is gone, or has neither a [`NavAgent`](crate::NavAgent) nor a
    /// [`PathRequest`](crate::PathRequest).
    #[error("nothing is wanted")]
    Idle,
    /// The path is not found yet: the entity's status is [`Queued`](PathStatus::Queued) or
    /// [`Searching`](PathStatus::Searching).
    #[error("the path is not found yet")]
    Pending,
    /// The path ends short of the goal.
    #[error("the path ends short of the goal: {0}")]
    Partial(FailReason),
    /// There is no path.
    #[error("there is no path: {0}")]
    Failed(FailReason),
    /// The chased entity is gone, or has no position in the world.
    #[error("the target is lost")]
    TargetLost,
}

impl From<PathStatus> for NoPath {
    /// [`Found`](PathStatus::Found) becomes [`Pending`](NoPath::Pending), because its points are not known yet.
    fn from(status: PathStatus) -> Self {
        match status {
            PathStatus::Idle => Self::Idle,
            PathStatus::Queued | PathStatus::Searching | PathStatus::Found => Self::Pending,
            PathStatus::Partial(reason) => Self::Partial(reason),
            PathStatus::Failed(reason) => Self::Failed(reason),
            PathStatus::TargetLost => Self::TargetLost,
        }
    }
}
