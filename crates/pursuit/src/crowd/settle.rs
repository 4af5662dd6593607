//! Settling: when a member stops behind others, and when it sets out again.

use glam::Vec2;

use super::beside::{NO_WAY_PAST, TOUCH_FACTOR, count_rows};
use super::body::{CrowdBody, MemberPlan};
use super::gives_way::give_way;
use super::{CrowdMemory, CrowdWalls, Member};

/// A member settles once it has had a reason to settle for this many seconds. While it has none, the counted time
/// runs down at the same rate. With a longer time, a crowd pushes around its goal for longer. With a shorter one,
/// a member that is held up for a moment settles.
const SETTLE_SECONDS: f32 = 0.13;
/// A settled member sets out again once it has had a reason to do so for this many seconds. With a longer time,
/// members notice gaps in a crowd later. With a shorter one, members set out even for gaps that soon close.
const SET_OUT_SECONDS: f32 = 0.25;

/// A settled member loses touch with another one if their distance exceeds this factor times the sum of their
/// radii. With a greater factor, gaps stay open. With a smaller one, a member that was pushed a little sets out
/// again.
const KEEP_TOUCH_FACTOR: f32 = 1.45;

/// A member that moves at less than this share of its pace is held up. With a greater share, members that move on
/// in a slow queue settle in it. With a smaller one, members that tremble in place never settle.
const HELD_UP_SHARE: f32 = 0.2;

/// A settled member sets out again when its goal has moved away: when its remaining distance exceeds
/// `least + min(GOAL_MOVED_SHARE · least, GOAL_MOVED_RADII · radius) + radius`, where `least` is its
/// [`least_remaining`](CrowdMemory::least_remaining). With greater values, the rear of a crowd follows later when
/// a goal moves away. With smaller ones, all members set out whenever the goal moves a little.
const GOAL_MOVED_SHARE: f32 = 0.25;
/// Upper limit of the term with [`GOAL_MOVED_SHARE`], in radii of the member.
const GOAL_MOVED_RADII: f32 = 2.0;

/// Upper limit of [`held_up_seconds`](CrowdMemory::held_up_seconds). With a longer time, a member that makes
/// progress stays considerate for longer.
const MAX_HELD_UP_SECONDS: f32 = 2.0;

/// Seconds for which a member looks for a place between two settled members, before it settles where it is. A
/// member that was held up for this time and has no room on either side settles without looking. With a longer
/// time, the crowd becomes rounder, but settles later. With a shorter one, members coming from one side line up
/// behind each other.
const LOOK_SECONDS: f32 = 0.75;

/// A settled member blocks the left or the right side of a member behind it if it is off the heading of that member
/// by more than this share of the touching distance. With a greater share, two settled members have to be farther
/// apart to have a place between them. With a smaller one, a settled member that is only slightly to the side blocks
/// that side.
const SIDE_SHARE: f32 = 0.1;

/// A member settles, and stays settled, only if the line of settled members ahead of it, up to one that has arrived, is
/// shorter than this factor times the member's remaining distance, plus [`MAX_SUPPORT_RADII`]. The lines of members
/// that only support each other grow in each tick, so that these members set out again. With a greater value, they
/// stand for longer. With a smaller one, members do not settle in a crowd that winds around walls.
const MAX_SUPPORT_SHARE: f32 = 3.0;
/// The part of the limit that does not depend on the remaining distance, in radii of the member. See
/// [`MAX_SUPPORT_SHARE`].
const MAX_SUPPORT_RADII: f32 = 40.0;

/// The gap up to which settled members of the same size matter to a member.
pub(super) fn settle_range(member: &Member) -> f32 {
    2.0 * (touch_factor(member.memory.is_settled) - 1.0) * member.radius
}

/// How far apart two bodies count as touching, in multiples of the sum of their radii.
fn touch_factor(is_settled: bool) -> f32 {
    match is_settled {
        true => KEEP_TOUCH_FACTOR,
        false => TOUCH_FACTOR,
    }
}

/// Updates the memory of a member after a tick in which it moved with the velocity `made`.
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
        (memory.is_settled, memory.leads_line) = (false, false);
        (memory.unsettled_seconds, memory.support_length) = (0.0, 0.0);
        memory.row_counts = [0; 2];
        return;
    }
    // A member that walks freely has no jam to report, so it need not be compared with its neighbors.
    let was_held_up = memory.held_up_seconds > 0.0 || memory.unsettled_seconds > 0.0;
    let was_free = !(was_held_up || memory.is_settled || memory.is_stuck || plan.has_arrived);
    if was_free && (near.is_empty() || plan.pace > 0.0 && !is_slow) {
        (memory.leads_line, memory.report_seconds, memory.row_counts) = (true, 0.0, [0; 2]);
        return;
    }
    let (is_nearest, report_seconds) = rank_and_report(body, bodies, near);
    memory.report_seconds = (report_seconds - dt).max(0.0);
    memory.leads_line = is_nearest && (memory.has_reported || memory.report_seconds == 0.0);
    memory.held_up_seconds = match is_held_up && !memory.is_settled {
        true => (memory.held_up_seconds + dt).min(MAX_HELD_UP_SECONDS),
        false => sunk(memory.held_up_seconds, dt),
    };
    if !plan.settles {
        *memory = CrowdMemory {
            held_up_seconds: memory.held_up_seconds,
            leads_line: memory.leads_line,
            is_stuck: memory.is_stuck,
            has_reported: memory.has_reported,
            report_seconds: memory.report_seconds,
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
        memory.support_length = support.map_or(0.0, |it| it.length);
        plan.has_arrived || settles(memory, support, is_held_up, dt)
    } else {
        plan.has_arrived
    };
    if plan.has_arrived || !memory.is_settled {
        memory.support_length = 0.0;
    }
    if memory.is_settled != was_settled {
        (memory.unsettled_seconds, memory.least_remaining) = (0.0, body.remaining);
    }
    if was_settled && !memory.is_settled {
        memory.row_counts = [0; 2];
    }
}

/// Whether no neighbor with the same goal is nearer to the goal, and the greatest
/// [`report_seconds`](CrowdBody::report_seconds) of the member and of such neighbors. Of two members that are equally
/// near, the one with the smaller serial counts as nearer. A settled member is compared with settled ones only, and a
/// walking one with walking ones.
fn rank_and_report(body: &CrowdBody, bodies: &[CrowdBody], near: &[u32]) -> (bool, f32) {
    let rank = |it: &CrowdBody| (it.remaining, it.serial);
    let (mut is_nearest, mut report_seconds) = (true, body.report_seconds);
    for &other in near {
        let other = &bodies[other as usize];
        let is_rival = other.is_settled == body.is_settled && !other.is_fixed();
        let matters = is_nearest || other.report_seconds > report_seconds;
        if is_rival && matters && other.is_one_with(body) {
            is_nearest &= rank(body) < rank(other);
            report_seconds = report_seconds.max(other.report_seconds);
        }
    }
    (is_nearest, report_seconds)
}

/// Whether a settled member stays settled.
fn stays(
    memory: &mut CrowdMemory,
    plan: &MemberPlan,
    body: &CrowdBody,
    (bodies, near): (&[CrowdBody], &[u32]),
    dt: f32,
) -> bool {
    let support = Support::of(body, bodies, near);
    memory.support_length = support.map_or(memory.support_length, |it| it.length);
    memory.leads_line &= support.is_some_and(|it| it.is_covered);
    let is_supported = plan.has_arrived || support.is_some();
    memory.unsettled_seconds = match is_supported {
        true => 0.0,
        false => memory.unsettled_seconds + dt,
    };
    memory.least_remaining = memory.least_remaining.min(body.remaining);
    // A member without room on either side sets out as fast as it settled. Otherwise, a member that stopped for a
    // moment would hold up all members behind it for a long time.
    let patience = match memory.row_counts == [NO_WAY_PAST; 2] {
        true => 0.0,
        false => SET_OUT_SECONDS,
    };
    let has_lost_support = !is_supported && memory.unsettled_seconds >= patience;
    let is_alone = near.is_empty() && !plan.has_arrived;
    !(has_lost_support || is_alone || is_goal_far(memory, plan.has_arrived, body))
}

/// Whether a walking member settles behind settled ones.
fn settles(memory: &mut CrowdMemory, support: Option<Support>, is_held_up: bool, dt: f32) -> bool {
    let has_reason = is_held_up && support.is_some();
    memory.unsettled_seconds =
        (memory.unsettled_seconds + if has_reason { dt } else { -dt }).max(0.0);
    let patience = match support.is_some_and(|it| it.is_a_place()) {
        true => SETTLE_SECONDS,
        false => LOOK_SECONDS,
    };
    let finds_none = memory.row_counts == [NO_WAY_PAST; 2]
        && memory.held_up_seconds > LOOK_SECONDS
        && support.is_some();
    finds_none || memory.unsettled_seconds >= patience
}

/// The new value of the held-up time after `dt` seconds in which nothing holds the member up.
pub(super) fn sunk(held_up_seconds: f32, dt: f32) -> f32 {
    (held_up_seconds - 2.0 * dt).max(0.0)
}

/// Whether the goal of a settled member moved so far away that the member sets out.
pub(super) fn is_goal_far(memory: &CrowdMemory, has_arrived: bool, body: &CrowdBody) -> bool {
    let far_more = (GOAL_MOVED_SHARE * memory.least_remaining).min(GOAL_MOVED_RADII * body.radius)
        + body.radius;
    !has_arrived && body.remaining > memory.least_remaining + far_more
}

/// The direction in which a member walks. While it looks for a place among settled members, it walks sideways
/// past them.
pub(super) fn heading(own: usize, plan: &MemberPlan, bodies: &[CrowdBody], near: &[u32]) -> Vec2 {
    let body = &bodies[own];
    if plan.memory.unsettled_seconds == 0.0 || !plan.settles {
        return body.heading;
    }
    match Support::of(body, bodies, near) {
        Some(support) if !support.is_a_place() => support.way_past(body).unwrap_or(body.heading),
        _ => body.heading,
    }
}

/// The members behind which a member may settle: settled members that touch it, are in front of it, and have the same
/// goal. Each of them may be farther from the goal than the member itself. A fixed member that covers the goal counts
/// as well.
#[derive(Clone, Copy)]
struct Support {
    /// The shortest [`support_length`](CrowdMemory::support_length) that the member gets from one of them, in world
    /// units.
    length: f32,
    /// Whether all of them are fixed members that cover the goal.
    is_covered: bool,
    /// Whether one of them blocks the left side of the member.
    is_left: bool,
    /// Whether one of them blocks the right side of the member.
    is_right: bool,
}

impl Support {
    fn of(body: &CrowdBody, bodies: &[CrowdBody], near: &[u32]) -> Option<Self> {
        let within = touch_factor(body.is_settled);
        let max_length = MAX_SUPPORT_SHARE * body.remaining + MAX_SUPPORT_RADII * body.radius;
        let mut support = None;
        for &other in near {
            let other = &bodies[other as usize];
            let apart = other.place - body.place;
            let touching = within * (body.radius + other.radius);
            let is_of_group = body.stands_behind(other);
            let stands = other.is_settled && (is_of_group || other.wants_place_of(body));
            let may_support = stands || other.is_fixed() && other.covers_goal_of(body);
            let length = other.support_length + apart.length();
            let supports = may_support
                && length < max_length
                && apart.length_squared() < touching * touching
                && apart.dot(body.heading) > 0.0;
            if supports {
                let beside = body.heading.perp_dot(apart);
                let least = SIDE_SHARE * touching;
                let sides = support.get_or_insert(Self {
                    length,
                    is_covered: true,
                    is_left: false,
                    is_right: false,
                });
                sides.length = sides.length.min(length);
                sides.is_covered &= !stands;
                // If `other` has a goal of its own and has taken the member's place, the member looks for no
                // other place.
                sides.is_left |= !is_of_group || beside > least;
                sides.is_right |= !is_of_group || beside < -least;
            }
        }
        support
    }

    /// Whether the member is between two of these settled members.
    fn is_a_place(self) -> bool {
        self.is_left && self.is_right
    }

    /// The sideways direction toward the side that is not blocked. `None` if there is no way past on either side.
    fn way_past(self, body: &CrowdBody) -> Option<Vec2> {
        let [left, right] = body.row_counts.map(|row| row < NO_WAY_PAST);
        let goes_left = match (left, right) {
            (false, false) => return None,
            (true, true) if self.is_left == self.is_right => body.serial.is_multiple_of(2),
            (true, true) => self.is_right,
            _ => left,
        };
        let aside = body.heading.perp();
        Some(if goes_left { aside } else { -aside })
    }
}
