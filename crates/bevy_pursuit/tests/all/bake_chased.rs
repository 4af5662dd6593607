//! A moving body is not an obstacle while it is chased. A chase makes no other obstacle vanish.

use crate::bake_support::{app, assert_like_new, bakes, blocked, grid, run_until_baked};
use crate::common::*;

/// A solid ball of radius 2 on the obstacle layer.
fn ball(x: f32, y: f32) -> (Collider, CollisionGroups, GravityScale, Transform) {
    let groups = CollisionGroups::new(Group::GROUP_1, Group::ALL);
    let place = Transform::from_xyz(x, y, 0.0);
    (Collider::ball(2.0), groups, GravityScale(0.0), place)
}

/// Spawns the grid, and an agent far away that chases `target` and hardly moves.
fn spawn_grid_and_chaser(app: &mut App, target: Entity) -> (Entity, Entity) {
    let grid = spawn(app, grid().with_obstacles(Group::GROUP_1));
    let place = Transform::from_xyz(-25.0, -25.0, 0.0);
    let slow = NavAgent::from_radius(0.1).with_speed(1e-6);
    let chaser = (slow, Chase::new(target), place);
    let chaser = spawn(app, chaser);
    run_until_baked(app);
    (grid, chaser)
}

#[test]
fn a_moving_body_stops_being_an_obstacle_while_it_is_chased() {
    for body in [RigidBody::Dynamic, RigidBody::KinematicPositionBased] {
        let mut app = app();
        let target = spawn(&mut app, (body, ball(10.0, 0.0)));
        let (grid, chaser) = spawn_grid_and_chaser(&mut app, target);
        assert!(!blocked(&app, grid, 10.0, 0.0), "{body:?}");
        remove::<Chase>(&mut app, chaser);
        run_until_baked(&mut app);
        let place = position(&app, target);
        assert!(blocked(&app, grid, place.x, place.y), "{body:?}");
        assert_like_new(&mut app, grid);
        give(&mut app, chaser, Chase::new(target));
        run_until_baked(&mut app);
        assert!(!blocked(&app, grid, place.x, place.y), "{body:?}");
        despawn(&mut app, chaser);
        run_until_baked(&mut app);
        let place = position(&app, target);
        assert!(blocked(&app, grid, place.x, place.y), "{body:?}");
    }
}

/// While a game has this resource, it observes obstacles twice per frame: in the tick and at the end of the frame.
#[derive(Resource)]
struct ObserveTwice;

#[test]
fn a_body_is_an_obstacle_after_a_chase_that_ended_while_the_plan_mode_changed() {
    let mut app = app();
    let set = |mode| move |mut settings: ResMut<PursuitSettings>| settings.plan_mode = mode;
    let modes = (
        set(PlanMode::Inline).before(PursuitTickSystems),
        set(PlanMode::Async)
            .after(PursuitTickSystems)
            .before(PursuitSystems::Observe),
    );
    let modes = modes.distributive_run_if(resource_exists::<ObserveTwice>);
    app.add_systems(PostUpdate, modes);
    let target = spawn(&mut app, (RigidBody::Dynamic, ball(10.0, 0.0)));
    let (grid, chaser) = spawn_grid_and_chaser(&mut app, target);
    app.insert_resource(ObserveTwice);
    run(&mut app, 3);
    remove::<Chase>(&mut app, chaser);
    run(&mut app, 5);
    app.world_mut().remove_resource::<ObserveTwice>();
    settings(&mut app).plan_mode = PlanMode::Inline;
    run(&mut app, 1);
    set_position(&mut app, target, Vec2::new(-10.0, 0.0));
    run_until_baked(&mut app);
    assert!(blocked(&app, grid, -10.0, 0.0));
    assert_like_new(&mut app, grid);
}

#[test]
fn a_fixed_body_stays_an_obstacle_while_it_is_chased() {
    let mut app = app();
    let fixed = spawn(&mut app, (RigidBody::Fixed, ball(10.0, 0.0)));
    let bare = spawn(&mut app, ball(10.0, 15.0));
    let (grid, chaser) = spawn_grid_and_chaser(&mut app, fixed);
    for target in [fixed, bare] {
        give(&mut app, chaser, Chase::new(target));
        run_until_baked(&mut app);
        assert!(blocked(&app, grid, 10.0, 0.0) && blocked(&app, grid, 10.0, 15.0));
    }
}

#[test]
fn walls_below_a_chased_parent_stay_obstacles() {
    for body in [None, Some(RigidBody::Fixed)] {
        let mut app = app();
        let level = spawn(&mut app, Transform::default());
        if let Some(body) = body {
            give(&mut app, level, body);
        }
        let walls = [ball(10.0, 0.0), ball(10.0, 15.0)];
        for wall in walls {
            spawn(&mut app, (wall, ChildOf(level)));
        }
        let own_body = (RigidBody::Fixed, ball(-10.0, 15.0), ChildOf(level));
        spawn(&mut app, own_body);
        let (grid, _) = spawn_grid_and_chaser(&mut app, level);
        for (x, y) in [(10.0, 0.0), (10.0, 15.0), (-10.0, 15.0)] {
            assert!(
                blocked(&app, grid, x, y),
                "{body:?}: the wall at {x}, {y} does not block"
            );
        }
    }
}

#[test]
fn a_target_on_a_moving_body_is_not_blocked_by_its_own_parent() {
    let mut app = app();
    let tank = (RigidBody::KinematicPositionBased, ball(10.0, 0.0));
    let tank = spawn(&mut app, tank);
    let arm = spawn(&mut app, (Transform::default(), ChildOf(tank)));
    let hatch = spawn(&mut app, (Transform::default(), ChildOf(arm)));
    let turret = (ball(5.0, 0.0), ChildOf(tank));
    spawn(&mut app, turret);
    // Another body below the same parent does not belong to the target.
    let towed = (RigidBody::KinematicPositionBased, ball(0.0, 15.0));
    spawn(&mut app, (towed, ChildOf(tank)));
    let (grid, _) = spawn_grid_and_chaser(&mut app, hatch);
    assert!(!blocked(&app, grid, 10.0, 0.0) && !blocked(&app, grid, 15.0, 0.0));
    assert!(blocked(&app, grid, 10.0, 15.0));
    // The body becomes an obstacle again when the target leaves it.
    remove::<ChildOf>(&mut app, hatch);
    run_until_baked(&mut app);
    assert!(blocked(&app, grid, 10.0, 0.0) && blocked(&app, grid, 15.0, 0.0));
    assert_like_new(&mut app, grid);
}

#[test]
fn a_chased_body_that_becomes_fixed_or_moving_counts_accordingly() {
    let mut app = app();
    let target = (RigidBody::KinematicPositionBased, ball(10.0, 0.0));
    let target = spawn(&mut app, target);
    let (grid, _) = spawn_grid_and_chaser(&mut app, target);
    assert!(!blocked(&app, grid, 10.0, 0.0));
    give(&mut app, target, RigidBody::Fixed);
    run_until_baked(&mut app);
    assert!(blocked(&app, grid, 10.0, 0.0));
    let moving = RigidBody::KinematicPositionBased;
    give(&mut app, target, moving);
    run_until_baked(&mut app);
    assert!(!blocked(&app, grid, 10.0, 0.0));
}

#[test]
fn a_chased_body_that_moves_causes_no_bake() {
    let mut app = app();
    let target = (RigidBody::KinematicPositionBased, ball(10.0, 0.0));
    let target = spawn(&mut app, target);
    spawn_grid_and_chaser(&mut app, target);
    for _ in 0..30 {
        get_mut::<Transform>(&mut app, target).translation.x -= 0.1;
        app.update();
        assert_eq!(bakes(&mut app), []);
    }
}
