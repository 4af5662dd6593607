//! How well a crowd moves: the flow through doors, and how deep members overlap.
//!
//! A crowd moves the same on every machine, so the bounds are close to the present values. If a change of a rule
//! moves a value out of its bounds, the quality of the crowd has changed: also check it with `pursuit_bench`.

use super::*;

/// `count` members at random places of a lattice of 21 × 18 places that begins at the origin.
fn walkers(seed: u64, count: usize, radius: f32) -> Vec<Member> {
    let rng = &mut Rng::with_seed(seed);
    let mut members = chasers(rng, 21 * 18, Vec2::ZERO, 0.0);
    for (index, member) in (0..).zip(&mut members) {
        member.place = Vec2::new((index % 21) as f32, (index / 21) as f32) * (2.1 * radius);
        (member.radius, member.settles) = (radius, false);
        // The speeds that the benchmarks use, in radii per second.
        (member.pace, member.acceleration) = (20.0 * radius, 67.0 * radius);
    }
    rng.shuffle(&mut members);
    members.truncate(count);
    members
}

/// Measurements of a crowd that walked.
#[derive(Debug, Default)]
struct Walk {
    /// The times at which members passed, in seconds.
    times: Vec<f32>,
    /// The deepest overlap of two members, as a share of the sum of their radii.
    deepest: f32,
    /// The share of members that overlap another one by more than 5 % of the sum of their radii, measured in every
    /// sixth tick.
    over: f32,
}

impl Walk {
    /// Lets members walk for up to 40 seconds. Members for which `has_passed` is true are removed. A member follows
    /// the field with the index `goal_id`, or the last field if there are fewer.
    fn of(
        level: &UnitMap,
        mut members: Vec<Member>,
        fields: &[FlowField],
        has_passed: impl Fn(&Member) -> bool,
    ) -> Self {
        let (mut crowd, mut walk) = (Crowd::default(), Self::default());
        let (mut over, mut looks) = (0_u32, 0_u32);
        for tick in 1..=(40.0 / DT) as u32 {
            for member in &mut members {
                let field = (member.goal_id as usize).min(fields.len() - 1);
                level.follow(&fields[field], member);
            }
            advance(&mut crowd, &mut members, &level.walls());
            let before = members.len();
            members.retain(|member| !has_passed(member));
            let passed = before - members.len();
            walk.times.extend(vec![tick as f32 * DT; passed]);
            if tick.is_multiple_of(6) {
                for apart in nearest(&members) {
                    walk.deepest = walk.deepest.max(1.0 - apart);
                    over += u32::from(apart < 0.95);
                    looks += 1;
                }
            }
        }
        walk.over = over as f32 / looks as f32;
        walk
    }

    /// Members that passed per second. The first and the last tenth of them do not count.
    fn rate(&self) -> f32 {
        let (tenth, count) = (self.times.len() / 10, self.times.len());
        let seconds = self.times[count - 1 - tenth] - self.times[tenth];
        (count - 1 - 2 * tenth) as f32 / seconds
    }
}

#[test]
fn each_door_lets_the_listed_number_of_members_through_per_second() {
    // The width of the door in cells, the radius of members, and members per second and cell of width.
    for (door, radius, rate) in [
        (1, 0.5, 7.88),
        (2, 0.5, 7.91),
        (3, 0.5, 7.66),
        (1, 0.3, 11.14),
    ] {
        let level = UnitMap::with_door(door);
        let field = [level.field_to(Cell::new(36, 10), radius)];
        let members = walkers(1, 200, radius);
        let walk = Walk::of(&level, members, &field, |member| member.place.x > 27.0);
        let case = format!("a door of {door} for a radius of {radius}");
        assert_eq!(walk.times.len(), 200, "members that pass {case}");
        let found = walk.rate() / door as f32;
        let is_near = (found / rate - 1.0).abs() < 0.05;
        assert!(
            is_near,
            "{found} members per second pass {case}, and not {rate}"
        );
    }
}

#[test]
fn members_that_stream_around_a_pillar_overlap_little() {
    let is_free = |cell: Cell| !(26..30).contains(&cell.x) || !(8..14).contains(&cell.y);
    let level = UnitMap::new(60, 24, is_free);
    let field = [level.field_to(Cell::new(56, 11), 0.45)];
    let has_passed = |member: &Member| member.place.x > 45.0;
    let walk = Walk::of(&level, walkers(2, 370, 0.45), &field, has_passed);
    assert_eq!(walk.times.len(), 370, "members that pass the pillar");
    // The bounds are 10 % above the present values.
    assert!(walk.over < 0.00984, "a share of {} overlaps", walk.over);
    assert!(
        walk.deepest < 0.125,
        "the deepest overlap is {}",
        walk.deepest
    );
}

#[test]
fn two_streams_pass_each_other_in_a_corridor() {
    // A corridor in which two members have no room beside each other.
    let is_free = |cell: Cell| !(16..26).contains(&cell.x) || cell.y == 10;
    let level = UnitMap::new(40, 20, is_free);
    let fields = [36, 5].map(|x| level.field_to(Cell::new(x, 10), 0.45));
    let mut members = walkers(3, 12, 0.45);
    for (index, member) in (0..).zip(&mut members) {
        member.place.x *= 0.7;
        if index >= 10 {
            // Each member that comes from the other side is in a group of its own.
            (member.goal_id, member.place.x) = (index, 38.0 - member.place.x / 2.0);
        }
    }
    let walk = Walk::of(&level, members, &fields, |member| match member.goal_id {
        0 => member.place.x > 27.0,
        _ => member.place.x < 14.0,
    });
    assert_eq!(walk.times.len(), 12, "members that pass");
    // The bound is 10 % above the present value.
    let last = walk.times[11];
    assert!(last < 7.22, "the last one passes after {last} s");
}
