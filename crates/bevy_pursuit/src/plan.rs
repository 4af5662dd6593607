//! Takes orders, runs searches in tasks (or at once), and writes their answers.
//!
//! Pending work is data: an order waits in [`PlanQueue`] until a task takes it, and an answer is
//! taken in only if it is the one that its entity waits for.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bevy::app::{App, Plugin};
use bevy::ecs::prelude::*;
use bevy::ecs::schedule::InternedScheduleLabel;
use bevy::math::{Rect, Vec2};
use bevy::platform::time::Instant;
use bevy::tasks::futures::check_ready;
use bevy::tasks::{AsyncComputeTaskPool, Task};
use bevy::transform::helper::TransformHelper;
use pursuit::steer::closest_on_segment;
use pursuit::{Cell, CellRect, Layout};

use crate::agent::{
    Chase, ChaseMemory, FailReason, NavAgent, NavPath, PathRequest, PathStatus, PlanTicket,
};
use crate::events::{PathFailed, PathFound};
use crate::grid::{BakedGrid, GridBaked, NavGrid};
use crate::planner::{Plan, Query as PathQuery, plan_path};
use crate::position::world_position;
use crate::schedule::PursuitSystems;
use crate::settings::{PlanMode, PursuitSettings};
use crate::snapshot::NavSnapshot;
use crate::stats::PursuitStats;

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
            .register_type::<PursuitSettings>()
            .register_type::<PursuitStats>()
            .add_systems(
                self.schedule,
                (recheck_paths, accept_orders, poll_searches, start_searches)
                    .chain()
                    .in_set(PursuitSystems::Plan),
            );
    }
}

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

/// Orders that came in, and requests that wait for a task.
#[derive(Resource, Default)]
pub(crate) struct PlanQueue {
    orders: Vec<Order>,
    waiting: Vec<Waiting>,
    /// Rectangles baked lately, in world units, for answers that were under way meanwhile.
    bakes: VecDeque<RecentBake>,
}

impl PlanQueue {
    pub(crate) fn push(&mut self, order: Order) {
        self.orders.push(order);
    }
}

/// A request that waits for a task.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    entity: Entity,
    serial: u64,
    goal: Vec2,
    radius: f32,
    tolerance: f32,
    since: Instant,
}

/// How many recent bakes are remembered; an answer older than all of them counts as stale.
const REMEMBERED_BAKES: usize = 64;

struct RecentBake {
    grid: Entity,
    generation: u64,
    area: Rect,
}

/// The searches that are running.
#[derive(Resource, Default)]
struct SearchTasks {
    batches: Vec<Batch>,
}

/// Several searches in one task. Dropping it cancels them.
struct Batch {
    task: Task<Vec<Answer>>,
    tickets: Vec<(Entity, u64)>,
    cancels: Arc<[AtomicBool]>,
}

impl Drop for Batch {
    fn drop(&mut self) {
        self.cancels
            .iter()
            .for_each(|cancel| cancel.store(true, Ordering::Relaxed));
    }
}

/// One search, ready to run on any thread.
struct Job {
    waiting: Waiting,
    grid: Entity,
    snapshot: Arc<NavSnapshot>,
    start: Vec2,
}

/// What came of a [`Job`].
struct Answer {
    waiting: Waiting,
    grid: Entity,
    generation: u64,
    result: Result<Plan, FailReason>,
}

impl Job {
    fn run(&self, max_expanded: Option<u32>, cancel: &AtomicBool) -> Option<Answer> {
        let query = PathQuery {
            start: self.start,
            goal: self.waiting.goal,
            radius: self.waiting.radius,
            tolerance: self.waiting.tolerance,
        };
        let result = plan_path(&self.snapshot, &query, max_expanded, cancel)?;
        Some(self.answer(result))
    }

    fn answer(&self, result: Result<Plan, FailReason>) -> Answer {
        Answer {
            waiting: self.waiting,
            grid: self.grid,
            generation: self.snapshot.generation(),
            result,
        }
    }
}

/// Plans anew what a bake touched, and tells the other paths that they still hold.
fn recheck_paths(
    mut baked: MessageReader<GridBaked>,
    grids: Query<&BakedGrid>,
    mut queue: ResMut<PlanQueue>,
    mut paths: Query<(
        Entity,
        &mut NavPath,
        &PathStatus,
        &PlanTicket,
        Option<&PathRequest>,
        Option<&NavAgent>,
        Option<(&Chase, &ChaseMemory)>,
    )>,
) {
    for bake in baked.read() {
        let Some(snapshot) = grids.get(bake.grid).ok().and_then(BakedGrid::snapshot) else {
            continue;
        };
        let area = world_rect(snapshot.layout(), bake.cells);
        queue.remember_bake(RecentBake {
            grid: bake.grid,
            generation: bake.generation,
            area,
        });
        for (entity, mut path, status, ticket, request, agent, chase) in &mut paths {
            let failed = matches!(status, PathStatus::Partial(_) | PathStatus::Failed(_));
            let touched = path.grid == bake.grid && crosses(&path, area);
            if (failed || touched) && !ticket.pending {
                queue
                    .orders
                    .extend(repeat_order(entity, request, agent, chase));
            }
            if path.grid == bake.grid && !touched {
                path.generation = bake.generation;
            }
        }
    }
}

impl PlanQueue {
    fn remember_bake(&mut self, bake: RecentBake) {
        if self.bakes.len() == REMEMBERED_BAKES {
            self.bakes.pop_front();
        }
        self.bakes.push_back(bake);
    }

    /// Whether cells under `path` changed after it was planned.
    fn is_stale(&self, path: &NavPath) -> bool {
        let later = || {
            self.bakes
                .iter()
                .filter(|bake| bake.grid == path.grid && bake.generation > path.generation)
        };
        let forgotten = self.bakes.len() == REMEMBERED_BAKES && later().count() == REMEMBERED_BAKES;
        forgotten || later().any(|bake| crosses(path, bake.area))
    }
}

/// The area of some cells, in world units.
fn world_rect(layout: &Layout, cells: CellRect) -> Rect {
    let corner = |cell: Cell| layout.center(cell) - Vec2::splat(0.5 * layout.cell_size());
    Rect::from_corners(corner(cells.min), corner(cells.max))
}

/// Whether the body on its way along `path` comes into `area`.
fn crosses(path: &NavPath, area: Rect) -> bool {
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

/// The order that asks again for what the entity asked for last.
fn repeat_order(
    entity: Entity,
    request: Option<&PathRequest>,
    agent: Option<&NavAgent>,
    chase: Option<(&Chase, &ChaseMemory)>,
) -> Option<Order> {
    let radius = agent.map(|agent| agent.radius);
    let (goal, radius, tolerance) = match (request, agent, chase) {
        (Some(request), ..) => (
            request.goal,
            request.radius.or(radius).unwrap_or(0.0),
            request.tolerance,
        ),
        (None, Some(agent), Some((_, memory))) => {
            (memory.asked_for, agent.radius, agent.arrival_distance)
        }
        _ => return None,
    };
    let kind = OrderKind::Plan {
        goal,
        radius,
        tolerance,
        refresh: true,
    };
    Some(Order { entity, kind })
}

/// Gives each order a ticket and puts it in line; carries out stops.
fn accept_orders(
    mut queue: ResMut<PlanQueue>,
    mut entities: Query<(&mut PlanTicket, &mut PathStatus, &mut NavPath)>,
) {
    let PlanQueue {
        orders, waiting, ..
    } = &mut *queue;
    for order in orders.drain(..) {
        let Ok((mut ticket, mut status, mut path)) = entities.get_mut(order.entity) else {
            continue;
        };
        ticket.serial += 1;
        match order.kind {
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
                waiting.push(Waiting {
                    entity: order.entity,
                    serial: ticket.serial,
                    goal,
                    radius,
                    tolerance,
                    since: Instant::now(),
                });
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
    mut tasks: ResMut<SearchTasks>,
    mut queue: ResMut<PlanQueue>,
    mut stats: ResMut<PursuitStats>,
    mut commands: Commands,
    mut entities: Query<(&mut PlanTicket, &mut PathStatus, &mut NavPath)>,
) {
    tasks.batches.retain_mut(|batch| {
        let mut wanted = false;
        for ((entity, serial), cancel) in batch.tickets.iter().zip(batch.cancels.iter()) {
            let waits = entities
                .get(*entity)
                .is_ok_and(|(ticket, ..)| ticket.serial == *serial);
            cancel.store(!waits, Ordering::Relaxed);
            wanted |= waits;
        }
        let answers = check_ready(&mut batch.task);
        let running = answers.is_none();
        for answer in answers.into_iter().flatten() {
            deliver(answer, &mut queue, &mut stats, &mut commands, &mut entities);
        }
        running && wanted
    });
    stats.tasks_in_flight = tasks.batches.len();
}

/// Starts searches for the requests in line: nearest goals first, several to a task.
fn start_searches(
    settings: Res<PursuitSettings>,
    transforms: TransformHelper,
    grids: Query<(Entity, &NavGrid, &BakedGrid)>,
    mut tasks: ResMut<SearchTasks>,
    mut queue: ResMut<PlanQueue>,
    mut stats: ResMut<PursuitStats>,
    mut commands: Commands,
    mut entities: Query<(&mut PlanTicket, &mut PathStatus, &mut NavPath)>,
) {
    let inline = settings.plan_mode == PlanMode::Inline;
    let pool = AsyncComputeTaskPool::get_or_init(Default::default);
    let batch_size = settings.batch_size.max(1);
    let free_tasks = (2 * pool.thread_num().max(1)).saturating_sub(tasks.batches.len());
    let mut jobs = Vec::new();
    if inline || free_tasks > 0 {
        let mut refused = Vec::new();
        queue.waiting.retain(|waiting| {
            let waits = |(ticket, ..): (&PlanTicket, &PathStatus, &NavPath)| {
                ticket.pending && ticket.serial == waiting.serial
            };
            if !entities.get(waiting.entity).is_ok_and(waits) {
                return false;
            }
            match prepare(*waiting, &transforms, &grids) {
                Prepared::Job(job) => jobs.push(job),
                Prepared::Refused(answer) => refused.push(answer),
                Prepared::NotYet => return true,
            }
            false
        });
        for answer in refused {
            deliver(answer, &mut queue, &mut stats, &mut commands, &mut entities);
        }
    }
    jobs.sort_by(|a, b| {
        let away = |job: &Job| job.start.distance_squared(job.waiting.goal);
        away(a)
            .total_cmp(&away(b))
            .then(a.waiting.entity.cmp(&b.waiting.entity))
    });
    if inline {
        let never = AtomicBool::new(false);
        for answer in jobs
            .iter()
            .filter_map(|job| job.run(settings.max_expanded, &never))
        {
            deliver(answer, &mut queue, &mut stats, &mut commands, &mut entities);
        }
    } else {
        let later = jobs.split_off(jobs.len().min(free_tasks * batch_size));
        queue
            .waiting
            .extend(later.into_iter().map(|job| job.waiting));
        let mut jobs = jobs.into_iter().peekable();
        while jobs.peek().is_some() {
            let batch: Vec<Job> = jobs.by_ref().take(batch_size).collect();
            for job in &batch {
                if let Ok((_, mut status, _)) = entities.get_mut(job.waiting.entity)
                    && *status == PathStatus::Queued
                {
                    *status = PathStatus::Searching;
                }
            }
            tasks
                .batches
                .push(spawn_batch(pool, batch, settings.max_expanded));
        }
    }
    stats.tasks_in_flight = tasks.batches.len();
    stats.queued = queue.waiting.len();
}

enum Prepared {
    Job(Job),
    Refused(Answer),
    NotYet,
}

/// Finds the grid that a waiting request is planned on, as it is at this moment.
fn prepare(
    waiting: Waiting,
    transforms: &TransformHelper,
    grids: &Query<(Entity, &NavGrid, &BakedGrid)>,
) -> Prepared {
    let refuse = |reason| {
        Prepared::Refused(Answer {
            waiting,
            grid: Entity::PLACEHOLDER,
            generation: 0,
            result: Err(reason),
        })
    };
    let start = world_position(transforms, waiting.entity).filter(|start| start.is_finite());
    let Some(start) = start else {
        return refuse(FailReason::OutsideGrid);
    };
    let mut reason = FailReason::NoGrid;
    for (grid, _, baked) in grids {
        match baked.snapshot() {
            Some(snapshot) if snapshot.layout().cell_at(start).is_some() => {
                let snapshot = Arc::clone(snapshot);
                return Prepared::Job(Job {
                    waiting,
                    grid,
                    snapshot,
                    start,
                });
            }
            Some(_) => reason = FailReason::OutsideGrid,
            None if baked.error().is_none() => return Prepared::NotYet,
            None => {}
        }
    }
    refuse(reason)
}

fn spawn_batch(pool: &AsyncComputeTaskPool, jobs: Vec<Job>, max_expanded: Option<u32>) -> Batch {
    let tickets = jobs
        .iter()
        .map(|job| (job.waiting.entity, job.waiting.serial))
        .collect();
    let cancels: Arc<[AtomicBool]> = jobs.iter().map(|_| AtomicBool::new(false)).collect();
    let seen_by_task = Arc::clone(&cancels);
    let task = pool.spawn(async move {
        let run = |(job, cancel): (&Job, &AtomicBool)| {
            let cancelled = cancel.load(Ordering::Relaxed);
            (!cancelled)
                .then(|| job.run(max_expanded, cancel))
                .flatten()
        };
        jobs.iter()
            .zip(seen_by_task.iter())
            .filter_map(run)
            .collect()
    });
    Batch {
        task,
        tickets,
        cancels,
    }
}

/// Writes an answer to the entity that waits for it, and says so.
fn deliver(
    answer: Answer,
    queue: &mut PlanQueue,
    stats: &mut PursuitStats,
    commands: &mut Commands,
    entities: &mut Query<(&mut PlanTicket, &mut PathStatus, &mut NavPath)>,
) {
    let Waiting {
        entity,
        serial,
        radius,
        ..
    } = answer.waiting;
    let Ok((mut ticket, mut status, mut path)) = entities.get_mut(entity) else {
        return;
    };
    if !ticket.pending || ticket.serial != serial {
        return;
    }
    let latency = answer.waiting.since.elapsed();
    let path_serial = path.serial + 1;
    let (next, shortfall) = match answer.result {
        Ok(plan) => {
            stats.cells_expanded += u64::from(plan.expanded);
            let next = NavPath {
                waypoints: plan.waypoints,
                length: plan.length,
                generation: answer.generation,
                grid: answer.grid,
                radius,
                serial: path_serial,
            };
            (next, plan.shortfall.map(PathStatus::Partial))
        }
        Err(reason) => {
            let next = NavPath {
                serial: path_serial,
                ..NavPath::default()
            };
            (next, Some(PathStatus::Failed(reason)))
        }
    };
    ticket.pending = queue.is_stale(&next);
    if ticket.pending {
        ticket.serial += 1;
        queue.waiting.push(Waiting {
            serial: ticket.serial,
            ..answer.waiting
        });
    }
    *path = next;
    *status = shortfall.unwrap_or(PathStatus::Found);
    announce(entity, *status, path.length, latency, stats, commands);
}

fn announce(
    entity: Entity,
    status: PathStatus,
    length: f32,
    latency: Duration,
    stats: &mut PursuitStats,
    commands: &mut Commands,
) {
    match status {
        PathStatus::Partial(reason) | PathStatus::Failed(reason) => {
            stats.count_failure(reason);
            let partial = matches!(status, PathStatus::Partial(_));
            commands.trigger(PathFailed {
                entity,
                reason,
                partial,
                latency,
            });
        }
        _ => {
            stats.paths_found += 1;
            commands.trigger(PathFound {
                entity,
                length,
                latency,
            });
        }
    }
}
