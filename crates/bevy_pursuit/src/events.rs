//! What happens to agents, for observers: `commands.entity(enemy).observe(...)` or
//! `app.add_observer(...)`.

use std::time::Duration;

use bevy::ecs::entity::Entity;
use bevy::ecs::event::EntityEvent;
use bevy::ecs::prelude::ReflectEvent;
use bevy::math::Vec2;
use bevy::reflect::Reflect;

use crate::motion::agent::FailReason;

/// A path to the goal was found.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Event, Clone, Debug, PartialEq)]
pub struct PathFound {
    /// The entity that asked.
    pub entity: Entity,
    /// Length of the path, in world units (its cost on weighted terrain).
    pub length: f32,
    /// Time from the request to the answer.
    pub latency: Duration,
}

/// The goal could not be reached. Told for every request that falls short, a chase's repeated ones
/// included, and also where a path leads part of the way.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Event, Clone, Debug, PartialEq)]
pub struct PathFailed {
    /// The entity that asked.
    pub entity: Entity,
    /// Why.
    pub reason: FailReason,
    /// Whether there is a path to the nearest reachable cell instead.
    pub partial: bool,
    /// Time from the request to the answer.
    pub latency: Duration,
}

/// An agent came within arrival distance of its target, or to the goal of a requested path. The end
/// of a partial path is no goal: there [`Locomotion`](crate::motion::agent::Locomotion) becomes `Waiting`.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Event, Clone, Debug, PartialEq)]
pub struct TargetReached {
    /// The agent.
    pub entity: Entity,
    /// The chased entity; `None` for a [`PathRequest`](crate::motion::agent::PathRequest).
    pub target: Option<Entity>,
}

/// An agent wanted to walk for a second and made less than a quarter of the way.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Event, Clone, Debug, PartialEq)]
pub struct AgentStuck {
    /// The agent.
    pub entity: Entity,
    /// Where it is stuck, in world units.
    pub position: Vec2,
}
