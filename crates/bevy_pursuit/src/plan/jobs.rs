//! Jobs: searches that can run on any thread, one after the other.

use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, ThreadId};
use std::time::Duration;

use bevy::ecs::entity::Entity;
use bevy::platform::time::Instant;
use pursuit::Cell;

use super::ends::Trip;
use super::planner::{Planned, Planner, Sharing};
use super::queue::Pending;
use super::recorder::Recorded;
use crate::agent::{FailReason, GridPlane, NavBodyKey, Price, Ticket};
use crate::fields::Share;
use crate::grid::NavSnapshot;

/// The state of a grid that searches read.
#[derive(Clone)]
pub(crate) struct GridState {
    pub(crate) grid: Entity,
    pub(crate) frame: GridPlane,
    pub(crate) snapshot: Arc<NavSnapshot>,
    pub(crate) prices: Arc<[Price]>,
}

/// One search, ready to run on any thread.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    pub(crate) waiting: Pending,
    pub(crate) trip: Trip,
    /// The cell that contains the goal, or the nearest cell to a goal outside of the grid. `None` if the goal is not
    /// finite.
    pub(crate) goal_cell: Option<Cell>,
    /// The oldest ticket among the jobs to the same goal; see [`put_in_order`].
    pub(crate) group: Ticket,
    /// What the job shares with other jobs to the same goal.
    pub(crate) shared: Option<Share>,
}

impl Job {
    /// The goal's cell and the body. Consecutive jobs with the same key form a group, which shares work.
    pub(super) fn goal_key(&self) -> (Option<Cell>, NavBodyKey) {
        (self.goal_cell, self.trip.order.body().key())
    }
}

/// Sorts jobs so that jobs to the same goal are adjacent. Groups are sorted by their oldest jobs, and the jobs of a
/// group by age, so that jobs that were left over in one tick go first in the next.
pub(crate) fn put_in_order(jobs: &mut [Job]) {
    jobs.sort_unstable_by_key(|job| (job.goal_key(), job.waiting.ticket));
    for group in jobs.chunk_by_mut(|a, b| a.goal_key() == b.goal_key()) {
        let oldest = group[0].waiting.ticket;
        group.iter_mut().for_each(|job| job.group = oldest);
    }
    jobs.sort_unstable_by_key(|job| (job.group, job.waiting.ticket));
}

/// The result of a [`Job`].
pub(crate) struct Answer {
    pub(crate) waiting: Pending,
    pub(crate) trip: Trip,
    pub(crate) result: Result<Planned, FailReason>,
    /// The recording of the search, if a recording was requested and a search ran.
    pub(crate) recording: Option<Recorded>,
}

/// The results of jobs on one snapshot of a grid.
#[derive(Default)]
pub(crate) struct Answers {
    pub(crate) grid: Option<Entity>,
    pub(crate) frame: GridPlane,
    /// Generation of the snapshot that was searched.
    pub(crate) generation: u64,
    pub(crate) answers: Vec<Answer>,
    /// Requests for which the budget was not enough. They go back into the queue.
    pub(crate) unfinished: Vec<Pending>,
    /// Number of nodes that all searches expanded. Building a field counts as the nodes that a search expands in the
    /// same time.
    pub(crate) expanded: u64,
    /// Number of fields that were built.
    pub(crate) fields: u64,
    /// Number of requests that fields answered.
    pub(crate) shared: u64,
    /// The part of the budget that was spent, in nodes.
    pub(crate) spent: u64,
    /// Total time that the searches took.
    pub(crate) duration: Duration,
    /// The thread on which the searches ran.
    pub(crate) thread: Option<ThreadId>,
}

/// Limits for the work of searches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Maximum number of nodes that one search expands.
    pub(crate) max_expanded: Option<u32>,
    /// Number of nodes after which no further search begins.
    pub(crate) budget: u64,
}

/// Cost of finding the ends of a request and pulling its path taut: the number of nodes that a search expands in the
/// same time.
const REQUEST_NODES: u64 = 8;

/// Runs `jobs` one after the other until the budget is spent. Skips each job whose flag in `cancels` is set. The first
/// job that is not cancelled runs in any case. `charged` is for [`Planner::charging`]; `None` in a task.
pub(crate) fn run_jobs<'c>(
    state: &GridState,
    jobs: &[Job],
    limits: Limits,
    charged: Option<&mut Vec<NavBodyKey>>,
    cancels: impl IntoIterator<Item = &'c AtomicBool>,
) -> Answers {
    let began = Instant::now();
    let is_inline = charged.is_some();
    let planner = Planner::new(&state.snapshot, limits.max_expanded);
    let mut planner = planner.with_prices(&state.prices).charging(charged);
    let mut done = Answers {
        grid: Some(state.grid),
        frame: state.frame,
        generation: state.snapshot.generation(),
        ..Answers::default()
    };
    // On the main thread, a field has to fit into the budget of the tick.
    let max_field_nodes = if is_inline { limits.budget } else { u64::MAX };
    let groups = jobs.chunk_by(|a, b| a.goal_key() == b.goal_key());
    let counted = groups.flat_map(|group| (1..=group.len()).rev().zip(group));
    for ((same_goal, job), cancel) in counted.zip(cancels) {
        if cancel.load(Ordering::Relaxed) {
            continue;
        }
        if done.spent >= limits.budget && done.spent > 0 {
            done.unfinished.push(job.waiting);
            continue;
        }
        let sharing = Sharing {
            with: job.shared.as_ref(),
            upcoming_requests: same_goal,
            max_nodes: max_field_nodes,
        };
        let Some(result) = planner.plan(&job.trip, sharing, cancel) else {
            continue;
        };
        let expanded = mem::take(&mut planner.expanded);
        done.expanded += expanded;
        done.spent += expanded + mem::take(&mut planner.layered) + REQUEST_NODES;
        done.answers.push(Answer {
            waiting: job.waiting,
            trip: job.trip,
            result,
            recording: planner.recording.take(),
        });
    }
    (done.fields, done.shared) = planner.shared;
    done.duration = began.elapsed();
    done.thread = Some(thread::current().id());
    done
}

/// Splits `jobs` into batches of `size` jobs. A batch may be larger, up to `max_jobs`, to keep jobs to the same goal
/// together.
pub(crate) fn split(jobs: &[Job], size: usize, max_jobs: usize) -> impl Iterator<Item = &[Job]> {
    let max_jobs = max_jobs.max(1);
    let size = size.clamp(1, max_jobs);
    let mut rest = jobs;
    std::iter::from_fn(move || {
        let last = rest.get(..size).unwrap_or(rest).last()?;
        let follow = rest.iter().skip(size);
        let same_goal = follow.take_while(|job| job.goal_key() == last.goal_key());
        let end = (size + same_goal.count()).min(max_jobs).min(rest.len());
        let (batch, later) = rest.split_at(end);
        rest = later;
        Some(batch)
    })
}

#[cfg(test)]
mod tests {
    use crate::agent::NavOrder;
    use bevy::math::{UVec2, Vec2};
    use pursuit::{Clearance, DiagonalPolicy, Grid, Layout};
    use std::f32::consts::FRAC_1_SQRT_2;

    use super::super::waypoints::Plan;
    use super::*;

    const RADIUS: f32 = 0.4;

    /// A snapshot of a level in which `walls` of ten cells are walls.
    fn state(
        random: &mut fastrand::Rng,
        size: UVec2,
        walls: u32,
        policy: DiagonalPolicy,
    ) -> GridState {
        let level = Grid::from_fn(size.x, size.y, |_| random.u32(0..10) >= walls);
        let clearance = Clearance::from_grid(&level.expect("a size"), 2.0);
        let layout = Layout::new(Vec2::ZERO, 1.0, size.x, size.y).expect("a layout");
        GridState {
            grid: Entity::PLACEHOLDER,
            frame: GridPlane::XY,
            snapshot: Arc::new(NavSnapshot::new(layout, clearance, policy, 1)),
            prices: Arc::default(),
        }
    }

    fn jobs(random: &mut fastrand::Rng, size: UVec2, goals: &[Vec2], count: usize) -> Vec<Job> {
        let mut place = || {
            let [x, y] = [size.x, size.y].map(|cells| random.f32() * cells as f32);
            Vec2::new(x, y)
        };
        let mut jobs: Vec<Job> = (0..count)
            .map(|number| (number, goals[number % goals.len()]))
            .map(|(number, goal)| Job {
                goal_cell: Some(Cell::new(goal.x.floor() as i32, goal.y.floor() as i32)),
                group: Ticket::default(),
                shared: None,
                trip: trip(place(), goal),
                waiting: waiting(number as u32),
            })
            .collect();
        put_in_order(&mut jobs);
        jobs
    }

    fn share_by_goal(jobs: &mut [Job]) {
        for jobs in jobs.chunk_by_mut(|a, b| a.goal_key() == b.goal_key()) {
            let shared = Share::default();
            for job in jobs {
                job.shared = Some(shared.clone());
            }
        }
    }

    fn waiting(tick: u32) -> Pending {
        Pending {
            entity: Entity::PLACEHOLDER,
            ticket: Ticket { tick, serial: 0 },
            since: Instant::now(),
            away: 0.0,
        }
    }

    fn trip(start: Vec2, goal: Vec2) -> Trip {
        Trip {
            order: NavOrder {
                reach: 0.7,
                ..Trip::between(start, goal, RADIUS).order
            },
            ..Trip::between(start, goal, RADIUS)
        }
    }

    const NO_LIMITS: Limits = Limits {
        max_expanded: None,
        budget: u64::MAX,
    };

    fn run(state: &GridState, jobs: &[Job], max_expanded: Option<u32>) -> Vec<Answer> {
        let never = AtomicBool::new(false);
        let limits = Limits {
            max_expanded,
            ..NO_LIMITS
        };
        run_jobs(state, jobs, limits, None, std::iter::repeat(&never)).answers
    }

    fn plan_of(answer: &Answer) -> Option<&Plan> {
        match &answer.result {
            Ok(Planned::Path(plan)) => Some(plan),
            _ => None,
        }
    }

    #[test]
    fn requests_answered_together_get_the_same_answers_as_alone() {
        let mut random = fastrand::Rng::with_seed(5);
        let mut by_field = 0;
        for walls in [0, 2, 4, 5] {
            for policy in DiagonalPolicy::ALL {
                let size = UVec2::new(random.u32(20..80), random.u32(20..80));
                let state = state(&mut random, size, walls, policy);
                // Goals in the open and in walls, reachable and not, and one outside of the grid.
                let goals = [(0.5, 0.5), (11.2, 7.9), (11.7, 7.1), (-3.0, 9.0)].map(Vec2::from);
                let mut jobs = jobs(&mut random, size, &goals, 150);
                share_by_goal(&mut jobs);
                let together = run(&state, &jobs, None);
                assert_eq!(together.len(), jobs.len(), "no request is lost");
                for (job, together) in jobs.iter().zip(together) {
                    let alone = Job {
                        shared: None,
                        ..job.clone()
                    };
                    let alone = run(&state, &[alone], None).remove(0);
                    assert_eq!(together.waiting.ticket, job.waiting.ticket);
                    let (Some(together), Some(alone)) = (plan_of(&together), plan_of(&alone))
                    else {
                        assert_eq!(together.result, alone.result);
                        continue;
                    };
                    by_field += u32::from(alone.expanded > 0 && together.expanded == 0);
                    // Both paths cost the same along their cells. A path along steps is at most √2 times as long as
                    // the straight line, plus the ends.
                    let (short, long) = (
                        together.length.min(alone.length),
                        together.length.max(alone.length),
                    );
                    assert!(short >= long * FRAC_1_SQRT_2 - 1.0, "{job:?}");
                    assert_eq!(together.shortfall, alone.shortfall, "{job:?}");
                    let ends = |plan: &Plan| (plan.waypoints[0], plan.waypoints.last().copied());
                    assert_eq!(ends(together), ends(alone), "{job:?}");
                }
            }
        }
        assert!(by_field > 200, "only {by_field} were answered by a field");
    }

    #[cfg(feature = "recorder")]
    #[test]
    fn a_requested_algorithm_replaces_the_default_ones() {
        let mut random = fastrand::Rng::with_seed(15);
        let size = UVec2::new(60, 60);
        let mut recorded = 0;
        for policy in DiagonalPolicy::ALL {
            let state = state(&mut random, size, 4, policy);
            for mut job in jobs(&mut random, size, &[Vec2::new(50.5, 50.5)], 20) {
                let alone = run(&state, std::slice::from_ref(&job), None).remove(0);
                job.trip.recorded_by = Some(pursuit::Algorithm::AStar);
                let asked = run(&state, std::slice::from_ref(&job), None).remove(0);
                let (Some(alone), Some(plan)) = (plan_of(&alone), plan_of(&asked)) else {
                    assert_eq!(asked.result, alone.result);
                    continue;
                };
                assert_eq!(plan.shortfall, alone.shortfall, "{job:?}");
                let recording = asked.recording.as_ref().expect("it is recorded");
                assert_eq!(recording.search().name, "A*");
                assert_eq!(recording.counts().expanded, u64::from(plan.expanded));
                recorded += 1;
            }
        }
        assert!(recorded > 40, "{recorded} were recorded");
    }

    #[test]
    fn batches_hold_each_job_once_and_keep_goals_together() {
        let mut random = fastrand::Rng::with_seed(8);
        let goals: Vec<Vec2> = (0..7).map(|x| Vec2::new(x as f32, 0.0)).collect();
        let jobs = jobs(&mut random, UVec2::ONE, &goals, 70);
        let sizes = |size, max_jobs| -> Vec<usize> {
            let batches: Vec<&[Job]> = split(&jobs, size, max_jobs).collect();
            let tickets = |jobs: &[Job]| -> Vec<Ticket> {
                jobs.iter().map(|job| job.waiting.ticket).collect()
            };
            assert_eq!(tickets(&batches.concat()), tickets(&jobs));
            batches.iter().map(|batch| batch.len()).collect()
        };
        assert_eq!(sizes(4, 100), [10; 7], "one goal each");
        assert_eq!(sizes(11, 100), [20, 20, 20, 10]);
        assert_eq!(sizes(4, 8), [8, 8, 4, 8, 8, 4, 8, 8, 4, 8, 2], "at most 8");
        assert_eq!(sizes(0, 0), [1; 70]);
        assert_eq!(split(&[], 4, 8).count(), 0);
    }

    #[test]
    fn the_search_limit_also_holds_for_groups() {
        let mut random = fastrand::Rng::with_seed(6);
        let size = UVec2::new(60, 60);
        let state = state(&mut random, size, 4, DiagonalPolicy::NoCornerCut);
        let mut jobs = jobs(&mut random, size, &[Vec2::new(30.5, 30.5)], 100);
        share_by_goal(&mut jobs);
        let limited = run(&state, &jobs, Some(3));
        let expanded = |answer: &Answer| plan_of(answer).map_or(0, |plan| plan.expanded);
        assert!(limited.iter().all(|answer| expanded(answer) <= 3));
        assert!(limited.iter().any(|answer| expanded(answer) == 3));
    }

    #[test]
    fn jobs_beyond_the_budget_are_returned_and_go_first_next_time() {
        let mut random = fastrand::Rng::with_seed(6);
        let size = UVec2::new(60, 60);
        let state = state(&mut random, size, 4, DiagonalPolicy::NoCornerCut);
        let goals = [Vec2::new(30.5, 30.5), Vec2::new(3.5, 9.5)];
        let jobs = jobs(&mut random, size, &goals, 60);
        let never = AtomicBool::new(false);
        let limits = Limits {
            budget: 200,
            ..NO_LIMITS
        };
        let done = run_jobs(&state, &jobs, limits, None, std::iter::repeat(&never));
        assert!(!done.answers.is_empty() && !done.unfinished.is_empty());
        assert_eq!(done.answers.len() + done.unfinished.len(), jobs.len());
        let mut left: Vec<Job> = jobs[done.answers.len()..].to_vec();
        let oldest = left.iter().map(|job| job.waiting.ticket).min();
        let mut fresh = left[0].clone();
        fresh.waiting.ticket.tick = 1000;
        fresh.goal_cell = Some(Cell::new(0, 0));
        left.push(fresh);
        put_in_order(&mut left);
        assert_eq!(Some(left[0].waiting.ticket), oldest);
        assert_eq!(left.last().map(|job| job.waiting.ticket.tick), Some(1000));
    }

    #[test]
    fn the_budget_counts_the_cells_that_detours_expand() {
        let mut random = fastrand::Rng::with_seed(6);
        let size = UVec2::new(60, 60);
        let mut state = state(&mut random, size, 1, DiagonalPolicy::NoCornerCut);
        let price = Price::new((Vec2::splat(30.5), 9.0), (RADIUS.into(), Vec2::ZERO), 1);
        state.prices = [price].into();
        let mut jobs = jobs(&mut random, size, &[Vec2::new(55.5, 55.5)], 30);
        for job in &mut jobs {
            job.trip.start = Vec2::new(5.5, 5.5);
        }
        let never = AtomicBool::new(false);
        let budget = |budget| Limits {
            budget,
            ..NO_LIMITS
        };
        let run = |limits| run_jobs(&state, &jobs, limits, None, std::iter::repeat(&never));
        let each = run(NO_LIMITS).expanded / 30;
        assert!(each >= 40, "{each} cells for a way across the level");
        let done = run(budget(3 * each));
        assert_eq!((done.answers.len(), done.unfinished.len()), (3, 27));
    }

    #[test]
    fn building_layers_for_new_radii_counts_toward_the_budget() {
        let mut random = fastrand::Rng::with_seed(6);
        let size = UVec2::new(100, 100);
        let state = state(&mut random, size, 1, DiagonalPolicy::NoCornerCut);
        let mut jobs = jobs(&mut random, size, &[Vec2::new(55.5, 55.5)], 12);
        for (number, job) in jobs.iter_mut().enumerate() {
            job.trip.order.radius = 0.3 + 0.01 * number as f32;
        }
        let limits = Limits {
            budget: 3000,
            ..NO_LIMITS
        };
        let never = AtomicBool::new(false);
        let run = || run_jobs(&state, &jobs, limits, None, std::iter::repeat(&never));
        // Layers of 10,000 cells cost 1,000 nodes per body, and the searches little.
        assert_eq!(run().answers.len(), 3);
        // Layers that exist already are not charged again.
        assert_eq!(run().answers.len(), 5);
    }

    #[test]
    fn cancelled_jobs_are_skipped() {
        let mut random = fastrand::Rng::with_seed(7);
        let size = UVec2::new(30, 30);
        let state = state(&mut random, size, 0, DiagonalPolicy::NoCornerCut);
        let jobs = jobs(&mut random, size, &[Vec2::new(3.5, 3.5)], 10);
        let cancels: Vec<AtomicBool> = (0..10).map(|job| AtomicBool::new(job % 2 == 0)).collect();
        let answers = run_jobs(&state, &jobs, NO_LIMITS, None, &cancels).answers;
        let ticks: Vec<u32> = answers
            .iter()
            .map(|answer| answer.waiting.ticket.tick)
            .collect();
        assert_eq!(ticks, [1, 3, 5, 7, 9]);
    }
}
