//! Agents that flee.

use crate::common::*;

fn spawn_fleeing(app: &mut App, body: Body, at: Vec2, from: Entity, distance: f32) -> Entity {
    spawn_with(app, body, at, Flee { from, distance })
}

#[test]
fn a_fleeing_agent_gains_its_distance_and_rests_there() {
    for (mode, body) in modes_and_bodies() {
        let mut app = level(mode, &open(40, 40));
        let danger = spawn_target(&mut app, cell(20, 20));
        let agent = spawn_fleeing(&mut app, body, cell(21, 20), danger, 10.0);
        run_slowly(&mut app, 300);
        assert_away(&app, agent, cell(20, 20), 9.5..=16.0, (mode, body));
        let velocity = desired(&app, agent);
        assert_eq!(
            velocity,
            Vec2::ZERO,
            "{mode:?} {body:?}: the agent is safe but still runs"
        );
        assert_eq!(events(&app).stuck, [], "{mode:?} {body:?}");
        let here = position(&app, agent);
        set_position(&mut app, danger, here + Vec2::X);
        run_slowly(&mut app, 300);
        assert_away(&app, agent, here + Vec2::X, 9.5.., (mode, body));
    }
}

#[test]
fn a_fleeing_agent_is_not_caught_by_a_slower_pursuer() {
    for (mode, body) in modes_and_bodies() {
        // The corridor is a ring around a block.
        let mut app = level(mode, &open(20, 20));
        spawn_wall(&mut app, Vec2::splat(10.0), Vec2::splat(6.0));
        run_slowly(&mut app, 5);
        let hunter = spawn_agent(&mut app, Body::Transform, cell(1, 1));
        let prey = spawn_fleeing(&mut app, body, cell(6, 1), hunter, 12.0);
        let slower = NavAgent::from_radius(RADIUS).with_speed(5.0);
        give(&mut app, hunter, (slower, Chase::new(prey)));
        let mut nearest = f32::INFINITY;
        for tick in 0..900 {
            run_slowly(&mut app, 1);
            let away = position(&app, hunter).distance(position(&app, prey));
            if tick > 60 {
                nearest = nearest.min(away);
            }
        }
        assert!(
            nearest > 2.5 * RADIUS,
            "{mode:?} {body:?}: the prey is faster, but the hunter came as near as {nearest}"
        );
    }
}

#[test]
fn a_fleeing_agent_avoids_a_dead_end_if_there_is_another_way() {
    // A dead end lies straight away from the danger. The way out leads around it.
    let map = "
        ####################
        #..................#
        #.......########...#
        #.......#......#...#
        #..............#...#
        #.......#......#...#
        #.......########...#
        #..................#
        ####################
    ";
    for body in BODIES {
        let mut app = level(PlanMode::Inline, map);
        let danger = spawn_target(&mut app, cell(3, 4));
        let agent = spawn_fleeing(&mut app, body, cell(6, 4), danger, 13.0);
        run(&mut app, 400);
        let here = position(&app, agent);
        let in_pocket = (8.0..15.0).contains(&here.x) && (3.0..6.0).contains(&here.y);
        assert!(!in_pocket, "{body:?} sits in the dead end at {here}");
        let away = here.distance(cell(3, 4));
        assert!(away >= 11.0, "{body:?} got only {away} away, to {here}");
    }
}

#[test]
fn a_cornered_agent_stands_as_far_away_as_it_can() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, &open(12, 3));
        let danger = spawn_target(&mut app, cell(0, 1));
        let agent = spawn_fleeing(&mut app, body, cell(3, 1), danger, 50.0);
        run(&mut app, 300);
        let here = position(&app, agent);
        assert!(
            here.x >= 10.0,
            "{body:?} stands at {here} although there is more room"
        );
        assert_eq!(
            events(&app).stuck,
            [],
            "{body:?}: a cornered agent was reported stuck"
        );
        let before = searches(&app);
        run(&mut app, 600);
        let searched = searches(&app) - before;
        assert!(
            searched <= 60,
            "{body:?}: {searched} searches in 10 s in a corner"
        );
    }
}

#[test]
fn a_fleeing_agent_stops_when_its_threat_or_its_flee_is_removed() {
    for body in BODIES {
        for despawns in [false, true] {
            let mut app = level(PlanMode::Inline, &open(40, 9));
            let danger = spawn_target(&mut app, cell(2, 4));
            let agent = spawn_fleeing(&mut app, body, cell(5, 4), danger, 30.0);
            run(&mut app, 30);
            assert_ne!(desired(&app, agent), Vec2::ZERO, "{body:?}");
            if despawns {
                despawn(&mut app, danger);
            } else {
                remove::<Flee>(&mut app, agent);
            }
            run(&mut app, 3);
            let before = position(&app, agent);
            run(&mut app, 30);
            let moved = position(&app, agent).distance(before);
            let context = format!("{body:?}, despawned: {despawns}");
            assert!(moved < 1e-3, "{context}: the agent runs on by {moved}");
            assert_status(&app, agent, PathStatus::Idle, context);
        }
    }
}

#[test]
fn a_removed_flee_ends_the_flight_although_others_chase_the_threat() {
    for chases in [false, true] {
        let mut app = level(PlanMode::Inline, &open(40, 9));
        let danger = spawn_target(&mut app, cell(2, 4));
        spawn_chaser(&mut app, Body::Transform, cell(38, 4), danger);
        let agent = spawn_fleeing(&mut app, Body::Transform, cell(5, 4), danger, 30.0);
        if chases {
            give(&mut app, agent, Chase::new(danger));
        }
        run(&mut app, 30);
        remove::<Flee>(&mut app, agent);
        run(&mut app, 3);
        let away = desired(&app, agent).x;
        let is_right = if chases { away < 0.0 } else { away == 0.0 };
        assert!(is_right, "chases: {chases}, velocity {away}");
    }
}

#[test]
fn a_request_takes_precedence_over_a_flee() {
    let mut app = level(PlanMode::Inline, &open(40, 9));
    let danger = spawn_target(&mut app, cell(10, 4));
    let agent = spawn_fleeing(&mut app, Body::Transform, cell(12, 4), danger, 30.0);
    give(&mut app, agent, PathRequest::to(cell(2, 4)));
    arrive(&mut app, agent, 300, "the request leads past the danger");
    assert_away(
        &app,
        agent,
        cell(2, 4),
        ..0.1,
        "distance from the goal of the request",
    );
}

#[test]
fn an_agent_stops_fleeing_when_its_new_threat_is_far_enough() {
    let mut app = level(PlanMode::Inline, &open(40, 40));
    let first = spawn_target(&mut app, cell(20, 20));
    let agent = spawn_fleeing(&mut app, Body::Transform, cell(22, 20), first, 6.0);
    run(&mut app, 10);
    assert_ne!(desired(&app, agent), Vec2::ZERO);
    let here = position(&app, agent);
    let other = spawn_target(&mut app, here - 6.6 * Vec2::X);
    get_mut::<Flee>(&mut app, agent).from = other;
    run(&mut app, 3);
    assert_eq!(desired(&app, agent), Vec2::ZERO);
    assert_status(&app, agent, PathStatus::Idle, "the agent stands");
}
