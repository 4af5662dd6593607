//! The quick start, with something to look at: a hunter comes after the player, around the walls.
//!
//! The level is made of Rapier colliders in the group `OBSTACLES`. One `NavGrid` lies over it, the
//! hunter is a `NavAgent` with a `Chase`: that is all there is to it. Everything moves in the fixed
//! schedule; a `Look` is a picture that glides between two ticks.
//!
//! | Key | |
//! |---|---|
//! | W A S D, arrows | walk |
//! | F1 | debug overlay |
//! | P, Escape | pause |

use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_rapier2d::prelude::*;
use pursuit_examples::{art::people::Look, bodies, demo::Demo, keys::Steered, paths::PathsPlugin};
use pursuit_examples::{stage::Stage, walls::OBSTACLES};

const DEMO: Demo = Demo {
    name: "minimal",
    shows: "a hunter comes after the player, around the walls",
    keys: &[("WASD", "walk")],
    map: include_str!("../assets/levels/minimal.txt"),
    script: &[],
};

fn main() -> AppExit {
    App::new()
        .add_plugins((DEMO, PathsPlugin))
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default().in_fixed_schedule())
        .add_plugins(PursuitPlugins::default().in_fixed_schedule())
        .add_systems(Startup, setup)
        .run()
}

fn setup(mut commands: Commands, stage: Res<Stage>) {
    commands.spawn(NavGrid::covering(stage.level.bounds()).with_obstacles(OBSTACLES));
    let player = commands
        .spawn((
            Look::Player,
            Steered { speed: 150. },
            bodies::player_body(),
            Transform::from_xyz(-250., -85., 0.),
        ))
        .id();
    commands.spawn((
        Look::Hunter,
        NavAgent::from_radius(bodies::BODY_RADIUS).with_speed(88.),
        Chase::new(player),
        Transform::from_xyz(260., 90., 0.),
    ));
}
