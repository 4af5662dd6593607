//! No agent walks onto ground that is forbidden to its class, with any goal and any body.

use fastrand::Rng;

use crate::common::*;

const WATER: AreaId = AreaId(1);
const SIZE: (usize, usize) = (24, 17);
/// Distance by which rounding may move an agent into forbidden ground, in cells.
const SLACK_CELLS: f32 = 2e-3;

fn meadow(mode: PlanMode) -> App {
    let mut app = unbaked_level(mode, &open(SIZE.0, SIZE.1));
    let mut areas = app.world_mut().resource_mut::<NavAreas>();
    assert_eq!(areas.add("water", f32::INFINITY, Color::BLACK), WATER);
    app
}

fn spawn_pond(app: &mut App, pond: Rect) -> Entity {
    let shape = NavObstacle::rectangle(pond.half_size()).with_layers(WALLS);
    spawn(
        app,
        (shape, NavArea::new(WATER), transform_at(pond.center())),
    )
}

fn any_rect(random: &mut Rng) -> Rect {
    let corner = Vec2::new(random.i32(0..24) as f32, random.i32(0..17) as f32);
    let size = Vec2::new(random.i32(1..6) as f32, random.i32(1..5) as f32);
    Rect::from_corners(corner, corner + size)
}

fn anywhere(random: &mut Rng) -> Vec2 {
    Vec2::new(random.f32() * SIZE.0 as f32, random.f32() * SIZE.1 as f32)
}

/// A meadow with ponds and tilted walls.
fn meadow_with_ponds(mode: PlanMode, random: &mut Rng) -> App {
    let mut app = meadow(mode);
    for _ in 0..random.usize(4..25) {
        spawn_pond(&mut app, any_rect(random));
    }
    for _ in 0..random.usize(0..4) {
        let rect = any_rect(random);
        let wall = spawn_wall(&mut app, rect.center(), rect.half_size() * 0.5);
        get_mut::<Transform>(&mut app, wall).rotate_z(random.f32());
    }
    run_slowly(&mut app, 5);
    app
}

/// Whether a point is in water by more than rounding.
fn is_wet(snapshot: &NavSnapshot, at: Vec2) -> bool {
    let layout = snapshot.layout();
    let corners = [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)];
    corners.into_iter().all(|corner| {
        let at = at + SLACK_CELLS * Vec2::from(corner);
        let is_inside = layout.cell_at(at).is_some();
        is_inside && snapshot.map().is_forbidden(layout.to_cell_space(at), 0)
    })
}

/// Runs for `ticks`, and panics if the agent walks from land into water. Returns the number of ticks beside water.
#[track_caller]
fn run_on_land(app: &mut App, agent: Entity, ticks: usize, context: &str) -> u32 {
    let grid = grid_entity(app);
    let mut ticks_beside = 0;
    for _ in 0..ticks {
        let (before, from) = (snapshot(app, grid), position(app, agent));
        tick(app);
        let (after, to) = (snapshot(app, grid), position(app, agent));
        let [was_in, is_in] = [from, to].map(|at| [&before, &after].map(|map| is_wet(map, at)));
        let walked_in = was_in == [false; 2] && is_in == [true; 2];
        assert!(
            !walked_in,
            "{context}: the agent walked into water from {from} to {to}"
        );
        let mut around = [Vec2::X, Vec2::Y, -Vec2::X, -Vec2::Y].into_iter();
        ticks_beside += u32::from(around.any(|by| is_wet(&after, to + 0.3 * by)));
    }
    ticks_beside
}

/// Sends an agent back and forth while ponds appear. Returns the number of ticks beside water.
fn ticks_beside_water(mode: PlanMode, body: Body, seed: u64) -> u32 {
    let random = &mut Rng::with_seed(seed);
    let mut app = meadow_with_ponds(mode, random);
    let map = {
        let grid = grid_entity(&mut app);
        snapshot(&app, grid)
    };
    let mut points = (0..1000).map(|_| anywhere(random));
    let Some(from) = points.find(|&at| map.free(at, RADIUS)) else {
        return 0;
    };
    let agent = spawn_agent(&mut app, body, from);
    let (target, is_chase) = (spawn_target(&mut app, from), random.bool());
    if is_chase {
        give(&mut app, agent, Chase::new(target));
    }
    let mut nav_agent = get_mut::<NavAgent>(&mut app, agent);
    nav_agent.speed = [3.0, 12.0, 60.0, 600.0][random.usize(0..4)];
    nav_agent.acceleration = [10.0, 1e3, 1e5][random.usize(0..3)];
    let context = format!("seed {seed}, {mode:?}, {body:?}");
    let mut beside = 0;
    for leg in 0..30 {
        let goal = anywhere(random);
        set_position(&mut app, target, goal);
        if !is_chase && leg % 4 == 0 {
            give(&mut app, agent, PathRequest::to(goal));
        }
        if random.u8(0..9) == 0 {
            spawn_pond(&mut app, any_rect(random));
        }
        beside += run_on_land(&mut app, agent, [3, 12][leg % 2], &context);
    }
    beside
}

#[test]
fn no_agent_walks_into_water_whatever_its_goal_and_body() {
    let mut beside = 0;
    // Regression: with seeds 29 and up, an agent at several cells per tick overran a corner.
    for seed in [1, 2, 3, 4, 5, 29, 113, 116, 121] {
        for (mode, body) in modes_and_bodies() {
            beside += ticks_beside_water(mode, body, seed);
        }
    }
    assert!(beside > 500, "only {beside} ticks beside water");
}

#[test]
fn an_agent_steered_by_the_game_slides_along_water() {
    for (mode, body) in modes_and_bodies() {
        let mut app = meadow(mode);
        spawn_pond(&mut app, Rect::new(10.0, 0.0, 14.0, 17.0));
        let steer = |mut agents: Query<&mut DesiredVelocity>| {
            let velocity = DesiredVelocity(Vec3::new(6.0, 2.0, 0.0));
            agents.iter_mut().for_each(|mut agent| *agent = velocity);
        };
        let steer = steer.after(PursuitSystems::Follow);
        app.add_systems(FixedUpdate, steer.before(PursuitSystems::Drive));
        run_slowly(&mut app, 5);
        let [from, goal] = [Vec2::new(8.5, 5.5), Vec2::new(3.5, 3.5)];
        let agent = spawn_walker(&mut app, body, from, goal);
        let context = format!("{mode:?}, {body:?}");
        assert!(
            run_on_land(&mut app, agent, 120, &context) > 50,
            "{context}"
        );
        assert!(
            position(&app, agent).y > 8.0,
            "{context}: the agent did not slide"
        );
    }
}

#[test]
fn a_crowd_that_follows_a_field_pushes_nobody_into_water() {
    for seed in 0..4 {
        let mut random = Rng::with_seed(seed);
        let mut app = unbaked_level(PlanMode::Inline, &open(60, 40));
        let mut areas = app.world_mut().resource_mut::<NavAreas>();
        assert_eq!(areas.add("water", f32::INFINITY, Color::BLACK), WATER);
        for _ in 0..14 {
            let size = Vec2::new(random.i32(2..7) as f32, random.i32(2..7) as f32);
            let corner = Vec2::new(random.i32(20..48) as f32, random.i32(0..34) as f32);
            spawn_pond(&mut app, Rect::from_corners(corner, corner + size));
        }
        run(&mut app, 5);
        let target = spawn_target(&mut app, Vec2::new(57.0, 20.0));
        let chasers: Vec<Entity> = (0..300)
            .map(|n: usize| {
                let at = Vec2::new(1.0 + (n % 18) as f32, 2.0 + (n / 18) as f32 * 2.1);
                let chaser = spawn_chaser(&mut app, Body::Transform, at, target);
                if n.is_multiple_of(3) {
                    give(&mut app, chaser, NavAvoidance::None);
                }
                chaser
            })
            .collect();
        let grid = grid_entity(&mut app);
        for tick_number in 0..700 {
            tick(&mut app);
            let snapshot = snapshot(&app, grid);
            let wet = chasers
                .iter()
                .find(|one| is_wet(&snapshot, position(&app, **one)));
            assert_eq!(
                wet, None,
                "seed {seed}, tick {tick_number}: an agent is in water"
            );
        }
        let past = chasers.iter().filter(|one| position(&app, **one).x > 40.0);
        let past = past.count();
        assert!(
            past > 200,
            "seed {seed}: only {past} of 300 got past the ponds"
        );
    }
}
