//! Crowds: members that keep their distance, queue at doors, settle around a goal and pass through no wall.
//!
//! In each tick, a [`Crowd`] takes what its members want and returns what they do. It is filled again in each
//! tick: the game keeps the state of each body, in one [`Member`] per body.
//!
//! ```
//! use pursuit::crowd::{Crowd, CrowdGround, Member, SingleThread};
//! use pursuit::glam::Vec2;
//! use pursuit::maps::parse_ascii;
//! use pursuit::{DiagonalPolicy, Layout, NavMap};
//!
//! let level = parse_ascii("........\n...##...\n........")?;
//! let map = NavMap::new(&level.grid, 2.0, DiagonalPolicy::NoCornerCut);
//! let layout = Layout::new(Vec2::ZERO, 1.0, 8, 3)?;
//! // Two members at one place that both want to go right.
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
//!     crowd.step(&CrowdGround::new(&map, &layout, 0), 1.0 / 60.0, &SingleThread);
//!     for (index, member) in members.iter_mut().enumerate() {
//!         member.apply(crowd.result(index));
//!     }
//! }
//! assert!(members.iter().all(|member| member.place.x > 2.5), "both walk, one behind the other");
//! assert!(members[0].place.distance(members[1].place) > 0.57);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How it works
//!
//! - *Queue rule*: no member presses on one that is ahead of it. Each neighbor ahead allows a half-plane of
//!   velocities. This takes the pressure off doors, where discs that press against each other form arches and
//!   stop.
//! - *Contacts*: relaxation passes over all pairs that touch push them apart, as in position based dynamics
//!   (Müller et al. 2007; for crowds Weiss et al. 2017). Each pass reads only the places that the pass before
//!   it left (Jacobi), so the result does not depend on any order. A member that is ahead, or heavier, moves
//!   less.
//! - *Walls* are part of every pass. A check ends the tick: a member that might not fit at its new place, or
//!   on the way to it, stays where it was.
//! - *Yielding*: if two members meet where they cannot pass, one of them backs up until it can step aside.
//! - *Settling*: a member that is held up behind one that stands at its goal settles as well, and wakes when
//!   that member leaves. A member that was held up for half a second and has no room on either side settles
//!   at once, so that a crowd comes to rest as fast as a wave.
//! - *Rest*: a member that stands among others that stand is left alone.
//!
//! The same members give the same result, bit for bit, in any order, on any number of threads, and on every
//! machine.

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

pub use ground::{CrowdGround, CrowdWalls};
pub use step::Crowd;
pub use workers::{SingleThread, Workers};

/// A body as a crowd sees it in one tick. Lengths are in world units, times in seconds.
///
/// If the place or the radius is not finite, or the radius is not positive, the member stays where it is and
/// meets no other member. Any other number that is not finite counts as zero, with three exceptions:
/// `remaining` then counts as very far, and `stop_distance` and `weight` may be infinite.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Member {
    /// Position of its center.
    pub place: Vec2,
    /// Its velocity, as the previous tick returned it.
    pub velocity: Vec2,
    /// The direction in which it wants to go: a unit vector, or zero.
    pub heading: Vec2,
    /// The speed at which it wants to go.
    pub pace: f32,
    /// How fast it gains speed. Behind others it accelerates faster than this, because the steps in a queue
    /// are small.
    pub acceleration: f32,
    /// Radius of the body.
    pub radius: f32,
    /// Extra distance that it keeps from walls beyond its radius, like the gap of a character controller.
    /// Other members may come nearer.
    pub margin: f32,
    /// Remaining distance to its goal. It is compared among members with the same goal.
    pub remaining: f32,
    /// Number of the goal: members that go to the same place have the same number.
    pub goal_id: u32,
    /// Distance from the goal at which it stops, as archers do. Two members count as stopping equally far if
    /// neither distance exceeds twice the other plus a radius. A member that stops farther away than another
    /// one settles behind it, and is in its way. A distance that is not positive counts as zero.
    pub stop_distance: f32,
    /// A member of twice the weight moves half as much in a contact, and one of infinite weight is fixed: it
    /// stays where it is. The weight is multiplied by the area of the body. A weight that is not positive
    /// counts as 1.
    pub weight: f32,
    /// Identifies the member and breaks ties. No two members should have the same number.
    pub serial: u32,
    /// Number of the ground that it is on, for [`CrowdWalls`].
    pub ground_id: u32,
    /// Members on different planes, such as two floors, never meet. A tick has equally many substeps on all
    /// planes.
    pub plane: u16,
    /// Whether it has arrived.
    pub has_arrived: bool,
    /// Whether it may settle behind others.
    pub settles: bool,
    /// What it remembers, as the previous tick returned it.
    pub memory: CrowdMemory,
}

/// The memory of a member from one tick to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CrowdMemory {
    /// Whether it stands: at its goal, or behind others that stand.
    pub is_settled: bool,
    /// Whether other members were near. A member that is alone moves as it wants, so its result need not be
    /// read.
    pub has_neighbors: bool,
    /// Seconds for which it made little progress with others near, at most 2. This falls twice as fast while
    /// it makes progress or stands. 0 means that nothing holds it up.
    pub held_up_seconds: f32,
    /// Whether members that are ahead of it were close in front of it. Fixed members do not count.
    pub is_behind: bool,
    /// Whether it yields: it backs up before a member that it met where they cannot pass.
    pub gives_way: bool,
    /// Number of members near it that go the same way, while it is held up. Fixed members and members that
    /// yield do not count.
    pub companions: u8,
    /// Number of members in a row to its left and to its right, from 0 to 8. 8 means that there is no way
    /// past, as beside a wall or a member that stands. It is 0 while the member walks freely, and does not
    /// change while it stands.
    pub row_counts: [u8; 2],
    /// Whether nothing moved it when it was last checked. While all members near it stand still, it is
    /// checked ten times a second.
    pub rests: bool,
    /// Seconds for which it has had a reason to settle or to set out. At rest, seconds since it was last
    /// checked.
    pub unsettled_seconds: f32,
    /// Its least remaining distance since it settled.
    pub least_remaining: f32,
}

/// The result of a tick for one member.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepResult {
    /// The new position of its center.
    pub place: Vec2,
    /// Its new velocity.
    pub velocity: Vec2,
    /// What it remembers.
    pub memory: CrowdMemory,
}

impl Member {
    /// Takes the place, the velocity and the memory from the result of a tick.
    pub fn apply(&mut self, result: &StepResult) {
        (self.place, self.velocity, self.memory) = (result.place, result.velocity, result.memory);
    }

    /// A copy without numbers that would spoil the result for others. If its radius is zero, it meets no
    /// other member.
    #[inline]
    fn sound(&self) -> Self {
        let (place, velocity, heading) = (self.place, self.velocity, self.heading);
        let sum = place.x + place.y + velocity.x + velocity.y + heading.x + heading.y;
        let is_sound = is_finite(
            sum + self.remaining + self.pace + self.acceleration + self.radius + self.margin,
        );
        let is_positive = self.radius > 0.0 && self.weight > 0.0;
        if is_sound
            && is_positive
            && self.pace >= 0.0
            && self.acceleration >= 0.0
            && self.margin >= 0.0
            && self.stop_distance >= 0.0
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
            remaining: if self.remaining.is_finite() {
                self.remaining
            } else {
                NO_PATH_REMAINING
            },
            stop_distance: self.stop_distance.max(0.0),
            weight: if weight > 0.0 { weight } else { 1.0 },
            ..*self
        }
    }

    /// Whether nothing moves it.
    fn is_fixed(&self) -> bool {
        self.weight.is_infinite()
    }

    /// The result if nothing moves it.
    fn unmoved(&self) -> StepResult {
        StepResult {
            place: self.place,
            velocity: self.velocity,
            memory: self.memory,
        }
    }
}

/// Like [`f32::is_finite`], with fewer operations. For a sum: whether all its terms are finite and not huge.
fn is_finite(number: f32) -> bool {
    number * 0.0 == 0.0
}

/// Remaining distance of a member without a path. Such a member is behind all members that have one.
const NO_PATH_REMAINING: f32 = 1e9;
