//! Groups the agents that no field leads, so that planning finds them side by side in memory.

use bevy::ecs::prelude::*;
use bevy::ecs::query::{IterQueryData, QueryData};
use bevy::ecs::system::SystemParam;

/// Marks an agent that no field leads, while fields lead most agents with the same components. Bevy then stores the
/// marked agents in a table of their own, so planning reads consecutive memory. The marker has no other effect, and may
/// be added or removed some ticks late.
#[derive(Component, Clone, Copy, Debug, Default)]
#[component(clone_behavior = Ignore)]
pub(crate) struct OffField;

/// The entities that planning looks at in a tick in addition to those with the marker [`OffField`]: entities that no
/// field leads, and entities whose intents were decided again in this tick.
#[derive(Resource, Debug, Default)]
pub(crate) struct OffFields {
    /// The tick for which the lists are valid.
    pub(crate) tick: u64,
    /// The entities in the order of tables and rows. `None` if planning has to look at all entities.
    pub(crate) entities: Option<Vec<Entity>>,
    /// The entities that look for a flow in this tick. `None` if all entities may.
    pub(crate) joiners: Option<Vec<Entity>>,
}

/// Two queries for the same components: one of entities with the marker [`OffField`], and one of all others.
#[derive(SystemParam)]
pub(crate) struct ByMarker<'w, 's, D: QueryData + 'static> {
    marked: Query<'w, 's, D, With<OffField>>,
    others: Query<'w, 's, D, Without<OffField>>,
}

impl<'s, D: IterQueryData> ByMarker<'_, 's, D> {
    /// Calls `work` for each entity with the marker, and for each other entity in `listed`. Without a list, calls
    /// `work` for all entities.
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
