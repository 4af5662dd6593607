//! Measures the bodies of chased entities.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_rapier2d::prelude::{Collider, ColliderDisabled, ColliderScale, RigidBody, Sensor};

use super::colliders::ScaledShapes;
use crate::agent::BodySize;
use crate::agent::ChaseIndex;

/// The components that decide the size of a body.
type SolidCollider<'a> = (
    Entity,
    &'a Collider,
    Option<&'a GlobalTransform>,
    Option<&'a ColliderScale>,
    Has<Sensor>,
    Has<ColliderDisabled>,
);

/// Measures the bodies of chased entities, and removes the sizes of entities that are no longer chased.
pub(crate) fn measure_targets(
    mut commands: Commands,
    index: Res<ChaseIndex>,
    colliders: Query<SolidCollider>,
    shapes: ScaledShapes,
    carried: Carried,
    mut measured: Query<(Entity, &mut BodySize)>,
) {
    for (entity, _) in &measured {
        if !index.targets.contains(&entity) {
            commands.entity(entity).try_remove::<BodySize>();
        }
    }
    for &target in &index.targets {
        let size_of = |entity| colliders.get(entity).map_or(0.0, |it| radius(it, &shapes));
        let mut size = BodySize(size_of(target));
        if size.0 == 0.0
            && let Some((body, away)) = carried.carrier(target)
        {
            let around = size_of(body);
            size.0 = if around > 0.0 { around + away } else { 0.0 };
        }
        match measured.get_mut(target) {
            Ok((_, mut known)) => drop(known.set_if_neq(size)),
            Err(_) if size.0 > 0.0 => drop(commands.entity(target).try_insert(size)),
            Err(_) => {}
        }
    }
}

/// Finds the bodies that carry chased entities.
#[derive(SystemParam)]
pub(crate) struct Carried<'w, 's> {
    parents: Query<'w, 's, &'static ChildOf>,
    bodies: Query<'w, 's, (), With<RigidBody>>,
    places: Query<'w, 's, &'static GlobalTransform>,
}

impl Carried<'_, '_> {
    /// The nearest rigid body above an entity, and the distance between their positions.
    fn carrier(&self, entity: Entity) -> Option<(Entity, f32)> {
        let mut above = self.parents.iter_ancestors(entity);
        let body = above.find(|entity| self.bodies.contains(*entity))?;
        let [here, there] = [entity, body].map(|one| self.places.get(one).ok());
        let away = here?.translation().xy().distance(there?.translation().xy());
        Some((body, away))
    }
}

/// Radius of the circle around the entity's position that contains its collider, in world units. Zero if the collider
/// is not solid, or its shape is infinite.
fn radius(
    (entity, collider, transform, scale, is_sensor, is_off): (
        Entity,
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
    let shape = shapes.scaled(entity, collider, transform, scale);
    if shape.as_halfspace().is_some() {
        return 0.0;
    }
    let around = shape.compute_local_bounding_sphere();
    let radius = around.center.length() + around.radius;
    if radius.is_finite() { radius } else { 0.0 }
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
