//! Pushes between touching members.

use glam::Vec2;

use super::body::CrowdBody;

/// If two members of the same mass overlap, the member ahead makes this share of the correction, and the member
/// behind makes the rest. With a greater share, up to a half, members push others that are ahead of them, and
/// pressure adds up. With a smaller share, a throng trembles.
const SHARE_AHEAD: f32 = 0.25;

/// Depth of an overlap, as a share of the sum of both radii, at which both members make half of the correction.
/// In a shallower overlap, the member ahead moves less. With a greater depth, the members behind are buried. With
/// a smaller one, it matters less which member is ahead.
const DEEP_OVERLAP: f32 = 0.2;

/// Two members closer than this share of the sum of their radii have no usable direction between them, so a hash
/// of their serials picks one. With a smaller value, rounding would decide the direction.
const MIN_SEPARATION: f32 = 1e-4;

/// The vector by which a member is pushed by its neighbors in one relaxation pass. The pass resolves the share `part`
/// of each overlap.
#[inline]
pub(super) fn push(
    own: usize,
    places: &[Vec2],
    bodies: &[CrowdBody],
    near: &[u32],
    part: f32,
) -> Vec2 {
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
        let away = match distance > MIN_SEPARATION * wanted {
            true => apart / distance,
            false => arbitrary_direction(body.serial, bodies[other].serial),
        };
        let missing = wanted - distance;
        sum += away * (missing * share(body, &bodies[other], missing / wanted));
    }
    (sum * part).clamp_length_max(body.radius)
}

/// The share of the correction of an overlap that `own` makes, from 0 to 1. `other` makes the rest. It depends on
/// which of the two is ahead, and on their masses. `depth` is the depth of the overlap as a share of the sum of
/// both radii.
fn share(own: &CrowdBody, other: &CrowdBody, depth: f32) -> f32 {
    if other.mass.is_infinite() {
        return 1.0;
    }
    let by_order = match own.is_ahead_of(other) {
        _ if !own.goes_with(other) => 0.5,
        true => SHARE_AHEAD,
        false => 1.0 - SHARE_AHEAD,
    };
    let by_order = by_order + (0.5 - by_order) * (depth / DEEP_OVERLAP).min(1.0);
    let [given, taken] = [by_order * other.mass, (1.0 - by_order) * own.mass];
    given / (given + taken)
}

/// An arbitrary direction in which a member moves away from another one at the same position. The other member
/// gets the opposite direction.
fn arbitrary_direction(own: u32, other: u32) -> Vec2 {
    /// Directions spread evenly over half a circle.
    const DIRECTIONS: [[f32; 2]; 8] = {
        // Angles in degrees.
        const COS_22_5: f32 = 0.923_879_5;
        const SIN_22_5: f32 = 0.382_683_43;
        const SIN_45: f32 = std::f32::consts::FRAC_1_SQRT_2;
        [
            [1.0, 0.0],
            [COS_22_5, SIN_22_5],
            [SIN_45, SIN_45],
            [SIN_22_5, COS_22_5],
            [0.0, 1.0],
            [-SIN_22_5, COS_22_5],
            [-SIN_45, SIN_45],
            [-COS_22_5, SIN_22_5],
        ]
    };
    let [low, high] = [own.min(other), own.max(other)];
    let hash = (low.wrapping_mul(0x9E37_79B9) ^ high).wrapping_mul(0x85EB_CA6B);
    let direction = Vec2::from(DIRECTIONS[(hash >> 29) as usize]);
    let turns = (hash >> 28) & 1 == 0;
    match (own < other) == turns {
        true => direction,
        false => -direction,
    }
}
