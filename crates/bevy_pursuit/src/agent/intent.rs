//! What an entity wants.

use bevy::ecs::change_detection::Tick;
use bevy::ecs::entity::EntityHashMap;
use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::world::DeferredWorld;
use bevy::prelude::*;

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

/// When the intent of an agent was decided, and from which components. It can always be left
/// out: then the intent is decided again.
#[derive(Component, Debug, Default)]
#[component(clone_behavior = Ignore)]
pub(crate) struct Decided {
    /// `None` if the intent has to be decided again in any case.
    at: Option<Tick>,
    from: Present,
    /// Whether a field leads the agent, as its [`WalkState`](super::WalkState) says. In most ticks, this component is
    /// all that deciding and planning look at.
    pub(crate) has_field: bool,
}

/// Number of Bevy's change ticks after which an intent is decided again in any case.
const MAX_AGE_TICKS: u32 = 1 << 30;

/// Which of the optional components that an intent depends on an agent has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Present {
    pub(crate) request: bool,
    pub(crate) chase: bool,
    pub(crate) drive: bool,
    pub(crate) on_grid: bool,
    pub(crate) pause: bool,
}

/// A copy has to be decided again: its components may have been changed at other times.
impl Clone for Decided {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Decided {
    /// Notes that the intent was decided.
    pub(crate) fn note(&mut self, now: Tick, from: Present) {
        (self.at, self.from) = (Some(now), from);
    }

    /// Makes the next tick decide the intent again.
    pub(crate) fn forget(&mut self) {
        self.at = None;
    }

    /// Number of change ticks since the intent was decided. `None` if that was long ago, or if the agent has other
    /// components since then.
    pub(crate) fn age(&self, present: Present, now: Tick) -> Option<u32> {
        let age = now.get().wrapping_sub(self.at?.get());
        // Ticks are counted modulo 2³², so an old one would look new at some time.
        (age < MAX_AGE_TICKS && self.from == present).then_some(age)
    }
}

/// Where the targets of all chases were when intents were last decided, in world coordinates.
#[derive(Resource, Clone, Debug, Default, Deref)]
pub(crate) struct TargetPositions(pub(crate) EntityHashMap<Vec3>);

/// Notes that a component that sends the entity was inserted, so that the entity is sent again even if the component
/// has the same values as before.
pub(crate) fn renew(mut world: DeferredWorld, context: HookContext) {
    if let Some(mut intent) = world.get_mut::<Intent>(context.entity) {
        intent.is_renewed = true;
    }
}
