//! Groups the agents that no field leads, so that planning finds them side by side in memory.

use bevy::ecs::prelude::*;
use bevy::ecs::query::{IterQueryData, QueryData};
use bevy::ecs::system::SystemParam;

/// Keeps the agents that no field leads in tables of their own, while fields lead most agents of their kind. In the
/// memory, they then lie side by side for planning, which looks only at them. The marker changes nothing else, and may
/// come late.
#[derive(Component, Clone, Copy, Debug, Default)]
#[component(clone_behavior = Ignore)]
pub(crate) struct OffField;

/// The entities without the marker [`OffField`] that no field leads, or whose intents were decided in this tick.
#[derive(Resource, Debug, Default)]
pub(crate) struct OffFields {
    /// The tick in which the lists were made.
    pub(crate) tick: u64,
    /// In the order of tables and rows. `None` for all entities.
    pub(crate) entities: Option<Vec<Entity>>,
    /// Those of them that may join a flow in this tick. `None` for all entities.
    pub(crate) joiners: Option<Vec<Entity>>,
}

/// Entities in two queries: those with the marker [`OffField`], and all others.
#[derive(SystemParam)]
pub(crate) struct ByMarker<'w, 's, D: QueryData + 'static> {
    marked: Query<'w, 's, D, With<OffField>>,
    others: Query<'w, 's, D, Without<OffField>>,
}

impl<'s, D: IterQueryData> ByMarker<'_, 's, D> {
    /// Calls `work` for all entities with the marker, and for those of the others that are listed; for all of the others
    /// if `listed` is `None`.
    pub(crate) fn for_listed(
        &mut self,
        listed: Option<&[Entity]>,
        mut work: impl FnMut(D::Item<'_, '_>),
    ) {
        self.marked.iter_mut().for_each(&mut work);
        match listed {
            Some(listed) => {
                for entity in listed {
                    self.others.get_mut(*entity).into_iter().for_each(&mut work);
                }
            }
            None => self.others.iter_mut().for_each(work),
        }
    }

    pub(crate) fn get_mut(&mut self, entity: Entity) -> Option<D::Item<'_, 's>> {
        match self.others.get_mut(entity) {
            Ok(item) => Some(item),
            Err(_) => self.marked.get_mut(entity).ok(),
        }
    }
}
