//! Events of agents and grids, for observers: `commands.entity(enemy).observe(...)` or `app.add_observer(...)`.
//!
//! Once an observer has despawned an entity, that entity gets no more events, not even an arrival in the same tick.

use std::time::Duration;

use bevy::ecs::entity::Entity;
use bevy::ecs::event::EntityEvent;
use bevy::ecs::prelude::ReflectEvent;
use bevy::ecs::system::Commands;
use bevy::ecs::world::World;
use bevy::math::Vec3;
use bevy::reflect::Reflect;
use pursuit::CellRect;

use crate::agent::FailReason;
use crate::ground::AreaId;

/// A path to the goal was found, for the first time since the entity was sent there or since the goal was
/// unreachable. Later paths to the same goal send no event: use `Changed<NavPath>` to notice them.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Event, Clone, Debug, PartialEq)]
pub struct PathFound {
    /// The entity that wanted the path.
    pub entity: Entity,
    /// Length of the path along its waypoints, in world units.
    pub length: f32,
    /// Real time from the request to the answer: it differs from run to run.
    pub latency: Duration,
}

/// The goal cannot be reached, although a partial path may lead toward it. Sent once, again if the reason
/// changes, and again when the entity is sent once more.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Event, Clone, Debug, PartialEq)]
pub struct PathFailed {
    /// The entity that wanted the path.
    pub entity: Entity,
    /// Why the goal cannot be reached.
    pub reason: FailReason,
    /// Whether there is a path to the nearest reachable cell instead.
    pub partial: bool,
    /// Real time from the request to the answer: it differs from run to run.
    pub latency: Duration,
}

/// An agent came within reach of its target, or of the goal of its request.
///
/// Sent for each arrival. A chase that was interrupted by a request or a flight counts as a new one afterwards,
/// and arrives again. A request for [`once`](crate::PathRequest::once) is removed on arrival. The end of a
/// partial path is no arrival: there [`Locomotion`](crate::Locomotion) becomes `Waiting`.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Event, Clone, Debug, PartialEq)]
pub struct GoalReached {
    /// The agent.
    pub entity: Entity,
    /// The chased entity; `None` for a [`PathRequest`](crate::PathRequest).
    pub target: Option<Entity>,
}

/// An agent made no progress for two seconds, a detour included, or for four seconds in a crowd.
///
/// No progress means that the agent wanted to walk and did not get half its radius away from where it was.
/// After the first second it becomes [`Locomotion::Stuck`](crate::Locomotion::Stuck) and tries a detour around
/// the place. It keeps trying after this event; outside of a crowd each detour is wider than the last.
///
/// Sent again only after the agent got free, was paused, or waited behind others for some seconds. An agent
/// that merely waits behind others, or behind those that stand at its goal, is not stuck.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Event, Clone, Debug, PartialEq)]
pub struct AgentStuck {
    /// The agent.
    pub entity: Entity,
    /// Where it is stuck, in world units.
    pub position: Vec3,
}

/// An agent stands on ground that is forbidden to its [class](crate::NavAgent::class): something put it there,
/// or the ground changed.
///
/// The agent first leaves that ground by the shortest way, whatever else it wants. An agent that wants nothing
/// else has the intent [`Wants::Leave`](crate::inspect::Wants::Leave). An agent that is paused or [driven by the
/// game](crate::NavDrive::Manual) stays, unless it is sent somewhere.
///
/// Sent once until the agent is outside again, and only if its center is deeper inside than a quarter of a cell
/// or a quarter of its radius, whichever is less, so cutting the corner of a lake does not count. The event of
/// a paused agent waits until the pause ends.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Event, Clone, Debug, PartialEq)]
pub struct EnteredForbidden {
    /// The agent.
    pub entity: Entity,
    /// The area that it stands in.
    pub area: AreaId,
    /// Where it stands, in world units.
    pub position: Vec3,
}

/// The entity that an agent chases is gone, or has no position in the world any more: the agent's
/// [`PathStatus`](crate::PathStatus) is `TargetLost`. Sent once, and again when the agent is sent once more.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Event, Clone, Debug, PartialEq)]
pub struct TargetLost {
    /// The agent.
    pub entity: Entity,
    /// The chased entity. It may no longer exist.
    pub target: Entity,
}

/// A grid was baked: its [`BakedGrid`](crate::BakedGrid) holds a new snapshot.
///
/// Not sent if a bake changed neither a distance nor an area.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(opaque)]
#[reflect(Clone, Debug, PartialEq)]
pub struct GridBaked {
    /// The entity with the [`NavGrid`](crate::NavGrid).
    pub entity: Entity,
    /// Generation of the new snapshot.
    pub generation: u64,
    /// Rectangle around all cells that may have changed: their distances, the distances of the steps between
    /// them, or their areas.
    pub cells: CellRect,
    /// Number of obstacles on this grid: colliders and [`NavObstacle`](crate::NavObstacle)s.
    pub obstacles: usize,
    /// Time that the bake took in its task.
    pub duration: Duration,
}

/// Triggers an event, unless an earlier observer despawned its entity: a game whose observer inserts a
/// component on that entity would panic.
pub(crate) fn trigger_if_alive<E>(commands: &mut Commands, event: E)
where
    E: for<'a> EntityEvent<Trigger<'a>: Default>,
{
    commands.queue(move |world: &mut World| {
        if world.get_entity(event.event_target()).is_ok() {
            world.trigger(event);
        }
    });
}
