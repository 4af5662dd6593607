//! Moves all followers in one tick: loops over slices of ECS tables.

use bevy::ecs::change_detection::ContiguousMut;
use bevy::ecs::prelude::*;
use bevy::math::Vec2;
use bevy::time::Time;
use bevy::transform::components::Transform;
use pursuit::crowd::Workers;

use super::leave::Leaver;
use super::step::{FlowOnGrid, FlowWalkPass, Next, STALL_SECONDS};
use crate::agent::{
    BodyState, CrowdState, DesiredVelocity, FlowFollower, Locomotion, NavAgent, TickPosition,
};
use crate::chunks::{Column, Pool, Rows, unmarked};
use crate::fields::FieldCache;
use crate::grid::BakedGrid;
use crate::intent::Chase;
use crate::schedule::{AvoidTick, TickCount};
use crate::settings::PursuitSettings;

/// The components of followers that walking reads and writes, table by table.
type FlowFollowerData = (
    Entity,
    &'static mut FlowFollower,
    &'static Transform,
    &'static mut TickPosition,
    (
        &'static NavAgent,
        &'static BodyState,
        &'static Chase,
        Option<&'static CrowdState>,
    ),
    &'static mut DesiredVelocity,
    &'static mut Locomotion,
);

/// The columns of one ECS table, as the query returns them.
type Columns<'w> = (
    &'w [Entity],
    ContiguousMut<'w, FlowFollower>,
    &'w [Transform],
    ContiguousMut<'w, TickPosition>,
    Read<'w>,
    ContiguousMut<'w, DesiredVelocity>,
    ContiguousMut<'w, Locomotion>,
);

/// The columns of the table that are only read.
type Read<'w> = (
    &'w [NavAgent],
    &'w [BodyState],
    &'w [Chase],
    Option<&'w [CrowdState]>,
);

/// The columns of one ECS table.
struct Table<'w> {
    entities: &'w [Entity],
    followers: &'w mut [FlowFollower],
    transforms: &'w [Transform],
    positions: &'w mut [TickPosition],
    agents: &'w [NavAgent],
    bodies: &'w [BodyState],
    chases: &'w [Chase],
    crowd_states: Option<&'w [CrowdState]>,
    desired: Column<'w, DesiredVelocity>,
    locomotion: Column<'w, Locomotion>,
}

/// Consecutive rows of a table.
struct Part<'w> {
    entities: &'w [Entity],
    followers: &'w mut [FlowFollower],
    transforms: &'w [Transform],
    positions: &'w mut [TickPosition],
    agents: &'w [NavAgent],
    bodies: &'w [BodyState],
    chases: &'w [Chase],
    /// `None` if the agents of this table do not keep apart from others.
    crowd_states: Option<&'w [CrowdState]>,
    desired: Rows<'w, DesiredVelocity>,
    locomotion: Rows<'w, Locomotion>,
}

/// The results for a part: the followers that leave, and the number of followers of each flow.
#[derive(Default)]
struct Outcome {
    leave: Vec<(Entity, FlowFollower)>,
    counts: Vec<u32>,
}

/// Decides the velocity of each follower. Followers that have to leave become ordinary agents.
pub(super) fn walk_followers(
    (time, settings, ticks): (Res<Time>, Res<PursuitSettings>, Res<TickCount>),
    avoided: Res<AvoidTick>,
    grids: Query<&BakedGrid>,
    mut fields: ResMut<FieldCache>,
    mut commands: Commands,
    mut followers: Query<FlowFollowerData>,
    mut leavers: Query<Leaver, With<FlowFollower>>,
) {
    let pass = FlowWalkPass {
        flows: fields
            .flows()
            .map(|flow| FlowOnGrid::new(flow, &grids))
            .collect(),
        dt: settings.step(time.delta_secs()),
        tick: ticks.0 as u32,
        were_kept_apart: **avoided + 1 == ticks.0,
    };
    let count = followers.iter().len();
    let pool = Pool::default();
    let size = pool.part_size(count);
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
    fields.note_followers(|index| outcomes.iter().map(|outcome| outcome.counts[index]).sum());
    for (entity, follower) in outcomes.into_iter().flat_map(|outcome| outcome.leave) {
        if let Ok(mut leaver) = leavers.get_mut(entity) {
            leaver.leave(&follower);
            commands.entity(entity).try_remove::<FlowFollower>();
        }
    }
}

impl<'w> Table<'w> {
    fn new(table: Columns<'w>) -> Self {
        let (entities, followers, transforms, positions, read, desired, locomotion) = table;
        let (agents, bodies, chases, crowd_states) = read;
        Self {
            entities,
            followers: unmarked(followers),
            transforms,
            positions: unmarked(positions),
            agents,
            bodies,
            chases,
            crowd_states,
            desired: Column::new(desired),
            locomotion: Column::new(locomotion),
        }
    }

    /// Parts of at most `size` rows.
    fn cut(&mut self, size: usize) -> impl Iterator<Item = Part<'_>> {
        let mut crowd_states = self.crowd_states.map(|all| all.chunks(size));
        let written = (self.followers.chunks_mut(size))
            .zip(self.positions.chunks_mut(size))
            .zip(self.desired.cut(size))
            .zip(self.locomotion.cut(size));
        let read = (self.entities.chunks(size))
            .zip(self.transforms.chunks(size))
            .zip(self.agents.chunks(size))
            .zip(self.bodies.chunks(size))
            .zip(self.chases.chunks(size));
        written.zip(read).map(
            move |(
                (((followers, positions), desired), locomotion),
                ((((entities, transforms), agents), bodies), chases),
            )| {
                Part {
                    entities,
                    followers,
                    transforms,
                    positions,
                    agents,
                    bodies,
                    chases,
                    crowd_states: crowd_states.as_mut().and_then(Iterator::next),
                    desired,
                    locomotion,
                }
            },
        )
    }
}

impl FlowWalkPass<'_> {
    /// Decides the velocity of each follower of a part.
    fn walk(&self, mut part: Part, outcome: &mut Outcome) {
        outcome.counts.resize(self.flows.len(), 0);
        let mut last = 0;
        for index in 0..part.followers.len() {
            let follower = &mut part.followers[index];
            let position = part.transforms[index].translation;
            part.positions[index].0 = position;
            let is_of = |flow: &FlowOnGrid| flow.number == follower.flow;
            if !self.flows.get(last).is_some_and(is_of) {
                last = self.flows.iter().position(is_of).unwrap_or(usize::MAX);
            }
            let body = (
                &part.agents[index],
                &part.bodies[index],
                &part.chases[index],
            );
            let next = match self.flows.get(last) {
                Some(flow) => {
                    outcome.counts[last] += 1;
                    self.step(flow, follower, position, body)
                }
                None => self.end(follower, position.truncate()),
            };
            let crowd_state = part.crowd_states.map(|all| &all[index]);
            let (velocity, locomotion) = match next {
                Next::Go(velocity) => (velocity, self.locomotion_of(follower, crowd_state)),
                Next::Leave => {
                    outcome.leave.push((part.entities[index], *follower));
                    let is_stuck = follower.stalled >= STALL_SECONDS;
                    let locomotion = is_stuck.then_some(Locomotion::Stuck);
                    (follower.last_velocity(self.dt), locomotion)
                }
            };
            if let Some(locomotion) = locomotion {
                part.locomotion.set(index, locomotion);
            }
            let velocity = if velocity.is_finite() {
                velocity
            } else {
                Vec2::ZERO
            };
            let desired = DesiredVelocity(velocity.extend(0.0));
            part.desired.set(index, desired);
        }
    }

    /// The locomotion of a follower that keeps apart from others: moving, queued or settled. `None` for other
    /// followers, whose locomotion does not change.
    fn locomotion_of(
        &self,
        follower: &FlowFollower,
        crowd_state: Option<&CrowdState>,
    ) -> Option<Locomotion> {
        let is_among = self.were_kept_apart && follower.has_neighbors;
        crowd_state.map(|it| Locomotion::Moving.settled_or_queued(is_among.then_some(it.memory)))
    }
}
