//! Where an entity is now, in the plane.

use bevy::ecs::entity::Entity;
use bevy::math::Vec2;
use bevy::transform::helper::TransformHelper;

/// World position of `entity`, from the transforms as they are at this moment.
///
/// `GlobalTransform` would lag behind by up to a frame, and is the origin in an entity's first
/// one. `None` where the entity, or its transform, is gone.
pub(crate) fn world_position(transforms: &TransformHelper, entity: Entity) -> Option<Vec2> {
    let transform = transforms.compute_global_transform(entity).ok()?;
    Some(transform.translation().truncate())
}
