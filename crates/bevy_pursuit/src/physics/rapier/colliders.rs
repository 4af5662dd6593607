//! Observes Rapier's colliders as obstacles.
//!
//! The work per frame is proportional to what changed: change filters and removals find the entities to look at again,
//! and a comparison with their records shows whether they really changed. Colliders that agents or chased bodies carry
//! move in every tick and are not obstacles. Such a collider is skipped until its carrier may have changed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bevy::ecs::entity::EntityHashSet;
use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_rapier2d::parry::shape::{ShapeType, SharedShape};
use bevy_rapier2d::prelude::*;

use super::carriers::{Bodies, Carrier};
use super::decompose::ColliderOutline;
use crate::grid::ObstacleLayers;
use crate::ground::{NavArea, TransparentObstacle};
use crate::names::Names;
use crate::obstacle::{
    Carriers, MissedFrames, ObservedObstacles, Obstacle, ObstacleChanges, ObstacleId,
    ObstacleSource, pose_of,
};

/// The source of colliders.
const SOURCE: ObstacleSource = ObstacleSource("Collider");

/// Rapier's default number of segments for a round side, for worlds without a physics context.
const DEFAULT_SUBDIVISIONS: u32 = 10;

/// Changes that only colliders have.
type ColliderChanged = Or<(
    Changed<ColliderScale>,
    Changed<CollisionGroups>,
    Added<Sensor>,
    Added<ColliderDisabled>,
)>;

/// Removals that only colliders have.
type Removals<'w, 's> = (
    RemovedComponents<'w, 's, ColliderScale>,
    RemovedComponents<'w, 's, CollisionGroups>,
    RemovedComponents<'w, 's, Sensor>,
    RemovedComponents<'w, 's, ColliderDisabled>,
);

/// Reads the present state of colliders.
#[derive(SystemParam)]
pub(crate) struct Scene<'w, 's> {
    colliders: Query<
        'w,
        's,
        (
            &'static Collider,
            Option<&'static GlobalTransform>,
            Option<&'static ColliderScale>,
            Option<&'static CollisionGroups>,
            (Option<&'static NavArea>, Has<TransparentObstacle>),
            Has<Sensor>,
            Has<ColliderDisabled>,
            Has<Disabled>,
            Has<RapierColliderHandle>,
        ),
    >,
    all: Query<'w, 's, Entity, (With<Collider>, Allow<Disabled>)>,
    bodies: Bodies<'w, 's>,
    shapes: ScaledShapes<'w, 's>,
}

impl Scene<'_, '_> {
    /// Describes a collider as an obstacle or as an area. `None` for a collider that is neither, and for a collider
    /// that an agent or a chased body carries.
    fn look(&self, entity: Entity, carrier: Carrier) -> Option<Obstacle> {
        if carrier == Carrier::Excluded {
            return None;
        }
        let collider = self.colliders.get(entity).ok()?;
        let (collider, transform, scale, groups, kind, sensor, off, disabled, in_physics) =
            collider;
        // Rapier keeps a collider in its world when the entity becomes `Disabled`.
        let is_out = disabled && !in_physics;
        // Bodies walk through a sensor, so it can only be an area.
        let (area, is_transparent) = kind;
        let sensor_area = area.copied().filter(|_| sensor);
        if area.is_some() && sensor_area.is_none() {
            warn_once!(
                "NavArea on {entity} has no effect: its collider is solid, so it is an obstacle. Add a Sensor to the \
                 collider (said once)"
            );
        }
        if sensor && sensor_area.is_none() || off || is_out || carrier == Carrier::DisabledBody {
            return None;
        }
        let layers = match (groups, carrier) {
            (Some(groups), _) => groups.memberships.into(),
            (None, Carrier::Moving) if sensor_area.is_none() => ObstacleLayers::NONE,
            (None, _) => ObstacleLayers::ALL,
        };
        let shape = self.shapes.scaled(entity, collider, transform, scale);
        Some(Obstacle {
            outline: Arc::new(ColliderOutline { entity, shape }),
            pose: pose_of(transform),
            layers,
            area: sensor_area,
            is_transparent,
        })
    }
}

/// Reads the shapes of colliders at their scale in the world.
#[derive(SystemParam)]
pub(crate) struct ScaledShapes<'w, 's> {
    physics: Query<'w, 's, &'static RapierConfiguration>,
    sensors: Query<'w, 's, (), (With<Sensor>, Allow<Disabled>)>,
    names: Names<'w, 's>,
    /// Whether the system that has this parameter logged a mirrored collider. Sensors are never logged, because bodies
    /// pass through every sensor.
    was_mirror_logged: Local<'s, AtomicBool>,
}

impl ScaledShapes<'_, '_> {
    /// The shape that Rapier gives a collider at its present scale. The collider's own `raw` shape is scaled only when
    /// the physics processes the collider, which does not happen while the physics is paused.
    pub(super) fn scaled(
        &self,
        entity: Entity,
        collider: &Collider,
        transform: Option<&GlobalTransform>,
        scale: Option<&ColliderScale>,
    ) -> SharedShape {
        let placed = transform.map(|transform| transform.compute_transform().scale.xy());
        let wanted = match (placed, scale) {
            (None, _) => collider.scale(),
            (Some(_), Some(ColliderScale::Absolute(scale))) => *scale,
            (Some(placed), Some(ColliderScale::Relative(scale))) => *scale * placed,
            (Some(placed), None) => placed,
        };
        let wanted = get_snapped_scale(wanted);
        if wanted.min_element() < 0.0
            && has_no_inside_mirrored(collider.raw.shape_type())
            && !self.sensors.contains(entity)
            && !self.was_mirror_logged.swap(true, Ordering::Relaxed)
        {
            warn!(
                "the collider of {} has a negative scale, {wanted}: bodies pass through a box or a compound that is \
                 mirrored. Keep its scale above 0, and mirror the picture by Sprite::flip_x or on a child (said once \
                 each for walls, agents and chased bodies)",
                self.names.of(entity)
            );
        }
        // Rapier cannot scale custom shapes.
        if collider.scale() == wanted || collider.raw.shape_type() == ShapeType::Custom {
            return collider.raw.clone();
        }
        let mut configured = self.physics.iter();
        let configured = configured.next().map(|one| one.scaled_shape_subdivision);
        let mut scaled = collider.clone();
        scaled.set_scale(wanted, configured.unwrap_or(DEFAULT_SUBDIVISIONS));
        scaled.raw
    }
}

/// Whether Rapier finds no point inside of a shape of negative scale.
fn has_no_inside_mirrored(shape: ShapeType) -> bool {
    use ShapeType::{Compound, Cuboid, HeightField, RoundCuboid, Voxels};
    [Cuboid, RoundCuboid, Voxels, HeightField, Compound].contains(&shape)
}

/// Updates the records of colliders that changed. If this system did not run in the previous frame, it compares all
/// records with the world.
pub(crate) fn observe_colliders(
    mut missed_frames: MissedFrames,
    mut changes: ObstacleChanges<Collider, ColliderChanged>,
    (mut scale, mut groups, mut sensor, mut disabled): Removals,
    scene: Scene,
    mut carriers: ResMut<Carriers>,
    mut observed: ResMut<ObservedObstacles>,
    mut touched: Local<EntityHashSet>,
) {
    changes.collect_into(&mut touched, &carriers.excluded);
    let removed = scale.read().chain(groups.read());
    touched.extend(removed.chain(sensor.read()).chain(disabled.read()));
    touched.extend(&carriers.touched);
    if missed_frames.any() {
        touched.extend(&scene.all);
        touched.extend(observed.entities(SOURCE));
        carriers.excluded.clear();
    }
    for entity in touched.drain() {
        let is_collider = scene.colliders.contains(entity);
        let carrier = is_collider.then(|| scene.bodies.carrier(entity, &carriers));
        match carrier {
            Some(Carrier::Excluded) => carriers.excluded.insert(entity),
            _ => carriers.excluded.remove(&entity),
        };
        let now = carrier.and_then(|carrier| scene.look(entity, carrier));
        observed.note(ObstacleId::of(entity, SOURCE), now);
    }
}
