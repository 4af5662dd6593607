//! Settling: which members stand behind others, and until when.

use glam::Vec2;

use super::beside::{NO_WAY_PAST, TOUCH_FACTOR, count_rows};
use super::body::{CrowdBody, MemberPlan};
use super::gives_way::give_way;
use super::{CrowdMemory, CrowdWalls, Member};

/// Seconds for which a member needs a reason before it settles. Without a reason this time runs down, but it
/// still counts if it is long enough. With a longer time, a crowd pushes around its goal for longer. With a
/// shorter one, a member that is held up for a moment settles.
const SETTLE_SECONDS: f32 = 0.13;
/// Seconds for which a settled member needs a reason before it sets out again. With a longer time, gaps in a crowd are
/// noticed later. With a shorter one, a gap that closes at once makes others set out.
const SET_OUT_SECONDS: f32 = 0.25;

/// A settled member loses touch with another beyond this many times the sum of their radii. With a greater
/// factor, gaps stay open. With a smaller one, a member that was pushed a little sets out again.
const KEEP_TOUCH_FACTOR: f32 = 1.45;

/// A member that makes less than this share of its pace is held up. With a greater share, members that move
/// on in a slow queue settle in it. With a smaller one, members that tremble in place never settle.
const HELD_UP_SHARE: f32 = 0.2;

/// A settled member sets out once its goal is this much farther away than when it was nearest: this share of
/// that least distance, but at most [`GOAL_MOVED_RADII`], plus one radius. With greater values, the rear follows
/// later when a goal moves away. With smaller ones, all members set out at each step of the goal.
const GOAL_MOVED_SHARE: f32 = 0.25;
/// The greatest value of [`GOAL_MOVED_SHARE`] of a distance, in radii of the member.
const GOAL_MOVED_RADII: f32 = 2.0;

/// The longest time of being held up that is remembered, in seconds. With a longer time, a member that makes
/// progress stays considerate for longer.
const MAX_HELD_UP_SECONDS: f32 = 2.0;

/// Seconds for which a member looks for a place between two that stand, before it settles where it is. A
/// member that was held up for so long, with no room on either side, does not look. With a longer time, the
/// crowd becomes rounder, but later. With a shorter one, members that come from one side stand in a file.
const LOOK_SECONDS: f32 = 0.5;

/// A settled member in front of another one closes that member's left or right side if it is beside the
/// heading by more than this share of the touching distance. With a greater share, two members have to be
/// farther apart to leave a place between them. With a smaller one, a member that is only slightly to the
/// side closes it.
const SIDE_SHARE: f32 = 0.1;

/// How far beyond touching others matter to a member, for two members of its size.
pub(super) fn settle_range(member: &Member) -> f32 {
    let within = if member.memory.is_settled {
        KEEP_TOUCH_FACTOR
    } else {
        TOUCH_FACTOR
    };
    2.0 * (within - 1.0) * member.radius
}

/// Updates what a member remembers after a tick in which it moved with the velocity `made`.
pub(super) fn decide(
    memory: &mut CrowdMemory,
    plan: &MemberPlan,
    body: &CrowdBody,
    (bodies, near): (&[CrowdBody], &[u32]),
    made: Vec2,
    dt: f32,
    walls: &impl CrowdWalls,
) {
    let is_slow = plan.pace > 0.0 && made.dot(plan.heading) < HELD_UP_SHARE * plan.pace;
    let is_held_up = is_slow && !near.is_empty();
    give_way(plan, body, bodies, near, memory, dt);
    if memory.gives_way {
        (
            memory.is_settled,
            memory.unsettled_seconds,
            memory.row_counts,
        ) = (false, 0.0, [0; 2]);
        return;
    }
    memory.held_up_seconds = if is_held_up && !memory.is_settled {
        (memory.held_up_seconds + dt).min(MAX_HELD_UP_SECONDS)
    } else {
        sunk(memory.held_up_seconds, dt)
    };
    if !plan.settles {
        let held_up_seconds = memory.held_up_seconds;
        *memory = CrowdMemory {
            held_up_seconds,
            ..CrowdMemory::default()
        };
        return;
    }
    if !memory.is_settled {
        memory.row_counts = match is_held_up {
            true => count_rows(plan, body, bodies, near, walls),
            false => [0; 2],
        };
    }
    let was_settled = memory.is_settled;
    memory.is_settled = if was_settled {
        stays(memory, plan, body, (bodies, near), dt)
    } else if is_held_up || memory.unsettled_seconds > 0.0 {
        let support = Support::of(body, bodies, near);
        plan.has_arrived || settles(memory, support, is_held_up, dt)
    } else {
        plan.has_arrived
    };
    if memory.is_settled != was_settled {
        (memory.unsettled_seconds, memory.least_remaining) = (0.0, body.remaining);
    }
    if was_settled && !memory.is_settled {
        memory.row_counts = [0; 2];
    }
}

/// Whether a settled member stays settled.
fn stays(
    memory: &mut CrowdMemory,
    plan: &MemberPlan,
    body: &CrowdBody,
    (bodies, near): (&[CrowdBody], &[u32]),
    dt: f32,
) -> bool {
    let is_supported = plan.has_arrived || Support::of(body, bodies, near).is_some();
    memory.unsettled_seconds = if is_supported {
        0.0
    } else {
        memory.unsettled_seconds + dt
    };
    memory.least_remaining = memory.least_remaining.min(body.remaining);
    // This is as fast as it settled: otherwise a member that stands for a moment would stop all members
    // behind it for long.
    let patience = if memory.row_counts == [NO_WAY_PAST; 2] {
        0.0
    } else {
        SET_OUT_SECONDS
    };
    let has_lost_support = !is_supported && memory.unsettled_seconds >= patience;
    let is_alone = near.is_empty() && !plan.has_arrived;
    !(has_lost_support || is_alone || is_goal_far(memory, plan.has_arrived, body))
}

/// Whether a walking member settles behind members that stand.
fn settles(memory: &mut CrowdMemory, support: Option<Support>, is_held_up: bool, dt: f32) -> bool {
    let has_reason = is_held_up && support.is_some();
    memory.unsettled_seconds =
        (memory.unsettled_seconds + if has_reason { dt } else { -dt }).max(0.0);
    let patience = if support.is_some_and(|it| it.is_a_place()) {
        SETTLE_SECONDS
    } else {
        LOOK_SECONDS
    };
    let finds_none = memory.row_counts == [NO_WAY_PAST; 2]
        && memory.held_up_seconds > LOOK_SECONDS
        && support.is_some();
    finds_none || memory.unsettled_seconds >= patience
}

/// The time of being held up after another `dt` seconds in which nothing holds the member up.
pub(super) fn sunk(held_up_seconds: f32, dt: f32) -> f32 {
    (held_up_seconds - 2.0 * dt).max(0.0)
}

/// Whether the goal of a settled member moved so far away that the member sets out.
pub(super) fn is_goal_far(memory: &CrowdMemory, has_arrived: bool, body: &CrowdBody) -> bool {
    let far_more = (GOAL_MOVED_SHARE * memory.least_remaining).min(GOAL_MOVED_RADII * body.radius)
        + body.radius;
    !has_arrived && body.remaining > memory.least_remaining + far_more
}

/// The direction of a member: past members that stand, while it looks for a place among them.
pub(super) fn heading(own: usize, plan: &MemberPlan, bodies: &[CrowdBody], near: &[u32]) -> Vec2 {
    let body = &bodies[own];
    if plan.memory.unsettled_seconds == 0.0 || !plan.settles {
        return body.heading;
    }
    match Support::of(body, bodies, near) {
        Some(support) if !support.is_a_place() => support.way_past(body),
        _ => body.heading,
    }
}

/// Members in front of a member that it touches, that stand, go to the same place and have less far to go. It
/// has a flag for each side that one of them closes.
#[derive(Clone, Copy)]
struct Support {
    is_left: bool,
    is_right: bool,
}

impl Support {
    fn of(body: &CrowdBody, bodies: &[CrowdBody], near: &[u32]) -> Option<Self> {
        let within = if body.is_settled {
            KEEP_TOUCH_FACTOR
        } else {
            TOUCH_FACTOR
        };
        let mut support = None;
        for &other in near {
            let other = &bodies[other as usize];
            let apart = other.place - body.place;
            let touching = within * (body.radius + other.radius);
            let is_of_group = body.stands_behind(other);
            let supports = other.is_settled
                && (is_of_group || other.wants_place_of(body))
                && other.remaining < body.remaining
                && apart.length_squared() < touching * touching
                && apart.dot(body.heading) > 0.0;
            if supports {
                let beside = body.heading.perp_dot(apart);
                let least = SIDE_SHARE * touching;
                let sides = support.get_or_insert(Self {
                    is_left: false,
                    is_right: false,
                });
                // A member whose place is taken does not look for another one.
                sides.is_left |= !is_of_group || beside > least;
                sides.is_right |= !is_of_group || beside < -least;
            }
        }
        support
    }

    /// Whether the member is at a place between two of them.
    fn is_a_place(self) -> bool {
        self.is_left && self.is_right
    }

    /// The direction to the side that is open.
    fn way_past(self, body: &CrowdBody) -> Vec2 {
        let goes_left = if self.is_left == self.is_right {
            body.serial.is_multiple_of(2)
        } else {
            self.is_right
        };
        let aside = body.heading.perp();
        if goes_left { aside } else { -aside }
    }
}
