//! The component that makes an entity an agent: its body and its limits.

use bevy::prelude::*;

use super::{
    BodyState, Decided, DesiredVelocity, FollowMemory, Intent, Locomotion, NavAvoidance, NavBody,
    NavPath, PathCursor, PathStatus, Planning, TickPosition, WalkState, WalkedGrid,
};
use crate::ground::ClassId;

/// Makes an entity an agent: a body that walks where the game sends it. The fields say how large the body is, how fast
/// it walks, and how near to a goal it stops.
///
/// Lengths are in **world units**, as [`Transform::translation`], and speeds in world units **per second**.
/// Written by the user, never by this crate.
///
/// Every field may be changed at any time, even in every tick. The agent accelerates to a new speed, plans
/// again for a new radius, and uses a new reach immediately.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
#[require(
    Transform,
    TickPosition,
    Intent,
    Planning,
    NavPath,
    PathStatus,
    PathCursor,
    DesiredVelocity,
    Locomotion,
    FollowMemory,
    WalkState,
    WalkedGrid,
    Decided,
    BodyState,
    NavAvoidance
)]
pub struct NavAgent {
    /// Body radius, in world units. Walls are kept this far away. Finite, `> 0.0`.
    ///
    /// Raise the radius if the body scrapes corners. A body finds no path through a corridor that is narrower than
    /// twice its radius.
    ///
    /// Default: `8.0`.
    pub radius: f32,
    /// Top speed, in world units per second. Finite, `>= 0.0`.
    ///
    /// Default: `160.0`, twenty radii per second.
    pub speed: f32,
    /// How fast the speed may rise and fall, in world units per second². Changes of direction are not limited. Finite,
    /// `> 0.0`.
    ///
    /// Lower the acceleration for heavy bodies that take long to start and to stop.
    ///
    /// Default: `533.3`, full speed in 0.3 s.
    pub acceleration: f32,
    /// Distance between the centers of agent and goal at which the goal counts as reached, in world units. A
    /// [`Chase`](crate::Chase) or a [`PathRequest`](crate::PathRequest) may set a reach of its own. Finite, `>= 0.0`.
    ///
    /// Default: `None`, which means 1.1 times the distance of touching bodies for a chase, and `0.0` for a request.
    pub reach: Option<f32>,
    /// Index into [`AgentClasses`](crate::AgentClasses), which decides what each kind of ground costs the
    /// agent. An area that is forbidden to a class is a wall for its agents, although they see and shoot
    /// across; other agents walk through.
    ///
    /// Default: `ClassId(0)`.
    pub class: ClassId,
}

impl NavAgent {
    /// An agent with a radius of `radius` world units. Its speed and acceleration are computed from the radius.
    pub fn from_radius(radius: f32) -> Self {
        let speed = 20.0 * radius;
        Self {
            radius,
            speed,
            acceleration: speed / 0.3,
            reach: None,
            class: ClassId::default(),
        }
    }

    /// Sets the body radius, in world units. Speed and acceleration stay as they are.
    pub fn with_radius(mut self, radius: f32) -> Self {
        self.radius = radius;
        self
    }

    /// Sets the top speed, in world units per second. An acceleration that was not set explicitly is adjusted,
    /// so that full speed is reached in 0.3 s. A speed of 0 leaves the acceleration as it is.
    pub fn with_speed(mut self, speed: f32) -> Self {
        let follows = self.acceleration == self.speed / 0.3;
        self.speed = speed;
        if follows && speed != 0.0 {
            self.acceleration = speed / 0.3;
        }
        self
    }

    /// Sets how fast the speed may rise and fall, in world units per second².
    pub fn with_acceleration(mut self, acceleration: f32) -> Self {
        self.acceleration = acceleration;
        self
    }

    /// Sets the distance at which a goal counts as reached, in world units.
    pub fn with_reach(mut self, reach: f32) -> Self {
        self.reach = Some(reach);
        self
    }

    /// Sets the class, which decides what each kind of ground costs the agent.
    pub fn with_class(mut self, class: ClassId) -> Self {
        self.class = class;
        self
    }

    /// Whether all values are finite and in their ranges. An agent with other values stands still.
    pub fn is_valid(&self) -> bool {
        let positive = |value: f32| value.is_finite() && value > 0.0;
        let not_negative = |value: f32| value.is_finite() && value >= 0.0;
        positive(self.radius)
            && not_negative(self.speed)
            && positive(self.acceleration)
            && self.reach.is_none_or(not_negative)
    }
}

impl From<&NavAgent> for NavBody {
    fn from(agent: &NavAgent) -> Self {
        Self {
            radius: agent.radius,
            class: agent.class,
        }
    }
}

impl From<NavAgent> for NavBody {
    fn from(agent: NavAgent) -> Self {
        Self::from(&agent)
    }
}

impl Default for NavAgent {
    fn default() -> Self {
        Self::from_radius(8.0)
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
    fn with_speed_keeps_an_explicit_acceleration() {
        let agent = NavAgent::from_radius(10.0);
        assert_eq!(agent.with_speed(60.0).acceleration, 60.0 / 0.3);
        let heavy = agent.with_acceleration(50.0);
        assert_eq!(heavy.with_speed(60.0).acceleration, 50.0);
        assert_eq!(
            agent.with_speed(60.0).with_acceleration(50.0),
            heavy.with_speed(60.0)
        );
        assert_eq!(agent.with_speed(0.0).acceleration, agent.acceleration);
    }

    #[test]
    fn out_of_range_numbers_are_invalid() {
        let agent = NavAgent::default();
        assert!(agent.is_valid());
        let with_radius = |radius| NavAgent { radius, ..agent };
        let with_speed = |speed| NavAgent { speed, ..agent };
        for bad in [-1.0, f32::NAN, f32::INFINITY] {
            assert!(!with_radius(bad).is_valid(), "radius {bad}");
            assert!(!with_speed(bad).is_valid(), "speed {bad}");
            let heavy = agent.with_acceleration(bad);
            assert!(!heavy.is_valid(), "acceleration {bad}");
            assert!(!agent.with_reach(bad).is_valid(), "reach {bad}");
        }
        assert!(!with_radius(0.0).is_valid());
        assert!(!agent.with_acceleration(0.0).is_valid());
        assert!(agent.with_reach(0.0).is_valid());
        assert!(agent.with_speed(0.0).is_valid(), "it stands");
    }
}
