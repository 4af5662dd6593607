//! Finds out whether there is room beside a member.

use super::CrowdWalls;
use super::body::{CrowdBody, MemberPlan};

/// A row of this many members, or more, is treated as endless. With a greater number, members deep inside a waiting
/// crowd look for a gap before they settle. With a smaller one, members coming through a door settle in single file
/// behind it.
pub(super) const NO_WAY_PAST: u8 = 8;

/// Two members are treated as touching if their distance is less than this factor times the sum of their radii.
/// With a greater factor, a crowd settles more loosely. With a smaller one, a member that was pushed away a
/// little finds no other member to settle behind.
pub(super) const TOUCH_FACTOR: f32 = 1.15;

/// Counts the members standing in a row to the left and to the right of a member, up to the first gap. A side gets
/// [`NO_WAY_PAST`], the maximum, if a wall, a fixed member or a settled member is next to the member. Otherwise it
/// gets one more than the number that the next member on this side had for the same side after the previous tick.
pub(super) fn count_rows(
    plan: &MemberPlan,
    body: &CrowdBody,
    bodies: &[CrowdBody],
    near: &[u32],
    walls: &impl CrowdWalls,
) -> [u8; 2] {
    let mut sides = [0; 2];
    for &other in near {
        let other = &bodies[other as usize];
        let apart = other.place - body.place;
        let touching = TOUCH_FACTOR * (body.radius + other.radius);
        let (along, aside) = (body.heading.dot(apart), body.heading.perp_dot(apart));
        if aside.abs() <= along.abs() || apart.length_squared() >= touching * touching {
            continue;
        }
        let side = usize::from(aside < 0.0);
        let row = match other.is_settled || other.is_fixed() {
            true => NO_WAY_PAST,
            false if other.is_one_with(body) => {
                other.row_counts[side].saturating_add(1).min(NO_WAY_PAST)
            }
            false => 0,
        };
        sides[side] = row.max(sides[side]);
    }
    let diameter = 2.0 * body.radius;
    if plan.room < diameter {
        let left = body.heading.perp() * diameter;
        for (row, by) in sides.iter_mut().zip([left, -left]) {
            let next = body.place + by;
            if *row < NO_WAY_PAST
                && walls.confine(plan.ground_id, plan.wall_radius, body.place, next) != next
            {
                *row = NO_WAY_PAST;
            }
        }
    }
    sides
}
