//! Agents that are knocked back, and agents that the game moves.

use super::{TICK_SECONDS, move_by_hand, open_level, spawn_driven};
use crate::common::*;

const GRIP: f32 = 0.2;
/// The speed that a hit gives, in world units per second.
const HIT_SPEED: f32 = 20.0;

/// A level with an agent whose path bends from the left around the end of a wall to the right.
fn level_with_bent_path(grip: f32) -> (App, Entity) {
    let mut app = level(PlanMode::Inline, &open(60, 40));
    spawn_wall(&mut app, Vec2::new(30.0, 10.0), Vec2::new(0.5, 10.0));
    run(&mut app, 3);
    let (from, to, drive) = (cell(5, 8), cell(55, 8), NavDrive::Grip(grip));
    let agent = spawn_driven(&mut app, Body::Dynamic, from, to, drive);
    let damping = Damping {
        linear_damping: 1.0,
        angular_damping: 0.0,
    };
    give(&mut app, agent, damping);
    (app, agent)
}

/// The distance that a hit has moved an agent after half a second, compared with the same walk without the hit.
fn knockback_distance(grip: Option<f32>, by: Vec2) -> f32 {
    let ends = [Vec2::ZERO, by].map(|by| {
        let (mut app, body) = level_with_bent_path(grip.unwrap_or(0.0));
        if grip.is_none() {
            run(&mut app, 2);
            remove::<(NavAgent, NavDrive, PathRequest)>(&mut app, body);
        }
        run(&mut app, 60);
        hit(&mut app, body, by);
        run(&mut app, 30);
        position(&app, body)
    });
    ends[0].distance(ends[1])
}

#[test]
fn a_hit_moves_a_chaser_of_low_grip_nearly_as_far_as_a_free_body() {
    for by in [Vec2::Y, Vec2::NEG_X, Vec2::new(-0.6, 0.8)] {
        let free = knockback_distance(None, by * HIT_SPEED);
        let chaser = knockback_distance(Some(GRIP), by * HIT_SPEED);
        let firm = knockback_distance(Some(1.0), by * HIT_SPEED);
        assert!(free > 7.0, "a free body flies only {free}");
        assert!(
            chaser >= 0.8 * free,
            "{by}: the chaser flies {chaser}, a free body {free}"
        );
        assert!(
            firm < 0.3 * free,
            "{by}: with full grip the chaser flies {firm}, a free body {free}"
        );
    }
}

/// The distance from a point to a path.
fn distance_to_path(path: &NavPath, point: Vec2) -> f32 {
    let points = waypoints(path);
    let off = points.windows(2).map(|leg| {
        let along = leg[1] - leg[0];
        let part = (point - leg[0]).dot(along) / along.length_squared();
        point.distance(leg[0] + along * part.clamp(0.0, 1.0))
    });
    off.fold(f32::INFINITY, f32::min)
}

#[test]
fn a_knocked_back_agent_returns_to_its_path_without_a_jump() {
    for by in [Vec2::Y, Vec2::NEG_X, Vec2::new(-0.6, 0.8)] {
        let (mut app, agent) = level_with_bent_path(GRIP);
        run(&mut app, 120);
        hit(&mut app, agent, by * HIT_SPEED);
        let mut before = position(&app, agent);
        let max_step = (HIT_SPEED + NavAgent::from_radius(RADIUS).speed) * TICK_SECONDS;
        let (mut farthest, mut has_returned) = (0.0_f32, false);
        for _ in 0..1200 {
            run(&mut app, 1);
            let now = position(&app, agent);
            assert!(
                now.distance(before) <= 1.01 * max_step,
                "{by}: the agent jumped"
            );
            before = now;
            let off = distance_to_path(&get::<NavPath>(&app, agent), now);
            farthest = farthest.max(off);
            has_returned |= farthest > 2.0 && off < 0.25 * RADIUS;
            if has_arrived(&app, agent) {
                break;
            }
        }
        assert!(
            by == Vec2::NEG_X || farthest > 2.0,
            "the hit threw the agent only {farthest} off its path"
        );
        assert!(
            by == Vec2::NEG_X || has_returned,
            "{by}: the agent never returned to its path"
        );
        assert!(
            has_arrived(&app, agent),
            "{by}: the agent did not arrive, it is at {before}"
        );
        assert_eq!(events(&app).reached.len(), 1);
        assert_eq!(events(&app).stuck, [], "{by}");
    }
}

#[test]
fn a_body_of_low_grip_brakes_in_time() {
    for grip in [0.05, GRIP, 0.6] {
        let mut app = level(PlanMode::Inline, &open(60, 9));
        let (goal, drive) = (cell(50, 4), NavDrive::Grip(grip));
        let agent = spawn_driven(&mut app, Body::Dynamic, cell(2, 4), goal, drive);
        let max_change = grip * NavAgent::from_radius(RADIUS).acceleration * TICK_SECONDS;
        let (mut speed, mut farthest) = (0.0, 0.0_f32);
        run_until(&mut app, 1800, |app| {
            farthest = farthest.max(position(app, agent).x);
            let now = desired(app, agent).length();
            assert!(
                now - speed < 1.01 * max_change + 1e-4,
                "grip {grip}: the speed grows too fast"
            );
            speed = now;
            has_arrived(app, agent) && speed == 0.0
        });
        run(&mut app, 60);
        farthest = farthest.max(position(&app, agent).x);
        let over = farthest - goal.x;
        assert!(over < 0.1 * RADIUS, "grip {grip} overshoots by {over}");
    }
}

#[test]
fn a_body_of_low_grip_gets_around_corners() {
    let map = "
        ..............................
        ..............................
        ......##################......
        ......#................#......
        ......#................#......
        ......##################......
        ..............................
        ..............................
    ";
    let walk = |grip: f32| {
        let mut app = level(PlanMode::Inline, map);
        let sent = (PathRequest::to(cell(12, 7)), NavDrive::Grip(grip));
        let agent = spawn_with(&mut app, Body::Dynamic, cell(8, 0), sent);
        let ticks = run_until(&mut app, 1800, |app| has_arrived(app, agent));
        assert_eq!(events(&app).stuck, [], "grip {grip}");
        ticks
    };
    let firm = walk(1.0);
    for grip in [0.1, GRIP, 0.5] {
        let ticks = walk(grip);
        assert!(
            ticks < 4 * firm,
            "grip {grip} takes {ticks} ticks, full grip {firm}"
        );
    }
}

#[test]
fn a_game_can_move_bodies_that_pursuit_cannot_drive() {
    for body in [RigidBody::Fixed, RigidBody::KinematicPositionBased] {
        let mut app = level(PlanMode::Inline, &open(30, 5));
        let order = move_by_hand.after(PursuitSystems::Drive);
        app.add_systems(FixedUpdate, order.before(PhysicsSet::SyncBackend));
        let sent = (PathRequest::to(cell(28, 2)), NavDrive::Manual);
        let agent = spawn_bare(&mut app, cell(1, 2), (body, sent));
        arrive(&mut app, agent, 600, "moved by the game");
        assert_eq!(events(&app).failed, [], "{body:?}");
        assert_eq!(events(&app).stuck, [], "{body:?}");
    }
}

#[test]
fn an_agent_that_the_game_never_moves_reports_stuck() {
    let mut app = level(PlanMode::Inline, &open(30, 5));
    let sent = (PathRequest::to(cell(28, 2)), NavDrive::Manual);
    let agent = spawn_with(&mut app, Body::Kinematic, cell(1, 2), sent);
    run(&mut app, 300);
    assert_eq!(position(&app, agent), cell(1, 2));
    assert_eq!(events(&app).stuck.len(), 1);
    assert_eq!(events(&app).failed, []);
}

#[test]
fn without_rapier_grip_has_no_effect_and_zero_leaves_it_to_the_game() {
    let walk = |grip: f32| {
        let mut app = game_without_rapier();
        if grip == 0.0 {
            app.add_systems(FixedUpdate, move_by_hand.after(PursuitSystems::Drive));
        }
        open_level(&mut app, 30, 5);
        let sent = (PathRequest::to(cell(28, 2)), NavDrive::Grip(grip));
        let agent = spawn_bare(&mut app, cell(1, 2), sent);
        run_until(&mut app, 600, |app| has_arrived(app, agent))
    };
    let [full, low, by_hand] = [1.0, GRIP, 0.0].map(walk);
    assert_eq!(full, low);
    assert!(
        by_hand.abs_diff(full) <= 2,
        "moved by the game it takes {by_hand} ticks, driven {full}"
    );
}
