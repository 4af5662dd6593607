//! Makes agents follow their paths: decides the velocity that each agent wants in this tick.

#[cfg(test)]
#[path = "tests/legs.rs"]
mod legs;
mod steer;
pub(crate) mod step;
mod walker;

use bevy::app::{App, Plugin};
use bevy::ecs::prelude::*;
use bevy::ecs::query::QueryData;
use bevy::ecs::schedule::InternedScheduleLabel;
use bevy::math::{Vec2, Vec3};
use bevy::time::Time;
use pursuit::crowd::CrowdMemory;

use self::step::{Step, decide_step};
use self::walker::Situation;
use crate::agent::{
    BodyState, CrowdState, DesiredVelocity, DriverState, FlowFollower, FollowMemory, Intent, Leg,
    Locomotion, NavAgent, NavDrive, NavPath, NavPaused, PathCursor, PathStatus, TickPosition,
};
use crate::chunks::{MIN_ITEMS_LONG_LOOP, in_chunks, is_worth_it};
use crate::events::{AgentStuck, EnteredForbidden, GoalReached, trigger_if_alive};
use crate::flow::add_flows;
use crate::grid::{BakedGrid, GridRef, GridUnderAgent, GridView, OnGrid, choose_grid};
use crate::ground::AreaId;
use crate::intent::PathRequest;
use crate::intent::request::finish_request;
use crate::schedule::{
    AvoidTick, FlowSteps, MainSystems, PursuitSystems, TickCount, ensure_schedule,
};
use crate::settings::PursuitSettings;

/// Maximum time between two looks of an agent for its goal, in seconds.
const LOOK_INTERVAL_SECONDS: f32 = 0.1;

/// Makes agents follow their paths: decides the [`DesiredVelocity`] of each.
///
/// Without this plugin, paths are planned and kept up to date, but no agent follows them: there is no [`GoalReached`],
/// no [`AgentStuck`] and no [`EnteredForbidden`], and [`Locomotion`] stays `Idle`. Instead, a system of the game in
/// [`PursuitSystems::Follow`] may write `DesiredVelocity`, by which bodies are driven.
#[derive(Clone, Copy, Debug)]
pub struct FollowPlugin {
    /// The schedule in which the physics runs.
    pub schedule: InternedScheduleLabel,
}

impl Plugin for FollowPlugin {
    fn build(&self, app: &mut App) {
        ensure_schedule(app, self.schedule);
        add_flows(app, self.schedule);
        app.init_resource::<PursuitSettings>()
            .register_type::<NavAgent>()
            .register_type::<PathCursor>()
            .register_type::<DesiredVelocity>()
            .register_type::<Locomotion>()
            .register_type::<NavPaused>()
            .register_type::<GoalReached>()
            .register_type::<AgentStuck>()
            .register_type::<EnteredForbidden>()
            .add_main_systems(
                self.schedule,
                follow_paths
                    .in_set(PursuitSystems::Follow)
                    .before(FlowSteps::Walk),
            );
    }
}

/// The components of an agent that following reads and writes.
#[derive(QueryData)]
#[query_data(mutable)]
struct PathFollower {
    entity: Entity,
    agent: &'static NavAgent,
    intent: &'static Intent,
    request: Option<&'static PathRequest>,
    position: &'static TickPosition,
    path: &'static NavPath,
    status: &'static PathStatus,
    driver: &'static BodyState,
    drive: Option<&'static NavDrive>,
    is_paused: Has<NavPaused>,
    on_grid: Option<&'static OnGrid>,
    crowd_state: Option<&'static CrowdState>,
    cursor: &'static mut PathCursor,
    desired: &'static mut DesiredVelocity,
    locomotion: &'static mut Locomotion,
    memory: &'static mut FollowMemory,
}

/// What happened to an agent in this tick, for its observers.
enum AgentEvent {
    Reached(GoalReached),
    Stuck(AgentStuck),
    Entered(EnteredForbidden),
    /// The agent is at the goal of a request with `once`, and observers got the event for its arrival before.
    Done(Entity),
}

/// Decides the velocity of each agent on a path. Triggers events for arrivals, for stuck agents, and for agents that
/// came onto forbidden ground.
fn follow_paths(
    time: Res<Time>,
    settings: Res<PursuitSettings>,
    grids: Query<(Entity, &BakedGrid)>,
    (ticks, avoided): (Res<TickCount>, Res<AvoidTick>),
    mut commands: Commands,
    mut followers: Query<PathFollower, Without<FlowFollower>>,
) {
    let dt = settings.step(time.delta_secs());
    let views = views_with_areas(&grids);
    let grids: Vec<GridRef> = grids.iter().map(GridRef::new).collect();
    let pass = PathWalkPass {
        grids: &grids,
        views: &views,
        dt,
        tick: ticks.0 as u32,
        turns: (LOOK_INTERVAL_SECONDS / dt.max(1e-4))
            .floor()
            .clamp(1.0, 256.0) as u32,
        sight_range: settings.sight_range_cells,
        were_kept_apart: **avoided + 1 == ticks.0,
    };
    let events = if is_worth_it(followers.iter().len(), MIN_ITEMS_LONG_LOOP) {
        let mut agents: Vec<PathFollowerItem> = followers.iter_mut().collect();
        in_chunks(&mut agents, MIN_ITEMS_LONG_LOOP, |agents| {
            let mut events = Vec::new();
            (agents.iter_mut()).for_each(|agent| pass.walk(agent, &mut events));
            events
        })
    } else {
        let mut events = Vec::new();
        (followers.iter_mut()).for_each(|mut agent| pass.walk(&mut agent, &mut events));
        vec![events]
    };
    let mut events: Vec<(EventOrder, AgentEvent)> = events.into_iter().flatten().collect();
    events.sort_by_key(|(order, _)| *order);
    for (_, event) in events {
        match event {
            AgentEvent::Reached(event) => {
                trigger_if_alive(&mut commands, event);
                finish_request(&mut commands, event.entity);
            }
            AgentEvent::Stuck(event) => trigger_if_alive(&mut commands, event),
            AgentEvent::Entered(event) => trigger_if_alive(&mut commands, event),
            AgentEvent::Done(entity) => finish_request(&mut commands, entity),
        }
    }
}

/// Sort key of events: the serial of the agent, then its position, with each coordinate as [`f32::to_bits`] gives it.
/// All agents that never wanted a path have the serial 0.
type EventOrder = (u32, [u32; 3]);

/// All grids if any grid has areas, else none.
fn views_with_areas(grids: &Query<(Entity, &BakedGrid)>) -> Vec<GridView> {
    let has_areas = |(_, baked): (Entity, &BakedGrid)| {
        let snapshot = baked.snapshot();
        snapshot.is_some_and(|snapshot| snapshot.map().areas().is_some())
    };
    let all = grids.iter().any(has_areas).then(|| grids.iter());
    all.into_iter().flatten().map(GridView::new).collect()
}

/// The inputs of following in one tick that are the same for all agents.
struct PathWalkPass<'a> {
    grids: &'a [GridRef<'a>],
    /// All grids, to find the ground under agents that want nothing. Empty if no grid has areas.
    views: &'a [GridView],
    /// Length of the tick, in seconds.
    dt: f32,
    tick: u32,
    /// Number of ticks between two turns of an agent to look for its goal.
    turns: u32,
    /// Distance up to which agents see their targets, in cells.
    sight_range: f32,
    /// Whether the avoidance stage ran in the tick before.
    were_kept_apart: bool,
}

impl<'a> PathWalkPass<'a> {
    /// What an agent remembers of other agents, if it was kept apart from them in the tick before.
    fn crowd_of(&self, follower: &PathFollowerItem) -> Option<CrowdMemory> {
        let crowd_state = follower.crowd_state.filter(|_| self.were_kept_apart)?;
        Some(crowd_state.memory)
    }

    fn find_grid(&self, entity: Option<Entity>) -> Option<&'a GridRef<'a>> {
        self.grids.iter().find(|grid| entity == Some(grid.entity))
    }

    /// Notes whether an agent that wants no path is on forbidden ground. Returns the area if it came there since the
    /// last check.
    fn enter_at_rest(
        &self,
        follower: &PathFollowerItem,
        memory: &mut FollowMemory,
    ) -> Option<AreaId> {
        let (named, place) = (follower.on_grid.copied(), follower.position.0);
        let grid = choose_grid(named, place, None, self.views.iter().copied());
        let grid = grid.and_then(|grid| self.find_grid(Some(grid)));
        let position = grid.map_or(Vec2::NAN, |grid| grid.plane.to_grid(place));
        let snapshot = grid.and_then(|grid| grid.snapshot);
        memory.enter_forbidden(snapshot, position, follower.agent)
    }

    /// Decides the velocity of one agent, and adds the events for its observers to `events`, each with its sort key.
    fn walk<'f>(
        &self,
        follower: &mut PathFollowerItem<'f, '_>,
        events: &mut Vec<(EventOrder, AgentEvent)>,
    ) where
        'a: 'f,
    {
        let (leg, cursor) = leg_of(follower);
        let under_agent = GridUnderAgent::on(self.grids, &leg, follower.intent.order.grid);
        let situation = self.situation(follower, leg, &under_agent);
        let mut memory = *follower.memory;
        memory.enter_plane(under_agent.plane.tag());
        let mut next = decide_step(&situation, cursor, memory);
        let rests = !follower.intent.order.want.is_path() && !follower.is_paused;
        if rests && situation.has_its_turn && self.dt > 0.0 {
            next.entered = self.enter_at_rest(follower, &mut next.memory);
        }
        follower.cursor.set_if_neq(next.cursor);
        let velocity = under_agent.plane.direction_to_world(next.velocity);
        follower.desired.set_if_neq(DesiredVelocity(velocity));
        follower.locomotion.set_if_neq(next.locomotion);
        *follower.memory.bypass_change_detection() = next.memory;
        let (entity, position) = (follower.entity, follower.position.0);
        let order = || {
            (
                follower.path.planned_for,
                position.to_array().map(f32::to_bits),
            )
        };
        events.extend(next.entered.map(|area| {
            let event = EnteredForbidden {
                entity,
                area,
                position,
            };
            (order(), AgentEvent::Entered(event))
        }));
        let other = follower.event(&next, position);
        events.extend(other.map(|other| (order(), other)));
    }

    /// What the agent's movement in this tick depends on.
    #[inline]
    fn situation<'s>(
        &self,
        follower: &PathFollowerItem<'s, '_>,
        leg: Leg<'s>,
        under_agent: &GridUnderAgent<'s, 's>,
    ) -> Situation<'s> {
        let (path, wanted) = (follower.path, &follower.intent.order);
        let place_of = |grid: Option<Entity>, point| {
            if grid == under_agent.grid.map(|grid| grid.entity) {
                return point;
            }
            let other = self.find_grid(grid);
            other.map_or(point, |other| {
                under_agent.plane.to_grid(other.plane.to_world(point))
            })
        };
        let end = match path.has_many_legs() {
            true => place_of(path.order.grid, path.end),
            false => path.end,
        };
        let snapshot = under_agent.snapshot();
        let cell_size = snapshot.map_or(0.0, |snapshot| snapshot.layout().cell_size());
        let turn = self.tick.wrapping_add(path.planned_for);
        let position = under_agent.plane.to_grid(follower.position.0);
        let in_world = under_agent.plane.to_world(position).abs().max_element();
        let remoteness = in_world.max(position.abs().max_element());
        Situation {
            agent: follower.agent,
            acceleration: follower.agent.acceleration * follower.driver.agility(follower.drive),
            intent: follower.intent,
            path,
            leg,
            goal: place_of(wanted.grid, wanted.goal),
            end,
            status: *follower.status,
            snapshot,
            is_on_its_grid: under_agent.is_on_its_grid,
            position,
            rounding: 2.0 * f32::EPSILON * remoteness,
            locomotion: *follower.locomotion,
            sight_range: self.sight_range * cell_size,
            dt: self.dt,
            has_its_turn: turn.is_multiple_of(self.turns),
            is_held: follower.driver.state == DriverState::Held,
            is_paused: follower.is_paused,
            crowd: self.crowd_of(follower),
        }
    }
}

/// The leg that an agent is on, and the waypoint ahead. A new path with several legs is entered at its closest leg.
#[inline]
fn leg_of<'f>(follower: &PathFollowerItem<'f, '_>) -> (Leg<'f>, PathCursor) {
    let (path, cursor) = (follower.path, *follower.cursor);
    if !path.has_many_legs() {
        return (path.leg_to(0), cursor);
    }
    let memory = &follower.memory;
    let is_new = memory.path_revision != path.revision as u16 || memory.left_path;
    let entry = is_new.then(|| path.closest_entry(follower.position.0));
    let next = entry.flatten().unwrap_or(cursor.next());
    let leg = path.leg_to(next);
    (leg, PathCursor::on(&leg, next - leg.first))
}

impl PathFollowerItem<'_, '_> {
    /// The event of this tick other than the one for forbidden ground, if any.
    fn event(&self, next: &Step, position: Vec3) -> Option<AgentEvent> {
        let entity = self.entity;
        if next.arrives {
            let target = self.intent.order.target;
            return Some(AgentEvent::Reached(GoalReached { entity, target }));
        }
        let is_there = *self.locomotion == Locomotion::Arrived;
        if is_there && self.request.is_some_and(|request| request.once) {
            return Some(AgentEvent::Done(entity));
        }
        next.gives_up
            .then_some(AgentEvent::Stuck(AgentStuck { entity, position }))
    }
}
