//! What planning tells of an entity: its path, how its request stands, and why it fell short.

use bevy::ecs::{component::Component, entity::Entity, prelude::ReflectComponent};
use bevy::math::{Rect, Vec2};
use bevy::reflect::{Reflect, std_traits::ReflectDefault};
use pursuit::Cell;

/// How the entity's request, chase or flight stands. Written by this crate.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PathStatus {
    /// Nothing is asked for.
    #[default]
    Idle,
    /// Waits for a task, or for the first bake of its grid.
    Queued,
    /// A task is searching.
    Searching,
    /// [`NavPath`] leads to the goal.
    Found,
    /// [`NavPath`] leads to the reachable cell nearest to the goal; for [`FailReason::OutsideGrid`] back onto the grid.
    Partial(FailReason),
    /// There is no path.
    Failed(FailReason),
    /// The chased entity is gone, or has no place in the world.
    TargetLost,
}

impl PathStatus {
    /// Why the goal is not reached; `None` where it is, or where that is not known yet.
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
    /// No entity carries a [`NavGrid`](crate::grid::NavGrid) that could be baked.
    NoGrid,
    /// The grid's first bake is not done yet. Only [`Navigation`](crate::Navigation) says so: requests
    /// wait for the bake.
    NotBaked,
    /// The agent stands outside of every grid, and walks back to the nearest free place on one, if there is a
    /// path; or its position is not finite.
    OutsideGrid,
    /// The agent stands inside an obstacle, and no free cell is near.
    StartBlocked,
    /// The goal lies outside of the grid, or is not finite.
    GoalOutside,
    /// The goal lies inside an obstacle that is out of reach, or so near to one that this body does not
    /// come near enough.
    GoalBlocked,
    /// No way leads to the goal.
    Unreachable,
    /// The search hit [`PursuitSettings::max_expanded`](crate::settings::PursuitSettings).
    LimitReached,
    /// The body's radius is not a finite number `>= 0`, or larger than the grid's
    /// [`max_clearance_cells`](crate::grid::NavGrid::max_clearance_cells) can tell.
    BadRadius,
    /// A number of the [`NavAgent`](crate::motion::NavAgent) makes no sense; the log names it.
    BadAgent,
    /// The agent, or an entity above it, has no `Transform`.
    NoTransform,
    /// The agent's body cannot be driven: it is fixed, or kinematic without a collider of its own. Not
    /// if [`NavDrive::grip`](crate::NavDrive::grip) is 0: then the game moves it.
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
            Self::Unreachable => "no way to the goal",
            Self::LimitReached => "search limit reached",
            Self::BadRadius => "radius not usable on this grid",
            Self::BadAgent => "agent with impossible numbers",
            Self::NoTransform => "agent without a Transform",
            Self::CannotMove => "body that cannot be driven",
        })
    }
}

/// The path that the entity follows: waypoints in world units, the first where the search began.
///
/// Empty when there is none. Written by this crate: `Changed<NavPath>` tells of every new path. A refresh
/// that finds the same path is no change, though [`generation`](Self::generation) may grow.
#[derive(Component, Reflect, Clone, Debug)]
#[reflect(opaque)]
#[reflect(Component, Default, Clone, Debug)]
pub struct NavPath {
    pub(crate) waypoints: Vec<Vec2>,
    pub(crate) length: f32,
    pub(crate) radius: f32,
    pub(crate) generation: u64,
    pub(crate) grid: Option<Entity>,
    /// The goal that the path was planned for, in world units.
    pub(crate) goal: Vec2,
    /// How far from the goal the path was allowed to end, in world units.
    pub(crate) reach: f32,
    /// Whether the rim of an obstacle that the goal lies in counted as the goal.
    pub(crate) to_rim: bool,
    /// The cell that was searched for.
    pub(crate) end_cell: Option<Cell>,
    /// Whether the body is proven to fit along the first leg. It always does along the others.
    pub(crate) is_entry_proven: bool,
    /// The last waypoint.
    pub(crate) end: Vec2,
    /// Holds all waypoints.
    pub(crate) bounds: Rect,
    /// The place that it leads around, because the agent got stuck there.
    pub(crate) avoids: Option<Vec2>,
    /// Counts the paths planned for this entity, so that a follower notices a new one.
    pub(crate) serial: u32,
}

impl NavPath {
    /// The waypoints, in world units. Straight lines between them keep 99 % of the body's radius clear of
    /// walls; the first one may lead out of a place that is too tight.
    pub fn waypoints(&self) -> &[Vec2] {
        &self.waypoints
    }

    /// Whether there is no path.
    pub fn is_empty(&self) -> bool {
        self.waypoints.is_empty()
    }

    /// The last waypoint, in world units.
    pub fn end(&self) -> Option<Vec2> {
        self.waypoints.last().copied()
    }

    /// A box that holds all waypoints, in world units; empty if there are none.
    pub fn bounds(&self) -> Rect {
        self.bounds
    }

    /// Length along the waypoints, in world units.
    pub fn length(&self) -> f32 {
        self.length
    }

    /// Generation of the grid on which the path was planned, or last found to hold.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The grid that the path was planned on.
    pub fn grid(&self) -> Option<Entity> {
        self.grid
    }

    /// Whether a game that reads both would find the same.
    pub(crate) fn reads_like(&self, other: &Self) -> bool {
        self.waypoints == other.waypoints
            && self.length == other.length
            && self.radius == other.radius
            && self.grid == other.grid
    }

    /// Radius of the body that the path was planned for, in world units: that of the agent and what
    /// its driver keeps free beyond it.
    pub fn radius(&self) -> f32 {
        self.radius
    }
}

impl Default for NavPath {
    fn default() -> Self {
        Self {
            waypoints: Vec::new(),
            length: 0.0,
            radius: 0.0,
            generation: 0,
            grid: None,
            goal: Vec2::NAN,
            reach: 0.0,
            to_rim: false,
            end_cell: None,
            is_entry_proven: false,
            end: Vec2::NAN,
            bounds: Rect::EMPTY,
            avoids: None,
            serial: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_the_documented_ones() {
        assert_eq!(PathStatus::default(), PathStatus::Idle);
        assert!(NavPath::default().is_empty());
        assert_eq!(
            FailReason::ALL[FailReason::CannotMove as usize],
            FailReason::CannotMove
        );
    }
}
