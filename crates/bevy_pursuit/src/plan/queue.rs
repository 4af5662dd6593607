//! The queue of search requests: entities and their tickets.
//!
//! The queue does not store goals. They are read from the entity's intent when its search starts.

use std::cmp::Ordering;
use std::mem;

use bevy::ecs::entity::{Entity, EntityHashMap, EntityMapper, MapEntities};
use bevy::ecs::resource::Resource;
use bevy::platform::time::Instant;

use crate::agent::{NavBodyKey, Ticket};
use crate::visitor::map_keys;

/// A search request in the queue.
#[derive(MapEntities, Clone, Copy, Debug)]
pub(crate) struct Pending {
    #[entities]
    pub(crate) entity: Entity,
    pub(crate) ticket: Ticket,
    /// When the request was made, to measure its latency.
    pub(crate) since: Instant,
    /// Squared distance from the start to the goal when the request was made, in squared world units.
    pub(crate) away: f32,
}

impl Pending {
    /// Order by distance to the goal, then by age.
    fn nearest_first(&self, other: &Self) -> Ordering {
        let away = self.away.total_cmp(&other.away);
        away.then(self.ticket.cmp(&other.ticket))
    }
}

/// Search requests that wait for a task.
#[derive(Resource, Clone, Default)]
#[component(map_entities)]
pub(crate) struct PlanQueue {
    /// Requests that can be taken, in no particular order.
    pub(crate) waiting: Vec<Pending>,
    /// Requests that cannot be taken for the rest of this tick, because the first bake of their grid is not done.
    pub(crate) parked: Vec<Pending>,
    /// With `PlanMode::Inline`: bodies for whose layers the search budget was already charged, by grid, oldest first.
    pub(crate) charged_bodies: EntityHashMap<Vec<NavBodyKey>>,
    latest_serial: u32,
}

impl MapEntities for PlanQueue {
    fn map_entities<E: EntityMapper>(&mut self, mapper: &mut E) {
        self.waiting.map_entities(mapper);
        self.parked.map_entities(mapper);
        map_keys(&mut self.charged_bodies, mapper);
    }
}

impl PlanQueue {
    /// A new serial for an entity that begins to want a path. Never 0.
    pub(crate) fn next_serial(&mut self) -> u32 {
        self.latest_serial = self.latest_serial.wrapping_add(1).max(1);
        self.latest_serial
    }

    pub(crate) fn len(&self) -> usize {
        self.waiting.len() + self.parked.len()
    }

    /// Takes up to `max_count` requests out of the queue.
    ///
    /// If there are more, three of every four taken requests are the ones with the nearest goals, because their
    /// searches are short. The fourth is the oldest one, so that no request waits forever.
    pub(crate) fn take(&mut self, max_count: usize) -> Vec<Pending> {
        if self.waiting.len() <= max_count {
            return mem::take(&mut self.waiting);
        }
        let oldest = max_count.div_ceil(4);
        let (first, rest) = (oldest.saturating_sub(1), max_count - oldest);
        self.waiting
            .select_nth_unstable_by_key(first, |waiting| waiting.ticket);
        if rest > 0 {
            self.waiting[oldest..].select_nth_unstable_by(rest - 1, Pending::nearest_first);
        }
        self.waiting.drain(..max_count).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A queue with one request for each distance to a goal.
    fn queue_of(aways: impl IntoIterator<Item = u16>) -> PlanQueue {
        let mut queue = PlanQueue::default();
        for (tick, away) in (0..).zip(aways) {
            ask(&mut queue, tick, away);
        }
        queue
    }

    fn ask(queue: &mut PlanQueue, tick: u32, away: u16) {
        queue.waiting.push(Pending {
            entity: Entity::PLACEHOLDER,
            ticket: Ticket { tick, serial: 0 },
            since: Instant::now(),
            away: f32::from(away),
        });
    }

    #[test]
    fn near_and_early_requests_are_taken_first() {
        let mut queue = queue_of([90, 80, 7, 6, 5, 4, 70, 3, 2, 60]);
        let mut taken: Vec<f32> = queue.take(8).iter().map(|waiting| waiting.away).collect();
        taken.sort_by(f32::total_cmp);
        assert_eq!(taken, [2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 80.0, 90.0]);
        assert_eq!(queue.waiting.len(), 2);
        assert_eq!(queue.take(8).len(), 2, "all are taken that are left");
        assert!(queue.take(8).is_empty() && queue.take(0).is_empty());
    }

    #[test]
    fn a_far_goal_is_not_starved_by_near_ones() {
        for max_count in 1..=7 {
            let mut queue = queue_of([999; 40]);
            for turn in 1..=40 {
                (0..max_count).for_each(|number| ask(&mut queue, 100 * turn + number, 1));
                queue.take(max_count as usize);
            }
            let far_left = queue.waiting.iter().any(|waiting| waiting.away > 1.0);
            assert!(
                !far_left,
                "{max_count} near requests came in for every {max_count} taken"
            );
        }
    }

    #[test]
    fn at_least_every_fourth_request_taken_is_the_oldest() {
        for (max_count, oldest) in [(1, 1), (4, 1), (5, 2), (8, 2)] {
            let mut queue = queue_of([9, 9, 9, 1, 1, 1, 1, 1, 1, 1]);
            let taken = queue.take(max_count).into_iter();
            let mut far: Vec<u32> = taken
                .filter(|waiting| waiting.away > 1.0)
                .map(|waiting| waiting.ticket.tick)
                .collect();
            far.sort_unstable();
            assert!(far.into_iter().eq(0..oldest), "of {max_count}");
        }
    }
}
