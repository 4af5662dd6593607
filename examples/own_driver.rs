//! A driver of your own: the stage that moves bodies is disabled, and the game does it.
//!
//! Pursuit goes on to bake, plan and follow. In `DesiredVelocity` it says where each agent wants to go
//! now, in world units per second. These leap there: half of the time they rest.
//!
//! | Key | |
//! |---|---|
//! | W A S D, arrows | walk |
//! | F1 | debug overlay |
//! | P, Escape | pause |

use bevy::prelude::*;
use bevy_pursuit::plugins::DrivePlugin;
use bevy_pursuit::prelude::*;
use bevy_rapier2d::prelude::*;
use pursuit_examples::art::{palette, people::Costume};
use pursuit_examples::{bodies, demo::Demo, keys::Steered, paths::PathsPlugin, sketch::Sketch};
use pursuit_examples::{stage::Stage, walls::OBSTACLES};

/// Seconds from one leap to the next.
const PERIOD: f32 = 0.56;
/// Seconds that dust lies where somebody landed.
const DUST: f32 = 3.;

const DEMO: Demo = Demo {
    name: "own driver",
    shows: "Pursuit says where to, and the game moves them: they leap",
    keys: &[("WASD", "walk")],
    map: include_str!("../assets/levels/own_driver.txt"),
    script: &[],
};

fn main() -> AppExit {
    let pursuit = PursuitPlugins::default().in_fixed_schedule();
    App::new()
        .add_plugins((DEMO, PathsPlugin))
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default().in_fixed_schedule())
        .add_plugins(pursuit.build().disable::<DrivePlugin>())
        .add_systems(Startup, setup)
        .add_systems(FixedUpdate, leap.after(PursuitSystems::Follow))
        .add_systems(Update, draw_dust)
        .run()
}

#[derive(Component)]
struct Leap(Timer);

/// Where somebody landed, so many seconds ago.
#[derive(Component)]
struct Dust(f32);

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
    for (number, at) in stage.positions('E').into_iter().enumerate() {
        let mut period = Timer::from_seconds(PERIOD, TimerMode::Repeating);
        period.set_elapsed(period.duration().mul_f32(0.3 * number as f32));
        commands.spawn((
            Costume::Hunter,
            Leap(period),
            NavAgent::from_radius(bodies::BODY_RADIUS).with_speed(120.),
            Chase::new(player),
            place(at),
        ));
    }
}

/// The driver.
fn leap(
    mut commands: Commands,
    time: Res<Time>,
    mut leapers: Query<(&mut Transform, &DesiredVelocity, &mut Leap)>,
) {
    for (mut transform, velocity, mut leap) in &mut leapers {
        let was_up = leap.0.fraction() < 0.5;
        leap.0.tick(time.delta());
        let is_up = leap.0.fraction() < 0.5;
        if is_up {
            transform.translation += (velocity.0 * time.delta_secs()).extend(0.);
        }
        if was_up && !is_up && velocity.0 != Vec2::ZERO {
            commands.spawn((Dust(0.), *transform));
        }
    }
}

fn draw_dust(
    mut commands: Commands,
    time: Res<Time>,
    mut sketch: ResMut<Sketch>,
    mut landings: Query<(Entity, &mut Dust, &Transform)>,
) {
    for (entity, mut dust, transform) in &mut landings {
        dust.0 += time.delta_secs();
        if dust.0 > DUST {
            commands.entity(entity).despawn();
            continue;
        }
        let at = transform.translation.truncate() - Vec2::Y * 9.;
        let size = 10. + 6. * (1. - (-5. * dust.0).exp());
        let color = palette::LINEN.with_alpha(0.4 * (1. - dust.0 / DUST));
        sketch.floor.ellipse(at, size * Vec2::new(1., 0.6), color);
    }
}
