//! Naive twins of the rules: they apply what the docs say to all members, in the plainest way.

mod contacts;
mod queue;
mod settle;

use super::*;
use crate::crowd::body::Body;

/// All members in reach of `own`: at most 32, the fixed ones first, then the nearest.
fn all_near<'b>(own: &Body, bodies: &'b [Body]) -> Vec<&'b Body> {
    let is_near = |other: &&Body| {
        let most = own.radius + other.radius + own.reach.max(other.reach);
        other.serial != own.serial && other.place.distance_squared(own.place) < most * most
    };
    let mut near: Vec<&Body> = bodies.iter().filter(is_near).collect();
    near.sort_by(|a, b| {
        let key = |it: &Body| (it.mass.is_finite(), it.place.distance_squared(own.place));
        key(a).partial_cmp(&key(b)).expect("numbers")
    });
    near.truncate(32);
    near
}

/// Whether both are near their goals and have no room for both there.
fn want_one_place(a: &Body, b: &Body) -> bool {
    let touching = a.radius + b.radius;
    let goals = [a, b].map(|it| it.place + it.heading * it.left);
    let are_near = a.left < 2.0 * touching && b.left < 2.0 * touching;
    are_near && goals[0].distance_squared(goals[1]) < touching * touching
}

fn stands_before(other: &Body, own: &Body) -> bool {
    other.group == own.group && other.stop - own.radius <= 2.0 * own.stop
}

fn is_one_with(a: &Body, b: &Body) -> bool {
    stands_before(a, b) && stands_before(b, a)
}

fn go_the_same_way(a: &Body, b: &Body) -> bool {
    is_one_with(a, b) || a.heading.dot(b.heading) > 0.5 || want_one_place(a, b)
}

/// One entry for each member in front of `own` that stands, goes to the same place, has less far to go and
/// touches it: whether it closes the way past on the left, and on the right.
fn supports(own: &Body, near: &[&Body]) -> Vec<[bool; 2]> {
    let mut supports = Vec::new();
    for other in near {
        let apart = other.place - own.place;
        let within = if own.is_settled { 1.45 } else { 1.15 };
        let touching = within * (own.radius + other.radius);
        let is_in_front = apart.dot(own.heading) > 0.0;
        let stands_before = stands_before(other, own);
        let goes_there = stands_before || want_one_place(own, other);
        let is_nearer = other.left < own.left;
        let touches = apart.length_squared() < touching * touching;
        if other.is_settled && is_in_front && goes_there && is_nearer && touches {
            let left = own.heading.perp_dot(apart);
            let is_taken = !stands_before;
            supports.push([left, -left].map(|it| is_taken || it > 0.1 * touching));
        }
    }
    supports
}

/// The sides that are closed by the members in front, left and right.
fn closed(supports: &[[bool; 2]]) -> [bool; 2] {
    [0, 1].map(|side| supports.iter().any(|it| it[side]))
}
