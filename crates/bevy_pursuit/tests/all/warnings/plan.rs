//! Warnings of planning, each of which is logged once.

use super::listener::{assert_no_warnings, assert_one_warning, listen};
use crate::common::*;

#[test]
#[ignore = "runs in a program of its own"]
fn a_horde_that_starts_deep_inside_a_wall_is_logged_once() {
    let _alone = listen();
    let map = format!("..........\n{}", "##########\n".repeat(9));
    let mut app = level(PlanMode::Inline, &map);
    let (free, target) = spawn_chase(&mut app, Body::Transform, cell(8, 0), cell(1, 0));
    run(&mut app, 10);
    assert_eq!(status(&app, free), PathStatus::Found);
    assert_no_warnings();
    let chaser = spawn_chaser(&mut app, Body::Transform, cell(5, 8), target);
    run(&mut app, 10);
    let words = ["inside an obstacle", "nearest_free", "what_blocks"];
    let name = chaser.to_string();
    assert_one_warning(&[&[name.as_str()], &words[..]].concat());
    for x in 1..9 {
        let deep = PathRequest::to(cell(x, 0)).with_radius(RADIUS);
        let request = spawn_request(&mut app, cell(x, 7), deep);
        let chaser = spawn_chaser(&mut app, Body::Transform, cell(x, 8), target);
        run(&mut app, 20);
        assert_status(&app, [request, chaser], Failed(StartBlocked), x);
    }
    assert_no_warnings();
}

#[test]
#[ignore = "runs in a program of its own"]
fn an_agent_on_a_grid_of_forbidden_ground_is_logged_once_with_the_ground() {
    let _alone = listen();
    let mut app = level(PlanMode::Inline, &open(12, 8));
    let mut areas = app.world_mut().resource_mut::<NavAreas>();
    let lava = areas.add("lava", f32::INFINITY, Color::BLACK);
    let shape = NavObstacle::rectangle(Vec2::splat(9.0)).with_layers(WALLS);
    let place = transform_at(cell(6, 4));
    spawn(&mut app, (shape, NavArea::new(lava), place));
    run(&mut app, 3);
    assert_no_warnings();
    let agent = spawn_walker(&mut app, Body::Transform, cell(4, 4), cell(10, 4));
    run(&mut app, 10);
    assert_one_warning(&[&agent.to_string(), "forbidden to its class", "NavAreas"]);
    spawn_walker(&mut app, Body::Transform, cell(2, 2), cell(10, 4));
    run(&mut app, 10);
    assert_no_warnings();
}

#[test]
#[ignore = "runs in a program of its own"]
fn a_grid_with_its_cell_centers_in_walls_is_logged_once_with_the_wall() {
    let _alone = listen();
    for (low, speaks) in [(-2.0, false), (-2.5, true), (-2.5, false)] {
        let mut app = game(60.0, PlanMode::Inline);
        // A corridor one cell wide, from y 0 to 1.
        let half = Vec2::new(6.0, 1.0);
        spawn_wall(&mut app, Vec2::new(5.0, -1.0), half);
        spawn_wall(&mut app, Vec2::new(5.0, 2.0), half);
        let low = Vec2::new(0.0, low);
        spawn_grid(
            &mut app,
            Rect::from_corners(low, low + Vec2::new(10.0, 5.0)),
            0.5,
        );
        run(&mut app, 3);
        let agent = spawn_walker(&mut app, Body::Kinematic, cell(2, 0), cell(7, 0));
        run(&mut app, 10);
        if !speaks {
            assert_no_warnings();
            continue;
        }
        assert_status(&app, [agent], Failed(StartBlocked), "half a cell off");
        // A kinematic body is planned for with the gap that its controller keeps.
        let gap = ["0.40808", "controller", "is only 0 from the center"];
        let remedies = ["has room", "node_radius", "bounds", "half a cell"];
        assert_one_warning(&[&[agent.to_string().as_str()], &gap[..], &remedies[..]].concat());
    }
}

#[test]
#[ignore = "runs in a program of its own"]
fn a_crowd_obstacle_as_large_as_the_only_grid_is_logged_once() {
    let _alone = listen();
    let mut app = level(PlanMode::Inline, &open(12, 8));
    spawn(&mut app, CrowdObstacle { radius: 5.9 });
    spawn(&mut app, CrowdObstacle { radius: f32::NAN });
    run(&mut app, 3);
    assert_no_warnings();
    let large = spawn(&mut app, CrowdObstacle { radius: 6.0 });
    run(&mut app, 3);
    assert_one_warning(&[&large.to_string(), "radius of 6", "12 long"]);
    get_mut::<CrowdObstacle>(&mut app, large).radius = 7.0;
    run(&mut app, 3);
    assert_no_warnings();
    // If another grid has room, no agent has to end up in a corner.
    let mut app = level(PlanMode::Inline, &open(12, 8));
    spawn_grid(
        &mut app,
        Rect::from_corners(Vec2::splat(20.0), Vec2::splat(50.0)),
        0.5,
    );
    spawn(&mut app, CrowdObstacle { radius: 6.0 });
    run(&mut app, 3);
    assert_no_warnings();
}
