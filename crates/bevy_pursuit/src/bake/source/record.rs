//! What the bake knows of each obstacle, and what became different.

use std::ptr;
use std::sync::Arc;

use bevy::ecs::entity::{Entity, EntityHashMap};
use bevy::ecs::resource::Resource;
use bevy::platform::collections::HashMap;
use bevy_rapier2d::parry::math::Pose;
use bevy_rapier2d::parry::shape::SharedShape;

use crate::grid::ObstacleLayers;

/// Moves below this are rounding, relative to the distance from the world's origin (at least one
/// unit).
const STILL: f32 = 1e-6;

/// Turns below this are rounding, in radians.
const UNTURNED: f32 = 4e-6;

/// The kinds of components that obstacles are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::bake) enum Source {
    /// A collider of Rapier.
    Collider,
    /// A [`NavObstacle`](super::NavObstacle).
    NavObstacle,
}

impl Source {
    /// Every source, in order.
    const ALL: [Self; 2] = [Self::Collider, Self::NavObstacle];
}

/// Names an obstacle. An entity may have one from each source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::bake) struct ObstacleId {
    pub(in crate::bake) entity: Entity,
    pub(in crate::bake) source: Source,
}

/// A solid obstacle: its scaled shape, where it stands, and its layers.
#[derive(Clone)]
pub(in crate::bake) struct Obstacle {
    /// May be shared with a collider. Holding it also makes the shape's content immutable: parry
    /// copies a shared shape before it changes it.
    pub(in crate::bake) shape: SharedShape,
    pub(in crate::bake) pose: Pose,
    /// Membership bits; zero for a moving body without collision groups.
    pub(in crate::bake) layers: u32,
}

/// What became of obstacles since the last bake began: the latest state, `None` if it is no
/// obstacle any more.
pub(in crate::bake) type Edits = HashMap<ObstacleId, Option<Obstacle>>;

/// Every obstacle as last seen, on whatever layers.
#[derive(Resource, Default)]
pub(crate) struct ObservedObstacles {
    records: [EntityHashMap<Obstacle>; Source::ALL.len()],
    /// What became different since the grids were told, oldest first.
    changes: Vec<Change>,
}

/// One obstacle that appeared, changed or went.
pub(in crate::bake) struct Change {
    pub(in crate::bake) id: ObstacleId,
    /// The layers that it was on; zero if it is new.
    pub(in crate::bake) old_layers: u32,
    /// What it is now, `None` if it is gone.
    pub(in crate::bake) now: Option<Obstacle>,
}

impl ObservedObstacles {
    /// Notes what an obstacle is now: the one way in for every source. `None` if it is none.
    pub(super) fn set(&mut self, source: Source, entity: Entity, now: Option<Obstacle>) {
        let records = &mut self.records[source as usize];
        let old = match &now {
            Some(now) => records.insert(entity, now.clone()),
            None => records.remove(&entity),
        };
        let old_layers = old.as_ref().map_or(0, |old| old.layers);
        let same = match (&old, &now) {
            (None, None) => true,
            (Some(old), Some(now)) => old.is_same(now),
            _ => false,
        };
        if same {
            // Keep what was baked, so that many small moves add up to a change.
            records.extend(old.map(|old| (entity, old)));
            return;
        }
        let id = ObstacleId { entity, source };
        self.changes.push(Change {
            id,
            old_layers,
            now,
        });
    }

    /// The entities that have an obstacle of this source.
    pub(super) fn entities(&self, source: Source) -> impl Iterator<Item = Entity> {
        self.records[source as usize].keys().copied()
    }

    /// The layers that an entity's obstacles are on; `None` if it has none.
    pub(crate) fn layers_of(&self, entity: Entity) -> Option<ObstacleLayers> {
        let own = self.records.iter().filter_map(|one| one.get(&entity));
        own.map(|one| one.layers)
            .reduce(|all, layers| all | layers)
            .map(ObstacleLayers)
    }

    /// Takes what became different since the last call.
    pub(in crate::bake) fn take_changes(&mut self) -> impl Iterator<Item = Change> {
        self.changes.drain(..)
    }

    /// All obstacles on these layers, as edits of an empty grid.
    pub(in crate::bake) fn on(&self, layers: ObstacleLayers) -> Edits {
        let mut edits = Edits::default();
        for source in Source::ALL {
            let records = self.records[source as usize].iter();
            let mine = records.filter(|(_, one)| layers.meet(one.layers));
            edits.extend(mine.map(|(&entity, one)| {
                let id = ObstacleId { entity, source };
                (id, Some(one.clone()))
            }));
        }
        edits
    }

    /// Number of obstacles on whatever layers.
    pub(in crate::bake) fn len(&self) -> usize {
        self.records.iter().map(|records| records.len()).sum()
    }

    /// The layers on which at least one obstacle is.
    pub(in crate::bake) fn layers(&self) -> ObstacleLayers {
        let all = self.records.iter().flat_map(|records| records.values());
        ObstacleLayers(all.fold(0, |layers, one| layers | one.layers))
    }
}

impl Obstacle {
    /// Whether a bake gives the same for both. The physics writes poses every frame, so a
    /// difference by rounding does not count.
    fn is_same(&self, other: &Self) -> bool {
        self.layers == other.layers
            && ptr::addr_eq(Arc::as_ptr(&self.shape.0), Arc::as_ptr(&other.shape.0))
            && is_still(&self.pose, &other.pose)
    }
}

fn is_still(a: &Pose, b: &Pose) -> bool {
    if a == b {
        return true;
    }
    let size = a.translation.abs().max_element().max(1.0);
    let turned = (a.rotation.cos() - b.rotation.cos())
        .abs()
        .max((a.rotation.sin() - b.rotation.sin()).abs());
    (a.translation - b.translation).abs().max_element() <= STILL * size && turned <= UNTURNED
}
