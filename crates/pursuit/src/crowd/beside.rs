//! Whether there is room beside a member.

use super::Walls;
use super::body::{Body, Gait};

/// A row this long counts as endless. More: in a crowd that waits, those who are so far from its sides look for a
/// place before they stand. Less: those who come through a door stand in a file behind it.
pub(super) const SHUT: u8 = 8;

/// Members touch up to this many times the sum of their radii. More: a looser crowd. Less: who was pushed away a little finds
/// nobody to settle behind.
pub(super) const TOUCHES: f32 = 1.15;

/// How many are beside it in a row, to its left and to its right, up to where there is room for one more: at most [`SHUT`], as
/// where one that stands, or a wall, is beside it. Each counts on from what its neighbors counted in the tick before.
pub(super) fn beside(
    gait: &Gait,
    body: &Body,
    bodies: &[Body],
    near: &[u32],
    walls: &impl Walls,
) -> [u8; 2] {
    let mut sides = [0; 2];
    for &other in near {
        let other = &bodies[other as usize];
        let apart = other.place - body.place;
        let touching = TOUCHES * (body.radius + other.radius);
        let (along, aside) = (body.heading.dot(apart), body.heading.perp_dot(apart));
        if aside.abs() <= along.abs() || apart.length_squared() >= touching * touching {
            continue;
        }
        let side = usize::from(aside < 0.0);
        let row = match other.is_settled || other.is_fixed() {
            true => SHUT,
            false if other.is_one_with(body) => other.beside[side].saturating_add(1).min(SHUT),
            false => 0,
        };
        sides[side] = row.max(sides[side]);
    }
    let diameter = 2.0 * body.radius;
    if gait.room < diameter {
        let left = body.heading.perp() * diameter;
        for (row, by) in sides.iter_mut().zip([left, -left]) {
            let next = body.place + by;
            if *row < SHUT && walls.confine(gait.ground, gait.wall_radius, body.place, next) != next
            {
                *row = SHUT;
            }
        }
    }
    sides
}
