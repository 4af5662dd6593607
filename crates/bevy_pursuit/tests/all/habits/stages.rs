//! Stages that a game gates for a while.

use crate::bake_pauses::WALL_REMOVALS;
use crate::common::*;

/// A long repath interval. An agent that waits for it, instead of comparing states, stands still.
const RARE_REPATH: RepathPolicy = RepathPolicy::Every(Duration::from_secs(30));

/// A room with one door, at (3, 4).
const ROOM_WITH_DOOR: &str = "
    .......
    .#####.
    .#...#.
    .#...#.
    .#####.
    .......
";

/// Only observe and bake run: a wall appears while nothing plans.
const ONLY_OBSERVE_AND_BAKE: [bool; 6] = [true, true, false, false, false, false];

#[test]
fn agents_notice_a_bake_that_finishes_while_their_stages_are_gated() {
    for mode in MODES {
        for body in [Body::Transform, Body::Kinematic] {
            let mut app = level(mode, &open(20, 7));
            add_gates(&mut app);
            let walker = spawn_walker(&mut app, body, cell(0, 2), cell(19, 2));
            let (chaser, target) = spawn_chase(&mut app, body, cell(0, 4), cell(19, 4));
            give(
                &mut app,
                chaser,
                Chase::new(target).with_repath(RARE_REPATH),
            );
            run_slowly(&mut app, 15);
            set_gates(&mut app, ONLY_OBSERVE_AND_BAKE);
            spawn_wall(&mut app, Vec2::new(12.0, 3.5), Vec2::new(0.5, 2.5));
            run_slowly(&mut app, 30);
            set_gates(&mut app, [true; 6]);
            let context = format!("{mode:?} {body:?}: the agent missed a bake");
            arrive(&mut app, [walker, chaser], 900, &context);
        }
    }
}

#[test]
fn a_search_in_flight_when_planning_is_gated_is_answered_later() {
    for gated_after in 0..6 {
        let mut app = unbaked_level(PlanMode::Async, &open(60, 60));
        add_gates(&mut app);
        let (chaser, _) = spawn_chase(&mut app, Body::Transform, cell(0, 0), cell(59, 59));
        run(&mut app, gated_after);
        set_gates(&mut app, [true, true, true, false, true, true]);
        run_slowly(&mut app, 30);
        set_gates(&mut app, [true; 6]);
        let context = format!("planning gated {gated_after} ticks after the start");
        arrive(&mut app, chaser, 1500, &context);
    }
}

#[test]
fn agents_arrive_after_doors_change_while_any_stages_are_gated() {
    for gates in 0..64_u32 {
        let mut app = level(PlanMode::Inline, &open(20, 9));
        add_gates(&mut app);
        let door = spawn_wall(&mut app, Vec2::new(10.0, 2.5), Vec2::new(0.5, 2.5));
        let wall = spawn_wall(&mut app, Vec2::new(10.0, 8.5), Vec2::new(0.5, 0.5));
        let (chaser, _) = spawn_chase(&mut app, Body::Transform, cell(0, 1), cell(19, 1));
        let walker = spawn_walker(&mut app, Body::Transform, cell(0, 3), cell(19, 3));
        run(&mut app, 5);
        let open = gates_of(gates);
        set_gates(&mut app, open);
        despawn(&mut app, door);
        despawn(&mut app, wall);
        spawn_wall(&mut app, Vec2::new(10.0, 6.5), Vec2::new(0.5, 2.5));
        run(&mut app, 40);
        set_gates(&mut app, [true; 6]);
        run(&mut app, 2);
        let context = ("stages that ran", open);
        arrive_off_walls(&mut app, [chaser, walker], 500, context);
        assert_status(&app, [chaser, walker], PathStatus::Found, context);
    }
}

#[test]
fn a_wall_removed_while_all_stages_are_gated_does_not_block() {
    for mode in MODES {
        for (how, change) in WALL_REMOVALS {
            let mut app = game(60.0, mode);
            let door = build_level(&mut app, ROOM_WITH_DOOR)[2];
            give(&mut app, door, RigidBody::Fixed);
            add_gates(&mut app);
            let (chaser, _) = spawn_chase(&mut app, Body::Transform, cell(0, 0), cell(3, 2));
            run_slowly(&mut app, 60);
            set_gates(&mut app, [false; 6]);
            change(&mut app, door);
            run(&mut app, 60);
            set_gates(&mut app, [true; 6]);
            arrive(&mut app, chaser, 400, (mode, "the door is gone by", how));
        }
    }
}

#[test]
fn intents_changed_while_stages_are_gated_count_afterwards() {
    for gates in 0..16_u32 {
        let mut app = level(PlanMode::Inline, &open(20, 9));
        add_gates(&mut app);
        let near = spawn_target(&mut app, cell(5, 8));
        let far = spawn_target(&mut app, cell(19, 8));
        let agents = [0, 1, 2, 3].map(|y| spawn_agent(&mut app, Body::Transform, cell(0, y)));
        give(&mut app, agents[0], Chase::new(far));
        give(&mut app, agents[1], PathRequest::to(cell(19, 0)));
        give(&mut app, agents[2], Chase::new(near));
        run(&mut app, 10);
        let open = gates_of(gates << 2);
        set_gates(&mut app, open);
        remove::<Chase>(&mut app, agents[0]);
        give(&mut app, agents[1], PathRequest::to(cell(0, 8)));
        give(&mut app, agents[2], Chase::new(far));
        give(&mut app, agents[3], PathRequest::to(cell(9, 0)));
        run(&mut app, 20);
        set_gates(&mut app, [true; 6]);
        run(&mut app, 400);
        assert_eq!(status(&app, agents[0]), PathStatus::Idle, "{open:?}");
        let velocity = desired(&app, agents[0]);
        assert_eq!(
            velocity,
            Vec2::ZERO,
            "{open:?}: an agent without an intent walks on"
        );
        let goals = [cell(0, 8), cell(19, 8), cell(9, 0)];
        for (agent, goal) in agents.into_iter().skip(1).zip(goals) {
            assert!(
                has_arrived(&app, agent),
                "{open:?}: the agent did not reach {goal}"
            );
            assert_away(&app, agent, goal, ..=2.5 * RADIUS, (open, goal));
        }
    }
}
