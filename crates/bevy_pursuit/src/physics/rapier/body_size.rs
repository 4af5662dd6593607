//! Measures the bodies of chased entities.

use std::iter;

use bevy::prelude::*;
use bevy_rapier2d::parry::shape::SharedShape;
use bevy_rapier2d::prelude::{Collider, ColliderDisabled, ColliderScale, RigidBody, Sensor};

use super::colliders::ScaledShapes;
use crate::agent::{BodySize, ChaseIndex};

/// Filter for colliders that stop other bodies.
type IsSolid = (Without<Sensor>, Without<ColliderDisabled>);

/// A size that changes by no more than this fraction keeps its old value.
const ROUNDING_SHARE: f32 = 1e-3;

/// Measures the bodies of chased entities, including the colliders on their children. Removes the sizes of entities
/// that are no longer chased.
pub(crate) fn measure_targets(
    mut commands: Commands,
    index: Res<ChaseIndex>,
    colliders: Query<(&Collider, Option<&GlobalTransform>, Option<&ColliderScale>), IsSolid>,
    shapes: ScaledShapes,
    parents: Query<&ChildOf>,
    bodies: Query<(), With<RigidBody>>,
    children: Query<&Children>,
    places: Query<&GlobalTransform>,
    mut measured: Query<(Entity, &mut BodySize)>,
) {
    for (entity, _) in &measured {
        if !index.targets.contains(&entity) {
            commands.entity(entity).try_remove::<BodySize>();
        }
    }
    let size_of_collider = |entity| {
        let (collider, transform, scale) = colliders.get(entity).ok()?;
        Some(radius(&shapes.scaled(entity, collider, transform, scale)))
    };
    let away = |one: Entity, other: Entity| {
        let [here, there] = [one, other].map(|one| places.get(one).ok());
        Some(here?.translation().xy().distance(there?.translation().xy()))
    };
    let body_of = |entity| {
        let mut own_and_above = iter::once(entity).chain(parents.iter_ancestors(entity));
        own_and_above.find(|entity| bodies.contains(*entity))
    };
    // The size of an entity's own collider. The size of a body includes the colliders on its descendants, because
    // Rapier attaches them to the body.
    let size_of = |entity| {
        let parts = children.iter_descendants(entity);
        let parts = parts.filter(|part| body_of(*part) == Some(entity));
        let parts = parts.filter_map(|part| {
            let around = size_of_collider(part).filter(|around| *around > 0.0)?;
            Some(around + away(entity, part)?)
        });
        let own = size_of_collider(entity).into_iter();
        own.chain(parts).reduce(f32::max)
    };
    // The size of the nearest body above an entity, plus the distance between their positions.
    let size_of_carrier = |entity| {
        let body = body_of(parents.get(entity).ok()?.parent())?;
        let around = size_of(body).filter(|around| *around > 0.0)?;
        Some(around + away(entity, body)?)
    };
    for &target in &index.targets {
        let own = size_of(target).filter(|size| *size != 0.0);
        let size = BodySize(own.or_else(|| size_of_carrier(target)).unwrap_or_default());
        match measured.get_mut(target) {
            // The distance of a collider on a child varies by rounding errors while the body moves.
            Ok((_, known)) if (known.0 - size.0).abs() <= ROUNDING_SHARE * known.0 => {}
            Ok((_, mut known)) => drop(known.set_if_neq(size)),
            Err(_) if size.0 > 0.0 => drop(commands.entity(target).try_insert(size)),
            Err(_) => {}
        }
    }
}

/// Radius of the circle around an entity's position that contains `shape`, in world units. Zero for an infinite shape.
fn radius(shape: &SharedShape) -> f32 {
    if shape.as_halfspace().is_some() {
        return 0.0;
    }
    let radius = bounding_radius(shape);
    if radius.is_finite() { radius } else { 0.0 }
}

/// The radius of a circle around the origin of a shape that holds the shape.
pub(super) fn bounding_radius(shape: &SharedShape) -> f32 {
    let sphere = shape.compute_local_bounding_sphere();
    sphere.center.length() + sphere.radius
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::app::{App, Update};
    use bevy::math::{Vec2, Vec3};
    use bevy::transform::components::Transform;

    fn app() -> App {
        let mut app = App::new();
        app.init_resource::<ChaseIndex>()
            .add_systems(Update, measure_targets);
        app
    }

    fn chase(app: &mut App, targets: &[Entity]) {
        let mut index = app.world_mut().resource_mut::<ChaseIndex>();
        index.targets = targets.iter().copied().collect();
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
    fn a_target_without_a_solid_collider_has_no_size() {
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
    fn the_size_of_a_target_on_a_body_includes_that_body() {
        let mut app = app();
        let at = |x: f32| GlobalTransform::from(Transform::from_xyz(x, 0.0, 0.0));
        let body = (RigidBody::Dynamic, Collider::ball(2.0), at(5.0));
        let body = app.world_mut().spawn(body).id();
        let head = app.world_mut().spawn((ChildOf(body), at(6.0))).id();
        chase(&mut app, &[head]);
        app.update();
        assert_eq!(size(&app, head), Some(3.0));
    }

    #[test]
    fn the_size_of_a_body_includes_the_solid_colliders_on_its_descendants() {
        let mut app = app();
        let at = |x: f32| GlobalTransform::from(Transform::from_xyz(x, 0.0, 0.0));
        let body = app.world_mut().spawn((RigidBody::Dynamic, at(5.0))).id();
        let part = app.world_mut().spawn((ChildOf(body), at(5.0))).id();
        let arm = (ChildOf(part), Collider::ball(2.0), at(6.0));
        app.world_mut().spawn(arm);
        let sight = (ChildOf(body), Collider::ball(20.0), Sensor, at(5.0));
        app.world_mut().spawn(sight);
        let rider = (
            ChildOf(body),
            RigidBody::Dynamic,
            Collider::ball(9.0),
            at(5.0),
        );
        app.world_mut().spawn(rider);
        chase(&mut app, &[body]);
        app.update();
        assert_eq!(size(&app, body), Some(3.0));
    }

    #[test]
    fn a_target_that_is_no_longer_chased_has_no_size() {
        let mut app = app();
        let target = app.world_mut().spawn(Collider::ball(2.0)).id();
        chase(&mut app, &[target]);
        app.update();
        chase(&mut app, &[]);
        app.update();
        assert_eq!(size(&app, target), None);
    }
}
