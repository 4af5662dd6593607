//! Walks agents along their paths: decides the velocity that each wants in this tick.

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

use self::step::{Step, step};
use self::walker::Situation;
use crate::agent::{
    BodyState, CrowdState, DesiredVelocity, DriverState, FlowFollower, Following, Intent, Leg,
    Locomotion, NavAgent, NavDrive, NavPath, NavPaused, PathCursor, PathStatus, Place,
};
use crate::chunks::{MIN_ITEMS_LONG_LOOP, in_chunks, is_worth_it};
use crate::events::{AgentStuck, EnteredForbidden, GoalReached, tell};
use crate::flow::add_flows;
use crate::grid::{BakedGrid, GridView, Ground, OnGrid, Spot, choose_grid};
use crate::ground::AreaId;
use crate::intent::PathRequest;
use crate::intent::request::finish_request;
use crate::schedule::{AvoidTick, FlowSteps, PursuitSystems, Ticks, ensure_schedule, on_main};
use crate::settings::PursuitSettings;

/// Longest time between two looks for a goal, in seconds.
const LOOK_INTERVAL_SECONDS: f32 = 0.1;

/// Makes agents follow their paths: decides the [`DesiredVelocity`] of each.
///
/// Without it paths are planned and kept up to date, but no agent follows them: there is no [`GoalReached`], no
/// [`AgentStuck`] and no [`EnteredForbidden`], and [`Locomotion`] stays `Idle`. A system of the game in
/// [`PursuitSystems::Follow`] may write `DesiredVelocity` instead: bodies are driven by it.
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
            .add_systems(
                self.schedule,
                on_main(follow_paths)
                    .in_set(PursuitSystems::Follow)
                    .before(FlowSteps::Walk),
            );
    }
}

/// What following reads of an agent, and writes.
#[derive(QueryData)]
#[query_data(mutable)]
struct Follower {
    entity: Entity,
    agent: &'static NavAgent,
    intent: &'static Intent,
    request: Option<&'static PathRequest>,
    place: &'static Place,
    path: &'static NavPath,
    status: &'static PathStatus,
    driver: &'static BodyState,
    drive: Option<&'static NavDrive>,
    is_paused: Has<NavPaused>,
    on_grid: Option<&'static OnGrid>,
    parting: Option<&'static CrowdState>,
    cursor: &'static mut PathCursor,
    desired: &'static mut DesiredVelocity,
    locomotion: &'static mut Locomotion,
    memory: &'static mut Following,
}

/// What observers should hear.
enum News {
    Reached(GoalReached),
    Stuck(AgentStuck),
    Entered(EnteredForbidden),
    /// The agent is there, and its request is for once. Said of one that was told before.
    Done(Entity),
}

/// Takes each agent one step further, and tells of arrivals and of agents that are stuck.
fn follow_paths(
    time: Res<Time>,
    settings: Res<PursuitSettings>,
    grids: Query<(Entity, &BakedGrid)>,
    (ticks, avoided): (Res<Ticks>, Res<AvoidTick>),
    mut commands: Commands,
    mut followers: Query<Follower, Without<FlowFollower>>,
) {
    let dt = settings.step(time.delta_secs());
    let views = views_with_areas(&grids);
    let grids: Vec<Ground> = grids.iter().map(Ground::new).collect();
    let pass = Pass {
        grids: &grids,
        views: &views,
        dt,
        tick: ticks.0 as u32,
        turns: (LOOK_INTERVAL_SECONDS / dt.max(1e-4))
            .floor()
            .clamp(1.0, 256.0) as u32,
        sight_range: settings.sight_range_cells,
        is_parted: **avoided + 1 == ticks.0,
    };
    let news = if is_worth_it(followers.iter().len(), MIN_ITEMS_LONG_LOOP) {
        let mut agents: Vec<FollowerItem> = followers.iter_mut().collect();
        in_chunks(&mut agents, MIN_ITEMS_LONG_LOOP, |agents| {
            let mut news = Vec::new();
            (agents.iter_mut()).for_each(|agent| pass.walk(agent, &mut news));
            news
        })
    } else {
        let mut news = Vec::new();
        (followers.iter_mut()).for_each(|mut agent| pass.walk(&mut agent, &mut news));
        vec![news]
    };
    let mut news: Vec<(Order, News)> = news.into_iter().flatten().collect();
    news.sort_by_key(|(order, _)| *order);
    for (_, one) in news {
        match one {
            News::Reached(event) => {
                tell(&mut commands, event);
                finish_request(&mut commands, event.entity);
            }
            News::Stuck(event) => tell(&mut commands, event),
            News::Entered(event) => tell(&mut commands, event),
            News::Done(entity) => finish_request(&mut commands, entity),
        }
    }
}

/// By what news are told in turn: the serial of who did it, and where it is. Those that were never sent have no serial.
type Order = (u32, [u32; 3]);

/// The grids, if any ground differs.
fn views_with_areas(grids: &Query<(Entity, &BakedGrid)>) -> Vec<GridView> {
    let has_areas = |(_, baked): (Entity, &BakedGrid)| {
        let snapshot = baked.snapshot();
        snapshot.is_some_and(|snapshot| snapshot.map().areas().is_some())
    };
    let all = grids.iter().any(has_areas).then(|| grids.iter());
    all.into_iter().flatten().map(GridView::new).collect()
}

/// One tick's walk over all agents.
struct Pass<'a> {
    grids: &'a [Ground<'a>],
    /// To find out what those stand on that want nothing; none where all ground is plain.
    views: &'a [GridView],
    dt: f32,
    tick: u32,
    /// Ticks within which each agent has its turn to look.
    turns: u32,
    /// In cells.
    sight_range: f32,
    /// Whether agents were kept apart in the tick before.
    is_parted: bool,
}

impl<'a> Pass<'a> {
    /// What an agent remembers of others, if it was kept apart from them in the tick before.
    fn crowd_of(&self, follower: &FollowerItem) -> Option<CrowdMemory> {
        let parting = follower.parting.filter(|_| self.is_parted)?;
        Some(parting.memory)
    }

    fn ground(&self, grid: Option<Entity>) -> Option<&'a Ground<'a>> {
        self.grids.iter().find(|ground| grid == Some(ground.grid))
    }

    /// What the ground is that an agent without an errand came onto, if it may not be there.
    fn enter_at_rest(&self, follower: &FollowerItem, memory: &mut Following) -> Option<AreaId> {
        let (named, place) = (follower.on_grid.copied(), follower.place.0);
        let grid = choose_grid(named, place, None, self.views.iter().copied());
        let ground = grid.and_then(|grid| self.ground(Some(grid)));
        let position = ground.map_or(Vec2::NAN, |ground| ground.frame.to_grid(place));
        let snapshot = ground.and_then(|ground| ground.snapshot);
        memory.enter_forbidden(snapshot, position, follower.agent)
    }

    /// Adds what observers should hear, with the order in which they do.
    fn walk<'f>(&self, follower: &mut FollowerItem<'f, '_>, news: &mut Vec<(Order, News)>)
    where
        'a: 'f,
    {
        let (leg, cursor) = leg_of(follower);
        let spot = Spot::on(self.grids, &leg, follower.intent.errand.grid);
        let now = self.situation(follower, leg, &spot);
        let mut memory = *follower.memory;
        memory.enter_frame(spot.frame.tag());
        let mut next = step(&now, cursor, memory);
        let rests = !follower.intent.errand.want.is_path() && !follower.is_paused;
        if rests && now.is_turn && self.dt > 0.0 {
            next.entered = self.enter_at_rest(follower, &mut next.memory);
        }
        follower.cursor.set_if_neq(next.cursor);
        let velocity = spot.frame.direction_to_world(next.velocity);
        follower.desired.set_if_neq(DesiredVelocity(velocity));
        follower.locomotion.set_if_neq(next.locomotion);
        *follower.memory.bypass_change_detection() = next.memory;
        let (entity, position) = (follower.entity, follower.place.0);
        let order = || (follower.path.owner, position.to_array().map(f32::to_bits));
        news.extend(next.entered.map(|area| {
            let event = EnteredForbidden {
                entity,
                area,
                position,
            };
            (order(), News::Entered(event))
        }));
        let other = follower.news(&next, position);
        news.extend(other.map(|other| (order(), other)));
    }

    #[inline]
    fn situation<'s>(
        &self,
        follower: &FollowerItem<'s, '_>,
        leg: Leg<'s>,
        spot: &Spot<'s, 's>,
    ) -> Situation<'s> {
        let (path, wanted) = (follower.path, &follower.intent.errand);
        let place_of = |grid: Option<Entity>, point| {
            if grid == spot.ground.map(|ground| ground.grid) {
                return point;
            }
            let other = self.ground(grid);
            other.map_or(point, |other| {
                spot.frame.to_grid(other.frame.to_world(point))
            })
        };
        let end = match path.has_many_legs() {
            true => place_of(path.errand.grid, path.end),
            false => path.end,
        };
        let snapshot = spot.snapshot();
        let cell_size = snapshot.map_or(0.0, |snapshot| snapshot.layout().cell_size());
        let turn = self.tick.wrapping_add(path.owner);
        let position = spot.frame.to_grid(follower.place.0);
        let in_world = spot.frame.to_world(position).abs().max_element();
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
            is_on_its_grid: spot.is_on_its_grid,
            position,
            rounding: 2.0 * f32::EPSILON * remoteness,
            locomotion: *follower.locomotion,
            sight_range: self.sight_range * cell_size,
            dt: self.dt,
            is_turn: turn.is_multiple_of(self.turns),
            is_held: follower.driver.state == DriverState::Held,
            is_paused: follower.is_paused,
            crowd: self.crowd_of(follower),
        }
    }
}

/// The leg that an agent is on, and the waypoint ahead. A new path of several is entered on the leg that is closest.
#[inline]
fn leg_of<'f>(follower: &FollowerItem<'f, '_>) -> (Leg<'f>, PathCursor) {
    let (path, cursor) = (follower.path, *follower.cursor);
    if !path.has_many_legs() {
        return (path.leg_to(0), cursor);
    }
    let memory = &follower.memory;
    let is_new = memory.path_version != path.version as u16 || memory.left_path;
    let entry = is_new.then(|| path.closest_entry(follower.place.0));
    let next = entry.flatten().unwrap_or(cursor.next());
    let leg = path.leg_to(next);
    (leg, PathCursor::on(&leg, next - leg.first))
}

impl FollowerItem<'_, '_> {
    fn news(&self, next: &Step, position: Vec3) -> Option<News> {
        let entity = self.entity;
        if next.has_arrived {
            let target = self.intent.errand.target;
            return Some(News::Reached(GoalReached { entity, target }));
        }
        let is_there = *self.locomotion == Locomotion::Arrived;
        if is_there && self.request.is_some_and(|request| request.once) {
            return Some(News::Done(entity));
        }
        next.gives_up
            .then_some(News::Stuck(AgentStuck { entity, position }))
    }
}
