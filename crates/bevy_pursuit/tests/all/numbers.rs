//! Agents start, walk and arrive at any time step and any distance from the world origin, as long as the floats of a
//! transform can tell positions apart.

use crate::common::*;

/// Time limit for every agent, in seconds of game time. At 8 units per second the walk takes two seconds.
const TIME_LIMIT_SECONDS: f64 = 6.0;

/// A level of 16 by 6 with a wall to walk around, at `origin`.
fn level_at(app: &mut App, origin: Vec2) {
    let bounds = Rect::from_corners(origin, origin + Vec2::new(16.0, 6.0));
    spawn_grid(app, bounds, 0.5);
    spawn_wall(app, origin + Vec2::new(8.0, 1.5), Vec2::new(0.5, 1.5));
}

/// Spawns a chaser and a walker of each body, each in its own row so that their goals differ.
fn spawn_agents(app: &mut App, origin: Vec2, bodies: &[Body]) -> Vec<(Entity, String)> {
    let target = spawn_target(app, origin + cell(12, 1));
    let mut agents = Vec::new();
    for body in bodies {
        let chaser = spawn_chaser(app, *body, origin + cell(3, 1), target);
        let walker = spawn_walker(app, *body, origin + cell(3, 2), origin + cell(12, 2));
        agents.push((chaser, format!("{body:?} that chases")));
        agents.push((walker, format!("{body:?} with a request")));
    }
    agents
}

/// The distance between two adjacent floats at this distance from the origin.
fn float_spacing(origin: f32) -> f32 {
    origin.next_up() - origin
}

/// The bodies that reach a goal at this distance from the origin, although they slow down near the goal. The physics
/// keeps positions in single precision, with an error of about four float spacings, and does not add up steps that are
/// lost to rounding.
fn bodies_that_can_move(hz: f64, origin: f32) -> &'static [Body] {
    let slow_step = 0.2 * 8.0 / hz as f32;
    let is_fine =
        50.0 * float_spacing(origin) <= RADIUS && slow_step >= 4.0 * float_spacing(origin);
    if is_fine { &BODIES } else { &BODIES[..1] }
}

fn assert_all_arrive(
    app: &mut App,
    agents: &[(Entity, String)],
    updates: usize,
    float_spacing: f32,
    context: &str,
) {
    let mut remaining_updates = updates;
    while remaining_updates > 0 && !agents.iter().all(|(agent, _)| has_arrived(app, *agent)) {
        app.update();
        remaining_updates -= 1;
        if remaining_updates.is_multiple_of(16) {
            for (agent, agent_name) in agents {
                assert_off_walls(
                    app,
                    *agent,
                    0.97 * RADIUS - 2.0 * float_spacing,
                    (&context, agent_name),
                );
            }
        }
    }
    for (agent, agent_name) in agents {
        arrive(app, *agent, 1, (context, agent_name));
    }
    let stuck = &events(app).stuck;
    assert!(stuck.is_empty(), "{context}: {stuck:?}");
}

#[test]
fn agents_arrive_at_every_tick_rate_and_distance_from_the_origin() {
    for origin in [0.0, 1e4, 1e5, 1e6] {
        for hz in [20.0, 60.0, 240.0, 1000.0] {
            let mut app = game(hz, PlanMode::Inline);
            disable_avoidance(&mut app);
            level_at(&mut app, Vec2::splat(origin));
            let bodies = bodies_that_can_move(hz, origin);
            let agents = spawn_agents(&mut app, Vec2::splat(origin), bodies);
            let ticks = (TIME_LIMIT_SECONDS * hz) as usize;
            let context = format!("{hz} Hz, {origin} from the origin");
            assert_all_arrive(&mut app, &agents, ticks, float_spacing(origin), &context);
        }
    }
}

#[test]
fn agents_arrive_in_slow_motion_and_in_fast_motion() {
    for (hz, speed, origins) in [
        (60.0, 0.05, &[0.0, 1e6][..]),
        (60.0, 0.01, &[1e4][..]),
        (144.0, 0.1, &[5e3, 1e5][..]),
        (30.0, 0.25, &[0.0, 1e6][..]),
        (60.0, 2.0, &[0.0, 1e4, 1e6][..]),
        (60.0, 4.0, &[0.0, 1e4, 1e6][..]),
        (60.0, 8.0, &[0.0, 1e4, 1e6][..]),
    ] {
        for origin in origins.iter().copied() {
            let mut app = game_in_frames(hz, PlanMode::Inline);
            disable_avoidance(&mut app);
            virtual_time(&mut app).set_relative_speed(speed);
            level_at(&mut app, Vec2::splat(origin));
            let bodies = bodies_that_can_move(hz / f64::from(speed), origin);
            let agents = spawn_agents(&mut app, Vec2::splat(origin), bodies);
            // The physics advances at most a sixtieth of a second per frame.
            let slowed = f64::from(speed).min(1.0);
            let frames = (TIME_LIMIT_SECONDS * hz / slowed) as usize;
            let context = format!("{hz} Hz × {speed}, {origin} from the origin");
            assert_all_arrive(&mut app, &agents, frames, float_spacing(origin), &context);
        }
    }
}

#[test]
fn an_agent_of_the_default_size_walks_at_a_million_units_from_the_origin() {
    for hz in [30.0, 60.0, 144.0] {
        for body in BODIES {
            let mut app = game(hz, PlanMode::Inline);
            let origin = Vec2::splat(1e6);
            let bounds = Rect::from_corners(origin, origin + Vec2::splat(640.0));
            spawn(&mut app, NavGrid::covering(bounds).with_obstacles(WALLS));
            let [from, to] = [100.0, 500.0].map(|at| origin + Vec2::splat(at));
            let (agent, _) = spawn_chase(&mut app, body, from, to);
            set_size(&mut app, agent, body, 8.0);
            give(&mut app, agent, NavAgent::default());
            let ticks = (8.0 * hz) as usize;
            arrive(&mut app, agent, ticks, (body, "at", hz, "Hz"));
            assert_eq!(events(&app).stuck, [], "{body:?} at {hz} Hz");
        }
    }
}

#[test]
fn a_walk_takes_as_long_far_from_the_origin_as_near_it() {
    let seconds = |origin: f32, hz: f64| {
        let mut app = game(hz, PlanMode::Inline);
        disable_avoidance(&mut app);
        level_at(&mut app, Vec2::splat(origin));
        let agents = spawn_agents(&mut app, Vec2::splat(origin), &BODIES[..1]);
        let walker = agents[1].0;
        let ticks = (TIME_LIMIT_SECONDS * hz) as usize;
        run_until(&mut app, ticks, |app| has_arrived(app, walker)) as f64 / hz
    };
    let near = seconds(0.0, 60.0);
    for (origin, hz) in [(1e4, 60.0), (1e4, 1000.0), (1e5, 240.0), (1e6, 60.0)] {
        let far = seconds(origin, hz);
        assert!(
            (0.9..=1.1).contains(&(far / near)),
            "{near} s near the origin, {far} s at {origin}, {hz} Hz"
        );
    }
}
