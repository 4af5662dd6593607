//! The component that says what an entity wants.

use bevy::ecs::change_detection::Tick;
use bevy::ecs::entity::EntityHashMap;
use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::world::DeferredWorld;
use bevy::prelude::*;

use super::{NavOrder, RepathPolicy, Wants};

/// Time after an insertion in which another insertion of an equal component does not send the entity again, in seconds.
/// With a shorter time, a game that inserts a component in every frame at a low frame rate sends its agents again and
/// again. With a longer one, a game cannot send an agent twice in quick succession.
const REPEAT_SECONDS: f32 = 0.1;

/// What an entity wants in this tick. The intent is decided again whenever a component that it depends on has changed.
///
/// Planning and following read only the intent, not the components that it was decided from.
#[derive(Component, Clone, Copy, Debug, Default)]
#[component(clone_behavior = Ignore)]
pub(crate) struct Intent {
    #[entities]
    pub(crate) order: NavOrder,
    /// What the entity will want when `order` no longer applies, according to its other components.
    pub(crate) behind: Wants,
    /// Whether the [`PathRequest`](crate::PathRequest), [`Chase`](crate::Chase) or [`Flee`](crate::Flee) that `order`
    /// came from was inserted again since the last decision.
    pub(crate) is_renewed: bool,
    /// Tick of the latest decision that found `is_renewed` or changed what the entity wants.
    pub(crate) renewed_at: u32,
    /// Whether the agent was [paused](crate::NavPaused) when the intent was decided.
    pub(crate) is_paused: bool,
    /// Position of the goal relative to the target, if the goal is a place on a circle around the target.
    pub(crate) slot: Option<Vec2>,
    /// Distance between the centers of the agent and its solid target at which their bodies touch, in world units. 0
    /// for any other goal.
    pub(crate) touch_distance: f32,
    /// Number of times that the entity was sent somewhere or was refused, including times with an unchanged goal.
    pub(crate) revision: u32,
    /// When to search again while the goal moves.
    pub(crate) repath: RepathPolicy,
}

impl Intent {
    /// Continues the revisions of the intent and of its order from the tick before. The revision of the intent also
    /// grows when an entity is refused, so that the event for the refusal is sent again.
    ///
    /// A component that is inserted in every frame sends the entity only once. A request for one arrival
    /// (`is_one_time`) sends the entity with each insertion, because the request is removed on arrival.
    pub(crate) fn count_revisions(
        &mut self,
        before: &Self,
        (tick, dt): (u64, f32),
        is_one_time: bool,
    ) {
        let (now, old) = (&self.order, &before.order);
        let is_same = (old.want, old.target) == (now.want, now.target);
        let is_elsewhere = now.want == Wants::Go && (old.goal, old.grid) != (now.goal, now.grid);
        // A request whose goal was changed in place is still the same order. A request that was inserted again with
        // another goal is a new order.
        let is_new = !is_same || (before.is_renewed && is_elsewhere);
        let is_new_order = is_new && now.want.is_path();
        let asks = now.want.is_path() || matches!(now.want, Wants::Refused(_));
        let tick = tick as u32;
        let repeat_ticks = (REPEAT_SECONDS / dt.max(1e-4)).ceil() as u32;
        let is_repeated = tick.wrapping_sub(before.renewed_at) <= repeat_ticks && !is_one_time;
        let is_sent = asks && (is_new || before.is_renewed && !is_repeated);
        self.renewed_at = match is_new || before.is_renewed {
            true => tick,
            false => before.renewed_at,
        };
        self.revision = before.revision.wrapping_add(u32::from(is_sent));
        self.order.revision = if is_new_order {
            self.revision
        } else {
            before.order.revision
        };
    }

    /// A number that grows whenever the agent is sent in such a way that its next arrival sends the event again. A
    /// request that is inserted again counts, but a chase of the same target that is inserted again does not.
    pub(crate) fn arrival_revision(&self) -> u32 {
        match self.order.want {
            Wants::Go => self.revision,
            _ => self.order.revision,
        }
    }
}

/// When the intent of an agent was decided, and from which components. With the default value, the next tick decides
/// the intent again.
#[derive(Component, Debug, Default)]
#[component(clone_behavior = Ignore)]
pub(crate) struct Decided {
    /// When the intent was decided. `None` if it has to be decided again in any case.
    at: Option<Tick>,
    from: Present,
    /// Whether a field leads the agent. This copies what [`WalkState`](super::WalkState) says, so that deciding and
    /// planning need not read that component.
    pub(crate) has_field: bool,
}

/// Number of Bevy's change ticks after which an intent is decided again in any case.
const MAX_AGE_TICKS: u32 = 1 << 30;

/// The optional components of an agent that its intent depends on. A field is `true` if the agent has the component.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Present {
    pub(crate) request: bool,
    pub(crate) chase: bool,
    pub(crate) drive: bool,
    pub(crate) on_grid: bool,
    pub(crate) pause: bool,
}

/// The intent of a clone is decided again, because the clone's components may have other change ticks.
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

    /// Number of change ticks since the intent was decided. `None` if the intent has to be decided again in any case,
    /// is too old, or was decided from other components than `present`.
    pub(crate) fn age(&self, present: Present, now: Tick) -> Option<u32> {
        let age = now.get().wrapping_sub(self.at?.get());
        // Ticks are counted modulo 2³², so a very old tick would look new again.
        (age < MAX_AGE_TICKS && self.from == present).then_some(age)
    }
}

/// Positions of all entities that agents chased or fled from when intents were last decided, in world coordinates.
#[derive(Resource, Clone, Debug, Default, Deref)]
pub(crate) struct TargetPositions(pub(crate) EntityHashMap<Vec3>);

/// Returns the insertion hook of a component that makes its entity want `want`. If the present order of the entity is
/// for `want` or is refused, the hook notes that the entity is to be sent again, even if the new component equals the
/// old one.
pub(crate) fn renew(want: Wants) -> impl Fn(DeferredWorld, HookContext) {
    move |mut world, context| {
        if let Some(mut intent) = world.get_mut::<Intent>(context.entity) {
            let now = intent.order.want;
            intent.is_renewed |= now == want || matches!(now, Wants::Refused(_));
        }
    }
}
