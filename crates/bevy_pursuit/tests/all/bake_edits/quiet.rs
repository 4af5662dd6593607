//! Only changes are baked, and no change is lost, for random edits and in any schedule.

use std::sync::Arc;

use super::spawn_wall_and_grid;
use crate::bake_support::random_shapes::KINDS;
use crate::bake_support::{
    self, app, app_with, assert_like_new, bake, bakes, blocked, grid, run_until_baked, spawn_random,
};
use crate::common::*;

#[test]
fn nothing_is_baked_while_nothing_changes() {
    let mut app = app();
    let (wall, grid) = spawn_wall_and_grid(&mut app);
    give(&mut app, wall, RigidBody::Fixed);
    let bystander = (
        RigidBody::Dynamic,
        Collider::ball(1.0),
        Transform::from_xyz(0.0, 9.0, 0.0),
    );
    spawn(&mut app, bystander);
    run_until_baked(&mut app);
    let generation = snapshot(&app, grid).generation();
    for _ in 0..30 {
        // These writes change nothing, and a body falls.
        get_mut::<Transform>(&mut app, wall).set_changed();
        get_mut::<Collider>(&mut app, wall).set_changed();
        get_mut::<NavGrid>(&mut app, grid).set_changed();
        app.update();
        assert_eq!(bakes(&mut app), []);
    }
    assert_eq!(snapshot(&app, grid).generation(), generation);
}

#[test]
fn tiny_moves_add_up_in_the_baked_distances() {
    let mut app = app();
    let (wall, grid) = spawn_wall_and_grid(&mut app);
    let move_wall = |app: &mut App, x: f32| {
        get_mut::<Transform>(app, wall).translation.x = x;
        app.update();
    };
    move_wall(&mut app, 25.0);
    bakes(&mut app);
    // This move is within the rounding error that the physics may leave in a pose.
    move_wall(&mut app, 25.0 + 1e-5);
    assert_eq!(bakes(&mut app), [], "a rounding error was baked");
    let mut x = 25.0;
    for _ in 0..4000 {
        x += 2e-5;
        move_wall(&mut app, x);
    }
    assert!(x > 25.05, "the test moves the wall by too little: {x}");
    let snapshot = snapshot(&app, grid);
    // The wall ends 1.5 units left of its center. The center of the cell is at 22.5 - 0.75.
    let cell = snapshot.layout().cell_at(Vec2::new(22.0, 9.75)).unwrap();
    let expected = x - 1.5 - snapshot.layout().center(cell).x;
    let distance = snapshot.clearance().center(cell) * snapshot.layout().cell_size();
    // A distance is rounded down, by less than 1/16384 of a cell if it is large.
    let rounded = snapshot.layout().cell_size() / 16_384.0;
    assert!(
        (distance - expected).abs() < 1e-4 + rounded,
        "the distance is {distance}, expected {expected}"
    );
    assert_like_new(&mut app, grid);
}

#[test]
fn random_edits_give_the_same_grid_as_a_new_bake() {
    for (seed, mode) in [
        (41, PlanMode::Inline),
        (42, PlanMode::Async),
        (43, PlanMode::Async),
    ] {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut app = app_with(mode);
        let grid = spawn(&mut app, grid().with_obstacles(Group::GROUP_1));
        let mut entities = Vec::new();
        for number in 0..120 {
            // Some frames have several edits and some have none. In async mode, tasks are in flight.
            for _ in 0..random.usize(0..4) {
                apply_random_edit(&mut app, &mut entities, &mut random);
            }
            app.update();
            if number % 20 == 19 {
                run_until_baked(&mut app);
                assert_like_new(&mut app, grid);
            }
        }
    }
}

fn apply_random_edit(app: &mut App, entities: &mut Vec<Entity>, random: &mut fastrand::Rng) {
    let old = random.choice(entities.clone());
    let (kind, choice) = (random.usize(0..KINDS), random.u8(0..10));
    match (choice, old) {
        (0..=3, _) | (_, None) if entities.len() < 20 && kind != 7 => {
            entities.push(spawn_random(app, kind, random));
        }
        (_, None) => {}
        (4, Some(old)) => {
            entities.retain(|entity| *entity != old);
            despawn(app, old);
        }
        (5, Some(old)) => {
            let layer = [Group::GROUP_1, Group::GROUP_2][random.usize(0..2)];
            give(app, old, CollisionGroups::new(layer, Group::ALL));
        }
        (6, Some(old)) => give(app, old, Sensor),
        (7, Some(old)) => remove::<Sensor>(app, old),
        (_, Some(old)) => {
            let mut entity = app.world_mut().entity_mut(old);
            let mut transform = entity
                .get_mut::<Transform>()
                .expect("every collider has a transform");
            transform.translation.x += 4.0 * random.f32() - 2.0;
            transform.rotate_z(random.f32());
        }
    }
}

#[test]
fn colliders_are_baked_while_the_physics_is_paused_or_missing() {
    let mut app = app();
    app.update();
    set_physics(&mut app, false);
    let (wall, grid) = spawn_wall_and_grid(&mut app);
    assert!(blocked(&app, grid, 10.0, 10.0));
    get_mut::<Transform>(&mut app, wall).translation.x = -15.0;
    run_until_baked(&mut app);
    assert!(!blocked(&app, grid, 10.0, 10.0) && blocked(&app, grid, -15.0, 10.0));

    // Without Rapier's systems, only the bake applies scales.
    let mut app = game_without_rapier();
    let scaled = Transform::from_xyz(10.0, 10.0, 0.0).with_scale(Vec3::new(3.0, 1.0, 1.0));
    let wall = spawn(&mut app, (Collider::cuboid(1.0, 1.0), scaled));
    let grid = bake(&mut app, bake_support::grid());
    assert!(blocked(&app, grid, 12.5, 10.0));
    let absolute = ColliderScale::Absolute(Vec2::new(1.0, 6.0));
    give(&mut app, wall, absolute);
    run_until_baked(&mut app);
    assert!(!blocked(&app, grid, 12.5, 10.0) && blocked(&app, grid, 10.0, 15.5));
}

#[test]
fn the_bake_follows_moves_in_a_fixed_schedule() {
    let mut app = game(60.0, PlanMode::Inline);
    let (wall, grid) = spawn_wall_and_grid(&mut app);
    get_mut::<Transform>(&mut app, wall).translation.x = -15.0;
    app.update();
    assert!(!blocked(&app, grid, 10.0, 10.0) && blocked(&app, grid, -15.0, 10.0));
}

#[test]
fn a_map_at_rest_settles_in_a_task_without_an_event() {
    for mode in MODES {
        let mut app = app_with(mode);
        let (wall, grid) = spawn_wall_and_grid(&mut app);
        // The layers of a radius are in use, so they follow edits.
        let before = snapshot(&app, grid);
        let _ = before.layers(0.4);
        despawn(&mut app, wall);
        let edited = (0..50_000).find_map(|_| {
            let_tasks_run();
            app.update();
            let now = snapshot(&app, grid);
            (now.generation() > before.generation()).then_some(now)
        });
        let edited = edited.expect("the edit is baked");
        bakes(&mut app);
        let events = run_until_baked(&mut app);
        let is_other = |app: &App| !Arc::ptr_eq(&edited, &snapshot(app, grid));
        // With tasks, the map settles some frames after an edit. With inline plans, the bake of the edit already
        // settles it.
        let mut frames = 0..if mode == PlanMode::Async { 50_000 } else { 0 };
        while !is_other(&app) && frames.next().is_some() {
            let_tasks_run();
            app.update();
        }
        assert_eq!(is_other(&app), mode == PlanMode::Async, "{mode:?}");
        let settled = snapshot(&app, grid);
        assert_eq!(edited.generation(), settled.generation());
        assert!(events.is_empty(), "{events:?}");
        assert_eq!(edited.layers(0.4).grid(), settled.layers(0.4).grid());
        let again = run_until_baked(&mut app);
        assert!(again.is_empty() && Arc::ptr_eq(&settled, &snapshot(&app, grid)));
        assert_like_new(&mut app, grid);
    }
}
