//! What an entity wants.

use bevy::ecs::component::Component;
use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::world::DeferredWorld;

use super::{NavOrder, Wants};

/// What an entity wants in this tick, decided in each tick from its components.
///
/// Planning and following read it; neither knows which component it came from.
#[derive(Component, Clone, Copy, Debug, Default)]
#[component(clone_behavior = Ignore)]
pub(crate) struct Intent {
    #[entities]
    pub(crate) order: NavOrder,
    /// What the entity will want when this ends, according to its other components.
    pub(crate) behind: Wants,
    /// Whether a [`PathRequest`](crate::PathRequest), [`Chase`](crate::Chase) or [`Flee`](crate::Flee) was
    /// inserted since the last decision.
    pub(crate) is_renewed: bool,
    /// Counts how often the entity was sent, including repeated requests for the same goal.
    pub(crate) revision: u8,
    /// Seconds between searches; negative for [`RepathPolicy::Dynamic`](super::RepathPolicy::Dynamic).
    pub(crate) interval: f32,
}

/// Notes that a component that sends the entity was inserted. Inserting it again sends the entity again.
pub(crate) fn renew(mut world: DeferredWorld, context: HookContext) {
    if let Some(mut intent) = world.get_mut::<Intent>(context.entity) {
        intent.is_renewed = true;
    }
}
