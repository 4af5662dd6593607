//! Writes the results of searches to the entities that wait for them.

use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::query::QueryData;
use bevy::ecs::system::SystemParam;
use bevy::platform::time::Instant;
use bevy::prelude::*;

use super::batch::SearchTasks;
use super::ends::Trip;
use super::jobs::Answers;
use super::planner::Planned;
use super::queue::PlanQueue;
use super::recorder::PathRecorder;
use super::waypoints::Plan;
use crate::agent::{
    FailReason, FollowMemory, GridPlane, Intent, LegStart, NavAgent, NavPath, PathStatus, Planning,
    TickPosition, WalkerParts,
};
use crate::events::{PathFailed, PathFound, trigger_if_alive};
use crate::grid::{BakedGrid, Grids};
use crate::names::Names;
use crate::stats::PursuitStats;

/// The components that the answer to a search is written to. Disabled entities also get their answers, because they may
/// be enabled again.
#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct Waiter {
    pub(crate) agent: Option<&'static NavAgent>,
    pub(crate) intent: &'static Intent,
    pub(crate) position: &'static TickPosition,
    pub(crate) planning: &'static mut Planning,
    pub(crate) status: &'static mut PathStatus,
    pub(crate) path: &'static mut NavPath,
    pub(crate) walker: Option<WalkerParts<'static>>,
    pub(crate) memory: Option<&'static FollowMemory>,
    pub(crate) recorder: Option<&'static mut PathRecorder>,
}

/// Writes the answers of finished tasks, and cancels searches whose entities no longer wait for them.
pub(crate) fn poll_searches(mut tasks: ResMut<SearchTasks>, mut writer: AnswerWriter) {
    let SearchTasks { batches, pace, .. } = &mut *tasks;
    batches.retain_mut(|batch| {
        let Some(answers) = batch.work.poll() else {
            return batch.keep_wanted(|entity, ticket| {
                let waiter = writer.waiters.get(entity);
                waiter.is_ok_and(|waiter| waiter.planning.waits_for(ticket))
            });
        };
        pace.note(answers.thread, answers.answers.len(), answers.duration);
        writer.deliver(answers);
        false
    });
}

/// The parameters of a system that writes answers.
#[derive(SystemParam)]
pub(crate) struct AnswerWriter<'w, 's> {
    pub(crate) queue: ResMut<'w, PlanQueue>,
    pub(crate) stats: ResMut<'w, PursuitStats>,
    pub(crate) waiters: Query<'w, 's, Waiter, Allow<Disabled>>,
    grids: Res<'w, Grids>,
    commands: Commands<'w, 's>,
    names: Names<'w, 's>,
}

impl AnswerWriter<'_, '_> {
    /// Writes answers to the entities that wait for them, and triggers the events.
    pub(crate) fn deliver(&mut self, answers: Answers) {
        let now = Instant::now();
        self.stats.search_time += answers.duration;
        self.stats.cells_expanded += answers.expanded;
        self.stats.fields += answers.fields;
        self.stats.paths_shared += answers.shared;
        self.queue.waiting.extend(answers.unfinished);
        for answer in answers.answers {
            let Ok(mut waiter) = self.waiters.get_mut(answer.waiting.entity) else {
                continue;
            };
            if !waiter.planning.waits_for(answer.waiting.ticket) {
                continue;
            }
            let planning = waiter.planning.bypass_change_detection();
            planning.is_pending = false;
            if let Some(recorder) = &mut waiter.recorder {
                let search = answer.recording.as_ref().cloned().zip(answers.grid);
                recorder.hear(&answer.trip, search, answers.generation);
            }
            let found = match answer.result {
                Ok(Planned::Path(plan)) => Ok(plan),
                Err(reason) => Err(reason),
                Ok(Planned::Same) => {
                    let path = waiter.path.bypass_change_detection();
                    path.hold(answers.grid, answers.generation);
                    continue;
                }
            };
            let baked = self.grids.get(answers.grid).map(|grid| grid.baked);
            let found = found.map(|plan| plan.judged(baked, &answer.trip.order));
            if found.as_ref().is_ok_and(|plan| plan.leaves_forbidden) {
                warn_once!(
                    "agent {} stands on ground that is forbidden to its class, and leaves by the shortest path (said \
                     once, for the first such agent)",
                    self.names.of(answer.waiting.entity)
                );
            }
            self.stats.searches += 1;
            let before = *waiter.status;
            let waiting = answer.waiting;
            let place = waiter.position.0;
            let outcome = waiter.take(&answer.trip, found, answers.frame, answers.generation);
            count(outcome, &mut self.stats);
            // A path to an older goal is still walked, but neither the status nor an event reports it.
            if waiter.is_current(&answers.frame) {
                waiter.status.set_if_neq(outcome);
                if waiter.is_new_outcome(before, outcome) {
                    let latency = now.saturating_duration_since(waiting.since);
                    let length = waiter.path.length;
                    let asked = (place, &answer.trip, answers.grid);
                    self.announce((waiting.entity, asked), outcome, length, latency);
                }
            }
        }
    }

    /// Triggers the event for a new path or failure, and warns if the setup of the game is the reason.
    fn announce(
        &mut self,
        (entity, (at, trip, grid)): (Entity, (Vec3, &Trip, Option<Entity>)),
        status: PathStatus,
        length: f32,
        latency: std::time::Duration,
    ) {
        let Some(reason) = status.reason() else {
            let found = PathFound {
                entity,
                length,
                latency,
            };
            trigger_if_alive(&mut self.commands, found);
            return;
        };
        let (name, radius) = (|| self.names.of(entity), trip.order.radius);
        let baked = grid.filter(|_| reason == FailReason::StartBlocked);
        let baked = self.grids.get(baked).map(|grid| grid.baked);
        match baked.and_then(|baked| tight_place(baked, trip)) {
            Some((blocker, away)) => warn_once!(
                "{} finds no path: it has room at {at}, but paths lead over the centers of cells, and no center near \
                 it is free for a radius of {radius}, which includes the gap of a character controller. {} is only \
                 {away} from the center of the agent's cell. Lower the radius, use smaller cells \
                 (NavGrid::node_radius), or move NavGrid::bounds, for example by half a cell (said once)",
                name(),
                self.names.of(blocker)
            ),
            None if baked.is_some_and(|baked| is_on_forbidden_ground(baked, trip)) => warn_once!(
                "{} finds no path: the ground at {at} is forbidden to its class, and no path leads from there to \
                 allowed ground. Move it to allowed ground, or set a finite cost for this area in NavAreas or in the \
                 AgentClass of the agent (said once)",
                name()
            ),
            None => warn_of_setup(name, (at, radius), status, reason),
        }
        let failed = PathFailed {
            entity,
            reason,
            partial: matches!(status, PathStatus::Partial(_)),
            latency,
        };
        trigger_if_alive(&mut self.commands, failed);
    }
}

/// For a body that fits where it stands, but not at the center of its cell: the obstacle nearest to that center, and
/// its distance from the center in world units. `None` for any other body.
fn tight_place(baked: &BakedGrid, trip: &Trip) -> Option<(Entity, f32)> {
    let (snapshot, index) = (baked.snapshot()?, baked.obstacles.as_ref()?);
    let layout = snapshot.layout();
    let radius = snapshot.radius_cells(trip.order.radius).into();
    let blockers = |at: Vec2| index.nearer_than(radius, layout.to_cell_space_f64(at.as_dvec2()));
    let cell = layout.cell_at(trip.start)?;
    let blocker = *blockers(layout.center(cell)).first()?;
    let away = snapshot.clearance().center(cell) * layout.cell_size();
    blockers(trip.start).is_empty().then_some((blocker, away))
}

/// Whether a body has room at the center of its cell, but stands on ground that is forbidden to its class.
fn is_on_forbidden_ground(baked: &BakedGrid, trip: &Trip) -> bool {
    baked.snapshot().is_some_and(|snapshot| {
        let cell = snapshot.layout().cell_at(trip.start);
        let room = cell.map_or(0.0, |cell| snapshot.clearance().center(cell));
        room >= snapshot.radius_cells(trip.order.radius)
            && snapshot.is_forbidden(trip.start, trip.order.class)
    })
}

/// Counts an outcome in the statistics.
fn count(outcome: PathStatus, stats: &mut PursuitStats) {
    match outcome.reason() {
        Some(reason) => stats.count_failure(reason),
        None => stats.paths_found += 1,
    }
    stats.paths_partial += u64::from(matches!(outcome, PathStatus::Partial(_)));
}

impl WaiterItem<'_, '_> {
    /// Installs the path that was found. Returns the resulting status.
    fn take(
        &mut self,
        trip: &Trip,
        found: Result<Plan, FailReason>,
        frame: GridPlane,
        generation: u64,
    ) -> PathStatus {
        let mut next = NavPath {
            generation,
            order: trip.order,
            planned_for: self.path.planned_for,
            revision: self.path.revision.wrapping_add(1),
            ..NavPath::default()
        };
        let outcome = match found {
            Ok(plan) => {
                let inside = plan.waypoints.iter().copied();
                next.bounds = inside.fold(Rect::EMPTY, |all, point| all.union_point(point));
                next.end = plan.waypoints.last().copied().unwrap_or(Vec2::NAN);
                next.waypoints = plan.waypoints;
                let placed = next.order.grid.filter(|_| frame != GridPlane::XY);
                next.legs.extend(placed.map(|grid| LegStart {
                    first: 0,
                    grid,
                    plane: frame,
                    generation,
                }));
                next.length = plan.length;
                next.is_entry_proven = plan.is_entry_proven;
                next.is_led_around = plan.is_led_around;
                next.end_cell = Some(plan.end_cell);
                let shortfall = plan.shortfall.map(PathStatus::Partial);
                shortfall.unwrap_or(PathStatus::Found)
            }
            Err(reason) => PathStatus::Failed(reason),
        };
        let planning = self.planning.bypass_change_detection();
        planning.is_answered = true;
        planning.failures = match outcome {
            PathStatus::Found => 0,
            _ => planning.failures.saturating_add(1),
        };
        if self.path.reads_like(&next) {
            *self.path.bypass_change_detection() = next;
        } else {
            *self.path = next;
        }
        outcome
    }

    /// Whether the path serves the present order, or nearly does.
    fn is_current(&self, frame: &GridPlane) -> bool {
        let (wanted, from) = (&self.intent.order, frame.to_grid(self.position.0));
        self.path.serves(wanted) || self.path.leads_nearly_to(wanted, from)
    }

    /// Whether observers did not yet get an event for this outcome of the order. Notes that they get it now.
    fn is_new_outcome(&mut self, before: PathStatus, outcome: PathStatus) -> bool {
        let planning = self.planning.bypass_change_detection();
        let is_known = planning.was_reported && before == outcome;
        planning.was_reported = true;
        !is_known
    }
}

/// Warns once if `reason` shows that the setup of the game is wrong. `at` and `radius` describe the body.
fn warn_of_setup(
    name: impl Fn() -> String,
    (at, radius): (Vec3, f32),
    status: PathStatus,
    reason: FailReason,
) {
    match reason {
        FailReason::NoGrid => warn_once!(
            "{} finds no path: there is no NavGrid that can be baked. Spawn a NavGrid, or set OnGrid to an entity \
             that has one (said once)",
            name()
        ),
        FailReason::OutsideGrid if matches!(status, PathStatus::Partial(_)) => warn_once!(
            "{} stands at {at}, outside of every NavGrid's bounds, and walks back to the nearest free place on a \
             NavGrid (said once)",
            name()
        ),
        FailReason::OutsideGrid => warn_once!(
            "{} finds no path: it stands at {at}, outside of every NavGrid's bounds. Move it onto a NavGrid, or \
             enlarge the bounds (said once)",
            name()
        ),
        FailReason::StartBlocked => warn_once!(
            "{} finds no path: it stands at {at} inside an obstacle, and no cell near it is free for its radius. Move \
             it to free ground: Navigation::nearest_free finds a place. If nothing should be in its way there, find \
             the entity that blocks it with Navigation::what_blocks, and take that entity off the NavGrid's obstacle \
             layers (said once)",
            name()
        ),
        FailReason::BadRadius => warn_once!(
            "{} finds no path: its radius of {radius} world units is not a number >= 0, or is more than \
             max_clearance_cells cells of the NavGrid. Set a valid radius, or raise max_clearance_cells or node_radius \
             (said once)",
            name()
        ),
        _ => {}
    }
}
