//! A driver of your own: the stage that moves bodies is disabled, and the game moves them.
//!
//! Pursuit still bakes, plans and follows. `DesiredVelocity` is the velocity that it wants for each agent, in world
//! units per second. These agents move in leaps, and rest half of the time.
//!
//! | Key | |
//! |---|---|
//! | W A S D, arrows | walk |
//! | F1 | debug overlay |
//! | P, Escape | pause |

mod common;

use bevy::prelude::*;
use bevy_pursuit::DesiredVelocity;
use bevy_pursuit::plugins::DrivePlugin;
use bevy_pursuit::prelude::*;
use bevy_pursuit_debug::PursuitDebugPlugin;
use bevy_rapier2d::prelude::*;
use common::{Example, Figure, Level, Mood, PALE, Prop, RADIUS, WALLS};

/// Time from one leap to the next, in seconds.
const LEAP_INTERVAL_SECONDS: f32 = 0.56;
/// Time that dust stays where an agent landed, in seconds.
const DUST_SECONDS: f32 = 3.;

pub(crate) fn main() -> AppExit {
    let drive = (leap, fade_dust).chain();
    App::new()
        .add_plugins(Example {
            name: "own driver",
            keys: "WASD  walk",
            level: include_str!("../assets/levels/own_driver.txt"),
            mood: Mood::AUTUMN,
        })
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default())
        .add_plugins(PursuitPlugins::default().build().disable::<DrivePlugin>())
        .add_plugins(PursuitDebugPlugin)
        .add_systems(Startup, setup)
        .add_systems(PostUpdate, drive.after(PursuitSystems::Avoid))
        .run()
}

#[derive(Component)]
struct Leap(Timer);

#[derive(Component)]
struct Dust;

fn setup(mut commands: Commands, level: Res<Level>) {
    let grid = NavGrid::covering(level.bounds()).with_cell_size(8.);
    commands.spawn(grid.with_obstacles(WALLS));

    let player = commands.spawn(common::player(&level, 150., "")).id();
    for (number, at) in level.find('E').into_iter().enumerate() {
        let mut period = Timer::from_seconds(LEAP_INTERVAL_SECONDS, TimerMode::Repeating);
        // Different phases, so that the agents do not all leap at the same time.
        period.set_elapsed(period.duration().mul_f32(0.3 * number as f32 % 1.));
        commands.spawn((
            Leap(period),
            NavAgent::from_radius(RADIUS).with_speed(120.),
            Chase::new(player),
            Figure::HUNTER,
            Transform::from_translation(at.extend(0.)),
        ));
    }
}

/// Moves the agents. An agent that has just landed leaves dust.
fn leap(
    mut commands: Commands,
    time: Res<Time>,
    mut leapers: Query<(&mut Transform, &DesiredVelocity, &mut Leap)>,
) {
    for (mut place, velocity, mut leap) in &mut leapers {
        let was_up = leap.0.fraction() < 0.5;
        leap.0.tick(time.delta());
        let is_up = leap.0.fraction() < 0.5;
        if is_up {
            place.translation += velocity.0 * time.delta_secs();
        } else if was_up && velocity.0 != Vec3::ZERO {
            let feet = Transform::from_translation(place.translation + Vec3::new(0., -9., 2.));
            let flat = Vec3::new(0.24, 0.15, 1.);
            commands.spawn((Dust, Prop('*'), feet.with_scale(flat)));
        }
    }
}

fn fade_dust(
    mut commands: Commands,
    time: Res<Time>,
    mut clouds: Query<(Entity, &mut Sprite), With<Dust>>,
) {
    for (entity, mut sprite) in &mut clouds {
        let alpha = sprite.color.alpha().min(0.4) - 0.4 * time.delta_secs() / DUST_SECONDS;
        if alpha <= 0. {
            commands.entity(entity).despawn();
        }
        sprite.color = PALE.with_alpha(alpha);
    }
}
