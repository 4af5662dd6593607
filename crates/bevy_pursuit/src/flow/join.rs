//! Who joins a flow.

use bevy::ecs::prelude::*;
use bevy::ecs::query::QueryData;
use bevy::platform::time::Instant;

use super::flows::{FlowKey, Flows};
use crate::agent::{
    BodyKind, BodyState, ChaseIndex, DriverState, FlowFollower, Following, Intent, Locomotion,
    NavAgent, NavDrive, NavPath, NavPaused, PathCursor, PathStatus, Place, Planning, RepathPolicy,
    Wants, turn,
};
use crate::events::{PathFound, tell};
use crate::grid::{BakedGrid, NavGrid, OnGrid};
use crate::intent::{Chase, Flee, PathRequest};
use crate::plan::queue::PlanQueue;
use crate::plan::recorder::PathRecorder;
use crate::schedule::{FollowTick, Ticks};
use crate::settings::{PlanMode, PursuitSettings};
use crate::stats::PursuitStats;

/// So many cells of plain ground are left at least for one who joins, as much more than for one who leaves that nobody does
/// both by turns.
pub(super) const JOINS: f32 = 24.0;
/// Most that join in one tick: each is moved to another table.
const MOST: usize = 1024;
/// Those who have paths look in turns of so many ticks whether there is a flow.
const TURNS: u32 = 8;

/// What joining reads and writes.
#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct Joiner {
    entity: Entity,
    agent: &'static NavAgent,
    body: &'static BodyState,
    intent: &'static Intent,
    place: &'static Place,
    locomotion: &'static mut Locomotion,
    planning: &'static mut Planning,
    status: &'static mut PathStatus,
    path: &'static mut NavPath,
    cursor: &'static mut PathCursor,
    memory: &'static Following,
}

/// Nobody who is more than one of many.
pub(super) type Plain = (
    With<Chase>,
    Without<FlowFollower>,
    Without<PathRequest>,
    Without<Flee>,
    Without<NavPaused>,
    Without<NavDrive>,
    Without<OnGrid>,
    Without<PathRecorder>,
    Without<ChildOf>,
);

/// Whether one is chased by so many that a flow may pay.
pub(super) fn is_crowded(index: Option<Res<ChaseIndex>>) -> bool {
    index.is_some_and(|index| !index.masses.is_empty())
}

pub(super) fn join_flows(
    (settings, ticks, followed): (Res<PursuitSettings>, Res<Ticks>, Res<FollowTick>),
    (index, queue): (Res<ChaseIndex>, Option<Res<PlanQueue>>),
    grids: Query<&BakedGrid, With<NavGrid>>,
    (mut flows, mut stats): (ResMut<Flows>, ResMut<PursuitStats>),
    mut commands: Commands,
    mut joiners: Query<Joiner, Plain>,
) {
    // Where a game gates Follow, or plans for nobody, nobody walks by a field either.
    let is_walking = **followed + 1 == ticks.0 && queue.is_some();
    if !settings.share_fields || settings.max_expanded.is_some() || !is_walking {
        return;
    }
    let tick = ticks.0 as u32;
    // Inside the tick nothing may depend on the order in which the world keeps agents.
    let is_inline = settings.plan_mode == PlanMode::Inline;
    let mut left = if is_inline { usize::MAX } else { MOST };
    let mut last: Option<(FlowKey, Option<u32>)> = None;
    for mut joiner in &mut joiners {
        let here = joiner.place.0.truncate();
        let is_turn = tick.wrapping_add(turn(here).into()).is_multiple_of(TURNS);
        let has_path = *joiner.status == PathStatus::Found;
        if left == 0 || has_path && !is_turn || !joiner.may_join(&index) {
            continue;
        }
        let Some(key) = joiner.key() else { continue };
        // Crowds are of few kinds.
        let number = match last {
            Some((known, number)) if known == key => number,
            _ => {
                let known = flows.find(&key).map(|(number, _)| number);
                last = Some((key, known));
                known
            }
        };
        let Some(number) = number else {
            let lies_flat = |grid: &BakedGrid| grid.frame.is_xy() && grid.snapshot().is_some();
            if grids.get(key.grid).is_ok_and(lies_flat) {
                flows.begin(key);
            }
            continue;
        };
        let is_far = flows
            .get(number)
            .filter(|flow| !flow.is_over)
            .is_some_and(|flow| {
                let snapshot = grids.get(key.grid).ok().and_then(BakedGrid::snapshot);
                let known = snapshot.zip(flow.field.as_deref());
                let way = known.and_then(|(it, field)| it.way_on(field, here, joiner.agent));
                let least = snapshot.map_or(0.0, |it| JOINS * it.layout().cell_size());
                way.is_some_and(|way| way.left > least)
            });
        if is_far {
            left -= 1;
            joiner.join(number, &mut commands, &mut stats);
        }
    }
}

impl JoinerItem<'_, '_> {
    fn may_join(&self, index: &ChaseIndex) -> bool {
        let errand = &self.intent.errand;
        let is_bare = self.body.kind == BodyKind::Bare && self.body.state == DriverState::Ready;
        let is_free = matches!(
            *self.locomotion,
            Locomotion::Idle | Locomotion::Moving | Locomotion::Waiting
        );
        errand.want == Wants::Follow
            && errand
                .target
                .is_some_and(|target| index.masses.contains(&target))
            && is_bare
            && is_free
            && self.body.gap == 0.0
            && self.intent.interval == RepathPolicy::Dynamic.interval()
    }

    fn key(&self) -> Option<FlowKey> {
        let errand = &self.intent.errand;
        Some(FlowKey {
            grid: errand.grid?,
            target: errand.target?,
            body: errand.body(),
        })
    }

    /// It needs no path any more: a way is known.
    fn join(&mut self, number: u32, commands: &mut Commands, stats: &mut PursuitStats) {
        let place = self.place.0.truncate();
        let follower = FlowFollower::new(number, place, self.memory.speed);
        commands.entity(self.entity).try_insert(follower);
        let planning = self.planning.bypass_change_detection();
        planning.is_pending = false;
        planning.take_on(self.intent, *self.status);
        if !std::mem::replace(&mut planning.is_told, true) {
            let latency = Instant::now().elapsed();
            let found = PathFound {
                entity: self.entity,
                length: 0.0,
                latency,
            };
            tell(commands, found);
        }
        stats.paths_shared += 1;
        self.status.set_if_neq(PathStatus::Found);
        self.locomotion.set_if_neq(Locomotion::Moving);
        *self.path = NavPath {
            owner: self.path.owner,
            version: self.path.version.wrapping_add(1),
            ..NavPath::default()
        };
        *self.cursor = PathCursor::default();
    }
}
