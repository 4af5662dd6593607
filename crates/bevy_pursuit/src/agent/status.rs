//! The status of what an entity wants, and why a goal is not reached.

use bevy::ecs::{component::Component, prelude::ReflectComponent};
use bevy::reflect::{Reflect, std_traits::ReflectDefault};

/// Status of the entity's request, chase or flight. Written by this crate.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PathStatus {
    /// The entity wants nothing.
    #[default]
    Idle,
    /// Waits for a search task, or for the first bake of its grid.
    Queued,
    /// A task is searching.
    Searching,
    /// A path to the goal is known. [`NavPath`](crate::NavPath) has its waypoints; it is empty while the agent
    /// follows a shared field.
    Found,
    /// [`NavPath`](crate::NavPath) leads to the reachable cell nearest to the goal; with
    /// [`FailReason::OutsideGrid`], back onto the grid.
    Partial(FailReason),
    /// There is no path.
    Failed(FailReason),
    /// The chased entity is gone, or has no position in the world.
    TargetLost,
}

impl PathStatus {
    /// Why the goal is not reached; `None` if a path leads there, or if that is not known yet.
    pub fn reason(self) -> Option<FailReason> {
        match self {
            Self::Partial(reason) | Self::Failed(reason) => Some(reason),
            _ => None,
        }
    }
}

/// Why a goal was not reached.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[reflect(Clone, Debug, PartialEq, Hash)]
#[non_exhaustive]
pub enum FailReason {
    /// No entity carries a [`NavGrid`](crate::NavGrid) that could be baked.
    NoGrid,
    /// The first bake of the grid is not done yet. Only [`Navigation`](crate::Navigation) returns this:
    /// requests wait for the bake.
    NotBaked,
    /// The agent is outside of every grid and walks back to the nearest free place on one, if there is a path;
    /// or its position is not finite.
    OutsideGrid,
    /// The agent is inside an obstacle, and no free cell is near.
    StartBlocked,
    /// The goal is outside of the grid, or not finite.
    GoalOutside,
    /// The goal is inside an obstacle that is out of reach, or so near to an obstacle that this body cannot
    /// come near enough.
    GoalBlocked,
    /// No path leads to the goal.
    Unreachable,
    /// The search reached [`PursuitSettings::max_expanded`](crate::settings::PursuitSettings).
    LimitReached,
    /// The body's radius is not a finite number `>= 0`, or larger than the grid's
    /// [`max_clearance_cells`](crate::NavGrid::max_clearance_cells) can represent.
    BadRadius,
    /// A value of the [`NavAgent`](crate::NavAgent) is invalid; the log names it.
    BadAgent,
    /// The agent, or an entity above it, has no `Transform`.
    NoTransform,
    /// The agent's body cannot be driven: it is fixed, or kinematic without a collider of its own. This does
    /// not occur with [`NavDrive::Manual`](crate::NavDrive::Manual), where the game moves the body.
    CannotMove,
}

impl FailReason {
    /// Every reason, in order.
    pub const ALL: [Self; 12] = [
        Self::NoGrid,
        Self::NotBaked,
        Self::OutsideGrid,
        Self::StartBlocked,
        Self::GoalOutside,
        Self::GoalBlocked,
        Self::Unreachable,
        Self::LimitReached,
        Self::BadRadius,
        Self::BadAgent,
        Self::NoTransform,
        Self::CannotMove,
    ];
}

impl std::fmt::Display for FailReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NoGrid => "no grid",
            Self::NotBaked => "grid not baked yet",
            Self::OutsideGrid => "agent outside the grid",
            Self::StartBlocked => "agent inside an obstacle",
            Self::GoalOutside => "goal outside the grid",
            Self::GoalBlocked => "goal inside an obstacle",
            Self::Unreachable => "no path to the goal",
            Self::LimitReached => "search limit reached",
            Self::BadRadius => "radius not usable on this grid",
            Self::BadAgent => "agent with invalid values",
            Self::NoTransform => "agent without a Transform",
            Self::CannotMove => "body that cannot be driven",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_status_is_idle_and_reasons_are_listed_in_order() {
        assert_eq!(PathStatus::default(), PathStatus::Idle);
        for (index, reason) in FailReason::ALL.iter().enumerate() {
            assert_eq!(*reason as usize, index);
        }
    }
}
