//! Regressions: each test covers a bug that existed once.

use crate::common::*;

#[test]
fn a_bake_after_a_goal_at_nan_does_not_panic() {
    for mode in MODES {
        let mut app = level(mode, &open(20, 20));
        let (chaser, nowhere) = spawn_chase(&mut app, Body::Transform, cell(2, 2), Vec2::NAN);
        let beyond = Vec2::new(f32::NAN, 3.0);
        spawn_walker(&mut app, Body::Transform, cell(4, 2), beyond);
        spawn_bare(&mut app, cell(6, 2), Flee::new(nowhere, 5.0));
        // This chaser had a valid goal before.
        let (follower, target) = spawn_chase(&mut app, Body::Transform, cell(8, 2), cell(15, 15));
        run(&mut app, 10);
        set_position(&mut app, target, Vec2::NAN);
        run(&mut app, 10);
        for n in 0..3 {
            let_tasks_run();
            spawn_wall(&mut app, cell(10, 5 + n), Vec2::splat(0.5));
            run(&mut app, 20);
        }
        set_position(&mut app, target, cell(15, 15));
        set_position(&mut app, nowhere, cell(15, 2));
        arrive(&mut app, [chaser, follower], 1200, mode);
    }
}

#[test]
fn a_blocked_agent_that_is_moved_to_free_ground_walks() {
    for mode in MODES {
        for (radii, is_disabled) in [(20, false), (4, true)] {
            let mut app = level(mode, &open(20, 20));
            spawn_wall(&mut app, cell(5, 5), Vec2::splat(3.0));
            run(&mut app, 5);
            let agent = spawn_walker(&mut app, Body::Transform, cell(5, 5), cell(15, 15));
            run_slowly_until(&mut app, 200, |app| {
                status(app, agent) == Failed(StartBlocked)
            });
            set_disabled(&mut app, agent, is_disabled);
            for n in 0..radii {
                let request = PathRequest::to(cell(15, 2)).with_radius(0.3 + 0.01 * n as f32);
                spawn_request(&mut app, cell(2, 15), request);
            }
            run(&mut app, 30);
            if is_disabled {
                spawn_wall(&mut app, cell(18, 5), Vec2::splat(0.5));
                run(&mut app, 30);
            }
            set_position(&mut app, agent, cell(12, 5));
            set_disabled(&mut app, agent, false);
            arrive(&mut app, agent, 600, (mode, is_disabled));
        }
    }
}

#[test]
fn agents_are_planned_for_again_after_the_clock_is_set_back() {
    let mut app = level(PlanMode::Inline, &open(40, 8));
    let (agent, target) = spawn_chase(&mut app, Body::Transform, cell(12, 4), cell(2, 4));
    // The wall hides the target from the agent.
    spawn_wall(&mut app, cell(8, 3), Vec2::new(0.5, 2.0));
    give(&mut app, agent, NavDrive::Manual);
    let ten_minutes = Duration::from_secs(600);
    virtual_time(&mut app).advance_by(ten_minutes);
    let mut fixed = app.world_mut().resource_mut::<Time<Fixed>>();
    fixed.advance_by(ten_minutes);
    run(&mut app, 30);
    let before = searches(&app);
    assert!(before > 0);
    app.insert_resource(Time::<Fixed>::from_hz(60.0))
        .insert_resource(Time::<Virtual>::default());
    run(&mut app, 1200);
    let stuck = searches(&app) - before;
    assert!(
        stuck >= 2,
        "a stuck agent made only {stuck} searches in 20 s"
    );
    set_position(&mut app, target, cell(2, 1));
    let before = searches(&app);
    run(&mut app, 600);
    assert!(searches(&app) > before, "the moved target caused no search");
}

#[test]
fn agents_with_huge_accelerations_arrive() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, &open(40, 30));
        disable_avoidance(&mut app);
        let target = spawn_target(&mut app, cell(35, 15));
        let mut agents = Vec::new();
        for (n, power) in (6..38).step_by(2).enumerate() {
            let walker = spawn_walker(&mut app, body, cell(2, 1 + n), cell(20, 1 + n));
            let chaser = spawn_chaser(&mut app, Body::Transform, cell(3, 1 + n), target);
            for agent in [walker, chaser] {
                get_mut::<NavAgent>(&mut app, agent).acceleration = 10_f32.powi(power);
                agents.push((agent, power));
            }
        }
        run(&mut app, 600);
        agents.retain(|(agent, _)| !has_arrived(&app, *agent));
        assert_eq!(
            agents,
            [],
            "{body:?}: agents that did not arrive, with their powers of ten"
        );
    }
}

#[test]
fn a_player_deep_in_a_pond_is_not_reached_from_its_rim() {
    for is_solid in [false, true] {
        for mode in MODES {
            let mut app = level(mode, &open(40, 20));
            let pond = NavObstacle::circle(7.0).with_layers(WALLS);
            spawn(&mut app, (pond, transform_at(cell(25, 10))));
            let player = spawn_target(&mut app, cell(25, 10));
            if is_solid {
                give_body(&mut app, player, Body::Kinematic);
            }
            let chaser = spawn_chaser(&mut app, Body::Transform, cell(4, 10), player);
            run_slowly_until(&mut app, 600, |app| {
                locomotion(app, chaser) == Locomotion::Waiting
            });
            run(&mut app, 60);
            assert_status(&app, chaser, Partial(GoalBlocked), ("solid", is_solid));
            assert_eq!(events(&app).reached, [], "solid: {is_solid}");
            assert_away(&app, chaser, cell(25, 10), 7.0..9.5, "from the player");
            // The player comes out on the other side.
            set_position(&mut app, player, cell(36, 10));
            run_slowly_until(&mut app, 900, |app| has_arrived(app, chaser));
        }
    }
}

#[test]
fn a_target_that_is_an_obstacle_is_reached_at_its_rim() {
    for below in [false, true] {
        let mut app = level(PlanMode::Inline, &open(40, 20));
        let totem = NavObstacle::circle(4.0).with_layers(WALLS);
        let target = spawn_target(&mut app, cell(25, 10));
        if below {
            let child = spawn(&mut app, (totem, Transform::default()));
            app.world_mut().entity_mut(target).add_child(child);
        } else {
            give(&mut app, target, totem);
        }
        run(&mut app, 3);
        let chaser = spawn_chaser(&mut app, Body::Transform, cell(4, 10), target);
        run_until(&mut app, 600, |app| has_arrived(app, chaser));
        assert_eq!(status(&app, chaser), PathStatus::Found);
    }
}

#[test]
fn an_agent_thrown_off_the_grid_walks_back_and_arrives() {
    for (mode, body) in modes_and_bodies() {
        let mut app = level(mode, &open(20, 20));
        // The nearest border cells are blocked.
        spawn_wall(&mut app, Vec2::new(19.0, 10.0), Vec2::new(1.0, 2.0));
        let target = spawn_target(&mut app, cell(3, 3));
        run(&mut app, 5);
        let agent = spawn_chaser(&mut app, body, cell(15, 10), target);
        run(&mut app, 3);
        for off in [
            Vec2::new(26.0, 10.0),
            Vec2::new(-7.0, -9.0),
            Vec2::new(10.0, 20.1),
        ] {
            set_position(&mut app, agent, off);
            // This update clears the arrival of the previous round.
            run(&mut app, 1);
            let mut partial = false;
            run_slowly_until(&mut app, 900, |app| {
                partial |= status(app, agent) == Partial(OutsideGrid);
                has_arrived(app, agent)
            });
            assert!(
                partial,
                "{mode:?} {body:?} at {off}: the status never was OutsideGrid"
            );
        }
        let failures = &events(&app).failed;
        let is_outside = |failed: &&PathFailed| failed.reason == FailReason::OutsideGrid;
        assert!(
            failures.iter().filter(is_outside).count() >= 3,
            "{failures:?}"
        );
    }
}

#[test]
fn an_agent_outside_every_grid_walks_to_the_nearer_one() {
    let mut app = level(PlanMode::Inline, &open(10, 10));
    spawn_grid(&mut app, Rect::new(40.0, 0.0, 50.0, 10.0), 0.5);
    run(&mut app, 3);
    let goal = Vec2::new(45.0, 5.0);
    let agent = spawn_walker(&mut app, Body::Transform, Vec2::new(32.0, 5.0), goal);
    run_until(&mut app, 600, |app| has_arrived(app, agent));
    assert!(position(&app, agent).distance(goal) < 0.1);
}

/// The hit from the README. One unit here is 20 pixels there.
#[test]
fn an_agent_that_takes_a_hit_returns_soon() {
    for mode in MODES {
        let mut app = level(mode, &open(80, 20));
        let (enemy, _) = spawn_chase(&mut app, Body::Dynamic, cell(14, 10), cell(10, 10));
        get_mut::<NavAgent>(&mut app, enemy).acceleration = 80.0;
        give(&mut app, enemy, NavDrive::Grip(0.2));
        arrive(&mut app, enemy, 300, mode);
        give(&mut app, enemy, Velocity::linear(Vec2::new(30.0, 0.0)));
        let mut farthest = 0.0_f32;
        run_slowly_until(&mut app, 400, |app| {
            farthest = farthest.max(position(app, enemy).x);
            farthest > 12.0 && has_arrived(app, enemy)
        });
        assert!(
            farthest < 40.0,
            "{mode:?}: the hit threw the agent to {farthest}"
        );
    }
}

#[test]
fn needs_sight_changed_in_place_takes_effect_at_once() {
    for mode in MODES {
        let mut app = level(mode, &open(20, 9));
        let gate = spawn_wall(&mut app, Vec2::new(12.0, 4.5), Vec2::new(1.0, 1.5));
        let walker = spawn_walker(&mut app, Body::Transform, cell(0, 2), Vec2::new(12.0, 4.5));
        let attacker = spawn_chaser(&mut app, Body::Transform, cell(0, 6), gate);
        arrive(&mut app, [walker, attacker], 400, "at the rim");
        for needs_sight in [true, false, true] {
            get_mut::<PathRequest>(&mut app, walker).needs_sight = needs_sight;
            get_mut::<Chase>(&mut app, attacker).needs_sight = needs_sight;
            run_slowly(&mut app, 120);
            let expected = match needs_sight {
                true => Partial(GoalBlocked),
                false => PathStatus::Found,
            };
            for (one, context) in [(walker, "request"), (attacker, "chase")] {
                let context = format!("{mode:?}, {context}, needs_sight {needs_sight}");
                assert_eq!(status(&app, one), expected, "{context}");
                assert_eq!(has_arrived(&app, one), !needs_sight, "{context}");
            }
        }
    }
}
