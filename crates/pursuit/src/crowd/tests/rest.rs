//! Crowds that come to rest, and set out again.

use super::*;
use crate::random::each_case;

#[test]
fn a_crowd_comes_to_rest_around_its_goal_and_nobody_is_in_another() {
    each_case(4, |rng| {
        let goal = any_vector(rng, 100.0);
        let mut members = chasers(rng, 150, goal, 12.0);
        chase(&mut members, goal, &Nowhere, 10.0);
        let before = members.clone();
        chase(&mut members, goal, &Nowhere, 2.0);
        assert_eq!(members, before, "they still move");
        assert!(members.iter().all(|member| member.mind.is_settled));
        let mut apart = nearest(&members);
        apart.sort_by(f32::total_cmp);
        assert!(
            apart[0] > 0.93 && apart[75] < 1.03,
            "{} {}",
            apart[0],
            apart[75]
        );
        // 150 of them fill a disc of 3.9.
        let mean = members
            .iter()
            .map(|it| it.place.distance(goal))
            .sum::<f32>()
            / 150.0;
        assert!(mean < 1.3 * 3.9 * 2.0 / 3.0, "spread over {mean}");
    });
}

/// Each goes to a place of its own, and these are nearer to one another than bodies can be.
#[test]
fn those_whose_places_overlap_come_to_rest() {
    each_case(60, |rng| {
        let place = |rng: &mut Rng| any_vector(rng, 0.4);
        let goals: Vec<Vec2> = (0..rng.u32(2..5)).map(|_| place(rng)).collect();
        let mut members: Vec<Member> = goals
            .iter()
            .map(|_| any_vector(rng, 5.0))
            .enumerate()
            .map(|(n, place)| Member {
                place,
                radius: 0.4,
                acceleration: 20.0,
                group: n as u32,
                serial: n as u32,
                settles: true,
                ..Member::default()
            })
            .collect();
        let (mut crowd, mut moved) = (Crowd::default(), Vec::new());
        let mut walked = 0.0;
        for tick in 0..900 {
            for (member, goal) in members.iter_mut().zip(&goals) {
                let to_goal = *goal - member.place;
                member.left = to_goal.length();
                member.is_there = member.left < 0.01 || member.is_there && member.left < 0.1;
                let stands = member.is_there;
                member.heading = if stands {
                    Vec2::ZERO
                } else {
                    to_goal.normalize_or_zero()
                };
                member.pace = if stands {
                    0.0
                } else {
                    3.0_f32.min(member.left / DT)
                };
            }
            crowd.step(&members, &Nowhere, DT, &Alone, &mut moved);
            if tick >= 600 {
                let way = |(member, moved): (&Member, &Moved)| member.place.distance(moved.place);
                walked += members.iter().zip(&moved).map(way).sum::<f32>();
            }
            take_over(&mut members, &moved);
        }
        assert!(
            walked < 0.01,
            "in five seconds they walked {walked}: {goals:?}, {members:#?}"
        );
    });
}

#[test]
fn a_crowd_at_rest_follows_once_the_goal_is_elsewhere() {
    let rng = &mut Rng::with_seed(3);
    let mut members = chasers(rng, 60, Vec2::ZERO, 6.0);
    chase(&mut members, Vec2::ZERO, &Nowhere, 8.0);
    let goal = Vec2::new(40.0, 0.0);
    chase(&mut members, goal, &Nowhere, 3.0);
    let stand = members
        .iter()
        .filter(|member| member.mind.is_settled)
        .count();
    assert_eq!(stand, 0, "still stand");
    chase(&mut members, goal, &Nowhere, 15.0);
    let is_astray = |it: &&Member| !it.mind.is_settled || it.place.distance(goal) > 7.0;
    let astray: Vec<&Member> = members.iter().filter(is_astray).collect();
    assert!(astray.is_empty(), "{astray:?}");
}

#[test]
fn a_thousand_on_one_point_spread() {
    let mut members = chasers(&mut Rng::with_seed(1), 1000, Vec2::new(7.0, -3.0), 0.0);
    for member in &mut members {
        (member.pace, member.settles) = (0.0, false);
    }
    let (mut crowd, mut moved) = (Crowd::default(), Vec::new());
    for _ in 0..900 {
        crowd.step(&members, &Nowhere, DT, &Cut(2), &mut moved);
        take_over(&mut members, &moved);
    }
    let apart = nearest(&members);
    let tight = apart.iter().filter(|apart| **apart < 0.9).count();
    assert!(tight < 10, "{tight} of 1000 are still in another");
}

#[test]
fn who_stood_where_a_goal_passed_waited_until_it_was_far() {
    let rng = &mut Rng::with_seed(5);
    let mut members = chasers(rng, 200, Vec2::ZERO, 8.0);
    chase(&mut members, Vec2::ZERO, &Nowhere, 12.0);
    let front = |it: &&Member| it.place.x > 3.0;
    let in_front: Vec<u32> = members.iter().filter(front).map(|it| it.serial).collect();
    // It goes past the foremost, and as far again as two of them are wide.
    let edge = members.iter().map(|it| it.place.x).fold(0.0, f32::max);
    for step in 1..=10 {
        let goal = Vec2::new((edge + 1.2) * step as f32 / 10.0, 0.0);
        chase(&mut members, goal, &Nowhere, 0.15);
    }
    let goal = Vec2::new(edge + 3.0, 0.0);
    chase(&mut members, goal, &Nowhere, 0.3);
    let near = |it: &&Member| it.place.y.abs() < 2.0 && in_front.contains(&it.serial);
    let stand = members
        .iter()
        .filter(near)
        .filter(|it| it.mind.is_settled)
        .count();
    assert_eq!(stand, 0, "of {}", in_front.len());
}
