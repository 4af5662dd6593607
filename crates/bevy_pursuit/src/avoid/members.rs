//! Turns agents into members of a crowd.

use std::sync::atomic::{AtomicBool, Ordering};

use bevy::ecs::prelude::*;
use bevy::ecs::query::QueryData;
use pursuit::crowd::{Crowd, Member};

use super::space::Space;
use crate::agent::{
    BodyKind, BodyState, CrowdState, DesiredVelocity, DriverState, FailReason, FollowMemory,
    GoalKind, Intent, Locomotion, NavAgent, NavDrive, NavPath, NavPaused, NavPriority, PathCursor,
    PathStatus, TickPosition, WalkState, WalkedGrid, Wants, remaining_distance,
};
use crate::chunks::Pool;
use crate::grid::{OnGrid, grid_at_or_near};
use crate::intent::Chase;

/// The first [`goal_id`](Member::goal_id) of a cell. Targets have smaller numbers.
const FIRST_CELL: u32 = 1 << 30;
/// The first [`goal_id`](Member::goal_id) of a single agent, which no other agent has. Cells have smaller numbers.
const FIRST_OWN: u32 = 1 << 31;
/// Maximum remaining distance, in world units. It also replaces a remaining distance that is NaN. It is also the stop
/// distance of chasers that surround a target, because such chasers stand behind all others.
const MAX_REMAINING_DISTANCE: f32 = 1e8;

/// The latest serial that an agent of the crowd got.
#[derive(Resource, Clone, Default)]
pub(crate) struct LatestSerial(u32);

/// The components of an agent that avoidance reads and writes.
#[derive(QueryData)]
#[query_data(mutable, contiguous(all))]
pub(super) struct CrowdAgent {
    pub(super) agent: &'static NavAgent,
    priority: Option<&'static NavPriority>,
    position: &'static TickPosition,
    path: &'static NavPath,
    status: &'static PathStatus,
    cursor: &'static PathCursor,
    intent: &'static Intent,
    walked: &'static WalkedGrid,
    on_grid: Option<&'static OnGrid>,
    pub(super) body: &'static BodyState,
    drive: Option<&'static NavDrive>,
    is_paused: Has<NavPaused>,
    locomotion: &'static Locomotion,
    chase: Option<&'static Chase>,
    pub(super) crowd_state: &'static mut CrowdState,
    pub(super) desired: &'static mut DesiredVelocity,
    memory: &'static FollowMemory,
    pub(super) walk: &'static mut WalkState,
}

/// The columns of one ECS table of agents, to be read.
type Table<'w, 's> = CrowdAgentReadOnlyContiguousItem<'w, 's>;

/// Fills a crowd with agents, in the order of tables and rows, followed by `others`. An agent that takes no part gets
/// radius 0. Returns whether any agent is new and has no serial yet.
pub(super) fn fill_crowd(
    crowd: &mut Crowd,
    (agents, others): (&Query<CrowdAgent>, &[Member]),
    space: &Space,
    pool: &Pool,
) -> bool {
    let tables = agents.contiguous_iter().into_iter().flatten();
    let tables: Vec<Table> = tables.collect();
    let count: usize = tables.iter().map(|table| table.agent.len()).sum();
    let has_newcomers = AtomicBool::new(false);
    crowd.fill(count + others.len(), pool, |first, members| {
        let (mut start, mut is_new) = (0, false);
        let end = first + members.len();
        for table in &tables {
            let until = start + table.agent.len();
            for index in first.max(start)..end.min(until) {
                let agent = table.row(index - start);
                is_new |= agent.crowd_state.serial == 0;
                let member = &mut members[index - first];
                if agent.write_member(member, space).is_none() {
                    *member = Member::default();
                }
            }
            start = until;
        }
        let rest = members.iter_mut().skip(count.saturating_sub(first));
        for (member, other) in rest.zip(&others[first.saturating_sub(count)..]) {
            *member = *other;
        }
        if is_new {
            has_newcomers.store(true, Ordering::Relaxed);
        }
    });
    has_newcomers.into_inner()
}

/// Gives serials to agents that have none, sorted by position and by the serial of their paths. So the order does not
/// depend on the world's storage, except for agents without paths at the same position.
pub(super) fn number_newcomers(agents: &mut Query<CrowdAgent>, latest: &mut LatestSerial) {
    let mut new = Vec::new();
    for (index, agent) in agents.iter().enumerate() {
        if agent.crowd_state.serial == 0 {
            let serial = agent.path.planned_for;
            new.push((agent.position.sort_key(), serial, index));
        }
    }
    if new.is_empty() {
        return;
    }
    new.sort_unstable();
    let mut serials: Vec<(usize, u32)> = Vec::with_capacity(new.len());
    for (.., index) in new {
        latest.0 = latest.0.wrapping_add(1).max(1);
        serials.push((index, latest.0));
    }
    serials.sort_unstable();
    let mut serials = serials.into_iter().peekable();
    for (index, mut agent) in agents.iter_mut().enumerate() {
        if let Some((_, serial)) = serials.next_if(|(new, _)| *new == index) {
            agent.crowd_state.bypass_change_detection().serial = serial;
        }
    }
}

impl Table<'_, '_> {
    /// The components of one agent.
    fn row(&self, row: usize) -> CrowdAgentReadOnlyItem<'_, '_> {
        CrowdAgentReadOnlyItem {
            agent: &self.agent[row],
            priority: self.priority.map(|all| &all[row]),
            position: &self.position[row],
            path: &self.path[row],
            status: &self.status[row],
            cursor: &self.cursor[row],
            intent: &self.intent[row],
            walked: &self.walked[row],
            on_grid: self.on_grid.map(|all| &all[row]),
            body: &self.body[row],
            drive: self.drive.map(|all| &all[row]),
            is_paused: self.is_paused,
            locomotion: &self.locomotion[row],
            chase: self.chase.map(|all| &all[row]),
            crowd_state: &self.crowd_state[row],
            desired: &self.desired[row],
            memory: &self.memory[row],
            walk: &self.walk[row],
        }
    }
}

impl CrowdAgentReadOnlyItem<'_, '_> {
    /// Writes the agent as a member of a crowd. `None` if the agent takes no part: its order is refused, its values are
    /// invalid, it is on no baked grid, or it is too large for its grid.
    ///
    /// Each field is written directly to its place. If the whole member was copied there, the processor would wait for
    /// the bytes that it has just written.
    fn write_member(&self, member: &mut Member, space: &Space) -> Option<()> {
        let (agent, place) = (self.agent, self.position.0);
        let is_refused = matches!(self.intent.order.want, Wants::Refused(_))
            || *self.status == PathStatus::Failed(FailReason::BadRadius);
        let is_bad = !agent.is_valid() || !place.is_finite() || !self.desired.0.is_finite();
        if is_refused || is_bad {
            return None;
        }
        let grid = space.grids().get(self.walked.0);
        let remaining = match self.walk.field() {
            Some(walk) => {
                let here = grid.map_or(place.truncate(), |grid| grid.plane().to_grid(place));
                let remaining = walk.remaining_from(here) + self.intent.order.reach;
                remaining.clamp(0.0, MAX_REMAINING_DISTANCE)
            }
            None => self.remaining_distance(space),
        };
        let own = grid.map(|grid| grid.entity);
        let own = own.or_else(|| self.idle_grid(space))?;
        let ground = space.number(own, agent.class)?;
        let snapshot = space.grids().get(Some(own))?.snapshot();
        snapshot.filter(|it| agent.radius <= it.max_radius())?;
        let plane = space.plane_of(ground);
        let wanted = plane.direction_to_grid(self.desired.0);
        let stands = wanted.length_squared() == 0.0;
        let is_there = self.is_there(remaining);
        member.memory = self.crowd_state.memory;
        let memory = &mut member.memory;
        // An arrived agent that keeps up with its target is not settled, nor is an agent that is alone and sets out.
        memory.is_settled &= stands || !is_there && memory.has_neighbors;
        (memory.is_stuck, memory.has_reported) = match self.walk.field() {
            // An agent that joins a field gets a new watch, which does not change until the agent leaves the field.
            Some(_) => (false, false),
            None => (self.memory.watch.stuck > 0, self.memory.watch.has_given_up),
        };
        member.place = plane.to_grid(place);
        member.velocity = plane.direction_to_grid(self.crowd_state.velocity);
        (member.heading, member.pace) = (wanted.normalize_or_zero(), wanted.length());
        member.acceleration = agent.acceleration * self.body.agility(self.drive);
        (member.radius, member.margin) = (agent.radius, self.body.gap);
        (member.remaining, member.stop_distance) = (remaining, self.stop_distance());
        member.goal_id = self.goal_id(space, is_there);
        (member.weight, member.serial) = (self.weight(), self.crowd_state.serial);
        (member.ground_id, member.plane) = (ground, space.plane_index(ground) as u16);
        (member.has_arrived, member.settles) = (is_there && stands, self.settles());
        Some(())
    }

    /// The grid under an agent for which the follow stage found none.
    fn idle_grid(&self, space: &Space) -> Option<Entity> {
        grid_at_or_near(self.on_grid.copied(), self.position.0, space.grids())
    }

    /// How much the agent resists being pushed. Infinite if nothing can push it.
    fn weight(&self) -> f32 {
        let is_fixed = self.body.state != DriverState::Ready || self.body.kind == BodyKind::Fixed;
        if self.is_paused || is_fixed {
            return f32::INFINITY;
        }
        self.priority.copied().unwrap_or_default().weight()
    }

    /// Whether the agent settles behind others that arrived first.
    fn settles(&self) -> bool {
        matches!(self.intent.order.want, Wants::Go | Wants::Follow)
    }

    /// Whether the agent has arrived, or waits at the end of a path that leads no nearer.
    fn is_there(&self, remaining: f32) -> bool {
        match self.locomotion {
            Locomotion::Arrived => true,
            Locomotion::Waiting => matches!(self.status, PathStatus::Partial(_)),
            // The goal of a paused agent may have moved away since it arrived.
            Locomotion::Paused => {
                let near = self.intent.order.reach + self.agent.radius;
                self.memory.has_arrived() && remaining <= near
            }
            _ => false,
        }
    }

    /// A number that is the same for agents with the same target or the same goal cell.
    fn goal_id(&self, space: &Space, is_there: bool) -> u32 {
        let order = &self.intent.order;
        let shared = match (order.want, order.target) {
            // The agent is on its way to a slot of its own.
            (Wants::Follow, _) if order.goal_kind == GoalKind::Slot && !is_there => None,
            (Wants::Follow, target) => target.map(Entity::index_u32).filter(|it| *it < FIRST_CELL),
            (Wants::Go, _) => space
                .cell(order.grid, order.goal)
                .and_then(|cell| FIRST_CELL.checked_add(cell))
                .filter(|it| *it < FIRST_OWN),
            _ => None,
        };
        shared.unwrap_or(FIRST_OWN.saturating_add(self.crowd_state.serial))
    }

    /// Distance from the target at which the agent stops, in world units, without the agent's own radius. So bodies of
    /// different sizes that touch the target stop at the same distance.
    fn stop_distance(&self) -> f32 {
        let order = &self.intent.order;
        if order.want != Wants::Follow {
            return 0.0;
        }
        // An agent on a field is far from the circle around its target, so its `Chase` need not be read from memory.
        let is_around = self.walk.field().is_none() && self.chase.is_some_and(|it| it.surround);
        match is_around {
            true => MAX_REMAINING_DISTANCE,
            false => order.reach - self.agent.radius,
        }
    }

    /// Remaining distance to the goal, in world units.
    fn remaining_distance(&self, space: &Space) -> f32 {
        let order = &self.intent.order;
        let is_off_path = self.memory.sees_target
            || self.path.abreast.is_some()
            || *self.locomotion == Locomotion::Arrived;
        let remaining = if self.path.is_empty() || is_off_path {
            let plane = space.grids().plane_of(order.grid);
            plane.to_grid(self.position.0).distance(order.goal)
        } else {
            remaining_distance(self.path, self.cursor.next(), self.position.0, order)
        };
        // `min` also replaces NaN.
        remaining.min(MAX_REMAINING_DISTANCE)
    }
}
