//! The result of one tick.

use std::collections::BTreeMap;

use super::*;
use crate::crowd::body::{CrowdBody, Disc, MemberPlan};
use crate::crowd::buckets::Buckets;
use crate::crowd::contacts::push;
use crate::crowd::levels::Survey;
use crate::crowd::neighbors::{Lists, NOWHERE, PADDING_DISCS, disc_of};
use crate::random::each_case;

/// The result for each member after five ticks, by serial.
fn after(
    mut members: Vec<Member>,
    walls: &impl CrowdWalls,
    workers: &impl Workers,
) -> BTreeMap<u32, StepResult> {
    let (mut crowd, mut moved) = (Crowd::default(), Vec::new());
    for _ in 0..5 {
        step(&mut crowd, &members, walls, DT, workers, &mut moved);
        apply_all(&mut members, &moved);
    }
    members
        .iter()
        .map(|member| member.serial)
        .zip(moved)
        .collect()
}

/// Sorted members with their discs. With `of_all_sizes` they have more sizes than there are levels.
fn any_sorted(rng: &mut Rng, of_all_sizes: bool) -> (Buckets, Vec<CrowdBody>, Vec<Disc>) {
    let mut survey = Survey::default();
    let (mut buckets, mut members) = (Buckets::default(), Vec::new());
    // The second round must not depend on the members that were sorted in the first round.
    for _ in 0..2 {
        members = any_members(rng, 3.0);
        rng.shuffle(&mut members);
        // Fast members look farther and find more neighbors.
        members.iter_mut().for_each(|it| it.pace *= 6.0);
        if of_all_sizes {
            let wide = |it: &mut Member| it.radius = 0.03 * 2.0_f32.powi(rng.i32(0..11));
            members.iter_mut().for_each(wide);
        }
        survey.clear();
        members.iter_mut().for_each(|member| survey.take(member));
        buckets.sort(&members, (&mut survey, DT), 24, &Cut(9));
        let parts = buckets.ends.clone().into_iter();
        buckets.arrange(&Cut(9), parts, |_, _| ());
    }
    let sorted = buckets.order.iter().map(|i| &members[*i as usize]);
    let (bodies, mut discs): (_, Vec<_>) = sorted.map(|it| (body_of(it), disc_of(it, DT))).unzip();
    discs.extend([NOWHERE; PADDING_DISCS]);
    (buckets, bodies, discs)
}

#[test]
fn neighbors_are_all_members_in_reach_or_the_fixed_and_the_nearest_ones() {
    let crowded = [(400, false), (80, true)].map(|(cases, of_all_sizes)| {
        let mut crowded = 0;
        each_case(cases, |rng| {
            let (buckets, bodies, discs) = any_sorted(rng, of_all_sizes);
            let places: Vec<Vec2> = bodies.iter().map(|it| it.place).collect();
            let mut lists = Lists::default();
            let awake = vec![MemberPlan::default(); bodies.len()];
            lists.find((0, &awake), &bodies, &discs, &buckets);
            let mut is_crowded = false;
            for (own, body) in bodies.iter().enumerate() {
                let is_near = |(other, disc): &(&CrowdBody, &Disc)| {
                    let most = (discs[own].w + other.radius).max(disc.w + body.radius);
                    other.serial != body.serial
                        && other.place.distance_squared(body.place) < most * most
                };
                let all = bodies.iter().zip(&discs);
                let mut expected: Vec<&CrowdBody> = all.filter(is_near).map(|it| it.0).collect();
                is_crowded |= expected.len() > 32;
                expected.sort_by(|a, b| {
                    let key = |it: &CrowdBody| {
                        (it.mass.is_finite(), it.place.distance_squared(body.place))
                    };
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
        crowded
    });
    let crowded = crowded[0];
    assert!(
        crowded > 10,
        "only {crowded} cases have a member with too many neighbors"
    );
}

#[test]
fn a_tick_does_not_depend_on_the_order_of_members_or_on_threads() {
    each_case(200, |rng| {
        let mut members = any_members(rng, 2.0);
        let expected = after(members.clone(), &Nowhere, &SingleThread);
        for parts in [1, 2, 3, 7, 200] {
            rng.shuffle(&mut members);
            assert_eq!(after(members.clone(), &Nowhere, &Cut(parts)), expected);
        }
    });
}

/// A crowd at rest, and a member that walks into it.
#[test]
fn a_tick_of_a_resting_crowd_does_not_depend_on_order_or_on_threads() {
    let mut members = rest::standing(400);
    chase(&mut members, Vec2::ZERO, &Nowhere, 4.0);
    let resting = members.iter().filter(|it| it.memory.rests).count();
    assert!(resting > 300, "only {resting} members rest");
    let mut intruder = members[0];
    (intruder.serial, intruder.place, intruder.goal_id) = (9_999, Vec2::new(3.0, 1.0), 7);
    (intruder.memory, intruder.has_arrived) = (CrowdMemory::default(), false);
    (intruder.heading, intruder.pace) = (Vec2::X, 6.0);
    members.push(intruder);
    let mut rng = Rng::with_seed(1);
    let expected = after(members.clone(), &Nowhere, &SingleThread);
    for parts in [1, 2, 3, 7, 200] {
        rng.shuffle(&mut members);
        assert_eq!(after(members.clone(), &Nowhere, &Cut(parts)), expected);
    }
}

#[test]
fn members_on_different_planes_do_not_affect_each_other() {
    let mut met = 0;
    each_case(200, |rng| {
        let mut members = any_members(rng, 2.0);
        for member in &mut members {
            member.pace = member.pace.min(20.0 * member.radius);
            member.plane = rng.u16(0..3) * 7;
        }
        let all = after(members.clone(), &Nowhere, &Cut(3));
        for plane in [0, 7, 14] {
            let alone = members.iter().filter(|it| it.plane == plane).copied();
            for (serial, moved) in after(alone.collect(), &Nowhere, &SingleThread) {
                assert_eq!(all[&serial], moved, "{serial} on {plane}");
                met += u32::from(moved.memory.has_neighbors);
            }
        }
    });
    assert!(met > 500, "only {met} members have neighbors");
}

#[test]
fn a_few_members_of_other_sizes_do_not_hide_neighbors() {
    let mut members = Vec::new();
    for serial in 0..2000 {
        let (column, row) = (serial % 45, serial / 45);
        members.push(Member {
            place: Vec2::new(column as f32, row as f32) * 0.5,
            radius: 0.3,
            weight: 1.0,
            serial,
            ..Member::default()
        });
    }
    for size in 1..9 {
        let mut odd = members[0];
        odd.serial = 9000 + size;
        odd.radius = 0.3 * 0.49_f32.powi(size as i32);
        odd.place = Vec2::new(-900.0 * size as f32, 0.0);
        members.push(odd);
    }
    members[2000].radius = 3.0;
    for _ in 0..12 {
        let moved = after(members.clone(), &Nowhere, &SingleThread);
        (members.iter_mut()).for_each(|it| it.apply(&moved[&it.serial]));
    }
    let nearest = nearest(&members[..2000]);
    let least = nearest.iter().copied().fold(f32::INFINITY, f32::min);
    assert!(least > 0.6, "{least}");
}

/// A thin wall at x = 0 that does not stop members without neighbors.
struct Thin;

impl CrowdWalls for Thin {
    fn push_out(&self, _: u32, _: f32, to: Vec2) -> Vec2 {
        to
    }

    fn confine(&self, _: u32, _: f32, from: Vec2, to: Vec2) -> Vec2 {
        if (from.x < 0.0) == (to.x < 0.0) {
            to
        } else {
            from
        }
    }

    fn stop_lone_members(&self) -> bool {
        false
    }
}

#[test]
fn a_wall_stops_a_member_that_meets_another_in_a_later_substep() {
    let runner = Member {
        radius: 0.3,
        place: Vec2::new(-0.05, 0.0),
        heading: Vec2::X,
        velocity: Vec2::X * 28.0,
        pace: 28.0,
        acceleration: 1e6,
        remaining: 100.0,
        weight: 1.0,
        ..Member::default()
    };
    let post = Member {
        place: Vec2::X,
        pace: 0.0,
        velocity: Vec2::ZERO,
        weight: f32::INFINITY,
        serial: 1,
        ..runner
    };
    let (mut crowd, mut moved) = (Crowd::default(), Vec::new());
    let members = [runner, post];
    step(&mut crowd, &members, &Thin, DT, &SingleThread, &mut moved);
    assert!(moved[0].place.x < 0.0, "{:?}", moved[0]);
}

#[test]
fn a_tick_with_substeps_equals_as_many_short_ticks() {
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
            step(
                &mut crowd,
                &expected,
                &Nowhere,
                DT / steps,
                &SingleThread,
                &mut moved,
            );
            go_on(&mut expected, &moved);
        }
        step(
            &mut crowd,
            &members,
            &Nowhere,
            DT,
            &SingleThread,
            &mut moved,
        );
        // `has_neighbors` is true if others were near in any substep of the tick.
        let lasts = |memory: CrowdMemory| CrowdMemory {
            has_neighbors: false,
            ..memory
        };
        let found = moved
            .iter()
            .map(|it| (it.place, it.velocity, lasts(it.memory)));
        let expected = (expected.iter()).map(|it| (it.place, it.velocity, lasts(it.memory)));
        assert!(found.eq(expected), "in {steps} substeps");
        looks += u32::from(steps > 1.0);
    });
    assert!(looks > 10, "only {looks} ticks have several substeps");
}

#[test]
fn a_fast_member_does_not_jump_over_a_standing_row() {
    for pace in 1..=10 {
        let rng = &mut Rng::with_seed(pace);
        let mut members = chasers(rng, 41, Vec2::ZERO, 0.0);
        for (index, member) in members.iter_mut().enumerate() {
            member.place = Vec2::new(0.0, 0.6 * (index as f32 - 20.0));
            (member.has_arrived, member.memory.is_settled) = (true, true);
        }
        let runner = Member {
            place: Vec2::new(-5.0 - rng.f32(), rng.f32()),
            heading: Vec2::X,
            pace: pace as f32 * 0.3 / DT,
            acceleration: 1e6,
            remaining: 1e3,
            serial: 99,
            has_arrived: false,
            memory: CrowdMemory::default(),
            ..members[0]
        };
        members.push(runner);
        let (mut crowd, mut moved) = (Crowd::default(), Vec::new());
        for _ in 0..60 {
            step(
                &mut crowd,
                &members,
                &Nowhere,
                DT,
                &SingleThread,
                &mut moved,
            );
            go_on(&mut members, &moved);
        }
        let place = members[41].place;
        assert!(
            place.x < 0.0,
            "the runner got through at {pace} radii per tick: {place}"
        );
    }
}

#[test]
fn invalid_members_stay_in_place_and_affect_no_others() {
    each_case(200, |rng| {
        let members = any_members(rng, 2.0);
        let expected = after(members.clone(), &Nowhere, &SingleThread);
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
        let all_before = all.clone();
        let mut found = after(all, &Nowhere, &SingleThread);
        let odd = found.split_off(&1000);
        assert_eq!(found, expected);
        assert_eq!(odd.len(), 10);
        let before = |serial| all_before.iter().find(|it: &&Member| it.serial == serial);
        for (serial, moved) in odd {
            let place = before(serial).map(|it| it.place.to_array().map(f32::to_bits));
            assert_eq!(Some(moved.place.to_array().map(f32::to_bits)), place);
        }

        let mut wild = any_member(rng, 0, 2.0);
        wild.place = [wild.place, Vec2::splat(-1e30)][rng.usize(0..2)];
        wild.pace = bad[rng.usize(0..bad.len())];
        (wild.remaining, wild.weight) = (f32::NAN, f32::NAN);
        (wild.heading, wild.velocity) = (Vec2::NAN, Vec2::INFINITY);
        let moved = after(vec![wild, any_member(rng, 1, 0.2)], &Nowhere, &SingleThread);
        assert!(
            moved.values().all(|moved| moved.place.is_finite()),
            "{wild:?} {moved:?}"
        );
    });
}

#[test]
fn heavier_members_move_less_and_fixed_members_not_at_all() {
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
        let moved = after(vec![one, other], &Nowhere, &SingleThread);
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
fn a_step_without_positive_time_changes_nothing() {
    let rng = &mut Rng::with_seed(5);
    let members = any_members(rng, 1.0);
    let mut moved = Vec::new();
    for dt in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        step(
            &mut Crowd::default(),
            &members,
            &Nowhere,
            dt,
            &SingleThread,
            &mut moved,
        );
        assert!(
            moved
                .iter()
                .zip(&members)
                .all(|(moved, member)| *moved == member.unmoved())
        );
    }
    step(
        &mut Crowd::default(),
        &[],
        &Nowhere,
        DT,
        &SingleThread,
        &mut moved,
    );
    assert!(moved.is_empty());
}
