//! Goals inside walls, on walls, and below them in the hierarchy.

use crate::common::*;

#[test]
fn a_target_that_is_a_child_of_a_body_on_the_obstacle_layer_is_reached() {
    for body in BODIES {
        use RigidBody::{Dynamic, Fixed, KinematicPositionBased};
        for carrier in [Dynamic, KinematicPositionBased, Fixed] {
            let mut app = level(PlanMode::Inline, &open(16, 7));
            let parent = spawn_wall(&mut app, cell(11, 3), Vec2::splat(0.5));
            let heavy = ColliderMassProperties::Density(1000.0);
            give(&mut app, parent, (carrier, GravityScale(0.0), heavy));
            let above = Transform::from_xyz(0.1, 0.2, 0.0);
            let head = spawn(&mut app, (above, ChildOf(parent)));
            let agent = spawn_chaser(&mut app, body, cell(0, 3), head);
            let context = format!("{body:?}: the {carrier:?} body of the target blocks the way");
            arrive(&mut app, agent, 400, &context);
            assert_eq!(status(&app, agent), PathStatus::Found, "{context}");
            assert_away(&app, agent, cell(11, 3), ..=2.0, &context);
        }
    }
}

#[test]
fn a_goal_inside_a_fixed_collider_is_reached_at_its_rim() {
    for (mode, body) in modes_and_bodies() {
        let mut app = level(mode, &open(20, 9));
        disable_avoidance(&mut app);
        let gate = spawn_wall(&mut app, Vec2::new(12.0, 4.5), Vec2::new(1.0, 1.5));
        let inside = spawn_target(&mut app, Vec2::new(12.0, 4.5));
        let walker = spawn_walker(&mut app, body, cell(0, 2), Vec2::new(12.0, 4.5));
        let attacker = spawn_chaser(&mut app, body, cell(0, 4), gate);
        let chaser = spawn_chaser(&mut app, body, cell(0, 6), inside);
        for (agent, context) in [
            (walker, "a request to the gate's center"),
            (attacker, "a chase of the gate itself"),
        ] {
            let context = format!("{mode:?} {body:?}: {context}");
            arrive(&mut app, agent, 400, &context);
            assert_eq!(status(&app, agent), PathStatus::Found, "{context}");
            let here = position(&app, agent);
            let away = wall_distance(&mut app, here);
            assert!(
                (0.97 * RADIUS..=RADIUS + 1.5).contains(&away),
                "{context}: the agent stands {away} from the gate"
            );
        }
        run_slowly(&mut app, 60);
        assert_status(
            &app,
            chaser,
            Partial(GoalBlocked),
            "a target inside the gate",
        );
        let here = position(&app, chaser);
        assert!(
            here.x < 11.0,
            "the chaser runs around the gate in vain, it is at {here}"
        );
        let arrivals = events(&app).reached.len();
        assert_eq!(
            arrivals, 2,
            "{mode:?} {body:?}: not exactly one arrival of each agent"
        );
        let failed = &events(&app).failed;
        let is_chaser =
            |failed: &PathFailed| (failed.entity, failed.reason) == (chaser, GoalBlocked);
        assert!(failed.iter().all(is_chaser), "{failed:?}");
    }
}

#[test]
fn agents_at_the_rim_of_a_gate_go_on_when_it_opens() {
    for (mode, body) in modes_and_bodies() {
        let mut app = level(mode, &open(20, 9));
        disable_avoidance(&mut app);
        let gate = spawn_wall(&mut app, Vec2::new(12.0, 4.5), Vec2::new(1.5, 2.0));
        let inside = spawn_target(&mut app, Vec2::new(12.0, 4.5));
        let walker = spawn_walker(&mut app, body, cell(0, 2), Vec2::new(12.0, 4.5));
        let chaser = spawn_chaser(&mut app, body, cell(0, 6), inside);
        arrive(&mut app, walker, 400, "at the gate");
        run_slowly(&mut app, 30);
        despawn(&mut app, gate);
        run_slowly(&mut app, 120);
        for (agent, near) in [(walker, 0.1), (chaser, 1.15 * RADIUS)] {
            let context = (mode, body, "still at the rim of a gate that is gone");
            assert_away(&app, agent, Vec2::new(12.0, 4.5), ..=near, context);
            assert!(has_arrived(&app, agent), "{context:?}");
        }
    }
}

#[test]
fn a_goal_inside_a_long_wall_is_reached_at_its_rim() {
    // The whole border of a map is one wall. A click on it must not send an agent to its far end.
    for body in BODIES {
        let mut app = level(PlanMode::Inline, &open(30, 9));
        spawn_wall(&mut app, Vec2::new(15.0, 7.0), Vec2::new(15.0, 1.0));
        let goal = Vec2::new(20.0, 7.0);
        let agent = spawn_with(&mut app, body, cell(2, 2), PathRequest::to(goal));
        arrive(&mut app, agent, 400, (body, "into the wall"));
        assert_eq!(status(&app, agent), PathStatus::Found, "{body:?}");
        assert_away(&app, agent, goal, ..=1.0 + RADIUS + 1.5, body);
    }
}

#[test]
fn a_goal_inside_a_wall_whose_rim_is_out_of_reach_fails() {
    const CLOSED: &str = "
        ............
        .......#####
        .......#...#
        .......#...#
        .......#...#
        .......#####
        ............
    ";
    let mut app = level(PlanMode::Inline, CLOSED);
    spawn_wall(&mut app, cell(9, 3), Vec2::splat(0.45));
    let agent = spawn_walker(&mut app, Body::Transform, cell(0, 3), cell(9, 3));
    run(&mut app, 300);
    let status = status(&app, agent);
    assert!(
        matches!(status, Partial(_)),
        "no partial path to a goal in a closed room: {status:?}"
    );
    assert!(
        !has_arrived(&app, agent),
        "the agent arrived through a wall"
    );
    assert_eq!(events(&app).reached, [], "the agent arrived through a wall");
}

#[test]
fn a_door_that_one_agent_attacks_still_blocks_others() {
    for body in BODIES {
        let mut app = level(
            PlanMode::Inline,
            "
            .......#......
            .......#......
            ..............
            .......#......
            .......#......
            ",
        );
        let door = spawn_wall(&mut app, cell(7, 2), Vec2::splat(0.5));
        let attacker = spawn_chaser(&mut app, body, cell(0, 2), door);
        arrive(&mut app, attacker, 300, "at the door");
        despawn(&mut app, attacker);
        let (chaser, _) = spawn_chase(&mut app, body, cell(0, 1), cell(13, 2));
        run_off_walls(&mut app, chaser, 300, body);
        assert_status(
            &app,
            chaser,
            Partial(Unreachable),
            (body, "the door is closed"),
        );
        despawn(&mut app, door);
        arrive(&mut app, chaser, 300, "through the open door");
    }
}

#[test]
fn walls_that_are_children_of_a_chased_entity_still_block() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, &open(14, 7));
        let room = spawn(&mut app, Transform::from_xyz(13.5, 3.5, 0.0));
        for y in 0..7 {
            let wall = spawn_wall(&mut app, Vec2::ZERO, Vec2::splat(0.5));
            set_position(&mut app, wall, cell(7, y) - Vec2::new(13.5, 3.5));
            give(&mut app, wall, ChildOf(room));
        }
        let chaser = spawn_chaser(&mut app, body, cell(0, 3), room);
        run(&mut app, 240);
        let here = position(&app, chaser);
        assert!(here.x < 7.0, "{body:?} walked through the walls to {here}");
        assert_status(&app, chaser, Partial(Unreachable), body);
    }
}
