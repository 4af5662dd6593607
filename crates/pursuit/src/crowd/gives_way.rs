//! Yielding: which of two members backs up when they meet where they cannot pass each other.

use glam::Vec2;

use super::CrowdMemory;
use super::body::{CrowdBody, MemberPlan};

/// A member yields after it was held up for this many seconds. With a greater value, two members that meet block
/// each other for longer. With a smaller one, a member backs up where a step aside would be enough.
const YIELD_SECONDS: f32 = 1.25;

/// A member that was held up for this many seconds yields if a yielding member backs up toward it. So a whole file of
/// members backs up.
const FOLLOW_SECONDS: f32 = 0.25;

/// A yielding member goes on once no other member has come toward it for this many seconds. With a greater value,
/// it waits needlessly. With a smaller one, it meets the same member again.
const WAIT_SECONDS: f32 = 0.25;

/// Two members meet if the cosine between their headings is below this value.
const MEET_COSINE: f32 = -0.5;
/// A member that already yields makes room for another one if the cosine between their headings is below this
/// value. It is greater than [`MEET_COSINE`], since the yielding member's own way may bend at the end of a
/// corridor.
const MAKE_ROOM_COSINE: f32 = 0.5;

/// A yielding member stops, and lets the other one catch up, when the gap between the two reaches this many radii of
/// the yielding member. With a greater gap, the other member would be too far away to be a neighbor. With a smaller
/// one, the yielding member is pushed.
const YIELD_GAP_RADII: f32 = 0.25;

/// How far a yielding member veers aside as it backs up, as a tangent. With a greater value, it presses against
/// walls. With a smaller one, it stays in the other member's way for longer once both have left a corridor.
const YIELD_ASIDE_TANGENT: f32 = 0.5;

/// The velocity of a yielding member. It walks in the same direction as the member that comes toward it, and veers
/// out of that member's way. `None` if the member does not yield.
pub(super) fn retreat(
    plan: &MemberPlan,
    body: &CrowdBody,
    bodies: &[CrowdBody],
    near: &[u32],
) -> Option<Vec2> {
    if !body.gives_way {
        return None;
    }
    let Some(other) = nearest_oncoming(plan, body, bodies, near) else {
        return Some(Vec2::ZERO);
    };
    let beside = other.heading.perp_dot(body.place - other.place);
    let is_left = beside > 0.0 || beside == 0.0 && body.serial.is_multiple_of(2);
    let aside = match is_left {
        true => YIELD_ASIDE_TANGENT,
        false => -YIELD_ASIDE_TANGENT,
    };
    let heading = other.heading + other.heading.perp() * aside;
    let gap = body.place.distance(other.place) - body.radius - other.radius;
    let near = (1.0 - gap / (YIELD_GAP_RADII * body.radius)).clamp(0.0, 1.0);
    Some(heading.normalize_or_zero() * (plan.pace * near))
}

/// Decides whether a held-up member yields, and counts how many members near it go the same way.
pub(super) fn give_way(
    plan: &MemberPlan,
    body: &CrowdBody,
    bodies: &[CrowdBody],
    near: &[u32],
    memory: &mut CrowdMemory,
    dt: f32,
) {
    if !memory.gives_way && memory.held_up_seconds == 0.0 {
        memory.companions = 0;
        return;
    }
    let all = near.iter().map(|&other| &bodies[other as usize]);
    let goes_with = |other: &&CrowdBody| !other.is_fixed() && other.goes_with(body);
    let companions = all.filter(|other| !other.gives_way && goes_with(other));
    memory.companions = companions.take(usize::from(u8::MAX)).count() as u8;
    let looks = memory.gives_way || memory.held_up_seconds >= FOLLOW_SECONDS;
    let oncoming = || nearest_oncoming(plan, body, bodies, near);
    let comes = looks.then(oncoming).flatten();
    let starts = |other: &CrowdBody| other.gives_way || memory.held_up_seconds >= YIELD_SECONDS;
    if comes.is_some_and(|other| memory.gives_way || starts(other)) {
        (memory.gives_way, memory.held_up_seconds) = (true, WAIT_SECONDS);
    } else if memory.gives_way {
        memory.held_up_seconds = (memory.held_up_seconds - dt).max(0.0);
        memory.gives_way = memory.held_up_seconds > 0.0;
    }
}

/// The nearest member that meets this one, would touch it, and has the right of way. If this member already yields,
/// every other member has the right of way.
fn nearest_oncoming<'b>(
    plan: &MemberPlan,
    body: &CrowdBody,
    bodies: &'b [CrowdBody],
    near: &[u32],
) -> Option<&'b CrowdBody> {
    let max_cosine = match body.gives_way {
        true => MAKE_ROOM_COSINE,
        false => MEET_COSINE,
    };
    let comes = |other: &&CrowdBody| {
        let apart = body.place - other.place;
        (!other.is_one_with(body) || other.gives_way)
            && other.heading.dot(plan.heading) < max_cosine
            && apart.dot(other.heading) > 0.0
            && other.heading.perp_dot(apart).abs() < body.radius + other.radius
            && (body.gives_way || goes_first(other, body))
    };
    let near = near.iter().map(|&other| &bodies[other as usize]);
    near.filter(comes).min_by(|a, b| {
        let key = |it: &CrowdBody| it.place.distance_squared(body.place);
        key(a).total_cmp(&key(b)).then(a.serial.cmp(&b.serial))
    })
}

/// Whether `other` has the right of way: a yielding member goes first, then the heavier one, then the one with
/// more [companions](CrowdMemory::companions), then the one with the smaller serial.
fn goes_first(other: &CrowdBody, own: &CrowdBody) -> bool {
    let by_mass = other.mass.total_cmp(&own.mass);
    let by_companions = other.companions.cmp(&own.companions);
    let by_serial = own.serial.cmp(&other.serial);
    other.gives_way || by_mass.then(by_companions).then(by_serial).is_gt()
}
