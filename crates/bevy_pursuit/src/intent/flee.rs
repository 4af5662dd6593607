//! The component that makes an agent flee from an entity.

use bevy::prelude::*;

use super::cornered::Cornered;
use crate::agent::{NavAgent, Wants, renew};

/// Keeps an agent away from an entity: while that entity is nearer than [`distance`](Self::distance), the agent
/// runs to the place nearby that is farthest from that entity on foot.
///
/// The agent prefers places from which paths lead further, so it does not run into a dead end unless it has to. If
/// the other entity is an agent, its own radius and class decide where it can follow.
/// [`PathRequest`](crate::PathRequest) takes precedence. Written by the user; removing the component stops the agent.
///
/// While the agent runs, `Flee` takes precedence over [`Chase`](crate::Chase). So an archer has both components: it
/// shoots from within the [`reach`](crate::Chase::reach) of its chase, and runs when somebody comes too near. The reach
/// must be larger than [`distance`](Self::distance); otherwise the archer never arrives, and goes back and forth
/// between chasing and fleeing. With a reach of 1.25 times the distance, small steps of the other entity do not make
/// the archer flee again. A flight that cannot get farther away gives way to the chase, so a cornered archer shoots. It
/// tries to flee again, at most once a second, when it or the other entity has moved by more than a quarter of
/// [`distance`](Self::distance). A cornered agent without a chase stays where it is, and its status is
/// [`Partial`](crate::PathStatus::Partial)`(`[`Cornered`](crate::FailReason::Cornered)`)`. A chase that continues after
/// a flight is a new one: its events for a path and an arrival are sent again.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Clone, Debug, PartialEq)]
#[require(NavAgent, Cornered)]
#[component(on_insert = renew(Wants::Flee))]
pub struct Flee {
    /// The entity to keep away from. While it has no position in the world, the agent stands.
    #[entities]
    pub from: Entity,
    /// Distance between the centers below which the agent runs, in world units. The agent stops at 1.25 times this
    /// distance. Finite, `>= 0.0`.
    pub distance: f32,
}

impl Flee {
    /// Keeps the agent at least `distance` world units away from an entity.
    pub fn new(from: Entity, distance: f32) -> Self {
        Self { from, distance }
    }

    /// Sets the distance to keep, in world units.
    pub fn with_distance(mut self, distance: f32) -> Self {
        self.distance = distance;
        self
    }
}
