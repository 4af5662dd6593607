//! Who goes back where two meet and cannot pass.

use glam::Vec2;

use super::Mind;
use super::body::{Body, Gait};

/// Seconds after which one that is held up gives way. More: two who meet stand for longer. Less: one goes back where a
/// step aside would do.
const BLOCKED: f32 = 1.25;

/// The same before one that gives way itself, which others follow.
const FOLLOWS: f32 = 0.25;

/// So long it waits once nobody comes any more, in seconds. More: it stands for nothing. Less: it runs at the same one again.
const WAITS: f32 = 0.25;

/// One meets others whose headings have this cosine at most to its own; and one that gives way makes room up to that other,
/// as its own way may bend where it comes out of a corridor.
const MEETS: f32 = -0.5;
const MAKES_ROOM: f32 = 0.5;

/// It stops where the one that comes is so far behind, in radii: it would lose sight of that. More: the same. Less: it is pushed.
const KEEPS: f32 = 0.25;

/// How far it turns aside on its way back, by tangent. More: it presses along walls. Less: it goes far before one that comes
/// out of a corridor behind it.
const ASIDE: f32 = 0.5;

/// The velocity of one that goes back, if it does: as the one that comes, and out of its way.
pub(super) fn retreat(gait: &Gait, body: &Body, bodies: &[Body], near: &[u32]) -> Option<Vec2> {
    if !body.gives_way {
        return None;
    }
    let Some(other) = who_comes(gait, body, bodies, near) else {
        return Some(Vec2::ZERO);
    };
    let beside = other.heading.perp_dot(body.place - other.place);
    let is_left = beside > 0.0 || beside == 0.0 && body.serial.is_multiple_of(2);
    let aside = if is_left { ASIDE } else { -ASIDE };
    let heading = other.heading + other.heading.perp() * aside;
    let gap = body.place.distance(other.place) - body.radius - other.radius;
    let near = (1.0 - gap / (KEEPS * body.radius)).clamp(0.0, 1.0);
    Some(heading.normalize_or_zero() * (gait.pace * near))
}

/// Whether one that is held up gives way from now on, for how long it remembers that, and how many go with it.
pub(super) fn give_way(
    gait: &Gait,
    body: &Body,
    bodies: &[Body],
    near: &[u32],
    mind: &mut Mind,
    dt: f32,
) {
    if !mind.gives_way && mind.held_up == 0.0 {
        mind.company = 0;
        return;
    }
    let all = near.iter().map(|&other| &bodies[other as usize]);
    let company = all.filter(|other| !other.gives_way && other.goes_with(body));
    mind.company = company.count() as u8;
    let looks = mind.gives_way || mind.held_up >= FOLLOWS;
    let comes = looks.then(|| who_comes(gait, body, bodies, near)).flatten();
    let starts = |other: &Body| other.gives_way || mind.held_up >= BLOCKED;
    if comes.is_some_and(|other| mind.gives_way || starts(other)) {
        (mind.gives_way, mind.held_up) = (true, WAITS);
    } else if mind.gives_way {
        mind.held_up -= dt;
        mind.gives_way = mind.held_up > 0.0;
    }
    mind.held_up = mind.held_up.max(0.0);
}

/// The nearest that comes against it, would touch it, and goes first.
fn who_comes<'b>(gait: &Gait, body: &Body, bodies: &'b [Body], near: &[u32]) -> Option<&'b Body> {
    let most = if body.gives_way { MAKES_ROOM } else { MEETS };
    let comes = |other: &&Body| {
        let apart = body.place - other.place;
        (other.group != body.group || other.gives_way)
            && other.heading.dot(gait.heading) < most
            && apart.dot(other.heading) > 0.0
            && other.heading.perp_dot(apart).abs() < body.radius + other.radius
            && (body.gives_way || goes_first(other, body))
    };
    let near = near.iter().map(|&other| &bodies[other as usize]);
    near.filter(comes).min_by(|a, b| {
        let key = |it: &Body| it.place.distance_squared(body.place);
        key(a).total_cmp(&key(b)).then(a.serial.cmp(&b.serial))
    })
}

/// Who makes room for another goes first of those behind it; else who is heavier, then who is of more.
fn goes_first(other: &Body, own: &Body) -> bool {
    let by_mass = other.mass.total_cmp(&own.mass);
    let by_company = other.company.cmp(&own.company);
    let by_serial = own.serial.cmp(&other.serial);
    other.gives_way || by_mass.then(by_company).then(by_serial).is_gt()
}
