//! The trait for visitors of all types that hold Pursuit's state, and a function that maps the entities in keys.

use std::mem;

use bevy::ecs::component::{Component, Mutable};
use bevy::ecs::entity::{EntityMapper, MapEntities};
use bevy::ecs::resource::Resource;

/// A visitor that is called once for each type that holds state of Pursuit: see
/// [`visit_state`](crate::rollback::visit_state).
pub trait StateVisitor {
    /// Visits a component: clone it to save it, and put the clone back to restore it.
    fn component<C: Component<Mutability = Mutable> + Clone>(&mut self);

    /// Visits a resource: clone it to save it, and put the clone back to restore it. The resource may be absent; then
    /// there is nothing to save.
    fn resource<R: Resource<Mutability = Mutable> + Clone>(&mut self);

    /// Visits a resource that is computed from the other types: to restore it, reset it to its default.
    fn computed<R: Resource<Mutability = Mutable> + Default>(&mut self);
}

/// Maps the entities in the keys of a map.
pub(crate) fn map_keys<Key, Value, Map>(map: &mut Map, mapper: &mut impl EntityMapper)
where
    Key: MapEntities,
    Map: Default + IntoIterator<Item = (Key, Value)> + FromIterator<(Key, Value)>,
{
    let old = mem::take(map).into_iter();
    let mapped = old.map(|(mut key, value)| {
        key.map_entities(mapper);
        (key, value)
    });
    *map = mapped.collect();
}
