//! Keeps flows up to date: the systems that build their fields, and end flows that nobody needs.

use bevy::prelude::*;
use bevy::tasks::AsyncComputeTaskPool;

use super::cache::FieldCache;
use super::flow::Build;
use super::others::{Members, Others};
use crate::agent::{Prices, world_position};
use crate::grid::Grids;
use crate::pending_task::PendingTask;
use crate::schedule::{AvoidTick, FollowTick, TickCount};
use crate::settings::{PlanMode, PursuitSettings};
use crate::stats::PursuitStats;

/// Time after which a flow looks for agents in the way again, in seconds.
const OTHERS_INTERVAL_SECONDS: f32 = 0.25;
/// Time after which a flow ends if its target is off the grid or inside an obstacle, in seconds.
const MAX_UNREACHABLE_SECONDS: f32 = 0.5;

/// Whether there is any flow. A run condition for the systems of flows.
pub(crate) fn any_flow(cache: Res<FieldCache>) -> bool {
    cache.flows().next().is_some()
}

/// Takes in finished fields. Prepares builds for flows whose target moved, whose grid changed, or that have other
/// agents in the way. Removes flows without followers.
pub(crate) fn keep_flows(
    (settings, ticks, followed): (Res<PursuitSettings>, Res<TickCount>, Res<FollowTick>),
    (grids, prices): (Res<Grids>, Res<Prices>),
    transforms: TransformHelper,
    (time, avoided, members): (Res<Time>, Res<AvoidTick>, Members),
    mut stats: ResMut<PursuitStats>,
    mut cache: ResMut<FieldCache>,
) {
    let dt = settings.step(time.delta_secs());
    let looks = (OTHERS_INTERVAL_SECONDS / dt.max(1e-4)).max(1.0) as u64;
    let is_inline = settings.plan_mode == PlanMode::Inline;
    let shares = settings.share_fields && settings.max_expanded.is_none();
    let is_walking = **followed + 1 == ticks.0;
    let mut built_flow = None;
    cache.each_with_flow(|entry| {
        let (Some(flow), counts) = (&mut entry.flow, &entry.share.counts) else {
            return;
        };
        if let Some(built) = flow.building.as_mut().and_then(PendingTask::poll) {
            flow.take_in(built, &mut stats);
        }
        let key = flow.key;
        let (grid, plane) = (grids.get(Some(key.grid)), grids.plane_of(Some(key.grid)));
        let snapshot = grid.and_then(|grid| grid.baked.snapshot());
        let goal = key.target().and_then(|it| world_position(&transforms, it));
        let goal = goal.map(|place| plane.to_grid(place));
        flow.is_over |= !shares || !goal.is_some_and(Vec2::is_finite);
        let goal = goal.filter(|goal| snapshot.is_some_and(|it| key.may_reach(*goal, it)));
        flow.away_seconds = goal.map_or(flow.away_seconds + dt, |_| 0.0);
        flow.is_over |= flow.away_seconds > MAX_UNREACHABLE_SECONDS
            || !snapshot.is_some_and(|snapshot| flow.is_on(snapshot));
        // Flows take turns, because a look at all agents in the way takes long.
        let is_turn = (ticks.0 + u64::from(flow.number.get())).is_multiple_of(looks);
        if let Some(snapshot) = snapshot.filter(|_| is_walking && is_turn && dt > 0.0) {
            let are_kept_apart = **avoided + 1 == ticks.0;
            let on = (key.grid, plane, snapshot.layout());
            let members = are_kept_apart.then_some(&members);
            let prices = prices.of(Some(key.grid));
            flow.others = Others::find(members, prices, on, key.body()).into();
        }
        // With `PlanMode::Inline`, at most one field is built per tick.
        let may_build = !(flow.is_over || built_flow.is_some());
        if let Some((snapshot, goal)) = snapshot.zip(goal).filter(|_| may_build) {
            flow.keep_up(snapshot, goal, counts);
        }
        if is_inline && let Some(mut building) = flow.building.take() {
            built_flow = Some(flow.number);
            let built = building.finish(Build::run);
            flow.take_in(built.flatten(), &mut stats);
        }
        if is_walking && flow.is_unfollowed(dt) {
            entry.flow = None;
        } else if is_walking && flow.followers > 0 {
            entry.note_use(ticks.0 as u32);
        }
    });
    cache.begin_after(built_flow);
}

/// Starts the builds that were prepared in this frame.
pub(crate) fn begin_fields(mut cache: ResMut<FieldCache>) {
    let pool = AsyncComputeTaskPool::get_or_init(Default::default);
    cache.each_with_flow(|entry| {
        let flow = entry.flow.as_mut();
        if let Some(building) = flow.and_then(|flow| flow.building.as_mut()) {
            building.begin(pool, Build::run);
        }
    });
}
