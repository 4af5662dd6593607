//! Passes to each grid the changes of obstacles that concern this grid.

use std::iter;

use bevy::ecs::entity::{EntityHashMap, EntityHashSet, MapEntities};
use bevy::prelude::*;

use crate::agent::NavFrame;
use crate::grid::NavGrid;
use crate::ground::NavArea;
use crate::names::Names;
use crate::obstacle::{Edits, ObservedObstacles, Obstacle};
use crate::physics::Solid;
use crate::visitor::map_keys;

/// What changed for each grid since its last bake began. Pending edits wait here while a task runs, or while the game
/// does not run the bake.
#[derive(Resource, Clone, Default)]
#[component(map_entities)]
pub(super) struct DirtyRegions(pub(super) EntityHashMap<GridDirt>);

impl MapEntities for DirtyRegions {
    fn map_entities<E: EntityMapper>(&mut self, mapper: &mut E) {
        map_keys(&mut self.0, mapper);
        let dirt = self.0.values_mut();
        dirt.for_each(|dirt| map_keys(&mut dirt.edits, mapper));
    }
}

/// What changed for one grid.
#[derive(Clone)]
pub(super) struct GridDirt {
    /// Whether earlier changes are unknown, so that the grid has to be baked from nothing.
    pub(super) is_new: bool,
    pub(super) edits: Edits,
}

/// Stores each change of an obstacle with the grids that the change concerns.
pub(super) fn mark_dirty_regions(
    grids: Query<(Entity, &NavGrid, Option<&NavFrame>)>,
    mut observed: ResMut<ObservedObstacles>,
    mut dirty: ResMut<DirtyRegions>,
) {
    dirty.0.retain(|entity, _| grids.contains(*entity));
    for (entity, ..) in &grids {
        dirty.0.entry(entity).or_insert_with(|| GridDirt {
            is_new: true,
            edits: Edits::default(),
        });
    }
    for change in observed.take_changes() {
        for (entity, grid, frame) in &grids {
            let concerns = |one: &&Obstacle| grid.obstacles.meet(one.layers.0);
            let [old, now] = [&change.old, &change.now].map(|one| one.as_ref().filter(concerns));
            let frame = frame.unwrap_or(&NavFrame::XY);
            let both = old.zip(now);
            let is_same = both.is_some_and(|(old, now)| now.is_same_on(frame, old));
            if (now.is_some() || old.is_some())
                && !is_same
                && let Some(dirt) = dirty.0.get_mut(&entity)
            {
                dirt.edits.insert(change.id, now.cloned());
            }
        }
    }
}

/// Filter for entities that moved since the previous tick, and are solid or may carry something solid.
type MovedObstacle = (
    Or<(Changed<Transform>, Changed<ChildOf>)>,
    Or<(Solid, With<Children>)>,
);

/// Updates the `GlobalTransform`s of solid entities that moved since the previous tick, or whose ancestors moved. Bevy
/// itself updates `GlobalTransform`s only at the end of the frame.
pub(super) fn place_obstacles(
    moved: Query<Entity, MovedObstacle>,
    mut orphaned: RemovedComponents<ChildOf>,
    children: Query<&Children>,
    solid: Query<(), Solid>,
    transforms: TransformHelper,
    mut places: Query<&mut GlobalTransform>,
) {
    for entity in moved.iter().chain(orphaned.read()) {
        let below = || children.iter_descendants(entity);
        if !(solid.contains(entity) || below().any(|one| solid.contains(one))) {
            continue;
        }
        for one in iter::once(entity).chain(below()) {
            if let Ok(now) = transforms.compute_global_transform(one)
                && let Ok(mut place) = places.get_mut(one)
            {
                place.set_if_neq(now);
            }
        }
    }
}

/// Filter for grids whose transform may have changed.
type MovedGrid = (
    With<NavGrid>,
    Or<(
        Changed<NavGrid>,
        Changed<Transform>,
        Changed<GlobalTransform>,
    )>,
);

/// Warns once of an area without a shape. Often, the game put the shape on another entity.
pub(super) fn warn_of_bare_areas(
    new: Query<Entity, Added<NavArea>>,
    solid: Query<(), Solid>,
    names: Names,
) {
    if let Some(bare) = new.iter().find(|area| !solid.contains(*area)) {
        warn_once!(
            "{} has a NavArea but no shape, so the area has no effect: add a NavObstacle, or a collider with a \
             Sensor, to the same entity (said once, for the first such area)",
            names.of(bare)
        );
    }
}

/// Warns once if nothing updates the `GlobalTransform`s of obstacles.
pub(super) fn warn_of_unplaced_obstacles(
    moved: Query<(Entity, &Transform, &GlobalTransform), (Solid, Changed<Transform>)>,
    names: Names,
) {
    let is_unplaced = |(_, own, placed): &(Entity, &Transform, &GlobalTransform)| {
        **own != Transform::IDENTITY && **placed == GlobalTransform::IDENTITY
    };
    if let Some((entity, own, _)) = moved.iter().find(is_unplaced) {
        warn_once!(
            "the obstacle {} is taken to be at the origin, though its Transform says {}: nothing updates its \
             GlobalTransform. Add Bevy's TransformPlugin (said once, for the first such obstacle)",
            names.of(entity),
            own.translation,
        );
    }
}

/// Warns, once for each grid, of a transform that has no effect.
pub(super) fn warn_of_placed_grids(
    grids: Query<(Entity, Option<&Transform>, Option<&GlobalTransform>), MovedGrid>,
    mut warned: Local<EntityHashSet>,
) {
    for (entity, transform, global) in &grids {
        let placed = global.copied().or(transform.map(|&own| own.into()));
        let affine = placed.unwrap_or_default().affine();
        let (moved, turned) = (affine.translation.xy(), affine.matrix3);
        let turned = Mat2::from_cols(turned.x_axis.xy(), turned.y_axis.xy());
        let is_identity = moved == Default::default() && turned == Mat2::IDENTITY;
        if !is_identity && warned.insert(entity) {
            warn!(
                "NavGrid {entity} has or inherits a Transform that moves, turns or scales. \
                 It has no effect on the grid: set NavGrid::bounds to the area in the world instead, or give the \
                 grid a NavFrame"
            );
        }
    }
}
