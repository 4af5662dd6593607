//! How an agent moves, how it wants to, and whether it is paused.

use bevy::ecs::{component::Component, prelude::ReflectComponent};
use bevy::math::Vec3;
use bevy::reflect::{Reflect, std_traits::ReflectDefault};
use pursuit::crowd::Mind;

/// The velocity that the agent wants, in world units per second, along the plane of the grid that it walks on: in a 2D
/// game its z is 0. Written by this crate.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub struct DesiredVelocity(pub Vec3);

/// How the agent is moving right now. Written by this crate.
///
/// A clone of an entity begins as `Idle`. An agent that is saved and loaded goes on from what it was: if it had arrived,
/// observers do not hear of that a second time.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
#[component(clone_behavior = Ignore)]
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
    /// Stands behind others that came first to where it wants to be: with
    /// [`NavAvoidance::Separation`](crate::NavAvoidance::Separation).
    Settled,
    /// Held up by others that are ahead: with the same.
    Queued,
    /// Wants to move and cannot.
    Stuck,
    /// Stands because of [`NavPaused`], whatever it wants.
    Paused,
}

/// An agent that was held up by others for so many seconds queues.
const QUEUES: f32 = 0.2;

impl Locomotion {
    /// The same in the words of a crowd, where others make one stand who walks. What it remembers of them is `None` where it is
    /// not kept apart.
    pub(crate) fn among(self, others: Option<Mind>) -> Self {
        match (self, others.filter(|mind| mind.is_among)) {
            (Self::Moving | Self::Straight, Some(mind)) if mind.is_settled => Self::Settled,
            (Self::Moving | Self::Straight, Some(mind))
                if mind.is_behind && mind.held_up > QUEUES =>
            {
                Self::Queued
            }
            _ => self,
        }
    }
}

/// Makes an agent stand, until the component is removed.
///
/// The agent keeps what it wants: its goal, path and [`PathStatus`](crate::PathStatus) stay, and planning goes on, so
/// that the path is fresh when the pause ends. [`Locomotion`] is [`Locomotion::Paused`]. Observers hear
/// neither of an arrival nor of an agent that is stuck: an agent that is within reach when the pause ends arrives
/// then. Afterwards the agent starts from rest, by its acceleration.
///
/// The body is stopped once, whatever its [grip](crate::NavDrive::Grip), then it is left alone: what pushes
/// a dynamic one moves it. A body of low grip that flies from a blow flies on, and one that takes a corner
/// drifts about as far as it would have. The component is cloned with its entity. Without a [`NavAgent`](crate::NavAgent) it has no effect. Written by the user.
///
/// To pause all agents at once, gate [`PursuitSystems`](crate::PursuitSystems) instead.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pursuit::prelude::*;
/// # fn stun(mut commands: Commands, enemy: Entity) {
/// commands.entity(enemy).insert(NavPaused);
/// // ... and when it comes to:
/// commands.entity(enemy).remove::<NavPaused>();
/// # }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub struct NavPaused;
