//! The tick of all followers: one loop over slices of tables.

use bevy::ecs::change_detection::ContiguousMut;
use bevy::ecs::prelude::*;
use bevy::math::Vec2;
use bevy::time::Time;
use bevy::transform::components::Transform;
use pursuit::crowd::Workers;

use super::flows::Flows;
use super::leave::Leaver;
use super::step::{Next, Pass, Route, STALLED};
use crate::agent::{
    BodyState, DesiredVelocity, FlowFollower, Locomotion, NavAgent, Parting, Place,
};
use crate::chunks::{Column, Pool, Rows, unmarked};
use crate::grid::BakedGrid;
use crate::intent::Chase;
use crate::schedule::{AvoidTick, Ticks};
use crate::settings::PursuitSettings;

/// What walking reads and writes of followers, table by table.
type Follower = (
    Entity,
    &'static mut FlowFollower,
    &'static Transform,
    &'static mut Place,
    (&'static NavAgent, &'static BodyState, &'static Chase),
    &'static mut DesiredVelocity,
);

/// Followers that keep clear of others.
type Parted = (
    &'static FlowFollower,
    &'static Parting,
    &'static mut Locomotion,
);

/// One table, as the world gives it.
type Columns<'w> = (
    &'w [Entity],
    ContiguousMut<'w, FlowFollower>,
    &'w [Transform],
    ContiguousMut<'w, Place>,
    Read<'w>,
    ContiguousMut<'w, DesiredVelocity>,
);

/// What is only read of it.
type Read<'w> = (&'w [NavAgent], &'w [BodyState], &'w [Chase]);

/// One table.
struct Table<'w> {
    entities: &'w [Entity],
    followers: &'w mut [FlowFollower],
    transforms: &'w [Transform],
    places: &'w mut [Place],
    read: Read<'w>,
    desired: Column<'w, DesiredVelocity>,
}

/// A part of a table.
struct Part<'w> {
    entities: &'w [Entity],
    followers: &'w mut [FlowFollower],
    transforms: &'w [Transform],
    places: &'w mut [Place],
    agents: &'w [NavAgent],
    bodies: &'w [BodyState],
    chases: &'w [Chase],
    desired: Rows<'w, DesiredVelocity>,
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
    let size = pool.size(count);
    let Ok(tables) = followers.contiguous_iter_mut() else {
        return;
    };
    let mut tables: Vec<Table> = tables.map(Table::new).collect();
    let parts: Vec<Part> = tables
        .iter_mut()
        .flat_map(|table| table.cut(size))
        .collect();
    let mut outcomes: Vec<Outcome> = parts.iter().map(|_| Outcome::default()).collect();
    let shared = parts.into_iter().zip(&mut outcomes).collect();
    pool.run(shared, |(part, outcome)| pass.walk(part, outcome));
    drop(pass);
    for (index, flow) in flows.iter_mut().enumerate() {
        flow.followers = outcomes.iter().map(|outcome| outcome.counts[index]).sum();
    }
    for (entity, follower) in outcomes.into_iter().flat_map(|outcome| outcome.leave) {
        if let Ok((mut leaver, mut locomotion)) = leavers.get_mut(entity) {
            leaver.leave(&follower);
            commands.entity(entity).try_remove::<FlowFollower>();
            if follower.stalled >= STALLED {
                *locomotion = Locomotion::Stuck;
            }
        }
    }
}

/// Says of followers that keep clear of others whether they queue or stand.
pub(super) fn tell_queues(
    (avoided, ticks): (Res<AvoidTick>, Res<Ticks>),
    mut parted: Query<Parted>,
) {
    let was_parted = **avoided + 1 == ticks.0;
    for (follower, parting, mut locomotion) in &mut parted {
        let is_parted = was_parted && follower.is_parted;
        let mind = is_parted.then_some(parting.mind);
        locomotion.set_if_neq(Locomotion::Moving.among(mind));
    }
}

impl<'w> Table<'w> {
    fn new(table: Columns<'w>) -> Self {
        let (entities, followers, transforms, places, read, desired) = table;
        Self {
            entities,
            followers: unmarked(followers),
            transforms,
            places: unmarked(places),
            read,
            desired: Column::new(desired),
        }
    }

    /// Parts of at most so many.
    fn cut(&mut self, size: usize) -> impl Iterator<Item = Part<'_>> {
        let (agents, bodies, chases) = self.read;
        let written = (self.followers.chunks_mut(size))
            .zip(self.places.chunks_mut(size))
            .zip(self.desired.cut(size));
        let read = (self.entities.chunks(size))
            .zip(self.transforms.chunks(size))
            .zip(agents.chunks(size))
            .zip(bodies.chunks(size))
            .zip(chases.chunks(size));
        written.zip(read).map(
            |(
                ((followers, places), desired),
                ((((entities, transforms), agents), bodies), chases),
            )| {
                Part {
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

impl Pass<'_> {
    fn walk(&self, mut part: Part, outcome: &mut Outcome) {
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
            let desired = DesiredVelocity(velocity.extend(0.0));
            part.desired.set(index, desired);
        }
    }
}
