//! Bodies below parents, bodies without an agent, and bodies through pauses and irregular frame rates.

use crate::common::*;

#[test]
fn a_body_whose_agent_is_removed_comes_to_rest() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, &open(40, 6));
        let (agent, _) = spawn_chase(&mut app, body, cell(0, 3), cell(39, 3));
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
fn a_chaser_with_zero_reach_arrives() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, ROOM);
        let (agent, _) = spawn_chase(&mut app, body, cell(0, 5), cell(9, 3));
        get_mut::<NavAgent>(&mut app, agent).reach = Some(0.0);
        run_until(&mut app, 900, |app| has_arrived(app, agent));
    }
}

#[test]
fn children_of_transformed_parents_walk_in_world_space() {
    for (x, y) in [(1.0, 1.0), (2.0, 0.5), (-1.0, 1.0)] {
        let scale = Vec3::new(x, y, 1.0);
        let mut app = level(PlanMode::Inline, ROOM);
        let target = spawn_target(&mut app, cell(9, 3));
        let parent = Transform::from_xyz(3.0, -2.0, 0.0)
            .with_rotation(Quat::from_rotation_z(1.0))
            .with_scale(scale);
        let parent = spawn(&mut app, parent);
        let to_world = get::<Transform>(&app, parent).to_matrix();
        let local = to_world.inverse().transform_point3(cell(0, 5).extend(0.0));
        let agent = spawn_chaser(&mut app, Body::Transform, local.truncate(), target);
        give(&mut app, agent, ChildOf(parent));
        for _ in 0..600 {
            app.update();
            let local = get::<Transform>(&app, agent).translation;
            let here = to_world.transform_point3(local).truncate();
            assert!(
                wall_distance(&mut app, here) >= 0.98 * RADIUS,
                "the agent overlaps a wall at {here}"
            );
        }
        assert_eq!(
            locomotion(&app, agent),
            Locomotion::Arrived,
            "scale {scale}"
        );
    }
}

#[test]
fn a_child_of_a_parent_with_zero_scale_keeps_a_finite_position() {
    let mut app = level(PlanMode::Inline, ROOM);
    let target = spawn_target(&mut app, cell(9, 3));
    let flat = transform_at(cell(0, 0)).with_scale(Vec3::ZERO);
    let parent = spawn(&mut app, flat);
    let agent = spawn_bare(&mut app, Vec2::ZERO, (Chase::new(target), ChildOf(parent)));
    run(&mut app, 120);
    assert!(position(&app, agent).is_finite());
}

#[test]
fn arrival_is_reported_once_at_irregular_frame_times() {
    for body in BODIES {
        let mut app = game_in_frames(60.0, PlanMode::Inline);
        build_level(&mut app, ROOM);
        let (agent, _) = spawn_chase(&mut app, body, cell(0, 5), cell(9, 3));
        let frames = [0.0, 0.016, 5.0, 0.0, 0.001, 0.2, 0.0, 0.033];
        for n in 0..1600 {
            let frame = Duration::from_secs_f32(frames[n % frames.len()]);
            app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
            if n == 700 {
                virtual_time(&mut app).pause();
            }
            if n == 720 {
                assert_eq!(locomotion(&app, agent), Locomotion::Arrived, "{body:?}");
                virtual_time(&mut app).unpause();
            }
            app.update();
            assert_off_walls(&mut app, agent, 0.98 * RADIUS, body);
        }
        assert_eq!(locomotion(&app, agent), Locomotion::Arrived, "{body:?}");
        assert_eq!(events(&app).reached.len(), 1, "{body:?}");
    }
}

#[test]
fn agents_arrive_after_pauses_of_time_and_of_physics() {
    for body in BODIES {
        let mut app = level(PlanMode::Async, ROOM);
        let (agent, _) = spawn_chase(&mut app, body, cell(0, 5), cell(9, 3));
        run(&mut app, 10);
        virtual_time(&mut app).pause();
        let before = position(&app, agent);
        run(&mut app, 30);
        assert_eq!(
            position(&app, agent),
            before,
            "{body:?} moves while time is paused"
        );
        virtual_time(&mut app).unpause();
        set_physics(&mut app, false);
        run(&mut app, 30);
        set_physics(&mut app, true);
        run_slowly_until(&mut app, 900, |app| has_arrived(app, agent));
    }
}

#[test]
fn an_agent_arrives_while_the_plan_mode_changes_in_every_frame() {
    let mut app = level(PlanMode::Async, ROOM);
    let target = spawn_target(&mut app, cell(9, 3));
    let door = spawn_wall(&mut app, cell(5, 1), Vec2::splat(0.5));
    let agent = spawn_chaser(&mut app, Body::Transform, cell(0, 5), target);
    let mut n = 0;
    run_until(&mut app, 900, |app| {
        n += 1;
        settings(app).plan_mode = MODES[n % 2];
        let away = Vec2::X * 0.01 * (n % 3) as f32;
        set_position(app, door, cell(5, 1) + away);
        has_arrived(app, agent)
    });
}
