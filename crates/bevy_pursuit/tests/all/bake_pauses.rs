//! A game gates stages or disables entities for a while. Afterwards the grid is the same as without the pause.

use crate::bake_edits::{self, Edit, no_edit};
use crate::bake_support::{app, assert_like_new, bake, bakes, blocked, grid, run_until_baked};
use crate::common::*;

/// The stages that are gated.
#[derive(Resource, Default)]
struct Paused(Vec<PursuitSystems>);

/// A game whose stages can be gated by name.
fn pausable_app() -> App {
    let mut app = app();
    app.init_resource::<Paused>();
    for set in [PursuitSystems::Observe, PursuitSystems::Bake] {
        let runs = move |paused: Res<Paused>| !paused.0.contains(&set);
        app.configure_sets(PostUpdate, set.run_if(runs));
    }
    app
}

fn pause(app: &mut App, stages: &[PursuitSystems]) {
    app.world_mut().resource_mut::<Paused>().0 = stages.to_vec();
}

/// The combinations of stages that the tests gate.
const GATES: [&[PursuitSystems]; 3] = [
    &[PursuitSystems::Observe, PursuitSystems::Bake],
    &[PursuitSystems::Observe],
    &[PursuitSystems::Bake],
];

/// Spawns a wall at (10, 10) with a fixed body on the layer of the grid, and a ball far from it. Returns the wall and
/// the grid.
fn spawn_wall_and_grid(app: &mut App) -> (Entity, Entity) {
    let (wall, grid) = bake_edits::spawn_wall_and_grid(app);
    let groups = CollisionGroups::new(Group::GROUP_1, Group::ALL);
    give(app, wall, (RigidBody::Fixed, groups));
    get_mut::<NavGrid>(app, grid).obstacles = Group::GROUP_1.into();
    run_until_baked(app);
    assert!(blocked(app, grid, 10.0, 10.0));
    (wall, grid)
}

/// Applies `change` while stages are gated, and asserts whether the wall blocks afterwards.
#[track_caller]
fn check_after_pause(name: &str, before: Edit, change: Edit, blocks: bool) {
    for gate in GATES {
        let mut app = pausable_app();
        let (wall, grid) = spawn_wall_and_grid(&mut app);
        before(&mut app, wall);
        run_until_baked(&mut app);
        pause(&mut app, gate);
        run(&mut app, 20);
        change(&mut app, wall);
        run(&mut app, 40);
        pause(&mut app, &[]);
        run_until_baked(&mut app);
        let is_blocked = blocked(&app, grid, 10.0, 10.0);
        assert_eq!(is_blocked, blocks, "{name} while {gate:?} was gated");
        assert_like_new(&mut app, grid);
    }
}

/// The edits that remove a wall with a fixed body from its place, each with a name.
pub(crate) const WALL_REMOVALS: [(&str, Edit); 8] = [
    ("despawning", despawn),
    ("removing the collider", |app, wall| {
        remove::<Collider>(app, wall)
    }),
    ("becoming a sensor", |app, wall| give(app, wall, Sensor)),
    ("disabling the body", |app, wall| {
        give(app, wall, RigidBodyDisabled)
    }),
    ("disabling the collider", |app, wall| {
        give(app, wall, ColliderDisabled)
    }),
    ("changing the groups", |app, wall| {
        get_mut::<CollisionGroups>(app, wall).memberships = Group::GROUP_2;
    }),
    ("moving", |app, wall| {
        get_mut::<Transform>(app, wall).translation.x = -10.0;
    }),
    ("moving below an agent", |app, wall| {
        let agent = spawn(app, (NavAgent::from_radius(1.0), Transform::default()));
        give(app, wall, ChildOf(agent));
    }),
];

#[test]
fn a_wall_removed_during_a_pause_does_not_block_afterwards() {
    for (name, change) in WALL_REMOVALS {
        check_after_pause(name, no_edit, change, false);
    }
}

#[test]
fn a_wall_that_returns_during_a_pause_blocks_afterwards() {
    let sensor: Edit = |app, wall| give(app, wall, Sensor);
    let change: Edit = |app, wall| remove::<Sensor>(app, wall);
    check_after_pause("ceasing to be a sensor", sensor, change, true);
    let off: Edit = |app, wall| give(app, wall, RigidBodyDisabled);
    let change: Edit = |app, wall| remove::<RigidBodyDisabled>(app, wall);
    check_after_pause("enabling the body", off, change, true);
    let agent: Edit = |app, wall| give(app, wall, NavAgent::from_radius(1.0));
    let change: Edit = |app, wall| remove::<NavAgent>(app, wall);
    check_after_pause("ceasing to be an agent", agent, change, true);
    let free: Edit = |app, wall| remove::<CollisionGroups>(app, wall);
    check_after_pause("removing the groups", no_edit, free, true);
}

#[test]
fn a_nav_obstacle_removed_during_a_pause_does_not_block_afterwards() {
    let changes: [Edit; 3] = [
        |app, wall| despawn(app, wall),
        |app, wall| remove::<NavObstacle>(app, wall),
        |app, wall| give(app, wall, Disabled),
    ];
    for change in changes {
        for gate in GATES {
            let mut app = pausable_app();
            let place = Transform::from_xyz(5.0, 0.0, 0.0);
            let wall = spawn(&mut app, (NavObstacle::circle(2.0), place));
            let grid = bake(&mut app, crate::bake_support::grid());
            assert!(blocked(&app, grid, 5.0, 0.0));
            pause(&mut app, gate);
            run(&mut app, 5);
            change(&mut app, wall);
            run(&mut app, 55);
            pause(&mut app, &[]);
            run_until_baked(&mut app);
            assert!(!blocked(&app, grid, 5.0, 0.0), "{gate:?}");
        }
    }
}

#[test]
fn a_pause_without_changes_causes_no_bake() {
    let mut app = pausable_app();
    spawn_wall_and_grid(&mut app);
    for gate in GATES {
        pause(&mut app, gate);
        run(&mut app, 60);
        pause(&mut app, &[]);
        assert_eq!(run_until_baked(&mut app), [], "{gate:?}");
    }
}

#[test]
fn an_app_that_observes_only_every_third_frame_misses_nothing() {
    let mut app = app();
    let mut frame = 0;
    let every_third = move || {
        frame += 1;
        frame % 3 == 0
    };
    app.configure_sets(PostUpdate, PursuitSystems::Observe.run_if(every_third));
    let (wall, grid) = spawn_wall_and_grid(&mut app);
    give(&mut app, wall, Sensor);
    run_until_baked(&mut app);
    assert!(!blocked(&app, grid, 10.0, 10.0));
    remove::<Sensor>(&mut app, wall);
    run_until_baked(&mut app);
    assert!(blocked(&app, grid, 10.0, 10.0));
}

#[test]
fn a_grid_disabled_or_removed_for_six_frames_is_baked_again() {
    for gate in [&[][..], GATES[0], GATES[1], GATES[2]] {
        for removed in [false, true] {
            let context = format!("{gate:?}, removed: {removed}");
            let mut app = pausable_app();
            let (wall, grid) = spawn_wall_and_grid(&mut app);
            let before = snapshot(&app, grid).generation();
            let config = get::<NavGrid>(&app, grid);
            pause(&mut app, gate);
            run(&mut app, 2);
            match removed {
                true => remove::<NavGrid>(&mut app, grid),
                false => give(&mut app, grid, Disabled),
            }
            run(&mut app, 3);
            despawn(&mut app, wall);
            run(&mut app, 3);
            match removed {
                true => give(&mut app, grid, config),
                false => remove::<Disabled>(&mut app, grid),
            }
            run(&mut app, 2);
            pause(&mut app, &[]);
            run_until_baked(&mut app);
            assert!(!blocked(&app, grid, 10.0, 10.0), "{context}");
            assert!(removed || snapshot(&app, grid).generation() > before);
            // Later changes are noticed.
            let wall = (Collider::ball(1.0), Transform::from_xyz(10.0, 10.0, 0.0));
            spawn(&mut app, wall);
            run_until_baked(&mut app);
            assert!(blocked(&app, grid, 10.0, 10.0), "{context}");
            assert_like_new(&mut app, grid);
        }
    }
}

#[test]
fn a_grid_changed_during_a_pause_is_baked_again() {
    for gate in GATES {
        let mut app = pausable_app();
        let (_, grid) = spawn_wall_and_grid(&mut app);
        pause(&mut app, gate);
        run(&mut app, 3);
        get_mut::<NavGrid>(&mut app, grid).obstacles = Group::GROUP_2.into();
        run(&mut app, 60);
        pause(&mut app, &[]);
        run_until_baked(&mut app);
        assert!(!blocked(&app, grid, 10.0, 10.0), "{gate:?}");
    }
}

#[test]
fn a_disabled_wall_stays_an_obstacle_as_in_the_physics() {
    let mut app = pausable_app();
    let (wall, grid) = spawn_wall_and_grid(&mut app);
    give(&mut app, wall, Disabled);
    assert_eq!(run_until_baked(&mut app), []);
    assert!(blocked(&app, grid, 10.0, 10.0));
    // A pause of the stages changes nothing.
    pause(&mut app, GATES[0]);
    run(&mut app, 60);
    pause(&mut app, &[]);
    run_until_baked(&mut app);
    assert!(blocked(&app, grid, 10.0, 10.0));
    remove::<Disabled>(&mut app, wall);
    assert_eq!(run_until_baked(&mut app), []);
    // A wall that is despawned while it is disabled no longer blocks.
    give(&mut app, wall, Disabled);
    run_until_baked(&mut app);
    despawn(&mut app, wall);
    run_until_baked(&mut app);
    assert!(!blocked(&app, grid, 10.0, 10.0));
}

#[test]
fn a_collider_below_a_disabled_body_counts_as_before() {
    let mut app = app();
    let place = Transform::from_xyz(10.0, 10.0, 0.0);
    let body = spawn(&mut app, (RigidBody::Fixed, place));
    let part = (Collider::ball(2.0), Transform::default(), ChildOf(body));
    spawn(&mut app, part);
    let train = (RigidBody::KinematicPositionBased, Transform::default());
    let train = spawn(&mut app, train);
    app.world_mut()
        .spawn((Collider::ball(2.0), Transform::default(), ChildOf(train)));
    let grid = bake(&mut app, grid());
    for body in [body, train] {
        give(&mut app, body, Disabled);
    }
    run_until_baked(&mut app);
    assert!(blocked(&app, grid, 10.0, 10.0));
    assert!(!blocked(&app, grid, 0.0, 0.0), "a moving body blocks");
}

#[test]
fn a_disabled_collider_that_never_reached_the_physics_does_not_block() {
    let mut app = app();
    let place = Transform::from_xyz(10.0, 10.0, 0.0);
    let prepared = spawn(&mut app, (Collider::ball(2.0), place, Disabled));
    let grid = bake(&mut app, grid());
    assert!(!blocked(&app, grid, 10.0, 10.0));
    // Bevy does not propagate the transform of an entity that was disabled when it was spawned.
    let mut enabled = app.world_mut().entity_mut(prepared);
    enabled.remove::<Disabled>().insert(place);
    run_until_baked(&mut app);
    assert!(
        blocked(&app, grid, 10.0, 10.0),
        "the collider was enabled, and the bake did not notice"
    );

    // Without physics, a disabled collider never blocks.
    let mut app = game_without_rapier();
    let wall = spawn(&mut app, (Collider::ball(2.0), place));
    let grid = bake(&mut app, crate::bake_support::grid());
    assert!(blocked(&app, grid, 10.0, 10.0));
    give(&mut app, wall, Disabled);
    run_until_baked(&mut app);
    assert!(!blocked(&app, grid, 10.0, 10.0));
    remove::<Disabled>(&mut app, wall);
    run_until_baked(&mut app);
    assert!(blocked(&app, grid, 10.0, 10.0));
}

#[test]
fn moving_agents_cause_no_bake_and_block_once_they_are_no_agents() {
    let mut app = app();
    let solid = || {
        (
            Collider::ball(1.0),
            CollisionGroups::new(Group::GROUP_1, Group::ALL),
        )
    };
    let agent = (
        NavAgent::from_radius(1.0),
        solid(),
        Transform::from_xyz(5.0, 0.0, 0.0),
    );
    let agent = spawn(&mut app, agent);
    let arm = (solid(), Transform::from_xyz(0.0, 10.0, 0.0), ChildOf(agent));
    let arm = spawn(&mut app, arm);
    let grid = bake(&mut app, grid().with_obstacles(Group::GROUP_1));
    for step in 0..30 {
        let mut transform = get_mut::<Transform>(&mut app, agent);
        transform.translation.x = 5.0 + step as f32 * 0.1;
        app.update();
        assert_eq!(bakes(&mut app), []);
    }
    // The child is detached and stays where it was.
    remove::<ChildOf>(&mut app, arm);
    run_until_baked(&mut app);
    assert!(blocked(&app, grid, 0.0, 10.0));
    give(&mut app, arm, ChildOf(agent));
    run_until_baked(&mut app);
    assert!(!blocked(&app, grid, 7.9, 10.0) && !blocked(&app, grid, 0.0, 10.0));
    // The agent component is removed, and the body stays.
    remove::<NavAgent>(&mut app, agent);
    run_until_baked(&mut app);
    assert!(blocked(&app, grid, 7.9, 0.0) && blocked(&app, grid, 7.9, 10.0));
    assert_like_new(&mut app, grid);
    // The body moves on as an obstacle.
    get_mut::<Transform>(&mut app, agent).translation.x = -5.0;
    run_until_baked(&mut app);
    assert!(blocked(&app, grid, -5.0, 0.0) && blocked(&app, grid, -5.0, 10.0));
    assert_like_new(&mut app, grid);
}
