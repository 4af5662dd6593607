//! How large the bodies are that are chased.

use bevy::ecs::change_detection::DetectChangesMut;
use bevy::ecs::component::Component;
use bevy::ecs::entity::Entity;
use bevy::ecs::query::Has;
use bevy::ecs::system::{Commands, Query, Res};
use bevy::transform::components::GlobalTransform;
use bevy_rapier2d::prelude::{Collider, ColliderDisabled, ColliderScale, Sensor};

use super::colliders::ScaledShapes;
use crate::intent::chase::ChaseIndex;

/// Radius of the circle around the solid collider of an entity that is chased, in world units and
/// around the entity's position. Zero or absent where there is no such collider.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
#[component(clone_behavior = Ignore)]
pub(crate) struct BodySize(pub(crate) f32);

/// What decides the size of a body.
type SolidCollider<'a> = (
    &'a Collider,
    Option<&'a GlobalTransform>,
    Option<&'a ColliderScale>,
    Has<Sensor>,
    Has<ColliderDisabled>,
);

/// Measures what is chased, and forgets what is not any more.
pub(in crate::bake) fn measure_targets(
    mut commands: Commands,
    index: Res<ChaseIndex>,
    colliders: Query<SolidCollider>,
    shapes: ScaledShapes,
    mut measured: Query<(Entity, &mut BodySize)>,
) {
    for (entity, _) in &measured {
        if !index.targets.contains(&entity) {
            commands.entity(entity).try_remove::<BodySize>();
        }
    }
    for &target in &index.targets {
        let collider = colliders.get(target).ok();
        let size = BodySize(collider.map_or(0.0, |collider| radius(collider, &shapes)));
        match measured.get_mut(target) {
            Ok((_, mut known)) => drop(known.set_if_neq(size)),
            Err(_) if size.0 > 0.0 => drop(commands.entity(target).try_insert(size)),
            Err(_) => {}
        }
    }
}

/// Zero for what is not solid, and for shapes without end.
fn radius(
    (collider, transform, scale, is_sensor, is_off): (
        &Collider,
        Option<&GlobalTransform>,
        Option<&ColliderScale>,
        bool,
        bool,
    ),
    shapes: &ScaledShapes,
) -> f32 {
    if is_sensor || is_off {
        return 0.0;
    }
    let shape = shapes.scaled(collider, transform, scale);
    let around = shape.compute_local_bounding_sphere();
    let radius = around.center.length() + around.radius;
    if radius.is_finite() { radius } else { 0.0 }
}
