//! Lists the entities that are chased, and measures how large they are.

use bevy::ecs::entity::{EntityHashMap, EntityHashSet, MapEntities};
use bevy::prelude::*;

/// The entities that are chased in this tick. Chasers are counted again in each tick. Change detection reports this
/// resource only if `targets` changed.
#[derive(Resource, Clone, Default)]
#[component(map_entities)]
pub(crate) struct ChaseIndex {
    pub(crate) targets: EntityHashSet,
    /// Targets with more than one chaser.
    pub(crate) shared_targets: EntityHashSet,
    /// Targets with enough chasers for a shared flow.
    pub(crate) flow_targets: EntityHashSet,
    /// Whether any chaser has a place of its own around its target.
    pub(crate) some_surround: bool,
    /// The chasers of each target, from which the sets above were computed.
    pub(crate) chasers: EntityHashMap<Chasers>,
}

/// The chasers of one target.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Chasers {
    /// Number of all chasers.
    pub(crate) all: usize,
    /// Number of chasers that keep apart from other agents.
    pub(crate) clear: usize,
    /// Number of chasers that have no reach, neither in their [`Chase`](crate::Chase) nor in their
    /// [`NavAgent`](crate::NavAgent), and do not surround the target. If there are too many to spread, they are not all
    /// counted.
    pub(crate) melee: usize,
    /// Whether the [`melee`](Self::melee) chasers spread around the target. They begin as soon as one of them that
    /// keeps apart from other agents has settled. They go on for as long as there are at least two of them, and not too
    /// many. Other chasers do not make them spread.
    pub(crate) spread: bool,
}

impl MapEntities for ChaseIndex {
    fn map_entities<E: EntityMapper>(&mut self, mapper: &mut E) {
        for targets in [
            &mut self.targets,
            &mut self.shared_targets,
            &mut self.flow_targets,
        ] {
            let all = targets.drain().map(|it| mapper.get_mapped(it));
            *targets = all.collect();
        }
        // Without these counts, the next tick computes the index again.
        self.chasers.clear();
    }
}

/// Radius of the circle around the solid colliders of a chased entity, in world units, centered on the entity's
/// position. The colliders belong to the entity itself and to its descendants, or to the body that carries the entity.
/// Zero or absent if there is no such collider.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
#[component(clone_behavior = Ignore)]
pub(crate) struct BodySize(pub(crate) f32);
