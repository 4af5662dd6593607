//! What an agent is: its body and limits, what it is told to do, and what it reports.
//!
//! Components only; the systems that read and write them live beside this file.

use std::time::Duration;

use bevy::ecs::{component::Component, entity::Entity, prelude::ReflectComponent};
use bevy::math::Vec2;
use bevy::reflect::{Reflect, std_traits::ReflectDefault};
use bevy::transform::components::Transform;

use super::place::Place;

/// A body that can be told to walk: how big it is and how fast it goes.
///
/// Lengths are in **world units** (those of [`Transform::translation`]), speeds in world units
/// **per second**. Written by the user, never by this crate.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
#[require(
    Place,
    Transform,
    NavPath,
    PathCursor,
    PathStatus,
    PlanTicket,
    DesiredVelocity,
    Locomotion,
    FollowMemory
)]
pub struct NavAgent {
    /// Body radius, in world units. Walls are kept this far away. Finite, `> 0.0`.
    ///
    /// Raise it if the body scrapes corners; above half a corridor's width it finds no path.
    ///
    /// Default: `8.0`.
    pub radius: f32,
    /// Top speed, in world units per second. Finite, `>= 0.0`.
    ///
    /// Default: `160.0`, twenty radii a second.
    pub speed: f32,
    /// How fast speed may rise and fall, in world units per second². Direction follows the path.
    ///
    /// Lower it for heavy bodies that take long to start and to stop.
    ///
    /// Default: `533.3`: full speed in 0.3 s.
    pub acceleration: f32,
    /// Distance between the centers of agent and target at which the target counts as reached, in
    /// world units.
    ///
    /// Default: `20.0`: 2.5 radii, a little more than two touching bodies of one size.
    pub arrival_distance: f32,
}

impl NavAgent {
    /// An agent of `radius` world units whose other values follow from it.
    pub fn from_radius(radius: f32) -> Self {
        let speed = 20.0 * radius;
        Self {
            radius,
            speed,
            acceleration: speed / 0.3,
            arrival_distance: 2.5 * radius,
        }
    }

    /// Sets the top speed, and the acceleration that reaches it in 0.3 s.
    pub fn with_speed(mut self, speed: f32) -> Self {
        self.speed = speed;
        self.acceleration = speed / 0.3;
        self
    }

    /// Whether all values are finite and make sense; agents that fail this stand still.
    pub fn is_valid(&self) -> bool {
        let positive = |value: f32| value.is_finite() && value > 0.0;
        let not_negative = |value: f32| value.is_finite() && value >= 0.0;
        positive(self.radius)
            && not_negative(self.speed)
            && positive(self.acceleration)
            && not_negative(self.arrival_distance)
    }
}

impl Default for NavAgent {
    fn default() -> Self {
        Self::from_radius(8.0)
    }
}

/// Keeps an agent's path aimed at a moving entity, and the agent on it.
///
/// Needs a [`NavAgent`] on the same entity. While a [`PathRequest`] is present too, the request
/// goes first and the chase waits. Written by the user; removing it stops the agent.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Clone, Debug, PartialEq)]
#[require(NavAgent, ChaseMemory, AskedBy)]
pub struct Chase {
    /// Whom to chase. When it is despawned, the agent stops and its status becomes
    /// [`PathStatus::TargetLost`].
    pub target: Entity,
    /// When to plan anew as the target moves.
    ///
    /// Default: [`RepathPolicy::Dynamic`].
    pub repath: RepathPolicy,
}

impl Chase {
    /// A chase of `target` with the default repath policy.
    pub fn new(target: Entity) -> Self {
        Self {
            target,
            repath: RepathPolicy::default(),
        }
    }

    /// Sets the repath policy.
    pub fn with_repath(mut self, repath: RepathPolicy) -> Self {
        self.repath = repath;
        self
    }
}

/// When a chaser plans anew.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Default, Clone, Debug, PartialEq)]
pub enum RepathPolicy {
    /// The farther the target, the more it may move before the path is planned anew: at once when
    /// it moved by more than a tenth of the distance, at the latest after two seconds.
    #[default]
    Dynamic,
    /// At fixed intervals, whether the target moved or not, while the agent is on its path: not
    /// while it sees its target or has reached it, and less often while searches keep failing.
    Every(Duration),
}

/// Asks for one path from where the entity stands to a point.
///
/// Inserting it plans; inserting it again supersedes the earlier request; removing it, or
/// despawning the entity, cancels. The answer arrives in [`NavPath`] and [`PathStatus`] and as
/// [`PathFound`](crate::events::PathFound) or [`PathFailed`](crate::events::PathFailed). On an
/// entity with a [`NavAgent`] the agent walks the path. Stays in place, and is planned anew when
/// cells under its path change. Written by the user.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Clone, Debug, PartialEq)]
#[require(Place, Transform, NavPath, PathCursor, PathStatus, PlanTicket, AskedBy)]
pub struct PathRequest {
    /// Where to, in world units.
    pub goal: Vec2,
    /// Radius of the body that the path must fit, in world units. `None` takes that of the
    /// entity's [`NavAgent`], or a point where there is none.
    ///
    /// Default: `None`.
    pub radius: Option<f32>,
    /// How far from a goal that is too near to a wall for this body the path may end and still
    /// count as complete, in world units. The goal must be in sight from there.
    ///
    /// Default: `0.0`: such a goal gives a partial path.
    pub tolerance: f32,
}

impl PathRequest {
    /// A request for a path to `goal`, in world units.
    pub fn to(goal: Vec2) -> Self {
        Self {
            goal,
            radius: None,
            tolerance: 0.0,
        }
    }

    /// Sets how far from the goal the path may end and still count as complete, in world units.
    pub fn with_tolerance(mut self, tolerance: f32) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// Sets the radius of the body that the path must fit, in world units.
    pub fn with_radius(mut self, radius: f32) -> Self {
        self.radius = Some(radius);
        self
    }
}

/// How the entity's latest request stands. Written by this crate.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub enum PathStatus {
    /// Nothing was asked for, or it was cancelled.
    #[default]
    Idle,
    /// Waits for a task, or for the first bake of its grid.
    Queued,
    /// A task is searching.
    Searching,
    /// [`NavPath`] leads to the goal.
    Found,
    /// [`NavPath`] leads to the reachable cell nearest to the goal.
    Partial(FailReason),
    /// There is no path.
    Failed(FailReason),
    /// The chased entity is gone.
    TargetLost,
}

/// Why a goal was not reached.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[reflect(Clone, Debug, PartialEq, Hash)]
pub enum FailReason {
    /// No entity carries a [`NavGrid`](crate::grid::NavGrid) that could be baked.
    NoGrid,
    /// The agent stands outside of every grid, or its position is not finite.
    OutsideGrid,
    /// The agent stands inside an obstacle, and no free cell is near.
    StartBlocked,
    /// The goal lies outside of the grid, or is not finite.
    GoalOutside,
    /// The goal lies inside an obstacle, or too near to one for this body.
    GoalBlocked,
    /// No way leads to the goal.
    Unreachable,
    /// The search hit [`PursuitSettings::max_expanded`](crate::settings::PursuitSettings).
    LimitReached,
    /// The body's radius is not a finite number `>= 0`, or larger than the grid's
    /// [`max_clearance`](crate::grid::NavGrid::max_clearance) can tell.
    BadRadius,
}

impl FailReason {
    /// Every reason, in order.
    pub const ALL: [Self; 8] = [
        Self::NoGrid,
        Self::OutsideGrid,
        Self::StartBlocked,
        Self::GoalOutside,
        Self::GoalBlocked,
        Self::Unreachable,
        Self::LimitReached,
        Self::BadRadius,
    ];
}

impl std::fmt::Display for FailReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NoGrid => "no grid",
            Self::OutsideGrid => "agent outside the grid",
            Self::StartBlocked => "agent inside an obstacle",
            Self::GoalOutside => "goal outside the grid",
            Self::GoalBlocked => "goal inside an obstacle",
            Self::Unreachable => "no way to the goal",
            Self::LimitReached => "search limit reached",
            Self::BadRadius => "radius not usable on this grid",
        })
    }
}

/// The path that the entity follows: waypoints in world units, the first where the search began.
///
/// Empty when there is none. Written by this crate.
#[derive(Component, Reflect, Clone, Debug, PartialEq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub struct NavPath {
    pub(crate) waypoints: Vec<Vec2>,
    pub(crate) length: f32,
    pub(crate) generation: u64,
    pub(crate) grid: Entity,
    pub(crate) radius: f32,
    /// Counts the paths planned for this entity, so that a follower notices a new one.
    pub(crate) serial: u64,
}

impl NavPath {
    /// The waypoints, in world units. Straight lines between them keep the body clear of walls.
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

    /// Length of the search's path from cell to cell, in world units; the smoothed path is never
    /// longer. On weighted terrain this is the cost.
    pub fn length(&self) -> f32 {
        self.length
    }

    /// Generation of the grid that the path was planned on.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Radius of the body that the path was planned for, in world units.
    pub fn radius(&self) -> f32 {
        self.radius
    }
}

impl Default for NavPath {
    fn default() -> Self {
        Self {
            waypoints: Vec::new(),
            length: 0.0,
            generation: 0,
            grid: Entity::PLACEHOLDER,
            radius: 0.0,
            serial: 0,
        }
    }
}

/// Which waypoint of [`NavPath`] lies ahead. Written by this crate.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub struct PathCursor(pub(crate) usize);

impl PathCursor {
    /// Index of the waypoint ahead; the path's length when it is walked to its end.
    pub fn next(&self) -> usize {
        self.0
    }
}

/// The velocity that the agent wants, in world units per second. Written by this crate.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub struct DesiredVelocity(pub Vec2);

/// What the agent's legs are doing. Written by this crate.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub enum Locomotion {
    /// Nothing to walk to.
    #[default]
    Idle,
    /// Walks along its path.
    Moving,
    /// Sees its target and walks straight to it.
    Straight,
    /// Came to the end of its path, and the target is not there.
    Waiting,
    /// Reached its target.
    Arrived,
    /// Wants to move and cannot.
    Stuck,
}

/// Number of the latest request for this entity; an answer to an older one is dropped.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub struct PlanTicket {
    pub(crate) serial: u64,
    pub(crate) pending: bool,
    /// Whether the latest answer came after a bake that could change it.
    pub(crate) is_outdated: bool,
}

/// What the entity's latest order came from. When that is gone, the entity stops.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub enum AskedBy {
    /// Nothing was ordered, or it was stopped.
    #[default]
    Nobody,
    /// This request.
    Request(PathRequest),
    /// The chase.
    Chase,
}

/// What a chase remembers of its latest request.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub struct ChaseMemory {
    pub(crate) target: Option<Entity>,
    pub(crate) asked_for: Vec2,
    pub(crate) since_asked: f32,
    pub(crate) failures: u32,
    pub(crate) failed_serial: u64,
    pub(crate) legs: Locomotion,
}

/// What a follower remembers from tick to tick.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub struct FollowMemory {
    pub(crate) path_serial: u64,
    pub(crate) speed: f32,
    pub(crate) last_seen: Option<Vec2>,
    pub(crate) left_path: bool,
    pub(crate) last_position: Option<Vec2>,
    pub(crate) last_target: Option<Vec2>,
    pub(crate) watch: ProgressWatch,
    /// Whether the agent was said to have values that make no sense.
    pub(crate) is_refused: bool,
}

/// Compares the way an agent made with the way it wanted to make.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Default, Clone, Debug, PartialEq)]
pub struct ProgressWatch {
    pub(crate) elapsed: f32,
    pub(crate) wanted: f32,
    pub(crate) made: f32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_the_documented_ones() {
        let agent = NavAgent::default();
        assert_eq!(
            (agent.radius, agent.speed, agent.arrival_distance),
            (8.0, 160.0, 20.0)
        );
        assert!((agent.acceleration - 533.3).abs() < 0.1);
        assert_eq!(RepathPolicy::default(), RepathPolicy::Dynamic);
        assert_eq!(PathStatus::default(), PathStatus::Idle);
        assert!(NavPath::default().is_empty());
        let request = PathRequest::to(Vec2::ONE);
        assert_eq!((request.radius, request.tolerance), (None, 0.0));
    }

    #[test]
    fn agents_with_numbers_that_are_none_are_not_valid() {
        assert!(NavAgent::default().is_valid());
        for radius in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert!(
                !NavAgent {
                    radius,
                    ..NavAgent::default()
                }
                .is_valid(),
                "radius {radius}"
            );
        }
        assert!(
            !NavAgent {
                speed: f32::NAN,
                ..NavAgent::default()
            }
            .is_valid()
        );
        assert!(
            !NavAgent {
                acceleration: 0.0,
                ..NavAgent::default()
            }
            .is_valid()
        );
    }
}
