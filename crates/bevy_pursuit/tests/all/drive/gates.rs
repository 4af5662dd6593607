//! Gated stages, disabled entities and paused physics: bodies stop, and move again afterwards.

use super::{
    KINDS, Kind, OPEN, StageGates, WantedVelocity, distance_moved, drive_game, game_with_agent,
    set_stage_gates, set_wanted_velocity, spawn,
};
use crate::common::*;

#[test]
fn a_body_stops_while_drive_or_follow_is_gated() {
    let (drive, follow) = (false, false);
    for gated in [StageGates { drive, ..OPEN }, StageGates { follow, ..OPEN }] {
        for kind in KINDS {
            let (mut app, agent) = game_with_agent(kind);
            assert!(distance_moved(&mut app, agent, 10) > 0.8);
            set_stage_gates(&mut app, gated);
            run(&mut app, 1);
            assert_eq!(
                distance_moved(&mut app, agent, 60),
                0.0,
                "{kind:?}, {gated:?}"
            );
            set_stage_gates(&mut app, OPEN);
            assert!(
                distance_moved(&mut app, agent, 10) > 0.8,
                "{kind:?} does not move again"
            );
        }
    }
}

#[test]
fn a_body_spawned_disabled_or_while_drive_is_gated_moves_afterwards() {
    for kind in KINDS {
        for disabled in [false, true] {
            let mut app = drive_game(60.0);
            let drive = disabled;
            set_stage_gates(&mut app, StageGates { drive, ..OPEN });
            let agent = spawn(&mut app, kind, Vec2::ZERO, Vec2::X * 8.0);
            set_disabled(&mut app, agent, disabled);
            run(&mut app, 10);
            set_stage_gates(&mut app, OPEN);
            set_disabled(&mut app, agent, false);
            run(&mut app, 2);
            assert!(
                distance_moved(&mut app, agent, 30) > 3.9,
                "{kind:?} {disabled}"
            );
        }
    }
}

#[test]
fn a_disabled_body_keeps_its_position_and_moves_again_when_enabled() {
    for kind in KINDS {
        let (mut app, agent) = game_with_agent(kind);
        run(&mut app, 10);
        give(&mut app, agent, Disabled);
        let before = position(&app, agent);
        run(&mut app, 60);
        set_wanted_velocity(&mut app, agent, Vec2::ZERO);
        remove::<Disabled>(&mut app, agent);
        run(&mut app, 10);
        let moved = position(&app, agent).distance(before);
        assert!(moved < 0.01, "{kind:?} moved by {moved} while disabled");
        set_wanted_velocity(&mut app, agent, Vec2::X * 8.0);
        assert!(
            self::distance_moved(&mut app, agent, 30) > 3.9,
            "{kind:?} does not move again"
        );
    }
}

#[test]
fn a_body_that_is_no_longer_an_agent_stops() {
    for kind in KINDS {
        for with_all in [false, true] {
            let (mut app, agent) = game_with_agent(kind);
            run(&mut app, 10);
            let mut entity = app.world_mut().entity_mut(agent);
            entity.remove::<WantedVelocity>();
            if with_all {
                // Remove everything that the agent required, except the transform.
                let place = *entity.get::<Transform>().unwrap();
                entity.remove_with_requires::<NavAgent>().insert(place);
            } else {
                entity.remove::<NavAgent>();
            }
            run(&mut app, 1);
            let moved = distance_moved(&mut app, agent, 60);
            assert_eq!(moved, 0.0, "{kind:?}, with all: {with_all}");
        }
    }
}

#[test]
fn disabled_bodies_and_paused_physics_move_nothing_until_they_resume() {
    for kind in [Kind::Position, Kind::Velocity, Kind::Dynamic] {
        // For each way to stop a body: the ticks until it takes effect, the ticks until its end takes effect, and the
        // largest distance that the body moves in between.
        for (how, noticed, ended, max_moved) in [
            ("run condition", 1, 1, 1e-6),
            ("configuration", 0, 1, 1e-6),
            ("body", 1, 2, 0.0),
        ] {
            let (mut app, agent) = game_with_agent(kind);
            run(&mut app, 10);
            let switch = |app: &mut App, physics: bool| match how {
                "run condition" => set_stage_gates(app, StageGates { physics, ..OPEN }),
                "configuration" => set_physics(app, physics),
                _ if physics => remove::<RigidBodyDisabled>(app, agent),
                _ => give(app, agent, RigidBodyDisabled),
            };
            switch(&mut app, false);
            run(&mut app, noticed);
            let moved = distance_moved(&mut app, agent, 120);
            assert!(moved <= max_moved, "{kind:?}, {how}: moved by {moved}");
            switch(&mut app, true);
            run(&mut app, ended);
            assert!(
                distance_moved(&mut app, agent, 30) > 3.9,
                "{kind:?}, {how}: does not move again"
            );
        }
    }
}

#[test]
fn agents_are_not_stuck_while_a_run_condition_stops_the_physics() {
    for body in [Body::Kinematic, Body::Dynamic] {
        let mut app = unbaked_level(PlanMode::Inline, &open(20, 1));
        app.insert_resource(OPEN).configure_sets(
            FixedUpdate,
            PhysicsSet::StepSimulation.run_if(|gate: Res<StageGates>| gate.physics),
        );
        spawn_chase(&mut app, body, cell(0, 0), cell(19, 0));
        run(&mut app, 20);
        let physics = false;
        set_stage_gates(&mut app, StageGates { physics, ..OPEN });
        run(&mut app, 120);
        assert_eq!(events(&app).stuck, [], "{body:?}");
    }
}
