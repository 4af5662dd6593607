//! Writes the results of the crowd to the agents.

use bevy::prelude::*;
use pursuit::crowd::{Crowd, Member, StepResult, Workers};

use super::members::CrowdAgent;
use super::space::Space;
use crate::agent::{
    BodyKind, BodyState, CrowdState, DesiredVelocity, NavAgent, WalkSource, WalkState,
};
use crate::chunks::{Column, Cut, Pool, Rows, unmarked};

/// Minimum distance that a standing agent moves in a tick, in agent radii. Shorter moves are ignored.
const MIN_STEP_RADII: f32 = 1e-3;

/// Number of results that are read at once. The results of neighboring rows lie far apart in memory. With 1, the
/// processor waits for each of them in turn.
const BATCH: usize = 16;

/// Maximum speed of an agent that other agents push, as a multiple of its own top speed. With a greater value, agents
/// that overlap jump apart. With a smaller one, they overlap for longer.
const MAX_PUSHED_SPEEDS: f32 = 2.0;

/// The results of all members.
pub(super) struct Moves<'a> {
    pub(super) space: &'a Space<'a>,
    pub(super) dt: f32,
    pub(super) crowd: &'a Crowd,
    /// Whether velocities get a proof that the body fits. A proof holds for one tick, and only the follow stage removes
    /// old proofs. So velocities get no proofs in a tick in which Pursuit's follow stage did not run.
    pub(super) proves: bool,
}

/// Consecutive rows of a table.
type Part<'a> = (
    (&'a [NavAgent], &'a [BodyState]),
    &'a mut [CrowdState],
    &'a mut [WalkState],
    Rows<'a, DesiredVelocity>,
);

/// One row of a table.
struct Row<'a> {
    top_speed: f32,
    kind: BodyKind,
    crowd_state: &'a mut CrowdState,
    walk: &'a mut WalkState,
    desired: Vec3,
}

impl Moves<'_> {
    /// Writes the results. The agents are still in the order in which they became members, because no agent moved to
    /// another table in between.
    pub(super) fn write(&self, agents: &mut Query<CrowdAgent>, pool: &Pool) {
        let tables = agents.contiguous_iter_mut().into_iter().flatten();
        let tables = tables.map(|table| {
            let (crowd_states, walks) = (unmarked(table.crowd_state), unmarked(table.walk));
            let desired = Column::new(table.desired);
            ((table.agent, table.body), crowd_states, walks, desired)
        });
        let mut tables: Vec<_> = tables.collect();
        let count = tables.iter().map(|((agents, _), ..)| agents.len()).sum();
        let size = pool.part_size(count);
        let tables = tables.iter_mut();
        let parts = tables.flat_map(|((agents, bodies), crowd_states, walks, desired)| {
            let inputs = (&**agents, &**bodies);
            let rows = (inputs, &mut **crowd_states, &mut **walks, desired.rows());
            rows.parts(agents.len(), size)
        });
        let parts = parts.scan(0, |next, part| {
            let first = *next;
            *next += part.0.0.len();
            Some((first, part))
        });
        pool.share((count, size), parts, |(first, part)| {
            self.write_part(first, part);
        });
    }

    /// Writes the results of a part. `first` is the index of its first agent as a member.
    fn write_part(&self, first: usize, ((agents, bodies), crowd_states, walks, mut desired): Part) {
        let mut results = [StepResult::default(); BATCH];
        for index in 0..bodies.len() {
            if index % BATCH == 0 {
                let members = first + index..first + bodies.len();
                let batch = members.zip(&mut results);
                batch.for_each(|(member, to)| *to = *self.crowd.result(member));
            }
            let mut row = Row {
                top_speed: agents[index].speed,
                kind: bodies[index].kind,
                crowd_state: &mut crowd_states[index],
                walk: &mut walks[index],
                desired: desired.get(index).0,
            };
            let member = self.crowd.member(first + index);
            if member.radius == 0.0 {
                // The agent takes no part.
                *row.crowd_state = CrowdState {
                    serial: row.crowd_state.serial,
                    ..CrowdState::default()
                };
                continue;
            }
            row.move_on(member, &results[index % BATCH], self);
            desired.set(index, DesiredVelocity(row.desired));
        }
    }
}

impl Row<'_> {
    /// Writes the result of one agent.
    fn move_on(&mut self, member: &Member, result: &StepResult, moves: &Moves) {
        let plane = moves.space.plane_of(member.ground_id);
        let crowd_state = &mut *self.crowd_state;
        // An agent without others near, now and in the previous tick, moves as it wants, unless it waits at rest.
        let waits = result.memory.is_settled && !member.has_arrived;
        let matters = waits || result.memory.has_neighbors || crowd_state.memory.has_neighbors;
        crowd_state.note(result.memory, matters);
        if member.weight.is_infinite() {
            crowd_state.velocity = Vec3::ZERO;
            return;
        }
        if !matters {
            crowd_state.velocity = self.desired;
            return;
        }
        let max_step = MAX_PUSHED_SPEEDS * self.top_speed * moves.dt;
        let whole_step = result.place - member.place;
        let mut step = whole_step.clamp_length_max(max_step);
        // The body is proven to fit along the whole step only. A shortened step gets no proof.
        let is_proven = moves.proves && step == whole_step;
        let stands = result.memory.is_settled || member.pace == 0.0;
        if stands && step.length() < MIN_STEP_RADII * member.radius {
            step = Vec2::ZERO;
        }
        crowd_state.velocity = plane.direction_to_world(result.velocity);
        let velocity = plane.direction_to_world(step / moves.dt);
        self.desired = velocity;
        let frame = moves.space.frame_of(member.ground_id);
        let proven = match is_proven {
            true => frame.direction_to_grid(velocity),
            false => Vec2::NAN,
        };
        if let WalkSource::Field(walk) = &mut self.walk.source {
            if self.walk.proven_velocity != proven {
                walk.clear_distance = 0.0;
            }
            walk.expect(frame.to_grid(plane.to_world(member.place + step)));
            self.walk.proven_velocity = proven;
            return;
        }
        self.walk.speed = result.velocity.length();
        if self.kind == BodyKind::Bare {
            self.walk.proven_velocity = proven;
        }
    }
}
