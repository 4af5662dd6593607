//! What others need to know of a member.

use glam::Vec2;

use super::Member;

/// How much it counts how far two have to go, beside who of them is in front. Costs of a field are those of its cells: by
/// them alone one would press between two that are in front of it.
const BY_WAY: f32 = 0.5;

/// Members of different groups whose headings have this cosine at least go the same way.
const SAME_WAY: f32 = 0.5;

/// What others need to know of a member.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Body {
    pub(super) place: Vec2,
    pub(super) heading: Vec2,
    pub(super) radius: f32,
    /// How far beyond its radius neighbors matter.
    pub(super) reach: f32,
    left: f32,
    /// Infinite: nothing moves it.
    pub(super) mass: f32,
    pub(super) group: u32,
    pub(super) serial: u32,
    pub(super) is_settled: bool,
}

impl Body {
    pub(super) fn of(member: &Member, reach: f32) -> Self {
        Self {
            place: member.place,
            heading: member.heading,
            radius: member.radius,
            reach,
            left: member.left,
            mass: (member.weight * member.radius * member.radius).max(f32::MIN_POSITIVE),
            group: member.group,
            serial: member.serial,
            is_settled: member.mind.is_settled,
        }
    }

    /// Whether both go the same way, so that one can be ahead of the other.
    pub(super) fn goes_with(&self, other: &Self) -> bool {
        self.group == other.group
            || self.heading.dot(other.heading) > SAME_WAY
            || self.wants_place_of(other)
    }

    /// Whether both are near where they go, and there is no room for both there.
    pub(super) fn wants_place_of(&self, other: &Self) -> bool {
        let touching = self.radius + other.radius;
        let goal = |body: &Self| body.place + body.heading * body.left;
        self.left.max(other.left) < 2.0 * touching
            && goal(self).distance_squared(goal(other)) < touching * touching
    }

    /// Whether it goes first. A standing body is ahead of a walking one. Of two that walk, the one is ahead that is in
    /// front along both headings, and that has less far to go.
    pub(super) fn is_ahead_of(&self, other: &Self) -> bool {
        if self.is_settled != other.is_settled {
            return self.is_settled;
        }
        let in_front = 0.5 * (self.place - other.place).dot(self.heading + other.heading);
        let nearer = if self.group == other.group || self.wants_place_of(other) {
            other.left - self.left
        } else {
            0.0
        };
        let lead = in_front + BY_WAY * nearer;
        lead > 0.0 || lead == 0.0 && self.serial < other.serial
    }
}
