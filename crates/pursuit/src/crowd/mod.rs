//! Crowds: bodies that part, queue and settle, and that no wall lets through.

mod buckets;
mod contacts;
mod ground;
mod neighbors;
mod queue;
mod settle;
mod step;
mod workers;

use glam::Vec2;

pub use ground::{CrowdGround, Walls};
pub use settle::Mind;
pub use step::{Crowd, Moved, Tuning};
pub use workers::{Alone, Workers};

/// A body as a crowd sees it in one tick. Lengths are in units of the world, times in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Member {
    /// Where it is.
    pub place: Vec2,
    /// How it moved in the tick before.
    pub velocity: Vec2,
    /// Where it wants to go: a unit vector, or zero.
    pub heading: Vec2,
    /// How fast it wants to go there.
    pub pace: f32,
    /// How fast it gets faster, unless it was held up.
    pub acceleration: f32,
    /// Its radius.
    pub radius: f32,
    /// How far it still has to go. Who has less is ahead of others in its group.
    pub left: f32,
    /// Who goes to the same place. Members of different groups are equals.
    pub group: u32,
    /// Who weighs twice as much gives way half as much. What weighs infinitely much stays where it is.
    pub weight: f32,
    /// Tells members apart. Equal ones are taken in the order of it.
    pub serial: u32,
    /// On which ground it is: a number that [`Walls`] know.
    pub ground: u32,
    /// Whether it is where it wants to be.
    pub is_there: bool,
    /// Whether it settles behind others that did.
    pub settles: bool,
    /// What it remembers from tick to tick.
    pub mind: Mind,
}
