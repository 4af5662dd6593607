//! Nobody walks into what is forbidden to its class, whatever it is sent after and whatever drives it.

use fastrand::Rng;

use crate::common::*;

const WATER: AreaId = AreaId(1);
const SIZE: (usize, usize) = (24, 17);
/// How deep rounding may lead, in cells.
const SLACK: f32 = 2e-3;

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

/// A meadow with ponds, and with walls that are tilted.
fn ponds(mode: PlanMode, random: &mut Rng) -> App {
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

/// Whether a place is in water by more than rounding.
fn is_wet(snapshot: &NavSnapshot, at: Vec2) -> bool {
    let layout = snapshot.layout();
    let corners = [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)];
    corners.into_iter().all(|corner| {
        let at = at + SLACK * Vec2::from(corner);
        let is_inside = layout.cell_at(at).is_some();
        is_inside && snapshot.map().is_forbidden(layout.to_cell_space(at), 0)
    })
}

/// Runs so many ticks. Panics if the agent walks from land into water. In how many it was beside some.
#[track_caller]
fn run_on_land(app: &mut App, agent: Entity, ticks: usize, what: &str) -> u32 {
    let grid = grid_entity(app);
    let mut beside = 0;
    for _ in 0..ticks {
        let (before, from) = (snapshot(app, grid), position(app, agent));
        tick(app);
        let (after, to) = (snapshot(app, grid), position(app, agent));
        let [was_in, is_in] = [from, to].map(|at| [&before, &after].map(|map| is_wet(map, at)));
        let walked_in = was_in == [false; 2] && is_in == [true; 2];
        assert!(!walked_in, "{what}: from {from} to {to}");
        let mut around = [Vec2::X, Vec2::Y, -Vec2::X, -Vec2::Y].into_iter();
        beside += u32::from(around.any(|by| is_wet(&after, to + 0.3 * by)));
    }
    beside
}

/// Sends an agent to and fro, while ponds come.
fn wander(mode: PlanMode, body: Body, seed: u64) -> u32 {
    let random = &mut Rng::with_seed(seed);
    let mut app = ponds(mode, random);
    let map = {
        let grid = grid_entity(&mut app);
        snapshot(&app, grid)
    };
    let mut places = (0..1000).map(|_| anywhere(random));
    let Some(from) = places.find(|&at| map.free(at, RADIUS)) else {
        return 0;
    };
    let agent = spawn_agent(&mut app, body, from);
    let (target, is_chase) = (spawn_target(&mut app, from), random.bool());
    if is_chase {
        give(&mut app, agent, Chase::new(target));
    }
    let mut moves = get_mut::<NavAgent>(&mut app, agent);
    moves.speed = [3.0, 12.0, 60.0, 600.0][random.usize(0..4)];
    moves.acceleration = [10.0, 1e3, 1e5][random.usize(0..3)];
    let what = format!("seed {seed}, {mode:?}, {body:?}");
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
        beside += run_on_land(&mut app, agent, [3, 12][leg % 2], &what);
    }
    beside
}

#[test]
fn nobody_walks_into_water_whatever_it_is_sent_after_and_whatever_drives_it() {
    let mut beside = 0;
    // From 29 on each once overran a corner, at some cells in a tick.
    for seed in [1, 2, 3, 4, 5, 29, 113, 116, 121] {
        for (mode, body) in modes_and_bodies() {
            beside += wander(mode, body, seed);
        }
    }
    assert!(beside > 500, "{beside} ticks beside water");
}

#[test]
fn who_is_steered_by_a_game_slides_along_water() {
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
        let what = format!("{mode:?}, {body:?}");
        assert!(run_on_land(&mut app, agent, 120, &what) > 50, "{what}");
        assert!(position(&app, agent).y > 8.0, "{what}: it slides");
    }
}

#[test]
fn of_hundreds_that_go_along_one_field_and_keep_clear_nobody_is_pushed_into_water() {
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
            assert_eq!(wet, None, "seed {seed}, tick {tick_number}");
        }
        let past = chasers.iter().filter(|one| position(&app, **one).x > 40.0);
        let past = past.count();
        assert!(past > 200, "seed {seed}: {past} of 300");
    }
}
