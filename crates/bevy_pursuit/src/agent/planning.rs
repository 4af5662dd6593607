//! What planning remembers of one entity.

use bevy::ecs::component::Component;

use super::{Intent, PathStatus, Wants};

/// What a search is ordered for, beside its errand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// A path.
    #[default]
    Path,
    /// Whether a path would lead elsewhere than the one at hand.
    Check,
    /// A path around the jam where the agent is stuck.
    Detour,
    /// The usual path, once the agent is past the jam that its path leads around.
    WayBack,
}

/// What planning remembers of one entity: which answer it waits for, and what it asked last.
///
/// A clone of an entity gets a fresh one. So a clone asks for itself, and does not wait for what
/// somebody else ordered.
#[derive(Component, Clone, Copy, Debug, Default)]
#[component(clone_behavior = Ignore)]
pub(crate) struct Planning {
    /// A number that no other entity has while this one wants a path, else 0: who goes first where not all can, and
    /// whose turn it is. Numbers of entities depend on all else that a game spawns.
    pub(crate) serial: u32,
    /// The tick of the latest order; an answer to another one is dropped.
    pub(crate) ordered_in: u32,
    /// Whether an answer is still to come.
    pub(crate) is_pending: bool,
    /// Whether an answer came that was not looked at yet.
    pub(crate) is_answered: bool,
    /// Whether observers heard how the latest order ended.
    pub(crate) is_told: bool,
    /// Whether observers heard that its target is lost, which it still is.
    pub(crate) is_lost: bool,
    /// What the order asks for.
    pub(crate) purpose: Purpose,
    /// Whether the agent saw its target when planning last looked.
    pub(crate) saw_target: bool,
    /// Searches in a row that fell short.
    pub(crate) failures: u8,
    /// Orders in a row because the agent is stuck.
    pub(crate) stuck: u8,
    /// Number of the errand of the latest order, and which sending it was.
    pub(crate) number: u16,
    pub(crate) sending: u8,
    /// Generation of the grid that the latest search ran on, its lower bits.
    pub(crate) asked_on: u32,
    /// When it was asked for, in seconds of game time.
    pub(crate) asked_at: f64,
}

impl Planning {
    /// Whether an entity was sent for something new, or once more for what could not be done before. Who has a path
    /// already need not look for it again.
    pub(crate) fn is_sent(&self, intent: &Intent, status: PathStatus) -> bool {
        let is_sent_again = self.sending != intent.sending && status != PathStatus::Found;
        self.number != intent.errand.number || is_sent_again
    }

    /// Plans for what is wanted now.
    pub(crate) fn take_on(&mut self, intent: &Intent, status: PathStatus) {
        if self.is_sent(intent, status) {
            self.is_told = false;
            self.failures = 0;
        }
        self.is_lost &= intent.behind == Wants::Lost;
        self.number = intent.errand.number;
        self.sending = intent.sending;
    }

    /// The ticket of the latest order: unique in the app, and grows from tick to tick.
    pub(crate) fn ticket(&self) -> u64 {
        u64::from(self.ordered_in) << 32 | u64::from(self.serial)
    }

    /// Whether the answer to this ticket is still wanted.
    pub(crate) fn waits_for(&self, ticket: u64) -> bool {
        self.is_pending && self.ticket() == ticket
    }
}
