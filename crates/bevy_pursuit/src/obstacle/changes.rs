//! Finds the obstacles that changed.

use bevy::ecs::entity::EntityHashSet;
use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::query::QueryFilter;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use crate::agent::NavAgent;
use crate::ground::{NavArea, TransparentObstacle};

/// Finds the entities whose effect as an obstacle may have changed. `Shape` is the component that makes an entity an
/// obstacle. `Other` is a filter for further changes that matter to the source. Agents are never obstacles.
#[derive(SystemParam)]
pub(crate) struct ObstacleChanges<'w, 's, Shape: Component, Other: QueryFilter + 'static> {
    changed: Query<
        'w,
        's,
        Entity,
        (
            With<Shape>,
            Without<NavAgent>,
            Or<(
                Changed<Shape>,
                Changed<GlobalTransform>,
                Changed<NavArea>,
                Added<TransparentObstacle>,
                Added<Disabled>,
                Other,
            )>,
            Allow<Disabled>,
        ),
    >,
    removed_shape: RemovedComponents<'w, 's, Shape>,
    removed_transform: RemovedComponents<'w, 's, GlobalTransform>,
    removed_area: RemovedComponents<'w, 's, NavArea>,
    removed_transparent: RemovedComponents<'w, 's, TransparentObstacle>,
    enabled: RemovedComponents<'w, 's, Disabled>,
}

impl<Shape: Component, Other: QueryFilter> ObstacleChanges<'_, '_, Shape, Other> {
    /// Adds the changed obstacles to `touched`. Entities in `passed_over` are left out, unless they lost a component or
    /// were enabled.
    pub(crate) fn collect_into(
        &mut self,
        touched: &mut EntityHashSet,
        passed_over: &EntityHashSet,
    ) {
        let changed = self.changed.iter();
        touched.extend(changed.filter(|entity| !passed_over.contains(entity)));
        touched.extend(self.removed_shape.read());
        touched.extend(self.removed_transform.read());
        touched.extend(self.removed_area.read());
        touched.extend(self.removed_transparent.read());
        touched.extend(self.enabled.read());
    }
}
