//! Obstacles without physics. Each shape is baked like a collider of the same shape, and follows its entity.

use std::f32::consts::FRAC_PI_2;

use crate::bake_edits::Edit;
use crate::bake_support::{app, assert_like_new, bake, bakes, blocked, grid, run_until_baked};
use crate::common::*;

/// Each obstacle shape, and the equivalent collider.
fn shape_pairs(random: &mut fastrand::Rng) -> Vec<(NavObstacle, Collider)> {
    let mut length = || 0.5 + 4.0 * random.f32();
    let (radius, half_length) = (length(), length());
    let half = Vec2::new(length(), length());
    let points: Vec<Vec2> = (0..7)
        .map(|_| Vec2::new(length(), length()) - 2.5)
        .collect();
    vec![
        (NavObstacle::circle(radius), Collider::ball(radius)),
        (
            NavObstacle::rectangle(half),
            Collider::cuboid(half.x, half.y),
        ),
        (
            NavObstacle::capsule(half_length, radius),
            Collider::capsule_y(half_length, radius),
        ),
        (
            NavObstacle::convex_polygon(points.clone()),
            Collider::convex_hull(&points).expect("the points do not lie on a line"),
        ),
    ]
}

#[test]
fn every_shape_agrees_cell_by_cell_with_the_same_shape_as_a_collider() {
    let mut random = fastrand::Rng::with_seed(71);
    let mut blocked_cells = [0; 4];
    for round in 0..12 {
        for (kind, (obstacle, collider)) in shape_pairs(&mut random).into_iter().enumerate() {
            let mut stretch = || 0.4 + 1.4 * random.f32();
            let scale = match round % 4 {
                0 => Vec3::ONE,
                1 => Vec3::splat(stretch()),
                2 => Vec3::new(stretch(), stretch(), 1.0),
                _ => Vec3::new(-stretch(), stretch(), 1.0),
            };
            let (x, y) = (30.0 * random.f32() - 15.0, 30.0 * random.f32() - 15.0);
            let place = Transform::from_xyz(x, y, 1.0)
                .with_rotation(Quat::from_rotation_z(6.0 * random.f32()))
                .with_scale(scale);
            let mut clearances = Vec::new();
            for is_collider in [false, true] {
                let mut app = app();
                let parent =
                    Transform::from_xyz(3.0, 1.0, 0.0).with_rotation(Quat::from_rotation_z(0.3));
                let parent = spawn(&mut app, parent);
                let mut entity = app.world_mut().spawn((place, ChildOf(parent)));
                if is_collider {
                    entity.insert(collider.clone());
                } else {
                    entity.insert(obstacle.clone());
                }
                let grid = bake(&mut app, grid());
                clearances.push(snapshot(&app, grid));
            }
            let [from_obstacle, from_collider] = &clearances[..] else {
                unreachable!("two bakes")
            };
            let mut inside = 0;
            for cell in from_obstacle.layout().rect().cells() {
                let (a, b) = (
                    from_obstacle.clearance().center(cell),
                    from_collider.clearance().center(cell),
                );
                inside += usize::from(b == 0.0);
                // Rapier and Bevy convert angles to matrices in different orders, and the clearance field rounds down
                // by up to 1/8192 of a cell.
                assert!(
                    (a - b).abs() < 2e-4 + 1.0 / 8192.0,
                    "kind {kind}, round {round}, {cell}: the obstacle gives {a}, the collider {b}"
                );
            }
            blocked_cells[kind] += inside;
        }
    }
    let is_untested = blocked_cells.iter().any(|cells| *cells < 20);
    assert!(
        !is_untested,
        "too few blocked cells, by kind: {blocked_cells:?}"
    );
}

#[test]
fn an_obstacle_needs_no_physics_plugin_and_follows_its_entity() {
    for mut app in [game_without_rapier(), app()] {
        let place = Transform::from_xyz(10.0, 10.0, 0.0);
        let wall = (NavObstacle::rectangle(Vec2::new(4.0, 1.0)), place);
        let wall = spawn(&mut app, wall);
        let grid = bake(&mut app, grid());
        assert!(blocked(&app, grid, 13.0, 10.0) && !blocked(&app, grid, 10.0, 13.0));
        let turned: Edit = |app, wall| get_mut::<Transform>(app, wall).rotate_z(FRAC_PI_2);
        let moved: Edit = |app, wall| get_mut::<Transform>(app, wall).translation.x = -10.0;
        let disabled: Edit = |app, wall| give(app, wall, Disabled);
        let enabled: Edit = |app, wall| remove::<Disabled>(app, wall);
        let no_layer: Edit =
            |app, wall| get_mut::<NavObstacle>(app, wall).layers = ObstacleLayers::NONE;
        let other: Edit = |app, wall| {
            let place = Transform::from_xyz(13.0, 10.0, 0.0);
            give(app, wall, (NavObstacle::circle(1.5), place));
        };
        let removed: Edit = |app, wall| remove::<NavObstacle>(app, wall);
        let edits = [
            (turned, [false, true, false]),
            (moved, [false, false, true]),
            (disabled, [false; 3]),
            (enabled, [false, false, true]),
            (no_layer, [false; 3]),
            (other, [true, false, false]),
            (removed, [false; 3]),
        ];
        for (number, (edit, expected)) in edits.into_iter().enumerate() {
            edit(&mut app, wall);
            let seen = run_until_baked(&mut app);
            assert_eq!(seen.len(), 1, "edit {number}: {seen:?}");
            let places = [(13.0, 10.0), (10.0, 13.0), (-10.0, 10.0)];
            let is_blocked = places.map(|(x, y)| blocked(&app, grid, x, y));
            assert_eq!(is_blocked, expected, "edit {number}");
            assert_like_new(&mut app, grid);
        }
    }
}

#[test]
fn an_obstacle_and_a_collider_on_one_entity_both_count() {
    let mut app = app();
    let both = (
        Collider::cuboid(4.0, 1.0),
        NavObstacle::rectangle(Vec2::new(1.0, 4.0)),
        Transform::default(),
    );
    let both = spawn(&mut app, both);
    let grid = spawn(&mut app, grid());
    let baked = run_until_baked(&mut app);
    assert_eq!(baked[0].obstacles, 2);
    assert!(blocked(&app, grid, 3.0, 0.0) && blocked(&app, grid, 0.0, 3.0));
    remove::<Collider>(&mut app, both);
    run_until_baked(&mut app);
    assert!(!blocked(&app, grid, 3.0, 0.0) && blocked(&app, grid, 0.0, 3.0));
}

#[test]
fn an_obstacle_on_or_below_an_agent_does_not_block() {
    let mut app = app();
    let agent = (NavAgent::from_radius(1.0), NavObstacle::circle(2.0));
    let agent = spawn(&mut app, (agent, Transform::default()));
    let shield = (NavObstacle::circle(2.0), Transform::from_xyz(9.0, 0.0, 0.0));
    spawn(&mut app, (shield, ChildOf(agent)));
    let grid = bake(&mut app, grid());
    assert!(!blocked(&app, grid, 0.0, 0.0) && !blocked(&app, grid, 9.0, 0.0));
    remove::<NavAgent>(&mut app, agent);
    run_until_baked(&mut app);
    assert!(blocked(&app, grid, 0.0, 0.0) && blocked(&app, grid, 9.0, 0.0));
}

#[test]
fn rewriting_an_obstacle_with_the_same_value_causes_no_bake() {
    let mut app = app();
    let wall = spawn(&mut app, NavObstacle::circle(2.0));
    bake(&mut app, grid());
    for _ in 0..10 {
        let mut entity = app.world_mut().entity_mut(wall);
        entity.get_mut::<NavObstacle>().unwrap().set_changed();
        entity.get_mut::<Transform>().unwrap().set_changed();
        app.update();
        assert_eq!(bakes(&mut app), []);
    }
}

#[test]
fn flat_tiny_and_huge_shapes_do_not_panic() {
    let mut app = game_without_rapier();
    let line = vec![Vec2::new(-5.0, 0.0), Vec2::new(5.0, 0.0), Vec2::ZERO];
    let shapes = [
        NavObstacle::convex_polygon(line),
        NavObstacle::convex_polygon([Vec2::new(1.0, 9.0); 4]),
        NavObstacle::convex_polygon([Vec2::new(1.0, -9.0)]),
        NavObstacle::circle(0.0),
        NavObstacle::capsule(0.0, 0.0),
        NavObstacle::rectangle(Vec2::ZERO),
        NavObstacle::circle(f32::MAX),
        NavObstacle::convex_polygon([Vec2::MAX, Vec2::MIN, Vec2::new(f32::MAX, f32::MIN)]),
    ];
    let scales = [
        Vec3::ONE,
        Vec3::ZERO,
        Vec3::new(0.0, 1.0, 1.0),
        Vec3::new(1.0, 0.0, 1.0),
        Vec3::new(1e-30, 1e30, 1.0),
        Vec3::new(3.0, -2.0, 1.0),
    ];
    for shape in shapes {
        for scale in scales {
            let place = Transform::from_scale(scale);
            spawn(&mut app, (shape.clone(), place));
        }
    }
    let grid = bake(&mut app, grid());
    assert!(
        blocked(&app, grid, 0.0, 0.0),
        "the huge circle does not block"
    );
    // A polygon without area is a thin wall.
    let mut app = game_without_rapier();
    let line = [Vec2::new(-50.0, 0.0), Vec2::new(50.0, 0.0), Vec2::ZERO];
    spawn(&mut app, NavObstacle::convex_polygon(line));
    let grid = bake(&mut app, crate::bake_support::grid());
    let snapshot = snapshot(&app, grid);
    assert!(!snapshot.sees(Vec2::new(0.0, -5.0), Vec2::new(0.0, 5.0), 0.1));
}
