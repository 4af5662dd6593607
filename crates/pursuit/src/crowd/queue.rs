//! The queue rule: no member presses against another one that is ahead of it.

use glam::Vec2;

use super::body::{CrowdBody, MemberPlan};
use super::gives_way::retreat;
use super::settle::heading;

/// Maximum number of neighbors that hold a member back. Fixed members are kept first, then the nearest ones. A
/// greater number takes longer to compute where many members overlap. With a smaller one, a member presses
/// against some members that are ahead.
const MAX_PLANES: usize = 12;

/// A member takes at least this many ticks, and at least [`LOOK_AHEAD_SECONDS`], to close a gap. With a longer time,
/// gaps close more slowly, and more neighbors matter. With a shorter one, members bump into each other.
const LOOK_AHEAD_TICKS: f32 = 2.0;
/// The shortest time in which a member may close a gap, in seconds, however short the ticks are.
const LOOK_AHEAD_SECONDS: f32 = 1.0 / 30.0;

/// A member that is ahead in the queue holds its follower back unless it is behind the follower's body. It counts as
/// behind if the angle between the follower's heading and the direction from the member to the follower has a cosine
/// above this value. With a greater value, members diagonally behind the follower hold it back as well. With a smaller
/// one, the follower squeezes in between others.
const FRONT_COSINE: f32 = 0.2;

/// The value of [`FRONT_COSINE`] for a member that was held up for some time. With this value, members diagonally
/// behind it hold it back as well, so that one of two members in a door lets the other one go first. With a smaller
/// value, arches in doors last longer. With a greater one, a member waits for others that it has already passed.
const PATIENT_FRONT_COSINE: f32 = 0.8;

/// How long a member is held up before it begins to be considerate, and before it is fully considerate, in seconds.
/// With longer times, arches in doors last longer. With shorter ones, queues hesitate.
const PATIENCE_SECONDS: [f32; 2] = [0.25, 0.5];

/// The gap that a considerate member leaves, as a share of the touching distance. With a greater gap, queues are
/// looser. With a smaller one, arches in doors last longer.
const PATIENT_GAP_SHARE: f32 = 0.1;

/// How fast a considerate member widens a gap, as a share of the speed with which it would resolve an overlap. With a
/// greater share, fewer members pass a door. With a smaller one, members overlap more in long marches.
const WIDENING_SHARE: f32 = 0.5;

/// How far a considerate member turns aside if there is a fixed member in front of it, or a member that goes another
/// way. The number is a tangent. With a greater one, the member swerves. With a smaller one, two members that meet
/// block each other for longer.
const PASS_ASIDE_TANGENT: f32 = 0.05;

/// Depth of the deepest overlap that a member resolves by walking, in its radii. With a greater value,
/// overlapping members walk backward. With a smaller one, only contacts separate them.
const MAX_RESOLVED_OVERLAP_RADII: f32 = 0.1;

/// Seconds within which a member reaches its pace if it is behind others or was held up. This carries a queue
/// through a door. With a longer time, fewer members pass the door. With a shorter one, a member starts with a
/// jerk.
const QUICK_START_SECONDS: f32 = 0.05;

/// The shortest time in which a member may close a gap, in seconds, for ticks of `dt` seconds.
pub(super) fn look_ahead(dt: f32) -> f32 {
    (LOOK_AHEAD_TICKS * dt).max(LOOK_AHEAD_SECONDS)
}

/// The velocities `v` with `v · normal ≥ least`.
#[derive(Clone, Copy, Debug, Default)]
struct HalfPlane {
    normal: Vec2,
    least: f32,
    /// If there are too many half-planes, those with the greatest keys are dropped.
    key: f32,
}

impl HalfPlane {
    /// The velocities that `other`, a member ahead, allows to `body`. The gap to a walking member is widened by
    /// `more`, a share of the touching distance.
    fn before(body: &CrowdBody, other: &CrowdBody, more: f32, dt: f32) -> Self {
        let apart = body.place - other.place;
        let distance = apart.length();
        let normal = apart / distance;
        let more = match other.is_settled || other.is_fixed() {
            true => 0.0,
            false => more,
        };
        let touching = body.radius + other.radius;
        let gap = distance - touching * (1.0 + more);
        let closing = match gap > 0.0 {
            true => gap / look_ahead(dt),
            // An overlap is resolved in [`LOOK_AHEAD_TICKS`], even if these are short. In [`LOOK_AHEAD_SECONDS`], a
            // fast member would get through the other one.
            false => gap.max(-MAX_RESOLVED_OVERLAP_RADII * body.radius) / (LOOK_AHEAD_TICKS * dt),
        };
        // A member does not follow a settled one that others push away.
        let leaves = match other.is_settled {
            true => 0.0,
            false => normal.dot(other.velocity).min(0.0),
        };
        Self {
            normal,
            // A considerate member widens its gap slowly, and does not walk backward for that.
            least: match gap <= 0.0 && distance > touching {
                true => (leaves - WIDENING_SHARE * closing).min(0.0),
                false => leaves - closing,
            },
            key: match other.is_fixed() {
                true => -1.0 / distance,
                false => distance,
            },
        }
    }
}

/// The half-planes of the neighbors that hold a member back most.
#[derive(Default)]
struct Planes {
    all: [HalfPlane; MAX_PLANES],
    count: usize,
}

impl Planes {
    /// Adds a half-plane at the end. If there are too many, the one with the greatest key is dropped. If several
    /// half-planes have this key, the last of them is dropped.
    fn add(&mut self, plane: HalfPlane) {
        if self.count == MAX_PLANES {
            let greatest = (1..MAX_PLANES).fold(0, |greatest, at| {
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

/// The velocity with which a member walks without pressing against members ahead, and whether such members are
/// close in front of it.
pub(super) fn drive(
    own: usize,
    plan: &MemberPlan,
    bodies: &[CrowdBody],
    near: &[u32],
    dt: f32,
) -> (Vec2, bool) {
    let body = &bodies[own];
    if body.is_settled || body.is_fixed() {
        return (Vec2::ZERO, false);
    }
    if let Some(velocity) = retreat(plan, body, bodies, near) {
        return (velocity, true);
    }
    let heading = heading(own, plan, bodies, near);
    let [begins, ends] = PATIENCE_SECONDS;
    let consideration = ((plan.memory.held_up_seconds - begins) / (ends - begins)).clamp(0.0, 1.0);
    let front = FRONT_COSINE + (PATIENT_FRONT_COSINE - FRONT_COSINE) * consideration;
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
        let gap = PATIENT_GAP_SHARE * consideration;
        planes.add(HalfPlane::before(body, other, gap, dt));
    }
    let is_held = planes.count > 0;
    let is_slow = is_held || plan.memory.held_up_seconds > 0.0 && !near.is_empty();
    let quick = match is_slow {
        true => plan.pace / QUICK_START_SECONDS,
        false => 0.0,
    };
    let now = body.velocity.dot(heading).max(0.0);
    let pace = plan.pace.min(now + plan.acceleration.max(quick) * dt);
    // Two members walking straight toward each other would block each other forever, so both turn to their left.
    let wanted = if is_crossed && consideration > 0.0 {
        let aside = heading + heading.perp() * (PASS_ASIDE_TANGENT * consideration);
        aside.normalize_or_zero() * pace
    } else {
        heading * pace
    };
    let planes = &planes.all[..planes.count];
    (soften(planes, wanted, pace), is_behind)
}

/// A velocity close to `wanted` that keeps softly to half-planes. Its speed is at most `max_speed`. If the half-planes
/// contradict each other, each of them yields a little. The solution uses Hildreth's method (1957), which is
/// coordinate descent on the dual problem, with a compliance. So there is always a velocity, and it changes
/// continuously.
fn soften(planes: &[HalfPlane], wanted: Vec2, max_speed: f32) -> Vec2 {
    /// The compliance of each half-plane, a number without a unit. With a greater one, half-planes yield
    /// sooner. With a smaller one, the velocity jumps where half-planes contradict each other.
    const PLANE_COMPLIANCE: f32 = 0.1;
    /// More sweeps come closer to the exact velocity, and take longer.
    const MAX_SWEEPS: usize = 8;
    /// The iteration stops after a sweep that changes less than this share of the maximum speed.
    const MIN_CHANGE_SHARE: f32 = 1e-3;
    let mut velocity = wanted;
    let mut forces = [0.0_f32; MAX_PLANES];
    for _ in 0..MAX_SWEEPS {
        let mut changed = 0.0;
        for (plane, force) in planes.iter().zip(&mut forces) {
            let missing = plane.least - velocity.dot(plane.normal) - PLANE_COMPLIANCE * *force;
            let next = (*force + missing / (1.0 + PLANE_COMPLIANCE)).max(0.0);
            velocity += plane.normal * (next - *force);
            changed += (next - *force).abs();
            *force = next;
        }
        if changed < MIN_CHANGE_SHARE * max_speed {
            break;
        }
    }
    velocity.clamp_length_max(max_speed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn soften_keeps_a_velocity_close_to_the_half_planes() {
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
