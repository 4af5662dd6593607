//! Steps far from the origin, at high frame rates and in long frames.

use super::{KINDS, Kind, distance_moved, drive_game, game_with_agent, spawn};
use crate::common::*;

#[test]
fn agents_walk_at_their_speed_far_from_the_origin() {
    let speed = Vec2::new(6.4, 4.8);
    for (kind, hz, away) in [
        (Kind::Bare, 60.0, 1e6),
        (Kind::Bare, 1000.0, 1e4),
        (Kind::Bare, 1000.0, 1e6),
        (Kind::Position, 1000.0, 1e4),
    ] {
        let mut app = drive_game(hz);
        let agent = spawn(&mut app, kind, Vec2::splat(-away), speed);
        run(&mut app, 5);
        let moved = distance_moved(&mut app, agent, hz as usize);
        assert!(
            (moved - 8.0).abs() < 0.08,
            "{kind:?} at {away} and {hz} Hz moved by {moved}"
        );
    }
}

#[test]
fn a_bare_child_walks_at_its_speed_far_from_the_origin() {
    let mut app = drive_game(1000.0);
    let parent = Transform::from_xyz(1e4, 0.0, 0.0)
        .with_rotation(Quat::from_rotation_z(1.0))
        .with_scale(Vec3::new(2.0, 0.5, 1.0));
    let parent = app.world_mut().spawn(parent).id();
    let agent = spawn(&mut app, Kind::Bare, Vec2::new(1e4, 2e4), Vec2::X * 8.0);
    give(&mut app, agent, ChildOf(parent));
    run(&mut app, 5);
    let world_position = |app: &App| {
        let global = app.world().get::<GlobalTransform>(agent).unwrap();
        global.translation().truncate()
    };
    let before = world_position(&app);
    run(&mut app, 1000);
    let moved = world_position(&app) - before;
    assert!(
        moved.distance(Vec2::X * 8.0) < 0.08,
        "the child moved by {moved}"
    );
}

#[test]
fn the_number_of_agents_does_not_change_their_paths() {
    let walk = |count: usize| -> Vec<Vec2> {
        let mut app = drive_game(60.0);
        disable_avoidance(&mut app);
        build_level(&mut app, "..........\n....##....\n..........\n");
        run(&mut app, 3);
        let agents: Vec<Entity> = (0..count)
            .map(|n| {
                let at = Vec2::new(0.5 + (n % 90) as f32 * 0.1, 0.5);
                spawn(&mut app, Kind::Bare, at, Vec2::from_angle(n as f32) * 2.0)
            })
            .collect();
        run(&mut app, 60);
        agents.into_iter().map(|one| position(&app, one)).collect()
    };
    let (few, many) = (walk(40), walk(1500));
    assert_eq!(few[..], many[..40]);
}

#[test]
fn an_invalid_max_delta_counts_as_the_default() {
    for max_delta in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        for kind in KINDS {
            let (mut app, agent) = game_with_agent(kind);
            settings(&mut app).max_delta = max_delta;
            run(&mut app, 2);
            let moved = distance_moved(&mut app, agent, 30);
            assert!(
                moved > 3.9,
                "{kind:?}, max_delta {max_delta}: moved by {moved}"
            );
        }
    }
}

#[test]
fn a_stalled_frame_makes_no_giant_step() {
    let (mut app, agent) = game_with_agent(Kind::Bare);
    app.insert_resource(Time::<Fixed>::from_duration(Duration::from_secs(1)))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs(1)))
        .insert_resource(Time::<Virtual>::from_max_delta(Duration::from_secs(2)));
    let moved = distance_moved(&mut app, agent, 1);
    assert!(moved <= 0.81, "the agent moved by {moved} in one tick");
}
