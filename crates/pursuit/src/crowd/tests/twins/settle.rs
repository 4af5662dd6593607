//! A naive twin of settling: which members stand, from when, and until when.

use std::collections::BTreeMap;

use super::rest::Beyond;
use super::*;
use crate::crowd::levels::reach;
use crate::random::each_case;
use crate::search::oracle::cases;

const NO_WAY: u8 = 8;

/// The numbers of members in a row to the left and to the right of one, up to where there is room.
fn rows(member: &Member, own: &Body, near: &[&Body], walls: &impl Walls) -> [u8; 2] {
    let left = own.heading.perp();
    [left, -left].map(|side| {
        let mut rows = vec![0];
        for other in near {
            let apart = other.place - own.place;
            let touching = 1.15 * (own.radius + other.radius);
            let is_beside = apart.dot(side) > apart.dot(own.heading).abs();
            if is_beside && apart.length_squared() < touching * touching {
                let stands = other.is_settled || other.mass.is_infinite();
                let its = other.beside[usize::from(side != left)];
                rows.push(match is_one_with(other, own) {
                    _ if stands => NO_WAY,
                    true => its + 1,
                    false => 0,
                });
            }
        }
        let next = own.place + side * (2.0 * own.radius);
        if walls.confine(member.ground, own.radius, own.place, next) != next {
            rows.push(NO_WAY);
        }
        rows.into_iter().fold(0, u8::max).min(NO_WAY)
    })
}

/// The memory of a member after a tick that brought it to a place, and the reason why it set out or settled.
fn after(
    member: &Member,
    (own, near): (&Body, &[&Body]),
    place: Vec2,
    walls: &impl Walls,
) -> (Mind, &'static str) {
    let mut was = member.mind;
    if was.gives_way {
        // No other member comes toward it any more, and it has waited.
        was.held_up = 0.0;
    }
    let along = ((place - member.place) / DT).dot(member.heading);
    let is_held_up = !near.is_empty() && member.pace > 0.0 && along < 0.2 * member.pace;
    let held_up = match is_held_up && !was.is_settled {
        true => (was.held_up + DT).min(2.0),
        false => (was.held_up - 2.0 * DT).max(0.0),
    };
    let mut mind = Mind {
        held_up,
        ..Mind::default()
    };
    if !member.settles {
        return (mind, "never settles");
    }
    mind.beside = match (was.is_settled, is_held_up) {
        (true, _) => was.beside,
        (false, true) => rows(member, own, near, walls),
        (false, false) => [0; 2],
    };
    let supports = supports(own, near);
    let why = if was.is_settled {
        sets_out(member, own, near.is_empty(), supports.is_empty())
    } else {
        let is_place = closed(&supports) == [true; 2];
        settles(member, &mind, is_held_up, (!supports.is_empty(), is_place))
    };
    let has_reason = match was.is_settled {
        true => supports.is_empty() && !member.is_there,
        false => is_held_up && !supports.is_empty(),
    };
    mind.is_settled = was.is_settled == why.is_empty();
    mind.unsettled = match (was.is_settled, has_reason) {
        _ if !why.is_empty() => 0.0,
        (_, true) => was.unsettled + DT,
        (true, false) => 0.0,
        (false, false) => (was.unsettled - DT).max(0.0),
    };
    mind.settled_at = match was.is_settled {
        _ if !why.is_empty() => member.left,
        true => was.settled_at.min(member.left),
        false => was.settled_at,
    };
    if was.is_settled && !mind.is_settled {
        mind.beside = [0; 2];
    }
    (mind, why)
}

/// The reason why a settled member sets out. Empty if it does not.
fn sets_out(member: &Member, own: &Body, is_alone: bool, is_unsupported: bool) -> &'static str {
    let was = member.mind;
    let nearest = was.settled_at.min(member.left);
    let far_more = (nearest / 4.0).min(2.0 * own.radius) + own.radius;
    match () {
        _ if member.is_there => "",
        _ if member.left > nearest + far_more => "its goal is far",
        _ if is_alone => "it is alone",
        _ if is_unsupported && was.beside == [NO_WAY; 2] => "it lost touch, and had settled fast",
        _ if is_unsupported && was.unsettled + DT >= 0.25 => "it lost touch",
        _ => "",
    }
}

/// The reason why a walking member settles. Empty if it does not.
fn settles(
    member: &Member,
    mind: &Mind,
    is_held_up: bool,
    (is_supported, is_place): (bool, bool),
) -> &'static str {
    let unsettled = match is_held_up && is_supported {
        true => member.mind.unsettled + DT,
        false => member.mind.unsettled - DT,
    };
    match () {
        _ if member.is_there => "it is there",
        _ if is_place && unsettled >= 0.13 => "it has a place",
        _ if is_supported && mind.beside == [NO_WAY; 2] && mind.held_up > 0.5 => "no way past",
        _ if unsettled >= 0.5 => "it looked long enough",
        _ => "",
    }
}

/// A crowd that goes to several goals close together, with walls beside them.
fn any_chasers(rng: &mut Rng) -> (Vec<Member>, [Vec2; 3]) {
    let most = [8, 50][rng.usize(0..2)];
    let count = rng.u32(2..most);
    let spread = 1.0 + 2.0 * rng.f32();
    let sizes: &[f32] = [&[0.3][..], &[0.2, 0.3, 0.5]][rng.usize(0..2)];
    let goal = any_vector(rng, 3.0);
    let apart = [0.4, 0.4, 3.0][rng.usize(0..3)];
    let goals = [0; 3].map(|_| goal + any_vector(rng, apart));
    let groups = rng.u32(1..4);
    let mut members = chasers(rng, count, goal, spread);
    for member in &mut members {
        member.radius = sizes[rng.usize(0..sizes.len())];
        member.pace = member.radius * (4.0 + 18.0 * rng.f32());
        (member.group, member.stop) = (rng.u32(0..groups), 3.0 * rng.f32());
        member.settles = rng.u8(0..20) > 0;
        if rng.u8(0..12) == 0 {
            member.weight = f32::INFINITY;
        }
    }
    (members, goals)
}

/// Shuffles members. At times it also moves the goals, moves a member away, or changes the memory of a
/// member.
fn disturb(rng: &mut Rng, members: &mut Vec<Member>, goals: &mut [Vec2; 3]) {
    rng.shuffle(members);
    if rng.u8(0..200) == 0 {
        let by = any_vector(rng, 4.0);
        goals.iter_mut().for_each(|goal| *goal += by);
    }
    let one = &mut members[0];
    if rng.u8(0..30) == 0 {
        one.place = any_vector(rng, 90.0);
    }
    if rng.u8(0..4) == 0 {
        one.mind = Mind {
            is_settled: rng.bool(),
            held_up: rng.f32() * rng.f32() * 2.0,
            beside: [0; 2].map(|_| rng.u8(0..12).min(NO_WAY)),
            unsettled: rng.f32() * rng.f32() * 0.6,
            settled_at: one.place.distance(goals[one.group as usize]) * (0.5 + rng.f32()),
            ..Mind::default()
        };
    }
    for member in members {
        let way = goals[member.group as usize] - member.place;
        (member.heading, member.left) = (way.normalize_or_zero(), way.length());
        member.is_there = member.left < 0.5;
        if member.mind.rests {
            // All members are to be checked.
            (member.mind.rests, member.mind.unsettled) = (false, 0.0);
        }
    }
}

/// Compares what a member remembers with what it should remember. Returns the reason why it set out or
/// settled.
fn check(
    member: &Member,
    (own, bodies): (&Body, &[Body]),
    moved: &Moved,
    walls: &impl Walls,
) -> &'static str {
    let found = Mind {
        is_among: false,
        is_behind: false,
        company: 0,
        ..moved.mind
    };
    if found.gives_way {
        let expected = (false, 0.0, [0; 2]);
        assert_eq!((found.is_settled, found.unsettled, found.beside), expected);
        return "gives way";
    }
    let near = all_near(own, bodies);
    let (mut mind, why) = after(member, (own, &near), moved.place, walls);
    mind.rests = mind.is_settled && mind.unsettled == 0.0 && moved.place == member.place;
    if mind.rests {
        // At rest, `unsettled` is the time since the last check.
        mind.unsettled = found.unsettled;
    }
    assert_eq!(mind, found, "{why:?}: {member:?}");
    why
}

#[test]
fn members_settle_and_set_out_as_documented() {
    let mut met: BTreeMap<&str, u32> = BTreeMap::new();
    each_case(400, |rng| {
        let (mut members, mut goals) = any_chasers(rng);
        let walls = Beyond([-100.0, -1.0, 0.0, 1.0][rng.usize(0..4)]);
        let (mut crowd, mut moved) = (Crowd::default(), Vec::new());
        for _ in 0..180 {
            disturb(rng, &mut members, &mut goals);
            let bodies = members.iter().map(|it| Body::of(it, reach(it, DT)));
            let bodies: Vec<Body> = bodies.collect();
            step(&mut crowd, &members, &walls, DT, &Alone, &mut moved);
            for ((member, own), moved) in members.iter().zip(&bodies).zip(&moved) {
                let why = check(member, (own, &bodies), moved, &walls);
                *met.entry(why).or_default() += 1;
            }
            take_over(&mut members, &moved);
        }
    });
    assert_eq!(met.len(), 11, "some reasons never occurred: {met:?}");
    assert!(
        met.values().all(|it| *it > cases(100)),
        "some reasons are too rare: {met:?}"
    );
}
