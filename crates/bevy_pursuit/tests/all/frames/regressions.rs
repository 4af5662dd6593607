//! Regressions on grids with frames.

use crate::common::*;

fn field() -> NavGrid {
    nav_grid(Rect::new(-30.0, -30.0, 30.0, 30.0), 0.25).with_obstacles(ObstacleLayers::ALL)
}

fn game_on(mode: PlanMode, frame: NavFrame) -> (App, Entity) {
    let mut app = game(60.0, mode);
    let grid = spawn(&mut app, (field(), frame));
    (app, grid)
}

fn walker(app: &mut App, frame: NavFrame, goal: Vec3) -> Entity {
    let agent = NavAgent::from_radius(RADIUS).with_speed(1.5);
    let at = Transform::from_translation(frame.origin);
    spawn(app, (agent, at, PathRequest::to(goal)))
}

#[test]
fn an_agent_that_never_moves_reports_stuck_once_on_every_plane() {
    for frame in [NavFrame::XY, NavFrame::XZ, NavFrame::XY.turned(0.5)] {
        let (mut app, _) = game_on(PlanMode::Inline, frame);
        let agent = walker(&mut app, frame, frame.to_world(Vec2::X * 14.0));
        give(&mut app, agent, NavDrive::Manual);
        let often = RepathPolicy::Every(Duration::from_millis(400));
        get_mut::<PathRequest>(&mut app, agent).repath = often;
        run(&mut app, 900);
        assert_eq!(events(&app).stuck.len(), 1, "{frame:?}");
    }
}

#[test]
fn an_obstacle_that_moves_along_z_causes_no_bake() {
    let (mut app, grid) = game_on(PlanMode::Async, NavFrame::XY);
    let wall = spawn_wall(&mut app, Vec2::new(5.0, 0.0), Vec2::ONE);
    run_slowly(&mut app, 40);
    for tick in 0..60 {
        get_mut::<Transform>(&mut app, wall).translation.z = tick as f32;
        run_slowly(&mut app, 1);
        assert!(!get::<BakedGrid>(&app, grid).is_baking());
    }
}

#[test]
fn a_grid_without_a_frame_lies_in_the_xy_plane() {
    let (mut app, grid) = game_on(PlanMode::Inline, NavFrame::XZ);
    remove::<NavFrame>(&mut app, grid);
    let agent = walker(&mut app, NavFrame::XY, Vec3::new(3.0, 3.0, 0.0));
    arrive(&mut app, agent, 300, "on X and Y");
}

#[test]
fn an_agent_moved_to_an_unbaked_grid_does_not_arrive_early() {
    let (mut app, _) = game_on(PlanMode::Inline, NavFrame::XY);
    let agent = walker(&mut app, NavFrame::XY, Vec3::X * 9.0);
    get_mut::<PathRequest>(&mut app, agent).reach = Some(1.0);
    add_gates(&mut app);
    run(&mut app, 10);
    set_gates(&mut app, [true, false, true, true, true, true]);
    let second = spawn(&mut app, (field(), NavFrame::XY.at(Vec3::X * 5.0)));
    give(&mut app, agent, OnGrid(second));
    run(&mut app, 300);
    assert!(events(&app).reached.is_empty() || position(&app, agent).x > 7.9);
}

#[test]
fn tilted_outlines_block_nearly_the_same_points_on_turned_grids() {
    let turned = NavFrame::XY.at(Vec3::ONE).turned(0.3);
    let seen = [NavFrame::XY, turned, NavFrame::XY.turned(2.0)].map(|frame| {
        let (mut app, _) = game_on(PlanMode::Inline, frame);
        let points = [Vec2::ZERO, Vec2::new(8.3, 0.2), Vec2::new(0.1, 4.2)];
        let part = Collider::convex_hull(&points).expect("a hull");
        let shape = Collider::compound(vec![(Vec2::new(1.0, 2.0), 0.7, part)]);
        let tilt = Quat::from_rotation_y(0.7) * Quat::from_rotation_z(0.9);
        spawn(&mut app, (shape, Transform::from_rotation(tilt)));
        run(&mut app, 3);
        let point = |n: i32| Vec2::new((n / 40) as f32 - 10.0, (n % 40 - 20) as f32) + 0.3;
        let points: Vec<Vec2> = (0..800).map(point).collect();
        let blocked = |point: &Vec2| what_blocks(&mut app, *point, 0.0) != Ok(vec![]);
        points.into_iter().filter(blocked).collect::<Vec<_>>()
    });
    let first = &seen[0];
    for other in &seen {
        // Walls that are not aligned with the cells block some more cells.
        let same = other.iter().filter(|point| first.contains(point)).count();
        assert!(same > 8 && same + 3 > other.len(), "{first:?} {other:?}");
    }
}

#[test]
fn slow_agents_far_from_the_origin_arrive() {
    for frame in [NavFrame::XY, NavFrame::XZ, NavFrame::XY.turned(0.5)] {
        let frame = frame.at(Vec3::splat(1e6));
        let (mut app, _) = game_on(PlanMode::Inline, frame);
        let goal = frame.to_world(Vec2::new(3.0, 4.0));
        let agent = walker(&mut app, frame, goal);
        arrive(&mut app, agent, 400, frame);
        let distance = get::<Transform>(&app, agent).translation.distance(goal);
        assert!(distance < 0.3, "{frame:?}: {distance}");
    }
}

#[test]
fn an_agent_keeps_its_course_after_the_grid_turns() {
    let (mut app, grid) = game_on(PlanMode::Inline, NavFrame::XY);
    let agent = walker(&mut app, NavFrame::XY, Vec3::ZERO);
    set_position(&mut app, agent, Vec2::new(-15.0, 0.0));
    get_mut::<NavAgent>(&mut app, agent).speed = 6.0;
    spawn_wall(&mut app, Vec2::new(-5.0, 0.0), Vec2::ONE);
    run(&mut app, 30);
    give(&mut app, grid, NavFrame::XY.turned(1.5));
    for _ in 0..600 {
        run(&mut app, 1);
        assert!(position(&app, agent).y.abs() < 2.0);
    }
    assert!(has_arrived(&app, agent));
}

#[test]
fn nearest_free_keeps_the_height_and_agents_in_3d_stay_upright() {
    let (mut app, _) = game_on(PlanMode::Inline, NavFrame::XZ);
    let agent = walker(&mut app, NavFrame::XZ, Vec3::new(-5.0, 0.0, 1.0));
    give(&mut app, agent, NavTurn::default());
    run(&mut app, 60);
    let up = get::<Transform>(&app, agent).rotation * Vec3::Y;
    assert!(up.y > 0.99, "{up}");
    let free = ask(&mut app, |nav| nav.nearest_free(Vec3::ONE * 3.0, RADIUS));
    assert_eq!(free, Ok(Vec3::ONE * 3.0));
}

#[test]
fn rapier_bodies_on_a_3d_ground_plane_are_not_driven() {
    for body in [Body::Kinematic, Body::Dynamic] {
        let (mut app, _) = game_on(PlanMode::Inline, NavFrame::XZ);
        let agent = walker(&mut app, NavFrame::XZ, Vec3::new(5.0, 0.0, 5.0));
        give_body(&mut app, agent, body);
        run(&mut app, 100);
        assert_eq!(position(&app, agent), Vec2::ZERO, "{body:?}");
    }
}
