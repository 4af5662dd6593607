//! What pushes a member away from those that it touches.

use glam::Vec2;

use super::body::Body;

/// How much of what is missing between two is made up for by the one ahead, in one pass. More, up to a half: those behind push
/// those ahead, and pressure adds up. Less: a throng trembles.
const AHEAD: f32 = 0.25;

/// At this depth, in parts of their distance, both make up for half. More: those who are behind are buried. Less: who is ahead
/// counts for less.
const DEEP: f32 = 0.2;

/// Members nearer to one another than this part of their distance have no direction between them: one is drawn for them. Less:
/// rounding draws it.
const SAME: f32 = 1e-4;

/// How far the members near it push one, in one pass that makes up for a part of what is missing.
#[inline]
pub(super) fn push(own: usize, places: &[Vec2], bodies: &[Body], near: &[u32], part: f32) -> Vec2 {
    if near.is_empty() {
        return Vec2::ZERO;
    }
    let (place, body) = (places[own], &bodies[own]);
    let mut sum = Vec2::ZERO;
    for &other in near {
        let other = other as usize;
        let apart = place - places[other];
        let wanted = body.radius + bodies[other].radius;
        let squared = apart.length_squared();
        if squared >= wanted * wanted {
            continue;
        }
        let distance = squared.sqrt();
        let away = if distance > SAME * wanted {
            apart / distance
        } else {
            between(body.serial, bodies[other].serial)
        };
        let missing = wanted - distance;
        sum += away * (missing * share(body, &bodies[other], missing / wanted));
    }
    (sum * part).clamp_length_max(body.radius)
}

/// The part of a missing distance by which a member moves, 0 to 1. The other member moves by the rest. It depends on
/// which of them is ahead, and on their masses.
fn share(own: &Body, other: &Body, depth: f32) -> f32 {
    if other.mass.is_infinite() {
        return 1.0;
    }
    let by_order = match own.is_ahead_of(other) {
        _ if !own.goes_with(other) => 0.5,
        true => AHEAD,
        false => 1.0 - AHEAD,
    };
    let by_order = by_order + (0.5 - by_order) * (depth / DEEP).min(1.0);
    let [given, taken] = [by_order * other.mass, (1.0 - by_order) * own.mass];
    given / (given + taken)
}

/// Where one goes from another on the same place: anywhere, and the other one to the opposite side.
fn between(own: u32, other: u32) -> Vec2 {
    /// Half of a circle.
    const DIRECTIONS: [[f32; 2]; 8] = {
        const A: f32 = 0.923_879_5;
        const B: f32 = std::f32::consts::FRAC_1_SQRT_2;
        const C: f32 = 0.382_683_43;
        [
            [1.0, 0.0],
            [A, C],
            [B, B],
            [C, A],
            [0.0, 1.0],
            [-C, A],
            [-B, B],
            [-A, C],
        ]
    };
    let [low, high] = [own.min(other), own.max(other)];
    let hash = (low.wrapping_mul(0x9E37_79B9) ^ high).wrapping_mul(0x85EB_CA6B);
    let direction = Vec2::from(DIRECTIONS[(hash >> 29) as usize]);
    let turns = (hash >> 28) & 1 == 0;
    if (own < other) == turns {
        direction
    } else {
        -direction
    }
}
