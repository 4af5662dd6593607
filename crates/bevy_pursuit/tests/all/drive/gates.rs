//! Stages that are gated, entities that are disabled, physics that is off: bodies stop and go on.

use bevy::ecs::entity_disabling::Disabled;
use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_rapier2d::prelude::*;

use super::{Gate, KINDS, Kind, OPEN, Want, drivers, gate, spawn, want, way};
use crate::common::*;

#[test]
fn a_body_drifts_on_at_full_speed_when_drive_is_gated() {
    for kind in KINDS {
        let mut app = drivers(60.0);
        let agent = spawn(&mut app, kind, Vec2::ZERO, Vec2::X * 8.0);
        assert!(way(&mut app, agent, 10) > 0.8);
        let drive = false;
        gate(&mut app, Gate { drive, ..OPEN });
        run(&mut app, 1);
        assert_eq!(way(&mut app, agent, 60), 0.0, "{kind:?} drifts");
        gate(&mut app, OPEN);
        assert!(way(&mut app, agent, 10) > 0.8, "{kind:?} goes on");
    }
}

#[test]
fn a_body_walks_on_for_ever_when_follow_is_gated() {
    for kind in KINDS {
        let mut app = drivers(60.0);
        let agent = spawn(&mut app, kind, Vec2::ZERO, Vec2::X * 8.0);
        assert!(way(&mut app, agent, 10) > 0.8);
        let follow = false;
        gate(&mut app, Gate { follow, ..OPEN });
        run(&mut app, 1);
        assert_eq!(way(&mut app, agent, 60), 0.0, "{kind:?} walks on");
        gate(&mut app, OPEN);
        assert!(way(&mut app, agent, 10) > 0.8, "{kind:?} goes on");
    }
}

#[test]
fn a_body_that_came_while_drive_was_gated_is_equipped_afterwards() {
    for kind in KINDS {
        let mut app = drivers(60.0);
        let drive = false;
        gate(&mut app, Gate { drive, ..OPEN });
        let agent = spawn(&mut app, kind, Vec2::ZERO, Vec2::X * 8.0);
        run(&mut app, 10);
        gate(&mut app, OPEN);
        run(&mut app, 2);
        assert!(way(&mut app, agent, 30) > 3.9, "{kind:?}");
    }
}

#[test]
fn a_body_that_was_disabled_when_it_came_is_equipped_afterwards() {
    for kind in KINDS {
        let mut app = drivers(60.0);
        let agent = spawn(&mut app, kind, Vec2::ZERO, Vec2::X * 8.0);
        give(&mut app, agent, Disabled);
        run(&mut app, 10);
        remove::<Disabled>(&mut app, agent);
        run(&mut app, 2);
        assert!(way(&mut app, agent, 30) > 3.9, "{kind:?}");
    }
}

#[test]
fn a_body_that_is_disabled_under_way_stands_where_it_was_when_it_is_enabled() {
    for kind in KINDS {
        let mut app = drivers(60.0);
        let agent = spawn(&mut app, kind, Vec2::ZERO, Vec2::X * 8.0);
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
            let mut app = drivers(60.0);
            let agent = spawn(&mut app, kind, Vec2::ZERO, Vec2::X * 8.0);
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
fn bodies_do_not_move_while_the_physics_is_off_and_go_on_afterwards() {
    for kind in [Kind::Position, Kind::Velocity, Kind::Dynamic] {
        for by_run_condition in [false, true] {
            let mut app = drivers(60.0);
            let agent = spawn(&mut app, kind, Vec2::ZERO, Vec2::X * 8.0);
            run(&mut app, 10);
            let switch = |app: &mut App, physics: bool| {
                if by_run_condition {
                    gate(app, Gate { physics, ..OPEN });
                } else {
                    let mut configs = app.world_mut().query::<&mut RapierConfiguration>();
                    let mut config = configs.single_mut(app.world_mut()).unwrap();
                    config.physics_pipeline_active = physics;
                }
            };
            switch(&mut app, false);
            // A run condition is noticed in the tick after.
            run(&mut app, if by_run_condition { 1 } else { 0 });
            let way_off = way(&mut app, agent, 120);
            assert!(way_off < 1e-6, "{kind:?} walked {way_off}");
            switch(&mut app, true);
            run(&mut app, 1);
            assert!(way(&mut app, agent, 30) > 3.9, "{kind:?} goes on");
        }
    }
}

#[test]
fn a_body_that_the_physics_disabled_does_not_move_and_goes_on_afterwards() {
    for kind in [Kind::Position, Kind::Velocity, Kind::Dynamic] {
        let mut app = drivers(60.0);
        let agent = spawn(&mut app, kind, Vec2::ZERO, Vec2::X * 8.0);
        run(&mut app, 10);
        give(&mut app, agent, RigidBodyDisabled);
        run(&mut app, 1);
        assert_eq!(way(&mut app, agent, 120), 0.0, "{kind:?}");
        remove::<RigidBodyDisabled>(&mut app, agent);
        run(&mut app, 2);
        assert!(way(&mut app, agent, 30) > 3.9, "{kind:?} goes on");
    }
}

#[test]
fn nobody_is_stuck_while_the_physics_is_off_or_its_body_disabled() {
    for body in [Body::Kinematic, Body::Dynamic] {
        for way_to_pause in 0..3 {
            let mut app = game(60.0, PlanMode::Inline);
            app.insert_resource(OPEN).configure_sets(
                FixedUpdate,
                PhysicsSet::StepSimulation.run_if(|gate: Res<Gate>| gate.physics),
            );
            build_level(&mut app, "....................");
            let target = spawn_target(&mut app, cell(19, 0));
            let agent = spawn_chaser(&mut app, body, cell(0, 0), target);
            run(&mut app, 20);
            match way_to_pause {
                0 => {
                    give(&mut app, agent, RigidBodyDisabled);
                }
                1 => {
                    let mut configs = app.world_mut().query::<&mut RapierConfiguration>();
                    let mut config = configs.single_mut(app.world_mut()).unwrap();
                    config.physics_pipeline_active = false;
                }
                _ => {
                    let physics = false;
                    gate(&mut app, Gate { physics, ..OPEN });
                }
            }
            run(&mut app, 120);
            assert!(heard(&app).stuck.is_empty(), "{body:?} {way_to_pause}");
        }
    }
}
