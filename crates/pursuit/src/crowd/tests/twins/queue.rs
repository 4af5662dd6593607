//! A naive twin of the queue rule.

use glam::DVec2;

use super::*;
use crate::crowd::body::Gait;
use crate::crowd::levels::reach;
use crate::crowd::queue::drive;
use crate::random::each_case;
use crate::search::oracle::cases;

const COMPLIANCE: f64 = 0.1;

/// The velocities that a member may have: those with `v · normal` of at least `least`, softly, close to the
/// wanted one.
struct Allowed {
    planes: Vec<(DVec2, f64)>,
    wanted: DVec2,
    pace: f64,
    /// All members that hold it back, including those beyond the first twelve.
    ahead: Vec<u32>,
    is_past: bool,
    is_aside: bool,
}

pub(super) fn goes_first(a: &Body, b: &Body) -> bool {
    if a.is_settled != b.is_settled {
        return a.is_settled;
    }
    let in_front = (a.place - b.place).dot(a.heading + b.heading) / 2.0;
    let is_compared = is_one_with(a, b) || want_one_place(a, b);
    let less_far = if is_compared { b.left - a.left } else { 0.0 };
    let lead = in_front + 0.5 * less_far;
    lead > 0.0 || (lead == 0.0 && a.serial < b.serial)
}

/// The direction past standing members for a member that looks for a place among them. `None` if it goes
/// where it wants.
fn way_past(own: &Body, mind: &Mind, settles: bool, near: &[&Body]) -> Option<Vec2> {
    let supports = supports(own, near);
    if !settles || mind.unsettled == 0.0 || supports.is_empty() {
        return None;
    }
    let left = own.heading.perp();
    match closed(&supports) {
        [true, true] => None,
        [true, false] => Some(-left),
        [false, true] => Some(left),
        [false, false] if own.serial.is_multiple_of(2) => Some(left),
        [false, false] => Some(-left),
    }
}

/// The half-plane of velocities at which a member may approach one that is ahead.
fn allowed_before(own: &Body, other: &Body, consideration: f32, dt: f32) -> (DVec2, f64) {
    let away = (own.place - other.place).as_dvec2().normalize();
    let touching = f64::from(own.radius + other.radius);
    let walks = !other.is_settled && other.mass.is_finite();
    let wanted = touching
        * (1.0
            + if walks {
                0.1 * f64::from(consideration)
            } else {
                0.0
            });
    let gap = f64::from(own.place.distance(other.place)) - wanted;
    let ticks = f64::from(2.0 * dt);
    let closes = if gap > 0.0 {
        gap / ticks.max(1.0 / 30.0)
    } else {
        gap.max(-0.1 * f64::from(own.radius)) / ticks
    };
    let leaves = (-other.velocity.as_dvec2().dot(away)).max(0.0);
    (away, -leaves - closes)
}

fn allowed(member: &Member, own: &Body, near: &[&Body], dt: f32) -> Allowed {
    let past = way_past(own, &member.mind, member.settles, near);
    let heading = past.unwrap_or(own.heading);
    let consideration = ((member.mind.held_up - 0.25) / 0.25).clamp(0.0, 1.0);
    let front = 0.2 + consideration * 0.6;
    let (mut planes, mut ahead) = (Vec::new(), Vec::new());
    let mut is_crossed = false;
    for other in near {
        let apart = own.place - other.place;
        let is_in_front = apart.dot(heading) <= front * apart.length();
        let is_fixed = other.mass.is_infinite();
        let goes_along = go_the_same_way(own, other);
        if apart != Vec2::ZERO && is_in_front {
            is_crossed |= is_fixed || !goes_along;
            if is_fixed || goes_along && goes_first(other, own) {
                planes.push(allowed_before(own, other, consideration, dt));
                ahead.push(other.serial);
            }
        }
    }
    planes.truncate(12);
    let is_slow = !ahead.is_empty() || (member.mind.held_up > 0.0 && !near.is_empty());
    let quick = if is_slow { member.pace / 0.05 } else { 0.0 };
    let now = own.velocity.dot(heading).max(0.0);
    let pace = (now + quick.max(member.acceleration) * dt).min(member.pace);
    let is_aside = is_crossed && consideration > 0.0;
    let turn = if is_aside { 0.05 * consideration } else { 0.0 };
    let direction = (heading + heading.perp() * turn).normalize_or_zero();
    Allowed {
        planes,
        wanted: (direction * pace).as_dvec2(),
        pace: f64::from(pace),
        ahead,
        is_past: past.is_some(),
        is_aside,
    }
}

impl Allowed {
    /// Gradient descent on `|v - wanted|² / 2 + Σ missing² / (2 · COMPLIANCE)`.
    fn solve(&self) -> DVec2 {
        let mut velocity = self.wanted;
        let step = 1.0 / (1.0 + self.planes.len() as f64 / COMPLIANCE);
        for _ in 0..3000 {
            let mut slope = velocity - self.wanted;
            for (normal, least) in &self.planes {
                let missing = (least - velocity.dot(*normal)).max(0.0);
                slope -= normal * (missing / COMPLIANCE);
            }
            velocity -= slope * step;
        }
        velocity
    }

    /// The greatest amount by which a velocity misses a half-plane.
    fn missing(&self, velocity: DVec2) -> f64 {
        let missing = |(normal, least): &(DVec2, f64)| least - velocity.dot(*normal);
        self.planes.iter().map(missing).fold(0.0, f64::max)
    }
}

/// Members that are scattered, or apart so that few overlap deeply. Their headings are random or lead to
/// goals.
fn any_crowd(rng: &mut Rng) -> Vec<Member> {
    let (count, side) = (rng.u32(2..40), 0.4 + 1.5 * rng.f32());
    let (are_apart, have_goals) = (rng.bool(), rng.bool());
    let goals = [0; 3].map(|_| any_vector(rng, 2.0 * side));
    let mut members: Vec<Member> = Vec::new();
    for serial in 0..count {
        let mut member = any_member(rng, serial, side);
        member.pace = member.pace.max(member.radius);
        for other in members.iter().filter(|_| are_apart) {
            let least = 0.8 * (other.radius + member.radius);
            let apart = member.place - other.place;
            if apart.length() < least {
                member.place = other.place + apart.normalize() * least;
            }
        }
        if have_goals {
            let way = goals[member.group as usize] - member.place;
            (member.heading, member.left) = (way.normalize_or_zero(), way.length());
        }
        member.mind.is_settled = rng.u8(0..3) == 0;
        member.mind.held_up = (rng.f32() - 0.3).max(0.0);
        member.mind.unsettled = (rng.f32() - 0.5).max(0.0);
        members.push(member);
    }
    rng.shuffle(&mut members);
    members
}

/// How often each situation occurred.
#[derive(Debug, Default)]
struct Met {
    held: u32,
    twelfth_counts: u32,
    contradicted: u32,
    past: u32,
    aside: u32,
    /// Sum of the errors of the velocities, each as a multiple of what the best velocity misses a half-plane
    /// by.
    off: f64,
}

/// Compares the velocity of a member with the best one that is allowed.
fn check(own: usize, members: &[Member], bodies: &[Body], dt: f32, met: &mut Met) {
    let (member, body) = (&members[own], &bodies[own]);
    let near = all_near(body, bodies);
    let drive_without = |left_out: &[u32]| {
        let is_near = |it: &Body| near.iter().any(|other| other.serial == it.serial);
        let is_in = |it: &Body| is_near(it) && !left_out.contains(&it.serial);
        let mut all: Vec<u32> = (0..bodies.len() as u32).collect();
        all.retain(|it| is_in(&bodies[*it as usize]));
        drive(own, &Gait::of(member), bodies, &all, dt)
    };
    let (found, is_behind) = drive_without(&[]);
    if body.is_settled || body.mass.is_infinite() {
        assert_eq!((found, is_behind), (Vec2::ZERO, false));
        return;
    }
    let allowed = allowed(member, body, &near, dt);
    let ahead = &allowed.ahead;
    let is_ahead = |it: &&Body| ahead.contains(&it.serial) && it.mass.is_finite();
    assert_eq!(is_behind, near.iter().any(is_ahead), "{member:?}");
    if ahead.len() > 12 && member.mind.unsettled == 0.0 {
        met.twelfth_counts += u32::from(drive_without(&ahead[11..]).0 != found);
        let (by_twelve, _) = drive_without(&ahead[12..]);
        assert_eq!(by_twelve, found, "members beyond the first twelve matter");
    }
    let exact = allowed.solve();
    let missing = allowed.missing(exact);
    let off = exact
        .clamp_length_max(allowed.pace)
        .distance(found.as_dvec2());
    // With one half-plane, a sweep is exact. Half-planes that contradict each other need more than eight
    // sweeps: in 4000 cases, the error is at most 2.6 times what the best velocity misses a half-plane by,
    // and 0.06 times on average.
    let rounding = 1e-5 * allowed.pace;
    let most = match ahead.len() {
        0 | 1 => rounding,
        _ => 3.0 * missing + 100.0 * rounding,
    };
    assert!(off <= most, "{found} for {exact}: {member:?}");
    if missing > rounding {
        met.held += 1;
        met.off += off / missing;
    }
    met.contradicted += u32::from(missing > 0.2 * allowed.pace);
    met.past += u32::from(allowed.is_past);
    met.aside += u32::from(allowed.is_aside);
}

#[test]
fn eight_sweeps_over_twelve_neighbors_come_close_to_the_best_velocity() {
    let mut met = Met::default();
    each_case(1000, |rng| {
        let dt = 0.004 + 0.03 * rng.f32();
        let members = any_crowd(rng);
        let bodies = members.iter().map(|it| Body::of(it, reach(it, dt)));
        let bodies: Vec<Body> = bodies.collect();
        for own in 0..members.len() {
            check(own, &members, &bodies, dt, &mut met);
        }
    });
    assert!(met.off / f64::from(met.held) < 0.08, "{met:?}");
    let counts = [met.twelfth_counts, met.contradicted, met.past, met.aside];
    assert!(counts.iter().all(|it| *it > cases(60)), "{met:?}");
}
