//! Warnings of the drive stage, each of which is logged once.

use bevy_pursuit::top_down_controller;

use super::listener::{assert_no_warnings, assert_one_warning, listen, take_warnings};
use crate::common::*;

/// A game in which Rapier and Pursuit each run in `FixedUpdate` or in `PostUpdate`, at `hz` frames per second.
fn app(rapier_fixed: bool, pursuit_fixed: bool, hz: f64) -> App {
    let mut app = game_without_plugins(hz, PlanMode::Inline);
    let rapier = RapierPhysicsPlugin::<NoUserData>::default();
    let pursuit = PursuitPlugins::default();
    if rapier_fixed {
        app.add_plugins(rapier.in_fixed_schedule());
    } else {
        app.add_plugins(rapier);
    }
    if pursuit_fixed {
        app.add_plugins(pursuit.in_fixed_schedule());
    } else {
        app.add_plugins(pursuit);
    }
    app.finish();
    app.cleanup();
    app
}

#[test]
#[ignore = "runs in a program of its own"]
fn physics_in_another_schedule_is_logged_once() {
    let _alone = listen();
    for (rapier, pursuit) in [(true, false), (false, true), (true, true), (false, false)] {
        for hz in [30.0, 60.0, 240.0] {
            let mut app = app(rapier, pursuit, hz);
            if rapier != pursuit {
                run(&mut app, 60);
                assert_one_warning(&["another schedule", "in_fixed_schedule()"]);
                continue;
            }
            spawn_agent(&mut app, Body::Transform, Vec2::ZERO);
            spawn_agent(&mut app, Body::Kinematic, Vec2::ONE * 9.0);
            run(&mut app, 200);
            assert_no_warnings();
        }
    }
}

#[test]
#[ignore = "runs in a program of its own"]
fn a_rapier_step_unlike_the_fixed_time_step_is_logged_once() {
    let _alone = listen();
    for (is_fixed, dt, body, logged_share) in [
        (true, 1.0 / 60.0, Body::Dynamic, Some("107 %")),
        (true, 1.0 / 128.0, Body::Dynamic, Some("50 %")),
        (true, 1.0 / 64.0, Body::Dynamic, None),
        (true, 1.0 / 32.0, Body::Kinematic, None),
        (true, 1.0 / 32.0, Body::Transform, None),
        (false, 1.0 / 32.0, Body::Dynamic, None),
    ] {
        let mut app = app(is_fixed, is_fixed, 60.0);
        app.insert_resource(TimestepMode::Fixed { dt, substeps: 1 });
        spawn_agent(&mut app, body, Vec2::ZERO);
        run(&mut app, 60);
        match logged_share {
            Some(share) => {
                assert_one_warning(&[share, "each tick of 0.015625 s", "TimestepMode::Fixed"])
            }
            None => assert_no_warnings(),
        }
    }
}

#[test]
#[ignore = "runs in a program of its own"]
fn a_speed_above_rapiers_cap_is_logged_once() {
    let _alone = listen();
    let mut app = app(true, true, 60.0);
    let fast = NavAgent::from_radius(8.0).with_speed(800.0);
    for (body, is_logged) in [
        (Body::Transform, false),
        (Body::Kinematic, false),
        (Body::Dynamic, true),
        (Body::Dynamic, false),
    ] {
        let agent = spawn_with(&mut app, body, Vec2::ZERO, fast);
        run(&mut app, 5);
        if is_logged {
            let id = agent.to_string();
            assert_one_warning(&[&id, "800", "faster than 400", "pixels_per_meter"]);
        } else {
            assert_no_warnings();
        }
    }
}

#[test]
#[ignore = "runs in a program of its own"]
fn an_acceleration_above_the_useful_limit_is_logged_once() {
    let _alone = listen();
    let mut app = level(PlanMode::Inline, &open(20, 5));
    for (acceleration, is_logged) in [(1e6, false), (1e7, true), (1e8, false)] {
        let agent = NavAgent::from_radius(RADIUS).with_acceleration(acceleration);
        spawn_bare(&mut app, cell(2, 2), (agent, PathRequest::to(cell(17, 2))));
        run(&mut app, 30);
        if is_logged {
            assert_one_warning(&["acceleration of 10000000 is treated as", "a speed of 8 "]);
        } else {
            assert_no_warnings();
        }
    }
}

#[test]
#[ignore = "runs in a program of its own"]
fn two_to_five_ticks_per_second_are_logged_once() {
    let _alone = listen();
    for (hz, is_logged) in [(2.0, true), (5.0, true), (10.0, false), (30.0, false)] {
        let mut app = game(hz, PlanMode::Inline);
        let virtual_time = Time::<Virtual>::from_max_delta(Duration::from_secs(1));
        app.insert_resource(virtual_time);
        spawn_agent(&mut app, Body::Dynamic, Vec2::ZERO);
        run(&mut app, 40);
        if is_logged {
            assert_one_warning(&["max_delta", "% of their speed", "ten times a second"]);
        } else {
            assert_no_warnings();
        }
    }
}

#[test]
#[ignore = "runs in a program of its own"]
fn dynamic_bodies_far_from_the_origin_are_logged_once() {
    let _alone = listen();
    for far in [5e5, 1e6, 2e6] {
        let mut app = game(60.0, PlanMode::Inline);
        spawn_agent(&mut app, Body::Kinematic, Vec2::new(far, 0.0));
        spawn_agent(&mut app, Body::Dynamic, Vec2::ZERO);
        run(&mut app, 5);
        assert_no_warnings();
        let agent = spawn_agent(&mut app, Body::Dynamic, Vec2::new(far, 3.0));
        spawn_agent(&mut app, Body::Dynamic, Vec2::new(far, 6.0));
        give(&mut app, agent, PathRequest::to(Vec2::new(far + 5.0, 3.0)));
        run(&mut app, 60);
        // The missing grid is also logged, once per process.
        let warnings = take_warnings();
        let is_about_precision =
            |warning: &&String| warning.contains("apart") && warning.contains("origin");
        assert_eq!(
            warnings.iter().filter(is_about_precision).count(),
            1,
            "{warnings:?}"
        );
    }
}

#[test]
#[ignore = "runs in a program of its own"]
fn a_warning_contains_the_name_of_an_agent() {
    let _alone = listen();
    let mut app = game(60.0, PlanMode::Inline);
    let drive = NavDrive::Grip(7.0);
    spawn_bare(&mut app, Vec2::ZERO, (Name::new("Grunt"), drive));
    run(&mut app, 2);
    assert_one_warning(&["NavDrive on Grunt", "got Grip(7"]);
}

#[test]
#[ignore = "runs in a program of its own"]
fn paused_physics_is_not_logged_as_another_schedule() {
    let _alone = listen();
    let mut app = app(false, false, 60.0);
    app.update();
    set_physics(&mut app, false);
    run(&mut app, 60);
    assert_no_warnings();
}

#[test]
#[ignore = "runs in a program of its own"]
fn dynamic_bodies_that_lag_behind_fast_virtual_time_are_logged_once() {
    let _alone = listen();
    for (speed, hz) in [(4.0, 60.0), (8.0, 60.0), (1.0, 20.0)] {
        let mut app = app(false, false, hz);
        virtual_time(&mut app).set_relative_speed(speed);
        run(&mut app, 200);
        assert_no_warnings();
        spawn_agent(&mut app, Body::Dynamic, Vec2::ZERO);
        run(&mut app, 200);
        assert_one_warning(&["max_dt", "TimestepMode::Variable", "in_fixed_schedule()"]);
    }
}

#[test]
#[ignore = "runs in a program of its own"]
fn occasional_stalled_frames_log_nothing() {
    let _alone = listen();
    let mut app = app(false, false, 60.0);
    spawn_agent(&mut app, Body::Dynamic, Vec2::ZERO);
    for n in 0..300 {
        let frame = Duration::from_millis(if n % 10 == 0 { 200 } else { 16 });
        app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
        app.update();
    }
    assert_no_warnings();
}

#[test]
#[ignore = "runs in a program of its own"]
fn a_kinematic_body_with_its_collider_on_a_child_is_logged_once() {
    let _alone = listen();
    let mut app = app(true, true, 60.0);
    let agent = spawn_bare(&mut app, Vec2::ZERO, RigidBody::KinematicPositionBased);
    let child = (Transform::default(), Collider::ball(RADIUS), ChildOf(agent));
    let child = spawn(&mut app, child);
    run(&mut app, 60);
    assert_one_warning(&[&agent.to_string(), &child.to_string(), "on the child"]);
}

#[test]
#[ignore = "runs in a program of its own"]
fn a_kinematic_body_without_a_collider_and_a_fixed_body_are_logged_once() {
    let _alone = listen();
    let mut app = app(true, true, 60.0);
    let agent = spawn_bare(&mut app, Vec2::ZERO, RigidBody::KinematicPositionBased);
    run(&mut app, 60);
    assert_one_warning(&[&agent.to_string(), "without a Collider"]);
    // A controller with a custom shape needs no collider.
    let controller = KinematicCharacterController {
        custom_shape: Some((Collider::ball(RADIUS), Vec2::ZERO, 0.0)),
        ..top_down_controller(RADIUS)
    };
    let kinematic = RigidBody::KinematicPositionBased;
    spawn_bare(&mut app, Vec2::ZERO, (kinematic, controller));
    run(&mut app, 60);
    assert_no_warnings();
    // A fixed body is logged as well.
    let agent = spawn_with(&mut app, Body::Dynamic, Vec2::ZERO, RigidBody::Fixed);
    run(&mut app, 60);
    assert_one_warning(&[&agent.to_string(), "RigidBody::Fixed"]);
}

#[test]
#[ignore = "runs in a program of its own"]
fn a_collider_added_one_tick_after_its_body_logs_nothing() {
    let _alone = listen();
    let mut app = app(false, false, 60.0);
    let agent = spawn_bare(&mut app, Vec2::ZERO, RigidBody::KinematicPositionBased);
    app.update();
    give(&mut app, agent, Collider::ball(RADIUS));
    run(&mut app, 10);
    assert_no_warnings();
}

#[test]
#[ignore = "runs in a program of its own"]
fn a_scaled_agent_is_logged_once_and_a_mirrored_one_is_not() {
    let _alone = listen();
    let mut app = app(false, false, 60.0);
    let mirrored = Transform::from_scale(Vec3::new(-1.0, 1.0, 5.0));
    spawn(&mut app, (NavAgent::from_radius(1.0), mirrored));
    run(&mut app, 3);
    assert_no_warnings();
    let scaled = Transform::from_scale(Vec3::splat(2.0));
    let scaled = (NavAgent::from_radius(1.0), scaled);
    let agent = spawn(&mut app, scaled);
    spawn(&mut app, scaled);
    run(&mut app, 3);
    assert_one_warning(&[&agent.to_string(), "scale [2, 2]", "radius"]);
}

#[test]
#[ignore = "runs in a program of its own"]
fn an_invalid_max_delta_is_logged_once() {
    let _alone = listen();
    for max_delta in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let mut app = app(false, false, 60.0);
        for _ in 0..5 {
            settings(&mut app).max_delta = max_delta;
            app.update();
        }
        assert_one_warning(&["max_delta", &max_delta.to_string(), "0.1"]);
    }
}

/// Inserts the bundle into an agent in five frames, and asserts that one warning names the agent and contains the
/// words.
#[track_caller]
fn assert_logged_once(bundle: impl Bundle + Copy, words: &[&str]) {
    let mut app = app(false, false, 60.0);
    let agent = spawn_agent(&mut app, Body::Dynamic, Vec2::ZERO);
    for _ in 0..5 {
        give(&mut app, agent, bundle);
        app.update();
    }
    assert_one_warning(&[&[agent.to_string().as_str()], words].concat());
}

#[test]
#[ignore = "runs in a program of its own"]
fn an_invalid_grip_or_turn_is_logged_once() {
    let _alone = listen();
    for grip in [-1.0, 1.5, f32::NAN] {
        assert_logged_once(NavDrive::Grip(grip), &["grip", &grip.to_string()]);
    }
    for turn in [
        NavTurn::new(f32::NAN),
        NavTurn::new(0.0),
        NavTurn::default().with_forward(Vec2::ZERO),
    ] {
        assert_logged_once(turn, &["rate", &turn.rate.to_string()]);
    }
}

#[test]
#[ignore = "runs in a program of its own"]
fn a_fixed_body_that_the_game_moves_logs_nothing() {
    let _alone = listen();
    let mut app = app(false, false, 60.0);
    let agent = spawn_agent(&mut app, Body::Dynamic, Vec2::ZERO);
    give(&mut app, agent, (RigidBody::Fixed, NavDrive::Manual));
    run(&mut app, 10);
    assert_no_warnings();
}

#[test]
#[ignore = "runs in a program of its own"]
fn a_body_too_far_from_the_origin_for_its_steps_is_logged_once() {
    let _alone = listen();
    let mut app = game(1000.0, PlanMode::Inline);
    let want_velocity = |mut agents: Query<&mut DesiredVelocity>| {
        for mut desired in &mut agents {
            desired.0 = Vec3::X * 8.0;
        }
    };
    let order = want_velocity.after(PursuitSystems::Follow);
    app.add_systems(FixedUpdate, order.before(PursuitSystems::Drive));
    spawn_agent(&mut app, Body::Dynamic, Vec2::new(1e4, 0.0));
    run(&mut app, 20);
    assert_no_warnings();
    let agent = spawn_agent(&mut app, Body::Dynamic, Vec2::new(0.0, -3e5));
    let before = position(&app, agent);
    run(&mut app, 20);
    // A speed of 8 units per second is 0.008 units per tick, or 2^-6.97. From 2^18 upward, this is less than half of
    // the distance between floats, so such a step is lost.
    assert_one_warning(&[&agent.to_string(), "262144", "slower", "origin"]);
    assert_eq!(position(&app, agent).y, before.y);
}

#[test]
#[ignore = "runs in a program of its own"]
fn controllers_that_stop_at_other_agents_are_logged_once() {
    let _alone = listen();
    let cases = [
        (CollisionGroups::default(), NavAvoidance::Separation, true),
        (CollisionGroups::default(), NavAvoidance::None, false),
        (
            CollisionGroups::new(AGENTS, WALLS),
            NavAvoidance::Separation,
            false,
        ),
    ];
    for (groups, avoidance, is_logged) in cases {
        let mut app = app(true, true, 60.0);
        for n in 0..3 {
            let at = Vec2::X * n as f32;
            spawn_with(&mut app, Body::Kinematic, at, (groups, avoidance));
            run(&mut app, 10);
        }
        match is_logged {
            true => assert_one_warning(&["collide with each other", "CollisionGroups::new"]),
            false => assert_no_warnings(),
        }
    }
}

#[test]
#[ignore = "runs in a program of its own"]
fn a_collider_that_reaches_beyond_the_radius_is_logged_once() {
    let _alone = listen();
    let aside = vec![(Vec2::X * 0.3, 0.0, Collider::ball(0.2))];
    let cases = [
        (Collider::ball(RADIUS), None),
        (Collider::cuboid(0.28, 0.28), None),
        (Collider::cuboid(RADIUS, RADIUS), Some("reaches 0.5656")),
        (Collider::ball(0.5), Some("reaches 0.5 ")),
        (Collider::capsule_x(0.1, RADIUS), Some("reaches 0.5 ")),
        (Collider::compound(aside), Some("reaches 0.5 ")),
    ];
    for (collider, words) in cases {
        for body in [Body::Dynamic, Body::Kinematic] {
            let mut app = app(true, true, 60.0);
            let agents = [0.0, 5.0].map(|x| {
                let at = Vec2::new(x, 3.0);
                spawn_with(&mut app, body, at, collider.clone())
            });
            run(&mut app, 10);
            match words {
                Some(reach) => {
                    assert_one_warning(&[&agents[0].to_string(), "radius of 0.4", reach])
                }
                None => assert_no_warnings(),
            }
            // A radius that shrinks below the reach of its collider is also logged, but only once.
            get_mut::<NavAgent>(&mut app, agents[1]).radius = 0.2;
            run(&mut app, 10);
            match words {
                Some(_) => assert_no_warnings(),
                None => assert_one_warning(&[&agents[1].to_string(), "radius of 0.2"]),
            }
        }
    }
}

#[test]
#[ignore = "runs in a program of its own"]
fn a_collider_of_a_child_beyond_the_radius_is_logged_once_unless_it_passes_walls() {
    let _alone = listen();
    let to = |groups| CollisionGroups::new(AGENTS, groups);
    let cases = [
        (RigidBody::Dynamic, to(WALLS), 0.3, true),
        (RigidBody::Dynamic, to(WALLS), 0.1, false),
        (RigidBody::Dynamic, to(AGENTS), 0.3, false),
        (RigidBody::KinematicPositionBased, to(WALLS), 0.3, false),
    ];
    for (body, groups, x, speaks) in cases {
        let mut app = level(PlanMode::Inline, &open(12, 8));
        let own = (Collider::ball(RADIUS), to(WALLS));
        let agent = spawn_bare(&mut app, cell(4, 4), (body, own));
        let place = transform_at(Vec2::new(x, 0.0));
        let child = (Collider::ball(0.2), groups, place, ChildOf(agent));
        let child = spawn(&mut app, child);
        run(&mut app, 10);
        if speaks {
            assert_one_warning(&[&agent.to_string(), &child.to_string(), "reaches 0.5"]);
        }
        // A sensor collides with nothing.
        let sensor = (Collider::ball(3.0), Sensor, transform_at(Vec2::ZERO));
        spawn(&mut app, (sensor, ChildOf(agent)));
        run(&mut app, 2);
        get_mut::<NavAgent>(&mut app, agent).set_changed();
        run(&mut app, 10);
        assert_no_warnings();
    }
}

#[test]
#[ignore = "runs in a program of its own"]
fn damping_that_brakes_an_agent_of_low_grip_is_logged_once() {
    let _alone = listen();
    let cases = [
        (Body::Dynamic, NavDrive::Grip(0.5), 5.0, true),
        (Body::Dynamic, NavDrive::Grip(0.5), 1.0, false),
        (Body::Dynamic, NavDrive::Firm, 5.0, false),
        (Body::Dynamic, NavDrive::Manual, 5.0, false),
        (Body::Kinematic, NavDrive::Grip(0.5), 5.0, false),
    ];
    for (body, drive, linear_damping, speaks) in cases {
        let mut app = app(true, true, 60.0);
        let damping = Damping {
            linear_damping,
            angular_damping: 0.0,
        };
        let agents = [0.0, 5.0].map(|x| {
            let at = Vec2::new(x, 3.0);
            spawn_with(&mut app, body, at, (drive, damping))
        });
        run(&mut app, 5);
        if speaks {
            let words = ["Grip(0.5)", "linear_damping of 5", "33 %"];
            assert_one_warning(&[&[agents[0].to_string().as_str()], &words[..]].concat());
        }
        get_mut::<Damping>(&mut app, agents[1]).set_changed();
        run(&mut app, 5);
        assert_no_warnings();
    }
}

#[test]
#[ignore = "runs in a program of its own"]
fn agents_with_invalid_numbers_log_neither_their_colliders_nor_their_damping() {
    let _alone = listen();
    let mut app = app(true, true, 60.0);
    let damping = Damping {
        linear_damping: 5.0,
        angular_damping: 0.0,
    };
    let loose = (NavDrive::Grip(0.5), damping);
    let refused = bad_agents(-1.0).map(|bad| {
        let rest = (bad, loose, Collider::ball(0.9));
        spawn_with(&mut app, Body::Dynamic, Vec2::ZERO, rest)
    });
    run(&mut app, 10);
    assert_no_warnings();
    give(&mut app, refused[0], PathRequest::to(Vec2::ONE));
    run(&mut app, 10);
    assert_one_warning(&[&refused[0].to_string(), "is ignored", "radius"]);
    let at = Vec2::new(0.0, 5.0);
    let large = spawn_with(&mut app, Body::Dynamic, at, Collider::ball(0.9));
    run(&mut app, 10);
    assert_one_warning(&[
        &large.to_string(),
        "radius of 0.4",
        "reaches 0.",
        "ball(0.4)",
    ]);
    // An agent is checked once its numbers are valid.
    let bad = bad_agents(-1.0)[2];
    let slow = spawn_with(&mut app, Body::Dynamic, Vec2::new(5.0, 5.0), (bad, loose));
    run(&mut app, 5);
    assert_no_warnings();
    give(&mut app, slow, NavAgent::from_radius(RADIUS));
    run(&mut app, 5);
    assert_one_warning(&[&slow.to_string(), "linear_damping of 5", "33 %"]);
}
