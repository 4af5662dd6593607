//! Grids that change, are removed, or cannot be baked.

use bevy_pursuit::grid::BakeError;

use super::spawn_wall_and_grid;
use crate::bake_support::{
    app, app_with, assert_like_new, bake, bakes, blocked, grid, run_until_baked,
};
use crate::common::*;

#[test]
fn edits_made_while_a_bake_runs_are_not_lost() {
    let mut app = app_with(PlanMode::Async);
    let mut wide = grid();
    // The bake of this grid takes longer than a frame.
    wide.node_radius = 0.05;
    let walls: Vec<Entity> = (0..40)
        .map(|number| {
            let place = Transform::from_xyz(number as f32 - 20.0, 0.0, 0.0);
            spawn(&mut app, (Collider::cuboid(0.3, 4.0), place))
        })
        .collect();
    let grid = spawn(&mut app, wide);
    let mut frames_without_bake = 0;
    for (number, wall) in walls.iter().enumerate() {
        get_mut::<Transform>(&mut app, *wall).translation.y = number as f32 - 20.0;
        if number % 4 == 0 {
            despawn(&mut app, *wall);
        }
        app.update();
        frames_without_bake += usize::from(bakes(&mut app).is_empty());
    }
    assert!(frames_without_bake > 0, "every frame waited for its bake");
    run_until_baked(&mut app);
    assert!(blocked(&app, grid, 19.0, 19.0), "the last move was lost");
    assert!(
        !blocked(&app, grid, 19.0, 0.0),
        "the old place is still blocked"
    );
    assert_like_new(&mut app, grid);
}

#[test]
fn removing_a_grid_while_a_bake_runs_leaves_nothing_behind() {
    let mut app = app_with(PlanMode::Async);
    spawn(&mut app, Collider::cuboid(10.0, 10.0));
    let mut fine = grid();
    fine.node_radius = 0.05;
    let despawned = spawn(&mut app, fine);
    let stripped = spawn(&mut app, fine);
    let changed = spawn(&mut app, fine);
    app.update();
    despawn(&mut app, despawned);
    remove::<NavGrid>(&mut app, stripped);
    *get_mut::<NavGrid>(&mut app, changed) = grid();
    let baked = run_until_baked(&mut app);
    assert_eq!(
        baked.iter().map(|bake| bake.entity).collect::<Vec<_>>(),
        [changed]
    );
    assert!(app.world().get::<BakedGrid>(stripped).is_none());
    assert_eq!(snapshot(&app, changed).layout().width(), 40);
    // The grid can be added again.
    give(&mut app, stripped, grid());
    run_until_baked(&mut app);
    assert!(blocked(&app, stripped, 0.0, 0.0));
}

#[test]
fn a_changed_grid_keeps_its_old_snapshot_until_it_is_baked_again() {
    let mut app = app_with(PlanMode::Async);
    let (_, grid) = spawn_wall_and_grid(&mut app);
    let old = snapshot(&app, grid);
    get_mut::<NavGrid>(&mut app, grid).node_radius = 0.25;
    app.update();
    assert!(
        app.world()
            .get::<BakedGrid>(grid)
            .unwrap()
            .snapshot()
            .is_some()
    );
    run_until_baked(&mut app);
    let new = snapshot(&app, grid);
    assert_eq!(
        (new.layout().width(), new.generation()),
        (120, old.generation() + 1)
    );
    assert_eq!(old.layout().width(), 40, "an old snapshot was changed");
    assert_like_new(&mut app, grid);
}

#[test]
fn changed_layers_bake_other_colliders() {
    let mut app = app();
    for (x, group) in [(-10.0, Group::GROUP_1), (10.0, Group::GROUP_2)] {
        let groups = CollisionGroups::new(group, Group::ALL);
        app.world_mut().spawn((
            Collider::ball(3.0),
            groups,
            Transform::from_xyz(x, 0.0, 0.0),
        ));
    }
    let grid = bake(&mut app, grid().with_obstacles(Group::GROUP_1));
    assert!(blocked(&app, grid, -10.0, 0.0) && !blocked(&app, grid, 10.0, 0.0));
    get_mut::<NavGrid>(&mut app, grid).obstacles = Group::GROUP_2.into();
    run_until_baked(&mut app);
    assert!(!blocked(&app, grid, -10.0, 0.0) && blocked(&app, grid, 10.0, 0.0));
}

#[test]
fn a_grid_without_any_collider_is_baked_open() {
    let mut app = app();
    let grid = spawn(&mut app, grid());
    app.update();
    let baked = bakes(&mut app);
    assert_eq!(baked.len(), 1);
    assert_eq!((baked[0].generation, baked[0].obstacles), (1, 0));
    assert_eq!(baked[0].cells, snapshot(&app, grid).layout().rect());
    assert!(snapshot(&app, grid).free(Vec2::ZERO, 2.0));
}

#[test]
fn an_invalid_grid_has_an_error_until_it_is_fixed() {
    let mut app = app();
    let grid = bake(&mut app, grid().with_node_radius(f32::NAN));
    let baked = |app: &App| app.world().get::<BakedGrid>(grid).unwrap().clone();
    assert!(baked(&app).snapshot().is_none());
    assert!(matches!(
        baked(&app).error(),
        Some(BakeError::NodeRadius(_))
    ));
    get_mut::<NavGrid>(&mut app, grid).node_radius = 1.0;
    run_until_baked(&mut app);
    assert!(baked(&app).snapshot().is_some() && baked(&app).error().is_none());
    get_mut::<NavGrid>(&mut app, grid).bounds.max.x = f32::INFINITY;
    run_until_baked(&mut app);
    assert!(baked(&app).snapshot().is_none());
    assert!(matches!(baked(&app).error(), Some(BakeError::Layout(_))));
}
