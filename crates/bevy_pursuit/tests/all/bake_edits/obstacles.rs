//! Which colliders are obstacles, and which bodies fit between obstacles.

use crate::bake_support::{app, bake, blocked, grid, run_until_baked};
use crate::common::*;

#[test]
fn agents_sensors_and_bodies_on_other_layers_are_not_obstacles() {
    let mut app = app();
    let ball = || (Collider::ball(2.0), GravityScale(0.0));
    let at = |column: i32, row: i32| {
        Transform::from_xyz(column as f32 * 9.0 - 22.0, row as f32 * 9.0 - 22.0, 0.0)
    };
    let groups = |group: Group| CollisionGroups::new(group, Group::ALL);
    let world = app.world_mut();
    // Row 0: these are obstacles.
    world.spawn((ball(), at(0, 0)));
    world.spawn((ball(), at(1, 0), RigidBody::Fixed));
    world.spawn((ball(), at(2, 0), groups(Group::GROUP_1)));
    // The filter of a collider does not matter. Rapier's query would miss this collider.
    world.spawn((
        ball(),
        at(3, 0),
        CollisionGroups::new(Group::GROUP_1, Group::NONE),
    ));
    world.spawn((
        ball(),
        at(4, 0),
        groups(Group::GROUP_1 | Group::GROUP_9),
        RigidBody::KinematicPositionBased,
    ));
    // Row 1: these are not obstacles.
    world.spawn((ball(), at(0, 1), Sensor));
    world.spawn((ball(), at(1, 1), RigidBody::KinematicPositionBased));
    world.spawn((ball(), at(2, 1), groups(Group::GROUP_2), RigidBody::Fixed));
    world.spawn((
        ball(),
        at(3, 1),
        NavAgent::from_radius(2.0),
        groups(Group::GROUP_1),
    ));
    world.spawn((ball(), at(4, 1), ColliderDisabled));
    // Row 2: these are not obstacles, either.
    world.spawn((ball(), at(0, 2), RigidBody::Fixed, RigidBodyDisabled));
    let agent = world.spawn((NavAgent::from_radius(2.0), at(1, 2))).id();
    let arm = world.spawn((Transform::default(), ChildOf(agent))).id();
    world.spawn((
        ball(),
        Transform::default(),
        groups(Group::GROUP_1),
        ChildOf(arm),
    ));
    let body = world
        .spawn((RigidBody::KinematicPositionBased, at(2, 2)))
        .id();
    world.spawn((ball(), Transform::default(), ChildOf(body)));

    let grid = world.spawn(grid().with_obstacles(Group::GROUP_1)).id();
    run_until_baked(&mut app);
    for (row, obstacles) in [(0, true), (1, false), (2, false)] {
        for column in 0..5 {
            let place = at(column, row).translation;
            let is_blocked = blocked(&app, grid, place.x, place.y);
            assert_eq!(is_blocked, obstacles, "column {column} of row {row}");
        }
    }
}

#[test]
fn a_collider_without_a_transform_stands_at_the_origin_as_in_rapier() {
    let mut app = app();
    spawn(&mut app, Collider::cuboid(4.0, 1.0));
    let grid = bake(&mut app, grid());
    assert!(blocked(&app, grid, 3.5, 0.0) && !blocked(&app, grid, 0.0, 4.0));
}

#[test]
fn a_body_exactly_as_wide_as_a_corridor_fits_through_it() {
    let mut app = app();
    // A corridor exactly one cell wide, 1.5 units, along the row of cells whose centers are at y = 0.75.
    for y in [-15.0, 16.5] {
        let place = Transform::from_xyz(0.0, y, 0.0);
        spawn(&mut app, (Collider::cuboid(40.0, 15.0), place));
    }
    let grid = bake(&mut app, grid());
    let snapshot = snapshot(&app, grid);
    assert_eq!(
        snapshot.layers(0.75).grid().free_count(),
        40,
        "a body that touches both walls does not fit"
    );
    assert_eq!(snapshot.layers(0.77).grid().free_count(), 0);
    let (west, east) = (Vec2::new(-29.0, 0.75), Vec2::new(29.0, 0.75));
    assert!(snapshot.sees(west, east, 0.75));
    assert!(!snapshot.sees(west, east, 0.77));
}

#[test]
fn a_point_does_not_pass_through_a_thin_wall() {
    let mut app = app();
    app.world_mut().spawn(Collider::polyline(
        vec![Vec2::new(0.0, -40.0), Vec2::new(0.0, 40.0)],
        None,
    ));
    let grid = bake(&mut app, grid());
    let snapshot = snapshot(&app, grid);
    let layers = snapshot.layers(0.0);
    let [west, east] = [-0.75, 0.75].map(|x| {
        snapshot
            .layout()
            .cell_at(Vec2::new(x, 0.0))
            .expect("a cell")
    });
    assert!(!layers.regions().connected(west, east));
    assert!(!snapshot.sees(Vec2::new(-5.0, 0.0), Vec2::new(5.0, 0.0), 0.0));
}
