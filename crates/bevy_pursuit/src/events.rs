//! What happens to agents and grids, for observers: `commands.entity(enemy).observe(...)` or
//! `app.add_observer(...)`.
//!
//! There are no more events for an entity that an observer despawned, also where it arrived in the same tick.

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

/// A path to the goal was found, for the first time since the entity was sent there or since it could
/// not be reached. Later paths to the same goal are silent: `Changed<NavPath>` notices those.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Event, Clone, Debug, PartialEq)]
pub struct PathFound {
    /// The entity that asked.
    pub entity: Entity,
    /// Length of the path along its waypoints, in world units.
    pub length: f32,
    /// Time from the request to the answer, by the clock on the wall: it differs from run to run.
    pub latency: Duration,
}

/// The goal cannot be reached, also where a path leads part of the way. Told once, again when the
/// reason is another one, and again when the entity is sent once more.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Event, Clone, Debug, PartialEq)]
pub struct PathFailed {
    /// The entity that asked.
    pub entity: Entity,
    /// Why.
    pub reason: FailReason,
    /// Whether there is a path to the nearest reachable cell instead.
    pub partial: bool,
    /// Time from the request to the answer, by the clock on the wall: it differs from run to run.
    pub latency: Duration,
}

/// An agent came within reach of its target, or of the goal of its request. Told for each arrival: a chase that waited
/// behind a request or a flight is a new one afterwards, and arrives again. A request for
/// [`once`](crate::PathRequest::once) is removed then. The
/// end of a partial path is no goal: there [`Locomotion`](crate::Locomotion) becomes `Waiting`.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Event, Clone, Debug, PartialEq)]
pub struct GoalReached {
    /// The agent.
    pub entity: Entity,
    /// The chased entity; `None` for a [`PathRequest`](crate::PathRequest).
    pub target: Option<Entity>,
}

/// An agent wanted to walk for a second, did not get half its radius away, and a way around that place did not help within
/// another second, or three more among others. Until then it is [`Locomotion::Stuck`](crate::Locomotion::Stuck). It goes on trying,
/// alone wider around that place each time. Sent again only after the agent got away from what held it up, was paused, or waited
/// behind others for some seconds. An agent that only waits behind others, or behind those that stand at its goal, is not stuck.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Event, Clone, Debug, PartialEq)]
pub struct AgentStuck {
    /// The agent.
    pub entity: Entity,
    /// Where it is stuck, in world units.
    pub position: Vec3,
}

/// An agent stands on ground that is forbidden to its [class](crate::NavAgent::class): something put it there, or the
/// ground changed. It leaves by the nearest way, before whatever else it wants: [`Wants::Leave`](crate::Wants::Leave) is
/// what one wants that wants nothing else. One that is paused or [driven by the game](crate::NavDrive::Manual) stays,
/// unless it is sent somewhere. Sent once until the agent is outside, and only if its center is farther inside than a quarter of
/// a cell and of its radius: not when it cuts the corner of a lake. While an agent is paused the event waits.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Event, Clone, Debug, PartialEq)]
pub struct EnteredForbidden {
    /// The agent.
    pub entity: Entity,
    /// What the ground is there.
    pub area: AreaId,
    /// Where it stands, in world units.
    pub position: Vec3,
}

/// Whom an agent chases is gone, or has no place in the world any more: its [`PathStatus`](crate::PathStatus) is
/// `TargetLost`. Told once, and again when the agent is sent once more.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Event, Clone, Debug, PartialEq)]
pub struct TargetLost {
    /// The agent.
    pub entity: Entity,
    /// The entity that it chases. It may not exist any more.
    pub target: Entity,
}

/// A grid was baked: its [`BakedGrid`](crate::BakedGrid) holds a new snapshot.
///
/// Not told of a bake after which every distance is what it was before.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(opaque)]
#[reflect(Clone, Debug, PartialEq)]
pub struct GridBaked {
    /// The entity with the [`NavGrid`](crate::NavGrid).
    pub entity: Entity,
    /// Generation of the new snapshot.
    pub generation: u64,
    /// All cells whose distances may have changed lie in here, with the steps between them.
    pub cells: CellRect,
    /// Number of obstacles for this grid: colliders and [`NavObstacle`](crate::NavObstacle)s.
    pub obstacles: usize,
    /// How long the bake took where it ran.
    pub duration: Duration,
}

/// Tells observers what happened to an entity, unless one of them despawned it since: a game that
/// inserts something into whom it hears of would panic.
pub(crate) fn tell<E>(commands: &mut Commands, event: E)
where
    E: for<'a> EntityEvent<Trigger<'a>: Default>,
{
    commands.queue(move |world: &mut World| {
        if world.get_entity(event.event_target()).is_ok() {
            world.trigger(event);
        }
    });
}
