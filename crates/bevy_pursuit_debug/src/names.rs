//! How entities, colliders' layers and lengths are written.

use bevy::prelude::*;

/// An entity with its name, if it has one: `wall (12v0)`.
pub(crate) fn name_of(entity: Entity, names: &Query<&Name>) -> String {
    match names.get(entity) {
        Ok(name) => format!("{name} ({entity})"),
        Err(_) => format!("entity {entity}"),
    }
}

/// The name of a grid alone, or its entity.
pub(crate) fn grid_name(entity: Entity, names: &Query<&Name>) -> String {
    match names.get(entity) {
        Ok(name) => name.to_string(),
        Err(_) => format!("grid {entity}"),
    }
}

/// The first of some things, and how many more there are.
pub(crate) fn list(things: &[String], most: usize) -> String {
    let mut text = things[..things.len().min(most)].join(", ");
    if things.len() > most {
        text += &format!(" and {} more", things.len() - most);
    }
    text
}
