//! Takes orders, runs searches in tasks (or at once), and writes their answers.
//!
//! Pending work is data: an order waits in [`PlanQueue`] until a task takes it, and an answer is
//! taken in only if it is the one that its entity waits for.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use bevy::app::{App, Plugin};
use bevy::ecs::prelude::*;
use bevy::ecs::schedule::InternedScheduleLabel;
use bevy::log::warn_once;
use bevy::math::{Rect, Vec2};
use bevy::platform::time::Instant;
use bevy::tasks::AsyncComputeTaskPool;
use bevy::transform::helper::TransformHelper;
use pursuit::{Cell, CellRect, Layout};

use crate::agent::{Chase, FailReason, NavAgent, NavPath, PathRequest, PathStatus, PlanTicket};
use crate::batch::{Answer, Batch, Job, SearchTasks};
use crate::events::{PathFailed, PathFound};
use crate::grid::{BakedGrid, GridBaked, NavGrid};
use crate::position::world_position;
use crate::queue::{Order, OrderKind, PlanQueue, RecentBake, Waiting, crosses};
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
            );
    }
}

/// Plans anew what a bake touched and what lost its grid, and tells the other paths that they still
/// hold.
fn recheck_paths(
    mut baked: MessageReader<GridBaked>,
    grids: Query<&BakedGrid>,
    transforms: TransformHelper,
    mut queue: ResMut<PlanQueue>,
    mut paths: Query<(
        Entity,
        &mut NavPath,
        &PathStatus,
        &PlanTicket,
        Option<&PathRequest>,
        Option<&NavAgent>,
        Option<&Chase>,
    )>,
) {
    for (entity, path, _, ticket, request, agent, chase) in &paths {
        let grid = grids.get(path.grid).ok();
        let has_lost_grid = !path.is_empty() && grid.is_none_or(|grid| grid.snapshot().is_none());
        if !ticket.pending && (ticket.is_outdated || has_lost_grid) {
            let order = repeat_order(entity, request, agent, chase, &transforms);
            queue.orders.extend(order);
        }
    }
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
            let failed = may_succeed_now(*status, path.grid == bake.grid);
            let touched = path.grid == bake.grid && crosses(&path, area);
            if (failed || touched) && !ticket.pending {
                let order = repeat_order(entity, request, agent, chase, &transforms);
                queue.orders.extend(order);
            }
            if path.grid == bake.grid && !touched {
                // The path stays what it was: no change that anyone need look at.
                path.bypass_change_detection().generation = bake.generation;
            }
        }
    }
}

/// The area of some cells, in world units.
fn world_rect(layout: &Layout, cells: CellRect) -> Rect {
    let corner = |cell: Cell| layout.center(cell) - Vec2::splat(0.5 * layout.cell_size());
    Rect::from_corners(corner(cells.min), corner(cells.max))
}

/// Whether a bake may have opened the way for a request that fell short.
fn may_succeed_now(status: PathStatus, on_this_grid: bool) -> bool {
    let (PathStatus::Partial(reason) | PathStatus::Failed(reason)) = status else {
        return false;
    };
    match reason {
        FailReason::Unreachable | FailReason::GoalBlocked => on_this_grid,
        FailReason::NoGrid | FailReason::OutsideGrid | FailReason::StartBlocked => true,
        FailReason::GoalOutside | FailReason::LimitReached | FailReason::BadRadius => false,
    }
}

/// The order that asks again for what the entity asks for, to where its target is now.
fn repeat_order(
    entity: Entity,
    request: Option<&PathRequest>,
    agent: Option<&NavAgent>,
    chase: Option<&Chase>,
    transforms: &TransformHelper,
) -> Option<Order> {
    let radius = agent.map(|agent| agent.radius);
    let (goal, radius, tolerance) = match (request, agent, chase) {
        (Some(request), ..) => (
            request.goal,
            request.radius.or(radius).unwrap_or(0.0),
            request.tolerance,
        ),
        (None, Some(agent), Some(chase)) => {
            let goal = world_position(transforms, chase.target)?;
            (goal, agent.radius, agent.arrival_distance)
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
fn accept_orders(mut queue: ResMut<PlanQueue>, mut entities: Asking) {
    let PlanQueue {
        orders, waiting, ..
    } = &mut *queue;
    for order in orders.drain(..) {
        let Ok((mut ticket, mut status, mut path)) = entities.get_mut(order.entity) else {
            continue;
        };
        ticket.serial += 1;
        ticket.is_outdated = false;
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
    mut entities: Asking,
) {
    tasks.batches.retain_mut(|batch| {
        let wanted = batch.keep_wanted(|entity, serial| {
            entities
                .get(entity)
                .is_ok_and(|(ticket, ..)| ticket.serial == serial)
        });
        let answers = batch.poll();
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
    mut entities: Asking,
) {
    let inline = settings.plan_mode == PlanMode::Inline;
    let pool = AsyncComputeTaskPool::get_or_init(Default::default);
    let free_tasks = (2 * pool.thread_num().max(1)).saturating_sub(tasks.batches.len());
    if inline || free_tasks > 0 {
        let (jobs, mut answers) = take_jobs(&mut queue, &entities, &transforms, &grids);
        if inline {
            let never = AtomicBool::new(false);
            let found = jobs
                .iter()
                .filter_map(|job| job.run(settings.max_expanded, &never));
            answers.extend(found);
        } else {
            let later = send_off(jobs, free_tasks, pool, &settings, &mut tasks, &mut entities);
            queue.waiting.extend(later);
        }
        for answer in answers {
            deliver(answer, &mut queue, &mut stats, &mut commands, &mut entities);
        }
    }
    stats.tasks_in_flight = tasks.batches.len();
    stats.queued = queue.waiting.len();
}

/// Takes out of line what can be searched for now, nearest goals first, and answers what cannot be
/// searched for at all. Drops what nobody waits for any more.
fn take_jobs(
    queue: &mut PlanQueue,
    entities: &Asking,
    transforms: &TransformHelper,
    grids: &Query<(Entity, &NavGrid, &BakedGrid)>,
) -> (Vec<Job>, Vec<Answer>) {
    let mut jobs = Vec::new();
    let mut refused = Vec::new();
    queue.waiting.retain(|waiting| {
        let is_wanted = entities
            .get(waiting.entity)
            .is_ok_and(|(ticket, ..)| ticket.pending && ticket.serial == waiting.serial);
        if !is_wanted {
            return false;
        }
        match prepare(*waiting, transforms, grids) {
            Prepared::Job(job) => jobs.push(job),
            Prepared::Refused(answer) => refused.push(answer),
            Prepared::NotYet => return true,
        }
        false
    });
    jobs.sort_by(|a, b| {
        let away = |job: &Job| job.start.distance_squared(job.waiting.goal);
        away(a)
            .total_cmp(&away(b))
            .then(a.waiting.entity.cmp(&b.waiting.entity))
    });
    (jobs, refused)
}

/// Sends as many `jobs` off as fit in `free_tasks` tasks; gives back the requests of the others.
fn send_off(
    mut jobs: Vec<Job>,
    free_tasks: usize,
    pool: &AsyncComputeTaskPool,
    settings: &PursuitSettings,
    tasks: &mut SearchTasks,
    entities: &mut Asking,
) -> impl Iterator<Item = Waiting> + use<> {
    let batch_size = settings.batch_size.max(1);
    let most = free_tasks.saturating_mul(batch_size);
    let later = jobs.split_off(jobs.len().min(most));
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
            .push(Batch::spawn(pool, batch, settings.max_expanded));
    }
    later.into_iter().map(|job| job.waiting)
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
    for (grid, nav, baked) in grids {
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
            None if baked.error().is_some() => {}
            None => {
                let layout = nav.layout().ok();
                if layout.is_some_and(|layout| layout.cell_at(start).is_some()) {
                    return Prepared::NotYet;
                }
                reason = FailReason::OutsideGrid;
            }
        }
    }
    refuse(reason)
}

/// Writes an answer to the entity that waits for it, and says so.
fn deliver(
    answer: Answer,
    queue: &mut PlanQueue,
    stats: &mut PursuitStats,
    commands: &mut Commands,
    entities: &mut Asking,
) {
    let Waiting { entity, serial, .. } = answer.waiting;
    let Ok((mut ticket, mut status, mut path)) = entities.get_mut(entity) else {
        return;
    };
    if !ticket.pending || ticket.serial != serial {
        return;
    }
    let latency = answer.waiting.since.elapsed();
    let mut next = NavPath {
        generation: answer.generation,
        grid: answer.grid,
        radius: answer.waiting.radius,
        serial: path.serial + 1,
        ..NavPath::default()
    };
    let outcome = match answer.result {
        Ok(plan) => {
            stats.cells_expanded += u64::from(plan.expanded);
            next.waypoints = plan.waypoints;
            next.length = plan.length;
            plan.shortfall
                .map_or(PathStatus::Found, PathStatus::Partial)
        }
        Err(reason) => PathStatus::Failed(reason),
    };
    ticket.pending = false;
    ticket.is_outdated = queue.is_outdated(&next, outcome != PathStatus::Found);
    *path = next;
    *status = outcome;
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
            warn_of_setup(entity, reason);
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
