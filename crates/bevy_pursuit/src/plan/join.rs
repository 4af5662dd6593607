//! Makes agents join flows, and begins the flows that enough agents want.

use std::cmp::Reverse;
use std::time::Duration;

use bevy::ecs::prelude::*;
use bevy::ecs::query::QueryData;
use bevy::platform::collections::HashMap;

use super::recorder::PathRecorder;
use crate::agent::{
    BodyKind, BodyState, ByMarker, ChaseIndex, CrowdState, Decided, DriverState, FieldWalk,
    FollowMemory, GoalKind, GridPlane, Intent, Locomotion, NavAgent, NavDrive, NavPath, NavPaused,
    OffFields, PathCursor, PathStatus, Planning, Prices, TickPosition, WalkState, WalkedGrid,
    Wants, has_join_turn,
};
use crate::events::{PathFound, trigger_if_alive};
use crate::fields::{
    FIELD_CELLS_PER_NODE, FieldCache, FieldKey, LEAVE_CELLS, LEAVE_CELLS_PUSHED, MAX_FIELD_CELLS,
};
use crate::grid::Grids;
use crate::intent::Chase;
use crate::schedule::TickCount;
use crate::settings::{PlanMode, PursuitSettings};
use crate::stats::PursuitStats;

/// Minimum remaining distance at which an agent joins a flow, as a multiple of the distance at which it would leave the
/// flow. The gap between the two keeps the agent from joining and leaving again and again.
const JOIN_DISTANCE_FACTOR: f32 = 2.0;
/// Minimum number of agents that have to want a flow in one tick for the flow to begin. Of 96 chasers, about 12 look
/// for a flow in one tick (see [`has_join_turn`]), so half of these are enough.
const MIN_JOINERS: u32 = 6;
/// Maximum number of agents that join flows in one tick, which limits the time of a frame. If there are
/// more than `MAX_JOINS × JOIN_TICKS` chasers, the maximum is the number of chasers over `JOIN_TICKS`.
const MAX_JOINS: usize = 1024;
/// Number of ticks within which nearly all agents that want to join a flow do so.
const JOIN_TICKS: usize = 32;

/// The components of an agent that joining reads and writes.
#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct Joiner {
    entity: Entity,
    agent: &'static NavAgent,
    body: &'static BodyState,
    crowd_state: Option<&'static mut CrowdState>,
    drive: Option<&'static NavDrive>,
    is_recorded: Has<PathRecorder>,
    is_paused: Has<NavPaused>,
    intent: &'static Intent,
    position: &'static TickPosition,
    locomotion: &'static mut Locomotion,
    planning: &'static mut Planning,
    status: &'static mut PathStatus,
    path: &'static mut NavPath,
    cursor: &'static mut PathCursor,
    memory: &'static mut FollowMemory,
    walk: &'static mut WalkState,
    walked: &'static mut WalkedGrid,
    decided: &'static mut Decided,
}

/// Whether any target has enough chasers for a flow.
pub(super) fn is_crowded(index: Option<Res<ChaseIndex>>) -> bool {
    index.is_some_and(|index| !index.flow_targets.is_empty())
}

/// Makes agents join the flows toward their targets. Begins flows that enough agents want.
pub(super) fn join_flows(
    (settings, ticks): (Res<PursuitSettings>, Res<TickCount>),
    (index, off_fields, grids): (Res<ChaseIndex>, Res<OffFields>, Res<Grids>),
    prices: Res<Prices>,
    (mut fields, mut stats): (ResMut<FieldCache>, ResMut<PursuitStats>),
    mut commands: Commands,
    (mut joiners, chasers): (ByMarker<Joiner>, Query<(), With<Chase>>),
) {
    // No agent joins a flow if the game pauses or replaces the follow stage.
    let is_walking = fields.followed_at + 1 == ticks.0;
    if !settings.share_fields || settings.max_expanded.is_some() || !is_walking {
        return;
    }
    let is_inline = settings.plan_mode == PlanMode::Inline;
    let mut pass = JoinPass {
        fields: &mut fields,
        grids: &grids,
        prices: &prices,
        max_cells: if is_inline {
            FIELD_CELLS_PER_NODE * settings.search_budget as usize
        } else {
            usize::MAX
        },
        wanted: HashMap::default(),
    };
    let mut events = Vec::new();
    let listed = off_fields.joiners.as_deref();
    let listed = listed.filter(|_| off_fields.tick == ticks.0);
    // With `PlanMode::Inline`, nothing may depend on the order in which the world stores agents.
    let mut joins_left = match is_inline {
        true => usize::MAX,
        false => MAX_JOINS.max(chasers.iter().len() / JOIN_TICKS),
    };
    joiners.for_listed(listed, |mut joiner| {
        let has_turn = has_join_turn(joiner.position.0.truncate(), ticks.0 as u32);
        if joins_left == 0 || !(has_turn && joiner.may_join(&index)) {
            return;
        }
        if let Some((walk, plane)) = pass.walk_for(&joiner) {
            stats.paths_shared += 1;
            joins_left -= 1;
            if joiner.join(walk, plane) {
                let key = joiner.position.sort_key();
                let found = PathFound {
                    entity: joiner.entity,
                    length: walk.remaining_from(walk.expected) + joiner.intent.order.reach,
                    latency: Duration::ZERO,
                };
                events.push((key, found));
            }
        }
    });
    events.sort_unstable_by_key(|(key, _)| *key);
    for (_, found) in events {
        trigger_if_alive(&mut commands, found);
    }
    pass.begin();
}

/// The inputs of joining in one tick, and the flows that agents want.
struct JoinPass<'a> {
    fields: &'a mut FieldCache,
    grids: &'a Grids,
    prices: &'a Prices,
    /// Grids with more cells get no flows.
    max_cells: usize,
    /// Flows that do not exist yet, and the number of agents that want to follow each.
    wanted: HashMap<FieldKey, u32>,
}

impl JoinPass<'_> {
    /// The walk of an agent along its flow, and the plane of the flow's grid. `None` if the agent is too near its
    /// target, is near a place where an agent got stuck, is on forbidden ground, or has no usable flow. If the flow
    /// does not exist yet, the agent is counted for it.
    fn walk_for(&mut self, joiner: &JoinerItem) -> Option<(FieldWalk, GridPlane)> {
        let order = &joiner.intent.order;
        let grid = self.grids.get(order.grid)?;
        let snapshot = grid.snapshot()?;
        let place = grid.plane().to_grid(joiner.position.0);
        let is_forbidden = snapshot.is_forbidden(place, order.class);
        let mut prices = self.prices.of(order.grid).list.iter();
        if prices.any(|price| price.is_near(place, order.body())) || is_forbidden {
            return None;
        }
        let cell = snapshot.layout().cell_size();
        let key = FieldKey::of_chase(order)?;
        let least = JOIN_DISTANCE_FACTOR * joiner.leaves() * cell + order.reach;
        // This cheap test is enough for most agents near their target.
        if place.distance_squared(order.goal) <= least * least {
            return None;
        }
        let Some(flow) = self.fields.find(&key) else {
            if key.may_reach(order.goal, snapshot) {
                *self.wanted.entry(key).or_default() += 1;
            }
            return None;
        };
        let field = flow.field().filter(|_| !flow.is_over)?;
        let way = snapshot.sample_field((field, None), place, joiner.agent)?;
        let walk = || FieldWalk::new(flow.number, place, way.remaining - order.reach);
        (way.remaining > least).then(|| (walk(), *grid.plane()))
    }

    /// Begins the flows that enough agents want.
    fn begin(self) {
        for key in most_wanted(self.wanted) {
            let grid = self.grids.get(Some(key.grid));
            let snapshot = grid.and_then(|grid| grid.baked.snapshot());
            let cells = snapshot.map_or(usize::MAX, |it| it.layout().cell_count());
            if cells <= MAX_FIELD_CELLS.min(self.max_cells) {
                self.fields.begin(key, cells);
            }
        }
    }
}

/// The flows that enough agents want, the largest crowds first. The order does not depend on how the world stores
/// agents.
fn most_wanted(counts: HashMap<FieldKey, u32>) -> impl Iterator<Item = FieldKey> {
    let many = |(_, count): &(FieldKey, u32)| *count >= MIN_JOINERS;
    let mut keys: Vec<(FieldKey, u32)> = counts.into_iter().filter(many).collect();
    keys.sort_unstable_by_key(|(key, count)| (Reverse(*count), *key));
    keys.into_iter().map(|(key, _)| key)
}

impl JoinerItem<'_, '_> {
    /// Remaining distance at which the agent would leave a flow, in cells.
    fn leaves(&self) -> f32 {
        let is_pushed = self.body.kind != BodyKind::Bare || self.crowd_state.is_some();
        match is_pushed {
            true => LEAVE_CELLS_PUSHED,
            false => LEAVE_CELLS,
        }
    }

    /// Whether the agent may join a flow, not considering its position.
    fn may_join(&self, index: &ChaseIndex) -> bool {
        let order = &self.intent.order;
        let may_walk = self.body.kind != BodyKind::Fixed && self.body.state == DriverState::Ready;
        let is_free = match *self.locomotion {
            Locomotion::Idle | Locomotion::Moving | Locomotion::Waiting => true,
            // A straight line may end behind standing agents. Only the field leads around them to a free place.
            Locomotion::Straight | Locomotion::Queued => self.crowd_state.is_some(),
            _ => false,
        };
        let is_crowded = |target| index.flow_targets.contains(&target);
        // A slipping body has to brake before corners and far from its goal. An agent on a field does neither.
        let slips = self.body.agility(self.drive) < 1.0;
        self.walk.field().is_none()
            && order.want == Wants::Follow
            && order.target.is_some_and(is_crowded)
            && may_walk
            && is_free
            && order.goal_kind != GoalKind::Slot
            && !(slips || self.is_recorded)
            && !self.is_paused
            && !self.memory.on_forbidden
    }

    /// Makes the field lead the agent, and drops the agent's path. Returns whether observers should get [`PathFound`].
    fn join(&mut self, walk: FieldWalk, plane: GridPlane) -> bool {
        self.walk.bypass_change_detection().join_field(walk);
        self.walked.bypass_change_detection().0 = self.intent.order.grid;
        self.decided.bypass_change_detection().has_field = true;
        if let Some(crowd_state) = &mut self.crowd_state {
            // The agent looks at the field first, even if others held it up on its path.
            crowd_state.bypass_change_detection().begin_anew();
        }
        let planning = self.planning.bypass_change_detection();
        planning.is_pending = false;
        planning.take_on(self.intent, *self.status);
        let was_reported = std::mem::replace(&mut planning.was_reported, true);
        let is_known = was_reported && *self.status == PathStatus::Found;
        self.status.set_if_neq(PathStatus::Found);
        self.locomotion.set_if_neq(Locomotion::Moving);
        *self.path = NavPath {
            planned_for: self.planning.serial,
            revision: self.path.revision.wrapping_add(1),
            ..NavPath::default()
        };
        *self.cursor = PathCursor::default();
        let memory = self.memory.bypass_change_detection();
        *memory = FollowMemory {
            past: memory.past,
            plane,
            looked_at: memory.looked_at,
            path_revision: self.path.revision,
            ..FollowMemory::default()
        };
        !is_known
    }
}

#[cfg(test)]
mod tests {
    use bevy::ecs::entity::Entity;

    use super::*;
    use crate::agent::NavBody;
    use crate::fields::FieldGoal;

    #[test]
    fn the_order_of_wanted_flows_does_not_depend_on_the_order_of_counting() {
        let key = |n: u32| FieldKey {
            body: NavBody::from(0.4).key(),
            goal: FieldGoal::Target {
                target: Entity::from_raw_u32(n % 150).expect("a number"),
                is_obstacle: n >= 150,
            },
            grid: Entity::PLACEHOLDER,
        };
        let mut all: Vec<u32> = (0..300).collect();
        let mut wanted = |seed: u64| {
            fastrand::Rng::with_seed(seed).shuffle(&mut all);
            let counts = all.iter().map(|n| (key(*n), MIN_JOINERS - 1 + n % 3));
            most_wanted(counts.collect()).collect::<Vec<_>>()
        };
        let first = wanted(1);
        assert_eq!(first.len(), 200);
        assert!((2..10).all(|seed| wanted(seed) == first));
    }
}
