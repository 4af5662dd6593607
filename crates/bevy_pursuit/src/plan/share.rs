//! Lets searches share a flow field: agents with the same goal get their paths from one field instead of running a
//! search each.
//!
//! Requests to one cell share a field, and so do the chasers of one target, if their bodies and grids are equal. When
//! the target moves, the old field still serves chasers that are far away, until a new field is built. The batch that
//! builds a new field uses it immediately. Other batches use a new field from the next tick, except the first field for
//! a goal on a snapshot, which all batches use immediately.

use bevy::ecs::entity::{Entity, EntityHashSet};

use super::jobs::Job;
use crate::agent::{GoalKind, Wants};
use crate::fields::{FieldCache, FieldGoal, FieldKey};
use crate::grid::NavSnapshot;

/// Makes the chasers of each target in `shared_targets` share a field. While a target moves, chasers that are far away
/// are sent to the target's position at the time when the field was built.
pub(super) fn share_chases(
    cache: &mut FieldCache,
    snapshot: &NavSnapshot,
    jobs: &mut [Job],
    (shared_targets, tick): (&EntityHashSet, u32),
) {
    for job in jobs.iter_mut().filter(|job| may_share(job, Wants::Follow)) {
        let order = &mut job.trip.order;
        let is_shared = order.target.is_some_and(|it| shared_targets.contains(&it));
        let Some(key) = FieldKey::of_chase(order).filter(|_| is_shared) else {
            continue;
        };
        let entry = cache.entry(key, tick);
        job.shared = Some(entry.share.clone());
        let way = (job.trip.start, order.goal, job.goal_cell);
        if let Some(field) = entry.nearby(snapshot, way, tick) {
            (order.goal, job.goal_cell) = (field.goal, field.goal_cell);
        }
    }
}

/// Makes requests to points in one cell share a field, a lone request only if its key has an entry or a recent lone
/// request had the same key. `jobs` must be sorted by [`put_in_order`](super::jobs::put_in_order).
pub(super) fn share_points(cache: &mut FieldCache, grid: Entity, jobs: &mut [Job], tick: u32) {
    for jobs in jobs.chunk_by_mut(|a, b| a.goal_key() == b.goal_key()) {
        let (Some(cell), body) = jobs[0].goal_key() else {
            continue;
        };
        let goal = FieldGoal::Cell(cell);
        let key = FieldKey { grid, body, goal };
        let is_point = |job: &&mut Job| may_share(job, Wants::Go);
        let is_alone = jobs.iter_mut().filter(is_point).nth(1).is_none();
        if cache.is_worth_sharing(key, is_alone) {
            for job in jobs.iter_mut().filter(is_point) {
                job.shared = Some(cache.entry(key, tick).share.clone());
            }
        }
    }
}

/// Whether a job is a plain, unrecorded search for `want`, and its goal is not the agent's own slot around a target.
fn may_share(job: &Job, want: Wants) -> bool {
    let trip = &job.trip;
    let has_own_slot = trip.order.goal_kind == GoalKind::Slot;
    let is_plain = trip.check.is_none() && trip.recorded_by.is_none();
    trip.order.want == want && is_plain && !has_own_slot
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use bevy::math::Vec2;
    use bevy::platform::time::Instant;
    use pursuit::oracle::cases;
    use pursuit::{Clearance, DiagonalPolicy, Grid, Layout, PathOptions, SearchScratch};

    use super::*;
    use crate::agent::{GridPlane, NavOrder, Ticket};
    use crate::grid::{NavSnapshot, goal_of_field};
    use crate::plan::ends::Trip;
    use crate::plan::jobs::{Answers, GridState, Limits, put_in_order, run_jobs};
    use crate::plan::planner::{Planned, Planner};
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
            prices: Arc::default(),
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
                    grid: Some(state.grid),
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

    #[test]
    fn a_field_for_all_leads_to_the_cell_that_a_path_leads_to() {
        let mut random = fastrand::Rng::with_seed(11);
        let mut substitutes = 0;
        for n in 0..cases(2000) {
            let state = state(&mut random, 1, 1);
            let radius = [RADIUS, 0.8, 1.3][n as usize % 3];
            let (start, goal) = (place(&mut random, &state), place(&mut random, &state));
            let trip = Trip::between(start, goal, radius);
            let layers = state.snapshot.layers(radius);
            let Ok((ends, goal_cell)) = Planner::new(&state.snapshot, None).ends(&trip) else {
                continue;
            };
            let to = goal_of_field(&state.snapshot, &layers, (goal, radius.into()));
            // A field to where the agent cannot get leads it nowhere.
            if to.is_some_and(|to| layers.is_reachable(ends.from, to)) {
                assert_eq!(to, Some(ends.to), "case {n}: from {start} to {goal}");
                substitutes += u32::from(ends.to != goal_cell);
            }
        }
        assert!(substitutes > 10, "{substitutes}");
    }

    /// Runs the jobs of one tick.
    fn play(fields: &mut FieldCache, state: &GridState, jobs: &mut [Job], tick: u32) -> Answers {
        send_off(fields, state, jobs, tick);
        run(state, jobs)
    }

    fn send_off(fields: &mut FieldCache, state: &GridState, jobs: &mut [Job], tick: u32) {
        let shared_targets = EntityHashSet::from_iter([TARGET]);
        share_chases(fields, &state.snapshot, jobs, (&shared_targets, tick));
        put_in_order(jobs);
        share_points(fields, state.grid, jobs, tick);
        fields.tidy((tick, 1.0 / 60.0), tick.into());
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
    /// is at most a cell and a half, or a twentieth of the chaser's distance from the target.
    #[test]
    fn chasers_of_a_moving_target_share_a_nearly_optimal_field() {
        let mut random = fastrand::Rng::with_seed(31);
        let (mut by_field, mut to_old_places) = (0, 0);
        let (options, mut scratch) = (PathOptions::default(), SearchScratch::new());
        for round in 0..cases(60) {
            let state = state(&mut random, [0, 2, 4][round % 3], 1);
            let layers = state.snapshot.layers(RADIUS);
            let mut fields = FieldCache::default();
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
                    assert!(moved <= (0.05 * trip.start.distance(target)).max(1.5));
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
        let mut fields = FieldCache::default();
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
            let mut fields = FieldCache::default();
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
        let mut fields = FieldCache::default();
        let goal = Vec2::splat(9.5);
        let mut shared = 0;
        for tick in 0..200 {
            let to = [goal, place(&mut random, &state)];
            let ways = to.map(|to| (place(&mut random, &state), to));
            let mut jobs = ways.map(|way| job(&state, way, None));
            shared += play(&mut fields, &state, &mut jobs, tick).shared;
        }
        assert!(shared > 100, "{shared}");
        let entries = fields.len();
        assert!(
            entries < 60,
            "{entries} of 200 others came to one cell twice"
        );
    }

    #[test]
    fn a_lone_request_leaves_no_entry_and_unused_entries_are_removed() {
        let mut random = fastrand::Rng::with_seed(33);
        let state = state(&mut random, 2, 1);
        let mut fields = FieldCache::default();
        let ways: Vec<(Vec2, Vec2)> = (0..50)
            .map(|x| (Vec2::splat(5.0), Vec2::new(x as f32 / 2.0 + 0.7, 9.0)))
            .collect();
        let mut alone: Vec<Job> = ways
            .iter()
            .step_by(2)
            .map(|way| job(&state, *way, None))
            .collect();
        play(&mut fields, &state, &mut alone, 1);
        assert_eq!(fields.len(), 0);
        let mut chase = [job(&state, ways[3], Some(TARGET))];
        play(&mut fields, &state, &mut chase, 2);
        assert_eq!(fields.len(), 1);
        fields.tidy((301, 1.0 / 60.0), 99);
        assert_eq!(fields.len(), 1);
        fields.tidy((302, 1.0 / 60.0), 100);
        assert_eq!(fields.len(), 0);
    }
}
