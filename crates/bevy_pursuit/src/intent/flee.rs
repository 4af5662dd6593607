//! The behavior that runs away from an entity.

use bevy::ecs::component::Component;
use bevy::ecs::entity::Entity;
use bevy::ecs::prelude::ReflectComponent;
use bevy::reflect::Reflect;

use crate::agent::{NavAgent, renew};

/// Keeps an agent away from an entity: while that is nearer than [`distance`](Self::distance), the
/// agent runs to the place nearby that is farthest from it on foot.
///
/// It prefers places that ways lead on from, so that it does not run into a dead end if there is
/// another way. Where the other is an agent, its own radius and class say where it can follow.
/// [`PathRequest`](crate::PathRequest) wins over it. Written by the user; removing it stops the agent.
///
/// It wins over [`Chase`](crate::Chase) while the agent runs. So an archer is both: it shoots from within the
/// [`reach`](crate::Chase::reach) of its chase, and runs when somebody comes too near. Give it a reach of more than
/// [`distance`](Self::distance): with less it never arrives, and goes to and fro between these two. With 1.25 times as much
/// it is not driven off again by each step of the other.
/// Each time that the chase goes on it is a new one: observers hear of its path and of its arrival again.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Clone, Debug, PartialEq)]
#[require(NavAgent)]
#[component(on_insert = renew)]
pub struct Flee {
    /// Whom to keep away from. While it has no place in the world, the agent stands.
    #[entities]
    pub from: Entity,
    /// The agent runs while the other is nearer than this, until it is a quarter farther away, in
    /// world units between the centers. Finite, `>= 0.0`.
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
