//! Watches colliders and everything that decides whether they are obstacles.
//!
//! The frame's work is proportional to what changed: change filters and removals name the entities
//! to look at again, and a record of each collider tells whether it really differs.

use bevy::ecs::change_detection::{DetectChanges, Ref};
use bevy::ecs::entity::{Entity, EntityHashMap, EntityHashSet};
use bevy::ecs::hierarchy::{ChildOf, Children};
use bevy::ecs::lifecycle::RemovedComponents;
use bevy::ecs::query::{Added, Changed, Has, Or, With};
use bevy::ecs::resource::Resource;
use bevy::ecs::system::{Local, Query, ResMut, SystemParam};
use bevy::math::{Rect, Vec2, Vec3Swizzles};
use bevy::transform::components::GlobalTransform;
use bevy_rapier2d::geometry::get_snapped_scale;
use bevy_rapier2d::parry::math::Pose;
use bevy_rapier2d::parry::shape::{ShapeType, SharedShape};
use bevy_rapier2d::prelude::{
    Collider, ColliderDisabled, ColliderScale, CollisionGroups, RapierConfiguration, RigidBody,
    RigidBodyDisabled, Sensor,
};

use super::source::{Edits, Obstacle};
use crate::grid::{NavGrid, ObstacleLayers};
use crate::motion::agent::NavAgent;
#[derive(bevy::ecs::component::Component)]
pub(super) struct Chased;

/// Rapier's own default, for worlds without a physics context.
const DEFAULT_SUBDIVISIONS: u32 = 10;

/// What changed for each grid since its last bake began. Pending work is data: it waits here while
/// a task runs.
#[derive(Resource, Default)]
pub(super) struct DirtyRegions(pub(super) EntityHashMap<GridDirt>);

/// What changed for one grid.
#[derive(Default)]
pub(super) struct GridDirt {
    /// The [`NavGrid`] itself is new or changed; `edits` then holds all of its obstacles.
    pub(super) rebuild: bool,
    pub(super) edits: Edits,
    /// The grid's values as last seen, to tell changes from mere writes.
    config: Option<[u32; 8]>,
}

/// Every solid collider that is no agent's, as last seen.
#[derive(Resource, Default)]
pub(super) struct ObservedColliders {
    records: EntityHashMap<Obstacle>,
}

impl ObservedColliders {
    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    /// The layers in which at least one collider is.
    pub(super) fn layers(&self) -> ObstacleLayers {
        ObstacleLayers(
            self.records
                .values()
                .fold(0, |all, record| all | record.layers),
        )
    }
}

/// Names the entities whose colliders may count differently than before.
#[derive(SystemParam)]
pub(super) struct Changes<'w, 's> {
    colliders: Query<
        'w,
        's,
        Entity,
        (
            With<Collider>,
            Or<(
                Changed<Collider>,
                Changed<GlobalTransform>,
                Changed<ColliderScale>,
                Changed<CollisionGroups>,
                Added<Sensor>,
                Added<ColliderDisabled>,
            )>,
        ),
    >,
    /// What these decide holds for all colliders below, too.
    carriers: Query<
        'w,
        's,
        Entity,
        Or<(
            Changed<RigidBody>,
            Added<RigidBodyDisabled>,
            Added<NavAgent>,
            Added<Chased>,
            Changed<ChildOf>,
        )>,
    >,
    removed_from_colliders: (
        RemovedComponents<'w, 's, Collider>,
        RemovedComponents<'w, 's, GlobalTransform>,
        RemovedComponents<'w, 's, ColliderScale>,
        RemovedComponents<'w, 's, CollisionGroups>,
        RemovedComponents<'w, 's, Sensor>,
        RemovedComponents<'w, 's, ColliderDisabled>,
    ),
    removed_from_carriers: (
        RemovedComponents<'w, 's, RigidBody>,
        RemovedComponents<'w, 's, RigidBodyDisabled>,
        RemovedComponents<'w, 's, NavAgent>,
        RemovedComponents<'w, 's, ChildOf>,
    ),
    children: Query<'w, 's, &'static Children>,
}

impl Changes<'_, '_> {
    fn collect_into(&mut self, touched: &mut EntityHashSet) {
        touched.extend(&self.colliders);
        let (collider, transform, scale, groups, sensor, disabled) =
            &mut self.removed_from_colliders;
        touched.extend(collider.read());
        touched.extend(transform.read());
        touched.extend(scale.read());
        touched.extend(groups.read());
        touched.extend(sensor.read());
        touched.extend(disabled.read());

        let (body, body_disabled, agent, parent) = &mut self.removed_from_carriers;
        let removed = body.read().chain(body_disabled.read()).chain(agent.read());
        for entity in self.carriers.iter().chain(removed).chain(parent.read()) {
            touched.insert(entity);
            touched.extend(self.children.iter_descendants(entity));
        }
    }
}

/// Reads what a collider is right now.
#[derive(SystemParam)]
pub(super) struct Scene<'w, 's> {
    colliders: Query<
        'w,
        's,
        (
            &'static Collider,
            Option<&'static GlobalTransform>,
            Option<&'static ColliderScale>,
            Option<&'static CollisionGroups>,
            Has<Sensor>,
            Has<ColliderDisabled>,
        ),
    >,
    carriers: Query<
        'w,
        's,
        (
            Option<&'static RigidBody>,
            Has<RigidBodyDisabled>,
            Has<NavAgent>,
            Has<Chased>,
        ),
    >,
    parents: Query<'w, 's, &'static ChildOf>,
    physics: Query<'w, 's, &'static RapierConfiguration>,
}

/// What carries a collider.
enum Carrier {
    /// No body, or a fixed one.
    Static,
    /// A dynamic or kinematic body.
    Moving,
    /// An agent, somebody's target, or a disabled body: the collider is nobody's obstacle.
    Excluded,
}

impl Scene<'_, '_> {
    /// The collider of `entity`, unless there is none or it can be no obstacle on any layer.
    fn obstacle(&self, entity: Entity) -> Option<Obstacle> {
        let (collider, transform, scale, groups, sensor, disabled) =
            self.colliders.get(entity).ok()?;
        if sensor || disabled {
            return None;
        }
        let layers = match (self.carrier(entity), groups) {
            (Carrier::Excluded, _) => return None,
            (_, Some(groups)) => groups.memberships.bits(),
            (Carrier::Static, None) => u32::MAX,
            (Carrier::Moving, None) => 0,
        };
        let placed = transform.copied().unwrap_or_default().compute_transform();
        // The angle as Rapier takes it, also for transforms that are turned about other axes.
        let angle = placed.rotation.to_scaled_axis().z;
        let pose = Pose::new(placed.translation.xy(), angle);
        let scale = transform.map(|_| match scale {
            Some(ColliderScale::Absolute(scale)) => *scale,
            Some(ColliderScale::Relative(scale)) => *scale * placed.scale.xy(),
            None => placed.scale.xy(),
        });
        Some(Obstacle {
            shape: self.scaled_shape(collider, scale),
            pose,
            layers,
        })
    }

    /// The nearest rigid body at or above `entity` carries it; an agent or a target above excludes it.
    fn carrier(&self, entity: Entity) -> Carrier {
        let mut body = None;
        for above in std::iter::once(entity).chain(self.parents.iter_ancestors(entity)) {
            let Ok((rigid_body, disabled, agent, chased)) = self.carriers.get(above) else {
                continue;
            };
            if agent || chased || (body.is_none() && rigid_body.is_some() && disabled) {
                return Carrier::Excluded;
            }
            body = body.or(rigid_body);
        }
        match body {
            None | Some(RigidBody::Fixed) => Carrier::Static,
            Some(_) => Carrier::Moving,
        }
    }

    /// The shape that Rapier gives the collider for this scale. Its `raw` shape has it only after
    /// the physics has looked at it, which does not happen while the physics is paused.
    fn scaled_shape(&self, collider: &Collider, scale: Option<Vec2>) -> SharedShape {
        let wanted = get_snapped_scale(scale.unwrap_or_else(|| collider.scale()));
        // Rapier cannot scale custom shapes.
        if collider.scale() == wanted || collider.raw.shape_type() == ShapeType::Custom {
            return collider.raw.clone();
        }
        let configured = self
            .physics
            .iter()
            .next()
            .map(|config| config.scaled_shape_subdivision);
        let mut scaled = collider.clone();
        scaled.set_scale(wanted, configured.unwrap_or(DEFAULT_SUBDIVISIONS));
        scaled.raw
    }
}

/// Updates the records of changed colliders and notes for each grid what concerns it.
pub(super) fn mark_dirty_regions(
    mut changes: Changes,
    scene: Scene,
    grids: Query<(Entity, Ref<NavGrid>)>,
    mut observed: ResMut<ObservedColliders>,
    mut dirty: ResMut<DirtyRegions>,
    mut touched: Local<EntityHashSet>,
) {
    dirty.0.retain(|entity, _| grids.contains(*entity));
    changes.collect_into(&mut touched);
    for entity in touched.drain() {
        let new = scene.obstacle(entity);
        let old = match &new {
            Some(new) => observed.records.insert(entity, new.clone()),
            None => observed.records.remove(&entity),
        };
        let same = match (&old, &new) {
            (None, None) => true,
            (Some(old), Some(new)) => old.is_same(new),
            _ => false,
        };
        if same {
            // Keep what was baked, so that many small moves add up to a change.
            observed.records.extend(old.map(|old| (entity, old)));
            continue;
        }
        for (grid_entity, grid) in &grids {
            let concerned = |obstacle: &&Obstacle| grid.obstacles.meet(obstacle.layers);
            let edit = new.as_ref().filter(concerned);
            if edit.is_some() || old.as_ref().filter(concerned).is_some() {
                let dirt = dirty.0.entry(grid_entity).or_default();
                dirt.edits.insert(entity, edit.cloned());
            }
        }
    }
    for (grid_entity, grid) in grids.iter().filter(|(_, grid)| grid.is_changed()) {
        let dirt = dirty.0.entry(grid_entity).or_default();
        let config = Some(config_bits(&grid));
        if dirt.config != config {
            let mine = observed
                .records
                .iter()
                .filter(|(_, one)| grid.obstacles.meet(one.layers));
            let edits = mine
                .map(|(entity, one)| (*entity, Some(one.clone())))
                .collect();
            *dirt = GridDirt {
                rebuild: true,
                edits,
                config,
            };
        }
    }
}

/// All values as bits: NaN, too, equals itself.
fn config_bits(grid: &NavGrid) -> [u32; 8] {
    let Rect { min, max } = grid.bounds;
    [
        min.x.to_bits(),
        min.y.to_bits(),
        max.x.to_bits(),
        max.y.to_bits(),
        grid.node_radius.to_bits(),
        grid.max_clearance.to_bits(),
        grid.obstacles.0,
        grid.diagonals as u32,
    ]
}
