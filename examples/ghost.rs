//! Two grids over one level: `OnGrid` says which of them an agent walks on.
//!
//! One grid is baked from the walls, the other from nothing. The hunter takes the first and comes
//! around the walls. The ghost names the second, and comes straight through them.
//!
//! | Key | |
//! |---|---|
//! | W A S D, arrows | walk |
//! | F1 | debug overlay |
//! | P, Escape | pause |

use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_rapier2d::prelude::*;
use pursuit_examples::art::people::Costume;
use pursuit_examples::{bodies, demo::Demo, keys::Steered, paths::PathsPlugin};
use pursuit_examples::{stage::Stage, walls::OBSTACLES};

const DEMO: Demo = Demo {
    name: "ghost",
    shows: "the hunter goes around the walls, the ghost has a grid without any",
    keys: &[("WASD", "walk")],
    map: include_str!("../assets/levels/ghost.txt"),
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
    let grid = NavGrid::covering(stage.level.bounds()).with_node_radius(4.);
    let floor = commands.spawn(grid.with_obstacles(OBSTACLES)).id();
    let air = commands.spawn(grid.with_obstacles(Group::NONE)).id();

    let place = |mark| Transform::from_translation(stage.positions(mark)[0].extend(0.));
    let player = (
        Costume::Player,
        Steered { speed: 150. },
        bodies::player_body(),
    );
    let player = commands.spawn((player, place('P'))).id();
    let agent = NavAgent::from_radius(bodies::BODY_RADIUS).with_speed(70.);
    commands.spawn((
        Costume::Hunter,
        agent,
        (Chase::new(player), OnGrid(floor)),
        bodies::walker_body(),
        place('E'),
    ));
    // No collider: physics knows nothing of grids, and would hold it off the walls.
    commands.spawn((
        Costume::Ghost,
        agent,
        (Chase::new(player), OnGrid(air)),
        place('G'),
    ));
}
