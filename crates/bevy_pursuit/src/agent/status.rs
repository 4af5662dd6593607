//! The state of an entity's search for a path, and the reasons why a goal is not reached.

use bevy::prelude::*;

/// Status of the entity's request, chase or flight. Written by this crate.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PathStatus {
    /// The entity wants nothing.
    #[default]
    Idle,
    /// The entity waits for a search task, or for the first bake of its grid.
    Queued,
    /// A search for a path is running.
    Searching,
    /// A path to the goal is known. [`NavPath`](crate::NavPath) has the waypoints, except while the agent follows a
    /// shared field.
    Found,
    /// [`NavPath`](crate::NavPath) leads to the reachable cell nearest to the goal. With
    /// [`FailReason::OutsideGrid`], it leads back onto the grid. With [`FailReason::Cornered`], the agent stays in its
    /// corner.
    Partial(FailReason),
    /// There is no path.
    Failed(FailReason),
    /// The chased entity is gone, or has no position in the world.
    TargetLost,
}

impl PathStatus {
    /// Why the goal is not reached. `None` if a path leads to the goal, or if there is no answer yet.
    pub fn reason(self) -> Option<FailReason> {
        match self {
            Self::Partial(reason) | Self::Failed(reason) => Some(reason),
            _ => None,
        }
    }
}

/// Why a goal was not reached.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, thiserror::Error)]
#[reflect(Clone, Debug, PartialEq, Hash)]
#[non_exhaustive]
pub enum FailReason {
    /// No entity carries a [`NavGrid`](crate::NavGrid) that could be baked.
    #[error("no grid")]
    NoGrid,
    /// The grid's first bake is not done yet. Only [`Navigation`](crate::Navigation) returns this reason, because
    /// requests wait for the bake.
    #[error("grid not baked yet")]
    NotBaked,
    /// The agent stands outside of every grid, or its position is not finite. If there is a path, the agent walks back
    /// to the nearest free place on a grid.
    #[error("agent outside the grid")]
    OutsideGrid,
    /// No cell near the agent is free for its radius: the agent stands inside an obstacle, or in a passage that has too
    /// little room around the centers of its cells. The log says which.
    #[error("no free cell near the agent")]
    StartBlocked,
    /// The goal lies outside of the grid, or is not finite.
    #[error("goal outside the grid")]
    GoalOutside,
    /// The goal is inside an obstacle whose rim is not within reach, or it is so close to an obstacle that the body
    /// cannot come near enough. It is also the reason if the body fits at the goal, but the path has to end beside the
    /// goal, because no straight line from the center of a cell to the goal is known to be free.
    #[error("goal inside an obstacle or too close to one")]
    GoalBlocked,
    /// No path leads to the goal.
    #[error("no way to the goal")]
    Unreachable,
    /// A fleeing agent is as far from its threat as it can get: the search found no better place.
    #[error("no place farther from the threat")]
    Cornered,
    /// The search reached the limit [`PursuitSettings::max_expanded`](crate::settings::PursuitSettings).
    #[error("search limit reached")]
    LimitReached,
    /// The body's radius is not a finite number `>= 0`, or is larger than the grid's
    /// [`max_clearance_cells`](crate::NavGrid::max_clearance_cells).
    #[error("radius not usable on this grid")]
    BadRadius,
    /// A number of the [`NavAgent`](crate::NavAgent) is not valid. The log names it.
    #[error("agent with impossible numbers")]
    BadAgent,
    /// The agent, or one of its parents, has no `Transform`.
    #[error("agent without a Transform")]
    NoTransform,
    /// The agent's body cannot be driven: it is fixed, or kinematic without a collider of its own or a controller with a
    /// `custom_shape`. Never used with [`NavDrive::Manual`](crate::NavDrive::Manual), where the game moves the body.
    #[error("body that cannot be driven")]
    CannotMove,
    /// The agent chases itself, or flees from itself.
    #[error("agent that is its own target")]
    OwnTarget,
}

impl FailReason {
    /// Every reason, in the order of declaration.
    pub const ALL: [Self; 14] = [
        Self::NoGrid,
        Self::NotBaked,
        Self::OutsideGrid,
        Self::StartBlocked,
        Self::GoalOutside,
        Self::GoalBlocked,
        Self::Unreachable,
        Self::Cornered,
        Self::LimitReached,
        Self::BadRadius,
        Self::BadAgent,
        Self::NoTransform,
        Self::CannotMove,
        Self::OwnTarget,
    ];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_status_is_idle_and_reasons_are_listed_in_order() {
        assert_eq!(PathStatus::default(), PathStatus::Idle);
        for (index, reason) in FailReason::ALL.iter().enumerate() {
            assert_eq!(*reason as usize, index);
            let error: &dyn std::error::Error = reason;
            assert!(!error.to_string().is_empty());
        }
    }
}
