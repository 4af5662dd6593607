//! Crowds that come to rest and set out again.

use super::*;
use crate::cell::CellRect;
use crate::random::each_case;

fn places(members: &[Member]) -> Vec<Vec2> {
    members.iter().map(|member| member.place).collect()
}

fn count_rest(members: &[Member]) -> usize {
    members.iter().filter(|it| it.memory.rests).count()
}

/// Members on a lattice around the origin, with small gaps between them. Those nearest to the origin come first.
pub(super) fn standing(count: usize) -> Vec<Member> {
    let mut rng = Rng::with_seed(7);
    let mut members = chasers(&mut rng, 10_000, Vec2::ZERO, 0.0);
    for (index, member) in members.iter_mut().enumerate() {
        let (column, row) = (index as i32 % 100 - 50, index as i32 / 100 - 50);
        let shift = 0.25 * (row & 1) as f32;
        member.place = Vec2::new(column as f32 + shift + 0.1, row as f32 * 0.866) * 0.606;
    }
    members.sort_by(|a, b| a.place.length().total_cmp(&b.place.length()));
    members.truncate(count);
    members
}

#[test]
fn two_thousand_members_at_their_goal_settle_within_three_seconds() {
    let mut members = standing(2000);
    chase(&mut members, Vec2::ZERO, &Nowhere, 3.0);
    let settled = members.iter().filter(|it| it.memory.is_settled).count();
    assert!(
        settled > 1980,
        "only {settled} of 2000 stand after three seconds"
    );
    let before = places(&members);
    chase(&mut members, Vec2::ZERO, &Nowhere, 1.0);
    let rest = count_rest(&members);
    assert!(rest > 1980, "only {rest} of 2000 are at rest");
    let moved = places(&members).into_iter().zip(before);
    let most = moved
        .map(|(now, before)| now.distance(before))
        .fold(0.0, f32::max);
    assert!(most < 0.3, "a member at rest moved by {most}");
}

/// Within a tick, a checked member gives way a little to a push, and a resting member does not. So the push on a
/// neighbor may differ slightly between the two: it may be just below the smallest push that moves a member, or just
/// above it.
#[test]
fn resting_members_move_almost_as_if_checked_in_every_tick() {
    each_case(32, |rng| {
        let mut members = chasers(rng, 200, Vec2::ZERO, 8.0);
        let rests = rng.f32() * 6.0;
        chase(&mut members, Vec2::ZERO, &Nowhere, 4.0 + rests);
        assert!(members.iter().any(|it| it.memory.rests));
        let mut looked_at = members.clone();
        chase(&mut members, Vec2::ZERO, &Nowhere, 0.05);
        for _ in 0..3 {
            for member in &mut looked_at {
                member.memory.rests = false;
            }
            chase(&mut looked_at, Vec2::ZERO, &Nowhere, DT);
        }
        for (member, looked_at) in members.iter().zip(&looked_at) {
            let apart = member.place.distance(looked_at.place);
            assert!(apart < 0.03 * member.radius, "{apart} apart");
        }
    });
}

#[test]
fn a_resting_crowd_closes_a_hole_and_makes_room_for_an_intruder() {
    let mut members = standing(400);
    chase(&mut members, Vec2::ZERO, &Nowhere, 4.0);
    assert!(count_rest(&members) > 380);
    let sum_of_distances =
        |members: &[Member]| members.iter().map(|it| it.place.length()).sum::<f32>();
    let before = sum_of_distances(&members[60..]);
    members.drain(..60);
    chase(&mut members, Vec2::ZERO, &Nowhere, 4.0);
    assert!(
        sum_of_distances(&members) < before - 60.0,
        "the hole does not close"
    );

    let mut heavy = members[0];
    heavy.serial = u32::MAX;
    (heavy.place, heavy.weight) = (Vec2::new(4.0, 0.0), f32::INFINITY);
    members.push(heavy);
    chase(&mut members, Vec2::ZERO, &Nowhere, 1.0);
    let apart = nearest(&members);
    let gap = apart[members.len() - 1];
    assert!(gap > 0.9, "the crowd makes no room: {gap}");
}

/// The dead end is only five members wide, so even the members along the walls cannot pass the others.
#[test]
fn a_crowd_settles_in_a_dead_end_with_thick_walls() {
    let (width, height) = (60, 16);
    let mut builder = Grid::builder(width, height).expect("a good size");
    builder.fill(CellRect::new(Cell::new(0, 0), Cell::new(60, 16)), false);
    builder.fill(CellRect::new(Cell::new(2, 2), Cell::new(60, 13)), true);
    let map = NavMap::new(&builder.build(), 4.0, DiagonalPolicy::NoCornerCut);
    let layout = Layout::new(Vec2::ZERO, 1.0, width, height).expect("a good size");
    let walls = CrowdGround::new(&map, &layout, 0);
    let place = |n: i32| Vec2::new(4.0 + 2.2 * (n / 5) as f32, 3.1 + 2.2 * (n % 5) as f32);
    let mut members = chasers(&mut Rng::with_seed(2), 60, Vec2::ZERO, 0.0);
    for (n, member) in (0..).zip(&mut members) {
        (member.place, member.radius, member.pace) = (place(n), 1.08, 20.0);
    }
    chase(&mut members, Vec2::new(3.1, 7.5), &walls, 2.5);
    let settled = members.iter().filter(|it| it.memory.is_settled).count();
    assert!(settled > 57, "only {settled} of 60 stand");
}

/// A corridor that is too narrow for two members side by side.
struct Tube;

impl CrowdWalls for Tube {
    fn push_out(&self, _: u32, radius: f32, to: Vec2) -> Vec2 {
        Vec2::new(to.x, to.y.clamp(radius - 0.35, 0.35 - radius))
    }

    fn confine(&self, ground_id: u32, radius: f32, _: Vec2, to: Vec2) -> Vec2 {
        self.push_out(ground_id, radius, to)
    }
}

#[test]
fn a_file_walks_on_soon_after_a_short_stop_of_its_leader() {
    let mut members = chasers(&mut Rng::with_seed(1), 60, Vec2::ZERO, 0.0);
    for (index, member) in members.iter_mut().enumerate() {
        member.place = Vec2::new(-0.61 * index as f32, 0.0);
    }
    let mut crowd = Crowd::default();
    for tick in 0..60 * 5 {
        for member in &mut members {
            (member.heading, member.remaining) = (Vec2::X, 1000.0 - member.place.x);
            member.has_arrived = member.serial == 0 && tick < 60;
            member.pace = if member.has_arrived { 0.0 } else { 6.0 };
        }
        advance(&mut crowd, &mut members, &Tube);
    }
    let last = members[59].place.x;
    assert!(
        last > -25.0,
        "after five seconds the last of a file is at {last}"
    );
}

#[test]
fn resting_members_are_not_held_up() {
    let mut members = standing(200);
    chase(&mut members, Vec2::ZERO, &Nowhere, 5.0);
    assert!(count_rest(&members) > 190);
    let held_up_seconds = members
        .iter()
        .map(|it| it.memory.held_up_seconds)
        .fold(0.0, f32::max);
    assert_eq!(held_up_seconds, 0.0);
}

#[test]
fn invalid_members_wake_no_resting_members() {
    let mut members = standing(200);
    chase(&mut members, Vec2::ZERO, &Nowhere, 5.0);
    let mut with = members.clone();
    for serial in 1000..1020 {
        let mut odd = Member {
            serial,
            memory: CrowdMemory::default(),
            ..members[0]
        };
        match serial % 2 {
            0 => odd.place = Vec2::NAN,
            _ => odd.radius = 0.0,
        }
        with.push(odd);
    }
    chase(&mut members, Vec2::ZERO, &Nowhere, 0.05);
    chase(&mut with, Vec2::ZERO, &Nowhere, 0.05);
    assert_eq!(members, with[..200]);
}

/// Ground on one side of a line.
pub(super) struct Beyond(pub(super) f32);

impl CrowdWalls for Beyond {
    fn push_out(&self, _: u32, radius: f32, to: Vec2) -> Vec2 {
        Vec2::new(to.x.max(self.0 + radius), to.y)
    }

    fn confine(&self, _: u32, radius: f32, from: Vec2, to: Vec2) -> Vec2 {
        let gets_out = to.x >= (self.0 + radius).min(from.x);
        if gets_out { to } else { from }
    }
}

#[test]
fn a_new_wall_moves_resting_members() {
    let mut members = standing(300);
    chase(&mut members, Vec2::ZERO, &Nowhere, 4.0);
    assert!(count_rest(&members) > 285);
    let most_left = |members: &[Member]| members.iter().map(|it| it.place.x).fold(0.0, f32::min);
    let wall = most_left(&members) + 0.5;
    chase(&mut members, Vec2::ZERO, &Beyond(wall), 3.0);
    assert!(
        most_left(&members) > wall + 0.29,
        "some members are still in the wall"
    );
}

#[test]
fn a_crowd_comes_to_rest_around_its_goal_without_overlaps() {
    each_case(4, |rng| {
        let goal = any_vector(rng, 100.0);
        let mut members = chasers(rng, 150, goal, 12.0);
        chase(&mut members, goal, &Nowhere, 10.0);
        let before = places(&members);
        chase(&mut members, goal, &Nowhere, 2.0);
        assert_eq!(places(&members), before, "members at rest must not move");
        assert!(members.iter().all(|member| member.memory.is_settled));
        let mut apart = nearest(&members);
        apart.sort_by(f32::total_cmp);
        assert!(
            apart[0] > 0.93 && apart[75] < 1.03,
            "{} {}",
            apart[0],
            apart[75]
        );
        // 150 members fill a disc with a radius of 3.9.
        let mean = members
            .iter()
            .map(|it| it.place.distance(goal))
            .sum::<f32>()
            / 150.0;
        assert!(
            mean < 1.3 * 3.9 * 2.0 / 3.0,
            "the mean distance from the goal is {mean}"
        );
    });
}

/// Each member has a goal of its own, and the goals are closer together than bodies can be.
#[test]
fn members_with_overlapping_goals_come_to_rest() {
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
                goal_id: n as u32,
                serial: n as u32,
                settles: true,
                ..Member::default()
            })
            .collect();
        let (mut crowd, mut moved) = (Crowd::default(), Vec::new());
        let mut walked = 0.0;
        for tick in 0..900 {
            for (member, goal) in members.iter_mut().zip(&goals) {
                head_for(member, *goal);
                member.has_arrived =
                    member.remaining < 0.01 || member.has_arrived && member.remaining < 0.1;
                member.pace = 3.0_f32.min(member.remaining / DT);
                if member.has_arrived {
                    (member.heading, member.pace) = (Vec2::ZERO, 0.0);
                }
            }
            step(
                &mut crowd,
                &members,
                &Nowhere,
                DT,
                &SingleThread,
                &mut moved,
            );
            if tick >= 600 {
                let way =
                    |(member, moved): (&Member, &StepResult)| member.place.distance(moved.place);
                walked += members.iter().zip(&moved).map(way).sum::<f32>();
            }
            apply_all(&mut members, &moved);
        }
        assert!(
            walked < 0.01,
            "the members walked {walked} in five seconds: {goals:?}, {members:#?}"
        );
    });
}

#[test]
fn a_resting_crowd_follows_a_goal_that_moves_away() {
    let rng = &mut Rng::with_seed(3);
    let mut members = chasers(rng, 60, Vec2::ZERO, 6.0);
    chase(&mut members, Vec2::ZERO, &Nowhere, 8.0);
    let goal = Vec2::new(40.0, 0.0);
    chase(&mut members, goal, &Nowhere, 3.0);
    let stand = members
        .iter()
        .filter(|member| member.memory.is_settled)
        .count();
    assert_eq!(stand, 0, "members that still stand");
    chase(&mut members, goal, &Nowhere, 15.0);
    let is_astray = |it: &&Member| !it.memory.is_settled || it.place.distance(goal) > 7.0;
    let astray: Vec<&Member> = members.iter().filter(is_astray).collect();
    assert!(astray.is_empty(), "{astray:?}");
}

#[test]
fn a_thousand_members_on_one_point_spread() {
    let mut members = chasers(&mut Rng::with_seed(1), 1000, Vec2::new(7.0, -3.0), 0.0);
    for member in &mut members {
        (member.pace, member.settles) = (0.0, false);
    }
    let (mut crowd, mut moved) = (Crowd::default(), Vec::new());
    for _ in 0..900 {
        step(&mut crowd, &members, &Nowhere, DT, &Cut(2), &mut moved);
        apply_all(&mut members, &moved);
    }
    let apart = nearest(&members);
    let tight = apart.iter().filter(|apart| **apart < 0.9).count();
    assert!(
        tight < 10,
        "{tight} of 1000 members still overlap another one"
    );
}

#[test]
fn settled_members_set_out_soon_after_their_goal_passes_them() {
    let rng = &mut Rng::with_seed(5);
    let mut members = chasers(rng, 200, Vec2::ZERO, 8.0);
    chase(&mut members, Vec2::ZERO, &Nowhere, 12.0);
    let front = |it: &&Member| it.place.x > 3.0;
    let in_front: Vec<u32> = members.iter().filter(front).map(|it| it.serial).collect();
    // The goal passes the foremost member, and moves on by twice the width of a member.
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
        .filter(|it| it.memory.is_settled)
        .count();
    assert_eq!(stand, 0, "members still stand, of {}", in_front.len());
}

/// Walks a file of members for `ticks` ticks. The first member blocks the others, and `reports` says whether the second
/// member has reported the jam.
fn walk_file(members: &mut [Member], ticks: usize, reports: bool) {
    let (mut crowd, mut moved) = (Crowd::default(), Vec::new());
    for _ in 0..ticks {
        for member in members[1..].iter_mut() {
            head_for(member, Vec2::new(30.0, 0.0));
            member.pace = 3.0;
        }
        members[1].memory.has_reported = reports;
        step(&mut crowd, members, &Nowhere, DT, &SingleThread, &mut moved);
        apply_all(members, &moved);
    }
}

#[test]
fn a_line_reports_its_jam_once_and_forgets_it_when_the_line_walks() {
    let member = |n: u32| Member {
        place: Vec2::new(-0.85 * n as f32, 0.0),
        radius: 0.4,
        acceleration: 20.0,
        serial: n,
        settles: true,
        ..Member::default()
    };
    let mut members: Vec<Member> = (0..4).map(member).collect();
    members[0].weight = f32::INFINITY;
    members[0].goal_id = 1;
    let lead = |members: &[Member]| [1, 2, 3].map(|n| members[n].memory.leads_line);
    let know = |members: &[Member]| [1, 2, 3].map(|n| members[n].memory.report_seconds > 0.0);
    walk_file(&mut members, 60, false);
    assert_eq!(lead(&members), [true, false, false]);
    assert_eq!(know(&members), [false; 3], "nobody has reported the jam");
    walk_file(&mut members, 4, true);
    assert_eq!(know(&members), [true; 3], "one of them has reported it");
    // Another member comes to the front. It sends no second report.
    members[1].place.x -= 3.0;
    walk_file(&mut members, 2, true);
    assert!(!lead(&members)[1], "the jam would be reported twice");
    members[0].place.y = 20.0;
    walk_file(&mut members, 120, false);
    assert_eq!(know(&members), [false; 3], "the line walks");
}
