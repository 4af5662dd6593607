//! Crowds: bodies that keep their distance, queue at doors, settle around a goal and pass through no wall.
//!
//! Each tick takes what everybody wants and gives what everybody does. A [`Crowd`] is filled again in each: who was where is
//! the game's to keep, in a [`Member`] each.
//!
//! ```
//! use pursuit::crowd::{Alone, Crowd, CrowdGround, Member};
//! use pursuit::glam::Vec2;
//! use pursuit::maps::parse_ascii;
//! use pursuit::{DiagonalPolicy, Layout, NavMap};
//!
//! let level = parse_ascii("........\n...##...\n........")?;
//! let map = NavMap::new(&level.grid, 2.0, DiagonalPolicy::NoCornerCut);
//! let layout = Layout::new(Vec2::ZERO, 1.0, 8, 3)?;
//! // Two on one place, who both want to go right.
//! let walker = |serial| Member {
//!     place: Vec2::new(2.0, 0.5),
//!     radius: 0.3,
//!     heading: Vec2::X,
//!     pace: 2.0,
//!     acceleration: 10.0,
//!     weight: 1.0,
//!     serial,
//!     ..Member::default()
//! };
//! let mut members = vec![walker(0), walker(1)];
//! let mut crowd = Crowd::default();
//! for _ in 0..60 {
//!     crowd.set_members(&members);
//!     crowd.step(&CrowdGround::new(&map, &layout, 0), 1.0 / 60.0, &Alone);
//!     for (index, member) in members.iter_mut().enumerate() {
//!         member.take_over(crowd.moved(index));
//!     }
//! }
//! assert!(members.iter().all(|member| member.place.x > 2.5), "both get on, one behind the other");
//! assert!(members[0].place.distance(members[1].place) > 0.57);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How
//!
//! - *The queue rule*: nobody presses on one who is ahead. Each neighbor ahead allows a half-plane of velocities.
//!   That takes the pressure off doors, where discs that press form arches and stop.
//! - *Contacts*: passes over all pairs that touch push them apart, as in position based dynamics (Müller et al. 2007; for
//!   crowds Weiss et al. 2017). All read the places of the pass before (Jacobi), so that no order is in what comes of it. Who
//!   is ahead, or heavier, gives way less.
//! - *Walls* are in every pass. A check ends the tick: a member that may not fit where it would be, or on the way there,
//!   stays where it was.
//! - *Giving way*: of two that meet where they cannot pass, one goes back until it can step aside.
//! - *Settling*: a member that is held up behind one that stands at its goal stands as well, and wakes when that leaves. One
//!   that was held up for half a second, and has no room on either side, does so at once: a crowd comes to rest as fast as a wave.
//! - *Rest*: a member that stands among others that stand is left alone.
//!
//! The same members give the same result, bit for bit, in any order, on any number of threads, and on each machine.

mod beside;
mod body;
mod buckets;
mod contacts;
mod gives_way;
mod ground;
mod levels;
mod neighbors;
mod queue;
mod rest;
mod settle;
mod step;
#[cfg(test)]
mod tests;
mod workers;

use glam::Vec2;

pub use ground::{CrowdGround, Walls};
pub use step::Crowd;
pub use workers::{Alone, Workers};

/// A body as a crowd sees it in one tick. Lengths are in units of the world, times in seconds.
///
/// One whose place or radius is not finite, or whose radius is not positive, stays where it is, in nobody's way. What else
/// is not finite counts as zero.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Member {
    /// Where it is.
    pub place: Vec2,
    /// How it moved: what the tick before gave.
    pub velocity: Vec2,
    /// Where it wants to go: a unit vector, or zero.
    pub heading: Vec2,
    /// How fast it wants to go there.
    pub pace: f32,
    /// How fast it becomes faster. Behind others it is quicker than that, as steps in a queue are small.
    pub acceleration: f32,
    /// Its radius.
    pub radius: f32,
    /// How far it keeps from walls beyond its radius, as the gap of a character controller. Others may come nearer.
    pub margin: f32,
    /// How far it still has to go. Compared within a group.
    pub left: f32,
    /// The same number for all that go to the same place.
    pub group: u32,
    /// How far from it they stop, as archers do. Up to twice as far and a radius more is equally far. Who stops farther away than another settles behind
    /// that one, and is in its way. What is not positive counts as zero.
    pub stop: f32,
    /// A member of twice the weight gives way half as much, and one of infinite weight stays where it is. The weight is
    /// multiplied by the area of the body. A weight that is not positive counts as 1.
    pub weight: f32,
    /// Tells members apart, and settles ties: no two should have the same.
    pub serial: u32,
    /// On which ground it is: a number for [`Walls`].
    pub ground: u32,
    /// Members on different planes never meet, as on two floors. A tick has the same number of steps on all.
    pub plane: u16,
    /// Whether it is where it wants to be.
    pub is_there: bool,
    /// Whether it settles behind others.
    pub settles: bool,
    /// What it remembers: what the tick before gave.
    pub mind: Mind,
}

/// What a member remembers from tick to tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mind {
    /// Whether it stands where it wants to be, or behind others that do.
    pub is_settled: bool,
    /// Whether others were near. One that is alone goes as it wants: what became of it need not be taken over.
    pub is_among: bool,
    /// For how many seconds it made little way with others near, at most 2. Sinks twice as fast while it gets on or stands.
    /// Zero: nothing holds it up.
    pub held_up: f32,
    /// Whether others that are ahead were close in front of it, not counting those that nothing moves.
    pub is_behind: bool,
    /// Whether it goes back before one that it met where they cannot pass.
    pub gives_way: bool,
    /// How many of those near it go the same way, while it is held up. Not counting those that nothing moves.
    pub company: u8,
    /// How many stand in a row to its left and right, 0 to 8. 8: no way past, as beside a wall or one that stands. 0 while it
    /// walks freely; while it stands, as it was before.
    pub beside: [u8; 2],
    /// Whether nothing moved it when it was last looked at. While all near it stand still, it is looked at ten times a second.
    pub rests: bool,
    /// Seconds for which it has had reason to settle or set out; at rest, since it was last looked at.
    pub unsettled: f32,
    /// The least that it had to go since it settled.
    pub settled_at: f32,
}

/// What became of a member.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moved {
    /// Where it is now.
    pub place: Vec2,
    /// How it moves.
    pub velocity: Vec2,
    /// What it remembers.
    pub mind: Mind,
}

impl Member {
    /// Goes on from what became of it.
    pub fn take_over(&mut self, moved: &Moved) {
        (self.place, self.velocity, self.mind) = (moved.place, moved.velocity, moved.mind);
    }

    /// The same with nothing that would spoil others. With a radius of zero it is in nobody's way.
    #[inline]
    fn sound(&self) -> Self {
        let (place, velocity, heading) = (self.place, self.velocity, self.heading);
        let sum = place.x + place.y + velocity.x + velocity.y + heading.x + heading.y;
        let is_sound =
            is_finite(sum + self.left + self.pace + self.acceleration + self.radius + self.margin);
        let is_positive = self.radius > 0.0 && self.weight > 0.0;
        if is_sound
            && is_positive
            && self.pace >= 0.0
            && self.acceleration >= 0.0
            && self.margin >= 0.0
            && self.stop >= 0.0
        {
            *self
        } else {
            self.mended()
        }
    }

    #[cold]
    fn mended(&self) -> Self {
        let number = |it: f32| if it.is_finite() { it } else { 0.0 };
        let vector = |it: Vec2| if it.is_finite() { it } else { Vec2::ZERO };
        let is_somewhere = is_finite(self.place.x + self.place.y) && is_finite(self.radius);
        let (radius, weight) = match is_somewhere && self.radius > 0.0 {
            true => (self.radius, self.weight),
            false => (0.0, f32::INFINITY),
        };
        Self {
            velocity: vector(self.velocity),
            heading: vector(self.heading),
            pace: number(self.pace).max(0.0),
            acceleration: number(self.acceleration).max(0.0),
            radius,
            margin: number(self.margin).max(0.0),
            left: if self.left.is_finite() {
                self.left
            } else {
                FAR
            },
            stop: self.stop.max(0.0),
            weight: if weight > 0.0 { weight } else { 1.0 },
            ..*self
        }
    }

    /// Whether nothing moves it.
    fn is_fixed(&self) -> bool {
        self.weight.is_infinite()
    }

    /// What became of it if nothing did.
    fn unmoved(&self) -> Moved {
        Moved {
            place: self.place,
            velocity: self.velocity,
            mind: self.mind,
        }
    }
}

/// As [`f32::is_finite`], in less steps; of a sum, whether all that is in it is, and not huge.
fn is_finite(number: f32) -> bool {
    number * 0.0 == 0.0
}

/// Who has no way is behind all who have.
const FAR: f32 = 1e9;
