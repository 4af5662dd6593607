//! Starts searches: takes requests out of the queue, reads what each entity wants now, and hands the searches to tasks.

use std::iter;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use bevy::ecs::entity::EntityHashSet;
use bevy::ecs::entity_disabling::Disabled;
use bevy::prelude::*;
use bevy::tasks::AsyncComputeTaskPool;
use pursuit::Cell;

use super::answer::{AnswerWriter, Waiter, WaiterItem};
use super::ask::AskLimit;
use super::batch::{Batch, SearchTasks};
use super::ends::Trip;
use super::jobs::{Answer, Answers, GridState, Job, Limits, put_in_order, run_jobs, split};
use super::queue::{Pending, PlanQueue};
use super::recorder::PathRecorder;
use super::share::{share_chases, share_points};
use crate::agent::{
    BodyState, ChaseIndex, FailReason, GridPlane, Intent, Locomotion, NavAgent, NavBody,
    PathStatus, Price, Prices, Purpose, Ticket, Walk,
};
use crate::fields::FieldCache;
use crate::grid::{GridRef, Grids, NavSnapshot, why_none};
use crate::schedule::TickCount;
use crate::settings::{PlanMode, PursuitSettings};

/// Maximum width of a passage that a new price closes from wall to wall, in body radii. With a greater value, one body
/// in the middle of a wide passage closes the passage. With a smaller one, the disc has to grow until it closes the
/// passage.
const MAX_PASSAGE_RADII: f32 = 12.0;
/// Time after which a price fades, in seconds. With a greater value, agents walk around a place for longer after it is
/// free again. With a smaller one, agents return to a blocked place more often.
const FADE_SECONDS: f32 = 20.0;
/// Number of batches per thread if there are enough jobs for that, so that a slow batch does not leave the other
/// threads idle.
const BATCHES_PER_THREAD: usize = 4;

/// The bodies of all agents, to look up the body of an agent from which another agent flees.
type ThreatBodies<'w, 's> = Query<'w, 's, (&'static NavAgent, &'static BodyState)>;

/// Prepares batches of searches for the requests in the queue. With [`PlanMode::Inline`], runs the searches immediately
/// instead.
pub(crate) fn prepare_searches(
    settings: Res<PursuitSettings>,
    grids: Res<Grids>,
    mut tasks: ResMut<SearchTasks>,
    mut limit: ResMut<AskLimit>,
    (mut fields, mut prices): (ResMut<FieldCache>, ResMut<Prices>),
    (time, ticks): (Res<Time>, Res<TickCount>),
    (index, agents): (Res<ChaseIndex>, ThreatBodies),
    mut writer: AnswerWriter,
) {
    let (queue, waiters) = (&mut *writer.queue, &mut writer.waiters);
    limit.set_if_neq(AskLimit(settings.max_expanded));
    queue.waiting.append(&mut queue.parked);
    queue.waiting.append(&mut tasks.returned);
    let pool = AsyncComputeTaskPool::get_or_init(Default::default);
    let inline = settings.plan_mode == PlanMode::Inline;
    let room = match inline {
        true => usize::MAX,
        false => tasks.room(pool.thread_num()),
    };
    if room > 0 && !queue.waiting.is_empty() {
        let charged = &mut queue.charged_bodies;
        charged.retain(|grid, _| grids.index(*grid).is_some());
        let plan_grid = |grid| PlanGrid { grid, jobs: vec![] };
        let mut plan_grids: Vec<PlanGrid> = grids.iter().map(plan_grid).collect();
        // While the game is paused, ticks have no length.
        let dt = Some(settings.step(time.delta_secs())).filter(|dt| *dt > 0.0);
        let fades_at = ticks.0 + (FADE_SECONDS / dt.unwrap_or(1.0 / 60.0).max(1e-4)) as u64;
        let noted = (&mut *prices, ticks.0, fades_at);
        let refused = take_jobs(room, &mut plan_grids, queue, (waiters, &agents), noted);
        let mut done = vec![refused];
        let mut limits = Limits {
            max_expanded: settings.max_expanded,
            budget: u64::from(settings.search_budget.max(1)),
        };
        let tick = ticks.0 as u32;
        let works = plan_grids.into_iter().filter_map(|plan_grid| {
            let sharing = (&mut *fields, &index.shared_targets, tick);
            plan_grid.into_work(settings.share_fields.then_some(sharing), &prices)
        });
        let mut works: Vec<(GridState, Vec<Job>)> = works.collect();
        // The jobs of each grid are already sorted. Grids are sorted by the age of their first jobs, the oldest first.
        works.sort_by_key(|(_, jobs)| jobs.first().map(|job| job.group));
        for (state, jobs) in works {
            if inline {
                let never = AtomicBool::new(false);
                let charged = queue.charged_bodies.entry(state.grid).or_default();
                let cancels = iter::repeat(&never);
                let answers = run_jobs(&state, &jobs, limits, Some(charged), cancels);
                // The remaining budget is at least 1, like the setting. Each grid runs its first search anyway.
                limits.budget = limits.budget.saturating_sub(answers.spent).max(1);
                done.push(answers);
            } else {
                prepare_batches(&state, &jobs, pool, limits, settings.batch_size, &mut tasks);
            }
        }
        done.into_iter().for_each(|answers| writer.deliver(answers));
    }
    // If the total has changed, fields were built since the last call.
    let dt = settings.step(time.delta_secs());
    fields.tidy((ticks.0 as u32, dt), writer.stats.fields);
    writer.stats.tasks_in_flight = tasks.batches.len();
    writer.stats.queued = writer.queue.len();
}

/// Spawns the tasks of the batches that were prepared in this frame. Runs at the end of the frame, because on a machine
/// with few cores, threads that wake up earlier would take cores from the remaining systems.
pub(crate) fn spawn_searches(mut tasks: ResMut<SearchTasks>) {
    let pool = AsyncComputeTaskPool::get_or_init(Default::default);
    for batch in &mut tasks.batches {
        batch.begin(pool);
    }
}

/// A grid in this tick, and the searches to run on it.
struct PlanGrid<'a> {
    grid: GridRef<'a>,
    jobs: Vec<Job>,
}

impl PlanGrid<'_> {
    /// The jobs in the order in which they run, each with its goal cell and, with `sharing`, its share. `None` without
    /// jobs or a snapshot. `sharing` has the cache, the targets with several chasers, and the number of the tick.
    fn into_work(
        mut self,
        sharing: Option<(&mut FieldCache, &EntityHashSet, u32)>,
        prices: &Prices,
    ) -> Option<(GridState, Vec<Job>)> {
        let snapshot = self.grid.baked.snapshot();
        let snapshot = snapshot.filter(|_| !self.jobs.is_empty())?;
        for job in &mut self.jobs {
            job.goal_cell = snapshot.layout().cell_clamped(job.trip.order.goal);
        }
        // `share_chases` may change goal cells, by which jobs are sorted. `share_points` needs sorted jobs.
        if let Some((fields, shared_targets, tick)) = sharing {
            share_chases(fields, snapshot, &mut self.jobs, (shared_targets, tick));
            put_in_order(&mut self.jobs);
            share_points(fields, self.grid.entity, &mut self.jobs, tick);
        } else {
            put_in_order(&mut self.jobs);
        }
        let state = GridState {
            grid: self.grid.entity,
            frame: *self.grid.plane(),
            snapshot: Arc::clone(snapshot),
            prices: Arc::clone(&prices.of(Some(self.grid.entity)).list),
        };
        Some((state, self.jobs))
    }
}

/// Takes requests out of the queue, until `room` of them are jobs of their grids. Parks requests whose grid is not
/// baked yet, and drops requests whose entity no longer waits for them. Notes prices for stuck bodies. Returns
/// failure answers for requests that no grid can serve.
fn take_jobs(
    room: usize,
    plan_grids: &mut [PlanGrid],
    queue: &mut PlanQueue,
    (waiters, agents): (&mut Query<Waiter, Allow<Disabled>>, &ThreatBodies),
    (prices, now, fades_at): (&mut Prices, u64, u64),
) -> Answers {
    let mut refused = Answers::default();
    let mut remaining = room;
    while remaining > 0 && !queue.waiting.is_empty() {
        let mut taken = queue.take(remaining);
        // The order in which prices are noted must not depend on how the world stores agents.
        taken.sort_unstable_by_key(|waiting| waiting.ticket);
        for waiting in taken {
            let Ok(mut waiter) = waiters.get_mut(waiting.entity) else {
                continue;
            };
            if !waiter.planning.waits_for(waiting.ticket) {
                continue;
            }
            let intent = waiter.intent;
            let position = waiter.position.0;
            if position.is_finite() {
                warn_of_border(intent, plan_grids);
            }
            match find_grid(intent, position, plan_grids) {
                Found::On(index, snapshot) => {
                    let plan_grid = &mut plan_grids[index];
                    let mut job = new_job(waiting, &waiter, *plan_grid.grid.plane());
                    job.trip.threat = threat(intent, agents);
                    job.trip.check = check_ordered(snapshot, &waiter);
                    plan_grid.jobs.push(job);
                    if let Some((place, body)) = stuck_at(plan_grid.grid, snapshot, &waiter) {
                        let price = Price::new(place, body, fades_at);
                        prices.note(plan_grid.grid.entity, price, now);
                    }
                    let planning = waiter.planning.bypass_change_detection();
                    if planning.purpose == Purpose::AroundPrice {
                        // A search that the budget ends is taken again, and notes no second price.
                        planning.purpose = Purpose::Path;
                    }
                    // The search is for the present intent, which may differ from the one that was enqueued. This must
                    // come after `check_ordered`, which compares the intent with the enqueued one.
                    planning.take_on(intent, *waiter.status);
                    if *waiter.status == PathStatus::Queued {
                        *waiter.status = PathStatus::Searching;
                    }
                    planning.asked_on = snapshot.generation();
                    planning.prices = prices.of(intent.order.grid).revision;
                    remaining -= 1;
                }
                Found::NotYet => queue.parked.push(waiting),
                Found::Nothing(reason) => refused.answers.push(Answer {
                    waiting,
                    trip: new_job(waiting, &waiter, GridPlane::XY).trip,
                    result: Err(reason),
                    recording: None,
                }),
            }
        }
    }
    refused
}

/// The body of the entity from which an agent flees, if that entity is an agent.
fn threat(intent: &Intent, agents: &ThreatBodies) -> Option<NavBody> {
    let target = intent.order.target.filter(|_| intent.order.is_flight())?;
    let (agent, body_state) = agents.get(target).ok()?;
    Some(NavBody {
        radius: agent.radius + body_state.gap,
        class: agent.class,
    })
}

/// A job for what an entity wants now, without a threat.
fn new_job(waiting: Pending, waiter: &WaiterItem, frame: GridPlane) -> Job {
    let start = frame.to_grid(waiter.position.0);
    Job {
        waiting,
        // These three are set by `PlanGrid::into_work`.
        goal_cell: None,
        group: Ticket::default(),
        shared: None,
        trip: Trip {
            start,
            order: waiter.intent.order,
            threat: None,
            may_return: Walk::from(waiter.walker).is_agent,
            check: None,
            recorded_by: waiter.recorder.as_deref().map(PathRecorder::algorithm),
        },
    }
}

/// The end of the path and the reason why it falls short, if a check was enqueued. `None`, which means a plain path, if
/// the entity got a new order since then, if its path does not serve the present order, or if the grid has moved.
fn check_ordered(snapshot: &NavSnapshot, waiter: &WaiterItem) -> Option<(Cell, FailReason)> {
    let (intent, path, planning) = (waiter.intent, &*waiter.path, &waiter.planning);
    let is_check = planning.purpose == Purpose::Check
        && !planning.is_sent(intent, *waiter.status)
        && path.serves(&intent.order);
    let end = path.end_cell.filter(|_| is_check)?;
    let reason = waiter.status.reason()?;
    let away = snapshot.layout().center(end).distance(path.end);
    (away <= snapshot.layout().cell_size()).then_some((end, reason))
}

/// The disc one radius ahead of a body that is still stuck, the body, and its position. `None` if no price was asked
/// for, or if the body is no longer stuck, flees, or is at its goal.
fn stuck_at(
    grid: GridRef,
    snapshot: &NavSnapshot,
    waiter: &WaiterItem,
) -> Option<((Vec2, f32), (NavBody, Vec2))> {
    let order = &waiter.intent.order;
    let is_stuck = Walk::from(waiter.walker).how == Locomotion::Stuck;
    if waiter.planning.purpose != Purpose::AroundPrice || order.is_flight() || !is_stuck {
        return None;
    }
    let (mut body, frame) = (order.body(), grid.plane());
    // The radius leaves out the gap of a character controller, so that the price binds all bodies of this size.
    body.radius = (waiter.agent).map_or(body.radius, |it| it.radius.min(body.radius));
    let here = frame.to_grid(waiter.position.0);
    let ahead = (point_ahead(waiter, frame, here, body.radius) - here).try_normalize()?;
    let contact = here + ahead * body.radius;
    // In the open, the disc is as large as the body. In a passage, the disc closes the passage.
    let passage = passage(snapshot, contact, ahead * body.radius);
    let (place, width) = passage.unwrap_or((contact, 0.0));
    let disc = (place, body.radius.max(0.5 * width));
    Some((disc, (body, here)))
}

/// The middle of the passage at `place`, in grid coordinates, and its width, in world units. `ahead` points along the
/// passage, and is one body radius long. `None` in the open.
pub(super) fn passage(snapshot: &NavSnapshot, place: Vec2, ahead: Vec2) -> Option<(Vec2, f32)> {
    let widest = MAX_PASSAGE_RADII * ahead.length();
    let (side, from) = (ahead.perp(), place + 0.5 * ahead);
    let [left, right] = [side, -side]
        .map(|side| widest * snapshot.visible_fraction(from, from + MAX_PASSAGE_RADII * side, 0.0));
    let (width, half) = (left + right, 0.5 * (left - right));
    (width > 0.0 && width < widest).then(|| (place + side.normalize_or_zero() * half, width))
}

/// The first waypoint ahead of a body that is farther than `distance` world units from `from`, or the body's goal if
/// there is no such waypoint.
fn point_ahead(waiter: &WaiterItem, frame: &GridPlane, from: Vec2, distance: f32) -> Vec2 {
    let next = Walk::from(waiter.walker).next;
    let goes_straight = waiter.memory.is_some_and(|it| it.left_path);
    let waypoints = (next..).map_while(|number| waiter.path.waypoint(number));
    let waypoints = waypoints.take_while(|_| !goes_straight);
    let mut waypoints = waypoints.map(|point| frame.to_grid(point));
    let far = waypoints.find(|point| point.distance(from) > distance);
    far.unwrap_or(waiter.intent.order.goal)
}

/// The grid to search on for an intent.
enum Found<'a> {
    /// The grid with this index, and its snapshot.
    On(usize, &'a NavSnapshot),
    /// The first bake of the grid is not done.
    NotYet,
    /// There is no grid, for this reason.
    Nothing(FailReason),
}

fn find_grid<'a>(intent: &Intent, start: Vec3, plan_grids: &[PlanGrid<'a>]) -> Found<'a> {
    let Some(grid) = intent.order.grid else {
        return match why_none(plan_grids.iter().map(|plan_grid| plan_grid.grid.baked)) {
            // The first bake shows whether the grid's values are valid.
            FailReason::NotBaked => Found::NotYet,
            reason => Found::Nothing(reason),
        };
    };
    if !start.is_finite() {
        return Found::Nothing(FailReason::OutsideGrid);
    }
    let fits = |one: &PlanGrid| one.grid.entity == grid && one.grid.baked.error().is_none();
    let Some(index) = plan_grids.iter().position(fits) else {
        return Found::Nothing(FailReason::NoGrid);
    };
    match plan_grids[index].grid.snapshot() {
        Some(snapshot) => Found::On(index, snapshot),
        None => Found::NotYet,
    }
}

/// Warns once if the goal is on another grid than the agent: no path leads from one grid to another.
fn warn_of_border(intent: &Intent, plan_grids: &[PlanGrid]) {
    let grids = || plan_grids.iter().map(|plan_grid| plan_grid.grid);
    let is_own = |grid: &GridRef| Some(grid.entity) == intent.order.grid;
    let Some(own) = grids().find(is_own) else {
        return;
    };
    let goal = own.plane().to_world(intent.order.goal);
    if !own.holds(goal) && grids().any(|grid| grid.holds(goal)) {
        warn_once!(
            "an agent's goal at {} lies outside of the NavGrid that the agent is on, and inside of \
             another one. No path leads from grid to grid: cover both places with one grid (said \
             once)",
            goal
        );
    }
}

/// Splits `jobs` into batches, small ones if there are few jobs, so that every thread gets some.
fn prepare_batches(
    state: &GridState,
    jobs: &[Job],
    pool: &AsyncComputeTaskPool,
    limits: Limits,
    batch_size: usize,
    tasks: &mut SearchTasks,
) {
    let batch_count = BATCHES_PER_THREAD * pool.thread_num().max(1);
    let size = jobs.len().div_ceil(batch_count);
    for jobs in split(jobs, size, batch_size.max(1)) {
        let batch = Batch::new(state.clone(), jobs.to_vec(), limits);
        tasks.batches.push(batch);
    }
}
