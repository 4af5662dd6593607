//! Decides what one follower does in one tick: from its position to the velocity that it wants. No side effects.

use bevy::ecs::prelude::Query;
use bevy::math::{Rect, Vec2, Vec3};
use pursuit::{Cell, FlowField, NEIGHBORS};

use crate::agent::{
    BodyKind, BodyState, DriverState, FORGET_RATE, FlowFollower, NavAgent, NavBody, RepathPolicy,
};
use crate::fields::Flow;
use crate::grid::{BakedGrid, NavSnapshot};
use crate::intent::Chase;

/// Remaining distance below which a follower leaves its flow, in cells of plain ground.
pub(super) const LEAVE_CELLS: f32 = 12.0;
/// [`LEAVE_CELLS`] of a follower that other agents or the physics push. Such an agent passes doors better along a field
/// than along a path.
pub(super) const LEAVE_CELLS_PUSHED: f32 = 4.0;
/// [`LEAVE_CELLS`] while other agents are in the way, because only the field leads a newcomer to a free place.
const LEAVE_CELLS_AROUND_OTHERS: f32 = 1.5;
/// Maximum time between two looks of a follower at the field, in seconds. The time doubles beyond each distance of
/// [`FAR_CELLS`], because far from the target, a move of the target changes the way less.
const LOOK_INTERVAL_SECONDS: f32 = 0.13;
/// Remaining distances beyond each of which a follower looks at the field half as often, in cells.
const FAR_CELLS: [f32; 2] = [48.0, 96.0];
/// [`LOOK_INTERVAL_SECONDS`] of a follower close behind others, because in a door small differences matter.
const LOOK_INTERVAL_BEHIND_SECONDS: f32 = 0.034;
/// A follower was carried off, and leaves, if it is farther from its expected position than this many agent radii plus
/// twice the distance that it walks per tick.
const MAX_OFF_RADII: f32 = 0.5;
/// Distance from its expected position up to which a follower is treated as being there, in agent radii.
const POSITION_TOLERANCE_RADII: f32 = 1e-3;
/// [`POSITION_TOLERANCE_RADII`] of a follower that the physics moves, which stops at walls by itself.
const DRIVEN_POSITION_TOLERANCE_RADII: f32 = 0.05;
/// Time after which a follower that moves less than half as far as it wants is stuck, in seconds.
pub(super) const STALL_SECONDS: f32 = 1.0;
/// Number of ticks within which all followers leave a flow that is over, because all in one tick would take too long.
const END_TICKS: u32 = 8;

/// A flow, and the snapshot of its grid.
pub(super) struct FlowOnGrid<'a> {
    pub(super) number: u32,
    flow: &'a Flow,
    snapshot: Option<&'a NavSnapshot>,
}

impl<'a> FlowOnGrid<'a> {
    pub(super) fn new(flow: &'a Flow, grids: &'a Query<&BakedGrid>) -> Self {
        let grid = grids.get(flow.key.grid);
        let snapshot = grid
            .ok()
            .filter(|grid| grid.plane.is_xy())
            .and_then(BakedGrid::snapshot);
        Self {
            number: flow.number,
            flow,
            snapshot: snapshot.map(|snapshot| &**snapshot),
        }
    }
}

/// The inputs of walking in one tick that are the same for all followers.
pub(super) struct FlowWalkPass<'a> {
    pub(super) flows: Vec<FlowOnGrid<'a>>,
    pub(super) dt: f32,
    pub(super) tick: u32,
    /// Whether the avoidance stage ran in the tick before.
    pub(super) were_kept_apart: bool,
}

/// What a follower does in a tick.
pub(super) enum Next {
    /// It walks with this velocity.
    Go(Vec2),
    /// It leaves the flow and becomes an ordinary agent.
    Leave,
}

/// Whether a cell beside the position is full: it has no cost in `around`, but has one in `plain`.
fn is_beside_full(
    snapshot: &NavSnapshot,
    (plain, around): (&FlowField, &FlowField),
    here: Vec2,
) -> bool {
    let own = Cell::at(snapshot.layout().to_cell_space(here));
    let mut beside = NEIGHBORS.iter().map(|(x, y)| own.offset(*x, *y));
    beside.any(|cell| plain.cost(cell).is_some() && around.cost(cell).is_none())
}

/// The reach that the game set on the chase, or else on the agent, as [`f32::to_bits`] gives it. `None` if the game set
/// no reach.
pub(super) fn wanted_reach(chase: &Chase, agent: &NavAgent) -> Option<u32> {
    chase.reach.or(agent.reach).map(f32::to_bits)
}

/// The agent, the body and the chase of a follower.
pub(super) type Body<'a> = (&'a NavAgent, &'a BodyState, &'a Chase);

impl FlowWalkPass<'_> {
    /// What a follower does whose flow is gone: it stops, and leaves when it has its turn, so that only some followers
    /// leave in each tick.
    pub(super) fn end(&self, follower: &mut FlowFollower, here: Vec2) -> Next {
        (follower.clear_distance, follower.expected) = (0.0, here);
        if self.is_turn(follower, END_TICKS) {
            Next::Leave
        } else {
            Next::Go(Vec2::ZERO)
        }
    }

    /// Whether a follower has its turn in this tick. Each follower has a turn every `turns` ticks.
    fn is_turn(&self, follower: &FlowFollower, turns: u32) -> bool {
        self.tick
            .wrapping_add(follower.stagger.into())
            .is_multiple_of(turns)
    }

    /// Decides what a follower does in this tick.
    pub(super) fn step(
        &self,
        flow_on_grid: &FlowOnGrid,
        follower: &mut FlowFollower,
        place: Vec3,
        body: Body,
    ) -> Next {
        let (here, (agent, state, _)) = (place.truncate(), body);
        if !(place.is_finite() && flow_on_grid.suits(follower, body)) {
            (follower.clear_distance, follower.expected) = (0.0, here);
            return Next::Leave;
        }
        let flow = flow_on_grid.flow;
        let Some((field, snapshot)) = flow.field().zip(flow_on_grid.snapshot) else {
            return self.end(follower, here);
        };
        let around = flow.around().filter(|around| {
            let has_place = follower.is_held_up && is_beside_full(snapshot, (field, around), here);
            !follower.stands && !has_place
        });
        let same = if state.kind == BodyKind::Bare {
            POSITION_TOLERANCE_RADII
        } else {
            DRIVEN_POSITION_TOLERANCE_RADII
        };
        if self.dt <= 0.0 || state.state != DriverState::Ready {
            follower.note_place(here, (agent.radius, same), (0.0, 0.0));
            follower.expected = here;
            return Next::Go(Vec2::ZERO);
        }
        let is_among = self.were_kept_apart && follower.has_neighbors;
        let speed = match is_among {
            true => agent.speed,
            false => agent
                .speed
                .min(follower.speed + agent.acceleration * self.dt),
        };
        let step = speed * self.dt;
        let is_off = follower.note_place(here, (agent.radius, same), (step, self.dt));
        if is_off || follower.stalled >= STALL_SECONDS {
            follower.expected = here;
            return Next::Leave;
        }
        follower.hold(snapshot, here, agent.radius);
        let cells = follower.remaining_cells(snapshot);
        let leaves = match follower.keeps_clear {
            true if flow.around().is_some() => LEAVE_CELLS_AROUND_OTHERS,
            false if state.kind == BodyKind::Bare => LEAVE_CELLS,
            _ => LEAVE_CELLS_PUSHED,
        };
        let looks = self.ticks_between_looks(follower, cells);
        let is_over = flow_on_grid.flow.is_over && self.is_turn(follower, END_TICKS);
        let is_due = is_over || self.is_turn(follower, looks) || cells < leaves;
        // Among other agents it is not known where the follower will be, so it looks only when it is due.
        if is_due || !is_among && follower.clear_distance < step {
            let fields = (field, around);
            let is_near = follower.look(snapshot, fields, (here, agent), leaves);
            if is_near || is_over {
                return Next::Leave;
            }
        }
        follower.speed = speed;
        Next::Go(follower.go_on(here, speed, self.dt))
    }

    /// Number of ticks between two looks of a follower at the field.
    fn ticks_between_looks(&self, follower: &FlowFollower, remaining_cells: f32) -> u32 {
        let ticks = |seconds: f32| (seconds / self.dt).clamp(1.0, 1e4) as u32;
        if self.were_kept_apart && follower.has_neighbors && follower.is_behind {
            return ticks(LOOK_INTERVAL_BEHIND_SECONDS);
        }
        ticks(LOOK_INTERVAL_SECONDS)
            << FAR_CELLS
                .iter()
                .filter(|far| remaining_cells > **far)
                .count()
    }
}

impl FlowOnGrid<'_> {
    /// Whether an agent may still follow this flow.
    fn suits(&self, follower: &FlowFollower, (agent, state, chase): Body) -> bool {
        let (key, body) = (
            self.flow.key,
            NavBody {
                radius: agent.radius + state.gap,
                class: agent.class,
            },
        );
        let is_one_of_many = key.target() == Some(chase.target) && body.key() == key.body;
        let is_one_of_many = is_one_of_many && wanted_reach(chase, agent) == follower.wanted_reach;
        let may_walk = state.kind != BodyKind::Fixed && state.state != DriverState::Unable;
        is_one_of_many
            && may_walk
            && agent.is_valid()
            && chase.repath == RepathPolicy::Dynamic
            && !chase.surround
    }
}

impl FlowFollower {
    /// Notes the position after a tick. `step` is the distance that the follower wanted to walk in it, and `same` the
    /// tolerance around the expected position, in agent radii. Returns whether something carried the follower off.
    fn note_place(
        &mut self,
        here: Vec2,
        (radius, same): (f32, f32),
        (step, dt): (f32, f32),
    ) -> bool {
        let off = here.distance(self.expected);
        let made = (here - self.last).dot(self.heading);
        (self.remaining, self.last) = (self.remaining - made, here);
        let rounding = 2.0 * f32::EPSILON * here.abs().max_element();
        // `false` as well if the expected position is NaN.
        let is_within = |slack: f32| off <= slack + rounding;
        if !is_within(same * radius) {
            self.clear_distance = 0.0;
        }
        let is_held_up = step > 0.0 && off > 0.5 * step;
        // A blocked follower may press against a fixed obstacle, with other agents ahead of it in some ticks only.
        // While it is behind others, its time without progress runs down slowly instead of starting over.
        let is_blocked = self.has_neighbors && self.is_blocked;
        self.stalled = match is_blocked && self.is_behind {
            _ if is_held_up => self.stalled + dt,
            true => (self.stalled - FORGET_RATE * dt).max(0.0),
            false if is_blocked => self.stalled + dt,
            false => 0.0,
        };
        !is_within(MAX_OFF_RADII * radius + 2.0 * step)
    }

    /// Remaining distance until the target is within reach, in cells.
    fn remaining_cells(&self, snapshot: &NavSnapshot) -> f32 {
        (self.remaining - self.reach) / snapshot.layout().cell_size()
    }

    /// Keeps the proof of a clear way if the grid has not changed there since the proof was made.
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

    /// Looks where the field leads. Returns whether the follower has to leave: near the target, on forbidden ground, or
    /// where the field leads nowhere.
    fn look(
        &mut self,
        snapshot: &NavSnapshot,
        fields: (&FlowField, Option<&FlowField>),
        (here, agent): (Vec2, &NavAgent),
        leaves: f32,
    ) -> bool {
        self.expected = here;
        let way = snapshot.sample_field(fields, here, agent);
        let Some(way) = way.filter(|_| !snapshot.is_forbidden(here, agent.class)) else {
            self.clear_distance = 0.0;
            return true;
        };
        (self.heading, self.clear_distance) = (way.heading, way.clear_distance);
        self.remaining = way.remaining;
        let cells = self.remaining_cells(snapshot);
        // It leaves where its way is clear, so that it can go on straight until it has a path. Very near the target, it
        // leaves in any case.
        cells < leaves && way.clear_distance > 0.0 || cells < 0.5 * leaves
    }

    /// The velocity along the heading. Notes where the follower will be.
    fn go_on(&mut self, here: Vec2, speed: f32, dt: f32) -> Vec2 {
        let (velocity, step) = (self.heading * speed, speed * dt);
        let is_proven = self.clear_distance >= step;
        self.proven_velocity = if is_proven { velocity } else { Vec2::NAN };
        self.clear_distance = (self.clear_distance - step).max(0.0);
        self.expected = here + velocity * dt;
        velocity
    }

    /// The velocity in the tick in which the follower leaves: straight on, as far as the way is proven to be clear.
    pub(super) fn last_velocity(&self, dt: f32) -> Vec2 {
        if self.clear_distance <= 0.0 || dt <= 0.0 {
            return Vec2::ZERO;
        }
        self.heading * self.speed.min(self.clear_distance / dt)
    }
}
