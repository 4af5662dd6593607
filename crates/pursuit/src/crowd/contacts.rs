//! What pushes a member away from those that it touches.

use glam::Vec2;

use super::step::{Body, Tuning};

/// Members this near to one another, in the sum of their radii, have no direction between them.
const SAME: f32 = 1e-4;

/// The part that is made up for by a member of what is missing between it and another one, 0 to 1: by weight, by who is
/// ahead, and by the sizes of both.
fn share(own: &Body, other: &Body, depth: f32, tuning: &Tuning) -> f32 {
    if other.weight.is_infinite() {
        return 1.0;
    }
    let ahead = match own.is_ahead_of(other) {
        _ if own.group != other.group => 0.5,
        true => tuning.ahead,
        false => 1.0 - tuning.ahead,
    };
    // Without that, those who are behind would be buried.
    let ahead = ahead + (0.5 - ahead) * (depth / tuning.deep).min(1.0);
    let [given, taken] = [ahead * other.mass(), (1.0 - ahead) * own.mass()];
    given / (given + taken)
}

/// How far the members near it push one, in one pass.
#[inline]
pub(super) fn push(
    own: usize,
    places: &[Vec2],
    bodies: &[Body],
    near: &[u32],
    tuning: &Tuning,
) -> Vec2 {
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
            direction_between(body.serial, bodies[other].serial)
        };
        let depth = (wanted - distance) / wanted;
        sum += away * ((wanted - distance) * share(body, &bodies[other], depth, tuning));
    }
    let most = body.radius;
    (sum * tuning.relax).clamp_length_max(most)
}

/// Sixteen directions of a circle.
const DIRECTIONS: [[f32; 2]; 16] = {
    const A: f32 = 0.923_879_5;
    const B: f32 = 0.707_106_77;
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
        [-1.0, 0.0],
        [-A, -C],
        [-B, -B],
        [-C, -A],
        [0.0, -1.0],
        [C, -A],
        [B, -B],
        [A, -C],
    ]
};

/// Where one goes from another on the same place: the opposite of where that goes.
fn direction_between(own: u32, other: u32) -> Vec2 {
    let hash =
        (own.min(other).wrapping_mul(0x9E37_79B9) ^ own.max(other)).wrapping_mul(0x85EB_CA6B);
    let direction = Vec2::from(DIRECTIONS[(hash >> 28) as usize]);
    if own < other { direction } else { -direction }
}
