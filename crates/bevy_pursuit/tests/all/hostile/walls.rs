//! Walls that move, appear on an agent, or are thin, narrow or turned.

use std::f32::consts::FRAC_PI_4;

use crate::common::*;

#[test]
fn agents_arrive_while_an_obstacle_moves_across_the_path_in_every_frame() {
    for (mode, body) in modes_and_bodies() {
        let mut app = level(mode, &open(24, 12));
        let door = spawn_wall(&mut app, Vec2::new(12.0, 6.0), Vec2::new(0.5, 2.0));
        let (agent, target) = spawn_chase(&mut app, body, cell(0, 6), cell(23, 2));
        let mut n = 0;
        run_until(&mut app, 2400, |app| {
            n += 1;
            let slide = 3.0 * (n as f32 * 0.05).sin();
            set_position(app, door, Vec2::new(12.0, 6.0 + slide));
            let aim = cell(23, 2) + Vec2::Y * (n as f32 / 40.0).min(8.0);
            set_position(app, target, aim);
            has_arrived(app, agent)
        });
    }
}

#[test]
fn an_agent_under_a_spawned_obstacle_arrives_or_reports_why_not() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, &open(16, 8));
        let (agent, _) = spawn_chase(&mut app, body, cell(0, 4), cell(15, 4));
        run(&mut app, 20);
        let here = position(&app, agent);
        let wall = spawn_wall(&mut app, here, Vec2::splat(0.45));
        run(&mut app, 240);
        let arrived = has_arrived(&app, agent);
        let reported = !events(&app).stuck.is_empty() || !events(&app).failed.is_empty();
        assert!(
            arrived || reported,
            "{body:?} neither arrived nor reported a reason: {:?}",
            locomotion(&app, agent)
        );
        despawn(&mut app, wall);
        run_until(&mut app, 600, |app| has_arrived(app, agent));
    }
}

#[test]
fn thin_walls_between_cells_are_never_crossed() {
    for body in BODIES {
        for turn in [0.0, FRAC_PI_4, 0.3] {
            let mut app = level(PlanMode::Inline, &open(16, 16));
            // A wall with a gap at one end. It does not lie on cell borders.
            let wall = spawn_wall(&mut app, Vec2::new(8.03, 6.0), Vec2::new(0.01, 7.0));
            get_mut::<Transform>(&mut app, wall).rotation = Quat::from_rotation_z(turn);
            let (agent, target) =
                spawn_chase(&mut app, body, Vec2::new(5.0, 7.0), Vec2::new(10.0, 5.0));
            run(&mut app, 2);
            run_off_walls(&mut app, agent, 301, (body, turn));
            set_position(&mut app, target, Vec2::new(3.0, 2.0));
            run_off_walls(&mut app, agent, 299, (body, turn));
            assert_eq!(
                locomotion(&app, agent),
                Locomotion::Arrived,
                "{body:?} {turn}"
            );
        }
    }
}

#[test]
fn corridors_as_wide_as_the_body_are_walked_from_end_to_end() {
    const MAZE: &str = "
        ###########
        #.........#
        #########.#
        #.........#
        #.#########
        #.........#
        ###########
    ";
    for body in BODIES {
        let mut app = level(PlanMode::Inline, MAZE);
        let (agent, _) = spawn_chase(&mut app, body, cell(1, 1), cell(9, 5));
        set_size(&mut app, agent, body, 0.5);
        give(&mut app, agent, NavAgent::from_radius(0.5).with_speed(8.0));
        if body == Body::Kinematic {
            // A character controller keeps a gap to walls, so its collider has to be thinner by that gap.
            give(&mut app, agent, Collider::ball(0.49));
        }
        run_off_walls(&mut app, agent, 900, body);
        assert_eq!(locomotion(&app, agent), Locomotion::Arrived, "{body:?}");
        assert_eq!(events(&app).stuck, [], "{body:?}");
    }
}

#[test]
fn a_diagonal_corridor_of_turned_walls_is_walked() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, &open(20, 20));
        for side in [-1.0, 1.0] {
            let offset = Vec2::new(-1.0, 1.0).normalize() * side * 1.3;
            let wall = spawn_wall(&mut app, Vec2::splat(10.0) + offset, Vec2::new(14.0, 0.1));
            get_mut::<Transform>(&mut app, wall).rotation = Quat::from_rotation_z(FRAC_PI_4);
        }
        run(&mut app, 2);
        let (agent, _) = spawn_chase(&mut app, body, Vec2::splat(2.0), Vec2::splat(18.0));
        run_off_walls(&mut app, agent, 400, body);
        assert_eq!(locomotion(&app, agent), Locomotion::Arrived, "{body:?}");
    }
}

#[test]
fn an_agent_seven_cells_wide_keeps_off_walls() {
    for body in BODIES {
        let mut app = level(PlanMode::Inline, &open(48, 32));
        spawn_wall(&mut app, Vec2::new(24.0, 8.0), Vec2::new(0.5, 8.0));
        run(&mut app, 2);
        let (agent, _) = spawn_chase(&mut app, body, cell(6, 6), cell(42, 6));
        set_size(&mut app, agent, body, 3.5);
        run_off_walls(&mut app, agent, 400, body);
        assert_eq!(locomotion(&app, agent), Locomotion::Arrived, "{body:?}");
    }
}
