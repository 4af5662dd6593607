//! The data of a member, in the form that a tick needs.

use glam::{Vec2, Vec4};

use super::{CrowdMemory, CrowdWalls, Member};

/// Weight of the remaining distances in the decision which of two members is ahead. The lead of a member is the
/// distance by which it is in front of the other one, plus this weight times the distance by which it is closer to
/// the goal. The member with the positive lead is ahead. With a greater weight, members keep the order of their
/// remaining distances. Since a field has only one distance per cell, a member may then squeeze in between two others
/// in front of it. With a smaller weight, a member coming from the side goes first.
const REMAINING_WEIGHT: f32 = 0.5;

/// Members with different goals go the same way if the cosine between their headings exceeds this. With a greater
/// value, members on crossing paths queue behind each other less and push more. With a smaller one, even members
/// walking toward each other wait for each other.
const SAME_WAY_COSINE: f32 = 0.5;

/// Two members with the same goal are treated as stopping equally far from it if neither `stop_distance` exceeds
/// this factor times the other one plus a radius. With a greater factor, swordsmen settle behind archers. With a
/// smaller one, bodies of different sizes do not settle behind each other and keep pushing.
const EQUAL_STOP_FACTOR: f32 = 2.0;

/// For how long the members of a line treat their jam as reported after the member that reported it has left, in
/// seconds. With a longer time, a new jam of the same members is reported later. With a shorter one, the same jam is
/// reported again.
const REPORT_SECONDS: f32 = 8.0;

/// The data that a search for neighbors reads for each member: the position, the radius, and the sum of radius and
/// [`reach`](super::levels::reach).
pub(super) type Disc = Vec4;

/// The part of a member's data that other members also read. It fills one cache line, so that reading a neighbor
/// costs one access to memory.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(super) struct CrowdBody {
    pub(super) place: Vec2,
    pub(super) velocity: Vec2,
    pub(super) heading: Vec2,
    pub(super) radius: f32,
    pub(super) remaining: f32,
    /// Infinite if the member is fixed, so that nothing moves it.
    pub(super) mass: f32,
    pub(super) goal_id: u32,
    pub(super) serial: u32,
    pub(super) plane: u16,
    pub(super) stop_distance: f32,
    pub(super) support_length: f32,
    pub(super) is_settled: bool,
    pub(super) gives_way: bool,
    /// The [`report_seconds`](CrowdMemory::report_seconds) that the member passes on to its neighbors. A member that
    /// walks freely and has not reported a jam passes on 0.
    pub(super) report_seconds: f32,
    pub(super) companions: u8,
    pub(super) row_counts: [u8; 2],
}

/// The part of a member's data that only the member itself reads.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MemberPlan {
    /// The direction in which the member wants to go. While it yields, [`CrowdBody::heading`] has the direction
    /// in which it backs up instead.
    pub(super) heading: Vec2,
    pub(super) pace: f32,
    pub(super) acceleration: f32,
    /// As long as the member moves by less than this distance, walls need no check.
    pub(super) room: f32,
    /// The radius with which walls are checked: the [planned](CrowdWalls::planned_radius) one.
    pub(super) wall_radius: f32,
    pub(super) ground_id: u32,
    pub(super) has_arrived: bool,
    pub(super) settles: bool,
    /// Whether the member is skipped in this tick: it gets no neighbors, and walls are not checked.
    pub(super) rests: bool,
    pub(super) memory: CrowdMemory,
}

impl CrowdBody {
    /// Writes the body of a [sound](Member::make_sound) member, each field directly to its place. If the whole body was
    /// copied there, the processor would wait for the bytes that it has just written.
    #[inline]
    pub(super) fn set(&mut self, member: &Member) {
        let memory = &member.memory;
        self.heading = match memory.gives_way {
            true if member.velocity.dot(member.heading) < 0.0 => {
                member.velocity.normalize_or_zero()
            }
            true => Vec2::ZERO,
            false => member.heading,
        };
        (self.place, self.velocity) = (member.place, member.velocity);
        (self.radius, self.mass) = (member.radius, mass(member));
        (self.remaining, self.stop_distance) = (member.remaining, member.stop_distance);
        (self.goal_id, self.serial, self.plane) = (member.goal_id, member.serial, member.plane);
        (self.is_settled, self.gives_way) = (memory.is_settled, memory.gives_way);
        (self.companions, self.row_counts) = (memory.companions, memory.row_counts);
        self.support_length = memory.support_length;
        self.report_seconds = match memory.is_settled || memory.held_up_seconds > 0.0 {
            _ if memory.has_reported => REPORT_SECONDS,
            true => memory.report_seconds,
            false => 0.0,
        };
    }

    /// Whether nothing moves the member.
    pub(super) fn is_fixed(&self) -> bool {
        self.mass == f32::INFINITY
    }

    /// Whether both members have the same goal and stop equally far from it: see [`EQUAL_STOP_FACTOR`].
    pub(super) fn is_one_with(&self, other: &Self) -> bool {
        self.stands_behind(other) && other.stands_behind(self)
    }

    /// Whether both members have the same goal, and `other` stops no farther from it than `self`, within
    /// [`EQUAL_STOP_FACTOR`].
    pub(super) fn stands_behind(&self, other: &Self) -> bool {
        self.goal_id == other.goal_id
            && other.stop_distance <= EQUAL_STOP_FACTOR * self.stop_distance + self.radius
    }

    /// Whether both members go the same way, so that one of them can be ahead of the other.
    pub(super) fn goes_with(&self, other: &Self) -> bool {
        self.is_one_with(other)
            || self.heading.dot(other.heading) > SAME_WAY_COSINE
            || self.wants_place_of(other)
    }

    /// Whether the goal of `other` is so close to this member that the body of `other` does not fit there.
    pub(super) fn covers_goal_of(&self, other: &Self) -> bool {
        let touching = self.radius + other.radius;
        let goal = other.place + other.heading * other.remaining;
        goal.distance_squared(self.place) < touching * touching
    }

    /// Whether both members are close to their goals, and the goals are too close together for both bodies.
    pub(super) fn wants_place_of(&self, other: &Self) -> bool {
        let touching = self.radius + other.radius;
        let goal = |body: &Self| body.place + body.heading * body.remaining;
        self.remaining.max(other.remaining) < 2.0 * touching
            && goal(self).distance_squared(goal(other)) < touching * touching
    }

    /// Whether `self` goes first. A settled member is ahead of a walking one. Otherwise, what matters is how far one
    /// member is in front of the other, along both headings. If both want to go to the same place, their remaining
    /// distances matter as well: see [`REMAINING_WEIGHT`].
    pub(super) fn is_ahead_of(&self, other: &Self) -> bool {
        if self.is_settled != other.is_settled {
            return self.is_settled;
        }
        let in_front = 0.5 * (self.place - other.place).dot(self.heading + other.heading);
        let nearer = match self.is_one_with(other) || self.wants_place_of(other) {
            true => other.remaining - self.remaining,
            false => 0.0,
        };
        let lead = in_front + REMAINING_WEIGHT * nearer;
        lead > 0.0 || lead == 0.0 && self.serial < other.serial
    }
}

/// The mass of a member: its weight times the square of its radius. Only a fixed member has an infinite mass.
fn mass(member: &Member) -> f32 {
    /// The largest mass of a member that can move. The sum of two is finite.
    const MAX_MASS: f32 = 0.25 * f32::MAX;
    if member.is_fixed() {
        return f32::INFINITY;
    }
    (member.weight * member.radius * member.radius).clamp(f32::MIN_POSITIVE, MAX_MASS)
}

impl MemberPlan {
    /// Writes the plan of a sound member, as [`CrowdBody::set`] does. Its `room` and `rests` are written later.
    #[inline]
    pub(super) fn set(&mut self, member: &Member, walls: &impl CrowdWalls) {
        let radius = member.radius + member.margin;
        (self.heading, self.pace) = (member.heading, member.pace);
        (self.acceleration, self.ground_id) = (member.acceleration, member.ground_id);
        self.wall_radius = walls.planned_radius(member.ground_id, radius);
        (self.has_arrived, self.settles) = (member.has_arrived, member.settles);
        self.memory = member.memory;
    }
}
