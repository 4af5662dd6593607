//! Who is chased, and how large they are.

use bevy::ecs::component::Component;
use bevy::ecs::entity::{EntityHashSet, EntityMapper, MapEntities};
use bevy::ecs::resource::Resource;

/// The entities that are chased now. Derived from the [`Chase`](crate::Chase) components, again when one changes; it
/// counts as changed when `targets` do.
#[derive(Resource, Clone, Default)]
#[component(map_entities)]
pub(crate) struct ChaseIndex {
    pub(crate) targets: EntityHashSet,
    /// Those whom more than one chases.
    pub(crate) crowded: EntityHashSet,
    /// Those whom so many chase that they share a flow.
    pub(crate) masses: EntityHashSet,
    /// Whether some surround their target.
    pub(crate) some_surround: bool,
    /// Number of chases that it was derived from, and a sum over their targets, and over who keeps clear.
    pub(crate) seen: (usize, u64),
}

impl MapEntities for ChaseIndex {
    fn map_entities<E: EntityMapper>(&mut self, mapper: &mut E) {
        for targets in [&mut self.targets, &mut self.crowded, &mut self.masses] {
            let all = targets.drain().map(|it| mapper.get_mapped(it));
            *targets = all.collect();
        }
        // Of other numbers: the next look finds that nothing differs.
        self.seen = (0, 0);
    }
}

/// Radius of the circle around the solid collider of an entity that is chased, in world units and
/// around the entity's position: its own collider, or that of the body that carries it. Zero or absent
/// where there is no such collider.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
#[component(clone_behavior = Ignore)]
pub(crate) struct BodySize(pub(crate) f32);
