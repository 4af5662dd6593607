//! Agents that a game makes stand for a while.

use super::{TICK, open_level};
use crate::common::*;

/// Pauses an agent on its way for two seconds, and lets it go on.
fn stands_and_goes_on(mut app: App, body: Body) {
    open_level(&mut app, 40, 6);
    let (agent, _) = spawn_chase(&mut app, body, cell(1, 3), cell(38, 3));
    run(&mut app, 60);
    give(&mut app, agent, NavPaused);
    run(&mut app, 3);
    let before = position(&app, agent);
    run(&mut app, 120);
    assert_eq!(position(&app, agent), before, "{body:?} does not stand");
    assert_eq!(locomotion(&app, agent), Locomotion::Paused);
    assert_eq!(status(&app, agent), PathStatus::Found);
    assert!(!get::<NavPath>(&app, agent).is_empty());
    assert_eq!(events(&app).stuck, [], "who is paused is not stuck");
    assert_eq!(events(&app).reached, []);
    remove::<NavPaused>(&mut app, agent);
    let agility = NavAgent::from_radius(RADIUS).acceleration * TICK;
    let mut speed = 0.0;
    for tick in 0..30 {
        run(&mut app, 1);
        let now = desired(&app, agent).length();
        assert!(now > 0.0, "{body:?} goes on at once");
        assert!(now - speed < 1.01 * agility, "{body:?} jumps in {tick}");
        speed = now;
    }
    arrive(&mut app, agent, 600, "after a pause");
    assert_eq!(events(&app).found.len(), 1, "a pause is no new errand");
    assert_eq!(events(&app).reached.len(), 1);
}

#[test]
fn a_paused_agent_stands_and_goes_on_from_rest_with_rapier_and_without() {
    stands_and_goes_on(game_without_rapier(), Body::Transform);
    for body in BODIES {
        stands_and_goes_on(game(60.0, PlanMode::Inline), body);
    }
}

#[test]
fn an_arrival_counts_when_the_pause_ends_and_once() {
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
        assert_eq!(events(&app).reached.len(), 1, "{body:?} arrived already");
    }
}

#[test]
fn the_path_of_a_paused_agent_stays_fresh() {
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
        assert!(end.distance(cell(1, 28)) < 2.0, "{mode:?}: ends at {end}");
        assert_eq!(position(&app, agent), cell(1, 1));
    }
}

#[test]
fn a_paused_dynamic_body_may_be_pushed_and_one_on_guard_may_not() {
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
    assert!(push(&mut app, agent) < 0.1, "who has arrived holds on");
    give(&mut app, agent, NavPaused);
    run(&mut app, 5);
    let way = push(&mut app, agent);
    assert!((way - 1.5).abs() < 0.1, "pushed by {way}");
}

#[test]
fn a_body_of_low_grip_stands_at_once_and_a_blow_still_moves_it() {
    for grip in [1.0, 0.5, 0.2] {
        let mut app = level(PlanMode::Inline, &open(60, 20));
        let (agent, _) = spawn_chase(&mut app, Body::Dynamic, cell(1, 10), cell(58, 10));
        give(&mut app, agent, NavDrive::Grip(grip));
        run(&mut app, 120);
        let speed = desired(&app, agent).length();
        assert!(speed > 4.0, "grip {grip} walks: {speed}");
        give(&mut app, agent, NavPaused);
        let before = position(&app, agent);
        run(&mut app, 90);
        let slid = position(&app, agent).distance(before);
        assert!(slid < 2.0 * TICK * speed, "grip {grip} slides on by {slid}");

        // During the pause nobody holds it.
        get_mut::<Velocity>(&mut app, agent).linear = Vec2::Y * 3.0;
        run(&mut app, 30);
        let way = position(&app, agent).y - before.y;
        assert!((way - 1.5).abs() < 0.1, "grip {grip}: pushed by {way}");
    }
}

#[test]
fn a_blow_that_comes_with_a_pause_throws_a_body_that_walked() {
    let thrown = |walks: bool| {
        let mut app = level(PlanMode::Inline, &open(60, 30));
        let (agent, _) = spawn_chase(&mut app, Body::Dynamic, cell(1, 10), cell(58, 10));
        give(&mut app, agent, NavDrive::Grip(0.2));
        run(&mut app, 120);
        if !walks {
            give(&mut app, agent, NavPaused);
            run(&mut app, 5);
        }
        let before = position(&app, agent);
        let blow = Vec2::new(-3.0, 12.0);
        get_mut::<Velocity>(&mut app, agent).linear = blow;
        give(&mut app, agent, NavPaused);
        run(&mut app, 30);
        position(&app, agent) - before
    };
    let (walking, standing) = (thrown(true), thrown(false));
    assert!(standing.y > 3.0, "{standing}");
    assert!(walking.y > 3.0, "a blow while it walks: {walking}");
}

#[test]
fn a_clone_of_a_paused_agent_is_paused_by_itself() {
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
fn a_pause_outlasts_being_disabled_and_a_gated_stage() {
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
    arrive(&mut app, agent, 600, "after all that");
}

#[test]
fn who_is_paused_wants_something_new_and_gets_it_afterwards() {
    let mut app = level(PlanMode::Inline, &open(30, 9));
    let agent = spawn_agent(&mut app, Body::Transform, cell(1, 4));
    give(&mut app, agent, NavPaused);
    run(&mut app, 5);
    assert_eq!(
        locomotion(&app, agent),
        Locomotion::Paused,
        "also without a goal"
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
