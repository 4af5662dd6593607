//! Who stands behind others, and until when.

use glam::Vec2;

use super::beside::{SHUT, TOUCHES, beside};
use super::body::{Body, Gait};
use super::gives_way::give_way;
use super::{Member, Mind, Walls};

/// Seconds of reason after which one settles, and sets out again. Without a reason they run down; whether they suffice is asked
/// all the same. More: a crowd pushes for longer around its goal, and holes in it are noticed later. Less: who is held up for a
/// moment stands, and a gap that closes at once makes others set out.
const SETTLES: f32 = 0.13;
const SETS_OUT: f32 = 0.25;

/// A member that stands loses touch beyond so many times the sum of the radii. More: holes stay. Less: one that was pushed a
/// little sets out again.
const KEEPS_TOUCH: f32 = 1.45;

/// One that makes less than this part of its pace is held up. More: who moves on in a slow queue settles in it. Less: who
/// trembles in place never settles.
const HELD_UP: f32 = 0.2;

/// One that stands sets out once it has so much farther to go than when its goal was nearest: a part of that, but at most so
/// many radii, and a radius. More: the rear follows a goal that leaves later. Less: all set out for each step of it.
const MOVED: (f32, f32) = (0.25, 2.0);

/// The longest time of being held up that is remembered, in seconds. More: who gets on stays considerate for longer.
const LONGEST: f32 = 2.0;

/// One that finds no place between two that stand looks for one for so many seconds, and then stands where it is. A
/// member held up that long, with no room on either side, does not look. More: a rounder crowd, later. Less: those who come from
/// one side stand in a file.
const LOOKS: f32 = 0.5;

/// Beside the heading by this part of touching and more, one that stands leaves one side alone to pass. More: two have to be farther apart
/// to have a place between them. Less: one slightly beside counts as a side of it.
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

/// Decides what a member remembers after a tick in which it made so much, as a velocity. What it remembered comes in.
pub(super) fn decide(
    mind: &mut Mind,
    gait: &Gait,
    body: &Body,
    (bodies, near): (&[Body], &[u32]),
    made: Vec2,
    dt: f32,
    walls: &impl Walls,
) {
    let is_slow = gait.pace > 0.0 && made.dot(gait.heading) < HELD_UP * gait.pace;
    let is_held_up = is_slow && !near.is_empty();
    give_way(gait, body, bodies, near, mind, dt);
    if mind.gives_way {
        (mind.is_settled, mind.unsettled, mind.beside) = (false, 0.0, [0; 2]);
        return;
    }
    mind.held_up = if is_held_up && !mind.is_settled {
        (mind.held_up + dt).min(LONGEST)
    } else {
        sunk(mind.held_up, dt)
    };
    if !gait.settles {
        let held_up = mind.held_up;
        *mind = Mind {
            held_up,
            ..Mind::default()
        };
        return;
    }
    if !mind.is_settled {
        mind.beside = match is_held_up {
            true => beside(gait, body, bodies, near, walls),
            false => [0; 2],
        };
    }
    let was_settled = mind.is_settled;
    mind.is_settled = if was_settled {
        stays(mind, gait, body, (bodies, near), dt)
    } else if is_held_up || mind.unsettled > 0.0 {
        let support = Support::of(body, bodies, near);
        gait.is_there || settles(mind, support, is_held_up, dt)
    } else {
        gait.is_there
    };
    if mind.is_settled != was_settled {
        (mind.unsettled, mind.settled_at) = (0.0, body.left);
    }
    if was_settled && !mind.is_settled {
        mind.beside = [0; 2];
    }
}

/// Whether one that stood goes on to.
fn stays(
    mind: &mut Mind,
    gait: &Gait,
    body: &Body,
    (bodies, near): (&[Body], &[u32]),
    dt: f32,
) -> bool {
    let is_supported = gait.is_there || Support::of(body, bodies, near).is_some();
    mind.unsettled = if is_supported {
        0.0
    } else {
        mind.unsettled + dt
    };
    mind.settled_at = mind.settled_at.min(body.left);
    // As fast as it settled: else one that stands for a moment stops all behind it for long.
    let patience = if mind.beside == [SHUT; 2] {
        0.0
    } else {
        SETS_OUT
    };
    let has_lost_support = !is_supported && mind.unsettled >= patience;
    let is_alone = near.is_empty() && !gait.is_there;
    !(has_lost_support || is_alone || is_goal_far(mind, gait.is_there, body))
}

/// Whether one that walked stands from now on, behind those that do.
fn settles(mind: &mut Mind, support: Option<Support>, is_held_up: bool, dt: f32) -> bool {
    let has_reason = is_held_up && support.is_some();
    mind.unsettled = (mind.unsettled + if has_reason { dt } else { -dt }).max(0.0);
    let patience = if support.is_some_and(|it| it.is_a_place()) {
        SETTLES
    } else {
        LOOKS
    };
    let finds_none = mind.beside == [SHUT; 2] && mind.held_up > LOOKS && support.is_some();
    finds_none || mind.unsettled >= patience
}

/// The time of being held up, where nothing holds one up any more.
pub(super) fn sunk(held_up: f32, dt: f32) -> f32 {
    (held_up - 2.0 * dt).max(0.0)
}

/// Whether one that stands has so much farther to go that it sets out.
pub(super) fn is_goal_far(mind: &Mind, is_there: bool, body: &Body) -> bool {
    let far_more = (MOVED.0 * mind.settled_at).min(MOVED.1 * body.radius) + body.radius;
    !is_there && body.left > mind.settled_at + far_more
}

/// Where a member goes: past those that stand, while it looks for a place among them.
pub(super) fn heading(own: usize, gait: &Gait, bodies: &[Body], near: &[u32]) -> Vec2 {
    let body = &bodies[own];
    if gait.mind.unsettled == 0.0 || !gait.settles {
        return body.heading;
    }
    match Support::of(body, bodies, near) {
        Some(support) if !support.is_a_place() => support.way_past(body),
        _ => body.heading,
    }
}

/// Those in front of a member that stand, go where it goes and have less far, and that it touches.
#[derive(Clone, Copy)]
struct Support {
    is_left: bool,
    is_right: bool,
}

impl Support {
    fn of(body: &Body, bodies: &[Body], near: &[u32]) -> Option<Self> {
        let within = if body.is_settled {
            KEEPS_TOUCH
        } else {
            TOUCHES
        };
        let mut support = None;
        for &other in near {
            let other = &bodies[other as usize];
            let apart = other.place - body.place;
            let touching = within * (body.radius + other.radius);
            let is_of_group = body.stands_behind(other);
            let supports = other.is_settled
                && (is_of_group || other.wants_place_of(body))
                && other.left < body.left
                && apart.length_squared() < touching * touching
                && apart.dot(body.heading) > 0.0;
            if supports {
                let beside = body.heading.perp_dot(apart);
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
    fn way_past(self, body: &Body) -> Vec2 {
        let goes_left = if self.is_left == self.is_right {
            body.serial.is_multiple_of(2)
        } else {
            self.is_right
        };
        let aside = body.heading.perp();
        if goes_left { aside } else { -aside }
    }
}
