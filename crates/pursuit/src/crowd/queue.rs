//! The queue rule: nobody presses on one who is ahead.

use glam::Vec2;

use super::Member;
use super::body::Body;
use super::settle::heading;

/// At most so many neighbors hold one back.
const MOST: usize = 12;

/// So many ticks ahead a gap may be closed.
pub(super) const LOOK: f32 = 2.0;

/// One who is ahead counts up to this cosine between the heading and the direction from there: about in front.
const FRONT: f32 = 0.2;

/// The same for one that was held up for some time: beside it, too, so that of two in a door one lets the other go.
const BESIDE: f32 = 0.8;

/// The seconds within which one that is held up becomes so considerate.
const PATIENCE: [f32; 2] = [0.25, 0.5];

/// The gap that it leaves then, in parts of the distance.
const GAP: f32 = 0.1;

/// How far it turns aside then, by tangent.
const ASIDE: f32 = 0.05;

/// How much deeper than touching, in radii, another one may be before more is not made up for by walking.
const DEEPEST: f32 = 0.1;

/// Seconds within which one behind others, or that was held up, is as fast as it wants.
const QUICK: f32 = 0.05;

/// Velocities `v` with `v · normal` at least `least`.
#[derive(Clone, Copy, Debug, Default)]
struct HalfPlane {
    normal: Vec2,
    least: f32,
}

/// The velocity of a member that presses on nobody who is ahead, and whether one of these holds it back.
pub(super) fn drive(
    own: usize,
    members: &[Member],
    bodies: &[Body],
    near: &[u32],
    dt: f32,
) -> (Vec2, bool) {
    let (member, body) = (&members[own], &bodies[own]);
    let heading = heading(own, members, bodies, near);
    if body.is_settled || member.is_fixed() {
        return (Vec2::ZERO, false);
    }
    let [begins, ends] = PATIENCE;
    let consideration = ((member.mind.held_up - begins) / (ends - begins)).clamp(0.0, 1.0);
    let front = FRONT + (BESIDE - FRONT) * consideration;
    let mut planes = [HalfPlane::default(); MOST];
    let (mut count, mut is_crossed) = (0, false);
    for &other in near {
        let (other, one) = (&members[other as usize], &bodies[other as usize]);
        let crosses = other.is_fixed() || !one.goes_with(body);
        let counts = other.is_fixed() || !crosses && one.is_ahead_of(body);
        let apart = member.place - other.place;
        let distance = apart.length();
        if distance == 0.0 || apart.dot(heading) > front * distance {
            continue;
        }
        is_crossed |= crosses;
        if !counts || count == MOST {
            continue;
        }
        let normal = apart / distance;
        let more = if one.is_settled || other.is_fixed() {
            0.0
        } else {
            GAP * consideration
        };
        let gap = distance - (member.radius + other.radius) * (1.0 + more);
        let closing = gap.max(-DEEPEST * member.radius) / (LOOK * dt);
        planes[count] = HalfPlane {
            normal,
            least: normal.dot(other.velocity).min(0.0) - closing,
        };
        count += 1;
    }
    let is_slow = count > 0 || member.mind.held_up > 0.0;
    let quick = if is_slow { member.pace / QUICK } else { 0.0 };
    let now = member.velocity.dot(heading).max(0.0);
    let pace = member.pace.min(now + member.acceleration.max(quick) * dt);
    // Two on one line would stand before each other for ever: both turn to the same side.
    let wanted = if is_crossed {
        let aside = heading + heading.perp() * (ASIDE * consideration);
        aside.normalize_or_zero() * pace
    } else {
        heading * pace
    };
    (soften(&planes[..count], wanted, pace), count > 0)
}

/// The velocity near to `wanted`, at most so fast, that keeps to half-planes, softly: where not all can be kept, each gives
/// way. Hildreth's method (1957), coordinate by coordinate of the dual, with a compliance: it always has an answer, which
/// changes continuously.
fn soften(planes: &[HalfPlane], wanted: Vec2, most: f32) -> Vec2 {
    const COMPLIANCE: f32 = 0.1;
    const SWEEPS: usize = 8;
    const ENOUGH: f32 = 1e-3;
    let mut velocity = wanted;
    let mut forces = [0.0_f32; MOST];
    for _ in 0..SWEEPS {
        let mut changed = 0.0;
        for (plane, force) in planes.iter().zip(&mut forces) {
            let missing = plane.least - velocity.dot(plane.normal) - COMPLIANCE * *force;
            let next = (*force + missing / (1.0 + COMPLIANCE)).max(0.0);
            velocity += plane.normal * (next - *force);
            changed += (next - *force).abs();
            *force = next;
        }
        if changed < ENOUGH * most {
            break;
        }
    }
    velocity.clamp_length_max(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_velocity_keeps_to_the_sides_it_may_not_cross() {
        let walls = [Vec2::NEG_X, Vec2::NEG_Y].map(|normal| HalfPlane { normal, least: 0.0 });
        let along = soften(&walls[..1], Vec2::new(3.0, 4.0), 5.0);
        assert!(along.distance(Vec2::new(0.27, 4.0)) < 0.01, "{along}");
        let held = soften(&walls, Vec2::new(3.0, 4.0), 5.0);
        assert!(held.length() < 0.5, "{held}");
        assert_eq!(soften(&[], Vec2::X, 5.0), Vec2::X);
    }
}
