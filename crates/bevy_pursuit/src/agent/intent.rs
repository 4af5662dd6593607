//! What an entity wants.

use bevy::ecs::component::Component;
use bevy::ecs::entity::Entity;
use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::world::DeferredWorld;
use bevy::math::Vec2;

use super::FailReason;

/// What an entity wants in this tick, decided anew from its components each time.
///
/// Planning and following read it; neither knows which component it came from.
#[derive(Component, Clone, Copy, Debug, Default)]
#[component(clone_behavior = Ignore)]
pub(crate) struct Intent {
    pub(crate) want: Want,
    /// Whether the goal counts as reached only with a clear line to it.
    pub(crate) needs_sight: bool,
    /// Whether the target is a body that may itself be the obstacle that its center lies in.
    pub(crate) is_solid: bool,
    /// Whether the rim of an obstacle that the goal lies in counts as the goal, however far away that is. Not of a
    /// target that is no obstacle itself, but stands in one.
    pub(crate) to_rim: bool,
    /// Whether a component that asks was inserted since the last decision.
    pub(crate) is_renewed: bool,
    /// Counts what the entity was sent for: grows with each new target and kind of intent, and with
    /// a request that is inserted with another goal.
    pub(crate) errand: u16,
    /// Counts how often it was sent, for the same once more included.
    pub(crate) sending: u8,
    /// Spreads what entities do in turns over ticks. By the order in which they began to want something:
    /// numbers of entities depend on all else that a game spawns.
    pub(crate) phase: u8,
    /// Where to, or where away from, in world units.
    pub(crate) goal: Vec2,
    /// Distance between centers at which the goal counts as reached, or for [`Want::Away`] at which
    /// it is far enough, in world units.
    pub(crate) reach: f32,
    /// Radius to plan for, in world units: the body's and what its driver keeps free beyond.
    pub(crate) radius: f32,
    /// Seconds between searches; negative for [`RepathPolicy::Dynamic`](super::RepathPolicy::Dynamic).
    pub(crate) interval: f32,
    /// Whom to chase or to flee from; `None` for a request.
    pub(crate) target: Option<Entity>,
    /// The grid to plan and walk on.
    pub(crate) grid: Option<Entity>,
}

/// The kinds of intents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Want {
    #[default]
    Nothing,
    /// To the goal.
    Go,
    /// To the goal, which is an entity that may move.
    Follow,
    /// To a place away from the goal.
    Away,
    /// To an entity that is gone.
    Lost,
    /// Something that cannot be done.
    Refused(FailReason),
}

impl Want {
    /// Whether a path is wanted.
    pub(crate) fn is_path(self) -> bool {
        matches!(self, Self::Go | Self::Follow | Self::Away)
    }
}

/// Notes that a component that asks was inserted: whoever inserts it again sends the entity again.
pub(crate) fn renew(mut world: DeferredWorld, context: HookContext) {
    if let Some(mut intent) = world.get_mut::<Intent>(context.entity) {
        intent.is_renewed = true;
    }
}
