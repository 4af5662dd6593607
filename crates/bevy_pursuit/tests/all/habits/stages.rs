//! Stages that a game turns off for a while.

use crate::bake_pauses::WALL_REMOVALS;
use crate::common::*;

/// A long interval: whoever waits for it instead of comparing states stands still.
const RARELY: RepathPolicy = RepathPolicy::Every(Duration::from_secs(30));

/// A room with one door, at (3, 4).
const ROOM_WITH_DOOR: &str = "
    .......
    .#####.
    .#...#.
    .#...#.
    .#####.
    .......
";

/// Without the bake: a wall comes while nobody plans.
const ALL_BUT_BAKE: [bool; 6] = [true, true, false, false, false, false];

#[test]
fn a_search_whose_stages_were_gated_while_a_bake_came_goes_on() {
    for mode in MODES {
        for body in [Body::Transform, Body::Kinematic] {
            let mut app = level(mode, &open(20, 7));
            add_gates(&mut app);
            let walker = spawn_walker(&mut app, body, cell(0, 2), cell(19, 2));
            let (chaser, target) = spawn_chase(&mut app, body, cell(0, 4), cell(19, 4));
            give(&mut app, chaser, Chase::new(target).with_repath(RARELY));
            run_slowly(&mut app, 15);
            set_gates(&mut app, ALL_BUT_BAKE);
            spawn_wall(&mut app, Vec2::new(12.0, 3.5), Vec2::new(0.5, 2.5));
            run_slowly(&mut app, 30);
            set_gates(&mut app, [true; 6]);
            let what = format!("{mode:?} {body:?}: a bake that was missed");
            arrive(&mut app, [walker, chaser], 900, &what);
        }
    }
}

#[test]
fn a_search_that_is_under_way_when_planning_is_gated_is_answered_later() {
    for gated_after in 0..6 {
        let mut app = unbaked_level(PlanMode::Async, &open(60, 60));
        add_gates(&mut app);
        let (chaser, _) = spawn_chase(&mut app, Body::Transform, cell(0, 0), cell(59, 59));
        run(&mut app, gated_after);
        set_gates(&mut app, [true, true, true, false, true, true]);
        run_slowly(&mut app, 30);
        set_gates(&mut app, [true; 6]);
        let what = format!("planning gated {gated_after} ticks after the start");
        arrive(&mut app, chaser, 1500, &what);
    }
}

#[test]
fn whichever_stages_are_gated_while_a_door_opens_and_another_closes_agents_arrive() {
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
        let what = ("stages that ran", open);
        arrive_off_walls(&mut app, [chaser, walker], 500, what);
        assert_status(&app, [chaser, walker], PathStatus::Found, what);
    }
}

#[test]
fn a_wall_that_went_while_all_stages_were_gated_is_no_ghost() {
    for mode in MODES {
        for (what, change) in WALL_REMOVALS {
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
            arrive(&mut app, chaser, 400, (mode, "the door is gone by", what));
        }
    }
}

#[test]
fn intents_that_come_and_go_while_stages_are_gated_count_afterwards() {
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
        let still = desired(&app, agents[0]);
        assert_eq!(still, Vec2::ZERO, "{open:?}: who chases nobody walks on");
        let goals = [cell(0, 8), cell(19, 8), cell(9, 0)];
        for (agent, goal) in agents.into_iter().skip(1).zip(goals) {
            assert!(has_arrived(&app, agent), "{open:?}: on its way to {goal}");
            assert_away(&app, agent, goal, ..=2.5 * RADIUS, (open, goal));
        }
    }
}
