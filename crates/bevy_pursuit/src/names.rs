//! What the log calls entities.

use bevy::ecs::entity::Entity;
use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::name::Name;
use bevy::ecs::query::Allow;
use bevy::ecs::system::{Query, SystemParam};

/// What the log calls entities: by their `Name` where they have one.
#[derive(SystemParam)]
pub(crate) struct Names<'w, 's>(Query<'w, 's, &'static Name, Allow<Disabled>>);

impl Names<'_, '_> {
    /// The name of an entity and its id, or the id alone.
    pub(crate) fn of(&self, entity: Entity) -> String {
        match self.0.get(entity) {
            Ok(name) => format!("{name} ({entity})"),
            Err(_) => entity.to_string(),
        }
    }
}
