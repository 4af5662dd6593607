//! Finds the entities that agents or chased bodies carry. Carried entities are not obstacles, because they would block
//! the agent that carries them, or the way to the chased body.

use std::iter;

use bevy::ecs::entity::EntityHashSet;
use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use crate::agent::NavAgent;

/// The entities that chased bodies carry, and the entities to look at again in this frame.
#[derive(Resource, Default)]
pub(crate) struct Carriers {
    /// Moving bodies that are chased or carry something that is chased, with everything that they carry.
    /// Written by the physics integration.
    pub(crate) chased: EntityHashSet,
    /// Colliders that agents or chased bodies carry. Written by the physics integration.
    #[cfg(feature = "rapier2d")]
    pub(crate) excluded: EntityHashSet,
    /// Entities whose carrier may have changed since the previous frame.
    pub(crate) touched: EntityHashSet,
}

impl Carriers {
    /// Notes that the carrier of `entity`, and of its descendants, may have changed.
    pub(crate) fn touch(&mut self, entity: Entity, children: &Query<&Children, Allow<Disabled>>) {
        self.touched.insert(entity);
        self.touched.extend(children.iter_descendants(entity));
    }
}

/// Finds the agents that carry something. Includes `Disabled` entities, because they stay in the physics world.
#[derive(SystemParam)]
pub(crate) struct CarryingAgents<'w, 's> {
    agents: Query<'w, 's, (), (With<NavAgent>, Allow<Disabled>)>,
    parents: Query<'w, 's, &'static ChildOf, Allow<Disabled>>,
}

impl CarryingAgents<'_, '_> {
    /// Whether an agent or a chased body carries `entity`.
    pub(crate) fn carry(&self, entity: Entity, carriers: &Carriers) -> bool {
        let is_agent = |above: Entity| self.agents.contains(above);
        carriers.chased.contains(&entity) || self.upward(entity).any(is_agent)
    }

    /// `entity` and all its ancestors.
    pub(crate) fn upward(&self, entity: Entity) -> impl Iterator<Item = Entity> {
        iter::once(entity).chain(self.parents.iter_ancestors(entity))
    }
}

/// Notes the entities whose carrier may have changed.
pub(crate) fn note_carriers(
    changed: Query<Entity, (Or<(Added<NavAgent>, Changed<ChildOf>)>, Allow<Disabled>)>,
    mut removed: (RemovedComponents<NavAgent>, RemovedComponents<ChildOf>),
    children: Query<&Children, Allow<Disabled>>,
    mut carriers: ResMut<Carriers>,
) {
    carriers.touched.clear();
    let removed = removed.0.read().chain(removed.1.read());
    for entity in changed.iter().chain(removed) {
        carriers.touch(entity, &children);
    }
}
