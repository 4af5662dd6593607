//! Agents that turn toward their direction of travel.

use std::f32::consts::{FRAC_PI_2, PI};

use super::{TICK_SECONDS, open_level};
use crate::common::*;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Bare,
    Child,
    Position,
    Velocity,
    Dynamic,
}

const KINDS: [Kind; 5] = {
    use Kind::{Bare, Child, Dynamic, Position, Velocity};
    [Bare, Child, Position, Velocity, Dynamic]
};

const START: Vec2 = Vec2::new(3.5, 5.5);
const GOAL: Vec2 = Vec2::new(35.5, 5.5);

/// Spawns an agent that faces `angle` and is sent to the right.
fn spawn(app: &mut App, kind: Kind, angle: f32, turn: Option<NavTurn>) -> Entity {
    let place = transform_at(START).with_rotation(Quat::from_rotation_z(angle));
    let bare = (NavAgent::from_radius(RADIUS), place);
    let agent = crate::common::spawn(app, bare);
    let body = match kind {
        Kind::Bare | Kind::Child => None,
        Kind::Position => Some(RigidBody::KinematicPositionBased),
        Kind::Velocity => Some(RigidBody::KinematicVelocityBased),
        Kind::Dynamic => Some(RigidBody::Dynamic),
    };
    if let Some(body) = body {
        give(app, agent, (body, Collider::ball(RADIUS)));
    }
    if let Some(turn) = turn {
        give(app, agent, turn);
    }
    if kind == Kind::Child {
        let parent = Transform::from_xyz(1.0, 2.0, 0.0)
            .with_rotation(Quat::from_rotation_z(2.0))
            .with_scale(Vec3::splat(1.5));
        let local = parent.to_matrix().inverse() * place.to_matrix();
        let below = ChildOf(crate::common::spawn(app, parent));
        give(app, agent, (below, Transform::from_matrix(local)));
    }
    give(app, agent, PathRequest::to(GOAL));
    agent
}

/// A level with a turning agent.
fn level_with_turning_agent(kind: Kind, angle: f32, turn: NavTurn) -> (App, Entity) {
    let mut app = level(PlanMode::Inline, &open(40, 11));
    let agent = spawn(&mut app, kind, angle, Some(turn));
    (app, agent)
}

/// The world direction that an entity faces, as an angle in radians.
fn facing(app: &App, agent: Entity) -> f32 {
    let facing = get::<GlobalTransform>(app, agent).right();
    facing.truncate().to_angle()
}

fn angle_between(a: f32, b: f32) -> f32 {
    Vec2::from_angle(a).angle_to(Vec2::from_angle(b)).abs()
}

/// Turns an agent that faces away from its goal, at 4 radians per second.
fn check_turn_rate(mut app: App, kind: Kind, hz: f32) {
    open_level(&mut app, 40, 11);
    let start = -2.8;
    let agent = spawn(&mut app, kind, start, Some(NavTurn::new(4.0)));
    let mut before = start;
    let mut turned = 0.0;
    for tick in 0..(1.5 * hz) as usize {
        run(&mut app, 1);
        let now = facing(&app, agent);
        let step = angle_between(before, now);
        assert!(step < 4.0 / hz + 1e-3, "{kind:?} turns by {step} in {tick}");
        turned += step;
        before = now;
        if tick + 1 == (0.5 * hz) as usize {
            // The agent takes up to three ticks to plan and to start.
            let late = 2.0 - turned;
            assert!((-0.01..16.0 / hz).contains(&late), "{kind:?}: {turned}");
        }
    }
    assert!(angle_between(before, 0.0) < 0.01, "{kind:?} faces {before}");
    assert!(
        (turned - 2.8).abs() < 0.05,
        "the agent took the long way round: {turned}"
    );
}

#[test]
fn every_body_turns_at_its_rate_at_every_frame_rate_and_without_rapier() {
    for kind in [Kind::Bare, Kind::Child] {
        check_turn_rate(game_without_rapier(), kind, 60.0);
    }
    for kind in KINDS {
        for hz in [30.0, 60.0, 144.0] {
            check_turn_rate(game(hz, PlanMode::Inline), kind, hz as f32);
        }
    }
}

#[test]
fn a_body_holds_its_heading_when_the_physics_has_its_own_time_step() {
    let (dt, max_dt, substeps) = (TICK_SECONDS, TICK_SECONDS, 1);
    for mode in [
        TimestepMode::Interpolated {
            dt,
            time_scale: 1.0,
            substeps,
        },
        TimestepMode::Variable {
            max_dt,
            time_scale: 3.0,
            substeps,
        },
    ] {
        let mut app = game_in_frames(144.0, PlanMode::Inline);
        app.insert_resource(mode);
        open_level(&mut app, 120, 11);
        let agent = spawn(&mut app, Kind::Dynamic, 2.0, Some(NavTurn::default()));
        give(&mut app, agent, TransformInterpolation::default());
        give(&mut app, agent, PathRequest::to(cell(115, 5)));
        run(&mut app, 144);
        for _ in 0..60 {
            run(&mut app, 1);
            let off = facing(&app, agent).abs();
            assert!(off < 0.01, "{mode:?} swings by {off}");
        }
        assert!(desired(&app, agent).x > 1.0, "the agent does not walk");
    }
}

#[test]
fn turning_does_not_change_the_path() {
    for kind in KINDS {
        let paths = [None, Some(NavTurn::new(0.5))].map(|turn| {
            let mut app = level(PlanMode::Inline, &open(40, 11));
            let agent = spawn(&mut app, kind, PI, turn);
            let walk = (0..120).map(|_| {
                run(&mut app, 1);
                get::<GlobalTransform>(&app, agent).translation().truncate()
            });
            walk.collect::<Vec<_>>()
        });
        for (without, with) in paths[0].iter().zip(&paths[1]) {
            assert!(without.distance(*with) < 2e-3, "{kind:?}");
        }
    }
}

#[test]
fn an_agent_at_rest_keeps_its_heading() {
    for kind in KINDS {
        let (mut app, agent) = level_with_turning_agent(kind, 1.0, NavTurn::default());
        arrive(&mut app, agent, 600, "a turning agent");
        run(&mut app, 5);
        let before = facing(&app, agent);
        assert!(before.abs() < 0.02, "{kind:?} faces {before}");
        run(&mut app, 60);
        assert_eq!(facing(&app, agent), before, "{kind:?}");
    }
}

#[test]
fn a_rotation_set_by_the_game_at_rest_is_kept() {
    for kind in [Kind::Bare, Kind::Position, Kind::Dynamic] {
        let (mut app, agent) = level_with_turning_agent(kind, 0.0, NavTurn::default());
        arrive(&mut app, agent, 600, "a turning agent");
        run(&mut app, 5);
        let mut transform = get_mut::<Transform>(&mut app, agent);
        transform.rotation = Quat::from_rotation_z(2.0);
        run(&mut app, 60);
        assert!((facing(&app, agent) - 2.0).abs() < 1e-3, "{kind:?}");
    }
}

#[test]
fn a_body_stops_spinning_however_its_turning_ends() {
    let backward = NavTurn::new(1.0).with_forward(Vec2::NEG_X);
    for (kind, turn) in [
        (Kind::Velocity, NavTurn::new(1.0)),
        (Kind::Dynamic, backward),
    ] {
        for end in 0..9 {
            let angle = if turn == backward { -0.1 } else { PI - 0.1 };
            let (mut app, agent) = level_with_turning_agent(kind, angle, turn);
            give(&mut app, agent, LockedAxes::empty());
            add_gates(&mut app);
            run(&mut app, 20);
            let spin = |app: &App| get::<Velocity>(app, agent).angular.abs();
            assert!(spin(&app) > 0.5, "{kind:?} does not turn");
            match end {
                0 => remove::<NavTurn>(&mut app, agent),
                1 => remove::<NavAgent>(&mut app, agent),
                2 => give(&mut app, agent, NavPaused),
                3 => remove::<PathRequest>(&mut app, agent),
                4 => give(&mut app, agent, NavTurn::new(f32::NAN)),
                5 => give(&mut app, agent, turn.with_forward(Vec2::NAN)),
                6 => {
                    let body = get::<RigidBody>(&app, agent);
                    remove::<(RigidBody, NavTurn)>(&mut app, agent);
                    app.update();
                    give(&mut app, agent, body);
                }
                7 => give(&mut app, agent, NavAgent::from_radius(f32::NAN)),
                _ => set_gates(&mut app, gates_of(1 << 5)),
            }
            run(&mut app, 3);
            assert_eq!(spin(&app), 0.0, "{kind:?} spins on after {end}");
            let before = facing(&app, agent);
            run(&mut app, 60);
            let turned = angle_between(facing(&app, agent), before);
            assert!(turned < 1e-4, "{kind:?} turned by {turned} after {end}");
        }
    }
}

#[test]
fn a_collision_does_not_turn_a_dynamic_agent() {
    let (mut app, agent) = level_with_turning_agent(Kind::Dynamic, 0.0, NavTurn::default());
    give(&mut app, agent, Collider::cuboid(RADIUS, 0.5 * RADIUS));
    let crates = (
        RigidBody::Dynamic,
        GravityScale(0.0),
        Collider::ball(0.3),
        Transform::from_xyz(8.0, 5.75, 0.0),
    );
    app.world_mut().spawn(crates);
    let mut widest: f32 = 0.0;
    for _ in 0..90 {
        run(&mut app, 1);
        widest = widest.max(facing(&app, agent).abs());
    }
    assert!(
        position(&app, agent).x > 9.0,
        "the agent did not get past the crate"
    );
    assert!(widest < 0.3, "the crate turned the agent by {widest}");
    assert_eq!(get::<LockedAxes>(&app, agent), LockedAxes::ROTATION_LOCKED);
}

#[test]
fn a_sprite_that_faces_up_turns_toward_its_direction_of_travel() {
    let mut app = level(PlanMode::Inline, &open(40, 11));
    let turn = NavTurn::default().with_forward(Vec2::Y);
    let agent = spawn(&mut app, Kind::Bare, 0.0, Some(turn));
    run(&mut app, 60);
    let facing = facing(&app, agent);
    assert!(
        (facing + FRAC_PI_2).abs() < 1e-3,
        "the right of the sprite points to {facing}"
    );
}

#[test]
fn invalid_turn_settings_turn_nothing() {
    for kind in KINDS {
        for turn in [
            NavTurn::new(f32::NAN),
            NavTurn::new(0.0),
            NavTurn::new(-3.0),
            NavTurn::default().with_forward(Vec2::ZERO),
            NavTurn::default().with_forward(Vec2::NAN),
        ] {
            let (mut app, agent) = level_with_turning_agent(kind, 2.0, turn);
            arrive(&mut app, agent, 600, (kind, turn));
            let facing = facing(&app, agent);
            assert!((facing - 2.0).abs() < 1e-3, "{kind:?} {turn:?}: {facing}");
        }
    }
}

#[test]
fn a_manually_driven_agent_still_turns() {
    let (mut app, agent) = level_with_turning_agent(Kind::Bare, PI, NavTurn::default());
    give(&mut app, agent, NavDrive::Manual);
    run(&mut app, (1.0 / TICK_SECONDS) as usize);
    assert_eq!(position(&app, agent), START);
    assert!(facing(&app, agent).abs() < 1e-3);
}
