//! Looks up the entities that agents chase or flee from.

use std::mem;

use bevy::ecs::change_detection::Tick;
use bevy::ecs::entity::EntityHashMap;
use bevy::ecs::system::{SystemChangeTick, SystemParam};
use bevy::log::warn_once;
use bevy::prelude::*;

use crate::agent::{BodySize, ChaseIndex, CrowdObstacle, GoalKind, NavAgent, world_position};
use crate::names::Names;
use crate::obstacle::ObservedObstacles;

/// What agents know about an entity that they chase or flee from: the target.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sighted {
    /// `None` if the target is gone, or has no position in the world.
    pub(super) position: Option<Vec3>,
    /// Radius of the target's body, in world units; 0 without a body.
    pub(super) radius: f32,
    /// Whether the target has a solid collider, so that other bodies cannot come nearer than touching.
    pub(super) is_solid: bool,
    /// Whether the target, one of its ancestors or one of its descendants is an obstacle on grids.
    pub(super) is_obstacle: bool,
    /// Whether the few chasers of the target spread around it.
    spreads: bool,
}

impl Sighted {
    pub(super) fn goal_kind(&self) -> GoalKind {
        if self.is_solid {
            GoalKind::Body
        } else {
            GoalKind::Point
        }
    }

    /// Whether an intent that depends on the target stays the same, apart from the position of its goal.
    fn is_like(&self, other: &Self) -> bool {
        let facts = |one: &Self| {
            let body = (one.radius, one.is_solid, one.is_obstacle);
            (one.position.is_some(), body, one.spreads)
        };
        facts(self) == facts(other)
    }
}

/// The components that describe the body of a target.
type TargetBody = (
    Option<&'static NavAgent>,
    Option<&'static BodySize>,
    Option<&'static CrowdObstacle>,
);

/// A target that was looked at in this tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct LookedAt {
    pub(super) sighted: Sighted,
    /// When the target last changed otherwise than by moving, or when it was first looked at.
    pub(super) changed: Tick,
}

/// Looks up the entities that agents chase or flee from.
#[derive(SystemParam)]
pub(super) struct Targets<'w, 's> {
    roots: Query<'w, 's, &'static Transform, Without<ChildOf>>,
    transforms: TransformHelper<'w, 's>,
    bodies: Query<'w, 's, TargetBody>,
    obstacles: Option<Res<'w, ObservedObstacles>>,
    parents: Query<'w, 's, &'static ChildOf>,
    children: Query<'w, 's, &'static Children>,
    names: Names<'w, 's>,
    ticks: SystemChangeTick,
    /// Results of this tick. Many agents chase few targets, so each target is looked up once.
    known: Local<'s, EntityHashMap<LookedAt>>,
}

impl Targets<'_, '_> {
    pub(super) fn position_of(&self, entity: Entity) -> Option<Vec3> {
        match self.roots.get(entity) {
            Ok(transform) => Some(transform.translation),
            Err(_) => world_position(&self.transforms, entity),
        }
    }

    fn is_obstacle(&self, entity: Entity) -> bool {
        let Some(obstacles) = &self.obstacles else {
            return false;
        };
        let blocks = |one: Entity| obstacles.layers_of(one).is_some_and(|layers| layers.0 != 0);
        blocks(entity)
            || self.parents.iter_ancestors(entity).any(blocks)
            || self.children.iter_descendants(entity).any(blocks)
    }

    /// Looks at all targets that are chased now, and forgets all others.
    pub(super) fn begin_tick(&mut self, index: &ChaseIndex) {
        let before = mem::take(&mut *self.known);
        let now = self.ticks.this_run();
        let looked_at = index.targets.iter().map(|entity| {
            let sighted = self.look(*entity, index.spreads(*entity));
            let is_same = |it: &&LookedAt| it.sighted.is_like(&sighted);
            let changed = (before.get(entity).filter(is_same)).map_or(now, |it| it.changed);
            (*entity, LookedAt { sighted, changed })
        });
        let looked_at = looked_at.collect();
        *self.known = looked_at;
    }

    /// The positions of the targets that were looked at in this tick.
    pub(super) fn positions(&self) -> impl Iterator<Item = (Entity, Vec3)> {
        let all = self.known.iter();
        all.filter_map(|(entity, known)| Some((*entity, known.sighted.position?)))
    }

    /// The targets that were looked at in this tick.
    pub(super) fn known(&self) -> &EntityHashMap<LookedAt> {
        &self.known
    }

    pub(super) fn look_at(&mut self, entity: Entity) -> Sighted {
        if let Some(known) = self.known.get(&entity) {
            return known.sighted;
        }
        let (sighted, changed) = (self.look(entity, false), self.ticks.this_run());
        self.known.insert(entity, LookedAt { sighted, changed });
        sighted
    }

    fn look(&self, entity: Entity, spreads: bool) -> Sighted {
        let position = self.position_of(entity);
        let (agent, size, avoided) = self.bodies.get(entity).unwrap_or_default();
        if position.is_none() && self.bodies.contains(entity) {
            warn_once!(
                "target {} has no position: it or an entity above it has no Transform. Give each of them a \
                 Transform (said once)",
                self.names.of(entity)
            );
        }
        let measured = size.map_or(0.0, |size| size.0);
        let kept_clear = avoided.and_then(CrowdObstacle::valid_radius).unwrap_or(0.0);
        let known = agent.filter(|agent| agent.is_valid());
        Sighted {
            position,
            radius: known.map_or(measured, |agent| agent.radius).max(kept_clear),
            is_solid: measured > 0.0,
            is_obstacle: self.is_obstacle(entity),
            spreads,
        }
    }
}

#[cfg(test)]
mod tests {
    use bevy::ecs::system::SystemState;

    use super::*;

    #[test]
    fn two_alternating_targets_are_looked_up_once_each() {
        let mut world = World::new();
        let targets = [1.0, 2.0].map(|x| world.spawn(Transform::from_xyz(x, 0.0, 0.0)).id());
        let mut state = SystemState::<Targets>::new(&mut world);
        let look = |state: &mut SystemState<Targets>, world: &mut World, target| {
            let mut found = state
                .get_mut(world)
                .expect("the system parameters need nothing from the world");
            found.look_at(target).position.map(|position| position.x)
        };
        for (target, x) in targets.into_iter().zip([1.0, 2.0]) {
            assert_eq!(look(&mut state, &mut world, target), Some(x));
        }
        // The targets have moved now, which only another lookup would notice.
        for (target, x) in targets.into_iter().zip([1.0, 2.0]) {
            world.entity_mut(target).insert(Transform::IDENTITY);
            assert_eq!(look(&mut state, &mut world, target), Some(x));
        }
    }
}
