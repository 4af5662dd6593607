//! What the bake knows of one collider.

use std::ptr;
use std::sync::Arc;

use bevy::ecs::entity::EntityHashMap;
use bevy_rapier2d::parry::math::Pose;
use bevy_rapier2d::parry::shape::SharedShape;

/// Moves below this are rounding, relative to the distance from the world's origin (at least one
/// unit).
const STILL: f32 = 1e-6;

/// Turns below this are rounding, in radians.
const UNTURNED: f32 = 4e-6;

/// A solid collider: its scaled shape, where it stands, and its layers.
#[derive(Clone)]
pub(super) struct Obstacle {
    /// Shared with the collider. Holding it also makes the shape's content immutable: parry copies
    /// a shared shape before it changes it.
    pub(super) shape: SharedShape,
    pub(super) pose: Pose,
    /// Membership bits; zero for a moving body without collision groups.
    pub(super) layers: u32,
}

/// What became of colliders since the last bake began: the latest state, `None` if it is no
/// obstacle any more.
pub(super) type Edits = EntityHashMap<Option<Obstacle>>;

impl Obstacle {
    /// Whether a bake gives the same for both. The physics writes poses every frame, so a
    /// difference by rounding does not count.
    pub(super) fn is_same(&self, other: &Self) -> bool {
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
