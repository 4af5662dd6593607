//! Fields that agents share: agents with the same goal read their paths off one field instead of running a search each.
//!
//! Requests to the same cell share a field, and so do the chasers of one target, if their body and grid are the same.
//! When the target moves, the old field still serves chasers that are far away, until a new field is built. A new field
//! is in use from the next tick, so that all searches of a tick use the same field. Only the first field for a goal is
//! used immediately.

use std::hash::BuildHasher;
use std::mem;
use std::sync::Arc;

use bevy::ecs::entity::{Entity, EntityHashSet, EntityMapper, MapEntities};
use bevy::ecs::resource::Resource;
use bevy::math::Vec2;
use bevy::platform::collections::HashMap;
use bevy::platform::hash::FixedHasher;
use pursuit::Cell;

use super::ends::SearchKind;
use super::jobs::Job;
use super::shared::{Share, Shared, Toward};
use crate::agent::{GoalKind, NavBodyKey, Wants};
use crate::grid::NavSnapshot;

/// A chaser may use the field of its target if the target has moved at most this fraction of its distance from the
/// chaser since the field was built.
const MAX_GOAL_SHIFT_SHARE: f32 = 0.05;
/// Number of ticks after its last use after which a field is dropped.
const MAX_UNUSED_TICKS: u32 = 300;
/// Number of ticks between two searches for unused fields.
const TIDY_INTERVAL_TICKS: u32 = 64;
/// Maximum memory of all fields, in bytes. Beyond it, the fields that were used longest ago are dropped.
const MAX_FIELD_BYTES: usize = 64 << 20;

/// Number of goals of lone requests that are remembered. With a greater value, more memory is used. With a smaller one,
/// agents that come to one goal one by one start to share a field later, if other agents go elsewhere meanwhile.
const REMEMBERED_GOALS: usize = 1024;

/// The groups of requests that share fields.
#[derive(Resource, Clone, Default)]
#[component(map_entities)]
pub(crate) struct SharedFields {
    groups: HashMap<Key, Group>,
    /// A hash table of the bodies and goals of lone requests. Each slot holds the latest one whose hash belongs there.
    /// Empty before the first lone request.
    alone: Vec<Option<(NavBodyKey, SharedGoal)>>,
    /// Total number of fields built up to the latest call of [`tidy`](Self::tidy).
    built: u64,
}

/// What the requests of a group have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key {
    grid: Entity,
    body: NavBodyKey,
    to: SharedGoal,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum SharedGoal {
    Target(Entity),
    Cell(i32, i32),
}

/// What is known about the requests of one key.
#[derive(Debug, Default)]
struct Group {
    share: Share,
    /// The latest tick with a request of this group.
    asked: u32,
    /// Position of the target in that tick, in grid coordinates.
    goal: Vec2,
    /// The tick in which `goal` last changed.
    moved: u32,
}

impl SharedFields {
    /// Makes the chasers of a target share a field. Chasers far away are sent to where the target was when the field
    /// was built.
    pub(super) fn share_chases(
        &mut self,
        (grid, snapshot): (Entity, &NavSnapshot),
        jobs: &mut [Job],
        shared_targets: &EntityHashSet,
        tick: u32,
    ) {
        for job in jobs.iter_mut().filter(|job| may_share(job, Wants::Follow)) {
            let target = job.trip.order.target;
            let Some(target) = target.filter(|target| shared_targets.contains(target)) else {
                continue;
            };
            let group = self.group(grid, job, SharedGoal::Target(target), tick);
            group.send(job, snapshot, tick);
        }
    }

    /// Makes requests to points in the same cell share a field. `jobs` must be sorted by
    /// [`put_in_order`](super::jobs::put_in_order). A lone request shares only if an earlier lone request had the same
    /// cell.
    pub(super) fn share_points(&mut self, grid: Entity, jobs: &mut [Job], tick: u32) {
        for jobs in jobs.chunk_by_mut(|a, b| a.goal_key() == b.goal_key()) {
            let Some(Cell { x, y }) = jobs[0].goal_cell else {
                continue;
            };
            let place = SharedGoal::Cell(x, y);
            let is_point = |job: &&mut Job| may_share(job, Wants::Go);
            let is_alone = jobs.iter_mut().filter(is_point).nth(1).is_none();
            let key = Key::new(grid, &jobs[0], place);
            if is_alone && !self.groups.contains_key(&key) && !self.comes_again(&key) {
                continue;
            }
            for job in jobs.iter_mut().filter(is_point) {
                let group = self.group(grid, job, place, tick);
                job.shared = Some(group.share.clone());
            }
        }
    }

    /// Whether a lone request has the same body and cell as an earlier one. The grid is not compared, because entity
    /// ids differ from run to run.
    fn comes_again(&mut self, key: &Key) -> bool {
        self.alone.resize(REMEMBERED_GOALS, None);
        let request = (key.body, key.to);
        let slot = FixedHasher.hash_one(request) as usize % REMEMBERED_GOALS;
        self.alone[slot].replace(request) == Some(request)
    }

    /// The group of a job. The group's latest field comes into use with the first request of a tick.
    fn group(&mut self, grid: Entity, job: &Job, place: SharedGoal, tick: u32) -> &mut Group {
        let group = self.groups.entry(Key::new(grid, job, place)).or_default();
        if mem::replace(&mut group.asked, tick) != tick {
            group.share.field = group.share.counts.latest();
        }
        group
    }

    /// Drops groups without requests in the last [`MAX_UNUSED_TICKS`] ticks, and if the fields take too much memory,
    /// the groups that were used longest ago. Does so every [`TIDY_INTERVAL_TICKS`] ticks, and when `built`, the total
    /// number of fields built, has changed.
    pub(super) fn tidy(&mut self, tick: u32, built: u64) {
        if !tick.is_multiple_of(TIDY_INTERVAL_TICKS) && self.built == built {
            return;
        }
        self.built = built;
        let is_used = |group: &Group| tick.wrapping_sub(group.asked) < MAX_UNUSED_TICKS;
        self.groups.retain(|_, group| is_used(group));
        self.keep(MAX_FIELD_BYTES, tick);
    }

    /// Drops the groups that were used longest ago until the fields take at most `max_bytes`. Groups that were last
    /// used in the same tick are dropped together, so that the order of the groups does not matter.
    fn keep(&mut self, max_bytes: usize, tick: u32) {
        let age = |group: &Group| tick.wrapping_sub(group.asked);
        let mut bytes: usize = self.groups.values().map(Group::bytes).sum();
        while bytes > max_bytes {
            let with_fields = self.groups.values().filter(|group| group.bytes() > 0);
            let Some(oldest) = with_fields.map(age).max() else {
                break;
            };
            self.groups
                .retain(|_, group| age(group) < oldest || group.bytes() == 0);
            bytes = self.groups.values().map(Group::bytes).sum();
        }
    }
}

/// Whether a job is a plain, unrecorded search for `want`, and its goal is not a slot of the agent's own.
fn may_share(job: &Job, want: Wants) -> bool {
    let trip = &job.trip;
    let has_own_slot = trip.order.goal_kind == GoalKind::Slot;
    let is_plain = trip.kind == SearchKind::Path && trip.recorded_by.is_none();
    trip.order.want == want && is_plain && !has_own_slot
}

impl Key {
    fn new(grid: Entity, job: &Job, to: SharedGoal) -> Self {
        let body = job.trip.order.body().key();
        Self { grid, body, to }
    }
}

impl Group {
    /// Makes a job share the group's field, and sends it to the field's goal if its own goal is nearly there. If the
    /// target has rested since an earlier tick, the job keeps its goal, because an agent that was led elsewhere would
    /// request paths again and again.
    fn send(&mut self, job: &mut Job, snapshot: &NavSnapshot, tick: u32) {
        job.shared = Some(self.share.clone());
        let Some(latest) = &self.share.field else {
            return;
        };
        let order = &mut job.trip.order;
        if self.goal != order.goal {
            (self.goal, self.moved) = (order.goal, tick);
        }
        let moved = latest.goal.distance(order.goal);
        let is_near = self.moved == tick
            && moved <= MAX_GOAL_SHIFT_SHARE * job.trip.start.distance(order.goal);
        let start = snapshot.layout().cell_at(job.trip.start);
        let is_near = is_near && latest.is_near_on_foot(start, job.goal_cell);
        if latest.generation == snapshot.generation()
            && latest.goal_cell != job.goal_cell
            && is_near
        {
            (order.goal, job.goal_cell) = (latest.goal, latest.goal_cell);
        }
    }

    /// Memory of the group's fields, in bytes.
    fn bytes(&self) -> usize {
        let (used, latest) = (&self.share.field, self.share.counts.latest());
        let is_used = |one: &Arc<Toward>| used.as_ref().is_some_and(|used| Arc::ptr_eq(used, one));
        let next = latest.filter(|one| !is_used(one));
        let fields = used.iter().chain(&next);
        fields.map(|one| one.field.bytes()).sum()
    }
}

impl Clone for Group {
    fn clone(&self) -> Self {
        Self {
            share: Share {
                counts: Arc::new(Shared::clone(&self.share.counts)),
                field: self.share.field.clone(),
            },
            ..*self
        }
    }
}

impl MapEntities for SharedFields {
    fn map_entities<E: EntityMapper>(&mut self, mapper: &mut E) {
        let groups = self.groups.drain();
        let mapped = groups.map(|(key, group)| {
            let to = match key.to {
                SharedGoal::Target(target) => SharedGoal::Target(mapper.get_mapped(target)),
                cell @ SharedGoal::Cell(..) => cell,
            };
            let grid = mapper.get_mapped(key.grid);
            (Key { grid, to, ..key }, group)
        });
        self.groups = mapped.collect();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use bevy::platform::time::Instant;
    use pursuit::oracle::cases;
    use pursuit::{Clearance, DiagonalPolicy, Grid, Layout, PathOptions, SearchScratch};

    use super::*;
    use crate::agent::{GridPlane, NavOrder, Ticket};
    use crate::grid::NavSnapshot;
    use crate::plan::ends::Trip;
    use crate::plan::jobs::{Answers, GridState, Limits, put_in_order, run_jobs};
    use crate::plan::planner::Planned;
    use crate::plan::queue::Pending;

    const RADIUS: f32 = 0.4;
    const TARGET: Entity = Entity::from_raw_u32(7).expect("a number");

    fn state(random: &mut fastrand::Rng, walls: u32, generation: u64) -> GridState {
        let size = random.u32(30..60);
        let level = Grid::from_fn(size, size, |_| random.u32(0..10) >= walls);
        let clearance = Clearance::from_grid(&level.expect("a size"), 2.0);
        let layout = Layout::new(Vec2::ZERO, 1.0, size, size).expect("a layout");
        let snapshot = NavSnapshot::new(layout, clearance, DiagonalPolicy::default(), generation);
        GridState {
            grid: Entity::PLACEHOLDER,
            frame: GridPlane::XY,
            snapshot: Arc::new(snapshot),
        }
    }

    fn place(random: &mut fastrand::Rng, state: &GridState) -> Vec2 {
        let size = state.snapshot.layout().width() as f32;
        Vec2::new(random.f32(), random.f32()) * size
    }

    /// The job of an agent that goes to a point, or chases `target`, which is there.
    fn job(state: &GridState, (start, goal): (Vec2, Vec2), target: Option<Entity>) -> Job {
        let trip = Trip::between(start, goal, RADIUS);
        let want = target.map_or(Wants::Go, |_| Wants::Follow);
        Job {
            goal_cell: state.snapshot.layout().cell_clamped(goal),
            group: Ticket::default(),
            shared: None,
            trip: Trip {
                order: NavOrder {
                    want,
                    target,
                    ..trip.order
                },
                ..trip
            },
            waiting: Pending {
                entity: Entity::PLACEHOLDER,
                ticket: Ticket {
                    tick: start.x.to_bits(),
                    serial: 0,
                },
                since: Instant::now(),
                away: 0.0,
            },
        }
    }

    /// Runs the jobs of one tick.
    fn play(fields: &mut SharedFields, state: &GridState, jobs: &mut [Job], tick: u32) -> Answers {
        send_off(fields, state, jobs, tick);
        run(state, jobs)
    }

    fn send_off(fields: &mut SharedFields, state: &GridState, jobs: &mut [Job], tick: u32) {
        let shared_targets = EntityHashSet::from_iter([TARGET]);
        fields.share_chases((state.grid, &*state.snapshot), jobs, &shared_targets, tick);
        put_in_order(jobs);
        fields.share_points(state.grid, jobs, tick);
        fields.tidy(tick, tick.into());
    }

    fn run(state: &GridState, jobs: &[Job]) -> Answers {
        let never = AtomicBool::new(false);
        let limits = Limits {
            max_expanded: None,
            budget: u64::MAX,
        };
        run_jobs(state, jobs, limits, None, std::iter::repeat(&never))
    }

    /// Each chaser of a walking target gets a cheapest path to a position near the target: the distance between the two
    /// is at most a twentieth of the chaser's distance from the target.
    #[test]
    fn chasers_of_a_moving_target_share_a_nearly_optimal_field() {
        let mut random = fastrand::Rng::with_seed(31);
        let (mut by_field, mut to_old_places) = (0, 0);
        let (options, mut scratch) = (PathOptions::default(), SearchScratch::new());
        for round in 0..cases(60) {
            let state = state(&mut random, [0, 2, 4][round % 3], 1);
            let layers = state.snapshot.layers(RADIUS);
            let mut fields = SharedFields::default();
            let mut target = place(&mut random, &state);
            for tick in 0..12 {
                // The target rests in every fourth tick.
                let rests = tick % 4 == 3;
                if !rests {
                    target += Vec2::new(random.f32() - 0.5, random.f32() - 0.5);
                }
                let ways = (0..20).map(|_| (place(&mut random, &state), target));
                let mut jobs: Vec<Job> = ways.map(|way| job(&state, way, Some(TARGET))).collect();
                let done = play(&mut fields, &state, &mut jobs, tick);
                by_field += done.shared;
                for answer in done.answers {
                    let Ok(Planned::Path(plan)) = answer.result else {
                        continue;
                    };
                    let trip = answer.trip;
                    let moved = trip.order.goal.distance(target);
                    assert!(moved <= MAX_GOAL_SHIFT_SHARE * trip.start.distance(target));
                    assert!(!rests || moved == 0.0, "it is led to where the target is");
                    to_old_places += u32::from(moved > 0.0);
                    let ends =
                        [trip.start, trip.order.goal].map(|at| state.snapshot.layout().cell_at(at));
                    let is_whole = ends[1] == Some(plan.end_cell);
                    let Some(from) =
                        ends[0].filter(|from| is_whole && layers.grid().is_free(*from))
                    else {
                        continue;
                    };
                    let least = layers.find_path(from, plan.end_cell, &options, &mut scratch);
                    let least = least.map(|found| found.path.length() as f32);
                    let within = 2.0 + least.expect("a way");
                    assert!(plan.length <= within, "{} long, not {least:?}", plan.length);
                }
            }
        }
        assert!(
            by_field > cases(1800) && to_old_places > cases(300),
            "{by_field}, {to_old_places}"
        );
    }

    #[test]
    fn a_new_snapshot_gets_a_field_of_its_own() {
        let mut random = fastrand::Rng::with_seed(32);
        let old = state(&mut random, 2, 1);
        let mut fields = SharedFields::default();
        let goal = Vec2::splat(9.5);
        let mut ask = |state: &GridState, tick| {
            let ways = (0..200).map(|_| (place(&mut random, state), goal));
            let mut jobs: Vec<Job> = ways.map(|way| job(state, way, None)).collect();
            let done = play(&mut fields, state, &mut jobs, tick);
            assert!(done.shared > 50, "{} shared in tick {tick}", done.shared);
            done.fields
        };
        assert_eq!([1, 2].map(|tick| ask(&old, tick)), [1, 0]);
        let layout = *old.snapshot.layout();
        let clearance = Clearance::from_grid(old.snapshot.layers(RADIUS).grid(), 2.0);
        let snapshot = NavSnapshot::new(layout, clearance, DiagonalPolicy::default(), 2);
        let new = GridState {
            snapshot: Arc::new(snapshot),
            ..old
        };
        assert_eq!([3, 4].map(|tick| ask(&new, tick)), [1, 0]);
    }

    #[test]
    fn searches_use_the_field_of_their_tick_while_the_next_one_is_built() {
        let mut random = fastrand::Rng::with_seed(35);
        let (mut built, mut by_old) = (0, 0);
        for round in 0..cases(40) {
            let state = state(&mut random, 2, 1);
            let mut fields = SharedFields::default();
            let mut targets = [Vec2::splat(15.5), Vec2::new(16.5, 15.5)];
            if round % 2 == 1 {
                targets.reverse();
            }
            let mut chase = |count, target: Vec2| -> Vec<Job> {
                let ways = (0..count).map(|_| (place(&mut random, &state), target));
                ways.map(|way| job(&state, way, Some(TARGET))).collect()
            };
            let mut jobs = chase(900, targets[0]);
            send_off(&mut fields, &state, &mut jobs, 1);
            let (first, second) = jobs.split_at(600);
            if run(&state, first).fields == 0 {
                continue;
            }
            let done = run(&state, second);
            assert!(done.fields == 0 && done.shared > 0, "there was none yet");
            let mut jobs = chase(900, targets[1]);
            send_off(&mut fields, &state, &mut jobs, 2);
            let is_sent = |job: &Job| job.trip.order.goal == targets[0];
            let (far, near): (Vec<Job>, Vec<Job>) = jobs.into_iter().partition(is_sent);
            // There are two tasks, and the first one builds a field.
            let (first, second) = near.split_at(near.len() / 2);
            if run(&state, first).fields == 0 {
                continue;
            }
            built += 1;
            let done = run(&state, second);
            assert_eq!((done.fields, done.shared), (0, 0), "it comes with a tick");
            let done = run(&state, &far);
            assert_eq!((done.fields, done.expanded), (0, 0), "the old one serves");
            by_old += done.shared;
            let mut again = chase(50, targets[1]);
            let done = play(&mut fields, &state, &mut again, 3);
            assert!(done.fields == 0 && done.shared > 0, "now it is in use");
        }
        assert!(
            built > cases(20) && by_old > cases(1000),
            "{built}, {by_old}"
        );
    }

    #[test]
    fn later_requests_to_the_same_goal_share_a_field() {
        let mut random = fastrand::Rng::with_seed(36);
        let state = state(&mut random, 2, 1);
        let mut fields = SharedFields::default();
        let goal = Vec2::splat(9.5);
        let mut shared = 0;
        for tick in 0..200 {
            let to = [goal, place(&mut random, &state)];
            let ways = to.map(|to| (place(&mut random, &state), to));
            let mut jobs = ways.map(|way| job(&state, way, None));
            shared += play(&mut fields, &state, &mut jobs, tick).shared;
        }
        assert!(shared > 100, "{shared}");
        let groups = fields.groups.len();
        assert!(groups < 60, "{groups} of 200 others came to one cell twice");
    }

    #[test]
    fn a_lone_request_leaves_no_group_and_unused_groups_are_removed() {
        let mut random = fastrand::Rng::with_seed(33);
        let state = state(&mut random, 2, 1);
        let mut fields = SharedFields::default();
        let ways: Vec<(Vec2, Vec2)> = (0..50)
            .map(|x| (Vec2::splat(5.0), Vec2::new(x as f32 / 2.0 + 0.7, 9.0)))
            .collect();
        let mut alone: Vec<Job> = ways
            .iter()
            .step_by(2)
            .map(|way| job(&state, *way, None))
            .collect();
        play(&mut fields, &state, &mut alone, 1);
        assert_eq!(fields.groups.len(), 0);
        let mut chase = [job(&state, ways[3], Some(TARGET))];
        play(&mut fields, &state, &mut chase, 2);
        assert_eq!(fields.groups.len(), 1);
        fields.tidy(1 + MAX_UNUSED_TICKS, 99);
        assert_eq!(fields.groups.len(), 1);
        fields.tidy(2 + MAX_UNUSED_TICKS, 100);
        assert_eq!(fields.groups.len(), 0);
    }

    #[test]
    fn fields_keep_to_their_memory_limit_and_the_oldest_goes_first() {
        let mut random = fastrand::Rng::with_seed(34);
        let state = state(&mut random, 2, 1);
        let mut fields = SharedFields::default();
        let mut each = 0;
        for tick in 0..3_u32 {
            let goal = Vec2::splat(5.5 + tick as f32);
            let ways = (0..200).map(|_| (place(&mut random, &state), goal));
            let mut jobs: Vec<Job> = ways.map(|way| job(&state, way, None)).collect();
            play(&mut fields, &state, &mut jobs, tick);
            each = fields.groups.values().map(Group::bytes).max().unwrap_or(0);
        }
        assert!(each > 0 && fields.groups.len() == 3);
        fields.keep(2 * each, 3);
        let asked = fields.groups.values().map(|group| group.asked);
        let mut asked: Vec<u32> = asked.collect();
        asked.sort_unstable();
        assert_eq!(asked, [1, 2]);
    }
}
