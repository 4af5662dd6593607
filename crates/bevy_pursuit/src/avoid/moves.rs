//! Writes the results of the crowd to the agents.

use bevy::ecs::prelude::*;
use bevy::math::{Vec2, Vec3};
use pursuit::crowd::{Crowd, Member, StepResult, Workers};

use super::members::{CrowdAgent, CrowdAgentContiguousItem};
use super::space::Space;
use crate::agent::{BodyKind, BodyState, CrowdState, DesiredVelocity, FlowFollower, FollowMemory};
use crate::chunks::{Column, Pool, Rows, unmarked};

/// Minimum distance that a standing agent moves in a tick, in agent radii. It ignores shorter moves.
const MIN_STEP_RADII: f32 = 1e-3;

/// Time after which an agent that others hold up no longer looks for a better place, in seconds.
const HELD_UP_SECONDS: f32 = 1.0;

/// The results of all members.
pub(super) struct Moves<'a> {
    pub(super) space: &'a Space<'a>,
    pub(super) dt: f32,
    pub(super) crowd: &'a Crowd,
}

/// The columns of one ECS table that are written, and the bodies.
struct Table<'w> {
    bodies: &'w [BodyState],
    crowd_states: &'w mut [CrowdState],
    memories: &'w mut [FollowMemory],
    followers: Option<&'w mut [FlowFollower]>,
    desired: Column<'w, DesiredVelocity>,
}

/// Consecutive rows of a table.
struct Part<'a> {
    bodies: &'a [BodyState],
    crowd_states: &'a mut [CrowdState],
    memories: &'a mut [FollowMemory],
    followers: Option<&'a mut [FlowFollower]>,
    desired: Rows<'a, DesiredVelocity>,
}

/// One row of a table.
struct Row<'a> {
    body: &'a BodyState,
    crowd_state: &'a mut CrowdState,
    memory: &'a mut FollowMemory,
    follower: Option<&'a mut FlowFollower>,
    desired: Vec3,
}

impl<'w> Table<'w> {
    fn new(table: CrowdAgentContiguousItem<'w, '_>) -> Self {
        Self {
            bodies: table.body,
            crowd_states: unmarked(table.crowd_state),
            memories: unmarked(table.memory),
            followers: table.follower.map(unmarked),
            desired: Column::new(table.desired),
        }
    }

    /// Parts of at most `size` rows.
    fn cut(&mut self, size: usize) -> impl Iterator<Item = Part<'_>> {
        let mut followers = self.followers.as_mut().map(|all| all.chunks_mut(size));
        let parts = (self.bodies.chunks(size))
            .zip(self.crowd_states.chunks_mut(size))
            .zip(self.memories.chunks_mut(size))
            .zip(self.desired.cut(size));
        parts.map(move |(((bodies, crowd_states), memories), desired)| Part {
            bodies,
            crowd_states,
            memories,
            followers: followers.as_mut().and_then(Iterator::next),
            desired,
        })
    }
}

impl Moves<'_> {
    /// Writes the results. The agents are still in the order in which they became members, because no agent moved to
    /// another table in between.
    pub(super) fn write(&self, agents: &mut Query<CrowdAgent>, pool: &Pool) {
        let tables = agents.contiguous_iter_mut().into_iter().flatten();
        let mut tables: Vec<Table> = tables.map(Table::new).collect();
        let count = tables.iter().map(|table| table.bodies.len()).sum();
        let size = pool.part_size(count);
        let parts = tables.iter_mut().flat_map(|table| table.cut(size));
        let parts = parts.scan(0, |next, part| {
            let first = *next;
            *next += part.bodies.len();
            Some((first, part))
        });
        pool.share((count, size), parts, |(first, part)| {
            self.write_part(first, part);
        });
    }

    /// Writes the results of a part. `first` is the index of its first agent as a member.
    fn write_part(&self, first: usize, mut part: Part) {
        for index in 0..part.bodies.len() {
            let mut row = Row {
                body: &part.bodies[index],
                crowd_state: &mut part.crowd_states[index],
                memory: &mut part.memories[index],
                follower: part.followers.as_mut().map(|all| &mut all[index]),
                desired: part.desired.get(index).0,
            };
            let member = self.crowd.member(first + index);
            if member.radius == 0.0 {
                row.rest();
                continue;
            }
            row.move_on(member, self.crowd.result(first + index), self);
            part.desired.set(index, DesiredVelocity(row.desired));
        }
    }
}

impl Row<'_> {
    /// Writes the result of one agent.
    fn move_on(&mut self, member: &Member, result: &StepResult, moves: &Moves) {
        let plane = moves.space.plane_of(member.ground_id);
        let crowd_state = &mut *self.crowd_state;
        // Without others near now or in the tick before, the velocity that the agent wants is used unchanged.
        let waits = result.memory.is_settled && !member.has_arrived;
        let matters = waits || result.memory.has_neighbors || crowd_state.memory.has_neighbors;
        crowd_state.memory = result.memory;
        if member.weight.is_infinite() {
            crowd_state.velocity = Vec3::ZERO;
            return;
        }
        if let Some(follower) = &mut self.follower {
            follower.keeps_clear = true;
            follower.has_neighbors = matters;
            follower.stands = result.memory.is_settled;
            follower.is_held_up &= result.memory.held_up_seconds > 0.0;
            follower.is_held_up |= result.memory.held_up_seconds > HELD_UP_SECONDS;
            follower.is_blocked =
                result.memory.held_up_seconds > HELD_UP_SECONDS && !result.memory.is_settled;
        }
        if !matters {
            crowd_state.velocity = self.desired;
            return;
        }
        let mut step = result.place - member.place;
        let stands = result.memory.is_settled || member.pace == 0.0;
        if stands && step.length() < MIN_STEP_RADII * member.radius {
            step = Vec2::ZERO;
        }
        crowd_state.velocity = plane.direction_to_world(result.velocity);
        let velocity = plane.direction_to_world(step / moves.dt);
        self.desired = velocity;
        if let Some(follower) = &mut self.follower {
            if follower.proven_velocity != velocity.truncate() {
                follower.clear_distance = 0.0;
            }
            follower.proven_velocity = velocity.truncate();
            follower.expected = result.place;
            follower.is_behind = result.memory.is_behind && !result.memory.is_settled;
            return;
        }
        self.memory.speed = result.velocity.length();
        if self.body.kind == BodyKind::Bare {
            let frame = moves.space.frame_of(member.ground_id);
            self.memory.proven_velocity = frame.direction_to_grid(velocity);
        }
    }

    /// Forgets the state of the crowd, for an agent that takes no part.
    fn rest(&mut self) {
        if let Some(follower) = &mut self.follower {
            (follower.has_neighbors, follower.stands) = (false, false);
        }
        *self.crowd_state = CrowdState {
            serial: self.crowd_state.serial,
            ..CrowdState::default()
        };
    }
}
