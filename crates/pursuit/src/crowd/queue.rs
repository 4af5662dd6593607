//! The queue rule: nobody presses on one who is ahead.

use glam::Vec2;

use super::body::{Body, Gait};
use super::gives_way::retreat;
use super::settle::heading;

/// At most so many neighbors hold one back: those that nothing moves, then those that are nearest. More takes longer where
/// many stand in one another. Less: one presses on some that are ahead.
const MOST: usize = 12;

/// A gap may be closed within so many ticks, or so many seconds where these are more. More: gaps close more slowly, and more
/// neighbors matter. Less: bumps.
const LOOK: (f32, f32) = (2.0, 1.0 / 30.0);

/// One who is ahead counts up to this cosine between the heading and the direction from there: about in front. More: those
/// beside it, too. Less: it presses in between others.
const FRONT: f32 = 0.2;

/// The same for one that was held up for some time: beside it, too, so that of two in a door one lets the other go. Less:
/// arches in doors hold for longer. More: it waits for some that it has passed.
const BESIDE: f32 = 0.8;

/// The seconds within which one that is held up becomes so considerate. More: arches hold for longer. Less: queues
/// hesitate.
const PATIENCE: [f32; 2] = [0.25, 0.5];

/// The gap that it leaves then, in parts of the distance. More: looser queues. Less: arches hold for longer.
const GAP: f32 = 0.1;

/// How far it turns aside then for one that does not go with it or that nothing moves, by tangent. More: it swerves. Less: two who meet stand longer.
const ASIDE: f32 = 0.05;

/// How much deeper than touching, in radii, another one may be before more is not made up for by walking. More: those inside
/// one another walk backwards. Less: contacts alone part them.
const DEEPEST: f32 = 0.1;

/// Seconds within which one behind others, or that was held up, is as fast as it wants. It carries a queue through a door.
/// More: fewer pass. Less: it starts with a jerk.
const QUICK: f32 = 0.05;

/// Seconds within which a gap may be closed, in ticks of `dt`.
pub(super) fn look_ahead(dt: f32) -> f32 {
    (LOOK.0 * dt).max(LOOK.1)
}

/// Velocities `v` with `v · normal` at least `least`.
#[derive(Clone, Copy, Debug, Default)]
struct HalfPlane {
    normal: Vec2,
    least: f32,
    /// The greater, the less it matters.
    key: f32,
}

impl HalfPlane {
    /// What one that is ahead allows, with a wider gap before one that walks.
    fn before(body: &Body, other: &Body, more: f32, dt: f32) -> Self {
        let apart = body.place - other.place;
        let distance = apart.length();
        let normal = apart / distance;
        let more = if other.is_settled || other.is_fixed() {
            0.0
        } else {
            more
        };
        let gap = distance - (body.radius + other.radius) * (1.0 + more);
        // Overlap is parted in ticks: with time to do it, a fast one would be through.
        let within = if gap > 0.0 {
            look_ahead(dt)
        } else {
            LOOK.0 * dt
        };
        let closing = gap.max(-DEEPEST * body.radius) / within;
        Self {
            normal,
            least: normal.dot(other.velocity).min(0.0) - closing,
            key: if other.is_fixed() {
                -1.0 / distance
            } else {
                distance
            },
        }
    }
}

/// Those of the neighbors that hold one back most.
#[derive(Default)]
struct Planes {
    all: [HalfPlane; MOST],
    count: usize,
}

impl Planes {
    /// Adds one at the end. If there are too many, the one with the greatest key leaves, the last of several.
    fn add(&mut self, plane: HalfPlane) {
        if self.count == MOST {
            let greatest = (1..MOST).fold(0, |greatest, at| {
                let is_greater = self.all[at].key >= self.all[greatest].key;
                if is_greater { at } else { greatest }
            });
            if plane.key >= self.all[greatest].key {
                return;
            }
            self.all.copy_within(greatest + 1.., greatest);
            self.count -= 1;
        }
        self.all[self.count] = plane;
        self.count += 1;
    }
}

/// The velocity of a member that presses on nobody who is ahead, and whether some are close in front of it.
pub(super) fn drive(
    own: usize,
    gait: &Gait,
    bodies: &[Body],
    near: &[u32],
    dt: f32,
) -> (Vec2, bool) {
    let body = &bodies[own];
    if body.is_settled || body.is_fixed() {
        return (Vec2::ZERO, false);
    }
    if let Some(velocity) = retreat(gait, body, bodies, near) {
        return (velocity, true);
    }
    let heading = heading(own, gait, bodies, near);
    let [begins, ends] = PATIENCE;
    let consideration = ((gait.mind.held_up - begins) / (ends - begins)).clamp(0.0, 1.0);
    let front = FRONT + (BESIDE - FRONT) * consideration;
    let mut planes = Planes::default();
    let (mut is_behind, mut is_crossed) = (false, false);
    for &other in near {
        let other = &bodies[other as usize];
        let apart = body.place - other.place;
        let (along, squared) = (apart.dot(heading), apart.length_squared());
        if along > 0.0 && along * along > front * front * squared || squared == 0.0 {
            continue;
        }
        let crosses = other.is_fixed() || !other.goes_with(body);
        is_crossed |= crosses;
        let counts = other.is_fixed() || !crosses && other.is_ahead_of(body);
        if !counts {
            continue;
        }
        is_behind |= !other.is_fixed();
        planes.add(HalfPlane::before(body, other, GAP * consideration, dt));
    }
    let is_held = planes.count > 0;
    let is_slow = is_held || gait.mind.held_up > 0.0 && !near.is_empty();
    let quick = if is_slow { gait.pace / QUICK } else { 0.0 };
    let now = body.velocity.dot(heading).max(0.0);
    let pace = gait.pace.min(now + gait.acceleration.max(quick) * dt);
    // Two on one line would stand before each other for ever: both turn to the same side.
    let wanted = if is_crossed && consideration > 0.0 {
        let aside = heading + heading.perp() * (ASIDE * consideration);
        aside.normalize_or_zero() * pace
    } else {
        heading * pace
    };
    let velocity = if is_held {
        soften(&planes.all[..planes.count], wanted, pace)
    } else {
        wanted.clamp_length_max(pace)
    };
    (velocity, is_behind)
}

/// The velocity near to `wanted`, at most so fast, that keeps to half-planes, softly: where not all can be kept, each gives
/// way. Hildreth's method (1957), coordinate by coordinate of the dual, with a compliance: it always has an answer, which
/// changes continuously.
fn soften(planes: &[HalfPlane], wanted: Vec2, most: f32) -> Vec2 {
    /// More: half-planes give way sooner. Less: the answer jumps where they contradict each other.
    const COMPLIANCE: f32 = 0.1;
    /// More: nearer to the exact answer, and slower.
    const SWEEPS: usize = 8;
    /// A sweep that changes less than this part of the speed is the last.
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
        let walls = [Vec2::NEG_X, Vec2::NEG_Y].map(|normal| HalfPlane {
            normal,
            least: 0.0,
            key: 0.0,
        });
        let along = soften(&walls[..1], Vec2::new(3.0, 4.0), 5.0);
        assert!(along.distance(Vec2::new(0.27, 4.0)) < 0.01, "{along}");
        let held = soften(&walls, Vec2::new(3.0, 4.0), 5.0);
        assert!(held.length() < 0.5, "{held}");
        assert_eq!(soften(&[], Vec2::X, 5.0), Vec2::X);
    }
}
