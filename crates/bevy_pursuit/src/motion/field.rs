//! Decides what an agent does in one tick while a flow field leads it. This file has no queries and no commands.

use std::array;
use std::num::NonZeroU32;

use bevy::math::{Rect, Vec2, Vec3};
use pursuit::{Cell, FlowField, NEIGHBORS};

use crate::agent::{
    BodyKind, BodyState, CrowdState, DriverState, FORGET_RATE, FieldWalk, GridPlane, Intent,
    MIN_WANTED_RADII, NavAgent, progress_distance,
};
use crate::fields::{Flow, LEAVE_CELLS, LEAVE_CELLS_PUSHED};
use crate::grid::{Grids, NavSnapshot};

/// Remaining distance below which an agent that keeps apart leaves its flow, in cells, if the flow has a field around
/// other agents. The distance is short because only that field leads the agent to a free place.
const LEAVE_CELLS_AROUND_OTHERS: f32 = 1.5;
/// Maximum time after which an agent near its target looks at its field again, in seconds. The time doubles beyond each
/// distance in [`FAR_CELLS`], because far from the target, a move of the target changes the route less.
const LOOK_INTERVAL_SECONDS: f32 = 0.13;
/// Remaining distances, in cells. Beyond each of them, an agent looks at its field half as often.
const FAR_CELLS: [f32; 2] = [48.0, 96.0];
/// [`LOOK_INTERVAL_SECONDS`] of an agent close behind others. It is short because small differences in the heading
/// matter in a door.
const LOOK_INTERVAL_BEHIND_SECONDS: f32 = 0.034;
/// Maximum distance of an agent from its expected position, in agent radii, in addition to twice the distance that it
/// walks per tick. An agent that is farther away was carried off, and leaves its field.
const MAX_OFF_RADII: f32 = 0.5;
/// Distance from an agent's expected position within which the agent is treated as being there, in agent radii. It is
/// proportionally smaller above 60 ticks per second.
const POSITION_TOLERANCE_RADII: f32 = 1e-3;
/// [`POSITION_TOLERANCE_RADII`] of an agent that the physics moves. It is larger because walls stop such an agent
/// anyway.
const DRIVEN_POSITION_TOLERANCE_RADII: f32 = 0.05;
/// Minimum of [`FieldWalk::stalled`] at which an agent leaves its field as stuck, in seconds. A slow agent leaves
/// later: see [`MIN_WANTED_RADII`].
const STALL_SECONDS: f32 = 1.0;
/// Number of ticks over which agents leave a flow that is over or has no usable field. Planning for all of them in one
/// tick would take too long.
const END_TICKS: u32 = 8;

/// A flow and its grid.
pub(super) struct FlowOnGrid<'a> {
    pub(super) number: NonZeroU32,
    pub(super) plane: &'a GridPlane,
    flow: &'a Flow,
    pub(super) snapshot: Option<&'a NavSnapshot>,
}

impl<'a> FlowOnGrid<'a> {
    pub(super) fn new(flow: &'a Flow, grids: &'a Grids) -> Self {
        let grid = grids.get(Some(flow.key.grid));
        let snapshot = grid.and_then(|grid| grid.snapshot());
        Self {
            number: flow.number,
            plane: grid.map_or(&GridPlane::XY, |grid| grid.plane()),
            flow,
            snapshot: snapshot.filter(|it| flow.is_on(it)),
        }
    }
}

/// The inputs that all agents on fields share in one tick.
pub(super) struct FieldPass<'a> {
    pub(super) flows: Vec<FlowOnGrid<'a>>,
    pub(super) dt: f32,
    pub(super) tick: u32,
    /// Whether the avoidance stage ran in the previous tick.
    pub(super) were_kept_apart: bool,
    /// How often an agent looks at its field, by the number of distances in [`FAR_CELLS`] that the agent is beyond.
    looks: [Interval; FAR_CELLS.len() + 1],
    /// How often an agent close behind others looks at its field.
    looks_behind: Interval,
    /// How often an agent has its turn to leave a flow that is over or has no usable field.
    ends: Interval,
}

/// A number of ticks.
#[derive(Clone, Copy, Debug)]
struct Interval {
    /// 2⁶⁴ over the number of ticks, rounded up, modulo 2⁶⁴.
    inverse: u64,
}

impl Interval {
    fn new(ticks: u32) -> Self {
        let inverse = (u64::MAX / u64::from(ticks.max(1))).wrapping_add(1);
        Self { inverse }
    }

    /// Whether a number is a multiple of this number of ticks. Each agent on a field makes this test in every tick, so
    /// the test is a multiplication instead of a division.
    ///
    /// Source: Lemire, Kaser and Kurz, "Faster remainder by direct computation", 2019.
    fn divides(self, number: u32) -> bool {
        self.inverse.wrapping_mul(u64::from(number)) <= self.inverse.wrapping_sub(1)
    }
}

/// What an agent on a field does in a tick.
pub(super) enum Next {
    /// The agent walks with this velocity.
    Go(Vec2),
    /// The agent leaves the field. Its path or a straight line leads it from now on.
    Leave,
}

/// An agent that a field leads.
pub(super) struct FieldAgent<'a> {
    /// Position in world coordinates.
    pub(super) position: Vec3,
    pub(super) agent: &'a NavAgent,
    /// Maximum acceleration of the body, in world units per second².
    pub(super) acceleration: f32,
    pub(super) stagger: u32,
    /// Whether the game moves the body, so that no driver stops it at walls.
    pub(super) is_manual: bool,
    pub(super) body: &'a BodyState,
    pub(super) intent: &'a Intent,
    /// `None` if the agent does not keep apart from others.
    pub(super) crowd_state: Option<&'a CrowdState>,
}

impl FieldAgent<'_> {
    /// Remaining distance at which the agent leaves its flow, in cells.
    fn leave_cells(&self, flow: &Flow) -> f32 {
        match self.crowd_state {
            Some(_) if flow.around().is_some() => LEAVE_CELLS_AROUND_OTHERS,
            None if self.body.kind == BodyKind::Bare => LEAVE_CELLS,
            _ => LEAVE_CELLS_PUSHED,
        }
    }
}

/// Whether a cell beside the cell of a position is full of standing agents. A full cell has a cost in `plain`, but not
/// in `around`.
fn is_beside_full(
    snapshot: &NavSnapshot,
    (plain, around): (&FlowField, &FlowField),
    here: Vec2,
) -> bool {
    let own = Cell::at(snapshot.layout().to_cell_space(here));
    let mut beside = NEIGHBORS.iter().map(|(x, y)| own.offset(*x, *y));
    beside.any(|cell| plain.cost(cell).is_some() && around.cost(cell).is_none())
}

impl<'a> FieldPass<'a> {
    pub(super) fn new(
        flows: Vec<FlowOnGrid<'a>>,
        (dt, tick): (f32, u32),
        were_kept_apart: bool,
    ) -> Self {
        let ticks = |seconds: f32| (seconds / dt).clamp(1.0, 1e4) as u32;
        let looks = ticks(LOOK_INTERVAL_SECONDS);
        Self {
            flows,
            dt,
            tick,
            were_kept_apart,
            looks: array::from_fn(|far| Interval::new(looks << far)),
            looks_behind: Interval::new(ticks(LOOK_INTERVAL_BEHIND_SECONDS)),
            ends: Interval::new(END_TICKS),
        }
    }

    /// The index of a flow. `hint` is the index of the flow that was looked up last.
    pub(super) fn index(&self, number: NonZeroU32, hint: usize) -> Option<usize> {
        let is_it = |flow: &FlowOnGrid| flow.number == number;
        match self.flows.get(hint).is_some_and(is_it) {
            true => Some(hint),
            false => self.flows.iter().position(is_it),
        }
    }

    /// Decides what an agent without a usable field does. The agent goes straight on, and leaves the flow in its turn,
    /// so that only some agents leave in each tick.
    pub(super) fn end(
        &self,
        (walk, speed, proven_velocity): (&mut FieldWalk, &mut f32, &mut Vec2),
        here: Vec2,
        one: &FieldAgent,
    ) -> Next {
        walk.expect(here);
        *proven_velocity = Vec2::NAN;
        if self.is_turn(one.stagger, self.ends) {
            return Next::Leave;
        }
        walk.clear_distance = 0.0;
        let velocity = walk.last_velocity(*speed, self.dt, one.is_manual);
        Next::Go(walk.go_on(here, velocity.length(), self.dt))
    }

    /// Whether an agent has its turn in this tick. Each agent has one turn in each interval.
    fn is_turn(&self, stagger: u32, turns: Interval) -> bool {
        turns.divides(self.tick.wrapping_add(stagger))
    }

    /// Decides what an agent does in this tick, and updates its speed and its proven velocity.
    #[inline]
    pub(super) fn step(
        &self,
        flow_on_grid: &FlowOnGrid,
        (walk, speed, proven_velocity): (&mut FieldWalk, &mut f32, &mut Vec2),
        one: &FieldAgent,
    ) -> Next {
        let (here, agent) = (flow_on_grid.plane.to_grid(one.position), one.agent);
        let may_walk = one.body.kind != BodyKind::Fixed && one.body.state != DriverState::Unable;
        if !(one.position.is_finite() && may_walk && agent.is_valid()) {
            walk.turn_to(Vec2::ZERO, (here, 0.0));
            return Next::Leave;
        }
        let flow = flow_on_grid.flow;
        let Some((field, snapshot)) = flow.field().zip(flow_on_grid.snapshot) else {
            return self.end((walk, speed, proven_velocity), here, one);
        };
        let same = match one.body.kind {
            BodyKind::Bare => POSITION_TOLERANCE_RADII,
            _ => DRIVEN_POSITION_TOLERANCE_RADII,
        };
        let crowd_state = (one.crowd_state).filter(|it| self.were_kept_apart && it.is_among);
        let is_among = crowd_state.is_some();
        if self.dt <= 0.0 || one.body.state != DriverState::Ready {
            walk.note_place(here, crowd_state, (agent.radius, same), (0.0, 0.0));
            walk.expect(here);
            return Next::Go(Vec2::ZERO);
        }
        let next_speed = match is_among {
            true => agent.speed,
            false => agent.speed.min(*speed + one.acceleration * self.dt),
        };
        let step = next_speed * self.dt;
        let is_off = walk.note_place(here, crowd_state, (agent.radius, same), (step, self.dt));
        if is_off || walk.is_stuck(agent) {
            walk.expect(here);
            return Next::Leave;
        }
        walk.hold(snapshot, here, agent.radius);
        let cells = walk.remaining_cells(snapshot, here);
        let leaves = one.leave_cells(flow);
        let looks = self.looks(crowd_state, cells);
        let is_over = flow.is_over && self.is_turn(one.stagger, self.ends);
        let is_due = is_over || self.is_turn(one.stagger, looks) || cells < leaves;
        // Pushes of other agents end the proof of a clear line again and again, so an agent among others looks only
        // when a look is due.
        if is_due || !is_among && walk.clear_distance < step {
            let around = flow.around().filter(|around| {
                let is_held_up = one.crowd_state.is_some_and(|it| it.is_held_up);
                let has_place = is_held_up && is_beside_full(snapshot, (field, around), here);
                let stands = one.crowd_state.is_some_and(|it| it.memory.is_settled);
                !stands && !has_place
            });
            let is_near = walk.look(snapshot, (field, around), here, (one, leaves));
            if is_near || is_over {
                return Next::Leave;
            }
        }
        *speed = next_speed;
        let is_proven = walk.clear_distance >= step;
        let mut velocity = walk.go_on(here, next_speed, self.dt);
        if one.is_manual && !is_proven {
            let step = snapshot.slide_along_walls(agent.into(), here, velocity * self.dt);
            walk.expect(here + step);
            velocity = step / self.dt;
        }
        *proven_velocity = if is_proven { velocity } else { Vec2::NAN };
        Next::Go(velocity)
    }

    /// How often an agent looks at the field.
    fn looks(&self, crowd: Option<&CrowdState>, remaining_cells: f32) -> Interval {
        if crowd.is_some_and(|it| it.memory.is_behind && !it.memory.is_settled) {
            return self.looks_behind;
        }
        let is_beyond = |far: &&f32| remaining_cells > **far;
        self.looks[FAR_CELLS.iter().filter(is_beyond).count()]
    }
}

impl FieldWalk {
    /// Notes the position at the start of a tick. `step` is the distance that the agent wants to walk in this tick, and
    /// `dt` is the length of the tick in seconds. Both are 0 if the agent cannot walk in this tick. `same` is the
    /// tolerance around the expected position, in agent radii. Returns whether something carried the agent off.
    #[inline]
    fn note_place(
        &mut self,
        here: Vec2,
        crowd: Option<&CrowdState>,
        (radius, same): (f32, f32),
        (step, dt): (f32, f32),
    ) -> bool {
        let off = here.distance(self.expected);
        let rounding = 2.0 * f32::EPSILON * here.abs().max_element();
        // This is also `false` if the expected position is NaN.
        let is_within = |slack: f32| off <= slack + rounding;
        // At high tick rates the tolerance is smaller, because a body that is slowly carried along is off by little in
        // each tick.
        if !is_within(same * radius * (60.0 * dt).min(1.0)) {
            self.clear_distance = 0.0;
        }
        let is_elsewhere = step > 0.0 && off > 0.5 * step;
        let is_held_up =
            is_elsewhere && here.distance(self.anchor) <= progress_distance(radius, step);
        if !is_held_up {
            self.anchor = here;
        }
        // A blocked agent may press against a fixed obstacle while other agents are ahead of it only in some ticks. In
        // these ticks, its time without progress runs down slowly instead of starting over.
        let is_blocked = crowd.is_some_and(CrowdState::is_blocked);
        let is_behind = crowd.is_some_and(|it| it.memory.is_behind);
        self.stalled = match is_blocked && is_behind {
            _ if is_held_up => self.stalled + dt,
            true => (self.stalled - FORGET_RATE * dt).max(0.0),
            false if is_blocked => self.stalled + dt,
            false => 0.0,
        };
        !is_within(MAX_OFF_RADII * radius + 2.0 * step)
    }

    /// Whether the agent has made no progress for so long that it leaves its field.
    pub(super) fn is_stuck(&self, agent: &NavAgent) -> bool {
        let wanted = self.stalled * agent.speed;
        self.stalled >= STALL_SECONDS && wanted >= MIN_WANTED_RADII * agent.radius
    }

    /// Remaining distance until the target is within reach, in cells.
    fn remaining_cells(&self, snapshot: &NavSnapshot, here: Vec2) -> f32 {
        self.remaining_from(here) / snapshot.layout().cell_size()
    }

    /// Drops the proof of a clear line if the grid has changed near that line.
    fn hold(&mut self, snapshot: &NavSnapshot, here: Vec2, radius: f32) {
        if self.generation == snapshot.generation() {
            return;
        }
        if self.clear_distance > 0.0 {
            let ends = Rect::from_corners(here, here + self.heading * self.clear_distance);
            let around = ends.inflate(radius + snapshot.layout().cell_size());
            if snapshot.changed_since(self.generation, around) {
                self.clear_distance = 0.0;
            }
        }
        self.generation = snapshot.generation();
    }

    /// Reads the heading from the field. Returns whether the agent has to leave the field because it is near the
    /// target, is on forbidden ground, or is at a position from which the field has no path.
    fn look(
        &mut self,
        snapshot: &NavSnapshot,
        fields: (&FlowField, Option<&FlowField>),
        here: Vec2,
        (one, leaves): (&FieldAgent, f32),
    ) -> bool {
        self.expect(here);
        let way = snapshot.sample_field(fields, here, one.agent);
        let Some(way) = way.filter(|_| !snapshot.is_forbidden(here, one.agent.class)) else {
            self.clear_distance = 0.0;
            return true;
        };
        let remaining = way.remaining - one.intent.order.reach;
        self.turn_to(way.heading, (here, remaining));
        self.clear_distance = way.clear_distance;
        let cells = self.remaining_cells(snapshot, here);
        // The agent leaves where its line is clear, so that it can walk straight until it has a path. Below half of the
        // distance, it leaves in any case.
        cells < leaves && way.clear_distance > 0.0 || cells < 0.5 * leaves
    }

    /// The velocity along the heading. Notes the expected position in the next tick.
    fn go_on(&mut self, here: Vec2, speed: f32, dt: f32) -> Vec2 {
        let (velocity, step) = (self.heading * speed, speed * dt);
        self.clear_distance = (self.clear_distance - step).max(0.0);
        self.expect(here + velocity * dt);
        velocity
    }

    /// The velocity of an agent that leaves the field: straight on. No driver stops an agent that the game moves, so
    /// such an agent stays within the distance that is proven to be clear.
    pub(super) fn last_velocity(&self, speed: f32, dt: f32, is_manual: bool) -> Vec2 {
        let ahead = match is_manual {
            true => self.clear_distance,
            false => self.distance_ahead(speed),
        };
        match dt > 0.0 {
            true => self.heading * speed.min(ahead / dt),
            false => Vec2::ZERO,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_divides_exactly_its_multiples() {
        let mut random = fastrand::Rng::with_seed(1);
        for ticks in (0..300).chain([9_999, 10_000, 40_000]) {
            let interval = Interval::new(ticks);
            let numbers = (0..2_000).chain([u32::MAX - 1, u32::MAX]);
            let random = (0..2_000).map(|_| random.u32(..));
            for number in numbers.chain(random) {
                let is_multiple = number.is_multiple_of(ticks.max(1));
                assert_eq!(interval.divides(number), is_multiple, "{number}, {ticks}");
            }
        }
    }
}
