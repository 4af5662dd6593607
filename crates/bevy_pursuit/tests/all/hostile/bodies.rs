//! Bodies below parents, without an agent, and through pauses and strange frame rates.

use std::time::Duration;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::prelude::*;
use bevy_rapier2d::prelude::*;

use crate::common::*;

#[test]
fn a_body_whose_agent_is_taken_away_comes_to_rest() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, &open(40, 6));
        let target = spawn_target(&mut app, cell(39, 3));
        let agent = spawn_chaser(&mut app, body, cell(0, 3), target);
        run(&mut app, 30);
        remove::<NavAgent>(&mut app, agent);
        run(&mut app, 3);
        let before = position(&app, agent);
        run(&mut app, 30);
        let drift = position(&app, agent).distance(before);
        assert!(drift < 1e-3, "{body:?} drifts by {drift}");
        assert_eq!(status(&app, agent), PathStatus::Idle, "{body:?}");
    }
}

#[test]
fn a_body_that_need_not_come_near_stops_at_its_target_exactly() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, ROOM);
        let target = spawn_target(&mut app, cell(9, 3));
        let agent = spawn_chaser(&mut app, body, cell(0, 5), target);
        app.world_mut().entity_mut(agent).insert(NavAgent {
            reach: Some(0.0),
            ..NavAgent::from_radius(RADIUS)
        });
        run_until(&mut app, 900, |app| has_arrived(app, agent));
    }
}

#[test]
fn children_of_moved_turned_and_scaled_parents_walk_in_the_world() {
    for scale in [
        Vec3::ONE,
        Vec3::new(2.0, 0.5, 1.0),
        Vec3::new(-1.0, 1.0, 1.0),
    ] {
        let mut app = level(PlanMode::Inline, ROOM);
        let target = spawn_target(&mut app, cell(9, 3));
        let parent = Transform::from_xyz(3.0, -2.0, 0.0)
            .with_rotation(Quat::from_rotation_z(1.0))
            .with_scale(scale);
        let parent = spawn(&mut app, parent);
        let place = app.world().get::<Transform>(parent).unwrap().to_matrix();
        let local = place.inverse().transform_point3(cell(0, 5).extend(0.0));
        let agent = app
            .world_mut()
            .spawn((
                NavAgent::from_radius(RADIUS),
                Chase::new(target),
                Transform::from_translation(local),
                ChildOf(parent),
            ))
            .id();
        for _ in 0..600 {
            app.update();
            let local = app.world().get::<Transform>(agent).unwrap().translation;
            let here = place.transform_point3(local).truncate();
            assert!(wall_distance(&mut app, here) >= 0.98 * RADIUS, "at {here}");
        }
        assert_eq!(legs(&app, agent), Locomotion::Arrived, "scale {scale}");
    }
}

#[test]
fn a_child_of_a_flattened_parent_stays_a_number() {
    let mut app = level(PlanMode::Inline, ROOM);
    let target = spawn_target(&mut app, cell(9, 3));
    let parent = app
        .world_mut()
        .spawn(Transform::from_xyz(0.5, 0.5, 0.0).with_scale(Vec3::ZERO))
        .id();
    let agent = spawn_chaser(&mut app, Body::Transform, Vec2::ZERO, target);
    give(&mut app, agent, ChildOf(parent));
    run(&mut app, 120);
    assert!(position(&app, agent).is_finite());
}

#[test]
fn arriving_is_told_once_however_time_runs() {
    for body in BODIES {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin))
            .insert_resource(PursuitSettings {
                plan_mode: PlanMode::Inline,
                ..default()
            })
            .init_resource::<Heard>()
            .add_plugins(RapierPhysicsPlugin::<NoUserData>::default())
            .add_plugins(PursuitPlugins::default())
            .add_observer(|event: On<GoalReached>, mut heard: ResMut<Heard>| {
                heard.reached.push(*event);
            });
        app.finish();
        app.cleanup();
        build_level(&mut app, ROOM);
        let target = spawn_target(&mut app, cell(9, 3));
        let agent = spawn_chaser(&mut app, body, cell(0, 5), target);
        let frames = [0.0, 0.016, 5.0, 0.0, 0.001, 0.2, 0.0, 0.033];
        for n in 0..1600 {
            let frame = Duration::from_secs_f32(frames[n % frames.len()]);
            app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
            if n == 700 {
                app.world_mut().resource_mut::<Time<Virtual>>().pause();
            }
            if n == 720 {
                app.world_mut().resource_mut::<Time<Virtual>>().unpause();
            }
            app.update();
            let here = position(&app, agent);
            let away = wall_distance(&mut app, here);
            assert!(away >= 0.98 * RADIUS, "{body:?}: {here} is {away} away");
        }
        assert_eq!(legs(&app, agent), Locomotion::Arrived, "{body:?}");
        assert_eq!(heard(&app).reached.len(), 1, "{body:?}");
    }
}

#[test]
fn agents_go_on_after_time_and_physics_were_paused() {
    for body in BODIES {
        let mut app = level(PlanMode::Async, ROOM);
        let target = spawn_target(&mut app, cell(9, 3));
        let agent = spawn_chaser(&mut app, body, cell(0, 5), target);
        run(&mut app, 10);
        app.world_mut().resource_mut::<Time<Virtual>>().pause();
        let before = position(&app, agent);
        run(&mut app, 30);
        assert_eq!(position(&app, agent), before, "{body:?} moves while paused");
        app.world_mut().resource_mut::<Time<Virtual>>().unpause();
        let set_active = |app: &mut App, active: bool| {
            let mut configs = app.world_mut().query::<&mut RapierConfiguration>();
            for mut config in configs.iter_mut(app.world_mut()) {
                config.physics_pipeline_active = active;
            }
        };
        set_active(&mut app, false);
        run(&mut app, 30);
        set_active(&mut app, true);
        run_until(&mut app, 900, |app| {
            std::thread::sleep(Duration::from_micros(100));
            has_arrived(app, agent)
        });
    }
}

#[test]
fn the_plan_mode_may_change_in_every_frame() {
    let mut app = level(PlanMode::Async, ROOM);
    let target = spawn_target(&mut app, cell(9, 3));
    let door = spawn_wall(&mut app, cell(5, 1), Vec2::splat(0.5));
    let agent = spawn_chaser(&mut app, Body::Transform, cell(0, 5), target);
    let mut n = 0;
    run_until(&mut app, 900, |app| {
        n += 1;
        app.world_mut().resource_mut::<PursuitSettings>().plan_mode = if n % 2 == 0 {
            PlanMode::Async
        } else {
            PlanMode::Inline
        };
        let away = Vec2::X * 0.01 * (n % 3) as f32;
        place(app, door, cell(5, 1) + away);
        has_arrived(app, agent)
    });
}
