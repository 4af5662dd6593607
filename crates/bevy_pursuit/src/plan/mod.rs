//! Takes orders, runs searches in tasks (or at once), and writes their answers.
//!
//! Pending work is data: an order waits in [`PlanQueue`] until a task takes it, and an answer is
//! taken in only if it is the one that its entity waits for.

pub(crate) mod batch;
pub(crate) mod field;
pub(crate) mod planner;
pub(crate) mod queue;
pub(crate) mod recheck;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use std::{iter, mem};

use bevy::app::{App, Last, Plugin};
use bevy::ecs::prelude::*;
use bevy::ecs::schedule::InternedScheduleLabel;
use bevy::log::warn_once;
use bevy::math::Vec2;
use bevy::platform::time::Instant;
use bevy::tasks::AsyncComputeTaskPool;
use bevy::transform::helper::TransformHelper;
use pursuit::Layout;

use crate::events::{PathFailed, PathFound};
use crate::grid::{BakedGrid, GridBaked, NavGrid};
use crate::motion::agent::{FailReason, NavPath, PathStatus, PlanTicket};
use crate::motion::place::world_position;
use crate::plan::batch::{Answer, Answers, Batch, Ground, Job, SearchTasks, run_jobs, split};
use crate::plan::queue::{Order, OrderKind, PlanQueue, Waiting};
use crate::plan::recheck::recheck_paths;
use crate::schedule::PursuitSystems;
use crate::settings::{PlanMode, PursuitSettings};
use crate::stats::PursuitStats;

/// The entities that asked, as planning sees them.
type Asking<'w, 's> = Query<
    'w,
    's,
    (
        &'static mut PlanTicket,
        &'static mut PathStatus,
        &'static mut NavPath,
    ),
>;

/// Runs searches.
pub(crate) struct PlanPlugin {
    pub(crate) schedule: InternedScheduleLabel,
}

impl Plugin for PlanPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<PursuitSettings>()
            .init_resource::<PursuitStats>()
            .init_resource::<PlanQueue>()
            .init_resource::<SearchTasks>()
            .add_message::<GridBaked>()
            .register_type::<NavPath>()
            .register_type::<PathStatus>()
            .register_type::<PlanTicket>()
            .register_type::<PathFound>()
            .register_type::<PathFailed>()
            .register_type::<PursuitSettings>()
            .register_type::<PursuitStats>()
            .add_systems(
                self.schedule,
                (recheck_paths, poll_searches, accept_orders, start_searches)
                    .chain()
                    .in_set(PursuitSystems::Plan),
            )
            .add_systems(Last, begin_searches);
    }
}

/// Gives each order a ticket and puts it in line; carries out stops.
fn accept_orders(transforms: TransformHelper, mut queue: ResMut<PlanQueue>, mut entities: Asking) {
    if queue.orders.is_empty() {
        return;
    }
    let since = Instant::now();
    let PlanQueue {
        orders,
        waiting,
        count,
        ..
    } = &mut *queue;
    for Order { entity, kind } in orders.drain(..) {
        let Ok((mut ticket, mut status, mut path)) = entities.get_mut(entity) else {
            continue;
        };
        ticket.serial += 1;
        ticket.is_outdated = false;
        match kind {
            OrderKind::Plan {
                goal,
                radius,
                tolerance,
                refresh,
            } => {
                ticket.pending = true;
                let keeps = matches!(*status, PathStatus::Found | PathStatus::Partial(_));
                if !(refresh && keeps) {
                    *status = PathStatus::Queued;
                }
                let start = world_position(&transforms, entity);
                waiting.push(Waiting {
                    entity,
                    serial: ticket.serial,
                    goal,
                    radius,
                    tolerance,
                    since,
                    number: *count,
                    away: start.map_or(0.0, |start| start.distance_squared(goal)),
                });
                *count += 1;
            }
            OrderKind::Stop(stopped) => {
                ticket.pending = false;
                *status = stopped;
                *path = NavPath {
                    serial: path.serial + 1,
                    ..NavPath::default()
                };
            }
        }
    }
}

/// Takes in the answers of finished tasks and cancels searches that nobody waits for.
fn poll_searches(
    grids: Query<&BakedGrid>,
    mut tasks: ResMut<SearchTasks>,
    mut queue: ResMut<PlanQueue>,
    mut stats: ResMut<PursuitStats>,
    mut commands: Commands,
    mut entities: Asking,
) {
    let SearchTasks { batches, pace } = &mut *tasks;
    batches.retain_mut(|batch| {
        let Some(answers) = batch.poll() else {
            return batch.keep_wanted(|entity, serial| {
                entities
                    .get(entity)
                    .is_ok_and(|(ticket, ..)| ticket.pending && ticket.serial == serial)
            });
        };
        pace.note(&answers);
        let mut desk = Desk {
            has_grid: has_snapshot(&grids, answers.grid),
            queue: &mut queue,
            stats: &mut stats,
            commands: &mut commands,
        };
        desk.deliver(answers, &mut entities);
        false
    });
    stats.tasks_in_flight = tasks.batches.len();
}

fn has_snapshot(grids: &Query<&BakedGrid>, grid: Entity) -> bool {
    grids
        .get(grid)
        .is_ok_and(|baked| baked.snapshot().is_some())
}

/// Starts searches for the requests in line, several to a task.
fn start_searches(
    settings: Res<PursuitSettings>,
    transforms: TransformHelper,
    grids: Query<(Entity, Ref<NavGrid>, Ref<BakedGrid>)>,
    mut grid_count: Local<usize>,
    mut tasks: ResMut<SearchTasks>,
    mut queue: ResMut<PlanQueue>,
    mut stats: ResMut<PursuitStats>,
    mut commands: Commands,
    mut entities: Asking,
) {
    let count = grids.iter().len();
    let has_changed = |(_, nav, baked): (Entity, Ref<NavGrid>, Ref<BakedGrid>)| {
        nav.is_changed() || baked.is_changed()
    };
    if mem::replace(&mut *grid_count, count) != count || grids.iter().any(has_changed) {
        let PlanQueue {
            waiting, parked, ..
        } = &mut *queue;
        waiting.append(parked);
    }
    let inline = settings.plan_mode == PlanMode::Inline;
    let pool = AsyncComputeTaskPool::get_or_init(Default::default);
    let room = if inline {
        usize::MAX
    } else {
        tasks.room(pool.thread_num())
    };
    if room > 0 && !queue.waiting.is_empty() {
        let mut sites: Vec<Site> = grids.iter_inner().map(Site::new).collect();
        let refused = take_jobs(room, &mut sites, &mut queue, &transforms, &mut entities);
        let mut done = vec![refused];
        for site in sites {
            let Some((ground, jobs)) = site.into_work() else {
                continue;
            };
            if inline {
                let never = AtomicBool::new(false);
                let cancels = iter::repeat(&never);
                done.push(run_jobs(&ground, &jobs, settings.max_expanded, cancels));
            } else {
                make_ready(&ground, &jobs, pool, &settings, &mut tasks);
            }
        }
        for answers in done {
            let mut desk = Desk {
                has_grid: true,
                queue: &mut queue,
                stats: &mut stats,
                commands: &mut commands,
            };
            desk.deliver(answers, &mut entities);
        }
    }
    stats.tasks_in_flight = tasks.batches.len();
    stats.queued = queue.waiting.len() + queue.parked.len();
}

/// A grid as it is in this tick, and the searches to run on it.
struct Site<'a> {
    grid: Entity,
    baked: &'a BakedGrid,
    layout: Option<Layout>,
    jobs: Vec<Job>,
}

impl<'a> Site<'a> {
    fn new((grid, nav, baked): (Entity, Ref<'a, NavGrid>, Ref<'a, BakedGrid>)) -> Self {
        Self {
            grid,
            baked: baked.into_inner(),
            layout: nav.layout().ok(),
            jobs: Vec::new(),
        }
    }

    fn into_work(mut self) -> Option<(Ground, Vec<Job>)> {
        let snapshot = self.baked.snapshot().filter(|_| !self.jobs.is_empty())?;
        for job in &mut self.jobs {
            job.goal_cell = snapshot.layout().cell_clamped(job.waiting.goal);
        }
        self.jobs.sort_unstable_by_key(Job::order);
        let ground = Ground {
            grid: self.grid,
            snapshot: Arc::clone(snapshot),
        };
        Some((ground, self.jobs))
    }
}

/// Takes up to `room` searches out of line and gives them to their sites; gives back what cannot be
/// searched for at all. Drops what nobody waits for any more.
fn take_jobs(
    room: usize,
    sites: &mut [Site],
    queue: &mut PlanQueue,
    transforms: &TransformHelper,
    entities: &mut Asking,
) -> Answers {
    let mut refused = Vec::new();
    let mut left = room;
    while left > 0 && !queue.waiting.is_empty() {
        for waiting in queue.take(left) {
            let Ok((ticket, mut status, _)) = entities.get_mut(waiting.entity) else {
                continue;
            };
            if !ticket.pending || ticket.serial != waiting.serial {
                continue;
            }
            let start = world_position(transforms, waiting.entity);
            match find_site(start, sites) {
                Found::Site(jobs, start) => {
                    jobs.push(Job {
                        waiting,
                        start,
                        goal_cell: None,
                    });
                    status.set_if_neq(match *status {
                        PathStatus::Queued => PathStatus::Searching,
                        kept => kept,
                    });
                    left -= 1;
                }
                Found::NotYet => queue.parked.push(waiting),
                Found::Nothing(reason) => refused.push(Answer {
                    waiting,
                    result: Err(reason),
                }),
            }
        }
    }
    Answers {
        grid: Entity::PLACEHOLDER,
        generation: 0,
        answers: refused,
        duration: Duration::ZERO,
    }
}

/// Where to search from a start.
enum Found<'a> {
    /// Among these jobs, from here.
    Site(&'a mut Vec<Job>, Vec2),
    /// On a grid whose first bake is under way.
    NotYet,
    Nothing(FailReason),
}

/// Finds the grid that a request is planned on, as it is at this moment.
fn find_site<'a>(start: Option<Vec2>, sites: &'a mut [Site]) -> Found<'a> {
    let Some(start) = start.filter(|start| start.is_finite()) else {
        return Found::Nothing(FailReason::OutsideGrid);
    };
    let mut reason = FailReason::NoGrid;
    for site in sites {
        let snapshot = site.baked.snapshot();
        if snapshot.is_none() && site.baked.error().is_some() {
            continue;
        }
        let layout = snapshot.map(|snapshot| snapshot.layout());
        let covers = |layout: &Layout| layout.cell_at(start).is_some();
        if layout.or(site.layout.as_ref()).is_some_and(covers) {
            return match snapshot {
                Some(_) => Found::Site(&mut site.jobs, start),
                None => Found::NotYet,
            };
        }
        reason = FailReason::OutsideGrid;
    }
    Found::Nothing(reason)
}

/// Sends off what was made ready in this frame, when the frame is over: where cores are few, threads
/// that wake up in the midst of it would take them from the systems that follow.
fn begin_searches(mut tasks: ResMut<SearchTasks>) {
    let pool = AsyncComputeTaskPool::get_or_init(Default::default);
    for batch in &mut tasks.batches {
        batch.begin(pool);
    }
}

/// Makes `jobs` ready: few to a task where there are few, so that all threads get some.
fn make_ready(
    ground: &Ground,
    jobs: &[Job],
    pool: &AsyncComputeTaskPool,
    settings: &PursuitSettings,
    tasks: &mut SearchTasks,
) {
    let shares = 4 * pool.thread_num().max(1);
    let size = jobs.len().div_ceil(shares);
    for jobs in split(jobs, size, settings.batch_size.max(1)) {
        let batch = Batch::new(ground.clone(), jobs.to_vec(), settings.max_expanded);
        tasks.batches.push(batch);
    }
}

/// Where answers are handed out.
struct Desk<'a, 'w, 's> {
    /// Whether the grid of the answers is still there.
    has_grid: bool,
    queue: &'a mut PlanQueue,
    stats: &'a mut PursuitStats,
    commands: &'a mut Commands<'w, 's>,
}

impl Desk<'_, '_, '_> {
    /// Writes answers to the entities that wait for them, and says so.
    fn deliver(&mut self, answers: Answers, entities: &mut Asking) {
        let now = Instant::now();
        self.stats.search_time += answers.duration;
        for Answer { waiting, result } in answers.answers {
            let Ok((mut ticket, mut status, mut path)) = entities.get_mut(waiting.entity) else {
                continue;
            };
            if !ticket.pending || ticket.serial != waiting.serial {
                continue;
            }
            let mut next = NavPath {
                generation: answers.generation,
                grid: answers.grid,
                radius: waiting.radius,
                serial: path.serial + 1,
                ..NavPath::default()
            };
            let outcome = match result {
                Ok(plan) => {
                    self.stats.cells_expanded += u64::from(plan.expanded);
                    next.waypoints = plan.waypoints;
                    next.length = plan.length;
                    plan.shortfall
                        .map_or(PathStatus::Found, PathStatus::Partial)
                }
                Err(reason) => PathStatus::Failed(reason),
            };
            ticket.pending = false;
            ticket.is_outdated =
                !self.has_grid || self.queue.is_outdated(&next, outcome != PathStatus::Found);
            if ticket.is_outdated {
                self.queue.outdated.push(waiting.entity);
            }
            *path = next;
            *status = outcome;
            let latency = now.saturating_duration_since(waiting.since);
            self.announce(waiting.entity, outcome, path.length, latency);
        }
    }

    fn announce(&mut self, entity: Entity, status: PathStatus, length: f32, latency: Duration) {
        match status {
            PathStatus::Partial(reason) | PathStatus::Failed(reason) => {
                self.stats.count_failure(reason);
                warn_of_setup(entity, reason);
                let partial = matches!(status, PathStatus::Partial(_));
                self.commands.trigger(PathFailed {
                    entity,
                    reason,
                    partial,
                    latency,
                });
            }
            _ => {
                self.stats.paths_found += 1;
                self.commands.trigger(PathFound {
                    entity,
                    length,
                    latency,
                });
            }
        }
    }
}

/// Says once what a game's setup lacks when a reason can hardly be meant.
fn warn_of_setup(entity: Entity, reason: FailReason) {
    match reason {
        FailReason::NoGrid => {
            warn_once!("{entity} finds no path: there is no NavGrid that could be baked");
        }
        FailReason::OutsideGrid => {
            warn_once!("{entity} finds no path: it stands outside of every NavGrid's bounds");
        }
        FailReason::BadRadius => warn_once!(
            "{entity} finds no path: its radius is not a number >= 0, or more than the NavGrid's \
             max_clearance; raise that, or node_radius"
        ),
        FailReason::StartBlocked
        | FailReason::GoalOutside
        | FailReason::GoalBlocked
        | FailReason::Unreachable
        | FailReason::LimitReached => {}
    }
}
