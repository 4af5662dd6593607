//! How firmly bodies are driven, and what is left to the game.

use super::{KINDS, Kind, driven, want, way};
use crate::common::*;

#[test]
fn a_body_of_low_grip_comes_up_to_speed_and_to_rest() {
    let (mut app, agent) = driven(Kind::Dynamic);
    let grip = 0.2;
    give(&mut app, agent, NavDrive::Grip(grip));
    // Full acceleration takes 0.3 s.
    run(&mut app, 18);
    let speed = get::<Velocity>(&app, agent).linear.x;
    assert!((1.4..1.8).contains(&speed), "{speed} after a fifth");
    run(&mut app, 75);
    assert_eq!(get::<Velocity>(&app, agent).linear, Vec2::X * 8.0);
    want(&mut app, agent, Vec2::ZERO);
    run(&mut app, 95);
    assert_eq!(way(&mut app, agent, 10), 0.0);
}

#[test]
fn a_grip_of_zero_leaves_every_body_to_the_game() {
    for kind in KINDS {
        let (mut app, agent) = driven(kind);
        give(&mut app, agent, NavDrive::Manual);
        assert_eq!(way(&mut app, agent, 30), 0.0, "{kind:?}");
        if let Some(mut velocity) = app.world_mut().get_mut::<Velocity>(agent) {
            velocity.linear = Vec2::Y * 3.0;
            let way = way(&mut app, agent, 60);
            assert!((way - 3.0).abs() < 0.01, "{kind:?} went {way}");
        }
    }
}

#[test]
fn a_grip_that_makes_no_sense_counts_as_full() {
    for grip in [f32::NAN, -1.0, 2.0, f32::INFINITY] {
        let (mut app, agent) = driven(Kind::Dynamic);
        give(&mut app, agent, NavDrive::Grip(grip));
        run(&mut app, 2);
        assert_eq!(get::<Velocity>(&app, agent).linear, Vec2::X * 8.0);
    }
}

#[test]
fn a_velocity_that_the_game_sets_on_an_agent_that_wants_nothing_stays() {
    for kind in [Kind::Velocity, Kind::Dynamic] {
        let (mut app, agent) = driven(kind);
        run(&mut app, 10);
        want(&mut app, agent, Vec2::ZERO);
        run(&mut app, 1);
        assert_eq!(way(&mut app, agent, 30), 0.0, "{kind:?} is stopped once");
        get_mut::<Velocity>(&mut app, agent).linear = Vec2::Y * 3.0;
        let way = way(&mut app, agent, 60);
        assert!((way - 3.0).abs() < 0.01, "{kind:?} went {way}");
    }
}
