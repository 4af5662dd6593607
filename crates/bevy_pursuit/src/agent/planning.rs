//! What planning remembers about one entity.

use bevy::ecs::component::Component;

use super::{Intent, PathStatus, Wants};

/// What a search is for, in addition to its order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// A path.
    #[default]
    Path,
    /// A check whether a new path would differ from the present one.
    Check,
    /// A path for a stuck agent. Planning notes a price where the agent is stuck, and the path leads around the price.
    AroundPrice,
}

/// Identifies a search request: unique in the app, and greater in later ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Ticket {
    /// The tick of the request.
    pub(crate) tick: u32,
    /// [`Planning::serial`] of the entity.
    pub(crate) serial: u32,
}

/// What planning remembers about one entity: its latest search, and whether the answer is still to come.
///
/// A clone of an entity does not get a copy: it searches for itself, and does not wait for another entity's answer.
#[derive(Component, Clone, Copy, Debug, Default)]
#[component(clone_behavior = Ignore)]
pub(crate) struct Planning {
    /// Unique number of this entity while it wants a path, else 0. The number decides which entities are planned for
    /// first if there is not enough time for all of them, and in which ticks an entity has its turn. Entity ids are not
    /// used for that, because they depend on everything else that a game spawns.
    pub(crate) serial: u32,
    /// Tick in which the latest search was enqueued. An answer to an earlier search is dropped.
    pub(crate) enqueued_in: u32,
    /// Whether the answer to the latest search is still to come.
    pub(crate) is_pending: bool,
    /// Whether an answer has arrived, but is not processed yet.
    pub(crate) is_answered: bool,
    /// Whether observers got the event for the result of the latest search.
    pub(crate) was_reported: bool,
    /// Whether observers got the event for a lost target, and the target is still lost.
    pub(crate) is_lost: bool,
    /// What the latest search is for.
    pub(crate) purpose: Purpose,
    /// Whether the agent saw its target when planning last looked.
    pub(crate) saw_target: bool,
    /// Number of searches in a row that fell short of the goal.
    pub(crate) failures: u32,
    /// Number of searches in a row that were started because the agent was stuck.
    pub(crate) stuck: u32,
    /// [`Intent::revision`] at the latest search.
    pub(crate) revision: u32,
    /// Generation of the grid that the latest search used.
    pub(crate) asked_on: u64,
    /// [`GridPrices::revision`](super::GridPrices::revision) at the latest search, or when the path was last compared
    /// with the prices.
    pub(crate) prices: u32,
    /// Time of the latest search, in seconds of game time.
    pub(crate) asked_at: f64,
}

impl Planning {
    /// Whether the entity got a new order, or got the same order again without having a path to its goal.
    pub(crate) fn is_sent(&self, intent: &Intent, status: PathStatus) -> bool {
        let is_sent_again = self.revision != intent.revision && status != PathStatus::Found;
        self.has_new_order(intent) || is_sent_again
    }

    /// Whether the entity got a new order since the latest search.
    pub(crate) fn has_new_order(&self, intent: &Intent) -> bool {
        intent.order.revision > self.revision
    }

    /// Notes the present intent as the one to plan for.
    pub(crate) fn take_on(&mut self, intent: &Intent, status: PathStatus) {
        if self.is_sent(intent, status) {
            self.was_reported = false;
            self.failures = 0;
        }
        self.is_lost &= intent.behind == Wants::Lost;
        self.revision = intent.revision;
    }

    /// Ticket of the latest search.
    pub(crate) fn ticket(&self) -> Ticket {
        Ticket {
            tick: self.enqueued_in,
            serial: self.serial,
        }
    }

    /// Whether the answer for this ticket is still wanted.
    pub(crate) fn waits_for(&self, ticket: Ticket) -> bool {
        self.is_pending && self.ticket() == ticket
    }
}
