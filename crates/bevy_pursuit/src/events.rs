//! Events of agents and grids, for observers: `commands.entity(enemy).observe(...)` or `app.add_observer(...)`.
//!
//! An entity that an observer despawned gets no more events, not even for an arrival in the same tick.

use std::time::Duration;

use bevy::prelude::*;
use pursuit::CellRect;

use crate::agent::FailReason;
use crate::ground::AreaId;

/// A path to the goal was found, for the first time since the entity was sent there or since the goal was unreachable.
/// Later paths to the same goal send no event: use `Changed<NavPath>` to notice them.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Event, Clone, Debug, PartialEq)]
pub struct PathFound {
    /// The entity that wanted the path.
    pub entity: Entity,
    /// Length of the path along its waypoints, in world units.
    pub length: f32,
    /// Real time from the request to the answer. It differs from run to run.
    pub latency: Duration,
}

/// The goal cannot be reached, although a partial path may lead toward it. Sent once, and again whenever the reason
/// changes or the component that gave the goal is inserted again.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Event, Clone, Debug, PartialEq)]
pub struct PathFailed {
    /// The entity that wanted the path.
    pub entity: Entity,
    /// Why the goal cannot be reached.
    pub reason: FailReason,
    /// Whether there is a path to the nearest reachable cell instead.
    pub partial: bool,
    /// Real time from the request to the answer. It differs from run to run.
    pub latency: Duration,
}

/// An agent came within reach of its target, or of the goal of its request.
///
/// Sent for the first arrival, and for each arrival after a departure. An agent departs when its distance from the goal
/// exceeds its reach by 15 %, or by a quarter of its radius if that is more, or when it loses sight of a goal that it
/// [needs to see](crate::Chase::needs_sight). An agent that has other agents near, or had them near when it was last at
/// its goal, departs only if it gets more than 16 radii beyond this slack, or 8 radii if no other agent is near any
/// more, or if its goal moves by more than two radii beyond the slack. A new place on a
/// [circle](crate::Chase::surround) is no departure. If a request or a `Flee` interrupts a chase, the chase starts over
/// afterwards, and its next arrival sends the event again. A request for [`once`](crate::PathRequest::once) is removed
/// on arrival. Reaching the end of a partial path is not an arrival: there, [`Locomotion`](crate::Locomotion) becomes
/// `Waiting`.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Event, Clone, Debug, PartialEq)]
pub struct GoalReached {
    /// The agent.
    pub entity: Entity,
    /// The chased entity. `None` for a [`PathRequest`](crate::PathRequest).
    pub target: Option<Entity>,
}

/// An agent made no progress for two seconds, although it tried a detour. Among other agents, this takes four seconds.
/// An agent that was already on a detour sends the event after one second.
///
/// No progress means that the agent wanted to walk, but did not get half its radius away from where it was.
/// After the first second, the agent becomes [`Locomotion::Stuck`](crate::Locomotion::Stuck) and tries a detour around
/// the place. The agent keeps trying after this event.
///
/// The event is sent again only after the agent got two radii away and is no longer near a place where an agent got
/// stuck, or after it stood still on purpose, for example because it was paused. An agent that merely waits behind
/// others, on its way or at its goal, is not stuck. If a line of waiting agents does not move for eight seconds, the
/// agent nearest to the goal sends this event for the whole line. In a crowd, one agent sends it for each jam.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Event, Clone, Debug, PartialEq)]
pub struct AgentStuck {
    /// The agent.
    pub entity: Entity,
    /// Position of the agent, in world units.
    pub position: Vec3,
}

/// An agent stands on ground that is forbidden to its [class](crate::NavAgent::class): something put it there,
/// or the ground changed.
///
/// The agent first leaves that ground by the shortest path, whatever else it wants. An agent that wants nothing
/// else has the intent [`Wants::Leave`](crate::inspect::Wants::Leave). An agent that is paused or [driven by the
/// game](crate::NavDrive::Manual) stays, unless it is sent somewhere.
///
/// Sent once until the agent is outside again, and only if the agent's center is inside by more than a quarter of a
/// cell or a quarter of its radius, whichever is less. So an agent that cuts the corner of a lake gets no event. The
/// event of a paused agent is sent when the pause ends.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Event, Clone, Debug, PartialEq)]
pub struct EnteredForbidden {
    /// The agent.
    pub entity: Entity,
    /// The area in which the agent stands.
    pub area: AreaId,
    /// Position of the agent, in world units.
    pub position: Vec3,
}

/// The entity that an agent chases is gone, or no longer has a position in the world: the agent's
/// [`PathStatus`](crate::PathStatus) is `TargetLost`. Sent once, and again only if the agent wanted something
/// else, or nothing, in between.
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
    /// Rectangle around all cells that may have changed: their distances to obstacles, the distances along the steps
    /// between them, or their areas.
    pub cells: CellRect,
    /// Number of obstacles on this grid: colliders and [`NavObstacle`](crate::NavObstacle)s.
    pub obstacles: usize,
    /// How long the bake took.
    pub duration: Duration,
}

/// Triggers an event, unless an earlier observer despawned its entity. Without this check, a game's observer that
/// inserts a component on the entity would panic.
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
