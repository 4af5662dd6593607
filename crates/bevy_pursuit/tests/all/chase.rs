//! Agents that chase: they arrive with every body, walk around walls, and never walk through one.

use crate::common::*;

#[test]
fn chasers_of_every_body_reach_their_target_through_the_door() {
    for body in BODIES {
        let mut app = unbaked_level(PlanMode::Inline, HOUSE);
        let (agent, target) = spawn_chase(&mut app, body, cell(0, 7), cell(10, 5));
        arrive_off_walls(&mut app, agent, 600, body);
        assert_away(&app, agent, cell(10, 5), ..=1.1 * RADIUS + 1e-4, body);
        assert_eq!(reached_by(&app, agent), [Some(target)], "{body:?}");
        assert_eq!(events(&app).stuck, [], "{body:?} got stuck");
    }
}

#[test]
fn a_slower_target_is_caught() {
    for body in BODIES {
        let mut app = unbaked_level(PlanMode::Inline, HOUSE);
        let (agent, target) = spawn_chase(&mut app, body, cell(0, 0), cell(13, 0));
        let mut distance = 0.0_f32;
        run_until(&mut app, 900, |app| {
            distance += 0.6 * 8.0 / 60.0;
            set_position(app, target, cell(13, 0) + Vec2::Y * (distance % 7.0));
            has_arrived(app, agent)
        });
    }
}

#[test]
fn arrival_takes_as_long_at_30_and_144_hertz_as_at_60() {
    for body in BODIES {
        let seconds = [30.0, 60.0, 144.0].map(|hz| {
            let mut app = game(hz, PlanMode::Inline);
            build_level(&mut app, HOUSE);
            let (agent, _) = spawn_chase(&mut app, body, cell(0, 7), cell(10, 5));
            let arrived = |app: &mut App| has_arrived(app, agent);
            run_until(&mut app, 2000, arrived) as f64 / hz
        });
        for time in seconds {
            let ratio = time / seconds[1];
            assert!(
                (0.95..=1.05).contains(&ratio),
                "{body:?} arrives after {seconds:?} s"
            );
        }
    }
}

#[test]
fn an_agent_keeps_its_speed_and_acceleration_limits() {
    let mut app = unbaked_level(PlanMode::Inline, HOUSE);
    let (agent, _) = spawn_chase(&mut app, Body::Transform, cell(0, 7), cell(10, 5));
    let limits = get::<NavAgent>(&app, agent);
    let mut speed = 0.0;
    run_until(&mut app, 600, |app| {
        let now = desired(app, agent).length();
        assert!(now <= limits.speed * 1.0001, "{now} is too fast");
        assert!(
            now - speed <= limits.acceleration / 60.0 * 1.001,
            "the speed rises from {speed} to {now} in a tick"
        );
        speed = now;
        has_arrived(app, agent)
    });
}

#[test]
fn a_chaser_stops_when_its_target_despawns_and_then_chases_a_new_one() {
    for body in BODIES {
        let mut app = unbaked_level(PlanMode::Inline, HOUSE);
        let (agent, target) = spawn_chase(&mut app, body, cell(0, 7), cell(10, 5));
        run(&mut app, 30);
        assert_ne!(desired(&app, agent), Vec2::ZERO);
        despawn(&mut app, target);
        run(&mut app, 2);
        let stopped_at = position(&app, agent);
        run(&mut app, 30);
        assert_eq!(status(&app, agent), PathStatus::TargetLost);
        let expected = TargetLost {
            entity: agent,
            target,
        };
        assert_eq!(events(&app).lost, [expected]);
        assert_eq!(desired(&app, agent), Vec2::ZERO);
        assert_away(&app, agent, stopped_at, ..1e-3, (body, "still moves"));
        let second = spawn_target(&mut app, cell(13, 7));
        give(&mut app, agent, Chase::new(second));
        arrive(&mut app, agent, 600, (body, "at its new target"));
        assert_eq!(reached_by(&app, agent), [Some(second)], "{body:?}");
    }
}

#[test]
fn a_chaser_that_plans_again_never_steps_back() {
    let mut app = unbaked_level(PlanMode::Inline, &open(30, 2));
    let (agent, target) = spawn_chase(&mut app, Body::Transform, cell(0, 0), cell(29, 0));
    let often = RepathPolicy::Every(Duration::from_millis(50));
    give(&mut app, agent, Chase::new(target).with_repath(often));
    let mut furthest = 0.0;
    run_until(&mut app, 400, |app| {
        let here = position(app, agent).x;
        assert!(
            here >= furthest - 1e-4,
            "the chaser steps back from {furthest} to {here}"
        );
        furthest = here;
        has_arrived(app, agent)
    });
}

#[test]
fn a_new_wall_is_baked_within_two_frames_and_avoided_within_four() {
    for mode in MODES {
        let mut app = unbaked_level(mode, &open(20, 7));
        let (agent, _) = spawn_chase(&mut app, Body::Transform, cell(0, 3), cell(19, 3));
        run_slowly(&mut app, 40);
        let grid = grid_entity(&mut app);
        let generation = |app: &App| snapshot(app, grid).generation();
        let (open, path) = (generation(&app), get::<NavPath>(&app, agent));
        spawn_wall(&mut app, Vec2::new(12.5, 3.5), Vec2::new(0.5, 2.0));
        let mut frames = |done: &dyn Fn(&App) -> bool| {
            run_until(&mut app, 10, |app| {
                // A frame lasts as long as in a game, so that tasks have the same time as in a game.
                std::thread::sleep(Duration::from_millis(16));
                done(app)
            })
        };
        let frames_to_bake = frames(&|app| generation(app) != open);
        let frames_to_path =
            frames(&|app| waypoints(&get::<NavPath>(app, agent)) != waypoints(&path));
        assert!(
            frames_to_bake <= 2 && frames_to_path <= 2,
            "{mode:?}: baked after {frames_to_bake} frames, a new path after {frames_to_path} more"
        );
    }
}

#[test]
fn a_wall_that_appears_on_the_path_is_never_entered() {
    for mode in MODES {
        let mut app = unbaked_level(mode, &open(20, 7));
        let (agent, _) = spawn_chase(&mut app, Body::Transform, cell(0, 3), cell(19, 3));
        run(&mut app, 40);
        let ahead = position(&app, agent) + Vec2::X * 1.6;
        spawn_wall(&mut app, ahead.with_y(3.5), Vec2::new(0.5, 2.0));
        run_until(&mut app, 900, |app| {
            if mode == PlanMode::Async && position(app, agent).x < 6.0 {
                // A frame lasts as long as in a game, so that the bake has the same time as in a game.
                std::thread::sleep(Duration::from_millis(16));
            }
            assert_off_walls(app, agent, 0.98 * RADIUS, mode);
            has_arrived(app, agent)
        });
    }
}

#[test]
fn a_chaser_does_not_reach_its_target_through_a_wall() {
    let mut app = unbaked_level(PlanMode::Inline, &open(10, 8));
    spawn_wall(&mut app, Vec2::new(5.0, 3.5), Vec2::new(0.05, 3.5));
    let (from, to) = (Vec2::new(4.5, 0.5), Vec2::new(5.45, 0.5));
    let (agent, _) = spawn_chase(&mut app, Body::Dynamic, from, to);
    run(&mut app, 5);
    assert_ne!(locomotion(&app, agent), Locomotion::Arrived);
    run_until(&mut app, 600, |app| has_arrived(app, agent));
    assert!(
        position(&app, agent).x > 5.0,
        "the chaser did not walk around the wall"
    );
}

#[test]
fn a_blocked_agent_is_reported_stuck_once() {
    let mut app = unbaked_level(PlanMode::Inline, &open(20, 3));
    let (agent, _) = spawn_chase(&mut app, Body::Dynamic, cell(0, 1), cell(19, 1));
    // A crate on another layer: the grid does not contain it, but the agent collides with it.
    let barrel = spawn_wall(&mut app, Vec2::new(5.0, 1.5), Vec2::new(0.5, 3.0));
    let barrel_groups = CollisionGroups::new(Group::GROUP_5, AGENTS);
    give(&mut app, barrel, barrel_groups);
    let agent_groups = CollisionGroups::new(AGENTS, WALLS | Group::GROUP_5);
    give(&mut app, agent, agent_groups);
    run(&mut app, 300);
    assert!(position(&app, agent).x < 5.0);
    let stuck = &events(&app).stuck;
    assert_eq!(stuck.len(), 1, "expected one event, found {stuck:?}");
}

#[test]
fn the_same_game_twice_gives_the_same_positions() {
    let play = || {
        let mut app = unbaked_level(PlanMode::Inline, HOUSE);
        let target = spawn_target(&mut app, cell(10, 5));
        let agents = (0..12).map(|n| spawn_chaser(&mut app, BODIES[n % 3], cell(n, 7), target));
        let agents: Vec<Entity> = agents.collect();
        let mut hash = 0u64;
        for tick in 0..600 {
            let by = Vec2::Y * (tick % 120) as f32 / 60.0;
            set_position(&mut app, target, cell(10, 5) - by);
            app.update();
            for agent in &agents {
                let here = position(&app, *agent);
                let bits = u64::from(here.x.to_bits()) << 32 | u64::from(here.y.to_bits());
                hash = (hash.rotate_left(5) ^ bits).wrapping_mul(0x517c_c1b7_2722_0a95);
            }
        }
        hash
    };
    assert_eq!(play(), play());
}

#[test]
fn a_target_on_the_obstacle_layer_does_not_block_its_chasers() {
    let mut app = unbaked_level(PlanMode::Inline, HOUSE);
    let (agent, target) = spawn_chase(&mut app, Body::Dynamic, cell(0, 7), cell(10, 5));
    let groups = CollisionGroups::new(WALLS, Group::NONE);
    let solid = (Collider::ball(RADIUS), groups, GravityScale(0.0));
    give(&mut app, target, (RigidBody::Dynamic, solid));
    arrive(&mut app, agent, 600, "a solid target");
}
