//! Names of entities in log messages.

use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

/// Looks up the name of an entity for log messages.
#[derive(SystemParam)]
pub(crate) struct Names<'w, 's>(Query<'w, 's, &'static Name, Allow<Disabled>>);

impl Names<'_, '_> {
    /// The `Name` of an entity and its id, or the id alone if it has no name.
    pub(crate) fn of(&self, entity: Entity) -> String {
        match self.0.get(entity) {
            Ok(name) => format!("{name} ({entity})"),
            Err(_) => entity.to_string(),
        }
    }
}
