//! Edits of the scene: each is baked, nothing more than what it touches, and none is lost.

mod bake_support;

use bake_support::random_shapes::KINDS;
use bake_support::{
    app, app_with, assert_like_new, bakes, blocked, grid, settle, snapshot, spawn_random,
};
use bevy::prelude::*;
use bevy_pursuit::grid::{BakeError, BakedGrid, NavGrid};
use bevy_pursuit::{NavAgent, PlanMode, PursuitPlugins, PursuitSettings};
use bevy_rapier2d::prelude::*;
use pursuit::Cell;

type Edit = fn(&mut World, Entity);

/// A wall of 3 × 1 units at (10, 10), with a corner of the grid to itself, and a far one.
fn walled(app: &mut App) -> (Entity, Entity) {
    let wall = app
        .world_mut()
        .spawn((
            Collider::cuboid(1.5, 0.5),
            Transform::from_xyz(10.0, 10.0, 0.0),
        ))
        .id();
    app.world_mut()
        .spawn((Collider::ball(2.0), Transform::from_xyz(-20.0, -20.0, 0.0)));
    let grid = app.world_mut().spawn(grid()).id();
    settle(app);
    (wall, grid)
}

/// Applies `edit` to the wall after `before`, and checks that exactly one small bake follows, that
/// it is right, and whether the wall is still in its place.
#[track_caller]
fn check_edit(name: &str, before: Edit, edit: Edit, stays: bool) {
    for mode in [PlanMode::Inline, PlanMode::Async] {
        let mut app = app_with(mode);
        let (wall, grid) = walled(&mut app);
        before(app.world_mut(), wall);
        settle(&mut app);
        let generation = snapshot(&app, grid).generation();

        edit(app.world_mut(), wall);
        let seen = settle(&mut app);
        let [bake] = seen[..] else {
            panic!("{name}: expected one bake, got {seen:?}");
        };
        assert_eq!(bake.grid, grid, "{name}");
        assert_eq!(bake.generation, generation + 1, "{name}");
        assert_eq!(snapshot(&app, grid).generation(), generation + 1, "{name}");
        let cells = bake.cells.cell_count();
        assert!(
            cells > 0 && cells < 600,
            "{name} bakes {cells} of 1600 cells anew"
        );
        assert!(
            !bake.cells.contains(Cell::new(6, 6)),
            "{name} bakes the far ball anew: {:?}",
            bake.cells
        );
        assert_eq!(blocked(&app, grid, 10.0, 10.0), stays, "{name}");
        assert_like_new(&mut app, grid);
    }
}

fn nothing(_: &mut World, _: Entity) {}

#[test]
fn moved_turned_and_resized_colliders_bake_the_touched_rectangle() {
    check_edit(
        "moving",
        nothing,
        |world, wall| world.get_mut::<Transform>(wall).unwrap().translation.x = 15.0,
        false,
    );
    check_edit(
        "turning",
        nothing,
        |world, wall| world.get_mut::<Transform>(wall).unwrap().rotate_z(1.0),
        true,
    );
    check_edit(
        "scaling",
        nothing,
        |world, wall| world.get_mut::<Transform>(wall).unwrap().scale = Vec3::new(2.0, 3.0, 1.0),
        true,
    );
    check_edit(
        "a collider scale",
        nothing,
        |world, wall| {
            world
                .entity_mut(wall)
                .insert(ColliderScale::Absolute(Vec2::splat(2.0)));
        },
        true,
    );
    check_edit(
        "removing the collider scale",
        |world, wall| {
            world
                .entity_mut(wall)
                .insert(ColliderScale::Absolute(Vec2::splat(2.0)));
        },
        |world, wall| {
            world.entity_mut(wall).remove::<ColliderScale>();
        },
        true,
    );
    check_edit(
        "replacing the shape",
        nothing,
        |world, wall| *world.get_mut::<Collider>(wall).unwrap() = Collider::ball(2.0),
        true,
    );
    check_edit(
        "changing the shape in place",
        nothing,
        |world, wall| {
            let mut collider = world.get_mut::<Collider>(wall).unwrap();
            collider
                .as_cuboid_mut()
                .unwrap()
                .set_half_extents(Vec2::new(0.5, 4.0));
        },
        true,
    );
}

#[test]
fn layers_sensors_and_disabled_colliders_bake_the_touched_rectangle() {
    // The grid of this test takes all layers; layers proper have a test of their own.
    let no_layer: Edit = |world, wall| {
        world
            .entity_mut(wall)
            .insert(CollisionGroups::new(Group::NONE, Group::ALL));
    };
    check_edit("leaving the layers", nothing, no_layer, false);
    check_edit(
        "removing the collision groups",
        no_layer,
        |world, wall| {
            world.entity_mut(wall).remove::<CollisionGroups>();
        },
        true,
    );
    check_edit(
        "changing the collision groups",
        no_layer,
        |world, wall| {
            let mut groups = world.get_mut::<CollisionGroups>(wall).unwrap();
            groups.memberships = Group::GROUP_3;
        },
        true,
    );
    let sensor: Edit = |world, wall| {
        world.entity_mut(wall).insert(Sensor);
    };
    check_edit("becoming a sensor", nothing, sensor, false);
    check_edit(
        "ceasing to be a sensor",
        sensor,
        |world, wall| {
            world.entity_mut(wall).remove::<Sensor>();
        },
        true,
    );
    let disabled: Edit = |world, wall| {
        world.entity_mut(wall).insert(ColliderDisabled);
    };
    check_edit("disabling", nothing, disabled, false);
    check_edit(
        "enabling",
        disabled,
        |world, wall| {
            world.entity_mut(wall).remove::<ColliderDisabled>();
        },
        true,
    );
    check_edit(
        "removing the collider",
        nothing,
        |world, wall| {
            world.entity_mut(wall).remove::<Collider>();
        },
        false,
    );
    check_edit(
        "despawning",
        nothing,
        |world, wall| {
            world.despawn(wall);
        },
        false,
    );
}

#[test]
fn bodies_and_agents_on_the_collider_or_above_it_bake_the_touched_rectangle() {
    fn body(world: &mut World, wall: Entity, body: RigidBody) {
        world.entity_mut(wall).insert((body, GravityScale(0.0)));
    }
    let kinematic: Edit = |world, wall| body(world, wall, RigidBody::KinematicPositionBased);
    check_edit("becoming a moving body", nothing, kinematic, false);
    check_edit(
        "becoming a fixed body",
        kinematic,
        |world, wall| body(world, wall, RigidBody::Fixed),
        true,
    );
    check_edit(
        "losing the body",
        kinematic,
        |world, wall| {
            world.entity_mut(wall).remove::<RigidBody>();
        },
        true,
    );
    let fixed: Edit = |world, wall| body(world, wall, RigidBody::Fixed);
    let disabled: Edit = |world, wall| {
        world
            .entity_mut(wall)
            .insert((RigidBody::Fixed, RigidBodyDisabled));
    };
    check_edit("disabling the body", fixed, disabled, false);
    check_edit(
        "enabling the body",
        disabled,
        |world, wall| {
            world.entity_mut(wall).remove::<RigidBodyDisabled>();
        },
        true,
    );
    let agent: Edit = |world, wall| {
        world.entity_mut(wall).insert(NavAgent::from_radius(1.0));
    };
    check_edit("becoming an agent", nothing, agent, false);
    check_edit(
        "ceasing to be an agent",
        agent,
        |world, wall| {
            world.entity_mut(wall).remove::<NavAgent>();
        },
        true,
    );
    let below: Edit = |world, wall| {
        let parent = world.spawn(Transform::default()).id();
        world.entity_mut(wall).insert(ChildOf(parent));
    };
    check_edit(
        "a moving body on the parent",
        below,
        |world, wall| {
            let parent = world.get::<ChildOf>(wall).unwrap().parent();
            body(world, parent, RigidBody::KinematicPositionBased);
        },
        false,
    );
    check_edit(
        "an agent on the parent",
        below,
        |world, wall| {
            let parent = world.get::<ChildOf>(wall).unwrap().parent();
            world.entity_mut(parent).insert(NavAgent::from_radius(1.0));
        },
        false,
    );
    check_edit(
        "moving the parent",
        below,
        |world, wall| {
            let parent = world.get::<ChildOf>(wall).unwrap().parent();
            world.get_mut::<Transform>(parent).unwrap().translation.y = 5.0;
        },
        false,
    );
    check_edit(
        "despawning the parent",
        below,
        |world, wall| {
            let parent = world.get::<ChildOf>(wall).unwrap().parent();
            world.despawn(parent);
        },
        false,
    );
    check_edit(
        "re-parenting below an agent",
        nothing,
        |world, wall| {
            let parent = world
                .spawn((NavAgent::from_radius(1.0), Transform::default()))
                .id();
            let arm = world.spawn((Transform::default(), ChildOf(parent))).id();
            world.entity_mut(wall).insert(ChildOf(arm));
        },
        false,
    );
    check_edit(
        "letting go of a parent that is an agent",
        |world, wall| {
            let parent = world
                .spawn((NavAgent::from_radius(1.0), Transform::default()))
                .id();
            world.entity_mut(wall).insert(ChildOf(parent));
        },
        |world, wall| {
            world.entity_mut(wall).remove::<ChildOf>();
        },
        true,
    );
    check_edit(
        "a parent that is let go of by an agent",
        |world, wall| {
            let agent = world.spawn((NavAgent::from_radius(1.0), Transform::default()));
            let agent = agent.id();
            let arm = world.spawn((Transform::default(), ChildOf(agent))).id();
            world.entity_mut(wall).insert(ChildOf(arm));
        },
        |world, wall| {
            let arm = world.get::<ChildOf>(wall).unwrap().parent();
            world.entity_mut(arm).remove::<ChildOf>();
        },
        true,
    );
}

#[test]
fn nothing_is_baked_while_nothing_changes() {
    let mut app = app();
    let (wall, grid) = walled(&mut app);
    app.world_mut().entity_mut(wall).insert(RigidBody::Fixed);
    let bystander = (
        RigidBody::Dynamic,
        Collider::ball(1.0),
        Transform::from_xyz(0.0, 9.0, 0.0),
    );
    app.world_mut().spawn(bystander);
    settle(&mut app);
    let generation = snapshot(&app, grid).generation();
    for _ in 0..30 {
        // Writes that change nothing, and a body that falls.
        app.world_mut()
            .get_mut::<Transform>(wall)
            .unwrap()
            .set_changed();
        app.world_mut()
            .get_mut::<Collider>(wall)
            .unwrap()
            .set_changed();
        app.world_mut()
            .get_mut::<NavGrid>(grid)
            .unwrap()
            .set_changed();
        app.update();
        assert_eq!(bakes(&mut app), []);
    }
    assert_eq!(snapshot(&app, grid).generation(), generation);
}

#[test]
fn many_moves_too_small_to_see_add_up() {
    let mut app = app();
    let (wall, grid) = walled(&mut app);
    let place = |app: &mut App, x: f32| {
        app.world_mut()
            .get_mut::<Transform>(wall)
            .unwrap()
            .translation
            .x = x;
        app.update();
    };
    place(&mut app, 25.0);
    bakes(&mut app);
    // Each of these is within the rounding that the physics may leave in a pose.
    place(&mut app, 25.0 + 1e-5);
    assert_eq!(bakes(&mut app), [], "rounding is baked");
    let mut x = 25.0;
    for _ in 0..4000 {
        x += 2e-5;
        place(&mut app, x);
    }
    assert!(x > 25.05, "the test moves the wall by too little: {x}");
    let snapshot = snapshot(&app, grid);
    // The wall ends 1.5 units left of its place; the center of the cell is 22.5 - 0.75.
    let cell = snapshot.layout().cell_at(Vec2::new(22.0, 9.75)).unwrap();
    let expected = x - 1.5 - snapshot.layout().center(cell).x;
    let distance = snapshot.clearance().center(cell) * snapshot.layout().cell_size();
    assert!(
        (distance - expected).abs() < 1e-4,
        "{distance}, not {expected}"
    );
    assert_like_new(&mut app, grid);
}

#[test]
fn random_edits_add_up_to_a_bake_from_nothing() {
    for (seed, mode) in [
        (41, PlanMode::Inline),
        (42, PlanMode::Async),
        (43, PlanMode::Async),
    ] {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut app = app_with(mode);
        let grid = app
            .world_mut()
            .spawn(grid().with_obstacles(Group::GROUP_1))
            .id();
        let mut entities = Vec::new();
        for number in 0..120 {
            // Some frames bring several edits, some none; in async mode tasks are under way.
            for _ in 0..random.usize(0..4) {
                edit_at_random(&mut app, &mut entities, &mut random);
            }
            app.update();
            if number % 20 == 19 {
                settle(&mut app);
                assert_like_new(&mut app, grid);
            }
        }
    }
}

fn edit_at_random(app: &mut App, entities: &mut Vec<Entity>, random: &mut fastrand::Rng) {
    let old = random.choice(entities.clone());
    let (kind, choice) = (random.usize(0..KINDS), random.u8(0..10));
    match (choice, old) {
        (0..=3, _) | (_, None) if entities.len() < 20 && kind != 7 => {
            entities.push(spawn_random(app, kind, random));
        }
        (_, None) => {}
        (4, Some(old)) => {
            entities.retain(|entity| *entity != old);
            app.world_mut().despawn(old);
        }
        (5, Some(old)) => {
            let layer = [Group::GROUP_1, Group::GROUP_2][random.usize(0..2)];
            app.world_mut()
                .entity_mut(old)
                .insert(CollisionGroups::new(layer, Group::ALL));
        }
        (6, Some(old)) => drop(app.world_mut().entity_mut(old).insert(Sensor)),
        (7, Some(old)) => drop(app.world_mut().entity_mut(old).remove::<Sensor>()),
        (_, Some(old)) => {
            let mut entity = app.world_mut().entity_mut(old);
            let mut transform = entity.get_mut::<Transform>().expect("they all have one");
            transform.translation.x += 4.0 * random.f32() - 2.0;
            transform.rotate_z(random.f32());
        }
    }
}

#[test]
fn what_changes_while_a_task_runs_is_not_lost() {
    let mut app = app_with(PlanMode::Async);
    let mut wide = grid();
    // A grid that takes longer to bake than a frame.
    wide.node_radius = 0.05;
    let walls: Vec<Entity> = (0..40)
        .map(|number| {
            let place = Transform::from_xyz(number as f32 - 20.0, 0.0, 0.0);
            app.world_mut()
                .spawn((Collider::cuboid(0.3, 4.0), place))
                .id()
        })
        .collect();
    let grid = app.world_mut().spawn(wide).id();
    let mut frames_without_bake = 0;
    for (number, wall) in walls.iter().enumerate() {
        app.world_mut()
            .get_mut::<Transform>(*wall)
            .unwrap()
            .translation
            .y = number as f32 - 20.0;
        if number % 4 == 0 {
            app.world_mut().despawn(*wall);
        }
        app.update();
        frames_without_bake += usize::from(bakes(&mut app).is_empty());
    }
    assert!(frames_without_bake > 0, "every frame waited for its bake");
    settle(&mut app);
    assert!(blocked(&app, grid, 19.0, 19.0), "the last move was lost");
    assert!(
        !blocked(&app, grid, 19.0, 0.0),
        "the old place is still blocked"
    );
    assert_like_new(&mut app, grid);
}

#[test]
fn removing_the_grid_while_a_task_runs_leaves_nothing_behind() {
    let mut app = app_with(PlanMode::Async);
    app.world_mut().spawn(Collider::cuboid(10.0, 10.0));
    let mut fine = grid();
    fine.node_radius = 0.05;
    let despawned = app.world_mut().spawn(fine).id();
    let stripped = app.world_mut().spawn(fine).id();
    let changed = app.world_mut().spawn(fine).id();
    app.update();
    app.world_mut().despawn(despawned);
    app.world_mut().entity_mut(stripped).remove::<NavGrid>();
    *app.world_mut().get_mut::<NavGrid>(changed).unwrap() = grid();
    let baked = settle(&mut app);
    assert_eq!(
        baked.iter().map(|bake| bake.grid).collect::<Vec<_>>(),
        [changed]
    );
    assert!(app.world().get::<BakedGrid>(stripped).is_none());
    assert_eq!(snapshot(&app, changed).layout().width(), 40);
    // And it can come back.
    app.world_mut().entity_mut(stripped).insert(grid());
    settle(&mut app);
    assert!(blocked(&app, stripped, 0.0, 0.0));
}

#[test]
fn a_changed_grid_is_baked_anew_and_keeps_its_old_snapshot_until_then() {
    let mut app = app_with(PlanMode::Async);
    let (_, grid) = walled(&mut app);
    let old = snapshot(&app, grid);
    app.world_mut()
        .get_mut::<NavGrid>(grid)
        .unwrap()
        .node_radius = 0.25;
    app.update();
    assert!(
        app.world()
            .get::<BakedGrid>(grid)
            .unwrap()
            .snapshot()
            .is_some()
    );
    settle(&mut app);
    let new = snapshot(&app, grid);
    assert_eq!(
        (new.layout().width(), new.generation()),
        (120, old.generation() + 1)
    );
    assert_eq!(old.layout().width(), 40, "a snapshot never changes");
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
    let grid = app
        .world_mut()
        .spawn(grid().with_obstacles(Group::GROUP_1))
        .id();
    settle(&mut app);
    assert!(blocked(&app, grid, -10.0, 0.0) && !blocked(&app, grid, 10.0, 0.0));
    app.world_mut().get_mut::<NavGrid>(grid).unwrap().obstacles = Group::GROUP_2.into();
    settle(&mut app);
    assert!(!blocked(&app, grid, -10.0, 0.0) && blocked(&app, grid, 10.0, 0.0));
}

#[test]
fn a_grid_without_any_collider_is_baked_open() {
    let mut app = app();
    let grid = app.world_mut().spawn(grid()).id();
    app.update();
    let baked = bakes(&mut app);
    assert_eq!(baked.len(), 1);
    assert_eq!((baked[0].generation, baked[0].obstacles), (1, 0));
    assert_eq!(baked[0].cells, snapshot(&app, grid).layout().rect());
    assert!(snapshot(&app, grid).free(Vec2::ZERO, 2.0));
}

#[test]
fn a_grid_that_cannot_be_baked_says_why_and_can_be_mended() {
    let mut app = app();
    let grid = app
        .world_mut()
        .spawn(grid().with_node_radius(f32::NAN))
        .id();
    settle(&mut app);
    let baked = |app: &App| app.world().get::<BakedGrid>(grid).unwrap().clone();
    assert!(baked(&app).snapshot().is_none());
    assert!(matches!(
        baked(&app).error(),
        Some(BakeError::NodeRadius(_))
    ));
    app.world_mut()
        .get_mut::<NavGrid>(grid)
        .unwrap()
        .node_radius = 1.0;
    settle(&mut app);
    assert!(baked(&app).snapshot().is_some() && baked(&app).error().is_none());
    app.world_mut()
        .get_mut::<NavGrid>(grid)
        .unwrap()
        .bounds
        .max
        .x = f32::INFINITY;
    settle(&mut app);
    assert!(baked(&app).snapshot().is_none());
    assert!(matches!(baked(&app).error(), Some(BakeError::Layout(_))));
}

#[test]
fn colliders_are_baked_while_the_physics_is_paused_and_before_it_ever_ran() {
    let mut app = app();
    app.update();
    for mut config in app
        .world_mut()
        .query::<&mut RapierConfiguration>()
        .iter_mut(app.world_mut())
    {
        config.physics_pipeline_active = false;
    }
    let (wall, grid) = walled(&mut app);
    assert!(blocked(&app, grid, 10.0, 10.0));
    app.world_mut()
        .get_mut::<Transform>(wall)
        .unwrap()
        .translation
        .x = -15.0;
    settle(&mut app);
    assert!(!blocked(&app, grid, 10.0, 10.0) && blocked(&app, grid, -15.0, 10.0));

    // Without Rapier's systems nobody applies scales but the bake.
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, PursuitPlugins::default()))
        .insert_resource(PursuitSettings {
            plan_mode: PlanMode::Inline,
            ..default()
        });
    let scaled = Transform::from_xyz(10.0, 10.0, 0.0).with_scale(Vec3::new(3.0, 1.0, 1.0));
    app.world_mut().spawn((Collider::cuboid(1.0, 1.0), scaled));
    let grid = app.world_mut().spawn(bake_support::grid()).id();
    settle(&mut app);
    assert!(blocked(&app, grid, 12.5, 10.0));
    let wall = app
        .world_mut()
        .query_filtered::<Entity, With<Collider>>()
        .single(app.world());
    let wall = wall.expect("one wall");
    let absolute = ColliderScale::Absolute(Vec2::new(1.0, 6.0));
    app.world_mut().entity_mut(wall).insert(absolute);
    settle(&mut app);
    assert!(!blocked(&app, grid, 12.5, 10.0) && blocked(&app, grid, 10.0, 15.5));
}

#[test]
fn the_bake_follows_moves_in_a_fixed_schedule() {
    let mut app = App::new();
    app.insert_resource(PursuitSettings {
        plan_mode: PlanMode::Inline,
        ..default()
    })
    .insert_resource(TimestepMode::Fixed {
        dt: 1.0 / 64.0,
        substeps: 1,
    })
    .add_plugins((MinimalPlugins, TransformPlugin))
    .add_plugins(RapierPhysicsPlugin::<NoUserData>::default().in_fixed_schedule())
    .add_plugins(PursuitPlugins::default().in_fixed_schedule());
    app.finish();
    app.cleanup();
    let (wall, grid) = walled(&mut app);
    app.world_mut()
        .get_mut::<Transform>(wall)
        .unwrap()
        .translation
        .x = -15.0;
    app.update();
    assert!(!blocked(&app, grid, 10.0, 10.0) && blocked(&app, grid, -15.0, 10.0));
}

#[test]
fn agents_sensors_other_layers_moving_and_disabled_bodies_are_no_obstacles() {
    let mut app = app();
    let ball = || (Collider::ball(2.0), GravityScale(0.0));
    let at = |column: i32, row: i32| {
        Transform::from_xyz(column as f32 * 9.0 - 22.0, row as f32 * 9.0 - 22.0, 0.0)
    };
    let groups = |group: Group| CollisionGroups::new(group, Group::ALL);
    let world = app.world_mut();
    // Row 0: obstacles.
    world.spawn((ball(), at(0, 0)));
    world.spawn((ball(), at(1, 0), RigidBody::Fixed));
    world.spawn((ball(), at(2, 0), groups(Group::GROUP_1)));
    // Whom a collider collides with is its own business: Rapier's query would miss this one.
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
    // Row 1: none of these.
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
    // Row 2: nor these.
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
    settle(&mut app);
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
    app.world_mut().spawn(Collider::cuboid(4.0, 1.0));
    let grid = app.world_mut().spawn(grid()).id();
    settle(&mut app);
    assert!(blocked(&app, grid, 3.5, 0.0) && !blocked(&app, grid, 0.0, 4.0));
}

#[test]
fn a_body_half_as_wide_as_a_corridor_fits_through_it() {
    let mut app = app();
    // A corridor of exactly one cell, 1.5 units, along the row of cells whose centers are at 0.75.
    for y in [-15.0, 16.5] {
        let place = Transform::from_xyz(0.0, y, 0.0);
        app.world_mut().spawn((Collider::cuboid(40.0, 15.0), place));
    }
    let grid = app.world_mut().spawn(grid()).id();
    settle(&mut app);
    let snapshot = snapshot(&app, grid);
    assert_eq!(
        snapshot.class(0.75).grid.free_count(),
        40,
        "touching counts as fitting"
    );
    assert_eq!(snapshot.class(0.77).grid.free_count(), 0);
    let (west, east) = (Vec2::new(-29.0, 0.75), Vec2::new(29.0, 0.75));
    assert!(snapshot.line_of_sight(west, east, 0.75));
    assert!(!snapshot.line_of_sight(west, east, 0.77));
}

#[test]
fn even_a_point_does_not_pass_through_a_thin_wall() {
    let mut app = app();
    app.world_mut().spawn(Collider::polyline(
        vec![Vec2::new(0.0, -40.0), Vec2::new(0.0, 40.0)],
        None,
    ));
    let grid = app.world_mut().spawn(grid()).id();
    settle(&mut app);
    let snapshot = snapshot(&app, grid);
    let class = snapshot.class(0.0);
    let [west, east] = [-0.75, 0.75].map(|x| {
        snapshot
            .layout()
            .cell_at(Vec2::new(x, 0.0))
            .expect("a cell")
    });
    assert!(!class.regions.connected(west, east));
    assert!(!snapshot.line_of_sight(Vec2::new(-5.0, 0.0), Vec2::new(5.0, 0.0), 0.0));
}
