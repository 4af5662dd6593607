//! A naive twin of the contacts.

use glam::DVec2;

use super::queue::goes_first;
use super::*;
use crate::crowd::contacts::push;
use crate::random::each_case;
use crate::search::oracle::cases;

/// The share of an overlap by which `own` moves.
fn gives(own: &Body, other: &Body, depth: f64) -> f64 {
    if other.mass.is_infinite() {
        return 1.0;
    }
    let by_order = match (go_the_same_way(own, other), goes_first(own, other)) {
        (false, _) => 0.5,
        (true, true) => 0.25,
        (true, false) => 0.75,
    };
    let shallow = (1.0 - depth / 0.2).max(0.0);
    let by_order = 0.5 + (by_order - 0.5) * shallow;
    let [own, other] = [own.mass, other.mass].map(f64::from);
    by_order * other / (by_order * other + (1.0 - by_order) * own)
}

/// How far all other members push one that resolves the share `part` of each overlap: at most by its radius.
fn pushed(own: usize, bodies: &[Body], part: f64) -> DVec2 {
    let own_body = &bodies[own];
    let others = bodies.iter().enumerate().filter(|(index, _)| *index != own);
    let sum: DVec2 = others
        .map(|(_, other)| {
            let apart = (own_body.place - other.place).as_dvec2();
            let touching = f64::from(own_body.radius + other.radius);
            let missing = (touching - apart.length()).max(0.0);
            apart.normalize() * missing * gives(own_body, other, missing / touching)
        })
        .sum();
    (sum * part).clamp_length_max(f64::from(own_body.radius))
}

#[test]
fn contacts_push_by_the_sum_over_all_pairs() {
    let mut pairs = 0;
    each_case(400, |rng| {
        let members = any_members(rng, 2.0);
        let bodies: Vec<Body> = members
            .iter()
            .map(|member| Body::of(&member.sound(), 0.0))
            .filter(|body| body.radius > 0.0)
            .collect();
        let places: Vec<Vec2> = bodies.iter().map(|body| body.place).collect();
        for own in 0..bodies.len() {
            let near: Vec<u32> = (0..bodies.len() as u32)
                .filter(|it| *it != own as u32)
                .collect();
            let nearest = near
                .iter()
                .map(|it| places[*it as usize].distance(places[own]))
                .fold(f32::INFINITY, f32::min);
            if bodies[own].is_fixed() || nearest < 1e-2 {
                continue;
            }
            let made = push(own, &places, &bodies, &near, 0.6).as_dvec2();
            let expected = pushed(own, &bodies, f64::from(0.6_f32));
            assert!(
                made.distance(expected) < 1e-3 * (1.0 + expected.length()),
                "{made} {expected}"
            );
            pairs += usize::from(expected != DVec2::ZERO);
        }
    });
    assert!(pairs > cases(500), "only {pairs} members were pushed");
}
