//! The component that says what leads an agent: its path, a straight line, or a flow field.

use std::mem;
use std::num::NonZeroU32;

use bevy::prelude::*;

use super::{Decided, FollowMemory, Intent};

/// Time for which an agent that leaves its field goes straight on if no distance ahead is proven to be clear, in
/// seconds. With a longer time, the agent walks farther away from its path. With a shorter one, it stops before it has
/// a path.
const UNPROVEN_SECONDS: f32 = 0.25;

/// How an agent walks: what leads it, its speed, and the step that is proven to be free. A clone of an entity does not
/// get a copy.
#[derive(Component, Clone, Copy, Debug)]
#[component(clone_behavior = Ignore)]
pub(crate) struct WalkState {
    /// What leads the agent.
    pub(crate) source: WalkSource,
    /// Speed in the previous tick, in world units per second. It is stored rather than measured from positions, because
    /// positions far from the origin are rounded.
    pub(crate) speed: f32,
    /// Number that makes agents look at their fields in different ticks: see [`stagger`].
    pub(crate) stagger: u32,
    /// The desired velocity in grid coordinates, if the body is proven to have room to move with it in this tick.
    /// NaN if there is no such proof. The driver of a bare body skips its own check for exactly this velocity.
    pub(crate) proven_velocity: Vec2,
}

/// What leads an agent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum WalkSource {
    /// The agent's path, or a straight line to its goal.
    #[default]
    Path,
    /// A flow field toward its target.
    Field(FieldWalk),
}

/// An agent's walk along a flow field. Positions are in the grid coordinates of the field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldWalk {
    /// Unique number of the flow.
    pub(crate) flow: NonZeroU32,
    /// Direction to walk in, a unit vector. Zero before the first look at the field.
    pub(crate) heading: Vec2,
    /// Distance along `heading` for which the body is proven to fit, in world units.
    pub(crate) clear_distance: f32,
    /// Remaining distance along the field from `expected` until the target is within reach, in world units.
    remaining: f32,
    /// Expected position in the next tick.
    /// Only [`expect`](Self::expect) and [`turn_to`](Self::turn_to) set it, because `remaining` depends on it.
    pub(crate) expected: Vec2,
    /// Position at which the agent last made progress.
    pub(crate) anchor: Vec2,
    /// Generation of the grid for which `clear_distance` holds.
    pub(crate) generation: u64,
    /// Time without progress, in seconds. It grows while the agent is near its anchor and more than half a step away
    /// from its expected position, and while other agents block it without being ahead of it. It falls while the agent
    /// moves behind agents that block it. It is 0 for an agent that nothing holds up.
    pub(crate) stalled: f32,
}

impl Default for WalkState {
    fn default() -> Self {
        Self {
            source: WalkSource::Path,
            speed: 0.0,
            stagger: 0,
            proven_velocity: Vec2::NAN,
        }
    }
}

impl WalkState {
    /// The walk along a field, if a field leads the agent.
    pub(crate) fn field(&self) -> Option<&FieldWalk> {
        match &self.source {
            WalkSource::Field(walk) => Some(walk),
            WalkSource::Path => None,
        }
    }

    /// Lets a field lead the agent.
    pub(crate) fn join_field(&mut self, walk: FieldWalk) {
        self.stagger = stagger(walk.expected);
        self.source = WalkSource::Field(walk);
    }

    /// Lets the agent's path lead it again. Until the agent has a path, it walks straight on, unless it flees.
    pub(crate) fn leave_field(
        &mut self,
        (memory, decided): (&mut FollowMemory, &mut Decided),
        intent: &Intent,
    ) {
        decided.has_field = false;
        if let WalkSource::Field(walk) = mem::take(&mut self.source) {
            let ahead = walk.heading * walk.distance_ahead(self.speed);
            memory.last_seen_target = match intent.order.is_flight() {
                true => Vec2::NAN,
                false => walk.expected + ahead,
            };
            memory.seen_revision = intent.arrival_revision();
            self.proven_velocity = Vec2::NAN;
        }
    }
}

impl FieldWalk {
    /// A walk that begins at a position, before the first look at the field.
    pub(crate) fn new(flow: NonZeroU32, position: Vec2, remaining: f32) -> Self {
        Self {
            flow,
            heading: Vec2::ZERO,
            clear_distance: 0.0,
            remaining,
            expected: position,
            anchor: position,
            generation: 0,
            stalled: 0.0,
        }
    }

    /// Remaining distance until the target is within reach, from a position near the expected one, in world units.
    pub(crate) fn remaining_from(&self, here: Vec2) -> f32 {
        self.remaining + (self.expected - here).dot(self.heading)
    }

    /// Distance along the heading for which an agent that leaves the field goes straight on, in world units: at least the
    /// distance that the agent walks in [`UNPROVEN_SECONDS`] at `speed`. The agent checks each step.
    pub(crate) fn distance_ahead(&self, speed: f32) -> f32 {
        self.clear_distance.max(UNPROVEN_SECONDS * speed)
    }

    /// Sets the expected position in the next tick.
    pub(crate) fn expect(&mut self, position: Vec2) {
        self.remaining = self.remaining_from(position);
        self.expected = position;
    }

    /// Notes that the agent's reach is now longer by `by` world units, so that the remaining distance is shorter.
    pub(crate) fn extend_reach(&mut self, by: f32) {
        self.remaining -= by;
    }

    /// Sets the direction to walk in, and the remaining distance from a position, which is now the expected one.
    pub(crate) fn turn_to(&mut self, heading: Vec2, (position, remaining): (Vec2, f32)) {
        (self.heading, self.expected, self.remaining) = (heading, position, remaining);
    }
}

/// Offset that spreads work over ticks. It is computed from a position, so it does not depend on the order in which the
/// world stores agents.
fn stagger(position: Vec2) -> u32 {
    let [x, y] = position.to_array().map(f32::to_bits);
    (x ^ y.rotate_left(16)).wrapping_mul(0x9E37_79B9) >> 24
}

/// Number of ticks after which an agent looks for a flow again.
const JOIN_INTERVAL_TICKS: u32 = 8;

/// Whether an agent at this world position looks for a flow in this tick.
pub(crate) fn has_join_turn(position: Vec2, tick: u32) -> bool {
    let turn = tick.wrapping_add(stagger(position));
    turn.is_multiple_of(JOIN_INTERVAL_TICKS)
}
