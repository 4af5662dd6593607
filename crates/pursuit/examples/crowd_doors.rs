//! Measures how many bodies pass a door, and how they stand around a goal. The constants of the crowd were
//! chosen by these figures.
//!
//! ```sh
//! cargo run --release -p pursuit --example crowd_doors
//! ```

#![allow(clippy::print_stdout, reason = "an example prints its figures")]

use std::thread;

use pursuit::crowd::{Crowd, CrowdGround, CrowdWalls, Member, SingleThread};
use pursuit::glam::Vec2;
use pursuit::{
    Cancel, Cell, Clearance, DiagonalPolicy, FieldBounds, FlowField, IntegrationField, Layout,
    NavMap, Step,
};

/// Size of the room before the door, in cells. Behind the door are 30 more columns.
const ROOM: (u32, u32) = (60, 41);
/// Speed in radii per second.
const SPEED: f32 = 20.0;
const SECONDS: f32 = 120.0;

fn main() {
    println!("500 bodies before a door, 16 rooms each: the least of all, or the most.");
    println!(
        "| Bodies wide | Radius in cells | Hz | All pass | Of capacity | Longest gap | Deepest overlap |"
    );
    println!("|---|---|---|---|---|---|---|");
    for (radius, hz) in [
        (0.5, 60.0),
        (0.5, 30.0),
        (0.5, 144.0),
        (0.3, 60.0),
        (0.7, 60.0),
    ] {
        for width in [1.0, 1.1, 2.0, 2.2, 3.0, 3.3, 4.0, 4.4] {
            // A body that fits exactly fits only in the middle, where a cell of another size has no center.
            if radius == 0.5 || width > 1.1 {
                row(width, &[radius], hz);
            }
        }
    }
    // No constant was chosen by these.
    for width in [1.4, 1.8, 2.6, 3.6, 5.0] {
        row(width, &[0.5], 60.0);
    }
    for width in [2.0, 2.6, 3.0, 3.3, 4.0, 4.4] {
        row(width, &[0.5, 0.25, 0.75], 60.0);
    }
    for count in [500, 2000] {
        rest(count);
    }
}

/// Prints a row for bodies of these radii, equally many of each, all at the same speed. The first radius is
/// the mean.
fn row(width: f32, radii: &[f32], hz: f32) {
    let runs: Vec<Passage> = thread::scope(|scope| {
        let runs = (0..16).map(|seed| scope.spawn(move || pass(width, radii, hz, seed)));
        let runs: Vec<_> = runs.collect();
        runs.into_iter().filter_map(|run| run.join().ok()).collect()
    });
    let passed = runs.iter().filter(|run| run.left == 0).count();
    let least = runs
        .iter()
        .map(|run| run.of_capacity)
        .fold(f32::INFINITY, f32::min);
    let most = |of: fn(&Passage) -> f32| runs.iter().map(of).fold(0.0, f32::max);
    println!(
        "| {width} | {radii:?} | {hz} | {passed} of {} | {:.0} % | {:.1} s | {:.0} % |",
        runs.len(),
        100.0 * least,
        most(|run| run.longest_gap),
        100.0 * most(|run| run.deepest)
    );
}

struct Passage {
    /// Number of bodies that did not get through.
    left: usize,
    /// Rate at which the middle 80 % of bodies pass, as a share of the capacity of the door. At capacity, bodies pass
    /// nose to tail in every file that fits.
    of_capacity: f32,
    longest_gap: f32,
    /// The deepest overlap of two bodies, as a share of the sum of their radii.
    deepest: f32,
}

fn pass(width: f32, radii: &[f32], hz: f32, seed: u64) -> Passage {
    let middle = (ROOM.1 / 2) as f32;
    let half = width * radii[0];
    let wall = |from: f32, to: f32| {
        (
            Vec2::new(ROOM.0 as f32 - 0.5, from),
            Vec2::new(ROOM.0 as f32 + 0.5, to),
        )
    };
    let map = map_of([wall(-9.0, middle - half), wall(middle + half, 99.0)]);
    let layout = Layout::new(Vec2::splat(-0.5), 1.0, ROOM.0 + 30, ROOM.1).expect("sound");
    let walls = CrowdGround::new(&map, &layout, 0);
    let goal = [(Cell::new(ROOM.0 as i32 + 25, middle as i32), 0)];
    let fields: Vec<FlowField> = (radii.iter())
        .map(|radius| field_to(&map, *radius, goal))
        .collect();

    let mut members = starters(&map, radii, seed);
    let mut crowd = Crowd::default();
    let mut times = Vec::new();
    let mut deepest = 0.0_f32;
    for tick in 0..(SECONDS * hz) as u32 {
        for member in &mut members {
            let size = radii.iter().position(|radius| *radius == member.radius);
            let field = size.map(|size| &fields[size]);
            let way = field.and_then(|field| map.sample_field(field, member.place, member.radius));
            if let Some(way) = way {
                (member.heading, member.remaining) = (way.heading, way.remaining);
            }
        }
        go_on(&mut crowd, &mut members, &walls, 1.0 / hz);
        let before = members.len();
        members.retain(|member| member.place.x < ROOM.0 as f32 + 3.0);
        times.extend((members.len()..before).map(|_| tick as f32 / hz));
        if tick.is_multiple_of(hz as u32 / 5) {
            deepest = deepest.max(1.0 - nearest(&members));
        }
        if members.is_empty() {
            break;
        }
    }
    let gaps = times.windows(2).map(|pair| pair[1] - pair[0]);
    let capacity = width.floor() * SPEED / 2.0;
    let rate = match (times.get(50), times.get(450)) {
        (Some(from), Some(to)) => 400.0 / (to - from),
        _ => 0.0,
    };
    Passage {
        left: members.len(),
        of_capacity: rate / capacity,
        longest_gap: gaps.fold(0.0, f32::max),
        deepest,
    }
}

/// 500 bodies anywhere before the door.
fn starters(map: &NavMap, radii: &[f32], seed: u64) -> Vec<Member> {
    let rng = &mut fastrand::Rng::with_seed(seed);
    let mut members: Vec<Member> = Vec::new();
    while members.len() < 500 {
        let place = Vec2::new(
            rng.f32() * (ROOM.0 - 5) as f32,
            rng.f32() * (ROOM.1 - 1) as f32,
        );
        let radius = radii[members.len() % radii.len()];
        let is_free = members
            .iter()
            .all(|it| it.place.distance(place) > 1.02 * (it.radius + radius));
        if is_free && map.line_of_sight(place, place, radius) {
            let serial = members.len() as u32;
            let pace = SPEED * radii[0];
            members.push(Member {
                pace,
                acceleration: pace / 0.3,
                ..walker(place, radius, serial)
            });
        }
    }
    members
}

/// Prints how a crowd that walks to one point from all sides comes to rest.
fn rest(count: u32) {
    let (radius, dt) = (0.3, 1.0 / 60.0);
    let disc = (count as f32 * 12_f32.sqrt() / std::f32::consts::PI).sqrt() * radius;
    let side = 2 * (2.0 * disc) as u32;
    let map = NavMap::from_clearance(
        Clearance::open(side, side, 4.0).expect("sound"),
        DiagonalPolicy::NoCornerCut,
    );
    let layout = Layout::new(Vec2::splat(-0.5), 1.0, side, side).expect("sound");
    let (walls, goal) = (
        CrowdGround::new(&map, &layout, 0),
        Vec2::splat(side as f32 / 2.0),
    );
    let rng = &mut fastrand::Rng::with_seed(1);
    let place = |rng: &mut fastrand::Rng| Vec2::new(rng.f32(), rng.f32()) * (side - 1) as f32;
    let mut members: Vec<Member> = (0..count)
        .map(|serial| walker(place(rng), radius, serial))
        .collect();
    let mut crowd = Crowd::default();
    let (mut all_stand, mut path) = (None, 0.0);
    for tick in 0..1800 {
        for member in &mut members {
            let way = goal - member.place;
            (member.heading, member.remaining, member.settles) =
                (way.normalize_or_zero(), way.length(), true);
            member.has_arrived = member.remaining < 2.2 * radius;
        }
        let walked = go_on(&mut crowd, &mut members, &walls, dt);
        if tick >= 1200 {
            path += walked / radius / count as f32;
        }
        if all_stand.is_none() && members.iter().all(|member| member.memory.is_settled) {
            all_stand = Some(tick as f32 * dt);
        }
    }
    let mean = members
        .iter()
        .map(|it| it.place.distance(goal))
        .sum::<f32>()
        / count as f32;
    println!(
        "{count} around a goal: all stand after {all_stand:.1?} s; in ten seconds more each goes {path:.4} radii; mean distance {:.2} of a full disc's; nearest pair {:.2} of touching",
        mean / (disc * 2.0 / 3.0),
        nearest(&members)
    );
}

fn walker(place: Vec2, radius: f32, serial: u32) -> Member {
    Member {
        place,
        radius,
        pace: SPEED * radius,
        acceleration: SPEED * radius / 0.3,
        weight: 1.0,
        serial,
        ..Member::default()
    }
}

/// Makes one tick, and returns the distance that all members walked.
fn go_on(crowd: &mut Crowd, members: &mut [Member], walls: &impl CrowdWalls, dt: f32) -> f32 {
    crowd.set_members(members);
    crowd.step(walls, dt, &SingleThread);
    let mut walked = 0.0;
    for (index, member) in members.iter_mut().enumerate() {
        let result = crowd.result(index);
        walked += member.place.distance(result.place);
        member.apply(result);
    }
    walked
}

/// The least distance of two members, as a share of the sum of their radii, at most 1.
fn nearest(members: &[Member]) -> f32 {
    let mut by_x: Vec<&Member> = members.iter().collect();
    by_x.sort_by(|a, b| a.place.x.total_cmp(&b.place.x));
    let mut least = 1.0_f32;
    for (index, one) in by_x.iter().enumerate() {
        let others = by_x[index + 1..].iter();
        let beside =
            others.take_while(|other| other.place.x - one.place.x < one.radius + other.radius);
        for other in beside {
            least = least.min(one.place.distance(other.place) / (one.radius + other.radius));
        }
    }
    least
}

fn field_to(map: &NavMap, radius: f32, goal: [(Cell, u32); 1]) -> FlowField {
    let scratch = &mut IntegrationField::new();
    let field = FlowField::build(
        &map.layers(radius),
        &goal,
        FieldBounds::default(),
        scratch,
        Cancel::NEVER,
    );
    field.expect("not cancelled")
}

/// A room and the area behind it, with walls that are rectangles of any size.
fn map_of(walls: [(Vec2, Vec2); 2]) -> NavMap {
    let mut clearance = Clearance::open(ROOM.0 + 30, ROOM.1, 8.0).expect("sound");
    let [right, top] = [ROOM.0 + 30, ROOM.1].map(|side| side as f32 - 0.5);
    let border = [
        (Vec2::new(-9.0, -9.0), Vec2::new(-0.5, top + 9.0)),
        (Vec2::new(right, -9.0), Vec2::new(right + 9.0, top + 9.0)),
        (Vec2::new(-9.0, -9.0), Vec2::new(right + 9.0, -0.5)),
        (Vec2::new(-9.0, top), Vec2::new(right + 9.0, top + 9.0)),
    ];
    for (min, max) in walls.into_iter().chain(border) {
        let from = |point: Vec2| point.distance(point.clamp(min, max));
        for cell in clearance.rect().cells() {
            clearance.limit_center(cell, from(cell.center()));
            for step in Step::ALL {
                let ends = [cell, step.end(cell)].map(|end| end.center());
                // No wall is thinner than the distance between two of these points.
                let on_the_way =
                    (1..16).map(|part| from(ends[0].lerp(ends[1], part as f32 / 16.0)));
                let least = on_the_way.fold(f32::INFINITY, f32::min);
                let at_ends = from(ends[0]).min(from(ends[1]));
                clearance.limit_step(
                    cell,
                    step,
                    if least < at_ends - 1e-3 {
                        least
                    } else {
                        at_ends
                    },
                );
            }
        }
    }
    NavMap::from_clearance(clearance, DiagonalPolicy::NoCornerCut)
}
