//! Agents that a game pauses for a while.

use super::{TICK_SECONDS, open_level, spawn_driven};
use crate::common::*;

/// Pauses an agent on its way for two seconds, and lets it continue.
fn check_pause_on_the_way(mut app: App, body: Body) {
    open_level(&mut app, 40, 6);
    let (agent, _) = spawn_chase(&mut app, body, cell(1, 3), cell(38, 3));
    run(&mut app, 60);
    give(&mut app, agent, NavPaused);
    run(&mut app, 3);
    let before = position(&app, agent);
    run(&mut app, 120);
    assert_eq!(
        position(&app, agent),
        before,
        "{body:?} moved during the pause"
    );
    assert_eq!(locomotion(&app, agent), Locomotion::Paused);
    assert_eq!(status(&app, agent), PathStatus::Found);
    assert!(!get::<NavPath>(&app, agent).is_empty());
    assert_eq!(events(&app).stuck, [], "a paused agent was reported stuck");
    assert_eq!(events(&app).reached, []);
    remove::<NavPaused>(&mut app, agent);
    let max_change = NavAgent::from_radius(RADIUS).acceleration * TICK_SECONDS;
    let mut speed = 0.0;
    for tick in 0..30 {
        run(&mut app, 1);
        let now = desired(&app, agent).length();
        assert!(now > 0.0, "{body:?} did not start at once");
        assert!(
            now - speed < 1.01 * max_change,
            "{body:?}: the speed jumps in tick {tick}"
        );
        speed = now;
    }
    arrive(&mut app, agent, 600, "after a pause");
    assert_eq!(
        events(&app).found.len(),
        1,
        "the path was reported again after the pause"
    );
    assert_eq!(events(&app).reached.len(), 1);
}

#[test]
fn a_paused_agent_stands_and_resumes_from_rest_with_and_without_rapier() {
    check_pause_on_the_way(game_without_rapier(), Body::Transform);
    for body in BODIES {
        check_pause_on_the_way(game(60.0, PlanMode::Inline), body);
    }
}

#[test]
fn a_pause_delays_an_arrival_and_never_repeats_it() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, &open(20, 5));
        let (agent, target) = spawn_chase(&mut app, body, cell(1, 2), cell(18, 2));
        run(&mut app, 20);
        give(&mut app, agent, NavPaused);
        let here = position(&app, agent);
        set_position(&mut app, target, here + Vec2::X * 0.1);
        run(&mut app, 60);
        assert_eq!(events(&app).reached, [], "{body:?}");
        remove::<NavPaused>(&mut app, agent);
        run(&mut app, 2);
        assert_eq!(events(&app).reached.len(), 1, "{body:?}");
        give(&mut app, agent, NavPaused);
        run(&mut app, 10);
        remove::<NavPaused>(&mut app, agent);
        run(&mut app, 10);
        assert_eq!(locomotion(&app, agent), Locomotion::Arrived);
        assert_eq!(
            events(&app).reached.len(),
            1,
            "{body:?} arrived a second time"
        );
    }
}

/// An agent that is sent across an open level and does not move.
fn level_with_held_agent() -> (App, Entity) {
    let mut app = level(PlanMode::Inline, &open(30, 9));
    let (from, to) = (cell(2, 4), cell(27, 4));
    let agent = spawn_driven(&mut app, Body::Transform, from, to, NavDrive::Manual);
    (app, agent)
}

fn pause_for_ten_ticks(app: &mut App, agent: Entity) {
    give(app, agent, NavPaused);
    run(app, 10);
    remove::<NavPaused>(app, agent);
}

#[test]
fn an_agent_that_is_still_stuck_after_a_pause_is_reported_again() {
    let (mut app, agent) = level_with_held_agent();
    run(&mut app, 480);
    assert_eq!(events(&app).stuck.len(), 1, "before the pause");
    pause_for_ten_ticks(&mut app, agent);
    run(&mut app, 240);
    assert_eq!(events(&app).stuck.len(), 2, "after the pause");
}

#[test]
fn an_agent_is_not_stuck_right_after_a_pause() {
    let (mut app, agent) = level_with_held_agent();
    run(&mut app, 54);
    pause_for_ten_ticks(&mut app, agent);
    for tick in 0..30 {
        run(&mut app, 1);
        let locomotion = locomotion(&app, agent);
        assert_eq!(locomotion, Locomotion::Moving, "{tick} ticks after a pause");
    }
}

#[test]
fn the_path_of_a_paused_agent_stays_up_to_date() {
    for mode in MODES {
        let mut app = level(mode, &open(30, 30));
        let target = spawn_target(&mut app, cell(28, 1));
        let agent = spawn_bare(&mut app, cell(1, 1), (Chase::new(target), NavPaused));
        run_slowly(&mut app, 60);
        assert_eq!(status(&app, agent), PathStatus::Found);
        assert_eq!(locomotion(&app, agent), Locomotion::Paused);
        set_position(&mut app, target, cell(1, 28));
        run_slowly(&mut app, 120);
        let end = path_end(&get::<NavPath>(&app, agent)).unwrap();
        assert!(
            end.distance(cell(1, 28)) < 2.0,
            "{mode:?}: the path ends at {end}"
        );
        assert_eq!(position(&app, agent), cell(1, 1));
    }
}

#[test]
fn a_paused_dynamic_body_can_be_pushed_but_an_arrived_one_cannot() {
    let mut app = level(PlanMode::Inline, &open(30, 9));
    let target = spawn_target(&mut app, cell(1, 4));
    let push = |app: &mut App, agent: Entity| {
        let before = position(app, agent);
        get_mut::<Velocity>(app, agent).linear = Vec2::Y * 3.0;
        run(app, 30);
        position(app, agent).distance(before)
    };
    let agent = spawn_chaser(&mut app, Body::Dynamic, cell(1, 4), target);
    run(&mut app, 30);
    assert!(
        push(&mut app, agent) < 0.1,
        "an agent that has arrived was pushed away"
    );
    give(&mut app, agent, NavPaused);
    run(&mut app, 5);
    let pushed = push(&mut app, agent);
    assert!((pushed - 1.5).abs() < 0.1, "pushed by {pushed}");
}

#[test]
fn a_paused_body_of_low_grip_stops_at_once_and_can_still_be_pushed() {
    for grip in [1.0, 0.5, 0.2] {
        let mut app = level(PlanMode::Inline, &open(60, 20));
        let (agent, _) = spawn_chase(&mut app, Body::Dynamic, cell(1, 10), cell(58, 10));
        give(&mut app, agent, NavDrive::Grip(grip));
        run(&mut app, 120);
        let speed = desired(&app, agent).length();
        assert!(speed > 4.0, "grip {grip} walks at {speed} only");
        give(&mut app, agent, NavPaused);
        let before = position(&app, agent);
        run(&mut app, 90);
        let slid = position(&app, agent).distance(before);
        assert!(
            slid < 2.0 * TICK_SECONDS * speed,
            "grip {grip} slides on by {slid}"
        );

        // Nothing holds the body during the pause.
        get_mut::<Velocity>(&mut app, agent).linear = Vec2::Y * 3.0;
        run(&mut app, 30);
        let pushed = position(&app, agent).y - before.y;
        assert!(
            (pushed - 1.5).abs() < 0.1,
            "grip {grip}: pushed by {pushed}"
        );
    }
}

#[test]
fn a_hit_in_the_tick_of_a_pause_throws_a_walking_body() {
    let thrown_by = |walks: bool| {
        let mut app = level(PlanMode::Inline, &open(60, 30));
        let (agent, _) = spawn_chase(&mut app, Body::Dynamic, cell(1, 10), cell(58, 10));
        give(&mut app, agent, NavDrive::Grip(0.2));
        run(&mut app, 120);
        if !walks {
            give(&mut app, agent, NavPaused);
            run(&mut app, 5);
        }
        let before = position(&app, agent);
        let hit_velocity = Vec2::new(-3.0, 12.0);
        get_mut::<Velocity>(&mut app, agent).linear = hit_velocity;
        give(&mut app, agent, NavPaused);
        run(&mut app, 30);
        position(&app, agent) - before
    };
    let (walking, standing) = (thrown_by(true), thrown_by(false));
    assert!(
        standing.y > 3.0,
        "a hit throws a standing body only {standing}"
    );
    assert!(
        walking.y > 3.0,
        "a hit throws a walking body only {walking}"
    );
}

#[test]
fn a_clone_of_a_paused_agent_is_paused_independently() {
    let mut app = level(PlanMode::Inline, &open(30, 9));
    let (agent, _) = spawn_chase(&mut app, Body::Kinematic, cell(1, 4), cell(28, 4));
    run(&mut app, 20);
    give(&mut app, agent, NavPaused);
    run(&mut app, 5);
    let clone = clone_entity(&mut app, agent);
    run(&mut app, 20);
    assert_eq!(locomotion(&app, clone), Locomotion::Paused);
    remove::<NavPaused>(&mut app, clone);
    arrive(&mut app, clone, 600, "the clone");
    assert_eq!(locomotion(&app, agent), Locomotion::Paused);
}

#[test]
fn a_pause_outlasts_disabling_and_a_gated_stage() {
    let mut app = level(PlanMode::Inline, &open(30, 9));
    add_gates(&mut app);
    let (agent, _) = spawn_chase(&mut app, Body::Dynamic, cell(1, 4), cell(28, 4));
    run(&mut app, 20);
    set_gates(&mut app, [true, true, true, true, false, true]);
    give(&mut app, agent, NavPaused);
    run(&mut app, 20);
    set_disabled(&mut app, agent, true);
    run(&mut app, 20);
    set_gates(&mut app, [true; 6]);
    set_disabled(&mut app, agent, false);
    run(&mut app, 5);
    let before = position(&app, agent);
    run(&mut app, 60);
    assert_eq!(locomotion(&app, agent), Locomotion::Paused);
    assert!(position(&app, agent).distance(before) < 1e-4);
    remove::<NavPaused>(&mut app, agent);
    arrive(&mut app, agent, 600, "after the pause");
}

#[test]
fn a_request_given_during_a_pause_is_followed_afterwards() {
    let mut app = level(PlanMode::Inline, &open(30, 9));
    let agent = spawn_agent(&mut app, Body::Transform, cell(1, 4));
    give(&mut app, agent, NavPaused);
    run(&mut app, 5);
    assert_eq!(
        locomotion(&app, agent),
        Locomotion::Paused,
        "an agent without a goal is not shown as paused"
    );
    for goal in [cell(28, 4), cell(1, 1)] {
        give(&mut app, agent, PathRequest::to(goal));
        run(&mut app, 20);
    }
    remove::<NavPaused>(&mut app, agent);
    arrive(&mut app, agent, 300, "the second goal");
    assert!(position(&app, agent).distance(cell(1, 1)) < 0.1);
    assert_eq!(events(&app).reached.len(), 1);
}
