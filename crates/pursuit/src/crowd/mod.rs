//! Crowds, whose members keep their distance, queue at doors, settle around a goal and never pass through walls.
//!
//! In each tick, the game passes one [`Member`] per body to a [`Crowd`], and reads how each of them moves. The
//! crowd keeps no state from one tick to the next. The game keeps the members.
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
//! // Two members at the same position, which both want to go right.
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
//! - *Queue rule*: no member presses against another one that is ahead of it. Each neighbor ahead limits the
//!   velocity to a half-plane. This takes the pressure off doors, where discs pressing against each other would
//!   form arches and stop.
//! - *Contacts*: all pairs that touch are pushed apart in several relaxation passes, as in position-based
//!   dynamics (Müller et al. 2007; for crowds Weiss et al. 2017). Each pass reads only the positions that the
//!   previous pass computed (Jacobi), so the result does not depend on the order of members. A member that is
//!   ahead, or heavier, moves less.
//! - *Walls* push members away in every pass. The tick ends with a check: a member that might not fit at its new
//!   position, or on the way to it, slides along the wall or stays where it was.
//! - *Yielding*: if two members meet where they cannot pass each other, one of them backs up until it can step
//!   aside.
//! - *Settling*: a member that is held up behind a settled one settles as well, and sets out again when the settled
//!   member leaves. A member that was held up for some time and has no room on either side settles immediately.
//!   So settling spreads through a crowd like a wave.
//! - *Rest*: a settled member among others that stand still is skipped.
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
/// If the position or the radius is not finite, or the radius is not positive, the member stays where it is and
/// meets no other member. Any other number that is not finite is treated as zero, with three exceptions: a
/// `remaining` distance that is not finite is treated as a very long one, and `stop_distance` and `weight` may be
/// infinite.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Member {
    /// Position of the center.
    pub place: Vec2,
    /// Velocity, as the previous tick returned it.
    pub velocity: Vec2,
    /// Direction in which the member wants to go: a unit vector, or zero.
    pub heading: Vec2,
    /// Speed at which the member wants to go.
    pub pace: f32,
    /// How fast the member gains speed. Behind others it accelerates faster than this, because moves in a queue
    /// are short.
    pub acceleration: f32,
    /// Radius of the body.
    pub radius: f32,
    /// Extra distance that the member keeps from walls beyond its radius, like the gap of a character controller.
    /// Other members may come closer.
    pub margin: f32,
    /// Remaining distance to the goal. Members with the same goal are ordered by it.
    pub remaining: f32,
    /// Number of the goal. Members with the same goal have the same number.
    pub goal_id: u32,
    /// Distance from the goal at which the member stops, as archers do. Two members with the same goal are
    /// treated as stopping equally far from it if neither distance exceeds twice the other plus a radius. A
    /// member may settle behind others that stop equally far from the goal or closer. Others that stop farther
    /// away are only in its way. A distance that is not positive is treated as zero.
    pub stop_distance: f32,
    /// Determines who moves in a contact. A member with twice the weight of the other one moves half as much. A
    /// member of infinite weight is fixed: it stays where it is. The weight is multiplied by the area of the
    /// body. A weight that is not positive is treated as 1.
    pub weight: f32,
    /// Identifies the member and breaks ties. No two members should have the same number.
    pub serial: u32,
    /// Number of the ground on which the member is. It is passed to [`CrowdWalls`].
    pub ground_id: u32,
    /// Members on different planes, such as two floors, never meet. A tick has the same number of substeps on all
    /// planes.
    pub plane: u16,
    /// Whether the member has arrived.
    pub has_arrived: bool,
    /// Whether the member may settle behind others.
    pub settles: bool,
    /// Memory of the member, as the previous tick returned it.
    pub memory: CrowdMemory,
}

/// What a member remembers from one tick to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CrowdMemory {
    /// Whether the member is settled: it stands at its goal, or behind other settled members.
    pub is_settled: bool,
    /// Whether other members were near. If not, the member moves as it wants, so the game need not read its
    /// result.
    pub has_neighbors: bool,
    /// Seconds for which the member made little progress with others near, at most 2. The time runs down twice as
    /// fast while the member makes progress or is settled. It is 0 if nothing holds the member up.
    pub held_up_seconds: f32,
    /// Whether members that are ahead of this one were close in front of it. Fixed members are left out.
    pub is_behind: bool,
    /// Whether the member is the first one of a line: no neighbor of its line is nearer to the goal, and the jam does
    /// not [count as reported](Self::report_seconds), or the member itself reported it. The line of a walking member
    /// consists of the walking neighbors that have the same goal and stop equally far from it. The line of a settled
    /// member consists of the settled neighbors with this property. A settled member is the first one only if it is
    /// supported, and only by fixed members that cover its goal. A member that walks freely always counts as the first
    /// one, unless it is [stuck](Self::is_stuck).
    pub leads_line: bool,
    /// Whether the game found that the member makes no progress, for example because the physics holds it up. Written
    /// by the game, before each step.
    pub is_stuck: bool,
    /// Whether this member has reported a jam. Written by the game, before each step.
    pub has_reported: bool,
    /// Seconds for which the jam that holds the member up still counts as reported, at most 8, or 0. The time runs down
    /// once the member that reported the jam has left. Members of one line that are held up or settled pass it on, by
    /// one neighbor per substep.
    pub report_seconds: f32,
    /// Whether the member yields: whether it backs up because it met another one where the two cannot pass each
    /// other.
    pub gives_way: bool,
    /// While the member is held up or yields, the number of members near it that go the same way. Fixed and
    /// yielding members are left out.
    pub companions: u8,
    /// Number of members in a row to the left and to the right, from 0 to 8. 8 means that there is no room to
    /// pass, as beside a wall or a settled member. Both numbers are 0 while the member walks freely, and do not
    /// change while it is settled.
    pub row_counts: [u8; 2],
    /// Whether nothing moved the member when it was last checked. A member at rest is checked ten times a second, as
    /// long as all members near it stand still.
    pub rests: bool,
    /// Seconds for which the member has had a reason to settle or to set out. At rest, seconds since it was last
    /// checked.
    pub unsettled_seconds: f32,
    /// The shortest remaining distance since the member settled.
    pub least_remaining: f32,
    /// Length of the line of settled members behind which the member settled, up to one that has arrived, in world
    /// units. 0 for a member that has arrived or is not settled.
    pub support_length: f32,
}

/// The result of a tick for one member.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepResult {
    /// New position of the center.
    pub place: Vec2,
    /// New velocity.
    pub velocity: Vec2,
    /// New memory.
    pub memory: CrowdMemory,
}

impl Member {
    /// Copies the position, the velocity and the memory from the result of a tick.
    pub fn apply(&mut self, result: &StepResult) {
        (self.place, self.velocity, self.memory) = (result.place, result.velocity, result.memory);
    }

    /// Replaces invalid numbers, which would spoil the results of other members. A member whose radius is then zero
    /// meets no other member.
    #[inline]
    fn make_sound(&mut self) {
        let (place, velocity, heading) = (self.place, self.velocity, self.heading);
        let sum = place.x + place.y + velocity.x + velocity.y + heading.x + heading.y;
        let is_sound = is_finite(
            sum + self.remaining + self.pace + self.acceleration + self.radius + self.margin,
        );
        let is_positive = self.radius > 0.0 && self.weight > 0.0;
        let least = (self.pace.min(self.acceleration)).min(self.margin);
        if !(is_sound && is_positive && least >= 0.0 && self.stop_distance >= 0.0) {
            *self = self.mended();
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
            remaining: match self.remaining.is_finite() {
                true => self.remaining,
                false => NO_PATH_REMAINING,
            },
            stop_distance: self.stop_distance.max(0.0),
            weight: if weight > 0.0 { weight } else { 1.0 },
            ..*self
        }
    }

    /// Whether nothing moves the member.
    fn is_fixed(&self) -> bool {
        self.weight.is_infinite()
    }

    /// The result of a tick in which nothing moves the member.
    fn unmoved(&self) -> StepResult {
        StepResult {
            place: self.place,
            velocity: self.velocity,
            memory: self.memory,
        }
    }
}

/// The same as [`f32::is_finite`], with fewer operations. If `number` is a sum, the result says whether all terms are
/// finite and not huge.
fn is_finite(number: f32) -> bool {
    number * 0.0 == 0.0
}

/// Remaining distance of a member without a path. Such a member is behind all members that have a path.
const NO_PATH_REMAINING: f32 = 1e9;
