//! What waits to be planned: orders that came in, requests in line, and the bakes that an answer may
//! have missed.

use std::cmp::Ordering;
use std::collections::VecDeque;
use std::mem;

use bevy::ecs::entity::{Entity, EntityHashMap};
use bevy::ecs::resource::Resource;
use bevy::math::{Rect, Vec2};
use bevy::platform::time::Instant;
use pursuit::steer::closest_on_segment;

use crate::motion::agent::{NavPath, PathStatus};

/// What an entity asks of the planner.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order {
    pub(crate) entity: Entity,
    pub(crate) kind: OrderKind,
}

/// What to do for the entity of an [`Order`].
#[derive(Clone, Copy, Debug)]
pub(crate) enum OrderKind {
    /// Plan a path, in world units. `refresh` keeps an earlier path and status until the answer.
    Plan {
        goal: Vec2,
        radius: f32,
        tolerance: f32,
        refresh: bool,
    },
    /// Drop the path and whatever is pending.
    Stop(PathStatus),
}

/// A request that waits for a task.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waiting {
    pub(crate) entity: Entity,
    pub(crate) serial: u64,
    pub(crate) goal: Vec2,
    pub(crate) radius: f32,
    pub(crate) tolerance: f32,
    pub(crate) since: Instant,
    /// Counts up from request to request.
    pub(crate) number: u64,
    /// Distance from start to goal when it was asked, squared, in world units.
    pub(crate) away: f32,
}

impl Waiting {
    /// Those whose goals were nearest before the others, and else in the order in which they came.
    pub(crate) fn nearest_first(&self, other: &Self) -> Ordering {
        let away = self.away.total_cmp(&other.away);
        away.then(self.number.cmp(&other.number))
    }
}

/// How many recent bakes are remembered; an answer older than a forgotten one counts as outdated.
const REMEMBERED_BAKES: usize = 64;

/// A bake of one grid, and the area that it touched in world units.
pub(crate) struct RecentBake {
    pub(crate) grid: Entity,
    pub(crate) generation: u64,
    pub(crate) area: Rect,
}

/// Orders that came in, and requests that wait for a task.
#[derive(Resource, Default)]
pub(crate) struct PlanQueue {
    pub(crate) orders: Vec<Order>,
    /// In line for a task, in no order.
    pub(crate) waiting: Vec<Waiting>,
    /// Out of line until a grid changes, because the bake of theirs is not there yet.
    pub(crate) parked: Vec<Waiting>,
    /// Entities whose answer came after a bake that could change it.
    pub(crate) outdated: Vec<Entity>,
    /// Requests so far.
    pub(crate) count: u64,
    /// Baked lately, for answers that were under way meanwhile.
    bakes: VecDeque<RecentBake>,
    /// Generation of each grid's latest bake that is no longer among them.
    forgotten: EntityHashMap<u64>,
}

impl PlanQueue {
    pub(crate) fn push(&mut self, order: Order) {
        self.orders.push(order);
    }

    /// Takes up to `most` requests out of line.
    ///
    /// Where there are more, the nearest goals go first, for their searches are short; but of every
    /// four requests one is that which has waited longest, so that none waits forever.
    pub(crate) fn take(&mut self, most: usize) -> Vec<Waiting> {
        if self.waiting.len() <= most {
            return mem::take(&mut self.waiting);
        }
        let oldest = most.div_ceil(4);
        let (first, rest) = (oldest.saturating_sub(1), most - oldest);
        self.waiting
            .select_nth_unstable_by_key(first, |waiting| waiting.number);
        if rest > 0 {
            self.waiting[oldest..].select_nth_unstable_by(rest - 1, Waiting::nearest_first);
        }
        self.waiting.drain(..most).collect()
    }

    pub(crate) fn remember_bake(&mut self, bake: RecentBake) {
        if self.bakes.len() == REMEMBERED_BAKES
            && let Some(oldest) = self.bakes.pop_front()
        {
            self.forgotten.insert(oldest.grid, oldest.generation);
        }
        self.bakes.push_back(bake);
    }

    /// Whether a bake that came after the search could change its answer: any at all for one that
    /// fell short of the goal, else one that touched cells under `path`.
    pub(crate) fn is_outdated(&self, path: &NavPath, fell_short: bool) -> bool {
        let is_later = |generation: u64| generation > path.generation;
        let forgotten = self.forgotten.get(&path.grid).copied();
        forgotten.is_some_and(is_later)
            || self.bakes.iter().any(|bake| {
                bake.grid == path.grid
                    && is_later(bake.generation)
                    && (fell_short || crosses(path, bake.area))
            })
    }
}

/// Whether the body on its way along `path` comes into `area`, in world units.
pub(crate) fn crosses(path: &NavPath, area: Rect) -> bool {
    let near = area.inflate(path.radius);
    path.waypoints.windows(2).any(|leg| {
        let bounds = Rect::from_corners(leg[0], leg[1]);
        let overlap = bounds.min.cmple(near.max).all() && bounds.max.cmpge(near.min).all();
        overlap && {
            let closest = closest_on_segment(leg[0], leg[1], near.center());
            closest.distance(near.center()) <= near.half_size().length()
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRID: Entity = Entity::PLACEHOLDER;

    fn bake(grid: Entity, generation: u64, area: Rect) -> RecentBake {
        RecentBake {
            grid,
            generation,
            area,
        }
    }

    /// From (0, 0) to (10, 0), planned on generation 1.
    fn path() -> NavPath {
        NavPath {
            waypoints: vec![Vec2::ZERO, Vec2::new(10.0, 0.0)],
            generation: 1,
            grid: GRID,
            radius: 1.0,
            ..NavPath::default()
        }
    }

    /// A queue of requests `away` units from their goals.
    fn queue_of(aways: impl IntoIterator<Item = u16>) -> PlanQueue {
        let mut queue = PlanQueue::default();
        aways.into_iter().for_each(|away| ask(&mut queue, away));
        queue
    }

    fn ask(queue: &mut PlanQueue, away: u16) {
        queue.waiting.push(Waiting {
            entity: GRID,
            serial: 0,
            goal: Vec2::ZERO,
            radius: 0.0,
            tolerance: 0.0,
            since: Instant::now(),
            number: queue.count,
            away: f32::from(away),
        });
        queue.count += 1;
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
    fn a_door_that_opened_during_a_search_in_vain_is_not_missed() {
        let far = Rect::new(90.0, 90.0, 99.0, 99.0);
        let mut queue = PlanQueue::default();
        queue.remember_bake(bake(GRID, 1, far));
        assert!(!queue.is_outdated(&path(), true), "it saw that bake");
        queue.remember_bake(bake(GRID, 2, far));
        assert!(queue.is_outdated(&path(), true));
        assert!(
            !queue.is_outdated(&path(), false),
            "a path to the goal holds"
        );
    }

    #[test]
    fn a_path_is_outdated_where_its_body_meets_what_was_baked() {
        let mut queue = PlanQueue::default();
        queue.remember_bake(bake(GRID, 2, Rect::new(4.0, 1.5, 6.0, 9.0)));
        assert!(!queue.is_outdated(&path(), false), "1.5 units beside it");
        queue.remember_bake(bake(GRID, 3, Rect::new(4.0, 0.5, 6.0, 1.0)));
        assert!(queue.is_outdated(&path(), false));
    }

    #[test]
    fn another_grid_that_bakes_often_does_not_hide_a_bake() {
        let other = Entity::from_raw_u32(7).expect("an entity");
        let mut queue = PlanQueue::default();
        queue.remember_bake(bake(GRID, 2, Rect::new(4.0, -1.0, 6.0, 1.0)));
        for generation in 0..2 * REMEMBERED_BAKES as u64 {
            queue.remember_bake(bake(other, generation, Rect::new(0.0, 0.0, 1.0, 1.0)));
        }
        assert!(queue.is_outdated(&path(), false));
    }
}
