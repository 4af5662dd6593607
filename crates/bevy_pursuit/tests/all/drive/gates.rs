//! Stages that are gated, entities that are disabled, physics that is off: bodies stop and go on.

use super::{Gate, KINDS, Kind, OPEN, Want, driven, drivers, gate, spawn, want, way};
use crate::common::*;

#[test]
fn a_body_goes_on_for_ever_when_drive_or_follow_is_gated() {
    let (drive, follow) = (false, false);
    for gated in [Gate { drive, ..OPEN }, Gate { follow, ..OPEN }] {
        for kind in KINDS {
            let (mut app, agent) = driven(kind);
            assert!(way(&mut app, agent, 10) > 0.8);
            gate(&mut app, gated);
            run(&mut app, 1);
            assert_eq!(way(&mut app, agent, 60), 0.0, "{kind:?}, {gated:?}");
            gate(&mut app, OPEN);
            assert!(way(&mut app, agent, 10) > 0.8, "{kind:?} goes on");
        }
    }
}

#[test]
fn a_body_that_came_disabled_or_while_drive_was_gated_is_equipped_afterwards() {
    for kind in KINDS {
        for disabled in [false, true] {
            let mut app = drivers(60.0);
            let drive = disabled;
            gate(&mut app, Gate { drive, ..OPEN });
            let agent = spawn(&mut app, kind, Vec2::ZERO, Vec2::X * 8.0);
            set_disabled(&mut app, agent, disabled);
            run(&mut app, 10);
            gate(&mut app, OPEN);
            set_disabled(&mut app, agent, false);
            run(&mut app, 2);
            assert!(way(&mut app, agent, 30) > 3.9, "{kind:?} {disabled}");
        }
    }
}

#[test]
fn a_body_that_is_disabled_under_way_stands_where_it_was_when_it_is_enabled() {
    for kind in KINDS {
        let (mut app, agent) = driven(kind);
        run(&mut app, 10);
        give(&mut app, agent, Disabled);
        let before = position(&app, agent);
        run(&mut app, 60);
        want(&mut app, agent, Vec2::ZERO);
        remove::<Disabled>(&mut app, agent);
        run(&mut app, 10);
        let way = position(&app, agent).distance(before);
        assert!(way < 0.01, "{kind:?} went {way} while disabled");
        want(&mut app, agent, Vec2::X * 8.0);
        assert!(self::way(&mut app, agent, 30) > 3.9, "{kind:?} goes on");
    }
}

#[test]
fn a_body_that_is_no_agent_any_more_stops() {
    for kind in KINDS {
        for with_all in [false, true] {
            let (mut app, agent) = driven(kind);
            run(&mut app, 10);
            let mut entity = app.world_mut().entity_mut(agent);
            entity.remove::<Want>();
            if with_all {
                // All that the agent brought with it, but for the transform.
                let place = *entity.get::<Transform>().unwrap();
                entity.remove_with_requires::<NavAgent>().insert(place);
            } else {
                entity.remove::<NavAgent>();
            }
            run(&mut app, 1);
            let way = way(&mut app, agent, 60);
            assert_eq!(way, 0.0, "{kind:?}, with all: {with_all}");
        }
    }
}

#[test]
fn bodies_do_not_move_while_the_physics_or_they_are_off_and_go_on_afterwards() {
    for kind in [Kind::Position, Kind::Velocity, Kind::Dynamic] {
        // The ticks until each way to stop is noticed and until it ends, and the most that a body moves.
        for (how, noticed, ended, most) in [
            ("run condition", 1, 1, 1e-6),
            ("configuration", 0, 1, 1e-6),
            ("body", 1, 2, 0.0),
        ] {
            let (mut app, agent) = driven(kind);
            run(&mut app, 10);
            let switch = |app: &mut App, physics: bool| match how {
                "run condition" => gate(app, Gate { physics, ..OPEN }),
                "configuration" => set_physics(app, physics),
                _ if physics => remove::<RigidBodyDisabled>(app, agent),
                _ => give(app, agent, RigidBodyDisabled),
            };
            switch(&mut app, false);
            run(&mut app, noticed);
            let way_off = way(&mut app, agent, 120);
            assert!(way_off <= most, "{kind:?}, {how}: walked {way_off}");
            switch(&mut app, true);
            run(&mut app, ended);
            assert!(way(&mut app, agent, 30) > 3.9, "{kind:?}, {how}: goes on");
        }
    }
}

#[test]
fn nobody_is_stuck_while_the_physics_is_off_by_a_run_condition() {
    for body in [Body::Kinematic, Body::Dynamic] {
        let mut app = unbaked_level(PlanMode::Inline, &open(20, 1));
        app.insert_resource(OPEN).configure_sets(
            FixedUpdate,
            PhysicsSet::StepSimulation.run_if(|gate: Res<Gate>| gate.physics),
        );
        spawn_chase(&mut app, body, cell(0, 0), cell(19, 0));
        run(&mut app, 20);
        let physics = false;
        gate(&mut app, Gate { physics, ..OPEN });
        run(&mut app, 120);
        assert_eq!(events(&app).stuck, [], "{body:?}");
    }
}
