//! Bodies that are driven with less than full grip, and bodies that the game moves itself.

use super::{KINDS, Kind, distance_moved, game_with_agent, set_wanted_velocity};
use crate::common::*;

#[test]
fn a_body_of_low_grip_accelerates_slowly_and_comes_to_rest() {
    let (mut app, agent) = game_with_agent(Kind::Dynamic);
    let grip = 0.2;
    give(&mut app, agent, NavDrive::Grip(grip));
    // With full grip the agent would reach its speed in 0.3 s.
    run(&mut app, 18);
    let speed = get::<Velocity>(&app, agent).linear.x;
    assert!(
        (1.4..1.8).contains(&speed),
        "a fifth of the grip gives a speed of {speed}"
    );
    run(&mut app, 75);
    assert_eq!(get::<Velocity>(&app, agent).linear, Vec2::X * 8.0);
    set_wanted_velocity(&mut app, agent, Vec2::ZERO);
    run(&mut app, 95);
    assert_eq!(distance_moved(&mut app, agent, 10), 0.0);
}

#[test]
fn manual_drive_leaves_every_body_to_the_game() {
    for kind in KINDS {
        let (mut app, agent) = game_with_agent(kind);
        give(&mut app, agent, NavDrive::Manual);
        assert_eq!(distance_moved(&mut app, agent, 30), 0.0, "{kind:?}");
        if let Some(mut velocity) = app.world_mut().get_mut::<Velocity>(agent) {
            velocity.linear = Vec2::Y * 3.0;
            let moved = distance_moved(&mut app, agent, 60);
            assert!((moved - 3.0).abs() < 0.01, "{kind:?} moved by {moved}");
        }
    }
}

#[test]
fn an_invalid_grip_counts_as_full() {
    for grip in [f32::NAN, -1.0, 2.0, f32::INFINITY] {
        let (mut app, agent) = game_with_agent(Kind::Dynamic);
        give(&mut app, agent, NavDrive::Grip(grip));
        run(&mut app, 2);
        assert_eq!(get::<Velocity>(&app, agent).linear, Vec2::X * 8.0);
    }
}

#[test]
fn a_velocity_set_by_the_game_on_an_idle_agent_is_kept() {
    for kind in [Kind::Velocity, Kind::Dynamic] {
        let (mut app, agent) = game_with_agent(kind);
        run(&mut app, 10);
        set_wanted_velocity(&mut app, agent, Vec2::ZERO);
        run(&mut app, 1);
        assert_eq!(
            distance_moved(&mut app, agent, 30),
            0.0,
            "{kind:?} was not stopped"
        );
        get_mut::<Velocity>(&mut app, agent).linear = Vec2::Y * 3.0;
        let moved = distance_moved(&mut app, agent, 60);
        assert!((moved - 3.0).abs() < 0.01, "{kind:?} moved by {moved}");
    }
}
