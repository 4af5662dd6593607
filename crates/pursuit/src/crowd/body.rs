//! A member, as a tick needs it.

use glam::Vec2;

use super::{Member, Mind};

/// How much it counts how far two have to go, beside who of them is in front. More: they keep to the order of their ways,
/// and one presses between two that are in front of it, as costs of a field are those of its cells. Less: who comes from the
/// side goes first.
const BY_WAY: f32 = 0.5;

/// Members that go to different places whose headings have this cosine at least go the same way. More: those who cross queue behind
/// each other less, and push more. Less: even those who meet wait for one another.
const SAME_WAY: f32 = 0.5;

/// Who stops up to so many times as far away, and a radius more, stops equally far. More: those with bows are not in the way of those with swords. Less:
/// bodies of different sizes push on behind each other.
const AS_FAR: f32 = 2.0;

/// What others need to know of a member.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Body {
    pub(super) place: Vec2,
    pub(super) velocity: Vec2,
    pub(super) heading: Vec2,
    pub(super) radius: f32,
    /// How far beyond its radius neighbors matter.
    pub(super) reach: f32,
    pub(super) left: f32,
    /// Infinite: nothing moves it.
    pub(super) mass: f32,
    pub(super) group: u32,
    pub(super) serial: u32,
    pub(super) plane: u16,
    pub(super) stop: f32,
    pub(super) is_settled: bool,
    pub(super) gives_way: bool,
    pub(super) company: u8,
    pub(super) beside: [u8; 2],
}

/// What it alone needs to know.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Gait {
    /// Where it wants to go; its body's is where it goes, while it gives way.
    pub(super) heading: Vec2,
    pub(super) pace: f32,
    pub(super) acceleration: f32,
    /// So far from where it is there is no wall to be asked about.
    pub(super) room: f32,
    /// The radius at which walls are asked: its own, and its margin.
    pub(super) wall_radius: f32,
    pub(super) ground: u32,
    pub(super) is_there: bool,
    pub(super) settles: bool,
    /// Whether it is left alone in this tick: no neighbors, no walls.
    pub(super) rests: bool,
    pub(super) mind: Mind,
}

impl Body {
    /// That of a [sound](Member::sound) member.
    pub(super) fn of(member: &Member, reach: f32) -> Self {
        let heading = match member.mind.gives_way {
            true if member.velocity.dot(member.heading) < 0.0 => {
                member.velocity.normalize_or_zero()
            }
            true => Vec2::ZERO,
            false => member.heading,
        };
        Self {
            place: member.place,
            velocity: member.velocity,
            heading,
            radius: member.radius,
            reach,
            left: member.left,
            mass: mass(member),
            group: member.group,
            serial: member.serial,
            plane: member.plane,
            stop: member.stop,
            is_settled: member.mind.is_settled,
            gives_way: member.mind.gives_way,
            company: member.mind.company,
            beside: member.mind.beside,
        }
    }

    /// Whether nothing moves it.
    pub(super) fn is_fixed(&self) -> bool {
        self.mass == f32::INFINITY
    }

    /// Whether both go to the same place, and stop equally far from it.
    pub(super) fn is_one_with(&self, other: &Self) -> bool {
        self.stands_behind(other) && other.stands_behind(self)
    }

    /// Whether both go to the same place, and the other one does not stop farther away.
    pub(super) fn stands_behind(&self, other: &Self) -> bool {
        self.group == other.group && other.stop <= AS_FAR * self.stop + self.radius
    }

    /// Whether both go the same way, so that one can be ahead of the other.
    pub(super) fn goes_with(&self, other: &Self) -> bool {
        self.is_one_with(other)
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
        let nearer = if self.is_one_with(other) || self.wants_place_of(other) {
            other.left - self.left
        } else {
            0.0
        };
        let lead = in_front + BY_WAY * nearer;
        lead > 0.0 || lead == 0.0 && self.serial < other.serial
    }
}

/// Infinite for one that nothing moves alone.
fn mass(member: &Member) -> f32 {
    const MOST: f32 = 0.25 * f32::MAX;
    if member.is_fixed() {
        return f32::INFINITY;
    }
    (member.weight * member.radius * member.radius).clamp(f32::MIN_POSITIVE, MOST)
}

impl Gait {
    /// That of a sound member. What room it has is found later.
    pub(super) fn of(member: &Member) -> Self {
        Self {
            heading: member.heading,
            pace: member.pace,
            acceleration: member.acceleration,
            room: 0.0,
            wall_radius: member.radius + member.margin,
            ground: member.ground,
            is_there: member.is_there,
            settles: member.settles,
            rests: false,
            mind: member.mind,
        }
    }
}
