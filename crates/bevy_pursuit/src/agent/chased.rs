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
    /// Number of chasers that have no reach and do not surround the target by themselves. If there are too many to
    /// spread, they are not all counted.
    pub(crate) melee: usize,
    /// Whether the chasers spread around the target. They begin if they are few, and one of them keeps apart from other
    /// agents and stands behind others. They go on for as long as they are few. Chasers that have a reach or surround
    /// the target by themselves do not make the others spread.
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

/// Radius of the circle around the solid collider of a chased entity, in world units, centered on the entity's
/// position. The collider belongs to the entity itself, or to the body that carries it. Zero or absent if there is no
/// such collider.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
#[component(clone_behavior = Ignore)]
pub(crate) struct BodySize(pub(crate) f32);
