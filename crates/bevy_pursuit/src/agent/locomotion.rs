//! How an agent moves, which velocity it wants, and whether it is paused.

use bevy::prelude::*;
use pursuit::crowd::CrowdMemory;

/// The velocity that the agent wants, in world units per second, in the plane of its grid: in a 2D game z is 0.
/// Written by this crate.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub struct DesiredVelocity(pub Vec3);

/// The grid on which the follow stage last decided the desired velocity, or the grid of the field that the agent has
/// just joined. `None` if the follow stage found no grid or has never run. A clone of an entity does not get a copy.
#[derive(Component, Clone, Copy, Debug, Default)]
#[component(clone_behavior = Ignore)]
pub(crate) struct WalkedGrid(#[entities] pub(crate) Option<Entity>);

/// What the agent is doing right now. Written by this crate.
///
/// A clone of an entity starts as `Idle`. An agent that is saved and loaded continues from its saved state: if the
/// agent had arrived, observers do not get a second event.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
#[component(clone_behavior = Ignore)]
#[non_exhaustive]
pub enum Locomotion {
    /// The agent wants nothing, or has no path: see [`PathStatus`](crate::PathStatus).
    #[default]
    Idle,
    /// The agent walks along its path.
    Moving,
    /// The agent sees its target and walks straight to it.
    Straight,
    /// The agent stands because it lost its path, or because its path ends before the goal.
    Waiting,
    /// The agent reached its goal.
    Arrived,
    /// The agent stands behind others that arrived first, or beside its target, where no place is left. Only with
    /// [`NavAvoidance::Separation`](crate::NavAvoidance::Separation).
    Settled,
    /// Others that are ahead hold the agent up. Only with
    /// [`NavAvoidance::Separation`](crate::NavAvoidance::Separation).
    Queued,
    /// The agent wants to move and cannot.
    Stuck,
    /// The agent stands because of [`NavPaused`], whatever it wants.
    Paused,
}

/// How long others have to hold an agent up before the agent is [`Locomotion::Queued`], in seconds.
const QUEUED_AFTER_SECONDS: f32 = 0.2;

impl Locomotion {
    /// Replaces the locomotion of a walking agent if others make the agent stand or queue. `others` is what the agent
    /// remembers of them, or `None` if it does not keep apart.
    pub(crate) fn settled_or_queued(self, others: Option<CrowdMemory>) -> Self {
        match (self, others.filter(|memory| memory.has_neighbors)) {
            (Self::Moving | Self::Straight, Some(memory)) if memory.is_settled => Self::Settled,
            (Self::Moving | Self::Straight, Some(memory))
                if memory.is_behind && memory.held_up_seconds > QUEUED_AFTER_SECONDS =>
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
/// that the path is up to date when the pause ends. [`Locomotion`] is [`Locomotion::Paused`]. During the pause,
/// observers get no event for an arrival or a stuck agent. If the agent is within reach of its goal when the pause
/// ends, it arrives at that moment. After the pause, the agent starts from rest, with its acceleration.
///
/// The agent's own walking speed is removed once, whatever its [grip](crate::NavDrive::Grip). Then the body is left
/// alone, so a dynamic body can be pushed. A body with low grip that was knocked back flies on, and a body that was
/// rounding a corner drifts about as far as it would have drifted without the pause.
///
/// The component is cloned with its entity. Without a [`NavAgent`](crate::NavAgent) it has no effect. Written by the
/// user.
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
