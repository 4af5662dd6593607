//! What an agent is: its body and limits, whether it is paused, and how it is moving.
//!
//! Components only; the systems that read and write them live beside this file.

use bevy::ecs::{component::Component, prelude::ReflectComponent};
use bevy::math::Vec2;
use bevy::reflect::{Reflect, std_traits::ReflectDefault};
use bevy::transform::components::Transform;

use super::place::Place;
use super::progress::Watch;
use crate::drive::driver::Driver;
use crate::intent::Intent;
use crate::plan::path::{NavPath, PathStatus};
use crate::plan::planning::Planning;

/// A body that can be told to walk: how big it is and how fast it goes.
///
/// Lengths are in **world units** (those of [`Transform::translation`]), speeds in world units
/// **per second**. Written by the user, never by this crate.
///
/// Every field may be changed at any time, in every tick too. The agent comes to a new speed by its
/// acceleration, a new radius is planned for again, and a new reach counts at once.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
#[require(
    Transform,
    Place,
    Intent,
    Planning,
    NavPath,
    PathStatus,
    PathCursor,
    DesiredVelocity,
    Locomotion,
    Following,
    Driver
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
    /// Distance between the centers of agent and goal at which the goal counts as reached, in world
    /// units, where a [`Chase`](crate::intent::Chase) or a
    /// [`PathRequest`](crate::intent::PathRequest) does not say it. Finite, `>= 0.0`.
    ///
    /// Default: `None`: touching bodies plus a tenth for a chase, the point itself for a request.
    pub reach: Option<f32>,
}

impl NavAgent {
    /// An agent of `radius` world units whose other values follow from it.
    pub fn from_radius(radius: f32) -> Self {
        let speed = 20.0 * radius;
        Self {
            radius,
            speed,
            acceleration: speed / 0.3,
            reach: None,
        }
    }

    /// Sets the body radius alone, in world units. Speed and acceleration stay.
    pub fn with_radius(mut self, radius: f32) -> Self {
        self.radius = radius;
        self
    }

    /// Sets the top speed, and the acceleration that reaches it in 0.3 s. With a speed of 0 the acceleration stays as it is.
    pub fn with_speed(mut self, speed: f32) -> Self {
        self.speed = speed;
        if speed != 0.0 {
            self.acceleration = speed / 0.3;
        }
        self
    }

    /// Sets how fast speed may rise and fall, in world units per second².
    pub fn with_acceleration(mut self, acceleration: f32) -> Self {
        self.acceleration = acceleration;
        self
    }

    /// Sets the distance at which goals count as reached, in world units.
    pub fn with_reach(mut self, reach: f32) -> Self {
        self.reach = Some(reach);
        self
    }

    /// Whether all values are finite and make sense; agents that fail this stand still.
    pub fn is_valid(&self) -> bool {
        let positive = |value: f32| value.is_finite() && value > 0.0;
        let not_negative = |value: f32| value.is_finite() && value >= 0.0;
        positive(self.radius)
            && not_negative(self.speed)
            && positive(self.acceleration)
            && self.reach.is_none_or(not_negative)
    }
}

impl Default for NavAgent {
    fn default() -> Self {
        Self::from_radius(8.0)
    }
}

/// Makes an agent stand, until the component is removed.
///
/// The agent keeps what it wants: its goal, path and [`PathStatus`] stay, and planning goes on, so
/// that the path is fresh when the pause ends. [`Locomotion`] is [`Locomotion::Paused`]. Observers hear
/// neither of an arrival nor of an agent that is stuck: who is within reach when the pause ends arrives
/// then. Afterwards the agent starts from rest, by its acceleration.
///
/// The body is stopped once, whatever its [grip](crate::NavDrive::grip), then it is left alone: what pushes
/// a dynamic one moves it. A body of low grip that flies from a blow flies on, and one that takes a corner
/// drifts about as far as it would have. The component is cloned with its entity. Without a [`NavAgent`] it has no effect. Written by the user.
///
/// To pause all agents at once, gate [`PursuitSystems`](crate::PursuitSystems) instead.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pursuit::prelude::*;
/// # fn stun(mut commands: Commands, enemy: Entity) {
/// commands.entity(enemy).insert(Paused);
/// // ... and when it comes to:
/// commands.entity(enemy).remove::<Paused>();
/// # }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub struct Paused;

/// Which waypoint of [`NavPath`] lies ahead, and the leg that leads there. Written by this crate.
///
/// The leg is a copy: most ticks need no more of a path, and its waypoints lie elsewhere in memory.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(opaque)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub struct PathCursor {
    next: u32,
    behind: Vec2,
    ahead: Vec2,
}

impl PathCursor {
    /// Before the waypoint of this index; past the end for an index that is too large.
    pub(crate) fn at(waypoints: &[Vec2], next: usize) -> Self {
        let end = waypoints.last().copied().unwrap_or_default();
        let point = |index: usize| waypoints.get(index).copied().unwrap_or(end);
        Self {
            next: next as u32,
            behind: point(next.saturating_sub(1)),
            ahead: point(next),
        }
    }

    /// Index of the waypoint ahead; the path's length when it is walked to its end.
    pub fn next(&self) -> usize {
        self.next as usize
    }

    /// The waypoint passed last, in world units; the first one at the path's begin.
    pub fn behind(&self) -> Vec2 {
        self.behind
    }

    /// The waypoint ahead, in world units; the last one at the path's end.
    pub fn ahead(&self) -> Vec2 {
        self.ahead
    }
}

/// The velocity that the agent wants, in world units per second. Written by this crate.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub struct DesiredVelocity(pub Vec2);

/// How the agent is moving right now. Written by this crate.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Locomotion {
    /// Wants nothing, or has no path: [`PathStatus`](crate::PathStatus) tells which.
    #[default]
    Idle,
    /// Walks along its path.
    Moving,
    /// Sees its target and walks straight to it.
    Straight,
    /// Came to the end of its path, and the goal is not there, or lost its path.
    Waiting,
    /// Reached its goal.
    Arrived,
    /// Wants to move and cannot.
    Stuck,
    /// Stands because of [`Paused`], whatever it wants.
    Paused,
}

/// What following remembers from tick to tick. A clone of an entity gets a fresh one.
#[derive(Component, Clone, Copy, Debug)]
#[component(clone_behavior = Ignore)]
pub(crate) struct Following {
    /// Lower bits of the number of the path that it walks.
    pub(crate) path_serial: u16,
    /// Speed of the tick before, in world units per second. Kept, not read back from positions: far
    /// from the origin those are rounded.
    pub(crate) speed: f32,
    /// Where the target was last seen from and to: a point that the body can go straight to. NaN for
    /// none.
    pub(crate) seen: Vec2,
    /// The goal in the tick before; NaN for none.
    pub(crate) last_goal: Vec2,
    /// The velocity, if planning proved that it leads along free ground; else NaN. The driver of a bare
    /// body need not prove that again.
    pub(crate) proven: Vec2,
    pub(crate) watch: Watch,
    /// Lower bits of the waypoint ahead when the agent last looked for its target.
    pub(crate) looked_at: u8,
    /// The sending in the tick before, and whether the agent had arrived then.
    pub(crate) told: u8,
    pub(crate) has_arrived: bool,
    pub(crate) sees_target: bool,
    /// Whether there is a clear line to the goal, as of the last look.
    pub(crate) is_in_line: bool,
    pub(crate) left_path: bool,
}

impl Default for Following {
    fn default() -> Self {
        Self {
            path_serial: 0,
            speed: 0.0,
            seen: Vec2::NAN,
            last_goal: Vec2::NAN,
            proven: Vec2::NAN,
            watch: Watch::default(),
            looked_at: u8::MAX,
            told: 0,
            has_arrived: false,
            sees_target: false,
            is_in_line: false,
            left_path: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_the_documented_ones() {
        let agent = NavAgent::default();
        assert_eq!((agent.radius, agent.speed, agent.reach), (8.0, 160.0, None));
        assert!((agent.acceleration - 533.3).abs() < 0.1);
    }

    #[test]
    fn ten_thousand_agents_fit_into_a_cache() {
        let sizes = [
            size_of::<Place>(),
            size_of::<Intent>(),
            size_of::<Planning>(),
            size_of::<Following>(),
            size_of::<Driver>(),
        ];
        let sum: usize = sizes.iter().sum();
        assert!(sum <= 160, "{sizes:?} are {sum} bytes of private state");
    }

    #[test]
    fn numbers_that_make_no_sense_are_not_valid() {
        let agent = NavAgent::default();
        assert!(agent.is_valid());
        for bad in [-1.0, f32::NAN, f32::INFINITY] {
            assert!(
                !NavAgent {
                    radius: bad,
                    ..agent
                }
                .is_valid(),
                "radius {bad}"
            );
            assert!(
                !NavAgent {
                    speed: bad,
                    ..agent
                }
                .is_valid(),
                "speed {bad}"
            );
            assert!(
                !agent.with_acceleration(bad).is_valid(),
                "acceleration {bad}"
            );
            assert!(!agent.with_reach(bad).is_valid(), "reach {bad}");
        }
        assert!(
            !NavAgent {
                radius: 0.0,
                ..agent
            }
            .is_valid()
        );
        assert!(!agent.with_acceleration(0.0).is_valid());
        assert!(agent.with_reach(0.0).is_valid());
        assert!(agent.with_speed(0.0).is_valid(), "it stands");
    }
}
