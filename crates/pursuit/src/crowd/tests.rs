use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use fastrand::Rng;
use glam::Vec2;

use super::body::Body;
use super::buckets::{Buckets, Survey};
use super::contacts::push;
use super::neighbors::{Lists, Look, NOWHERE, PADDING, look};
use super::*;
use crate::cell::{Cell, CellRect, DiagonalPolicy};
use crate::flow::{FieldBounds, FlowField, IntegrationField};
use crate::grid::Grid;
use crate::layout::Layout;
use crate::map::NavMap;
use crate::random::{any_field, each_case};
use crate::search::oracle::cases;
use crate::sight;
use crate::terrain::{AreaCosts, Areas};

const DT: f32 = 1.0 / 60.0;

/// Ground without walls.
struct Nowhere;

impl Walls for Nowhere {
    fn push_out(&self, _: u32, _: f32, to: Vec2) -> Vec2 {
        to
    }

    fn confine(&self, _: u32, _: f32, _: Vec2, to: Vec2) -> Vec2 {
        to
    }
}

/// Work in so many parts, the last first.
struct Cut(usize);

impl Workers for Cut {
    fn parts(&self, _: usize) -> usize {
        self.0
    }

    fn run<T: Send>(&self, parts: Vec<T>, work: impl Fn(T) + Sync) {
        parts.into_iter().rev().for_each(work);
    }
}

fn any_vector(rng: &mut Rng, most: f32) -> Vec2 {
    Vec2::new(rng.f32() - 0.5, rng.f32() - 0.5) * (2.0 * most)
}

fn any_member(rng: &mut Rng, serial: u32, side: f32) -> Member {
    let radius = [0.2, 0.3, 0.3, 1.1][rng.usize(0..4)];
    Member {
        place: any_vector(rng, side),
        velocity: any_vector(rng, 3.0),
        heading: any_vector(rng, 1.0).normalize_or_zero(),
        pace: rng.f32() * 20.0 * radius,
        acceleration: 10.0,
        radius,
        left: rng.f32() * 9.0,
        group: rng.u32(0..3),
        weight: [1.0, 1.0, 4.0, f32::INFINITY][rng.usize(0..4)],
        serial,
        settles: rng.bool(),
        ..Member::default()
    }
}

fn any_members(rng: &mut Rng, side: f32) -> Vec<Member> {
    let far = [0.0, 0.0, -40.0, 3000.0][rng.usize(0..4)];
    let count = rng.u32(1..90);
    let member = |serial| {
        let mut member = any_member(rng, serial, side);
        member.place += far;
        member
    };
    (0..count).map(member).collect()
}

fn take_over(members: &mut [Member], moved: &[Moved]) {
    for (member, moved) in members.iter_mut().zip(moved) {
        (member.place, member.velocity, member.mind) = (moved.place, moved.velocity, moved.mind);
    }
}

/// What becomes of members in some ticks, by serial.
fn after(
    mut members: Vec<Member>,
    walls: &impl Walls,
    workers: &impl Workers,
) -> BTreeMap<u32, Moved> {
    let (mut crowd, mut moved) = (Crowd::default(), Vec::new());
    for _ in 0..5 {
        crowd.step(&members, walls, DT, workers, &mut moved);
        take_over(&mut members, &moved);
    }
    members
        .iter()
        .map(|member| member.serial)
        .zip(moved)
        .collect()
}

fn any_sorted(rng: &mut Rng) -> (Buckets, Vec<Body>) {
    let reach = |member: &Member| (0.2 * member.pace).min(member.radius);
    let mut buckets = Buckets::default();
    let mut members = Vec::new();
    // What was sorted before makes no difference.
    for _ in 0..2 {
        members = any_members(rng, 3.0);
        rng.shuffle(&mut members);
        let survey = Survey::of(&members, 24, &Cut(9));
        buckets.sort(&members, &survey, 24, &Cut(9), reach);
    }
    let sorted = buckets.order.iter().map(|i| &members[*i as usize]);
    let bodies = sorted.map(|it| Body::of(it, reach(it))).collect();
    (buckets, bodies)
}

#[test]
fn neighbors_are_all_that_are_near_or_what_is_fixed_and_the_nearest() {
    let mut crowded = 0;
    each_case(300, |rng| {
        let (buckets, bodies) = any_sorted(rng);
        let mut seen: Vec<Look> = bodies.iter().map(look).collect();
        seen.extend([NOWHERE; PADDING]);
        let places: Vec<Vec2> = bodies.iter().map(|it| it.place).collect();
        let mut lists = Lists::default();
        lists.find(0..bodies.len(), &bodies, &seen, &buckets);
        let mut is_crowded = false;
        for (own, body) in bodies.iter().enumerate() {
            let is_near = |other: &Body| {
                let wide = |it: &Body| it.radius + it.reach;
                let most = (wide(body) + other.radius).max(wide(other) + body.radius);
                other.serial != body.serial
                    && other.place.distance_squared(body.place) < most * most
            };
            let mut expected: Vec<&Body> = bodies.iter().filter(|it| is_near(it)).collect();
            is_crowded |= expected.len() > 32;
            expected.sort_by(|a, b| {
                let key = |it: &Body| (it.mass.is_finite(), it.place.distance_squared(body.place));
                key(a).partial_cmp(&key(b)).expect("numbers")
            });
            expected.truncate(32);
            let mut expected: Vec<u32> = expected.iter().map(|it| it.serial).collect();
            let mut found: Vec<u32> = lists
                .of(own)
                .iter()
                .map(|i| bodies[*i as usize].serial)
                .collect();
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected, "of {body:?}");

            let among: Vec<u32> = (0..bodies.len() as u32)
                .filter(|it| *it != own as u32)
                .collect();
            let [by_list, by_all] =
                [lists.of(own), &among].map(|near| push(own, &places, &bodies, near, 0.6));
            if expected.len() < 32 {
                assert!(
                    by_list.distance(by_all) < 1e-4 * (1.0 + by_all.length()),
                    "{by_list} {by_all}"
                );
            }
        }
        crowded += u32::from(is_crowded);
    });
    assert!(crowded > 10, "only {crowded} with many near one");
}

#[test]
fn what_comes_of_a_tick_depends_on_nobodys_order_and_on_no_number_of_threads() {
    each_case(200, |rng| {
        let mut members = any_members(rng, 2.0);
        let expected = after(members.clone(), &Nowhere, &Alone);
        for parts in [1, 2, 3, 7, 200] {
            rng.shuffle(&mut members);
            assert_eq!(after(members.clone(), &Nowhere, &Cut(parts)), expected);
        }
    });
}

/// As a game, after a part of its tick.
fn go_on(members: &mut [Member], moved: &[Moved]) {
    for (member, moved) in members.iter_mut().zip(moved) {
        member.left -= (moved.place - member.place).dot(member.heading);
    }
    take_over(members, moved);
}

#[test]
fn a_tick_in_steps_is_so_many_ticks() {
    let mut looks = 0;
    each_case(300, |rng| {
        let mut members = any_members(rng, 2.0);
        for member in &mut members {
            member.pace *= 4.0;
        }
        let moves = |it: &&Member| it.weight.is_finite();
        let paces = members
            .iter()
            .filter(moves)
            .map(|it| it.pace * DT / it.radius);
        let fastest = paces.fold(0.0, f32::max);
        if fastest > 1.6 {
            return;
        }
        let steps = (fastest / 0.4).ceil().max(1.0);
        let (mut crowd, mut moved, mut expected) = (Crowd::default(), Vec::new(), members.clone());
        for _ in 0..steps as u32 {
            crowd.step(&expected, &Nowhere, DT / steps, &Alone, &mut moved);
            go_on(&mut expected, &moved);
        }
        crowd.step(&members, &Nowhere, DT, &Alone, &mut moved);
        // A tick remembers whether others were near in one of its steps.
        let lasts = |mind: Mind| Mind {
            is_among: false,
            ..mind
        };
        let found = moved
            .iter()
            .map(|it| (it.place, it.velocity, lasts(it.mind)));
        let expected = (expected.iter()).map(|it| (it.place, it.velocity, lasts(it.mind)));
        assert!(found.eq(expected), "in {steps} steps");
        looks += u32::from(steps > 1.0);
    });
    assert!(looks > 10, "only {looks} in steps");
}

#[test]
fn a_fast_one_jumped_over_a_row_that_stands() {
    for pace in 1..=10 {
        let rng = &mut Rng::with_seed(pace);
        let mut members = chasers(rng, 41, Vec2::ZERO, 0.0);
        for (index, member) in members.iter_mut().enumerate() {
            member.place = Vec2::new(0.0, 0.6 * (index as f32 - 20.0));
            (member.is_there, member.mind.is_settled) = (true, true);
        }
        let runner = Member {
            place: Vec2::new(-5.0 - rng.f32(), rng.f32()),
            heading: Vec2::X,
            pace: pace as f32 * 0.3 / DT,
            acceleration: 1e6,
            left: 1e3,
            serial: 99,
            is_there: false,
            mind: Mind::default(),
            ..members[0]
        };
        members.push(runner);
        let (mut crowd, mut moved) = (Crowd::default(), Vec::new());
        for _ in 0..60 {
            crowd.step(&members, &Nowhere, DT, &Alone, &mut moved);
            go_on(&mut members, &moved);
        }
        let place = members[41].place;
        assert!(place.x < 0.0, "{pace} radii a tick: {place}");
    }
}

#[test]
fn members_that_make_no_sense_stay_and_disturb_nobody() {
    each_case(200, |rng| {
        let members = any_members(rng, 2.0);
        let expected = after(members.clone(), &Nowhere, &Alone);
        let bad = [
            f32::NAN,
            f32::INFINITY,
            f32::NEG_INFINITY,
            -1.0,
            0.0,
            f32::MAX,
        ];
        let mut all = members;
        for serial in 1000..1010 {
            let mut odd = any_member(rng, serial, 2.0);
            match rng.bool() {
                true => odd.place.x = bad[rng.usize(0..3)],
                false => odd.radius = bad[rng.usize(0..5)],
            }
            all.push(odd);
        }
        let mut found = after(all, &Nowhere, &Alone);
        let odd = found.split_off(&1000);
        assert_eq!(found, expected);
        assert_eq!(odd.len(), 10);

        let mut wild = any_member(rng, 0, 2.0);
        wild.place = [wild.place, Vec2::splat(-1e30)][rng.usize(0..2)];
        wild.pace = bad[rng.usize(0..bad.len())];
        (wild.left, wild.weight) = (f32::NAN, f32::NAN);
        (wild.heading, wild.velocity) = (Vec2::NAN, Vec2::INFINITY);
        let moved = after(vec![wild, any_member(rng, 1, 0.2)], &Nowhere, &Alone);
        assert!(
            moved.values().all(|moved| moved.place.is_finite()),
            "{wild:?} {moved:?}"
        );
    });
}

#[test]
fn nobody_gets_into_a_wall_or_into_what_is_forbidden() {
    let mut looks = 0;
    each_case(300, |rng| {
        let (grid, field) = any_field(rng, 6..20);
        let rect = grid.rect();
        let mut areas = Areas::plain(rect.width(), rect.height()).expect("a good size");
        let corner = Cell::new(rng.i32(0..6), rng.i32(0..6));
        areas.fill(CellRect::new(corner, corner.offset(2, 2)), 1);
        let forbids = AreaCosts::plain().with(1, AreaCosts::FORBIDDEN);
        let map = NavMap::from_clearance(field, DiagonalPolicy::NoCornerCut)
            .with_areas(areas, &[forbids])
            .expect("the same size");
        let cell = [1.0, 0.5, 3.0][rng.usize(0..3)];
        let layout =
            Layout::new(any_vector(rng, 50.0), cell, rect.width(), rect.height()).expect("sound");
        let walls = CrowdGround::new(&map, &layout, 0);
        let clearance =
            |place: Vec2| sight::clearance_at(map.clearance(), layout.to_cell_space(place)) * cell;
        let is_free = |member: &Member| {
            let point = layout.to_cell_space(member.place);
            clearance(member.place) >= member.radius && !map.is_forbidden(point, 0)
        };
        let size = layout.max_corner() - layout.min_corner();
        let mut members = Vec::new();
        for serial in 0..60 {
            let mut member = any_member(rng, serial, 1.0);
            member.place = layout.min_corner() + size * Vec2::new(rng.f32(), rng.f32());
            (member.radius, member.pace) = (member.radius * cell, member.pace * cell);
            if is_free(&member) {
                members.push(member);
            }
        }
        let (mut crowd, mut moved) = (Crowd::default(), Vec::new());
        for _ in 0..40 {
            crowd.step(&members, &walls, DT, &Cut(2), &mut moved);
            for (member, moved) in members.iter_mut().zip(&moved) {
                let [from, to] = [member.place, moved.place].map(|it| layout.to_cell_space(it));
                let least = member.radius - 2e-3 * cell;
                assert!(
                    clearance(moved.place) >= least,
                    "{member:?} {moved:?} {}",
                    clearance(moved.place)
                );
                assert!(
                    map.line_of_sight(from, to, 0.75 * least / cell),
                    "through a wall: {member:?} {moved:?}"
                );
                assert!(!map.is_forbidden(to, 0), "{member:?} {moved:?}");
                looks += usize::from(from != to);
            }
            take_over(&mut members, &moved);
        }
    });
    assert!(looks > 1000, "only {looks} steps");
}

#[test]
fn where_there_is_room_no_wall_is_near() {
    let mut looks = 0;
    each_case(300, |rng| {
        let (_, field) = any_field(rng, 6..30);
        let rect = field.rect();
        let map = NavMap::from_clearance(field, DiagonalPolicy::NoCornerCut);
        let cell = [1.0, 0.5, 3.0][rng.usize(0..3)];
        let (width, height) = (rect.width(), rect.height());
        let layout = Layout::new(any_vector(rng, 50.0), cell, width, height).expect("sound");
        let walls = CrowdGround::new(&map, &layout, 0);
        let size = layout.max_corner() - layout.min_corner();
        for _ in 0..200 {
            let place = layout.min_corner() + size * (1.1 * Vec2::new(rng.f32(), rng.f32()) - 0.05);
            let radius = cell * rng.f32();
            let room = walls.room(0, radius, place);
            for _ in 0..4 {
                let to = place + any_vector(rng, 1.0).normalize_or_zero() * room * 0.999;
                let free = sight::clearance_at(map.clearance(), layout.to_cell_space(to)) * cell;
                assert!(
                    room == 0.0 || free >= radius - 1e-3 * cell,
                    "{place} {room} {free}"
                );
                assert!(to == place || walls.confine(0, radius, place, to) == to);
                looks += u32::from(room > 0.0);
            }
        }
    });
    assert!(looks > 1000, "only {looks} with room");
}

/// Members around a place, who want to get there.
fn chasers(rng: &mut Rng, count: u32, goal: Vec2, spread: f32) -> Vec<Member> {
    let member = |serial| Member {
        place: goal + any_vector(rng, spread),
        pace: 6.0,
        acceleration: 20.0,
        radius: 0.3,
        weight: 1.0,
        settles: true,
        serial,
        ..Member::default()
    };
    (0..count).map(member).collect()
}

fn chase(members: &mut [Member], goal: Vec2, walls: &impl Walls, seconds: f32) {
    let (mut crowd, mut moved) = (Crowd::default(), Vec::new());
    for _ in 0..(seconds / DT) as u32 {
        for member in &mut *members {
            let way = goal - member.place;
            (member.heading, member.left) = (way.normalize_or_zero(), way.length());
            member.is_there = member.left < 0.7;
        }
        crowd.step(members, walls, DT, &Alone, &mut moved);
        take_over(members, &moved);
    }
}

/// The least distance of each to another one, in the sum of radii.
fn nearest(members: &[Member]) -> Vec<f32> {
    let apart = |one: &Member, other: &Member| {
        one.place.distance(other.place) / (one.radius + other.radius)
    };
    let of = |one: &Member| {
        let others = members.iter().filter(|other| other.serial != one.serial);
        others
            .map(|other| apart(one, other))
            .fold(f32::INFINITY, f32::min)
    };
    members.iter().map(of).collect()
}

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

/// A wall that appears where somebody stands.
#[test]
fn who_stands_in_a_wall_gets_out_of_it() {
    let level = Grid::from_fn(9, 9, |cell| cell.x < 5).expect("a size");
    let map = NavMap::new(&level, 2.0, DiagonalPolicy::NoCornerCut);
    let layout = Layout::new(Vec2::ZERO, 1.0, 9, 9).expect("a layout");
    let walls = CrowdGround::new(&map, &layout, 0);
    for y in 2..7 {
        let mut members = [Member {
            place: Vec2::new(4.8, y as f32 + 0.3),
            radius: 0.4,
            settles: true,
            ..Member::default()
        }];
        let (mut crowd, mut moved) = (Crowd::default(), Vec::new());
        for _ in 0..20 {
            crowd.step(&members, &walls, DT, &Alone, &mut moved);
            take_over(&mut members, &moved);
        }
        assert!(members[0].place.x < 4.605, "{}", members[0].place);
        assert_eq!(members[0].velocity.length(), 0.0);
    }
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
fn two_on_one_line_stood_before_each_other_for_ever() {
    for fixed in [false, true] {
        let ends = [Vec2::new(-5.0, 2.0), Vec2::new(5.0, 2.0)];
        let mut members = chasers(&mut Rng::with_seed(1), 2, Vec2::ZERO, 0.0);
        if fixed {
            members[1].weight = f32::INFINITY;
        }
        let start = if fixed { Vec2::new(0.0, 2.0) } else { ends[1] };
        (members[0].place, members[1].place) = (ends[0], start);
        let (mut crowd, mut moved) = (Crowd::default(), Vec::new());
        for _ in 0..300 {
            for (member, goal) in members.iter_mut().zip([ends[1], ends[0]]) {
                let way = goal - member.place;
                (member.heading, member.left) = (way.normalize_or_zero(), way.length());
                (member.group, member.settles) = (member.serial, false);
            }
            crowd.step(&members, &Nowhere, DT, &Alone, &mut moved);
            take_over(&mut members, &moved);
        }
        assert!(
            members[0].place.distance(ends[1]) < 0.2,
            "{}",
            members[0].place
        );
    }
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

/// A room with a door of so many cells to the right, and where to go from each cell.
fn room(door: i32, radius: f32) -> (NavMap, FlowField) {
    let is_free = |cell: Cell| cell.x != 24 || (10..10 + door).contains(&cell.y);
    let grid = Grid::from_fn(40, 20, is_free).expect("a good size");
    let map = NavMap::new(&grid, 2.0, DiagonalPolicy::NoCornerCut);
    let (never, bounds) = (AtomicBool::new(false), FieldBounds::default());
    let goal = [(Cell::new(36, 10), 0)];
    let field = FlowField::build(
        &map.layers(radius),
        &goal,
        bounds,
        &mut IntegrationField::new(),
        &never,
    );
    (map, field.expect("not cancelled"))
}

#[test]
fn all_pass_a_door_that_was_shut_by_arches() {
    for (door, radius) in [(1, 0.5), (1, 0.3), (2, 0.5), (2, 0.45)] {
        let (map, field) = room(door, radius);
        let layout = Layout::new(Vec2::splat(-0.5), 1.0, 40, 20).expect("sound");
        let walls = CrowdGround::new(&map, &layout, 0);
        let rng = &mut Rng::with_seed(door as u64);
        let mut members = chasers(rng, 80, Vec2::new(10.0, 9.5), 9.0);
        let (mut crowd, mut moved) = (Crowd::default(), Vec::new());
        for _ in 0..(40.0 / DT) as u32 {
            for member in &mut members {
                (member.radius, member.settles) = (radius, false);
                let way = map.way_on(&field, member.place, radius).expect("a way");
                (member.heading, member.left) = (way.heading, way.left);
            }
            crowd.step(&members, &walls, DT, &Alone, &mut moved);
            take_over(&mut members, &moved);
            members.retain(|member| member.place.x < 30.0);
        }
        let left = members.len();
        assert_eq!(
            left, 0,
            "before a door of {door}, with a radius of {radius}"
        );
    }
}

#[test]
fn who_weighs_more_gives_way_less_and_what_is_fixed_not_at_all() {
    let pair = |weight, radius| {
        let one = Member {
            radius: 0.5,
            weight: 1.0,
            ..Member::default()
        };
        let place = Vec2::new(0.4, 0.0);
        let other = Member {
            place,
            weight,
            radius,
            serial: 1,
            ..one
        };
        let moved = after(vec![one, other], &Nowhere, &Alone);
        (moved[&0].place.x.abs(), (moved[&1].place.x - 0.4).abs())
    };
    let (one, other) = pair(1.0, 0.5);
    assert!(
        (one / other - 1.0).abs() < 0.2 && one + other > 0.5,
        "{one} {other}"
    );
    let (one, other) = pair(4.0, 0.5);
    assert!(one > 2.0 * other && other > 0.0, "{one} {other}");
    let (one, giant) = pair(1.0, 2.0);
    assert!(one > 4.0 * giant, "{one} {giant}");
    let (one, fixed) = pair(f32::INFINITY, 0.5);
    assert!(one > 0.5 && fixed == 0.0, "{one} {fixed}");
}

#[test]
fn no_time_is_no_change() {
    let rng = &mut Rng::with_seed(5);
    let members = any_members(rng, 1.0);
    let mut moved = Vec::new();
    for dt in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        Crowd::default().step(&members, &Nowhere, dt, &Alone, &mut moved);
        assert!(
            moved
                .iter()
                .zip(&members)
                .all(|(moved, member)| *moved == member.unmoved())
        );
    }
    Crowd::default().step(&[], &Nowhere, DT, &Alone, &mut moved);
    assert!(moved.is_empty());
}

/// Two rooms with a corridor of that half width between them.
struct Corridor(f32);

impl Walls for Corridor {
    fn push_out(&self, _: u32, radius: f32, to: Vec2) -> Vec2 {
        let most = if to.x.abs() < 3.0 { self.0 } else { 3.0 } - radius;
        Vec2::new(to.x, to.y.clamp(-most, most))
    }

    fn confine(&self, ground: u32, radius: f32, _: Vec2, to: Vec2) -> Vec2 {
        self.push_out(ground, radius, to)
    }
}

#[test]
fn two_who_met_in_a_corridor_stood_there_for_ever() {
    let mut backed = 0;
    each_case(200, |rng| {
        let radius = 0.3;
        let corridor = Corridor(0.5 * radius * (2.1 + 2.4 * rng.f32()));
        let walker = |serial: u32, side: f32, pace: f32| Member {
            place: Vec2::new(-4.0 * side, 0.0),
            pace,
            acceleration: 10.0,
            radius,
            group: serial,
            weight: 1.0,
            serial,
            ..Member::default()
        };
        let sides = if rng.bool() { [1.0, -1.0] } else { [-1.0, 1.0] };
        let mut pace = || 1.5 + 2.0 * rng.f32();
        let mut members = [0, 1].map(|one| walker(one, sides[one as usize], pace()));
        let (mut crowd, mut moved) = (Crowd::default(), Vec::new());
        let mut gave_way = [false; 2];
        let passed = |members: &[Member]| {
            let mut sides = members.iter().zip(sides);
            sides.all(|(member, side)| member.place.x * side > 3.5)
        };
        let mut ticks = 0;
        while !passed(&members) && ticks < 60 * 20 {
            for (member, side) in members.iter_mut().zip(sides) {
                let mouth = -3.0 * side;
                let goes_in = member.place.x * side < mouth * side;
                let to = Vec2::new(if goes_in { mouth } else { 9.0 * side }, 0.0) - member.place;
                (member.heading, member.left) = (to.normalize_or_zero(), to.length());
            }
            crowd.step(&members, &corridor, DT, &Alone, &mut moved);
            take_over(&mut members, &moved);
            for (gave_way, member) in gave_way.iter_mut().zip(&members) {
                *gave_way |= member.mind.gives_way;
            }
            ticks += 1;
        }
        let [fits, gave] = [4.0 * radius <= 2.0 * corridor.0, gave_way[0] || gave_way[1]];
        assert!(passed(&members), "{members:?}");
        assert!(gave_way != [true; 2] && !(fits && gave), "{members:?}");
        assert!(!fits || ticks < 600, "{ticks} ticks: {members:?}");
        backed += usize::from(gave);
    });
    assert!(backed > cases(40), "only {backed} gave way");
}

#[test]
fn those_who_met_in_a_door_stood_there_for_ever() {
    let mut gave_way = 0;
    for (door, radius, streams) in [
        (1, 0.45, [10, 1]),
        (1, 0.45, [20, 3]),
        (2, 0.5, [10, 10]),
        (3, 0.5, [30, 30]),
    ] {
        let (map, forward) = room(door, radius);
        let bounds = (FieldBounds::default(), &mut IntegrationField::new());
        let home = [(Cell::new(12, 10), 0)];
        let back = FlowField::build(
            &map.layers(radius),
            &home,
            bounds.0,
            bounds.1,
            &AtomicBool::new(false),
        );
        let fields = [forward, back.expect("not cancelled")];
        let layout = Layout::new(Vec2::splat(-0.5), 1.0, 40, 20).expect("sound");
        let walls = CrowdGround::new(&map, &layout, 0);
        let rng = &mut Rng::with_seed(door as u64);
        let mut members = chasers(rng, streams[0] + streams[1], Vec2::new(14.0, 9.5), 6.0);
        for (index, member) in members.iter_mut().enumerate() {
            let goes_back = index >= streams[0] as usize;
            // Those who come the other way are nobody's group.
            member.group = if goes_back { 1 + index as u32 } else { 0 };
            member.place.x += if goes_back { 18.0 } else { 0.0 };
        }
        let (mut crowd, mut moved) = (Crowd::default(), Vec::new());
        for _ in 0..(40.0 / DT) as u32 {
            for member in &mut members {
                (member.radius, member.settles) = (radius, false);
                let field = &fields[usize::from(member.group > 0)];
                let way = map.way_on(field, member.place, radius).expect("a way");
                (member.heading, member.left) = (way.heading, way.left);
            }
            crowd.step(&members, &walls, DT, &Alone, &mut moved);
            take_over(&mut members, &moved);
            gave_way += members.iter().filter(|it| it.mind.gives_way).count();
            members.retain(|it| {
                if it.group > 0 {
                    it.place.x > 18.0
                } else {
                    it.place.x < 30.0
                }
            });
        }
        let left = members.len();
        assert_eq!(left, 0, "of {streams:?} before a door of {door}");
    }
    assert!(gave_way > 60, "{gave_way} ticks of somebody");
}
