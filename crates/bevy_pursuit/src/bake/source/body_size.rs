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
    if shape.as_halfspace().is_some() {
        return 0.0;
    }
    let around = shape.compute_local_bounding_sphere();
    let radius = around.center.length() + around.radius;
    if radius.is_finite() { radius } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use bevy::app::{App, Update};
    use bevy::math::{Vec2, Vec3};
    use bevy::transform::components::Transform;
    use bevy_rapier2d::prelude::RigidBody;

    use super::*;

    fn app() -> App {
        let mut app = App::new();
        app.init_resource::<ChaseIndex>()
            .add_systems(Update, measure_targets);
        app
    }

    fn chase(app: &mut App, targets: &[Entity]) {
        let mut index = app.world_mut().resource_mut::<ChaseIndex>();
        index.targets = targets.iter().copied().collect();
        index.version += 1;
    }

    fn size(app: &App, entity: Entity) -> Option<f32> {
        app.world().get::<BodySize>(entity).map(|size| size.0)
    }

    #[test]
    fn a_target_is_as_large_as_its_own_solid_collider() {
        let mut app = app();
        let target = app.world_mut().spawn(Collider::ball(2.0)).id();
        let other = app.world_mut().spawn(Collider::ball(2.0)).id();
        chase(&mut app, &[target]);
        app.update();
        assert_eq!((size(&app, target), size(&app, other)), (Some(2.0), None));

        let scaled = Transform::from_scale(Vec3::splat(3.0));
        let mut entity = app.world_mut().entity_mut(target);
        entity.insert(GlobalTransform::from(scaled));
        app.update();
        assert_eq!(size(&app, target), Some(6.0));

        let aside = Collider::compound(vec![(Vec2::X * 4.0, 0.0, Collider::ball(1.0))]);
        let mut entity = app.world_mut().entity_mut(target);
        entity.insert((aside, GlobalTransform::IDENTITY));
        app.update();
        let around = size(&app, target).unwrap();
        assert!((5.0..5.5).contains(&around), "{around}");

        app.world_mut().entity_mut(target).insert(Sensor);
        app.update();
        assert_eq!(size(&app, target), Some(0.0));
    }

    #[test]
    fn a_target_without_a_solid_collider_of_its_own_has_no_size() {
        let mut app = app();
        let sensor = app.world_mut().spawn((Collider::ball(2.0), Sensor)).id();
        let bare = app.world_mut().spawn(RigidBody::Dynamic).id();
        let plane = Collider::halfspace(Vec2::Y).unwrap();
        let plane = app.world_mut().spawn(plane).id();
        let gone = app.world_mut().spawn_empty().id();
        app.world_mut().despawn(gone);
        let targets = [sensor, bare, plane, gone];
        chase(&mut app, &targets);
        app.update();
        for target in [sensor, bare, plane] {
            assert_eq!(size(&app, target), None);
        }
    }

    #[test]
    fn what_is_chased_no_more_is_measured_no_more() {
        let mut app = app();
        let target = app.world_mut().spawn(Collider::ball(2.0)).id();
        chase(&mut app, &[target]);
        app.update();
        chase(&mut app, &[]);
        app.update();
        assert_eq!(size(&app, target), None);
    }
}
