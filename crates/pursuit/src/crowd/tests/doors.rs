//! Members that meet at doors and in corridors.

use super::*;
use crate::random::each_case;
use crate::search::oracle::cases;

#[test]
fn a_member_passes_another_one_on_its_line() {
    for fixed in [false, true] {
        let ends = [Vec2::new(-5.0, 2.0), Vec2::new(5.0, 2.0)];
        let mut members = chasers(&mut Rng::with_seed(1), 2, Vec2::ZERO, 0.0);
        if fixed {
            members[1].weight = f32::INFINITY;
        }
        let start = if fixed { Vec2::new(0.0, 2.0) } else { ends[1] };
        (members[0].place, members[1].place) = (ends[0], start);
        let mut crowd = Crowd::default();
        for _ in 0..300 {
            for (member, goal) in members.iter_mut().zip([ends[1], ends[0]]) {
                head_for(member, goal);
                (member.goal_id, member.settles) = (member.serial, false);
            }
            advance(&mut crowd, &mut members, &Nowhere);
        }
        assert!(
            members[0].place.distance(ends[1]) < 0.2,
            "{}",
            members[0].place
        );
    }
}

#[test]
fn a_crowd_passes_a_narrow_door() {
    for (door, radius) in [(1, 0.5), (1, 0.3), (2, 0.5), (2, 0.45)] {
        let level = UnitMap::with_door(door);
        let field = level.field_to(Cell::new(36, 10), radius);
        let rng = &mut Rng::with_seed(door as u64);
        let mut members = chasers(rng, 80, Vec2::new(10.0, 9.5), 9.0);
        let mut crowd = Crowd::default();
        for _ in 0..(40.0 / DT) as u32 {
            for member in &mut members {
                (member.radius, member.settles) = (radius, false);
                level.follow(&field, member);
            }
            advance(&mut crowd, &mut members, &level.walls());
            members.retain(|member| member.place.x < 30.0);
        }
        let left = members.len();
        assert_eq!(
            left, 0,
            "still before a door of {door}, with a radius of {radius}"
        );
    }
}

/// Two rooms with a corridor of this half width between them.
struct Corridor(f32);

impl CrowdWalls for Corridor {
    fn push_out(&self, _: u32, radius: f32, to: Vec2) -> Vec2 {
        let most = if to.x.abs() < 3.0 { self.0 } else { 3.0 } - radius;
        Vec2::new(to.x, to.y.clamp(-most, most))
    }

    fn confine(&self, ground_id: u32, radius: f32, _: Vec2, to: Vec2) -> Vec2 {
        self.push_out(ground_id, radius, to)
    }
}

#[test]
fn two_members_meeting_in_a_corridor_pass() {
    let mut backed = 0;
    each_case(200, |rng| {
        let radius = 0.3;
        let corridor = Corridor(0.5 * radius * (2.1 + 2.4 * rng.f32()));
        let walker = |serial: u32, side: f32, pace: f32| Member {
            place: Vec2::new(-4.0 * side, 0.0),
            pace,
            acceleration: 10.0,
            radius,
            goal_id: serial,
            weight: 1.0,
            serial,
            ..Member::default()
        };
        let sides = if rng.bool() { [1.0, -1.0] } else { [-1.0, 1.0] };
        let mut pace = || 1.5 + 2.0 * rng.f32();
        let mut members = [0, 1].map(|one| walker(one, sides[one as usize], pace()));
        let mut crowd = Crowd::default();
        let mut gave_way = [false; 2];
        let passed = |members: &[Member]| {
            let mut sides = members.iter().zip(sides);
            sides.all(|(member, side)| member.place.x * side > 3.5)
        };
        let (mut far, mut back) = ([f32::NEG_INFINITY; 2], [0.0_f32; 2]);
        let (mut ticks, mut have_met) = (0, false);
        while !passed(&members) && ticks < 60 * 20 {
            for (member, side) in members.iter_mut().zip(sides) {
                let mouth = -3.0 * side;
                let goes_in = member.place.x * side < mouth * side;
                head_for(
                    member,
                    Vec2::new(if goes_in { mouth } else { 9.0 * side }, 0.0),
                );
            }
            advance(&mut crowd, &mut members, &corridor);
            for one in 0..2 {
                let now = members[one].place.x * sides[one];
                far[one] = now.max(far[one]);
                back[one] = f32::max(back[one], far[one] - now);
            }
            have_met |= members.iter().all(|member| member.place.x.abs() < 2.5);
            for (gave_way, member) in gave_way.iter_mut().zip(&members) {
                *gave_way |= member.memory.gives_way;
            }
            ticks += 1;
        }
        let [fits, gave] = [4.0 * radius <= 2.0 * corridor.0, gave_way[0] || gave_way[1]];
        assert!(passed(&members), "{members:?}");
        assert!(gave_way != [true; 2] && !(fits && gave), "{members:?}");
        // In corridors that are barely wide enough, the members squeeze past each other.
        let hardly_fits = 3.2 * radius <= 2.0 * corridor.0;
        // Exactly one member backs up, by itself or because it is pushed.
        let [one, other] = [back[0].max(back[1]), back[0].min(back[1])];
        let goes_back = one > 2.0 * radius && other < 0.5 * one;
        assert!(
            hardly_fits || !have_met || goes_back,
            "{back:?}: {members:?}"
        );
        assert!(!fits || ticks < 600, "{ticks} ticks: {members:?}");
        backed += usize::from(gave);
    });
    assert!(backed > cases(40), "members yielded in only {backed} cases");
}

#[test]
fn two_streams_meeting_in_a_door_pass() {
    let mut gave_way = 0;
    for (door, radius, streams) in [
        (1, 0.45, [10, 1]),
        (1, 0.45, [20, 3]),
        (2, 0.5, [10, 10]),
        (3, 0.5, [30, 30]),
    ] {
        let level = UnitMap::with_door(door);
        let fields = [36, 12].map(|x| level.field_to(Cell::new(x, 10), radius));
        let rng = &mut Rng::with_seed(door as u64);
        let mut members = chasers(rng, streams[0] + streams[1], Vec2::new(14.0, 9.5), 6.0);
        for (index, member) in members.iter_mut().enumerate() {
            let goes_back = index >= streams[0] as usize;
            // Each member that comes from the other side is in a group of its own.
            member.goal_id = if goes_back { 1 + index as u32 } else { 0 };
            member.place.x += if goes_back { 18.0 } else { 0.0 };
        }
        let mut crowd = Crowd::default();
        for _ in 0..(40.0 / DT) as u32 {
            for member in &mut members {
                (member.radius, member.settles) = (radius, false);
                level.follow(&fields[usize::from(member.goal_id > 0)], member);
            }
            advance(&mut crowd, &mut members, &level.walls());
            gave_way += members.iter().filter(|it| it.memory.gives_way).count();
            members.retain(|it| {
                if it.goal_id > 0 {
                    it.place.x > 18.0
                } else {
                    it.place.x < 30.0
                }
            });
        }
        let left = members.len();
        assert_eq!(left, 0, "of {streams:?} still before a door of {door}");
    }
    assert!(gave_way > 60, "members yielded in only {gave_way} ticks");
}
