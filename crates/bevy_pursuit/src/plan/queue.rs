//! What waits to be planned: entities and their tickets.
//!
//! Where to go is not in here. It is read from the entity's intent when its search is sent off.

use std::cmp::Ordering;
use std::mem;

use bevy::ecs::entity::Entity;
use bevy::ecs::resource::Resource;
use bevy::platform::time::Instant;

/// A request that waits for a task.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pending {
    pub(crate) entity: Entity,
    /// Unique in the app, and grows from request to request.
    pub(crate) ticket: u64,
    pub(crate) since: Instant,
    /// Distance from start to goal when it was asked, squared, in world units.
    pub(crate) away: f32,
}

impl Pending {
    /// Those whose goals were nearest before the others, and else in the order in which they came.
    fn nearest_first(&self, other: &Self) -> Ordering {
        let away = self.away.total_cmp(&other.away);
        away.then(self.ticket.cmp(&other.ticket))
    }
}

/// Requests that wait for a task.
#[derive(Resource, Default)]
pub(crate) struct PlanQueue {
    /// In line for a task, in no order.
    pub(crate) waiting: Vec<Pending>,
    /// Out of line until a grid changes, because the bake of theirs is not there yet.
    pub(crate) parked: Vec<Pending>,
    latest_ticket: u64,
}

impl PlanQueue {
    /// Puts an entity in line, and gives it a ticket.
    pub(crate) fn push(&mut self, entity: Entity, since: Instant, away: f32) -> u64 {
        self.latest_ticket += 1;
        let ticket = self.latest_ticket;
        self.waiting.push(Pending {
            entity,
            ticket,
            since,
            away,
        });
        ticket
    }

    pub(crate) fn len(&self) -> usize {
        self.waiting.len() + self.parked.len()
    }

    /// Puts back in line what waited for a grid.
    pub(crate) fn unpark(&mut self) {
        self.waiting.append(&mut self.parked);
    }

    /// Takes up to `most` requests out of line.
    ///
    /// Where there are more, the nearest goals go first, for their searches are short; but of every
    /// four requests one is that which has waited longest, so that none waits forever.
    pub(crate) fn take(&mut self, most: usize) -> Vec<Pending> {
        if self.waiting.len() <= most {
            return mem::take(&mut self.waiting);
        }
        let oldest = most.div_ceil(4);
        let (first, rest) = (oldest.saturating_sub(1), most - oldest);
        self.waiting
            .select_nth_unstable_by_key(first, |waiting| waiting.ticket);
        if rest > 0 {
            self.waiting[oldest..].select_nth_unstable_by(rest - 1, Pending::nearest_first);
        }
        self.waiting.drain(..most).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A queue of requests `away` units from their goals.
    fn queue_of(aways: impl IntoIterator<Item = u16>) -> PlanQueue {
        let mut queue = PlanQueue::default();
        aways.into_iter().for_each(|away| ask(&mut queue, away));
        queue
    }

    fn ask(queue: &mut PlanQueue, away: u16) {
        queue.push(Entity::PLACEHOLDER, Instant::now(), f32::from(away));
    }

    #[test]
    fn what_does_not_fit_in_is_far_and_came_late() {
        let mut queue = queue_of([90, 80, 7, 6, 5, 4, 70, 3, 2, 60]);
        let mut taken: Vec<f32> = queue.take(8).iter().map(|waiting| waiting.away).collect();
        taken.sort_by(f32::total_cmp);
        assert_eq!(taken, [2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 80.0, 90.0]);
        assert_eq!(queue.waiting.len(), 2);
        assert_eq!(queue.take(8).len(), 2, "all are taken that are left");
        assert!(queue.take(8).is_empty() && queue.take(0).is_empty());
    }

    #[test]
    fn a_far_goal_is_not_put_off_forever_by_near_ones() {
        let mut queue = queue_of([999; 40]);
        for _ in 0..40 {
            (0..4).for_each(|_| ask(&mut queue, 1));
            queue.take(4);
        }
        let far_left = queue.waiting.iter().any(|waiting| waiting.away > 1.0);
        assert!(!far_left, "four near requests came in for every four taken");
    }

    #[test]
    fn no_two_requests_have_one_ticket() {
        let mut queue = PlanQueue::default();
        let tickets = [(); 3].map(|()| queue.push(Entity::PLACEHOLDER, Instant::now(), 0.0));
        assert_eq!(tickets, [1, 2, 3]);
    }
}
