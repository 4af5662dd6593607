//! The names of entities as text, and lists of names.

use bevy::prelude::*;

/// The name of an entity and its ID, such as `wall (12v0)`. An entity without a name is written `entity 12v0`.
pub(crate) fn name_of(entity: Entity, names: &Query<&Name>) -> String {
    match names.get(entity) {
        Ok(name) => format!("{name} ({entity})"),
        Err(_) => format!("entity {entity}"),
    }
}

/// The name of a grid. A grid without a name is written `grid 12v0`.
pub(crate) fn grid_name(entity: Entity, names: &Query<&Name>) -> String {
    match names.get(entity) {
        Ok(name) => name.to_string(),
        Err(_) => format!("grid {entity}"),
    }
}

/// The first `max_named` things, separated by commas, and the number of the remaining ones.
pub(crate) fn list_names(things: &[String], max_named: usize) -> String {
    let mut text = things[..things.len().min(max_named)].join(", ");
    if things.len() > max_named {
        text += &format!(" and {} more", things.len() - max_named);
    }
    text
}
