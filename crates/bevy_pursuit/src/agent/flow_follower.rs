//! Agents that go along a flow field in place of a path of their own.

use bevy::ecs::component::Component;
use bevy::math::Vec2;

/// An agent that many others go with to the same target, along one field. Nothing is decided and no path is planned for it:
/// it only walks. Who is near its target, or wants something else, is an agent like others again. A clone of an entity is
/// one from the start.
///
/// In a table of their own, so that their loops are small. Only on grids that lie in the plane of X and Y: there the
/// frame of the grid is the world.
#[derive(Component, Clone, Copy, Debug)]
#[component(clone_behavior = Ignore)]
pub(crate) struct FlowFollower {
    /// The number of the flow.
    pub(crate) flow: u32,
    /// Where it goes: a unit vector.
    pub(crate) heading: Vec2,
    /// How far along that its body is proven to fit, in world units.
    pub(crate) ahead: f32,
    /// How far it still has to go, in world units.
    pub(crate) left: f32,
    /// In world units per second.
    pub(crate) speed: f32,
    /// The velocity, if it is proven that the body fits along it in this tick; else NaN.
    pub(crate) proven: Vec2,
    /// Where it was in the latest tick.
    pub(crate) last: Vec2,
    /// Where it should be in the next tick.
    pub(crate) expected: Vec2,
    /// The generation of the grid for which that is proven.
    pub(crate) generation: u64,
    /// Spreads looks at the field over ticks.
    pub(crate) turn: u8,
    /// For how long it hardly got on, in seconds.
    pub(crate) stalled: f32,
    /// Whether it keeps clear of others.
    pub(crate) keeps_clear: bool,
    /// Whether others were near it in the latest tick.
    pub(crate) is_parted: bool,
    /// Whether it walks close behind some of them.
    pub(crate) is_behind: bool,
    /// Whether it stands: others came first.
    pub(crate) stands: bool,
    /// Whether others, or what nothing moves, hold it up for long now.
    pub(crate) presses: bool,
    /// Whether others have held it up for long.
    pub(crate) is_held_up: bool,
    /// Up to which distance it chases, in world units, and that which its game says, as bits.
    pub(crate) reach: f32,
    pub(crate) wanted_reach: Option<u32>,
}

impl FlowFollower {
    /// One that looks at the field first of all.
    pub(crate) fn new(flow: u32, place: Vec2) -> Self {
        Self {
            flow,
            heading: Vec2::ZERO,
            ahead: 0.0,
            left: 0.0,
            speed: 0.0,
            proven: Vec2::NAN,
            last: place,
            expected: place,
            generation: 0,
            turn: turn(place),
            stalled: 0.0,
            keeps_clear: false,
            is_parted: false,
            is_behind: false,
            stands: false,
            presses: false,
            is_held_up: false,
            reach: 0.0,
            wanted_reach: None,
        }
    }
}

impl FlowFollower {
    /// Forgets what others made of it.
    pub(crate) fn go_on_alone(&mut self) {
        (self.keeps_clear, self.is_parted, self.is_behind) = (false, false, false);
        (self.stands, self.presses, self.is_held_up) = (false, false, false);
    }
}

/// A number by which work is spread over ticks. It follows from a place, so it does not depend on the order in which the
/// world keeps agents.
pub(crate) fn turn(place: Vec2) -> u8 {
    let [x, y] = place.to_array().map(f32::to_bits);
    ((x ^ y.rotate_left(16)).wrapping_mul(0x9E37_79B9) >> 24) as u8
}
