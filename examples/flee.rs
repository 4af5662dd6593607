//! Sheep that run from the player: `Flee`.
//!
//! A sheep runs when the player comes nearer than its distance, to where the player is slowest to
//! follow on foot: around a fence, through a gate, and not into a pen from which no way leads on.
//!
//! | Key | |
//! |---|---|
//! | W A S D, arrows | walk |
//! | F1 | debug overlay |
//! | P, Escape | pause |

use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_rapier2d::prelude::*;
use pursuit_examples::art::{palette, people::Costume};
use pursuit_examples::pointer::Act;
use pursuit_examples::{bodies, demo::Demo, keys::Steered, paths::PathsPlugin, sketch::Sketch};
use pursuit_examples::{stage::Stage, walls::OBSTACLES};

/// Whom the player comes nearer than this runs, in world units.
const DISTANCE: f32 = 130.;

const DEMO: Demo = Demo {
    name: "flee",
    shows: "sheep keep away, and out of dead ends",
    keys: &[("WASD", "herd them")],
    map: include_str!("../assets/levels/flee.txt"),
    script: &[
        (2.9, Act::Hold(KeyCode::KeyD)),
        (5.6, Act::Release(KeyCode::KeyD)),
    ],
};

fn main() -> AppExit {
    App::new()
        .add_plugins((DEMO, PathsPlugin))
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default().in_fixed_schedule())
        .add_plugins(PursuitPlugins::default().in_fixed_schedule())
        .add_systems(Startup, setup)
        .add_systems(Update, draw_fright)
        .run()
}

fn setup(mut commands: Commands, stage: Res<Stage>) {
    let grid = NavGrid::covering(stage.level.bounds()).with_node_radius(4.);
    commands.spawn(grid.with_obstacles(OBSTACLES));
    let place = |at: Vec2| Transform::from_translation(at.extend(0.));
    let player = (
        Costume::Player,
        Steered { speed: 120. },
        bodies::player_body(),
    );
    let player = commands
        .spawn((player, place(stage.positions('P')[0])))
        .id();
    for at in stage.positions('S') {
        commands.spawn((
            Costume::Sheep,
            NavAgent::from_radius(bodies::BODY_RADIUS).with_speed(135.),
            Flee::new(player, DISTANCE),
            bodies::walker_body(),
            place(at),
        ));
    }
}

/// The circle that sheep keep out of, and a mark over those that run.
fn draw_fright(
    mut sketch: ResMut<Sketch>,
    player: Single<&Transform, With<Steered>>,
    sheep: Query<(&Transform, &Locomotion), With<Flee>>,
) {
    let center = player.translation.truncate();
    let color = palette::PLAYER_LIGHT;
    sketch.floor.disc(center, DISTANCE, color.with_alpha(0.08));
    sketch
        .floor
        .ring(center, DISTANCE - 1.5, DISTANCE, color.with_alpha(0.7));
    for (transform, locomotion) in &sheep {
        if *locomotion == Locomotion::Moving {
            let low = transform.translation.truncate() + Vec2::new(0., 19.);
            for (width, color) in [(3.4, palette::INK), (2., palette::HUNTER)] {
                sketch
                    .air
                    .capsule(low + Vec2::Y * 6., low + Vec2::Y * 13., width, color);
                sketch.air.disc(low, width, color);
            }
        }
    }
}
