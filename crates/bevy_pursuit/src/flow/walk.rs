//! The tick of all followers: one loop over slices of tables.

use bevy::ecs::change_detection::ContiguousMut;
use bevy::ecs::prelude::*;
use bevy::math::{Rect, Vec2, Vec3};
use bevy::time::Time;
use bevy::transform::components::Transform;
use pursuit::crowd::Workers;

use super::flows::{Flow, FlowKey, Flows};
use super::leave::Leaver;
use crate::agent::{
    BodyKind, BodyState, DesiredVelocity, DriverState, FlowFollower, Locomotion, NavAgent,
    NavAvoidance, NavBody, Parting, Place, RepathPolicy,
};
use crate::chunks::Pool;
use crate::grid::{BakedGrid, NavSnapshot};
use crate::intent::Chase;
use crate::schedule::{AvoidTick, Ticks};
use crate::settings::PursuitSettings;

/// One leaves with less than so many cells of plain ground to go; the same of one that others push, which passes doors better
/// along a field than along a path.
pub(super) const LEAVES: (f32, f32) = (12.0, 4.0);
/// Ticks from one look at the field to the next, at most, of those who are near; as much more of those who are [farther
/// away](FAR), as their way changes less where the target moves.
const LOOKS: u8 = 16;
/// In cells.
const FAR: [f32; 2] = [48.0, 96.0];
/// The same in a crowd, where others push.
const PUSHED_LOOKS: u8 = 4;
/// One that is off where it should be by more than this part of its radius and two steps was carried off, and leaves.
const OFF: f32 = 0.5;
/// The same within which it still is where it should be.
const SAME: f32 = 1e-3;
/// One that made less than half of its way for so many ticks in a row is an agent like others again.
const STALLED: u8 = 60;
/// Those whose flow is over leave within so many ticks.
const ENDS: u8 = 8;

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
    mut leavers: Query<Leaver>,
) {
    let pass = Pass {
        flows: flows.iter().map(|flow| Route::new(flow, &grids)).collect(),
        dt: settings.step(time.delta_secs()),
        tick: ticks.0 as u8,
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
    for (entity, follower) in outcomes.into_iter().flat_map(|outcome| outcome.leave) {
        if let Ok(mut leaver) = leavers.get_mut(entity) {
            leaver.leave(&follower);
            commands.entity(entity).try_remove::<FlowFollower>();
        }
    }
}

/// Says of followers in a crowd whether they queue or stand.
pub(super) fn tell_queues(avoided: Res<AvoidTick>, ticks: Res<Ticks>, mut parted: Query<Parted>) {
    let was_parted = **avoided + 1 == ticks.0;
    for (follower, parting, avoidance, mut locomotion) in &mut parted {
        let is_parted = was_parted && follower.is_parted && *avoidance == NavAvoidance::Separation;
        let mind = is_parted.then_some(parting.mind);
        locomotion.set_if_neq(Locomotion::Moving.among(mind));
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
    tick: u8,
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

impl Pass<'_> {
    fn walk(&self, part: Part, outcome: &mut Outcome) {
        outcome.counts.resize(self.flows.len(), 0);
        let mut last = 0;
        for index in 0..part.followers.len() {
            let follower = &mut part.followers[index];
            let place = part.transforms[index].translation;
            part.places[index].0 = place;
            if self
                .flows
                .get(last)
                .is_none_or(|route| route.number != follower.flow)
            {
                let found = self
                    .flows
                    .iter()
                    .position(|route| route.number == follower.flow);
                last = found.unwrap_or(usize::MAX);
            }
            let agent = (
                &part.agents[index],
                &part.bodies[index],
                &part.chases[index],
            );
            let next = match self.flows.get(last) {
                Some(route) => {
                    outcome.counts[last] += 1;
                    self.step(route, follower, place, agent)
                }
                None => Next::Leave,
            };
            let velocity = match next {
                Next::Go(velocity) => velocity,
                Next::Stand => Vec2::ZERO,
                Next::Leave => {
                    outcome.leave.push((part.entities[index], *follower));
                    let may_go = follower.ahead > 0.0 && self.dt > 0.0;
                    let speed = follower.speed.min(follower.ahead / self.dt);
                    if may_go {
                        follower.heading * speed
                    } else {
                        Vec2::ZERO
                    }
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

    fn step(
        &self,
        route: &Route,
        follower: &mut FlowFollower,
        place: Vec3,
        (agent, body, chase): (&NavAgent, &BodyState, &Chase),
    ) -> Next {
        let here = place.truncate();
        let is_one_of_many = route.key.is_some_and(|key| {
            let wanted = NavBody {
                radius: agent.radius + body.gap,
                class: agent.class,
            };
            chase.target == key.target && wanted.key() == key.body.key()
        });
        let may_walk = body.kind != BodyKind::Fixed && body.state != DriverState::Unable;
        let is_sound = place.is_finite() && agent.is_valid();
        if !(is_one_of_many && may_walk && is_sound && chase.repath == RepathPolicy::Dynamic) {
            (follower.ahead, follower.expected) = (0.0, here);
            return Next::Leave;
        }
        let known = route.flow.field.as_deref().zip(route.snapshot);
        let Some((field, snapshot)) = known.filter(|_| !route.flow.is_over) else {
            (follower.ahead, follower.expected) = (0.0, here);
            let is_turn = self.tick.wrapping_add(follower.turn).is_multiple_of(ENDS);
            return if is_turn { Next::Leave } else { Next::Stand };
        };
        if self.dt <= 0.0 || body.state != DriverState::Ready {
            follower.expected = here;
            return Next::Stand;
        }
        let is_parted = self.is_parted && follower.is_parted;
        // Where it gets is not known before.
        let is_pushed = is_parted || body.kind != BodyKind::Bare;
        let speed = if is_parted {
            agent.speed
        } else {
            agent
                .speed
                .min(follower.speed + agent.acceleration * self.dt)
        };
        let step = speed * self.dt;
        let is_off = follower.follow_place(here, agent.radius, step);
        if is_off || follower.stalls >= STALLED {
            follower.expected = here;
            return Next::Leave;
        }
        follower.hold(snapshot, here, agent.radius);
        let cells = follower.left / snapshot.layout().cell_size();
        let looks = match is_pushed {
            true => PUSHED_LOOKS,
            false => LOOKS << FAR.iter().filter(|far| cells > **far).count(),
        };
        let is_turn = self.tick.wrapping_add(follower.turn).is_multiple_of(looks);
        if is_turn || !is_pushed && follower.ahead < step {
            let Some(way) = snapshot.way_on(field, here, agent) else {
                (follower.ahead, follower.expected) = (0.0, here);
                return Next::Leave;
            };
            (follower.heading, follower.ahead, follower.left) = (way.heading, way.clear, way.left);
            follower.expected = here;
            let least = if is_pushed { LEAVES.1 } else { LEAVES.0 };
            if way.left < least * snapshot.layout().cell_size() {
                return Next::Leave;
            }
        }
        let velocity = follower.heading * speed;
        let is_proven = follower.ahead >= step;
        follower.proven = if is_proven { velocity } else { Vec2::NAN };
        follower.ahead = (follower.ahead - step).max(0.0);
        follower.left -= step;
        follower.speed = speed;
        follower.expected = here + velocity * self.dt;
        Next::Go(velocity)
    }
}

impl FlowFollower {
    /// Notes where it is. Whether something carried it off.
    fn follow_place(&mut self, here: Vec2, radius: f32, step: f32) -> bool {
        let off = here.distance(self.expected);
        let rounding = 2.0 * f32::EPSILON * here.abs().max_element();
        // NaN is off, too.
        if !(off <= SAME * radius + rounding) {
            self.ahead = 0.0;
        }
        let is_held_up = step > 0.0 && off > 0.5 * step;
        self.stalls = if is_held_up { self.stalls + 1 } else { 0 };
        !(off <= OFF * radius + 2.0 * step + rounding)
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
}
