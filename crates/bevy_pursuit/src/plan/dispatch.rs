//! Sends searches off: takes who is in line, reads what each wants now, and hands it to a task.

use std::iter;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use bevy::ecs::entity::EntityHashSet;
use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::prelude::*;
use bevy::ecs::query::Allow;
use bevy::log::warn_once;
use bevy::math::{Vec2, Vec3};
use bevy::tasks::AsyncComputeTaskPool;

use super::answer::{AnswerWriter, Waiter, WaiterItem};
use super::ask::AskLimit;
use super::batch::{Batch, SearchTasks};
use super::ends::{Task, Trip};
use super::fields::SharedFields;
use super::jobs::{Answer, Answers, GridState, Job, Limits, put_in_order, run_jobs, split};
use super::queue::{Pending, PlanQueue};
use super::recorder::PathRecorder;
use crate::agent::{
    BodyState, ChaseIndex, FailReason, GridPlane, Intent, Jam, NavAgent, NavBody, PathStatus,
    Purpose, Walk,
};
use crate::grid::{BakedGrid, GridView, NavGrid, NavSnapshot, why_none};
use crate::schedule::TickCount;
use crate::settings::{PlanMode, PursuitSettings};

/// Largest reach of a jam whose body did not move since, in radii of the body.
const MAX_JAM_RADII_UNMOVED: f32 = 4.0;
/// Largest reach of a jam, in radii of the body. More: longer detours, larger searches. Less: no agent passes a
/// wide crate.
const MAX_JAM_RADII: f32 = 16.0;

/// The bodies of agents that others flee from.
type ThreatBodies<'w, 's> = Query<'w, 's, (&'static NavAgent, &'static BodyState)>;

/// Starts searches for the requests in line, several to a task.
pub(crate) fn start_searches(
    settings: Res<PursuitSettings>,
    grids: Query<(Entity, &BakedGrid), With<NavGrid>>,
    mut tasks: ResMut<SearchTasks>,
    mut limit: ResMut<AskLimit>,
    mut fields: ResMut<SharedFields>,
    (ticks, index, agents): (Res<TickCount>, Res<ChaseIndex>, ThreatBodies),
    mut writer: AnswerWriter,
) {
    let (queue, waiters) = (&mut *writer.queue, &mut writer.waiters);
    limit.set_if_neq(AskLimit(settings.max_expanded));
    queue.unpark();
    queue.waiting.append(&mut tasks.returned);
    let pool = AsyncComputeTaskPool::get_or_init(Default::default);
    let inline = settings.plan_mode == PlanMode::Inline;
    let room = if inline {
        usize::MAX
    } else {
        tasks.room(pool.thread_num())
    };
    if room > 0 && !queue.waiting.is_empty() {
        queue.paid.retain(|grid, _| grids.contains(*grid));
        let mut plan_grids: Vec<PlanGrid> = grids.iter_inner().map(PlanGrid::new).collect();
        let refused = take_jobs(room, &mut plan_grids, queue, (waiters, &agents));
        let mut done = vec![refused];
        let mut limits = Limits {
            max_expanded: settings.max_expanded,
            budget: u64::from(settings.search_budget.max(1)),
        };
        let tick = ticks.0 as u32;
        let works = plan_grids.into_iter().filter_map(|plan_grid| {
            let fields =
                settings
                    .share_fields
                    .then_some((&mut *fields, &index.shared_targets, tick));
            plan_grid.into_work(fields)
        });
        let mut works: Vec<(GridState, Vec<Job>)> = works.collect();
        // The jobs stand in order: whose first one is oldest goes first.
        works.sort_by_key(|(_, jobs)| jobs.first().map(|job| job.group));
        for (state, jobs) in works {
            if inline {
                let never = AtomicBool::new(false);
                let paid = queue.paid.entry(state.grid).or_default();
                let cancels = iter::repeat(&never);
                let answers = run_jobs(&state, &jobs, limits, Some(paid), cancels);
                limits.budget = limits.budget.saturating_sub(answers.spent).max(1);
                done.push(answers);
            } else {
                make_ready(&state, &jobs, pool, limits, settings.batch_size, &mut tasks);
            }
        }
        done.into_iter().for_each(|answers| writer.deliver(answers));
    }
    fields.tidy(ticks.0 as u32, writer.stats.fields);
    writer.stats.tasks_in_flight = tasks.batches.len();
    writer.stats.queued = writer.queue.len();
}

/// Sends off what was made ready in this frame, when the frame is over: where cores are few, threads
/// that wake up in the midst of it would take them from the systems that follow.
pub(crate) fn begin_searches(mut tasks: ResMut<SearchTasks>) {
    let pool = AsyncComputeTaskPool::get_or_init(Default::default);
    for batch in &mut tasks.batches {
        batch.begin(pool);
    }
}

/// A grid as it is in this tick, and the searches to run on it.
struct PlanGrid<'a> {
    view: GridView,
    baked: &'a BakedGrid,
    jobs: Vec<Job>,
}

impl<'a> PlanGrid<'a> {
    fn new((grid, baked): (Entity, &'a BakedGrid)) -> Self {
        Self {
            view: GridView::new((grid, baked)),
            baked,
            jobs: Vec::new(),
        }
    }

    fn into_work(
        mut self,
        sharing: Option<(&mut SharedFields, &EntityHashSet, u32)>,
    ) -> Option<(GridState, Vec<Job>)> {
        let snapshot = self.baked.snapshot().filter(|_| !self.jobs.is_empty())?;
        for job in &mut self.jobs {
            job.goal_cell = snapshot.layout().cell_clamped(job.trip.order.goal);
        }
        if let Some((fields, shared_targets, tick)) = sharing {
            let state = (self.view.entity, &**snapshot);
            fields.share_chases(state, &mut self.jobs, shared_targets, tick);
            put_in_order(&mut self.jobs);
            fields.share_points(self.view.entity, &mut self.jobs, tick);
        } else {
            put_in_order(&mut self.jobs);
        }
        let state = GridState {
            grid: self.view.entity,
            frame: self.view.frame,
            snapshot: Arc::clone(snapshot),
        };
        Some((state, self.jobs))
    }
}

/// Takes up to `room` searches out of line and gives them to their grids; gives back what cannot be
/// searched for at all. Drops what nobody waits for any more.
fn take_jobs(
    room: usize,
    plan_grids: &mut [PlanGrid],
    queue: &mut PlanQueue,
    (waiters, agents): (&mut Query<Waiter, Allow<Disabled>>, &ThreatBodies),
) -> Answers {
    let mut refused = Answers::default();
    let mut left = room;
    while left > 0 && !queue.waiting.is_empty() {
        for waiting in queue.take(left) {
            let Ok(mut waiter) = waiters.get_mut(waiting.entity) else {
                continue;
            };
            if !waiter.planning.waits_for(waiting.ticket) {
                continue;
            }
            let intent = waiter.intent;
            match find_grid(intent, waiter.position.0, plan_grids) {
                Found::On(jobs, frame, snapshot) => {
                    let mut job = job(waiting, &waiter, frame);
                    job.trip.threat = threat(intent, agents);
                    job.trip.task = task_on(snapshot, &waiter, &job.trip);
                    jobs.push(job);
                    let planning = waiter.planning.bypass_change_detection();
                    // What it wants now is what is searched for, not what it wanted in line.
                    planning.take_on(intent, *waiter.status);
                    if *waiter.status == PathStatus::Queued {
                        *waiter.status = PathStatus::Searching;
                    }
                    planning.asked_on = snapshot.generation() as u32;
                    left -= 1;
                }
                Found::NotYet => queue.parked.push(waiting),
                Found::Nothing(reason) => refused.answers.push(Answer {
                    waiting,
                    trip: job(waiting, &waiter, GridPlane::XY).trip,
                    result: Err(reason),
                    recording: None,
                }),
            }
        }
    }
    refused
}

/// The body of whom an agent flees from, if that is an agent.
fn threat(intent: &Intent, agents: &ThreatBodies) -> Option<NavBody> {
    let target = intent.order.target.filter(|_| intent.order.is_flight())?;
    let (agent, driver) = agents.get(target).ok()?;
    Some(NavBody {
        radius: agent.radius + driver.gap,
        class: agent.class,
    })
}

fn job(waiting: Pending, waiter: &WaiterItem, frame: GridPlane) -> Job {
    let start = frame.to_grid(waiter.position.0);
    Job {
        waiting,
        goal_cell: None,
        group: 0,
        shared: None,
        trip: Trip {
            start,
            order: waiter.intent.order,
            threat: None,
            may_return: Walk::from(waiter.walker).is_agent,
            task: task(waiter, &frame).unwrap_or_default(),
            recorded_by: waiter.recorder.as_deref().map(PathRecorder::algorithm),
        },
    }
}

/// What was enqueued, with what it is about. Not of who was sent elsewhere while it was in line, or wants
/// something else than its path was planned for: that is of no use to it.
fn task(waiter: &WaiterItem, frame: &GridPlane) -> Option<Task> {
    let (intent, path, planning) = (waiter.intent, &*waiter.path, &waiter.planning);
    if planning.is_sent(intent, *waiter.status) {
        return None;
    }
    let path_serves = || path.serves(&intent.order);
    match planning.purpose {
        Purpose::Check if path_serves() => Some(Task::Check {
            end: path.end_cell?,
            shortfall: waiter.status.reason()?,
        }),
        Purpose::Detour => stuck_at(waiter, frame),
        Purpose::WayBack if path_serves() => path.detour().map(|jam| Task::WayBack { jam }),
        _ => None,
    }
}

/// The task of a trip on the ground as it is.
fn task_on(snapshot: &NavSnapshot, waiter: &WaiterItem, trip: &Trip) -> Task {
    let (layout, path) = (snapshot.layout(), &*waiter.path);
    let cell = layout.cell_size();
    match trip.task {
        // A cell of a grid that lay elsewhere names another place.
        Task::Check { end, .. } => {
            let away = layout.center(end).distance(path.end);
            match away.is_nan() || away > cell {
                true => Task::Path,
                false => trip.task,
            }
        }
        // What holds it up does so wherever its target goes meanwhile.
        Task::Path if !waiter.planning.is_sent(waiter.intent, *waiter.status) => {
            let is_beside = |jam: &Jam| !jam.is_left_behind(trip.start, trip.order.radius, cell);
            let jam = path.detour().filter(is_beside);
            let jam = jam.filter(|_| path.serves(&trip.order));
            let around = |jam: Jam| {
                let ahead = (jam.place - trip.start).normalize_or(Vec2::X);
                Task::Detour { jam, ahead }
            };
            jam.map_or(Task::Path, around)
        }
        other => other,
    }
}

/// A way around where a body that is stuck cannot go on: a place one radius ahead of it, and what is near. More of that where it is stuck again near there:
/// else it comes from one side of what holds it up to the other and back.
fn stuck_at(waiter: &WaiterItem, frame: &GridPlane) -> Option<Task> {
    let (order, path) = (&waiter.intent.order, &*waiter.path);
    let radius = order.radius;
    let here = frame.to_grid(waiter.position.0);
    let ahead = (point_ahead(waiter, frame, here, radius)? - here).try_normalize()?;
    let jam = Jam {
        place: here + ahead * radius,
        radius,
        was_passed: false,
    };
    let is_same = |jam: &Jam| path.order.grid == order.grid && jam.is_near(here, radius);
    // Among others, those who turn back would press on those behind.
    let has_company = waiter
        .crowd_state
        .is_some_and(|it| it.memory.companions > 0);
    let Some(before) = path.jam.filter(is_same).filter(|_| !has_company) else {
        return Some(Task::Detour { jam, ahead });
    };
    // Who is where its path begins may be held by its game.
    let begin = path.waypoint(0).map(|begin| frame.to_grid(begin));
    let has_moved = begin.is_none_or(|begin| begin.distance(here) > radius);
    let most = if has_moved {
        MAX_JAM_RADII
    } else {
        MAX_JAM_RADII_UNMOVED
    };
    let jam = before.grown(&jam, most);
    Some(Task::Detour { jam, ahead })
}

/// The point so far ahead on the way of a body, or where that ends. `None` if it is there.
fn point_ahead(waiter: &WaiterItem, frame: &GridPlane, from: Vec2, distance: f32) -> Option<Vec2> {
    let next = Walk::from(waiter.walker).next;
    let goes_straight = waiter.memory.is_some_and(|it| it.left_path);
    let waypoints = (next..).map_while(|number| waiter.path.waypoint(number));
    let waypoints = waypoints.take_while(|_| !goes_straight);
    let goal = waiter.intent.order.goal;
    let points = waypoints.map(|point| frame.to_grid(point)).chain([goal]);
    let (mut here, mut left) = (from, distance);
    for point in points {
        let way = here.distance(point);
        if way > left {
            return Some(here + (point - here) * (left / way));
        }
        (here, left) = (point, left - way);
    }
    (here != from).then_some(here)
}

/// Where to search for an intent.
enum Found<'s, 'a> {
    /// Among these jobs, on this snapshot.
    On(&'s mut Vec<Job>, GridPlane, &'a NavSnapshot),
    /// On a grid whose first bake is under way.
    NotYet,
    Nothing(FailReason),
}

/// Finds the grid that an intent is planned on.
fn find_grid<'s, 'a>(
    intent: &Intent,
    start: Vec3,
    plan_grids: &'s mut [PlanGrid<'a>],
) -> Found<'s, 'a> {
    let Some(grid) = intent.order.grid else {
        return match why_none(plan_grids.iter().map(|plan_grid| plan_grid.baked)) {
            // Whether its values make sense, its first bake says.
            FailReason::NotBaked => Found::NotYet,
            reason => Found::Nothing(reason),
        };
    };
    if !start.is_finite() {
        return Found::Nothing(FailReason::OutsideGrid);
    }
    warn_of_border(intent, plan_grids);
    let plan_grid = plan_grids
        .iter_mut()
        .find(|plan_grid| plan_grid.view.entity == grid);
    let Some(plan_grid) = plan_grid.filter(|plan_grid| plan_grid.baked.error().is_none()) else {
        return Found::Nothing(FailReason::NoGrid);
    };
    match plan_grid.baked.snapshot() {
        Some(snapshot) => Found::On(&mut plan_grid.jobs, plan_grid.view.frame, snapshot),
        None => Found::NotYet,
    }
}

/// Says once that no way leads from one grid to another.
fn warn_of_border(intent: &Intent, plan_grids: &[PlanGrid]) {
    let views = || plan_grids.iter().map(|plan_grid| &plan_grid.view);
    let is_own = |view: &&GridView| Some(view.entity) == intent.order.grid;
    let Some(own) = views().find(is_own) else {
        return;
    };
    let goal = own.frame.to_world(intent.order.goal);
    if !own.holds(goal) && views().any(|view| view.holds(goal)) {
        warn_once!(
            "an agent's goal at {} lies outside of the NavGrid that the agent is on, and inside of \
             another one. No way leads from grid to grid: cover both places with one grid (said \
             once)",
            goal
        );
    }
}

/// Makes `jobs` ready: few to a task where there are few, so that all threads get some.
fn make_ready(
    state: &GridState,
    jobs: &[Job],
    pool: &AsyncComputeTaskPool,
    limits: Limits,
    batch_size: usize,
    tasks: &mut SearchTasks,
) {
    let shares = 4 * pool.thread_num().max(1);
    let size = jobs.len().div_ceil(shares);
    for jobs in split(jobs, size, batch_size.max(1)) {
        let batch = Batch::new(state.clone(), jobs.to_vec(), limits);
        tasks.batches.push(batch);
    }
}
