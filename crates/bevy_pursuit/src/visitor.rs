//! The visitor of all types that hold state.

use bevy::ecs::component::{Component, Mutable};
use bevy::ecs::resource::Resource;

/// A visitor that is called once for each type that holds state of Pursuit: see
/// [`visit_state`](crate::rollback::visit_state).
pub trait StateVisitor {
    /// Visits a component: clone it to save it, and put the clone back to restore it.
    fn component<C: Component<Mutability = Mutable> + Clone>(&mut self);

    /// Visits a resource: clone it to save it, and put the clone back to restore it. A resource that is absent
    /// need not be saved.
    fn resource<R: Resource<Mutability = Mutable> + Clone>(&mut self);

    /// Visits a resource that is computed from the others: to restore, put its default in its place.
    fn computed<R: Resource<Mutability = Mutable> + Default>(&mut self);
}
