//! Walks agents along their paths: decides the velocity that each wants in this tick.

pub mod agent;
pub(crate) mod place;
pub(crate) mod step;

use bevy::app::{App, Plugin};
use bevy::ecs::prelude::*;
use bevy::ecs::schedule::InternedScheduleLabel;
use bevy::log::warn;
use bevy::math::Vec2;
use bevy::time::Time;
use bevy::transform::helper::TransformHelper;

use crate::events::{AgentStuck, TargetReached};
use crate::grid::BakedGrid;
use crate::grid::NavSnapshot;
use crate::motion::agent::{
    Chase, DesiredVelocity, FollowMemory, Locomotion, NavAgent, NavPath, PathCursor, PathRequest,
    PathStatus,
};
use crate::motion::place::{read_places, world_position};
use crate::motion::step::{Situation, Target, step};
use crate::schedule::{PursuitSystems, TickStart};
use crate::settings::PursuitSettings;

/// Decides desired velocities.
pub(crate) struct FollowPlugin {
    pub(crate) schedule: InternedScheduleLabel,
}

impl Plugin for FollowPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<PursuitSettings>()
            .register_type::<NavAgent>()
            .register_type::<PathCursor>()
            .register_type::<DesiredVelocity>()
            .register_type::<Locomotion>()
            .register_type::<FollowMemory>()
            .register_type::<TargetReached>()
            .register_type::<AgentStuck>()
            .add_systems(
                self.schedule,
                (
                    read_places.in_set(TickStart),
                    follow_paths.in_set(PursuitSystems::Follow),
                ),
            );
    }
}

/// What following reads of an agent, and writes.
type AgentData<'a> = (
    Entity,
    &'a NavAgent,
    &'a NavPath,
    &'a PathStatus,
    Option<&'a Chase>,
    Has<PathRequest>,
    &'a mut PathCursor,
    &'a mut DesiredVelocity,
    &'a mut Locomotion,
    &'a mut FollowMemory,
);

/// Takes each agent one step further, and tells of arrivals and of agents that are stuck.
fn follow_paths(
    time: Res<Time>,
    settings: Res<PursuitSettings>,
    grids: Query<(Entity, &BakedGrid)>,
    transforms: TransformHelper,
    mut commands: Commands,
    mut agents: Query<AgentData>,
) {
    let dt = settings.step(time.delta_secs());
    for (
        entity,
        agent,
        path,
        status,
        chase,
        requested,
        mut cursor,
        mut desired,
        mut legs,
        mut memory,
    ) in &mut agents
    {
        let Some(position) = world_position(&transforms, entity) else {
            desired.set_if_neq(DesiredVelocity::default());
            continue;
        };
        if memory.is_refused == agent.is_valid() {
            memory.is_refused = !agent.is_valid();
            warn_if_refused(entity, agent);
        }
        let snapshot = grid_of(&grids, path, position);
        let cell_size = snapshot.map_or(0.0, |snapshot| snapshot.layout().cell_size());
        let chased = chase.filter(|_| !requested);
        let now = Situation {
            agent,
            path,
            status: *status,
            snapshot,
            position,
            target: chased.and_then(|chase| look_at(&transforms, chase.target, &memory, dt)),
            velocity: desired.0,
            legs: *legs,
            sight_range: settings.sight_range * cell_size,
            dt,
        };
        let next = step(&now, cursor.0, *memory);
        let before = *legs;
        cursor.set_if_neq(PathCursor(next.cursor));
        desired.set_if_neq(DesiredVelocity(next.velocity));
        legs.set_if_neq(next.legs);
        memory.set_if_neq(next.memory);
        if next.legs != before {
            let target = chased.map(|chase| chase.target);
            announce(next.legs, entity, target, position, &mut commands);
        }
    }
}

/// Tells of an agent that from now on is at its target, or stuck.
fn announce(
    legs: Locomotion,
    entity: Entity,
    target: Option<Entity>,
    position: Vec2,
    commands: &mut Commands,
) {
    match legs {
        Locomotion::Arrived => commands.trigger(TargetReached { entity, target }),
        Locomotion::Stuck => commands.trigger(AgentStuck { entity, position }),
        _ => {}
    }
}

fn warn_if_refused(entity: Entity, agent: &NavAgent) {
    if !agent.is_valid() {
        warn!("agent {entity} stands still, for a number of it makes no sense: {agent:?}");
    }
}

/// The grid that the path was planned on, else the one around the agent.
fn grid_of<'a>(
    grids: &'a Query<(Entity, &BakedGrid)>,
    path: &NavPath,
    position: Vec2,
) -> Option<&'a NavSnapshot> {
    let planned_on = grids
        .get(path.grid)
        .ok()
        .and_then(|(_, baked)| baked.snapshot());
    let around = || {
        let mut snapshots = grids.iter().filter_map(|(_, baked)| baked.snapshot());
        snapshots.find(|snapshot| snapshot.layout().cell_at(position).is_some())
    };
    planned_on.or_else(around).map(AsRef::as_ref)
}

/// The target's position, and its velocity since the tick before.
fn look_at(
    transforms: &TransformHelper,
    target: Entity,
    memory: &FollowMemory,
    dt: f32,
) -> Option<Target> {
    let position = world_position(transforms, target)?;
    let moved = position - memory.last_target.unwrap_or(position);
    let velocity = if dt > 0.0 { moved / dt } else { Vec2::ZERO };
    Some(Target { position, velocity })
}
