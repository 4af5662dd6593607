//! Blows that count: `NavDrive` says how firmly Pursuit holds a body.
//!
//! At a grip of 1 a beetle walks exactly as planned, and no blow moves it. At 0.2 the blow of the
//! space bar throws it, it slides, and comes back: Pursuit plans its way from wherever it lands.
//! `NavTurn` turns a beetle to where it wants to go, so it faces you also while it flies backward.
//!
//! | Key | |
//! |---|---|
//! | space, left click | strike |
//! | W A S D, arrows | walk |
//! | F1 | debug overlay |
//! | P, Escape | pause |

use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_rapier2d::prelude::*;
use pursuit_examples::art::{palette, people::Costume};
use pursuit_examples::pointer::{Act, Pointer};
use pursuit_examples::{bodies, demo::Demo, keys::Steered, sketch::Sketch, smooth::Smooth};
use pursuit_examples::{stage::Stage, walls::OBSTACLES};

/// How far a blow reaches, in world units, and the speed that it gives in its middle.
const REACH: f32 = 150.;
const BLOW: f32 = 560.;

const DEMO: Demo = Demo {
    name: "knockback",
    shows: "a blow throws the beetles back, and they come again",
    keys: &[("space", "strike"), ("WASD", "walk")],
    map: include_str!("../assets/levels/knockback.txt"),
    script: &[
        (4.78, Act::Hold(KeyCode::Space)),
        (4.96, Act::Release(KeyCode::Space)),
    ],
};

fn main() -> AppExit {
    App::new()
        .add_plugins(DEMO)
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default().in_fixed_schedule())
        .add_plugins(PursuitPlugins::default().in_fixed_schedule())
        .add_systems(Startup, setup)
        .add_systems(Update, (strike, draw_waves, draw_streaks))
        .run()
}

/// A blow that is seconds old.
#[derive(Component)]
struct Wave(f32);

fn setup(mut commands: Commands, stage: Res<Stage>) {
    let grid = NavGrid::covering(stage.level.bounds()).with_node_radius(4.);
    commands.spawn(grid.with_obstacles(OBSTACLES));
    let place = |at: Vec2| Transform::from_translation(at.extend(0.));
    let player = (
        Costume::Player,
        Steered { speed: 150. },
        bodies::player_body(),
    );
    let player = commands
        .spawn((player, place(stage.positions('P')[0])))
        .id();
    for at in stage.positions('E') {
        commands.spawn((
            Costume::Beetle,
            NavAgent::from_radius(bodies::BODY_RADIUS)
                .with_speed(100.)
                .with_acceleration(2500.),
            NavDrive::new(0.2),
            NavTurn::new(7.).with_forward(Vec2::Y),
            Chase::new(player),
            bodies::walker_body(),
            place(at),
        ));
    }
}

fn strike(
    mut commands: Commands,
    keys: Res<ButtonInput<KeyCode>>,
    pointer: Res<Pointer>,
    player: Single<&Transform, With<Steered>>,
    mut beetles: Query<(&Transform, &mut Velocity), With<NavAgent>>,
) {
    if !keys.just_pressed(KeyCode::Space) && !pointer.clicked {
        return;
    }
    let center = player.translation;
    commands.spawn((Wave(0.), Transform::from_translation(center)));
    for (beetle, mut velocity) in &mut beetles {
        let away = (beetle.translation - center).truncate();
        let share = (1. - away.length() / REACH).max(0.);
        velocity.linear += BLOW * share.sqrt() * away.normalize_or(Vec2::Y);
    }
}

/// Rings that run to the reach of the blow, and fade.
fn draw_waves(
    mut commands: Commands,
    time: Res<Time>,
    mut sketch: ResMut<Sketch>,
    mut waves: Query<(Entity, &mut Wave, &Transform)>,
) {
    const SECONDS: f32 = 0.6;
    for (entity, mut wave, transform) in &mut waves {
        wave.0 += time.delta_secs();
        let age = wave.0 / SECONDS;
        if age >= 1. {
            commands.entity(entity).despawn();
            continue;
        }
        let center = transform.translation.truncate();
        let grown = 1. - (1. - age) * (1. - age);
        for (lag, color) in [
            (1., palette::PLAYER_LIGHT),
            (0.8, palette::PLAYER),
            (0.6, palette::HUNTER_LIGHT),
        ] {
            let radius = REACH * grown * lag;
            let width = 16. * lag * (1. - age);
            let color = color.with_alpha(0.75 * (1. - age));
            sketch
                .floor
                .ring(center, (radius - width).max(0.), radius, color);
        }
    }
}

/// Streaks behind whoever is faster than it could walk.
fn draw_streaks(
    time: Res<Time<Fixed>>,
    mut sketch: ResMut<Sketch>,
    pictures: Query<(&ChildOf, &Smooth)>,
    beetles: Query<(&Velocity, &NavAgent)>,
) {
    for (body, smooth) in &pictures {
        let Ok((velocity, agent)) = beetles.get(body.parent()) else {
            continue;
        };
        if velocity.linear.length() > 1.2 * agent.speed {
            let at = smooth.place(time.overstep_fraction()).truncate();
            sketch.streak(at, velocity.linear);
        }
    }
}
