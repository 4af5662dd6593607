//! Who stands behind others, and until when.

use glam::Vec2;

use super::body::Body;
use super::{Member, Mind};

/// Seconds of reason after which one settles, and sets out again.
const SETTLES: f32 = 0.13;
const SETS_OUT: f32 = 0.25;

/// Who touches: up to this many distances. Who stands loses touch later than it finds it.
const TOUCHES: f32 = 1.15;
const KEEPS_TOUCH: f32 = 1.45;

/// One that makes less than this part of its pace is held up.
const HELD_UP: f32 = 0.2;

/// One that stands sets out once it has so much farther to go than when it settled, in parts of that, and a radius.
const MOVED: f32 = 0.25;

/// The longest time of being held up that is remembered, in seconds.
const LONGEST: f32 = 2.0;

/// One that finds no place between two that stand looks for one for so many seconds, and then stands where it is.
const LOOKS: f32 = 0.5;

/// Beside the heading by this sine and more, one that stands leaves one side alone to pass.
const BESIDE: f32 = 0.1;

/// How far beyond touching, for two of its size, others matter to it.
pub(super) fn settle_range(member: &Member) -> f32 {
    let within = if member.mind.is_settled {
        KEEPS_TOUCH
    } else {
        TOUCHES
    };
    2.0 * (within - 1.0) * member.radius
}

/// What a member remembers after a tick in which it made so much, as a velocity.
pub(super) fn decide(
    own: usize,
    members: &[Member],
    bodies: &[Body],
    near: &[u32],
    made: Vec2,
    dt: f32,
) -> Mind {
    let member = &members[own];
    let mut mind = member.mind;
    let is_held_up = member.pace > 0.0 && made.dot(member.heading) < HELD_UP * member.pace;
    mind.held_up = if is_held_up && !mind.is_settled {
        (mind.held_up + dt).min(LONGEST)
    } else {
        (mind.held_up - 2.0 * dt).max(0.0)
    };
    if !member.settles {
        return Mind {
            held_up: mind.held_up,
            ..Mind::default()
        };
    }
    let support = Support::of(own, members, bodies, near);
    let was_settled = mind.is_settled;
    if was_settled {
        let is_supported = member.is_there || support.is_some();
        mind.unsettled = if is_supported {
            0.0
        } else {
            mind.unsettled + dt
        };
        let far_more = MOVED * mind.settled_at + member.radius;
        let has_goal_moved = !member.is_there && member.left > mind.settled_at + far_more;
        mind.is_settled = mind.unsettled < SETS_OUT && !has_goal_moved;
    } else {
        let has_reason = is_held_up && support.is_some();
        mind.unsettled = (mind.unsettled + if has_reason { dt } else { -dt }).max(0.0);
        let patience = if support.is_some_and(|it| it.is_a_place()) {
            SETTLES
        } else {
            LOOKS
        };
        mind.is_settled = member.is_there || mind.unsettled >= patience;
    }
    if mind.is_settled != was_settled {
        (mind.unsettled, mind.settled_at) = (0.0, member.left);
    }
    mind
}

/// Where a member goes: past those that stand, while it looks for a place among them.
pub(super) fn heading(own: usize, members: &[Member], bodies: &[Body], near: &[u32]) -> Vec2 {
    let member = &members[own];
    if member.mind.unsettled == 0.0 || !member.settles {
        return member.heading;
    }
    match Support::of(own, members, bodies, near) {
        Some(support) if !support.is_a_place() => support.way_past(member),
        _ => member.heading,
    }
}

/// Those in front of a member that stand, go where it goes and have less far, and that it touches.
#[derive(Clone, Copy)]
struct Support {
    is_left: bool,
    is_right: bool,
}

impl Support {
    fn of(own: usize, members: &[Member], bodies: &[Body], near: &[u32]) -> Option<Self> {
        let member = &members[own];
        let within = if member.mind.is_settled {
            KEEPS_TOUCH
        } else {
            TOUCHES
        };
        let mut support = None;
        for &other in near {
            let (other, one) = (&members[other as usize], &bodies[other as usize]);
            let apart = other.place - member.place;
            let touching = within * (member.radius + other.radius);
            let is_of_group = other.group == member.group;
            let supports = one.is_settled
                && (is_of_group || one.wants_place_of(&bodies[own]))
                && other.left < member.left
                && apart.length_squared() < touching * touching
                && apart.dot(member.heading) > 0.0;
            if supports {
                let beside = member.heading.perp_dot(apart);
                let least = BESIDE * touching;
                let sides = support.get_or_insert(Self {
                    is_left: false,
                    is_right: false,
                });
                // Whose place is taken looks for no other.
                sides.is_left |= !is_of_group || beside > least;
                sides.is_right |= !is_of_group || beside < -least;
            }
        }
        support
    }

    /// Whether it lies between two of them.
    fn is_a_place(self) -> bool {
        self.is_left && self.is_right
    }

    /// To the side that is open.
    fn way_past(self, member: &Member) -> Vec2 {
        let goes_left = if self.is_left == self.is_right {
            member.serial.is_multiple_of(2)
        } else {
            self.is_right
        };
        let aside = member.heading.perp();
        if goes_left { aside } else { -aside }
    }
}
