//! Warnings of the bake, each of which is logged once.

use super::listener::{assert_no_warnings, assert_one_warning, listen, take_warnings};
use crate::bake_support::{app, bake, blocked, grid, run_until_baked};
use crate::common::*;

#[test]
#[ignore = "runs in a program of its own"]
fn a_layer_mask_that_matches_no_collider_is_logged_once_by_name() {
    let _alone = listen();
    let mut app = app();
    let groups = CollisionGroups::new(Group::GROUP_2, Group::ALL);
    let wall = spawn(
        &mut app,
        (Collider::ball(3.0), Transform::default(), groups),
    );
    let grid = spawn(
        &mut app,
        grid().with_obstacles(Group::GROUP_1 | Group::GROUP_4),
    );
    run_until_baked(&mut app);
    assert_one_warning(&[
        "1 colliders",
        "GROUP_1 | GROUP_4",
        "0x00000009",
        "GROUP_2",
        "walkable",
        "ObstacleLayers::NONE",
    ]);
    // The same layers are not logged again.
    get_mut::<NavGrid>(&mut app, grid).node_radius = 1.0;
    run_until_baked(&mut app);
    assert_no_warnings();
    // Other layers are logged.
    get_mut::<NavGrid>(&mut app, grid).obstacles = Group::GROUP_5.into();
    run_until_baked(&mut app);
    assert_one_warning(&["GROUP_5"]);
    // Neither `ObstacleLayers::NONE` nor a mask that matches a collider is logged.
    get_mut::<NavGrid>(&mut app, grid).obstacles = ObstacleLayers::NONE;
    run_until_baked(&mut app);
    get_mut::<NavGrid>(&mut app, grid).obstacles = Group::GROUP_2.into();
    run_until_baked(&mut app);
    despawn(&mut app, wall);
    run_until_baked(&mut app);
    assert_no_warnings();
}

#[test]
#[ignore = "runs in a program of its own"]
fn a_level_of_moving_bodies_without_groups_is_logged() {
    let _alone = listen();
    let mut app = app();
    app.world_mut().spawn((
        Collider::ball(3.0),
        Transform::default(),
        RigidBody::Dynamic,
    ));
    bake(&mut app, grid());
    assert_one_warning(&["a moving body is an obstacle only if it has CollisionGroups"]);
}

#[test]
#[ignore = "runs in a program of its own"]
fn a_world_of_only_agents_and_sensors_logs_nothing() {
    let _alone = listen();
    let mut app = app();
    spawn(&mut app, (Collider::ball(3.0), NavAgent::from_radius(3.0)));
    app.world_mut()
        .spawn((Collider::ball(3.0), Transform::default(), Sensor));
    bake(&mut app, grid());
    assert_no_warnings();
}

#[test]
#[ignore = "runs in a program of its own"]
fn an_invalid_grid_is_logged_once_for_each_value() {
    let _alone = listen();
    let mut app = app();
    let grid = spawn(&mut app, grid().with_node_radius(f32::NAN));
    for _ in 0..5 {
        app.update();
        get_mut::<NavGrid>(&mut app, grid).set_changed();
    }
    assert_one_warning(&["node_radius", "NaN"]);
    get_mut::<NavGrid>(&mut app, grid).node_radius = 1e-6;
    run_until_baked(&mut app);
    assert_one_warning(&["bounds"]);
}

#[test]
#[ignore = "runs in a program of its own"]
fn a_collider_with_nan_is_skipped_and_logged_once() {
    let _alone = listen();
    let nan = Transform::from_xyz(f32::NAN, 0.0, 0.0);
    // Rapier's systems do not survive such numbers in every case, so they do not run.
    let mut app = game_without_rapier();
    assert_one_warning(&["RapierPhysicsPlugin"]);
    spawn(&mut app, (Collider::ball(1.0), nan));
    spawn(&mut app, (Collider::ball(f32::NAN), Transform::default()));
    app.world_mut()
        .spawn((Collider::ball(2.0), Transform::from_xyz(10.0, 0.0, 0.0)));
    let grid = bake(&mut app, grid());
    assert_one_warning(&["NaN"]);
    let snapshot = snapshot(&app, grid);
    assert!(snapshot.free(Vec2::ZERO, 1.0) && !snapshot.free(Vec2::new(10.0, 0.0), 1.0));
}

#[test]
#[ignore = "runs in a program of its own"]
fn colliders_spawned_after_the_grid_are_checked_against_its_layers() {
    let _alone = listen();
    let mut app = app();
    bake(&mut app, grid().with_obstacles(Group::GROUP_1));
    assert_eq!(take_warnings(), [""; 0], "a warning about an empty world");
    let groups = CollisionGroups::new(Group::GROUP_2, Group::ALL);
    app.world_mut()
        .spawn((Collider::ball(3.0), Transform::default(), groups));
    run_until_baked(&mut app);
    run_until_baked(&mut app);
    assert_one_warning(&[]);
}

#[test]
#[ignore = "runs in a program of its own"]
fn a_transform_on_a_grid_is_logged_once_with_a_remedy() {
    let _alone = listen();
    let mut app = app();
    spawn(&mut app, (grid(), Transform::default()));
    // The depth of a transform does not matter.
    spawn(&mut app, (grid(), Transform::from_xyz(0.0, 0.0, 5.0)));
    run_until_baked(&mut app);
    assert_no_warnings();
    let moved = Transform::from_xyz(3.0, 0.0, 0.0);
    let scaled = Transform::from_scale(Vec3::splat(2.0));
    let moved = spawn(&mut app, (grid(), moved));
    let level = spawn(&mut app, scaled);
    let below = (grid(), Transform::default(), ChildOf(level));
    let below = spawn(&mut app, below);
    run_until_baked(&mut app);
    let warnings = take_warnings();
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    for grid in [moved, below] {
        let names = |warning: &&String| warning.contains(&grid.to_string());
        let warning = warnings.iter().find(names).expect("each grid is named");
        assert!(warning.contains("bounds"), "{warning:?}");
    }
    let mut transform = get_mut::<Transform>(&mut app, moved);
    transform.translation.x = 7.0;
    run_until_baked(&mut app);
    assert_eq!(take_warnings(), [""; 0], "the warning was logged again");
}

#[test]
#[ignore = "runs in a program of its own"]
fn invalid_numbers_of_a_nav_obstacle_are_logged_once_and_ignored() {
    let _alone = listen();
    for (obstacle, part) in [
        (NavObstacle::circle(f32::NAN), "radius"),
        (NavObstacle::circle(-1.0), "radius"),
        (
            NavObstacle::rectangle(Vec2::new(1.0, f32::INFINITY)),
            "half_size.y",
        ),
        (NavObstacle::capsule(-2.0, 1.0), "half_length"),
        (NavObstacle::convex_polygon([]), "at least one point"),
        (NavObstacle::convex_polygon([Vec2::NAN]), "points"),
    ] {
        let mut app = app();
        let wall = spawn(&mut app, obstacle);
        let grid = bake(&mut app, grid());
        let mut component = get_mut::<NavObstacle>(&mut app, wall);
        component.set_changed();
        run_until_baked(&mut app);
        assert_one_warning(&[part, &wall.to_string()]);
        let snapshot = snapshot(&app, grid);
        assert!(snapshot.free(Vec2::ZERO, 1.0));
        // Once it is fixed, the obstacle blocks.
        give(&mut app, wall, NavObstacle::circle(2.0));
        run_until_baked(&mut app);
        assert!(blocked(&app, grid, 0.0, 0.0));
        assert_no_warnings();
    }
}

#[test]
#[ignore = "runs in a program of its own"]
fn a_nav_obstacle_at_a_nan_position_is_logged_once() {
    let _alone = listen();
    let mut app = game_without_rapier();
    assert_one_warning(&["RapierPhysicsPlugin"]);
    let nowhere = Transform::from_xyz(0.0, f32::NAN, 0.0);
    spawn(&mut app, (NavObstacle::circle(1.0), nowhere));
    bake(&mut app, grid());
    assert_one_warning(&["transform"]);
}

#[test]
#[ignore = "runs in a program of its own"]
fn invalid_ground_and_agents_on_forbidden_ground_are_logged_once() {
    let _alone = listen();
    let mut app = level(PlanMode::Inline, &open(12, 8));
    let spawn_ground = |app: &mut App, area: AreaId| {
        let shape = NavObstacle::circle(1.5).with_layers(WALLS);
        spawn(app, (shape, NavArea::new(area), transform_at(cell(4, 4))));
        run(app, 3);
    };
    spawn_ground(&mut app, AreaId(7));
    assert_one_warning(&["area 7", "NavAreas", "plain ground"]);
    let mut areas = NavAreas::default();
    let bad = areas.add("bad", 0.0, Color::BLACK);
    app.insert_resource(areas);
    run(&mut app, 3);
    assert_one_warning(&["cost of 0", "area 1 (bad)", "1/16"]);
    let mut classes = app.world_mut().resource_mut::<AgentClasses>();
    let own = &mut classes.all[0].costs;
    own.extend([(bad, 99.0), (AreaId(9), f32::NAN)]);
    for n in 0..10 {
        app.world_mut().resource_mut::<NavAreas>().all[1].cost = -(n as f32);
        run(&mut app, 1);
    }
    assert_one_warning(&["cost of NaN", "area 9"]);
    app.insert_resource(NavAreas::default());
    app.insert_resource(AgentClasses::default());
    let lava = app.world_mut().resource_mut::<NavAreas>();
    let lava = lava.into_inner().add("lava", f32::INFINITY, Color::BLACK);
    spawn_ground(&mut app, lava);
    assert_no_warnings();
    let agent = spawn_walker(&mut app, Body::Transform, cell(4, 4), cell(10, 4));
    run(&mut app, 3);
    assert_one_warning(&["stands on ground that is forbidden"]);
    get_mut::<NavAgent>(&mut app, agent).class = ClassId(3);
    run(&mut app, 3);
    assert_one_warning(&["class 3", "AgentClasses", "class 0"]);
    run(&mut app, 60);
    assert_no_warnings();
    for n in 0..300 {
        let mut areas = app.world_mut().resource_mut::<NavAreas>();
        areas.add(format!("area {n}"), 1.0, Color::BLACK);
        run(&mut app, 1);
    }
    assert_one_warning(&["256", "NavAreas::default()"]);
    for _ in 0..2 {
        spawn(&mut app, (NavArea::new(lava), Transform::default()));
        run(&mut app, 3);
    }
    assert_one_warning(&["NavArea", "no shape", "NavObstacle", "Sensor"]);
}

#[test]
#[ignore = "runs in a program of its own"]
fn a_removed_class_that_agents_still_have_is_logged_once() {
    let _alone = listen();
    let mut app = level(PlanMode::Inline, &open(12, 8));
    let mut classes = app.world_mut().resource_mut::<AgentClasses>();
    let class = classes.add(AgentClass::default()).expect("room");
    let agent = NavAgent::from_radius(RADIUS).with_class(class);
    spawn_bare(&mut app, cell(4, 4), agent);
    run(&mut app, 3);
    assert_no_warnings();
    app.insert_resource(AgentClasses::default());
    run(&mut app, 3);
    assert_one_warning(&["class 1", "AgentClasses"]);
}

#[test]
#[ignore = "runs in a program of its own"]
fn a_cost_above_the_highest_is_logged_once_with_the_cost_that_counts() {
    let _alone = listen();
    let mut app = level(PlanMode::Inline, &open(12, 8));
    for (name, cost) in [("dear", 15.0), ("dearest", 15.95), ("shut", f32::INFINITY)] {
        let mut areas = app.world_mut().resource_mut::<NavAreas>();
        areas.add(name, cost, Color::BLACK);
        run(&mut app, 2);
        assert_no_warnings();
    }
    let mut areas = app.world_mut().resource_mut::<NavAreas>();
    let lava = areas.add("lava", 16.0, Color::BLACK);
    run(&mut app, 2);
    assert_one_warning(&["cost of 16", &format!("area {} (lava)", lava.0), "15.9375"]);
    app.world_mut().resource_mut::<NavAreas>().set_changed();
    run(&mut app, 2);
    assert_no_warnings();
}

#[test]
#[ignore = "runs in a program of its own"]
fn a_mirrored_box_is_logged_once() {
    let _alone = listen();
    let mut app = app();
    bake(&mut app, grid());
    let mirrored = Transform::from_scale(Vec3::new(-1.0, 1.0, 1.0));
    spawn(&mut app, (Collider::ball(2.0), mirrored));
    spawn(&mut app, (Collider::cuboid(2.0, 1.0), Transform::default()));
    run_until_baked(&mut app);
    assert_no_warnings();
    let wall = spawn(&mut app, (Collider::cuboid(2.0, 1.0), mirrored));
    run_until_baked(&mut app);
    assert_one_warning(&[&wall.to_string(), "negative scale", "-1", "flip_x"]);
    spawn(&mut app, (Collider::cuboid(2.0, 1.0), mirrored));
    run_until_baked(&mut app);
    assert_no_warnings();
}

#[test]
#[ignore = "runs in a program of its own"]
fn a_mirrored_sensor_is_not_logged_and_a_mirrored_wall_after_it_is() {
    let _alone = listen();
    let mut app = app();
    bake(&mut app, grid());
    let mirrored = Transform::from_scale(Vec3::new(-1.0, 1.0, 1.0));
    let shape = (Collider::cuboid(2.0, 1.0), mirrored);
    let area = spawn(&mut app, (shape.clone(), Sensor, NavArea::default()));
    run_until_baked(&mut app);
    assert_no_warnings();
    let wall = spawn(&mut app, shape);
    run_until_baked(&mut app);
    assert_one_warning(&[&wall.to_string(), "negative scale", "-1", "flip_x"]);
    get_mut::<Transform>(&mut app, area).translation.x = 9.0;
    run_until_baked(&mut app);
    assert_no_warnings();
}

#[test]
#[ignore = "runs in a program of its own"]
fn a_mirrored_agent_and_a_mirrored_target_are_each_logged_once() {
    let _alone = listen();
    let mut app = level(PlanMode::Inline, &open(12, 8));
    let mirrored = |at| {
        let scale = Vec3::new(-1.0, 1.0, 1.0);
        (
            Collider::cuboid(0.2, 0.1),
            transform_at(at).with_scale(scale),
        )
    };
    // The size check looks for mirrored colliders even after it has logged an agent.
    let large = spawn_with(&mut app, Body::Kinematic, cell(2, 2), Collider::ball(0.5));
    run(&mut app, 10);
    assert_one_warning(&[&large.to_string(), "reaches 0.5"]);
    let agent = spawn_with(&mut app, Body::Kinematic, cell(2, 6), mirrored(cell(2, 6)));
    run(&mut app, 10);
    assert_one_warning(&[&agent.to_string(), "negative scale", "-1", "flip_x"]);
    let body = (RigidBody::KinematicPositionBased, transform_at(cell(9, 4)));
    let player = spawn(&mut app, body);
    spawn_chaser(&mut app, Body::Transform, cell(6, 4), player);
    run(&mut app, 10);
    assert_no_warnings();
    // A collider of a body that is chased is not observed as a wall.
    give(&mut app, player, mirrored(cell(9, 4)));
    run(&mut app, 10);
    assert_one_warning(&[&player.to_string(), "negative scale", "-1", "flip_x"]);
    run(&mut app, 10);
    assert_no_warnings();
}

#[test]
#[ignore = "runs in a program of its own"]
fn a_grid_that_counts_the_walls_of_two_physics_worlds_is_logged_once() {
    let _alone = listen();
    let groups = |group| CollisionGroups::new(group, Group::ALL);
    let cases = [
        ([Group::GROUP_1, Group::GROUP_2], Group::GROUP_1, false),
        ([Group::GROUP_1, Group::GROUP_1], Group::GROUP_1, true),
        ([Group::GROUP_1, Group::GROUP_2], Group::ALL, true),
    ];
    for (of_walls, of_grid, speaks) in cases {
        let mut app = app();
        let world = (
            RapierContextSimulation::default(),
            RapierConfiguration::new(1.0),
        );
        let world = spawn(&mut app, world);
        let wall = |x: f32| (Collider::ball(2.0), Transform::from_xyz(x, 0.0, 0.0));
        let here = spawn(&mut app, (wall(0.0), groups(of_walls[0])));
        let link = RapierContextEntityLink(world);
        let there = spawn(&mut app, (wall(9.0), groups(of_walls[1]), link));
        let grid = bake(&mut app, grid().with_obstacles(of_grid));
        run_until_baked(&mut app);
        if speaks {
            let named = [grid, here, there].map(|it| it.to_string());
            let named = named.each_ref().map(String::as_str);
            assert_one_warning(&[&named[..], &["two physics worlds", "with_obstacles"]].concat());
        }
        get_mut::<NavGrid>(&mut app, grid).set_changed();
        run_until_baked(&mut app);
        assert_no_warnings();
    }
}

#[test]
#[ignore = "runs in a program of its own"]
fn an_obstacle_without_the_transform_plugin_is_logged_once() {
    let _alone = listen();
    for (plan_mode, speaks) in [(PlanMode::Inline, false), (PlanMode::Async, true)] {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, PursuitPlugins::default()));
        app.finish();
        app.cleanup();
        assert_one_warning(&["RapierPhysicsPlugin"]);
        settings(&mut app).plan_mode = plan_mode;
        spawn(&mut app, NavObstacle::circle(2.0));
        let place = Transform::from_xyz(7.0, 0.0, 0.0);
        let wall = spawn(&mut app, (NavObstacle::circle(2.0), place));
        spawn(&mut app, grid());
        run_until_baked(&mut app);
        if speaks {
            assert_one_warning(&[&wall.to_string(), "[7, 0, 0]", "TransformPlugin"]);
        }
        get_mut::<Transform>(&mut app, wall).translation.x = 8.0;
        run_until_baked(&mut app);
        assert_no_warnings();
    }
}

#[cfg(feature = "deep_bake")]
#[test]
#[ignore = "runs in a program of its own"]
fn ground_with_different_costs_is_logged_once_as_the_reason_for_no_tables() {
    let _alone = listen();
    let mut app = level(PlanMode::Inline, ROOM);
    let mut areas = app.world_mut().resource_mut::<NavAreas>();
    let mud = areas.add("mud", 3.0, Color::BLACK);
    let mut classes = app.world_mut().resource_mut::<AgentClasses>();
    let duck = AgentClass::default().with_cost(mud, 1.0);
    let duck = classes.add(duck).expect("room");
    let shape = NavObstacle::circle(1.5).with_layers(WALLS);
    let place = transform_at(cell(2, 2));
    spawn(&mut app, (shape, NavArea::new(mud), place));
    run(&mut app, 5);
    let grid = grid_entity(&mut app);
    get_mut::<NavGrid>(&mut app, grid).deep_bake = Some(Duration::ZERO);
    let walker = NavAgent::from_radius(RADIUS);
    let request = PathRequest::to(cell(9, 3));
    spawn_bare(&mut app, cell(0, 5), (walker, request));
    run(&mut app, 30);
    assert_one_warning(&[&grid.to_string(), "no search tables", "NavAreas"]);
    assert_eq!(stats(&app).deep_bakes, 0);
    // For the other class all ground costs the same.
    spawn_bare(&mut app, cell(0, 5), (walker.with_class(duck), request));
    run(&mut app, 30);
    assert_no_warnings();
    assert!(stats(&app).deep_bakes > 0, "the other class has no tables");
}
