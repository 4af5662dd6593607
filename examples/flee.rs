//! Sheep that run from the player: `Flee`.
//!
//! A sheep runs when the player comes too near. It runs where the player takes longest to follow on foot: around a
//! fence or through a gate, and not into a dead end.
//!
//! | Key | |
//! |---|---|
//! | W A S D, arrows | walk |
//! | F1 | debug overlay |
//! | P, Escape | pause |

mod common;

use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_pursuit_debug::PursuitDebugPlugin;
use bevy_rapier2d::prelude::*;
use common::{Example, Figure, GOLD, Level, Mood, RADIUS, RED, Steered, WALLS};

/// Distance from the player at which a sheep starts to run, in world units.
const FLEE_DISTANCE: f32 = 130.;

pub(crate) fn main() -> AppExit {
    App::new()
        .add_plugins(Example {
            name: "flee",
            keys: "WASD  herd the sheep",
            level: include_str!("../assets/levels/flee.txt"),
            mood: Mood::AUTUMN,
        })
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default())
        .add_plugins((PursuitPlugins::default(), PursuitDebugPlugin))
        .add_systems(Startup, setup)
        .add_systems(Update, show_fright)
        .run()
}

fn setup(mut commands: Commands, level: Res<Level>) {
    let grid = NavGrid::covering(level.bounds()).with_cell_size(8.);
    commands.spawn(grid.with_obstacles(WALLS));

    let player = common::player(&level, 120., "UVWXWV");
    let player = commands.spawn(player).id();
    let agent = NavAgent::from_radius(RADIUS).with_speed(135.);
    for at in level.find('S') {
        let body = (Figure::SHEEP, common::agent_body(at));
        commands.spawn((agent, Flee::new(player, FLEE_DISTANCE), body));
    }
}

/// Draws the circle that sheep keep out of, and a mark over each running sheep.
fn show_fright(
    mut gizmos: Gizmos,
    player: Single<&Transform, With<Steered>>,
    sheep: Query<(&Transform, &Locomotion), With<Flee>>,
) {
    let center = player.translation.truncate();
    gizmos.circle_2d(center, FLEE_DISTANCE, GOLD).resolution(80);
    for (place, locomotion) in &sheep {
        if *locomotion == Locomotion::Moving {
            let above = place.translation.truncate() + Vec2::new(0., 28.);
            gizmos.text_2d(above, "!", 20., Vec2::ZERO, RED);
        }
    }
}
