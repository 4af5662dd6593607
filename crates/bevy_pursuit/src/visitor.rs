//! Who hears which types hold state.

use bevy::ecs::component::{Component, Mutable};
use bevy::ecs::resource::Resource;

/// Hears of each type that holds state of Pursuit: see [`visit_state`](crate::rollback::visit_state).
pub trait StateVisitor {
    /// A component to keep a clone of, and to put back.
    fn component<C: Component<Mutability = Mutable> + Clone>(&mut self);

    /// The same of a resource, which may be absent: then there is nothing to keep.
    fn resource<R: Resource<Mutability = Mutable> + Clone>(&mut self);

    /// A resource that follows from the rest: put its default in its place.
    fn derived<R: Resource<Mutability = Mutable> + Default>(&mut self);
}
