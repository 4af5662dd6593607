//! What an entity wants.

use bevy::ecs::component::Component;
use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::world::DeferredWorld;

use super::{NavOrder, RepathPolicy, Wants};

/// What an entity wants in this tick. Decided in each tick from the entity's components.
///
/// Planning and following read only the intent, not the components that it was decided from.
#[derive(Component, Clone, Copy, Debug, Default)]
#[component(clone_behavior = Ignore)]
pub(crate) struct Intent {
    #[entities]
    pub(crate) order: NavOrder,
    /// What the entity's other components make it want, once it no longer wants what `order` says.
    pub(crate) behind: Wants,
    /// Whether a [`PathRequest`](crate::PathRequest), [`Chase`](crate::Chase) or [`Flee`](crate::Flee) was
    /// inserted since the last decision.
    pub(crate) is_renewed: bool,
    /// Number of times that the entity was sent somewhere, also if the goal was the same as before.
    pub(crate) revision: u32,
    /// When to search again while the goal moves.
    pub(crate) repath: RepathPolicy,
}

/// Notes that a component that sends the entity was inserted, so that the entity is sent again even if the component
/// has the same values as before.
pub(crate) fn renew(mut world: DeferredWorld, context: HookContext) {
    if let Some(mut intent) = world.get_mut::<Intent>(context.entity) {
        intent.is_renewed = true;
    }
}
