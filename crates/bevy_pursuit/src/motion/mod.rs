//! Makes agents follow their paths: decides the velocity that each agent wants in this tick.

mod columns;
mod departure;
pub(crate) mod field;
mod give_way;
#[cfg(test)]
#[path = "tests/legs.rs"]
mod legs;
mod outcome;
mod steer;
pub(crate) mod step;
mod walker;

use std::mem;

use bevy::ecs::schedule::InternedScheduleLabel;
use bevy::prelude::*;
use pursuit::crowd::CrowdMemory;

use self::columns::{Follower, FollowerItem, Followers, Written};
use self::field::{FieldAgent, FieldPass, FlowOnGrid, Next};
use self::outcome::{AgentEvent, EventOrder, Outcome};
use self::step::{Step, decide_step};
use self::walker::Situation;
use crate::agent::{
    Decided, DesiredVelocity, DriverState, FollowMemory, Intent, Leg, Locomotion, NavAgent,
    NavDrive, NavPaused, PathCursor, Prices, TargetPositions, WalkSource, WalkState, WalkedGrid,
    has_join_turn,
};
use crate::chunks::{Column, Cut, Pool, Rows, unmarked};
use crate::events::{AgentStuck, EnteredForbidden, GoalReached};
use crate::fields::FieldCache;
use crate::grid::{GridRef, GridUnderAgent, Grids, choose_grid};
use crate::ground::AreaId;
use crate::schedule::{AvoidTick, MainSystems, PursuitSystems, TickCount, ensure_schedule};
use crate::settings::PursuitSettings;

/// Maximum time after which an agent looks for its goal again, in seconds.
const LOOK_INTERVAL_SECONDS: f32 = 0.1;

/// Makes agents follow their paths: decides the [`DesiredVelocity`] of each.
///
/// Without this plugin, paths are planned and kept up to date, but no agent follows them. No [`GoalReached`],
/// [`AgentStuck`] or [`EnteredForbidden`] is sent, and [`Locomotion`] stays `Idle`. A system of the game in
/// [`PursuitSystems::Follow`] may write `DesiredVelocity` instead, which then drives the bodies.
#[derive(Clone, Copy, Debug)]
pub struct FollowPlugin {
    /// The schedule in which the physics runs.
    pub schedule: InternedScheduleLabel,
}

impl Plugin for FollowPlugin {
    fn build(&self, app: &mut App) {
        ensure_schedule(app, self.schedule);
        app.init_resource::<PursuitSettings>()
            .init_resource::<FieldCache>()
            .init_resource::<TargetPositions>()
            .register_type::<NavAgent>()
            .register_type::<PathCursor>()
            .register_type::<DesiredVelocity>()
            .register_type::<Locomotion>()
            .register_type::<NavPaused>()
            .register_type::<GoalReached>()
            .register_type::<AgentStuck>()
            .register_type::<EnteredForbidden>()
            .add_main_systems(self.schedule, follow.in_set(PursuitSystems::Follow));
    }
}

/// Decides the velocity of each agent. Triggers the events for arrivals, for stuck agents, and for agents that entered
/// forbidden ground.
fn follow(
    time: Res<Time>,
    settings: Res<PursuitSettings>,
    (grids, prices): (Res<Grids>, Res<Prices>),
    (ticks, avoided): (Res<TickCount>, Res<AvoidTick>),
    mut fields: ResMut<FieldCache>,
    mut commands: Commands,
    targets: Res<TargetPositions>,
    mut all: ParamSet<(Query<(Follower, Written)>, Query<&mut Intent>)>,
) {
    let dt = settings.step(time.delta_secs());
    let (tick, were_kept_apart) = (ticks.0 as u32, **avoided + 1 == ticks.0);
    let mut pass = FollowPass::new((&grids, &prices), &fields, (dt, tick), were_kept_apart);
    pass.sight_range = settings.sight_range_cells;
    let mut agents = all.p0();
    let (count, pool) = (agents.iter().len(), Pool::default());
    let size = pool.long_part_size(count);
    let Ok(tables) = agents.contiguous_iter_mut() else {
        return;
    };
    let tables = tables.map(
        |(read, (cursors, desired, locomotion, memories, walks, decided, walked))| {
            let marked = (
                Column::new(cursors),
                Column::new(desired),
                Column::new(locomotion),
            );
            (
                read,
                marked,
                (
                    unmarked(memories),
                    unmarked(walks),
                    unmarked(decided),
                    unmarked(walked),
                ),
            )
        },
    );
    let mut tables: Vec<_> = tables.collect();
    let parts = tables.iter_mut().flat_map(|(read, marked, unmarked)| {
        let marked = (marked.0.rows(), marked.1.rows(), marked.2.rows());
        let parts = (marked, mem::take(unmarked)).parts(read.entity.len(), size);
        let firsts = (0..).step_by(size);
        parts.into_iter().zip(firsts).map(|part| (&*read, part))
    });
    let outcomes = pool.map(parts.collect(), |(read, (part, first))| {
        pass.follow(read, part, first)
    });
    let mut all_parts = Outcome::new(pass.fields.flows.len());
    outcomes.into_iter().for_each(|part| all_parts.add(part));
    drop(pass);
    fields.note_followers(ticks.0, |flow| all_parts.followers[flow]);
    all_parts.regroup(&mut commands);
    let mut intents = all.p1();
    for entity in all_parts.left {
        if let Ok(mut intent) = intents.get_mut(entity) {
            let order = &mut intent.bypass_change_detection().order;
            let position = order.target.and_then(|target| targets.get(&target));
            let plane = grids.plane_of(order.grid);
            order.goal = position.map_or(order.goal, |position| plane.to_grid(*position));
        }
    }
    all_parts.events.sort_by_key(|(order, _)| *order);
    for (_, event) in all_parts.events {
        event.send(&mut commands);
    }
}

/// Consecutive rows of the columns that the follow stage writes.
type Part<'a> = (
    (
        Rows<'a, PathCursor>,
        Rows<'a, DesiredVelocity>,
        Rows<'a, Locomotion>,
    ),
    (
        &'a mut [FollowMemory],
        &'a mut [WalkState],
        &'a mut [Decided],
        &'a mut [WalkedGrid],
    ),
);

/// The inputs of the follow stage that all agents share in one tick.
struct FollowPass<'a> {
    grids: &'a Grids,
    prices: &'a Prices,
    fields: FieldPass<'a>,
    /// Whether any grid has areas, so that agents that want nothing may stand on forbidden ground.
    have_areas: bool,
    /// Length of the tick, in seconds.
    dt: f32,
    tick: u32,
    /// Number of ticks after which an agent looks for its goal again.
    turns: u32,
    /// Distance up to which agents see their targets, in cells.
    sight_range: f32,
    /// Whether the avoidance stage ran in the previous tick.
    were_kept_apart: bool,
}

impl<'a> FollowPass<'a> {
    fn new(
        (grids, prices): (&'a Grids, &'a Prices),
        fields: &'a FieldCache,
        (dt, tick): (f32, u32),
        were_kept_apart: bool,
    ) -> Self {
        let has_areas =
            |grid: GridRef| grid.snapshot().is_some_and(|it| it.map().areas().is_some());
        let flows = fields.flows().map(|flow| FlowOnGrid::new(flow, grids));
        let turns = (LOOK_INTERVAL_SECONDS / dt.max(1e-4)).floor();
        Self {
            grids,
            prices,
            have_areas: grids.iter().any(has_areas),
            fields: FieldPass::new(flows.collect(), (dt, tick), were_kept_apart),
            dt,
            tick,
            turns: turns.clamp(1.0, 256.0) as u32,
            sight_range: 0.0,
            were_kept_apart,
        }
    }

    /// What an agent remembers of other agents. `None` if it was not kept apart from them in the previous tick.
    fn crowd_of(&self, follower: &FollowerItem) -> Option<CrowdMemory> {
        let crowd_state = follower.crowd_state.filter(|_| self.were_kept_apart)?;
        Some(crowd_state.memory)
    }

    /// Notes whether an agent that wants no path is on forbidden ground. Returns the area if the agent has entered it
    /// since the last check.
    fn enter_at_rest(&self, follower: &FollowerItem, memory: &mut FollowMemory) -> Option<AreaId> {
        let (named, place) = (follower.on_grid.copied(), follower.position.0);
        let all = self.have_areas.then(|| self.grids.iter());
        let grid = choose_grid(named, place, None, all.into_iter().flatten());
        let grid = self.grids.get(grid);
        let position = grid.map_or(Vec2::NAN, |grid| grid.plane().to_grid(place));
        let snapshot = grid.and_then(|grid| grid.snapshot());
        memory.enter_forbidden(snapshot, position, follower.agent)
    }

    /// The velocity in the world with which a standing agent leaves a wall that moved over it, in world units per
    /// second.
    fn way_out(&self, follower: &FollowerItem, memory: &mut FollowMemory) -> Option<Vec3> {
        let (agent, place) = (follower.agent, follower.position.0);
        let grid = choose_grid(follower.on_grid.copied(), place, None, self.grids.iter());
        let grid = self.grids.get(grid)?;
        let by =
            memory.escape_displacement(grid.snapshot()?, grid.plane().to_grid(place), agent)?;
        let velocity = (by / self.dt).clamp_length_max(agent.speed);
        Some(grid.plane().direction_to_world(velocity))
    }

    /// Decides the velocities of a part of a table. `first` is the first row of the part.
    fn follow(&self, read: &Followers, part: Part, first: usize) -> Outcome {
        let ((mut cursors, mut desired, mut locomotion), (memories, walks, decided, walked)) = part;
        let mut outcome = Outcome::new(self.fields.flows.len());
        let mut hint = 0;
        for index in 0..walks.len() {
            let row = first + index;
            let (walk, memory) = (&mut walks[index], &mut memories[index]);
            let position = read.position[row].0.truncate();
            if let Some(number) = walk.field().map(|walk| walk.flow) {
                let flow = self.fields.index(number, hint);
                if let Some(flow) = flow {
                    hint = flow;
                    outcome.followers[flow] += 1;
                }
                let (velocity, how) = self.along_field(
                    flow,
                    (walk, memory, &mut decided[index]),
                    read,
                    (row, locomotion.get(index)),
                );
                desired.set(index, DesiredVelocity(velocity));
                locomotion.set(index, how);
                if walk.field().is_none() {
                    outcome.left.push(read.entity[row]);
                }
                if read.is_marked && has_join_turn(position, self.tick) {
                    outcome.misplaced.push((read.entity[row], true));
                }
                continue;
            }
            outcome.unmarked += usize::from(!read.is_marked);
            let may_mark = !(read.is_marked || self.fields.flows.is_empty());
            if may_mark && has_join_turn(position, self.tick) {
                outcome.misplaced.push((read.entity[row], false));
            }
            let follower = read.row(row);
            let (next, velocity, grid) = self.along_path(
                (&follower, locomotion.get(index)),
                *cursors.unmarked(index),
                (*memory, *walk),
                &mut outcome.events,
            );
            cursors.set(index, next.cursor);
            desired.set(index, DesiredVelocity(velocity));
            locomotion.set(index, next.locomotion);
            if next.memory.on_forbidden != memory.on_forbidden {
                // The intent depends on `on_forbidden`: an agent that wants nothing leaves forbidden ground.
                decided[index].forget();
            }
            (*memory, *walk, walked[index].0) = (next.memory, next.walk, grid);
        }
        outcome
    }

    /// Decides the velocity in the world and the locomotion of an agent that a field leads. `flow` is the index of the
    /// flow; `None` if the flow is gone.
    #[inline]
    fn along_field(
        &self,
        flow: Option<usize>,
        (walk, memory, decided): (&mut WalkState, &mut FollowMemory, &mut Decided),
        read: &Followers,
        (row, how): (usize, Locomotion),
    ) -> (Vec3, Locomotion) {
        let WalkSource::Field(field) = &mut walk.source else {
            return (Vec3::ZERO, Locomotion::Idle);
        };
        let (agent, body) = (&read.agent[row], &read.driver[row]);
        let crowd_state = read.crowd_state.map(|all| &all[row]);
        let drive = read.drive.map(|all| &all[row]);
        let one = FieldAgent {
            position: read.position[row].0,
            agent,
            acceleration: agent.acceleration * body.agility(drive),
            stagger: walk.stagger,
            is_manual: NavDrive::grip_of(drive) == 0.0,
            body,
            intent: &read.intent[row],
            crowd_state,
        };
        let flow = flow.map(|flow| &self.fields.flows[flow]);
        let own_plane = || self.grids.plane_of(read.intent[row].order.grid);
        let plane = flow.map_or_else(own_plane, |flow| flow.plane);
        let state = (&mut *field, &mut walk.speed, &mut walk.proven_velocity);
        let next = match flow {
            _ if read.is_paused || read.is_recorded || body.agility(drive) < 1.0 => Next::Leave,
            Some(flow) => self.fields.step(flow, state, &one),
            None => (self.fields).end(state, plane.to_grid(one.position), &one),
        };
        let is_led =
            matches!(next, Next::Go(_)) && flow.is_some_and(|flow| flow.snapshot.is_some());
        let (mut velocity, how) = match next {
            Next::Go(velocity) => {
                let is_among = crowd_state.filter(|it| self.were_kept_apart && it.is_among);
                let memory = is_among.map(|it| it.memory);
                (velocity, Locomotion::Moving.settled_or_queued(memory))
            }
            Next::Leave => {
                let is_stuck = field.is_stuck(agent);
                let how = if is_stuck { Locomotion::Stuck } else { how };
                let velocity = field.last_velocity(walk.speed, self.dt, one.is_manual);
                walk.leave_field((memory, decided), &read.intent[row]);
                (velocity, how)
            }
        };
        let grid = self.grids.get(read.intent[row].order.grid);
        if let Some(snapshot) = grid.and_then(|grid| grid.snapshot()).filter(|_| !is_led) {
            // Nothing has shown that the line ahead is allowed.
            let (here, wanted) = (plane.to_grid(one.position), (velocity, self.dt));
            velocity = snapshot.allowed_velocity(here, wanted, agent.class);
        }
        let velocity = Some(velocity).filter(|it| it.is_finite());
        let velocity = velocity.unwrap_or_default();
        (plane.direction_to_world(velocity), how)
    }

    /// Decides the velocity of an agent that its path or a straight line leads. Returns the step in grid coordinates,
    /// the velocity in the world, and the grid. Adds the events for the agent's observers to `events`.
    fn along_path(
        &self,
        (follower, how): (&FollowerItem<'a, '_>, Locomotion),
        cursor: PathCursor,
        (mut memory, walk): (FollowMemory, WalkState),
        events: &mut Vec<(EventOrder, AgentEvent)>,
    ) -> (Step, Vec3, Option<Entity>) {
        let (leg, cursor) = leg_of(follower, cursor, &memory);
        let under_agent = GridUnderAgent::on(self.grids, &leg, follower.intent.order.grid);
        let situation = self.situation((follower, how), leg, &under_agent);
        memory.enter_plane(under_agent.plane);
        let mut next = decide_step(&situation, cursor, (memory, walk));
        let rests = !follower.intent.order.want.is_path() && !follower.is_paused;
        if rests && situation.has_its_turn && self.dt > 0.0 {
            next.entered = self.enter_at_rest(follower, &mut next.memory);
        }
        let mut velocity = under_agent.plane.direction_to_world(next.velocity);
        let stands = next.velocity == Vec2::ZERO && !situation.is_paused && !situation.is_held;
        let looks = situation.has_its_turn || next.memory.is_caught;
        if stands && looks && self.dt > 0.0 {
            velocity = self.way_out(follower, &mut next.memory).unwrap_or(velocity);
        }
        let (entity, position) = (follower.entity, follower.position.0);
        let order = || (follower.path.planned_for, follower.position.sort_key());
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
        (next, velocity, under_agent.grid.map(|grid| grid.entity))
    }

    /// Everything that the agent's movement in this tick depends on.
    #[inline]
    fn situation<'s>(
        &self,
        (follower, how): (&FollowerItem<'s, '_>, Locomotion),
        leg: Leg<'s>,
        under_agent: &GridUnderAgent<'s, 's>,
    ) -> Situation<'s>
    where
        'a: 's,
    {
        let (path, wanted) = (follower.path, &follower.intent.order);
        let slot = follower.intent.slot.unwrap_or_default();
        let own_grid = under_agent.grid.map(|grid| grid.entity);
        let place_of = |grid: Option<Entity>, point| {
            if grid == own_grid {
                return point;
            }
            let other = self.grids.get(grid);
            other.map_or(point, |other| {
                under_agent.plane.to_grid(other.plane().to_world(point))
            })
        };
        let end = match path.has_many_legs() {
            true => place_of(path.order.grid, path.end),
            false => path.end,
        };
        let snapshot = under_agent.grid.and_then(|grid| grid.snapshot());
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
            target: place_of(wanted.grid, wanted.goal - slot),
            end,
            status: *follower.status,
            snapshot,
            prices: &self.prices.of(own_grid).list,
            is_on_its_grid: under_agent.is_on_its_grid,
            position,
            rounding: 2.0 * f32::EPSILON * remoteness,
            locomotion: how,
            sight_range: self.sight_range * cell_size,
            dt: self.dt,
            has_its_turn: turn.is_multiple_of(self.turns),
            is_held: follower.driver.state == DriverState::Held,
            is_paused: follower.is_paused || follower.intent.is_paused,
            crowd: self.crowd_of(follower),
        }
    }
}

/// The leg that an agent is on, and the waypoint ahead. A new path with several legs is entered at its closest leg.
#[inline]
fn leg_of<'f>(
    follower: &FollowerItem<'f, '_>,
    cursor: PathCursor,
    memory: &FollowMemory,
) -> (Leg<'f>, PathCursor) {
    let path = follower.path;
    if !path.has_many_legs() {
        return (path.leg_to(0), cursor);
    }
    let is_new = memory.path_revision != path.revision || memory.left_path;
    let entry = is_new.then(|| path.closest_entry(follower.position.0));
    let next = entry.flatten().unwrap_or(cursor.next());
    let leg = path.leg_to(next);
    (leg, PathCursor::on(&leg, next - leg.first))
}

impl FollowerItem<'_, '_> {
    /// The agent's event in this tick, not counting the event for forbidden ground.
    fn event(&self, next: &Step, position: Vec3) -> Option<AgentEvent> {
        let entity = self.entity;
        if next.arrives {
            let target = self.intent.order.target;
            return Some(AgentEvent::Reached(GoalReached { entity, target }));
        }
        let is_there = next.locomotion == Locomotion::Arrived;
        if is_there && self.request.is_some_and(|request| request.once) {
            return Some(AgentEvent::Done(entity));
        }
        next.gives_up
            .then_some(AgentEvent::Stuck(AgentStuck { entity, position }))
    }
}
