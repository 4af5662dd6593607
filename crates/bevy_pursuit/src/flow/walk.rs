//! The tick of all followers: one loop over slices of tables.

use bevy::ecs::change_detection::ContiguousMut;
use bevy::ecs::prelude::*;
use bevy::math::{Rect, Vec2, Vec3};
use bevy::time::Time;
use bevy::transform::components::Transform;
use pursuit::FlowField;
use pursuit::crowd::Workers;

use super::flows::{Flow, FlowKey, Flows};
use super::leave::Leaver;
use crate::agent::{
    BodyKind, BodyState, DesiredVelocity, DriverState, FlowFollower, Locomotion, NavAgent,
    NavAvoidance, NavBody, Parting, Place, RepathPolicy,
};
use crate::chunks::Pool;
use crate::events::{AgentStuck, tell};
use crate::grid::{BakedGrid, NavSnapshot};
use crate::intent::Chase;
use crate::schedule::{AvoidTick, Ticks};
use crate::settings::PursuitSettings;

/// One leaves with less than so many cells of plain ground to go; the same of one that others push, which passes doors better
/// along a field than along a path.
pub(super) const LEAVES: (f32, f32) = (12.0, 4.0);
/// Seconds from one look at the field to the next, at most, of those who are near; as much more of those who are [farther
/// away](FAR), as their way changes less where the target moves.
const LOOKS: f32 = 0.13;
/// In cells.
const FAR: [f32; 2] = [48.0, 96.0];
/// The same of one close behind others: in a door each step counts.
const LOOKS_BEHIND: f32 = 0.034;
/// One that is off where it should be by more than this part of its radius and two steps was carried off, and leaves.
const OFF: f32 = 0.5;
/// The same within which it still is where it should be.
const SAME: f32 = 1e-3;
/// One that made less than half of its way for so many seconds is stuck.
const STALLED: f32 = 1.0;
/// Those whose flow is over leave within so many ticks: all in one would take too long.
const ENDS: u32 = 8;

/// What walking reads and writes of followers, table by table.
type Follower = (
    Entity,
    &'static mut FlowFollower,
    &'static Transform,
    &'static mut Place,
    (&'static NavAgent, &'static BodyState, &'static Chase),
    &'static mut DesiredVelocity,
);

/// Followers that others push.
type Parted = (
    &'static FlowFollower,
    &'static Parting,
    &'static NavAvoidance,
    &'static mut Locomotion,
);

/// Followers that nobody pushes.
type Other = (&'static mut FlowFollower, &'static mut Locomotion);

/// A part of a table.
struct Part<'w> {
    entities: &'w [Entity],
    followers: &'w mut [FlowFollower],
    transforms: &'w [Transform],
    places: &'w mut [Place],
    agents: &'w [NavAgent],
    bodies: &'w [BodyState],
    chases: &'w [Chase],
    desired: &'w mut [DesiredVelocity],
}

/// What came of a part: who leaves, and how many follow each flow.
#[derive(Default)]
struct Outcome {
    leave: Vec<(Entity, FlowFollower)>,
    counts: Vec<u32>,
}

pub(super) fn walk_followers(
    (time, settings, ticks): (Res<Time>, Res<PursuitSettings>, Res<Ticks>),
    avoided: Res<AvoidTick>,
    grids: Query<&BakedGrid>,
    mut flows: ResMut<Flows>,
    mut commands: Commands,
    mut followers: Query<Follower>,
    mut leavers: Query<(Leaver, &mut Locomotion), With<FlowFollower>>,
) {
    let pass = Pass {
        flows: flows.iter().map(|flow| Route::new(flow, &grids)).collect(),
        dt: settings.step(time.delta_secs()),
        tick: ticks.0 as u32,
        is_parted: **avoided + 1 == ticks.0,
    };
    let count = followers.iter().len();
    let pool = Pool::default();
    let size = count.div_ceil(pool.parts(count)).max(1);
    let Ok(tables) = followers.contiguous_iter_mut() else {
        return;
    };
    let parts: Vec<Part> = tables.flat_map(|table| Part::cut(table, size)).collect();
    let mut outcomes: Vec<Outcome> = parts.iter().map(|_| Outcome::default()).collect();
    let shared = parts.into_iter().zip(&mut outcomes).collect();
    pool.run(shared, |(part, outcome)| pass.walk(part, outcome));
    drop(pass);
    for (index, flow) in flows.iter_mut().enumerate() {
        flow.followers = outcomes.iter().map(|outcome| outcome.counts[index]).sum();
    }
    let mut stuck = Vec::new();
    for (entity, follower) in outcomes.into_iter().flat_map(|outcome| outcome.leave) {
        if let Ok((mut leaver, mut locomotion)) = leavers.get_mut(entity) {
            leaver.leave(&follower);
            commands.entity(entity).try_remove::<FlowFollower>();
            if follower.stalled >= STALLED {
                *locomotion = Locomotion::Stuck;
                let position = follower.expected.extend(0.0);
                stuck.push(AgentStuck { entity, position });
            }
        }
    } // In the order of their places: not in that of the world.
    stuck.sort_by_key(|it: &AgentStuck| it.position.to_array().map(f32::to_bits));
    stuck.into_iter().for_each(|it| tell(&mut commands, it));
}

/// Says of followers in a crowd whether they queue or stand, and of those that are in none any more that they walk.
pub(super) fn tell_queues(
    (avoided, ticks): (Res<AvoidTick>, Res<Ticks>),
    mut alone: RemovedComponents<NavAvoidance>,
    (mut parted, mut others): (Query<Parted>, Query<Other, Without<NavAvoidance>>),
) {
    let was_parted = **avoided + 1 == ticks.0;
    for (follower, parting, avoidance, mut locomotion) in &mut parted {
        let is_parted = was_parted && follower.is_parted && *avoidance == NavAvoidance::Separation;
        let mind = is_parted.then_some(parting.mind);
        locomotion.set_if_neq(Locomotion::Moving.among(mind));
    }
    for entity in alone.read() {
        if let Ok((mut follower, mut locomotion)) = others.get_mut(entity) {
            follower.is_parted = false;
            locomotion.set_if_neq(Locomotion::Moving);
        }
    }
}

/// A flow, and the ground that it is on.
struct Route<'a> {
    number: u32,
    key: Option<FlowKey>,
    flow: &'a Flow,
    snapshot: Option<&'a NavSnapshot>,
}

impl<'a> Route<'a> {
    fn new(flow: &'a Flow, grids: &'a Query<&BakedGrid>) -> Self {
        let grid = flow.key.and_then(|key| grids.get(key.grid).ok());
        let snapshot = grid
            .filter(|grid| grid.frame.is_xy())
            .and_then(BakedGrid::snapshot);
        Self {
            number: flow.number,
            key: flow.key,
            flow,
            snapshot: snapshot.map(|snapshot| &**snapshot),
        }
    }
}

impl<'w> Part<'w> {
    /// Cuts a table into parts of at most so many.
    fn cut(table: Table<'w>, size: usize) -> impl Iterator<Item = Self> {
        let (entities, followers, transforms, places, (agents, bodies, chases), desired) = table;
        let (followers, _) = ContiguousMut::bypass_change_detection_split(followers);
        let (places, _) = ContiguousMut::bypass_change_detection_split(places);
        let (desired, _) = ContiguousMut::split(desired);
        let written = (followers.chunks_mut(size))
            .zip(places.chunks_mut(size))
            .zip(desired.chunks_mut(size));
        let read = (entities.chunks(size))
            .zip(transforms.chunks(size))
            .zip(agents.chunks(size))
            .zip(bodies.chunks(size))
            .zip(chases.chunks(size));
        written.zip(read).map(
            |(
                ((followers, places), desired),
                ((((entities, transforms), agents), bodies), chases),
            )| {
                Self {
                    entities,
                    followers,
                    transforms,
                    places,
                    agents,
                    bodies,
                    chases,
                    desired,
                }
            },
        )
    }
}

/// One table of followers.
type Table<'w> = (
    &'w [Entity],
    ContiguousMut<'w, FlowFollower>,
    &'w [Transform],
    ContiguousMut<'w, Place>,
    (&'w [NavAgent], &'w [BodyState], &'w [Chase]),
    ContiguousMut<'w, DesiredVelocity>,
);

/// One tick's walk over all followers.
struct Pass<'a> {
    flows: Vec<Route<'a>>,
    dt: f32,
    tick: u32,
    /// Whether agents were kept apart in the tick before.
    is_parted: bool,
}

/// What a follower does in a tick.
enum Next {
    Go(Vec2),
    /// It stands, and goes on later.
    Stand,
    /// It goes on as an agent like others.
    Leave,
}

/// What a game says of a follower, and what is known of its body.
type Body<'a> = (&'a NavAgent, &'a BodyState, &'a Chase);

impl Pass<'_> {
    fn walk(&self, part: Part, outcome: &mut Outcome) {
        outcome.counts.resize(self.flows.len(), 0);
        let mut last = 0;
        for index in 0..part.followers.len() {
            let follower = &mut part.followers[index];
            let place = part.transforms[index].translation;
            part.places[index].0 = place;
            let is_of = |route: &Route| route.number == follower.flow;
            if !self.flows.get(last).is_some_and(is_of) {
                last = self.flows.iter().position(is_of).unwrap_or(usize::MAX);
            }
            let body = (
                &part.agents[index],
                &part.bodies[index],
                &part.chases[index],
            );
            let next = match self.flows.get(last) {
                Some(route) => {
                    outcome.counts[last] += 1;
                    self.step(route, follower, place, body)
                }
                None => self.end(follower, place.truncate()),
            };
            let velocity = match next {
                Next::Go(velocity) => velocity,
                Next::Stand => Vec2::ZERO,
                Next::Leave => {
                    outcome.leave.push((part.entities[index], *follower));
                    follower.last_velocity(self.dt)
                }
            };
            let velocity = if velocity.is_finite() {
                velocity
            } else {
                Vec2::ZERO
            };
            part.desired[index].0 = velocity.extend(0.0);
        }
    }

    /// All leave a flow that is gone, some in each tick.
    fn end(&self, follower: &mut FlowFollower, here: Vec2) -> Next {
        (follower.ahead, follower.expected) = (0.0, here);
        if self.is_turn(follower, ENDS) {
            Next::Leave
        } else {
            Next::Stand
        }
    }

    fn is_turn(&self, follower: &FlowFollower, turns: u32) -> bool {
        self.tick
            .wrapping_add(follower.turn.into())
            .is_multiple_of(turns)
    }

    fn step(&self, route: &Route, follower: &mut FlowFollower, place: Vec3, body: Body) -> Next {
        let (here, (agent, state, _)) = (place.truncate(), body);
        if !(place.is_finite() && route.suits(body)) {
            (follower.ahead, follower.expected) = (0.0, here);
            return Next::Leave;
        }
        let Some((field, snapshot)) = route.flow.field.as_deref().zip(route.snapshot) else {
            return self.end(follower, here);
        };
        if self.dt <= 0.0 || state.state != DriverState::Ready {
            follower.note_place(here, agent.radius, (0.0, 0.0));
            follower.expected = here;
            return Next::Stand;
        }
        let is_parted = self.is_parted && follower.is_parted;
        // Where it gets is not known before.
        let is_pushed = is_parted || state.kind != BodyKind::Bare;
        let speed = match is_parted {
            true => agent.speed,
            false => agent
                .speed
                .min(follower.speed + agent.acceleration * self.dt),
        };
        let step = speed * self.dt;
        let is_off = follower.note_place(here, agent.radius, (step, self.dt));
        if is_off || follower.stalled >= STALLED {
            follower.expected = here;
            return Next::Leave;
        }
        follower.hold(snapshot, here, agent.radius);
        let cells = follower.left / snapshot.layout().cell_size();
        let leaves = if is_pushed { LEAVES.1 } else { LEAVES.0 };
        let looks = self.ticks_between_looks(follower, cells);
        let is_over = route.flow.is_over && self.is_turn(follower, ENDS);
        let is_due = is_over || self.is_turn(follower, looks) || cells < leaves;
        if is_due || !is_pushed && follower.ahead < step {
            let is_near = follower.look(snapshot, field, (here, agent), leaves);
            if is_near || is_over {
                return Next::Leave;
            }
        }
        follower.speed = speed;
        Next::Go(follower.go_on(here, speed, self.dt))
    }

    fn ticks_between_looks(&self, follower: &FlowFollower, cells_left: f32) -> u32 {
        let ticks = |seconds: f32| (seconds / self.dt).clamp(1.0, 1e4) as u32;
        if self.is_parted && follower.is_parted && follower.is_behind {
            return ticks(LOOKS_BEHIND);
        }
        ticks(LOOKS) << FAR.iter().filter(|far| cells_left > **far).count()
    }
}

impl Route<'_> {
    /// Whether an agent still is one of those who follow it.
    fn suits(&self, (agent, state, chase): Body) -> bool {
        let is_one_of_many = self.key.is_some_and(|key| {
            let body = NavBody {
                radius: agent.radius + state.gap,
                class: agent.class,
            };
            chase.target == key.target && body.key() == key.body.key()
        });
        let may_walk = state.kind != BodyKind::Fixed && state.state != DriverState::Unable;
        is_one_of_many && may_walk && agent.is_valid() && chase.repath == RepathPolicy::Dynamic
    }
}

impl FlowFollower {
    /// Notes where it is after a tick in which it would have made such a step. Whether something carried it off.
    fn note_place(&mut self, here: Vec2, radius: f32, (step, dt): (f32, f32)) -> bool {
        let off = here.distance(self.expected);
        let rounding = 2.0 * f32::EPSILON * here.abs().max_element();
        // Not where it is not known where it should be, either.
        let is_within = |slack: f32| off <= slack + rounding;
        if !is_within(SAME * radius) {
            self.ahead = 0.0;
        }
        let is_held_up = step > 0.0 && off > 0.5 * step;
        self.stalled = if is_held_up { self.stalled + dt } else { 0.0 };
        !is_within(OFF * radius + 2.0 * step)
    }

    /// What was proven on older ground holds where nothing changed since.
    fn hold(&mut self, snapshot: &NavSnapshot, here: Vec2, radius: f32) {
        if self.generation == snapshot.generation() {
            return;
        }
        if self.ahead > 0.0 {
            let ends = Rect::from_corners(here, here + self.heading * self.ahead);
            let around = ends.inflate(radius + snapshot.layout().cell_size());
            if snapshot.changed_since(self.generation, around) {
                self.ahead = 0.0;
            }
        }
        self.generation = snapshot.generation();
    }

    /// Looks where the field leads. Whether it is to leave: near the target, or where the field knows no way.
    fn look(
        &mut self,
        snapshot: &NavSnapshot,
        field: &FlowField,
        (here, agent): (Vec2, &NavAgent),
        leaves: f32,
    ) -> bool {
        self.expected = here;
        let way = snapshot.way_on(field, here, agent);
        let Some(way) = way.filter(|_| !snapshot.is_forbidden(here, agent.class)) else {
            self.ahead = 0.0;
            return true;
        };
        (self.heading, self.ahead, self.left) = (way.heading, way.clear, way.left);
        let cells = way.left / snapshot.layout().cell_size();
        // With a clear line, along which it goes until it has a path.
        cells < leaves && way.clear > 0.0 || cells < 0.5 * leaves
    }

    fn go_on(&mut self, here: Vec2, speed: f32, dt: f32) -> Vec2 {
        let (velocity, step) = (self.heading * speed, speed * dt);
        let is_proven = self.ahead >= step;
        self.proven = if is_proven { velocity } else { Vec2::NAN };
        self.ahead = (self.ahead - step).max(0.0);
        self.left -= step;
        self.expected = here + velocity * dt;
        velocity
    }

    /// In the tick in which it leaves it goes on as far as is proven.
    fn last_velocity(&self, dt: f32) -> Vec2 {
        if self.ahead <= 0.0 || dt <= 0.0 {
            return Vec2::ZERO;
        }
        self.heading * self.speed.min(self.ahead / dt)
    }
}
