//! The positions of agents, read once per tick.

use bevy::prelude::*;
use pursuit::crowd::Workers;

use crate::chunks::{Cut, Pool, unmarked};

/// World position of an entity at the start of the tick; NaN if it has none.
///
/// The position is read from `Transform`, because `GlobalTransform` is the origin in an entity's first frame, and one
/// frame old afterwards.
#[derive(Component, Clone, Copy, Debug)]
#[component(clone_behavior = Ignore)]
pub(crate) struct TickPosition(pub(crate) Vec3);

impl Default for TickPosition {
    fn default() -> Self {
        Self(Vec3::NAN)
    }
}

impl TickPosition {
    /// Sort key that orders entities in some way that does not depend on the world's storage. Coordinates are compared
    /// as [`f32::to_bits`] gives them, so negative ones come last.
    pub(crate) fn sort_key(&self) -> [u32; 3] {
        self.0.to_array().map(f32::to_bits)
    }
}

/// Reads the position of each entity that plans.
///
/// The first query has the entities without a parent, which are most entities. Only entities with a parent need a walk
/// up the hierarchy.
pub(crate) fn read_positions(
    mut roots: Query<(&Transform, &mut TickPosition), Without<ChildOf>>,
    mut others: Query<(Entity, &mut TickPosition), Or<(With<ChildOf>, Without<Transform>)>>,
    transforms: TransformHelper,
) {
    let pool = Pool::default();
    let size = pool.light_part_size(roots.iter().len());
    for (transforms, positions) in roots.contiguous_iter_mut().into_iter().flatten() {
        let parts = (transforms, unmarked(positions)).parts(transforms.len(), size);
        pool.run(parts, |(transforms, positions)| {
            for (transform, position) in transforms.iter().zip(positions) {
                position.0 = transform.translation;
            }
        });
    }
    for (entity, mut position) in &mut others {
        position.bypass_change_detection().0 =
            world_position(&transforms, entity).unwrap_or(Vec3::NAN);
    }
}

/// World position of `entity`, computed from the present transforms. `None` if the entity is gone, or if the entity or
/// one of its ancestors has no `Transform`.
pub(crate) fn world_position(transforms: &TransformHelper, entity: Entity) -> Option<Vec3> {
    let transform = transforms.compute_global_transform(entity).ok()?;
    Some(transform.translation())
}
