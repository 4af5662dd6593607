//! Decides which agents join a flow, and begins flows.

use std::cmp::Reverse;
use std::time::Duration;

use bevy::ecs::bundle::InsertMode;
use bevy::ecs::prelude::*;
use bevy::ecs::query::QueryData;
use bevy::ecs::system::command::insert_batch;

use super::leave::Plain;
use super::step::{LEAVE_CELLS, LEAVE_CELLS_PUSHED, wanted_reach};
use crate::agent::{
    BodyKind, BodyState, ChaseIndex, CrowdState, DriverState, FlowFollower, FollowMemory, Intent,
    Jam, Locomotion, NavAgent, NavPath, PathCursor, PathStatus, Planning, Purpose, RepathPolicy,
    TickPosition, Wants, stagger,
};
use crate::events::{PathFound, trigger_if_alive};
use crate::fields::{FIELD_CELLS_PER_NODE, FieldCache, FieldGoal, FieldKey, MAX_FIELD_CELLS};
use crate::grid::{BakedGrid, NavGrid};
use crate::intent::Chase;
use crate::plan::queue::PlanQueue;
use crate::schedule::{FollowTick, TickCount};
use crate::settings::{PlanMode, PursuitSettings};
use crate::stats::PursuitStats;

/// An agent joins a flow only if its remaining distance is greater than this many times the distance at which it would
/// leave the flow, so that it does not join and leave again and again.
const JOIN_DISTANCE_FACTOR: f32 = 2.0;
/// Minimum number of agents that want the same flow in one tick for the flow to begin. With 96 chasers, about 12 look
/// for a flow in one tick (see [`LOOK_INTERVAL_TICKS`]), so half of these are enough.
const MIN_JOINERS: u32 = 6;
/// Maximum number of agents that join in one tick. There is a maximum, because Bevy moves an agent that joins to
/// another ECS table. If there are more than `MAX_JOINS × JOIN_TICKS` chasers, the maximum is `chasers / JOIN_TICKS`.
/// An agent walks on a planned path until it joins.
const MAX_JOINS: usize = 1024;
/// Number of ticks within which nearly all agents join.
const JOIN_TICKS: usize = 32;
/// Number of ticks between two looks of an agent for a flow.
const LOOK_INTERVAL_TICKS: u32 = 8;
/// Maximum number of flows for which agents are counted in one tick.
const MAX_WANTED_FLOWS: usize = 64;

/// The components of an agent that joining reads and writes.
#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct Joiner {
    entity: Entity,
    agent: &'static NavAgent,
    body: &'static BodyState,
    chase: &'static Chase,
    keeps_clear: Has<CrowdState>,
    intent: &'static Intent,
    position: &'static TickPosition,
    locomotion: &'static mut Locomotion,
    planning: &'static mut Planning,
    status: &'static mut PathStatus,
    path: &'static mut NavPath,
    cursor: &'static mut PathCursor,
    memory: &'static FollowMemory,
}

/// Whether any target has so many chasers that a flow may pay off.
pub(super) fn is_crowded(index: Option<Res<ChaseIndex>>) -> bool {
    index.is_some_and(|index| !index.flow_targets.is_empty())
}

/// Makes agents join the flows toward their targets. Begins flows that enough agents want.
pub(super) fn join_flows(
    (settings, ticks, followed): (Res<PursuitSettings>, Res<TickCount>, Res<FollowTick>),
    (index, queue): (Res<ChaseIndex>, Option<Res<PlanQueue>>),
    grids: Query<&'static BakedGrid, With<NavGrid>>,
    (mut fields, mut stats): (ResMut<FieldCache>, ResMut<PursuitStats>),
    mut commands: Commands,
    (mut joiners, chasers): (Query<Joiner, Plain>, Query<(), With<Chase>>),
) {
    // No agent joins a flow if the game pauses the follow stage or has no planning.
    let is_walking = **followed + 1 == ticks.0 && queue.is_some();
    if !settings.share_fields || settings.max_expanded.is_some() || !is_walking {
        return;
    }
    let is_inline = settings.plan_mode == PlanMode::Inline;
    let mut pass = JoinPass {
        fields: &mut fields,
        grids: &grids,
        max_cells: if is_inline {
            FIELD_CELLS_PER_NODE * settings.search_budget as usize
        } else {
            usize::MAX
        },
        wanted: Vec::new(),
    };
    // With `PlanMode::Inline`, all may join at once, because nothing may depend on the order in which the world stores
    // agents.
    let within = if is_inline { 1 } else { JOIN_TICKS };
    let max_joins = MAX_JOINS.max(chasers.iter().len() / within);
    let (mut joined, mut events) = (Vec::new(), Vec::new());
    let may_look = |joiner: &JoinerItem| {
        let stagger = stagger(joiner.position.0.truncate());
        (ticks.0 as u32)
            .wrapping_add(stagger.into())
            .is_multiple_of(LOOK_INTERVAL_TICKS)
    };
    let joiners = joiners
        .iter_mut()
        .filter(|joiner| may_look(joiner) && joiner.may_join(&index));
    let found = joiners.filter_map(|joiner| pass.flow_for(&joiner).map(|flow| (joiner, flow)));
    for (mut joiner, (number, length)) in found.take(max_joins) {
        let place = joiner.position.0.truncate();
        let follower = FlowFollower {
            speed: joiner.memory.speed,
            remaining: length,
            keeps_clear: joiner.keeps_clear,
            reach: joiner.intent.order.reach,
            wanted_reach: wanted_reach(joiner.chase, joiner.agent),
            ..FlowFollower::new(number, place)
        };
        joined.push((joiner.entity, follower));
        if joiner.join() {
            let key = joiner.position.0.to_array().map(f32::to_bits);
            events.push((
                key,
                PathFound {
                    entity: joiner.entity,
                    length,
                    latency: Duration::ZERO,
                },
            ));
        }
    }
    stats.paths_shared += joined.len() as u64;
    if !joined.is_empty() {
        commands.queue_silenced(insert_batch(joined, InsertMode::Replace));
    }
    events.sort_unstable_by_key(|(key, _)| *key);
    events
        .into_iter()
        .for_each(|(_, found)| trigger_if_alive(&mut commands, found));
    pass.begin();
}

/// The inputs of joining in one tick, and the flows that agents want.
struct JoinPass<'a, 'w, 's> {
    fields: &'a mut FieldCache,
    grids: &'a Query<'w, 's, &'static BakedGrid, With<NavGrid>>,
    /// Grids with more cells get no flows.
    max_cells: usize,
    /// Flows that do not exist yet, and the number of agents that want to follow each.
    wanted: Vec<(FieldKey, u32)>,
}

impl JoinPass<'_, '_, '_> {
    /// The number of the flow for an agent, and the remaining distance to the target along it, in world units. `None`
    /// for an agent near its target. If the flow does not exist yet, counts the agent for it.
    fn flow_for(&mut self, joiner: &JoinerItem) -> Option<(u32, f32)> {
        let order = &joiner.intent.order;
        let grid = order.grid?;
        let snapshot = self.grids.get(grid).ok()?.snapshot()?;
        let (place, cell) = (joiner.position.0.truncate(), snapshot.layout().cell_size());
        let key = FieldKey {
            grid,
            body: order.body().key(),
            goal: FieldGoal::Target {
                target: order.target?,
                is_obstacle: order.to_rim,
            },
        };
        let least = JOIN_DISTANCE_FACTOR * joiner.leaves() * cell + order.reach;
        // The straight distance is enough to tell for most agents near their target.
        if place.distance_squared(order.goal) <= least * least {
            return None;
        }
        let Some(flow) = self.fields.find(&key) else {
            if key.may_reach(order.goal, snapshot) {
                self.count(key);
            }
            return None;
        };
        let field = flow.field().filter(|_| !flow.is_over)?;
        let remaining = snapshot
            .sample_field((field, None), place, joiner.agent)?
            .remaining;
        (remaining > least).then_some((flow.number, remaining))
    }

    /// Counts an agent that wants a flow.
    fn count(&mut self, key: FieldKey) {
        let known = self.wanted.iter().position(|(wanted, _)| *wanted == key);
        match known {
            Some(index) => self.wanted[index].1 += 1,
            None if self.wanted.len() < MAX_WANTED_FLOWS => self.wanted.push((key, 1)),
            None => {}
        }
    }

    /// Begins the flows that enough agents want.
    fn begin(mut self) {
        let many = |(_, count): &(FieldKey, u32)| *count >= MIN_JOINERS;
        let mut keys: Vec<(FieldKey, u32)> = self.wanted.drain(..).filter(many).collect();
        // The largest crowds go first, in an order that does not depend on the world's storage.
        keys.sort_by_key(|(key, count)| (Reverse(*count), key.body, key.target(), key.grid));
        for (key, _) in keys {
            let is_fit = self.grids.get(key.grid).is_ok_and(|grid| {
                let cells = grid.snapshot().map(|it| it.layout().cell_count());
                let max_cells = MAX_FIELD_CELLS.min(self.max_cells);
                let fits = |cells: usize| cells <= max_cells && self.fields.has_room(cells);
                grid.plane.is_xy() && cells.is_some_and(fits)
            });
            if is_fit {
                self.fields.begin(key);
            }
        }
    }
}

impl JoinerItem<'_, '_> {
    /// Remaining distance at which the agent would leave a flow, in cells.
    fn leaves(&self) -> f32 {
        let is_pushed = self.body.kind != BodyKind::Bare || self.keeps_clear;
        if is_pushed {
            LEAVE_CELLS_PUSHED
        } else {
            LEAVE_CELLS
        }
    }

    /// Whether the agent may join a flow, apart from its distance.
    fn may_join(&self, index: &ChaseIndex) -> bool {
        let order = &self.intent.order;
        let may_walk = self.body.kind != BodyKind::Fixed && self.body.state == DriverState::Ready;
        let is_free = match *self.locomotion {
            Locomotion::Idle | Locomotion::Moving | Locomotion::Waiting => true,
            // A straight line may end behind standing agents. Only the field leads around them to a free place.
            Locomotion::Straight | Locomotion::Queued => self.keeps_clear,
            _ => false,
        };
        let is_near = |jam: Jam| jam.is_near(self.position.0.truncate(), order.radius);
        let looks_for_detour = self.path.jam.is_some_and(is_near)
            || self.planning.is_pending && self.planning.purpose == Purpose::Detour;
        order.want == Wants::Follow
            && order
                .target
                .is_some_and(|target| index.flow_targets.contains(&target))
            && may_walk
            && is_free
            && !self.chase.surround
            && !looks_for_detour
            && !self.memory.on_forbidden
            && self.intent.interval == RepathPolicy::NO_INTERVAL
    }

    /// Drops the agent's path, which it no longer needs. Returns whether observers should get [`PathFound`].
    fn join(&mut self) -> bool {
        let planning = self.planning.bypass_change_detection();
        planning.is_pending = false;
        planning.take_on(self.intent, *self.status);
        let was_reported = std::mem::replace(&mut planning.was_reported, true);
        let is_known = was_reported && *self.status == PathStatus::Found;
        self.status.set_if_neq(PathStatus::Found);
        self.locomotion.set_if_neq(Locomotion::Moving);
        *self.path = NavPath {
            planned_for: self.path.planned_for,
            revision: self.path.revision.wrapping_add(1),
            ..NavPath::default()
        };
        *self.cursor = PathCursor::default();
        !is_known
    }
}
