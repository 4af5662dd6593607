//! Character controllers: the ones that Pursuit adds, and the ones of the user.

use super::{Kind, distance_moved, drive_game, game_with_agent, set_wanted_velocity, spawn};
use crate::common::*;

#[test]
fn collision_groups_added_after_the_controller_take_effect() {
    let mut app = drive_game(60.0);
    let agent = spawn(&mut app, Kind::Position, Vec2::ZERO, Vec2::ZERO);
    run(&mut app, 3);
    // A crate that is not in the filter of the agent's groups.
    app.world_mut().spawn((
        Collider::cuboid(0.5, 3.0),
        CollisionGroups::new(Group::GROUP_3, Group::ALL),
        Transform::from_xyz(3.0, 0.0, 0.0),
    ));
    give(&mut app, agent, CollisionGroups::new(AGENTS, WALLS));
    set_wanted_velocity(&mut app, agent, Vec2::X * 8.0);
    assert!(
        distance_moved(&mut app, agent, 60) > 7.5,
        "the agent stops at the crate"
    );
    // Groups that change, and groups that are removed.
    let filter = |app: &App| get::<KinematicCharacterController>(app, agent).filter_groups;
    let others = CollisionGroups::new(AGENTS, Group::GROUP_3);
    give(&mut app, agent, others);
    run(&mut app, 1);
    assert_eq!(filter(&app), Some(others));
    remove::<CollisionGroups>(&mut app, agent);
    run(&mut app, 1);
    assert_eq!(filter(&app), None);
}

fn offset(app: &App, agent: Entity) -> CharacterLength {
    get::<KinematicCharacterController>(app, agent).offset
}

#[test]
fn the_offset_of_an_added_controller_follows_the_radius() {
    let mut app = drive_game(60.0);
    let agent = spawn(&mut app, Kind::Position, Vec2::ZERO, Vec2::ZERO);
    run(&mut app, 2);
    assert_eq!(
        offset(&app, agent),
        CharacterLength::Absolute(0.01 * RADIUS)
    );
    let clone = app.world_mut().entity_mut(agent).clone_and_spawn();
    for entity in [agent, clone] {
        let mut agent = get_mut::<NavAgent>(&mut app, entity);
        agent.radius = 3.0;
    }
    run(&mut app, 1);
    for entity in [agent, clone] {
        assert_eq!(offset(&app, entity), CharacterLength::Absolute(0.03));
    }
}

#[test]
fn a_user_supplied_controller_is_left_unchanged() {
    let mut app = drive_game(60.0);
    let own = KinematicCharacterController {
        offset: CharacterLength::Relative(0.02),
        ..default()
    };
    let agent = spawn(&mut app, Kind::Position, Vec2::ZERO, Vec2::X);
    give(&mut app, agent, own.clone());
    let replaced = spawn(&mut app, Kind::Position, Vec2::Y * 9.0, Vec2::X);
    run(&mut app, 2);
    give(&mut app, replaced, own.clone());
    for entity in [agent, replaced] {
        let groups = CollisionGroups::new(AGENTS, WALLS);
        give(&mut app, entity, groups);
        run(&mut app, 2);
        let now = get::<KinematicCharacterController>(&app, entity);
        assert_eq!((now.offset, now.filter_groups), (own.offset, None));
    }
}

#[test]
fn a_translation_that_the_game_requests_is_kept() {
    let (mut app, agent) = game_with_agent(Kind::Position);
    run(&mut app, 10);
    set_wanted_velocity(&mut app, agent, Vec2::ZERO);
    run(&mut app, 2);
    let before = position(&app, agent);
    for _ in 0..10 {
        let mut controller = get_mut::<KinematicCharacterController>(&mut app, agent);
        controller.translation = Some(Vec2::Y * 0.1);
        app.update();
    }
    let moved = position(&app, agent) - before;
    assert!(moved.distance(Vec2::Y) < 1e-3, "the agent moved by {moved}");
}
