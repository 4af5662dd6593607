//! Properties of the rules of a crowd. They do not depend on the constants of the rules.

use std::array;

use super::*;
use crate::crowd::body::{CrowdBody, MemberPlan};
use crate::crowd::contacts::push;
use crate::crowd::queue::drive;
use crate::random::each_case;
use crate::search::oracle::cases;

/// Share of an overlap that one pass resolves.
const SHARE_PER_PASS: f32 = 0.6;

/// A crowd of overlapping members. Some members are settled or held up. They have random headings, or common
/// goals.
fn any_crowd(rng: &mut Rng) -> Vec<Member> {
    let (count, side) = (rng.u32(2..30), 0.4 + 1.5 * rng.f32());
    let goals = [0; 3].map(|_| any_vector(rng, 2.0 * side));
    let have_goals = rng.bool();
    let member = |serial| {
        let mut member = any_member(rng, serial, side);
        member.pace = member.pace.max(member.radius);
        if have_goals {
            let goal = goals[member.goal_id as usize];
            head_for(&mut member, goal);
        }
        member.memory.is_settled = rng.u8(0..3) == 0;
        member.memory.held_up_seconds = (rng.f32() - 0.3).max(0.0);
        member.memory.unsettled_seconds = (rng.f32() - 0.5).max(0.0);
        member
    };
    (0..count).map(member).collect()
}

fn bodies(members: &[Member]) -> Vec<CrowdBody> {
    let mut members = members.to_vec();
    members.iter_mut().for_each(Member::make_sound);
    members.iter().map(body_of).collect()
}

/// The indices of all members except `own`.
fn others(own: usize, count: usize) -> Vec<u32> {
    (0..count as u32).filter(|it| *it != own as u32).collect()
}

fn pushed(own: usize, members: &[Member]) -> Vec2 {
    let bodies = bodies(members);
    let places: Vec<Vec2> = bodies.iter().map(|it| it.place).collect();
    push(
        own,
        &places,
        &bodies,
        &others(own, bodies.len()),
        SHARE_PER_PASS,
    )
}

/// The velocity that the queue rule gives a member, and whether others are ahead of it.
fn driven(own: usize, members: &[Member]) -> (Vec2, bool) {
    let near = others(own, members.len());
    let mut plan = MemberPlan::default();
    plan.set(&members[own], &Nowhere);
    drive(own, &plan, &bodies(members), &near, DT)
}

/// A copy of the crowd with `turn` applied to all vectors, and with all lengths multiplied by `scale`.
fn transformed(members: &[Member], scale: f32, turn: fn(Vec2) -> Vec2) -> Vec<Member> {
    let transformed = |it: &Member| Member {
        place: turn(it.place) * scale,
        velocity: turn(it.velocity) * scale,
        heading: turn(it.heading),
        pace: it.pace * scale,
        acceleration: it.acceleration * scale,
        radius: it.radius * scale,
        remaining: it.remaining * scale,
        stop_distance: it.stop_distance * scale,
        ..*it
    };
    members.iter().map(transformed).collect()
}

fn quarter_turn(vector: Vec2) -> Vec2 {
    vector.perp()
}

fn mirror(vector: Vec2) -> Vec2 {
    Vec2::new(-vector.x, vector.y)
}

#[test]
fn a_crowd_that_is_scaled_or_turned_moves_as_scaled_or_turned() {
    each_case(400, |rng| {
        let members = any_crowd(rng);
        let large = transformed(&members, 4.0, |it| it);
        let turned = transformed(&members, 1.0, quarter_turn);
        for own in 0..members.len() {
            let by = pushed(own, &members);
            assert_eq!(pushed(own, &large), 4.0 * by);
            assert_eq!(pushed(own, &turned), quarter_turn(by));
            let (velocity, is_behind) = driven(own, &members);
            assert_eq!(driven(own, &large), (4.0 * velocity, is_behind));
            assert_eq!(driven(own, &turned), (quarter_turn(velocity), is_behind));
        }
    });
}

/// Members that look for a place or turn aside choose a side, so the test leaves them out.
#[test]
fn a_mirrored_crowd_moves_as_the_mirror_image() {
    each_case(400, |rng| {
        let mut members = any_crowd(rng);
        for member in &mut members {
            (
                member.memory.unsettled_seconds,
                member.memory.held_up_seconds,
            ) = (0.0, 0.0);
        }
        let mirrored = transformed(&members, 1.0, mirror);
        for own in 0..members.len() {
            assert_eq!(pushed(own, &mirrored), mirror(pushed(own, &members)));
            let (velocity, is_behind) = driven(own, &members);
            assert_eq!(driven(own, &mirrored), (mirror(velocity), is_behind));
        }
    });
}

#[test]
fn two_overlapping_bodies_share_the_correction_along_their_line() {
    let (mut heavy, mut ahead) = (0, 0);
    each_case(4000, |rng| {
        let mut pair: [Member; 2] = array::from_fn(|serial| any_member(rng, serial as u32, 1.0));
        pair.iter_mut()
            .for_each(|it| it.weight = [1.0, 1.0, 4.0][rng.usize(0..3)]);
        pair[1].place = pair[0].place + any_vector(rng, pair[0].radius + pair[1].radius);
        let apart = pair[0].place - pair[1].place;
        let touching = pair[0].radius + pair[1].radius;
        let by = [pushed(0, &pair), pushed(1, &pair)];
        let missing = touching - apart.length();
        if missing <= 0.0 || apart.length() < 0.01 * touching {
            assert!(missing > 0.0 || by == [Vec2::ZERO; 2]);
            return;
        }
        let away = apart.normalize();
        let [own, other] = [by[0].dot(away), -by[1].dot(away)];
        assert!(
            own >= 0.0 && other >= 0.0,
            "each body must move away from the other"
        );
        assert!(by[0].perp_dot(away).abs() + by[1].perp_dot(away).abs() < 1e-4);
        let is_cut = [0, 1].map(|it| by[it].length() > 0.99 * pair[it].radius);
        if is_cut == [false; 2] {
            let made = (own + other) / (SHARE_PER_PASS * missing);
            assert!(
                (made - 1.0).abs() < 1e-2,
                "both together make {made} of the correction"
            );
            let bodies = bodies(&pair);
            if bodies[0].mass > 2.0 * bodies[1].mass && !bodies[0].goes_with(&bodies[1]) {
                assert!(own < other, "the heavier body must move less");
                heavy += 1;
            }
            let is_even = bodies[0].mass == bodies[1].mass;
            if is_even && bodies[0].goes_with(&bodies[1]) && bodies[0].is_ahead_of(&bodies[1]) {
                assert!(own <= 1.001 * other, "the body ahead must not move more");
                ahead += 1;
            }
        }
    });
    assert!(
        heavy.min(ahead) > cases(20),
        "too few cases: {heavy} and {ahead}"
    );
}

#[test]
fn a_push_is_at_most_a_radius_and_a_fixed_neighbor_makes_no_part_of_it() {
    each_case(400, |rng| {
        let members = any_crowd(rng);
        for (own, member) in members.iter().enumerate() {
            let by = pushed(own, &members).length();
            assert!(by <= 1.0001 * member.radius, "{by}");
            let mut pair = [*member, members[(own + 1) % members.len()]];
            pair[1].weight = f32::INFINITY;
            let missing = member.radius + pair[1].radius - pair[0].place.distance(pair[1].place);
            let expected = (SHARE_PER_PASS * missing).clamp(0.0, member.radius);
            let by = pushed(0, &pair).length();
            assert!(
                (by - expected).abs() < 1e-4 * (1.0 + expected),
                "{by} {expected}"
            );
        }
    });
}

#[test]
fn no_member_walks_faster_than_its_pace_and_settled_or_fixed_members_do_not_walk() {
    each_case(400, |rng| {
        let members = any_crowd(rng);
        for (own, member) in members.iter().enumerate() {
            let (velocity, is_behind) = driven(own, &members);
            assert!(velocity.length() <= 1.0001 * member.pace, "{velocity}");
            if member.memory.is_settled || member.is_fixed() {
                assert_eq!((velocity, is_behind), (Vec2::ZERO, false));
            }
            let (alone, is_behind) = driven(0, &[*member]);
            assert!(!is_behind && alone.perp_dot(member.heading).abs() < 1e-3 * member.pace);
        }
    });
}

#[test]
fn no_member_presses_hard_on_a_neighbor_that_stands_in_front() {
    let mut held = 0;
    each_case(2000, |rng| {
        let mut walker = any_member(rng, 0, 1.0);
        walker.weight = 1.0;
        walker.pace = (0.5 + rng.f32()) * 10.0 * walker.radius;
        (walker.heading, walker.remaining) = (Vec2::X, 50.0);
        walker.velocity = Vec2::X * walker.pace;
        walker.settles = false;
        let mut post = walker;
        (post.serial, post.has_arrived, post.memory.is_settled) = (1, true, true);
        (post.velocity, post.remaining) = (Vec2::ZERO, 10.0);
        let angle = 0.8 * (rng.f32() - 0.5) * std::f32::consts::PI;
        let gap = 2.0 * walker.radius * rng.f32() * rng.f32();
        post.place = walker.place + Vec2::from_angle(angle) * (2.0 * walker.radius + gap);
        let (velocity, is_behind) = driven(0, &[walker, post]);
        assert!(is_behind, "the post must count as ahead");
        let toward = velocity.dot((post.place - walker.place).normalize());
        let closes = gap / DT;
        // The rule is soft: members may still approach each other at about a tenth of their pace, until contacts stop
        // them.
        assert!(
            toward <= closes + 0.15 * walker.pace,
            "{toward} over a gap of {gap}"
        );
        held += u32::from(toward < 0.5 * walker.pace);
    });
    assert!(held > cases(500), "only {held} walkers were held back");
}

#[test]
fn members_behind_or_far_ahead_hold_no_member_back() {
    each_case(1000, |rng| {
        let mut walker = any_member(rng, 0, 1.0);
        (walker.heading, walker.weight) = (Vec2::X, 1.0);
        walker.pace = (1.0 + rng.f32()) * 10.0 * walker.radius;
        let mut other = any_member(rng, 1, 1.0);
        other.memory.is_settled = rng.bool();
        let touching = walker.radius + other.radius;
        let sideways = 0.3 * (rng.f32() - 0.5) * touching;
        let along = match rng.bool() {
            true => -touching * (0.5 + rng.f32()),
            false => touching + walker.pace * (0.2 + rng.f32()) + other.velocity.length(),
        };
        other.place = walker.place + Vec2::new(along, sideways);
        let alone = driven(0, &[walker]).0;
        let velocity = driven(0, &[walker, other]).0;
        assert!(
            velocity.x >= alone.x - 1e-3 * walker.pace,
            "{velocity}, alone {alone}"
        );
    });
}

/// Runs 240 ticks of a crowd with one goal. It calls `check` with the members before each tick and with the
/// results of the tick.
fn each_tick(rng: &mut Rng, mut check: impl FnMut(&mut Rng, &[Member], &[StepResult])) {
    let (count, spread) = (rng.u32(2..50), 1.0 + 2.0 * rng.f32());
    let mut goal = any_vector(rng, 3.0);
    let mut members = chasers(rng, count, goal, spread);
    members
        .iter_mut()
        .for_each(|it| it.settles = rng.u8(0..10) > 0);
    let (mut crowd, mut moved) = (Crowd::default(), Vec::new());
    for tick in 0..240 {
        if tick == 160 {
            goal += Vec2::X * 30.0;
        }
        for member in &mut members {
            head_for(member, goal);
            member.has_arrived = member.remaining < 0.5;
        }
        step(
            &mut crowd,
            &members,
            &Nowhere,
            DT,
            &SingleThread,
            &mut moved,
        );
        check(rng, &members, &moved);
        apply_all(&mut members, &moved);
    }
}

#[test]
fn a_member_settles_only_at_its_goal_or_behind_a_standing_member() {
    let [mut at_goal, mut behind] = [0; 2];
    each_case(60, |rng| {
        each_tick(rng, |_, members, moved| {
            for (own, (member, after)) in members.iter().zip(moved).enumerate() {
                if !member.settles {
                    assert!(
                        !after.memory.is_settled,
                        "a member that does not settle must never be settled"
                    );
                }
                if member.memory.is_settled || !after.memory.is_settled {
                    continue;
                }
                let supports = |(index, other): (usize, &Member)| {
                    let near = 1.5 * (member.radius + other.radius);
                    let stands = other.memory.is_settled;
                    index != own && stands && other.place.distance(member.place) < near
                };
                at_goal += u32::from(member.has_arrived);
                let is_behind = members.iter().enumerate().any(supports);
                behind += u32::from(!member.has_arrived && is_behind);
                assert!(
                    member.has_arrived || is_behind,
                    "the member settles without support: {member:?}"
                );
            }
        });
    });
    assert!(
        at_goal.min(behind) > cases(100),
        "too few cases: {at_goal} and {behind}"
    );
}

#[test]
fn a_member_whose_goal_leaves_sets_out_within_a_second() {
    each_case(60, |rng| {
        let mut tick = 0;
        let mut have_stood = 0;
        each_tick(rng, |_, members, moved| {
            tick += 1;
            let stand = |it: &&Member| it.memory.is_settled;
            if tick == 160 {
                have_stood = members.iter().filter(stand).count();
            }
            if tick > 220 {
                // The goal moved by 30, which is far more than the remaining distance of any member.
                let still = moved.iter().filter(|it| it.memory.is_settled).count();
                assert_eq!(still, 0, "members that still stand, of {have_stood}");
            }
        });
        assert!(have_stood > 0);
    });
}

#[test]
fn the_memory_of_a_member_stays_within_its_bounds() {
    each_case(60, |rng| {
        each_tick(rng, |_, members, moved| {
            for (before, after) in members.iter().map(|it| it.memory).zip(moved) {
                let memory = after.memory;
                assert!((0.0..=2.0).contains(&memory.held_up_seconds), "{memory:?}");
                assert!(
                    memory.unsettled_seconds >= 0.0 && memory.row_counts.iter().all(|it| *it <= 8)
                );
                assert!(
                    memory.held_up_seconds <= before.held_up_seconds + 1.001 * DT,
                    "held_up_seconds must grow by at most one tick"
                );
                assert!(
                    !memory.rests || memory.is_settled,
                    "only a settled member may rest"
                );
            }
        });
    });
}
