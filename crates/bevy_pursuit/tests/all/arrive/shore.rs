//! Targets that cannot be reached are followed along the shore.

use fastrand::Rng;

use crate::common::*;

/// What keeps the chaser from its target. The chaser starts on the lower side.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Shore {
    /// A strip of forbidden ground.
    River,
    /// A wall from one side of the grid to the other.
    Wall,
    /// The border of the grid. The target is this far outside, in agent radii.
    Border(f32),
}

/// A chase across a shore. Lengths are in agent radii, so that scenes of all sizes look the same.
#[derive(Clone, Copy, Debug)]
struct Across {
    shore: Shore,
    mode: PlanMode,
    body: Body,
    hz: f64,
    radius: f32,
    /// Speed of the target, as a fraction of the agent's.
    haste: f32,
    /// The target walks to and fro between `-span` and `span`.
    span: f32,
}

impl Across {
    fn of(shore: Shore) -> Self {
        Self {
            shore,
            mode: PlanMode::Inline,
            body: Body::Transform,
            hz: 60.0,
            radius: 8.0,
            haste: 0.75,
            span: 62.5,
        }
    }

    fn drawn(shore: Shore, random: &mut Rng) -> Self {
        Self {
            shore,
            mode: MODES[random.usize(..2)],
            body: BODIES[random.usize(..3)],
            hz: [15.0, 20.0, 30.0, 60.0, 144.0, 240.0][random.usize(..6)],
            radius: [0.4, 5.0, 8.0, 30.0][random.usize(..4)],
            haste: 0.4 + 0.4 * random.f32(),
            span: 30.0 + 30.0 * random.f32(),
        }
    }
}

/// What a chase across a shore showed.
#[derive(Debug)]
struct Seen {
    /// Distances along the shore between agent and target, in agent radii, sorted.
    apart: Vec<f32>,
    waited_seconds: f32,
    failed: usize,
    searches_per_second: f32,
    partial_share: f32,
}

impl Seen {
    fn apart(&self, percent: usize) -> f32 {
        self.apart[(self.apart.len() - 1) * percent / 100]
    }
}

fn shore_level(across: &Across) -> App {
    let mut app = game(across.hz, across.mode);
    lift_speed_cap(&mut app);
    let size = across.radius;
    let bounds = Rect::from_center_size(Vec2::ZERO, size * Vec2::new(150.0, 75.0));
    spawn_grid(&mut app, bounds, size);
    let half = size * Vec2::new(80.0, 5.0);
    let shape = NavObstacle::rectangle(half).with_layers(WALLS);
    match across.shore {
        Shore::River => {
            let water = app.world_mut().resource_mut::<NavAreas>();
            let water = water.into_inner().add("water", f32::INFINITY, Color::BLACK);
            spawn(
                &mut app,
                (shape, NavArea::new(water), transform_at(Vec2::ZERO)),
            );
        }
        Shore::Wall => {
            spawn_wall(&mut app, Vec2::ZERO, half);
        }
        Shore::Border(_) => {}
    }
    run_slowly(&mut app, 5);
    app
}

fn spawn_sized(app: &mut App, body: Body, place: Vec2, radius: f32) -> Entity {
    let agent = spawn_agent(app, body, place);
    set_size(app, agent, body, radius);
    agent
}

fn follow_along(across: &Across, seconds: f32) -> Seen {
    let mut app = shore_level(across);
    let size = across.radius;
    let speed = NavAgent::from_radius(size).speed;
    let height = match across.shore {
        Shore::Border(beyond) => 37.5 + beyond,
        _ => 12.5,
    };
    let target = spawn_target(&mut app, size * Vec2::new(0.0, height));
    let start = if height > 30.0 { 30.0 } else { -12.5 };
    let agent = spawn_sized(&mut app, across.body, size * Vec2::new(0.0, start), size);
    give(&mut app, agent, Chase::new(target));
    let (mut x, mut way) = (0.0_f32, 1.0);
    let mut seen = Seen {
        apart: Vec::new(),
        waited_seconds: 0.0,
        failed: 0,
        searches_per_second: 0.0,
        partial_share: 0.0,
    };
    let ticks = (f64::from(seconds) * across.hz) as usize;
    // The first search runs in a task, and the agent has to reach the shore.
    let mut settled_ticks = 0.0;
    for n in 0..ticks {
        x += way * across.haste * speed / across.hz as f32;
        if x.abs() > size * across.span {
            x = x.clamp(-size * across.span, size * across.span);
            way = -way;
        }
        get_mut::<Transform>(&mut app, target).translation.x = x;
        tick(&mut app);
        let is_waiting = locomotion(&app, agent) == Locomotion::Waiting;
        seen.waited_seconds += f32::from(is_waiting) / across.hz as f32;
        let has_settled = times_failed(&app, agent) > 0 || n as f64 > 3.0 * across.hz;
        settled_ticks += f32::from(has_settled);
        if settled_ticks > 1.3 * across.hz as f32 {
            seen.apart.push((position(&app, agent).x - x).abs() / size);
            let is_partial = matches!(status(&app, agent), Partial(_));
            seen.partial_share += f32::from(is_partial);
        }
    }
    seen.partial_share /= seen.apart.len() as f32;
    seen.apart.sort_by(f32::total_cmp);
    seen.failed = times_failed(&app, agent);
    seen.searches_per_second = searches(&app) as f32 / seconds;
    seen
}

#[track_caller]
fn check_abreast(across: &Across, seconds: f32) {
    let seen = follow_along(across, seconds);
    let apart = [50, 95].map(|percent| seen.apart(percent));
    let waited = seen.waited_seconds;
    let context = format!("{across:?}: {apart:?} radii apart, waited for {waited} s");
    assert!(apart[0] <= 0.625 && apart[1] <= 1.125, "{context}");
    assert_eq!(seen.failed, 1, "{context}");
    assert!(seen.searches_per_second <= 2.0, "{context}");
    assert!(seen.partial_share >= 0.99, "{context}");
    assert!(waited <= 2.0, "{context}");
}

#[test]
fn a_player_across_a_river_is_shadowed_abreast() {
    check_abreast(&Across::of(Shore::River), 29.0);
}

#[test]
fn a_target_just_beyond_the_border_is_followed_abreast() {
    let seen = follow_along(&Across::of(Shore::Border(0.6)), 29.0);
    assert!(seen.apart(50) <= 0.7 && seen.apart(95) <= 1.125, "{seen:?}");
    assert_eq!((seen.failed, seen.waited_seconds), (0, 0.0));
}

#[test]
fn a_player_behind_a_long_wall_is_shadowed_abreast() {
    check_abreast(&Across::of(Shore::Wall), 29.0);
}

#[test]
fn a_target_beyond_the_border_is_shadowed_abreast() {
    for beyond in [2.0, 5.0, 25.0] {
        check_abreast(&Across::of(Shore::Border(beyond)), 29.0);
    }
}

fn check_random_shores(seeds: std::ops::Range<u64>) {
    for seed in seeds {
        let mut random = Rng::with_seed(seed);
        for shore in [
            Shore::River,
            Shore::Wall,
            Shore::Border(20.0 * random.f32() + 2.0),
        ] {
            check_abreast(&Across::drawn(shore, &mut random), 6.0);
        }
    }
}

#[test]
fn random_targets_across_a_shore_are_followed_abreast() {
    check_random_shores(0..5);
}

#[test]
#[ignore = "slow"]
fn many_random_targets_across_a_shore_are_followed_abreast() {
    check_random_shores(100..120);
}

/// A closed house of 320 × 320 around the origin.
fn house(mode: PlanMode, hz: f64) -> App {
    let mut app = game(hz, mode);
    let bounds = Rect::from_center_size(Vec2::ZERO, Vec2::splat(1600.0));
    spawn_grid(&mut app, bounds, 8.0);
    for side in [-1.0, 1.0] {
        spawn_wall(&mut app, Vec2::X * side * 152.0, Vec2::new(8.0, 160.0));
        spawn_wall(&mut app, Vec2::Y * side * 152.0, Vec2::new(160.0, 8.0));
    }
    run_slowly(&mut app, 5);
    app
}

/// The distance that an agent walks until `seconds` are over, while `place` moves its target.
fn walked(
    app: &mut App,
    (agent, target): (Entity, Entity),
    (seconds, hz): (f32, f64),
    place: impl Fn(f32) -> Vec2,
) -> f32 {
    let (mut way, mut before) = (0.0, position(app, agent));
    for n in 0..(f64::from(seconds) * hz) as usize {
        let at = place(n as f32 / hz as f32);
        get_mut::<Transform>(app, target).translation = at.extend(0.0);
        tick(app);
        let here = position(app, agent);
        (way, before) = (way + here.distance(before), here);
    }
    way
}

#[test]
fn an_agent_does_not_walk_around_a_house_for_one_step() {
    for target_y in [12.0, 0.0, -12.0] {
        let mut app = house(PlanMode::Inline, 60.0);
        let target = spawn_target(&mut app, Vec2::new(0.0, target_y));
        let agent = spawn_sized(&mut app, Body::Transform, Vec2::new(0.0, -400.0), 8.0);
        give(&mut app, agent, Chase::new(target));
        let rests = |_| Vec2::new(0.0, target_y);
        let to_house = walked(&mut app, (agent, target), (8.0, 60.0), rests);
        let paces = |time: f32| {
            let phase = std::f32::consts::TAU * time / 9.0;
            Vec2::new(0.0, 20.0 * phase.sin())
        };
        let pacing = walked(&mut app, (agent, target), (60.0, 60.0), paces);
        println!("house, target at {target_y}: {to_house} to the house, {pacing} while it paces");
        assert!((220.0..233.0).contains(&to_house), "{to_house}");
        assert!(pacing < 20.0, "{pacing}");
        assert_eq!(times_failed(&app, agent), 1);
    }
}

#[test]
fn the_near_side_of_a_house_is_taken_from_everywhere() {
    for seed in 0..10 {
        let mut random = Rng::with_seed(seed);
        let (mode, hz) = (
            MODES[random.usize(..2)],
            [20.0, 60.0, 144.0][random.usize(..3)],
        );
        let mut app = house(mode, hz);
        let at = Vec2::new(random.f32() - 0.5, random.f32() - 0.5) * 30.0;
        let target = spawn_target(&mut app, at);
        let from = Vec2::from_angle(random.f32() * std::f32::consts::TAU) * 480.0;
        let agent = spawn_sized(&mut app, BODIES[random.usize(..3)], from, 8.0);
        give(&mut app, agent, Chase::new(target));
        let to_house = walked(&mut app, (agent, target), (8.0, hz), |_| at);
        let end = position(&app, agent);
        let period = 4.0 + 6.0 * random.f32();
        let paces = |time: f32| {
            let phase = std::f32::consts::TAU * time / period;
            let out = end * Vec2::from(end.abs().cmpge(end.abs().yx()));
            at + 20.0 * phase.sin() * out.normalize()
        };
        let pacing = walked(&mut app, (agent, target), (18.0, hz), paces);
        println!("house from {from}, {mode:?} {hz}: {to_house} to {end}, then {pacing}");
        assert!(end.abs().max_element() < 190.0, "{end}");
        assert!(to_house < 470.0, "{from} {to_house} {end}");
        assert!(pacing < 45.0, "{pacing}");
    }
}
