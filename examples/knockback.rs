//! Blows that count: `NavDrive` says how firmly Pursuit holds a body.
//!
//! At a grip of 1, a beetle walks exactly as planned, and no blow moves it. At 0.2, a blow throws it. It slides and
//! comes back, since Pursuit plans a path from wherever it lands. `NavTurn` turns a beetle toward where it wants to go,
//! so that it faces you even while it flies backward.
//!
//! | Key | |
//! |---|---|
//! | space, left click | strike |
//! | W A S D, arrows | walk |
//! | F1 | debug overlay |
//! | P, Escape | pause |

mod common;

use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_pursuit_debug::PursuitDebugPlugin;
use bevy_rapier2d::prelude::*;
use common::{Example, Figure, Level, Mood, Mouse, PALE, RADIUS, Steered, WALLS, Wave};

/// Radius of a blow, in world units.
const BLOW_RADIUS: f32 = 150.;
/// Speed that a blow gives to a beetle in its center, in world units per second.
const BLOW_SPEED: f32 = 560.;
/// Time for which a blow is shown, in seconds.
const BLOW_SECONDS: f32 = 0.6;

pub(crate) fn main() -> AppExit {
    App::new()
        .add_plugins(Example {
            name: "knockback",
            keys: "space  strike     WASD  walk",
            level: include_str!("../assets/levels/knockback.txt"),
            mood: Mood::SAND,
        })
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default())
        .add_plugins((PursuitPlugins::default(), PursuitDebugPlugin))
        .add_systems(Startup, setup)
        .add_systems(Update, (strike, draw_streaks))
        .run()
}

fn setup(mut commands: Commands, level: Res<Level>) {
    let grid = NavGrid::covering(level.bounds()).with_cell_size(8.);
    commands.spawn(grid.with_obstacles(WALLS));

    let player = common::player(&level, 150., "UVWX");
    let player = commands.spawn(player).id();
    for at in level.find('E') {
        let agent = NavAgent::from_radius(RADIUS).with_speed(100.);
        commands.spawn((
            agent.with_acceleration(2500.),
            NavDrive::Grip(0.2),
            NavTurn::new(7.).with_forward(Vec2::Y),
            Chase::new(player),
            (Figure::BEETLE, common::agent_body(at)),
        ));
    }
}

fn strike(
    mut commands: Commands,
    keys: Res<ButtonInput<KeyCode>>,
    mouse: Mouse,
    player: Single<&Transform, With<Steered>>,
    mut beetles: Query<(&Transform, &mut Velocity), With<NavAgent>>,
) {
    if !keys.just_pressed(KeyCode::Space) && mouse.click().is_none() {
        return;
    }
    let center = player.translation;
    let wave = Wave::new(BLOW_RADIUS, BLOW_SECONDS);
    commands.spawn((wave, Transform::from_translation(center)));
    for (beetle, mut velocity) in &mut beetles {
        let away = (beetle.translation - center).truncate();
        let share = (1. - away.length() / BLOW_RADIUS).max(0.);
        velocity.linear += BLOW_SPEED * share.sqrt() * away.normalize_or(Vec2::Y);
    }
}

/// Draws streaks behind a beetle that is faster than it can walk.
fn draw_streaks(mut gizmos: Gizmos, beetles: Query<(&Transform, &Velocity, &NavAgent)>) {
    for (place, velocity, agent) in &beetles {
        if velocity.linear.length() > 1.2 * agent.speed {
            let (at, back) = (place.translation.truncate(), -0.16 * velocity.linear);
            for side in [-0.3, 0., 0.3] {
                let from = at + 0.3 * back + side * back.perp().normalize_or_zero() * 2. * RADIUS;
                gizmos.line_gradient_2d(from, from + back, PALE, PALE.with_alpha(0.));
            }
        }
    }
}
