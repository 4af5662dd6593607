//! Agents that chase: they arrive, on every body, around walls, and never through one.

use bevy::prelude::*;
use bevy_pursuit::BakedGrid;
use bevy_pursuit::prelude::*;

use crate::common::*;

const HOUSE: &str = "
    ..............
    .####.#######.
    .#.....#....#.
    .#.....#....#.
    .#..........#.
    .#.....#....#.
    .############.
    ..............
";

#[test]
fn a_chaser_of_every_body_comes_through_the_door_to_its_target() {
    for body in BODIES {
        let mut app = game(60.0, PlanMode::Inline);
        build_level(&mut app, HOUSE);
        let target = spawn_target(&mut app, cell(10, 5));
        let agent = spawn_chaser(&mut app, body, cell(0, 7), target);
        run_until(&mut app, 600, |app| {
            let here = position(app, agent);
            assert!(
                wall_distance(app, here) >= 0.98 * RADIUS,
                "{body:?} in a wall at {here}"
            );
            has_arrived(app, agent)
        });
        let away = position(&app, agent).distance(cell(10, 5));
        assert!(away <= 1.1 * RADIUS + 1e-4, "{body:?}: {away} away");
        assert_eq!(
            heard(&app).reached,
            [GoalReached {
                entity: agent,
                target: Some(target)
            }]
        );
        assert!(heard(&app).stuck.is_empty(), "{body:?} got stuck");
    }
}

#[test]
fn a_target_that_runs_slower_is_caught() {
    for body in BODIES {
        let mut app = game(60.0, PlanMode::Inline);
        build_level(&mut app, HOUSE);
        let target = spawn_target(&mut app, cell(13, 0));
        let agent = spawn_chaser(&mut app, body, cell(0, 0), target);
        let mut run_away = 0.0_f32;
        run_until(&mut app, 900, |app| {
            run_away += 0.6 * 8.0 / 60.0;
            place(app, target, cell(13, 0) + Vec2::Y * (run_away % 7.0));
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
            let target = spawn_target(&mut app, cell(10, 5));
            let agent = spawn_chaser(&mut app, body, cell(0, 7), target);
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
fn no_agent_is_faster_or_accelerates_harder_than_it_may() {
    let mut app = game(60.0, PlanMode::Inline);
    build_level(&mut app, HOUSE);
    let target = spawn_target(&mut app, cell(10, 5));
    let agent = spawn_chaser(&mut app, Body::Transform, cell(0, 7), target);
    let limits = get::<NavAgent>(&app, agent);
    let mut speed = 0.0;
    run_until(&mut app, 600, |app| {
        let now = get::<DesiredVelocity>(app, agent).0.length();
        assert!(now <= limits.speed * 1.0001, "{now} is too fast");
        assert!(
            now - speed <= limits.acceleration / 60.0 * 1.001,
            "from {speed} to {now} in a tick"
        );
        speed = now;
        has_arrived(app, agent)
    });
}

#[test]
fn an_agent_whose_target_is_despawned_stops_and_says_so() {
    for body in BODIES {
        let mut app = game(60.0, PlanMode::Inline);
        build_level(&mut app, HOUSE);
        let target = spawn_target(&mut app, cell(10, 5));
        let agent = spawn_chaser(&mut app, body, cell(0, 7), target);
        run(&mut app, 30);
        assert_ne!(get::<DesiredVelocity>(&app, agent).0, Vec2::ZERO);
        app.world_mut().despawn(target);
        run(&mut app, 2);
        let stopped_at = position(&app, agent);
        run(&mut app, 30);
        assert_eq!(status(&app, agent), PathStatus::TargetLost);
        let told = TargetLost {
            entity: agent,
            target,
        };
        assert_eq!(heard(&app).lost, [told]);
        assert_eq!(get::<DesiredVelocity>(&app, agent).0, Vec2::ZERO);
        assert!(
            position(&app, agent).distance(stopped_at) < 1e-3,
            "{body:?} still moves"
        );
    }
}

#[test]
fn an_agent_chases_again_when_it_gets_a_new_target() {
    let mut app = game(60.0, PlanMode::Inline);
    build_level(&mut app, HOUSE);
    let first = spawn_target(&mut app, cell(10, 5));
    let agent = spawn_chaser(&mut app, Body::Transform, cell(0, 7), first);
    run(&mut app, 10);
    app.world_mut().despawn(first);
    run(&mut app, 10);
    let second = spawn_target(&mut app, cell(13, 7));
    give(&mut app, agent, Chase::new(second));
    run_until(&mut app, 600, |app| has_arrived(app, agent));
    assert_eq!(
        heard(&app).reached.last().and_then(|event| event.target),
        Some(second)
    );
}

#[test]
fn a_chaser_that_plans_anew_never_steps_back() {
    let mut app = game(60.0, PlanMode::Inline);
    build_level(
        &mut app,
        "..............................\n..............................",
    );
    let target = spawn_target(&mut app, cell(29, 0));
    let agent = spawn_agent(&mut app, Body::Transform, cell(0, 0));
    let often = RepathPolicy::Every(std::time::Duration::from_millis(50));
    give(&mut app, agent, Chase::new(target).with_repath(often));
    let mut furthest = 0.0;
    run_until(&mut app, 400, |app| {
        let here = position(app, agent).x;
        assert!(
            here >= furthest - 1e-4,
            "steps back from {furthest} to {here}"
        );
        furthest = here;
        has_arrived(app, agent)
    });
}

#[test]
fn a_door_that_opens_lets_the_chaser_in() {
    let mut app = game(60.0, PlanMode::Async);
    let walls = build_level(
        &mut app,
        "
        .......
        .#####.
        .#...#.
        .#...#.
        .#####.
        .......
        ",
    );
    let target = spawn_target(&mut app, cell(3, 2));
    let agent = spawn_chaser(&mut app, Body::Dynamic, cell(0, 0), target);
    run_until(&mut app, 600, |app| {
        std::thread::sleep(std::time::Duration::from_millis(1));
        status(app, agent) == PathStatus::Partial(FailReason::Unreachable)
    });
    app.world_mut().despawn(walls[2]);
    run_until(&mut app, 600, |app| {
        std::thread::sleep(std::time::Duration::from_millis(1));
        has_arrived(app, agent)
    });
}

#[test]
fn a_wall_across_a_path_is_known_two_frames_later_and_led_around_in_two_more() {
    for mode in MODES {
        let mut app = game(60.0, mode);
        build_level(&mut app, &"....................\n".repeat(7));
        let target = spawn_target(&mut app, cell(19, 3));
        let agent = spawn_chaser(&mut app, Body::Transform, cell(0, 3), target);
        run_slowly(&mut app, 40);
        let grid = grid_entity(&mut app);
        let generation = |app: &App| {
            let baked = get::<BakedGrid>(app, grid);
            baked.snapshot().map(|snapshot| snapshot.generation())
        };
        let (open, path) = (generation(&app), get::<NavPath>(&app, agent));
        spawn_wall(&mut app, Vec2::new(12.5, 3.5), Vec2::new(0.5, 2.0));
        let mut frames = |done: &dyn Fn(&App) -> bool| {
            run_until(&mut app, 10, |app| {
                // As long as in a game, so that tasks have the time that they would have there.
                std::thread::sleep(std::time::Duration::from_millis(16));
                done(app)
            })
        };
        let shown = frames(&|app| generation(app) != open);
        let around = frames(&|app| get::<NavPath>(app, agent).waypoints() != path.waypoints());
        assert!(
            shown <= 2 && around <= 2,
            "{mode:?}: {shown}, then {around}"
        );
    }
}

#[test]
fn a_wall_that_appears_on_the_path_is_never_entered() {
    for mode in [PlanMode::Async, PlanMode::Inline] {
        let mut app = game(60.0, mode);
        build_level(&mut app, &"....................\n".repeat(7));
        let target = spawn_target(&mut app, cell(19, 3));
        let agent = spawn_chaser(&mut app, Body::Transform, cell(0, 3), target);
        run(&mut app, 40);
        let ahead = position(&app, agent) + Vec2::X * 1.6;
        spawn_wall(&mut app, ahead.with_y(3.5), Vec2::new(0.5, 2.0));
        run_until(&mut app, 900, |app| {
            if mode == PlanMode::Async && position(app, agent).x < 6.0 {
                // Frames as long as in a game, so that the bake has the time it would have there.
                std::thread::sleep(std::time::Duration::from_millis(16));
            }
            let here = position(app, agent);
            let distance = wall_distance(app, here);
            assert!(
                distance >= 0.98 * RADIUS,
                "{mode:?}: {distance} from a wall at {here}"
            );
            has_arrived(app, agent)
        });
    }
}

#[test]
fn an_agent_does_not_catch_its_target_through_a_wall() {
    let mut app = game(60.0, PlanMode::Inline);
    build_level(&mut app, &"..........\n".repeat(8));
    spawn_wall(&mut app, Vec2::new(5.0, 3.5), Vec2::new(0.05, 3.5));
    let target = spawn_target(&mut app, Vec2::new(5.45, 0.5));
    let agent = spawn_chaser(&mut app, Body::Dynamic, Vec2::new(4.5, 0.5), target);
    run(&mut app, 5);
    assert_ne!(legs(&app, agent), Locomotion::Arrived);
    run_until(&mut app, 600, |app| has_arrived(app, agent));
    assert!(
        position(&app, agent).x > 5.0,
        "walked around to the target's side"
    );
}

#[test]
fn a_blocked_agent_is_reported_stuck_once() {
    let mut app = game(60.0, PlanMode::Inline);
    build_level(&mut app, &"....................\n".repeat(3));
    let target = spawn_target(&mut app, cell(19, 1));
    let agent = spawn_chaser(&mut app, Body::Dynamic, cell(0, 1), target);
    // A crate that the grid does not know: in another layer, but the agent bumps into it.
    app.world_mut().spawn((
        bevy_rapier2d::prelude::Collider::cuboid(0.5, 3.0),
        bevy_rapier2d::prelude::CollisionGroups::new(
            bevy_rapier2d::prelude::Group::GROUP_5,
            AGENTS,
        ),
        Transform::from_xyz(5.0, 1.5, 0.0),
    ));
    app.world_mut()
        .entity_mut(agent)
        .insert(bevy_rapier2d::prelude::CollisionGroups::new(
            AGENTS,
            WALLS | bevy_rapier2d::prelude::Group::GROUP_5,
        ));
    run(&mut app, 300);
    assert_eq!(legs(&app, agent), Locomotion::Stuck);
    assert_eq!(
        heard(&app).stuck.len(),
        1,
        "told once: {:?}",
        heard(&app).stuck
    );
}

#[test]
fn the_same_game_twice_gives_the_same_positions() {
    let play = || {
        let mut app = game(60.0, PlanMode::Inline);
        build_level(&mut app, HOUSE);
        let target = spawn_target(&mut app, cell(10, 5));
        let agents: Vec<Entity> = BODIES
            .iter()
            .cycle()
            .take(12)
            .enumerate()
            .map(|(n, body)| spawn_chaser(&mut app, *body, cell(n, 7), target))
            .collect();
        let mut hash = 0u64;
        for tick in 0..600 {
            place(
                &mut app,
                target,
                cell(10, 5) - Vec2::Y * (tick % 120) as f32 / 60.0,
            );
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
fn a_target_with_a_collider_in_the_obstacle_layers_is_no_wall_to_its_chasers() {
    use bevy_rapier2d::prelude::*;
    let mut app = game(60.0, PlanMode::Inline);
    build_level(&mut app, HOUSE);
    let target = spawn_target(&mut app, cell(10, 5));
    app.world_mut().entity_mut(target).insert((
        RigidBody::Dynamic,
        GravityScale(0.0),
        Collider::ball(RADIUS),
        CollisionGroups::new(WALLS, Group::NONE),
    ));
    let agent = spawn_chaser(&mut app, Body::Dynamic, cell(0, 7), target);
    run_until(&mut app, 600, |app| has_arrived(app, agent));
}
