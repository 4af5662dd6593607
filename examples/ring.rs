//! Hunters that stand around you and come one at a time: `Chase::surrounding`.
//!
//! The hunters spread evenly on a circle around the player, whatever side they came from, and step back as you come
//! near. Now and then a hunter leaps in: its `Chase` stops surrounding, and it runs faster until it reaches you. The
//! gap in the circle closes, and opens again.
//!
//! | Key | |
//! |---|---|
//! | W A S D, arrows | walk |
//! | F1 | debug overlay |
//! | P, Escape | pause |

mod common;

use std::time::Duration;

use bevy::prelude::*;
use bevy::time::common_conditions::on_timer;
use bevy_pursuit::prelude::*;
use bevy_pursuit_debug::PursuitDebugPlugin;
use bevy_rapier2d::prelude::*;
use common::{Example, Figure, Level, Mood, PALE, RADIUS, RED, Steered, WALLS};

/// Radius of the circle on which hunters wait, in world units.
const REACH: f32 = 100.;
/// Speed of a hunter on the circle, in world units per second.
const SPEED: f32 = 115.;
/// Speed of a leaping hunter, in world units per second.
const LEAP_SPEED: f32 = 260.;
/// Time from one leap to the next.
const LEAP_INTERVAL: Duration = Duration::from_millis(900);
/// Time after which a leaping hunter that has not reached the player goes back, in seconds.
const MAX_LEAP_SECONDS: f32 = 1.5;

pub(crate) fn main() -> AppExit {
    let leap = leap.run_if(on_timer(LEAP_INTERVAL));
    App::new()
        .add_plugins(Example {
            name: "ring",
            keys: "WASD  walk",
            level: include_str!("../assets/levels/ring.txt"),
            mood: Mood::MOSS,
        })
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default())
        .add_plugins((PursuitPlugins::default(), PursuitDebugPlugin))
        .add_systems(Startup, setup)
        .add_systems(Update, (leap, go_back, draw_circle).chain())
        .run()
}

/// On a leaping hunter: the seconds until it gives up.
#[derive(Component)]
struct Leap(f32);

fn setup(mut commands: Commands, level: Res<Level>) {
    let grid = NavGrid::covering(level.bounds()).with_cell_size(8.);
    commands.spawn(grid.with_obstacles(WALLS));
    let player = common::player(&level, 75., "UVWX");
    let obstacle = CrowdObstacle { radius: RADIUS };
    let player = commands.spawn((player, obstacle)).id();
    let agent = NavAgent::from_radius(RADIUS).with_speed(SPEED);
    let chase = Chase::new(player).with_reach(REACH).surrounding();
    for at in level.find('E') {
        commands.spawn((agent, chase, Figure::HUNTER, common::agent_body(at)));
    }
}

/// Makes a random hunter on the circle leap, unless another hunter is still leaping.
fn leap(
    mut commands: Commands,
    leaps: Query<(), With<Leap>>,
    mut hunters: Query<(Entity, &Locomotion, &mut Chase, &mut NavAgent), Without<Leap>>,
) {
    if !leaps.is_empty() {
        return;
    }
    let ready = hunters
        .iter_mut()
        .filter(|(_, it, ..)| **it == Locomotion::Arrived);
    let mut ready: Vec<_> = ready.collect();
    fastrand::shuffle(&mut ready);
    if let Some((hunter, _, mut chase, mut agent)) = ready.pop() {
        (chase.surround, chase.reach) = (false, None);
        *agent = agent.with_speed(LEAP_SPEED);
        commands.entity(hunter).insert(Leap(MAX_LEAP_SECONDS));
    }
}

/// Sends a leaping hunter back after it bites, or after a while. In the first 0.2 seconds of a leap, the hunter may
/// still be `Arrived` at its place on the circle, so this is not yet a bite.
fn go_back(
    mut commands: Commands,
    time: Res<Time>,
    mut leaps: Query<(Entity, &Locomotion, &mut Leap, &mut Chase, &mut NavAgent)>,
) {
    for (hunter, locomotion, mut leap, mut chase, mut agent) in &mut leaps {
        leap.0 -= time.delta_secs();
        let bites = *locomotion == Locomotion::Arrived && leap.0 < MAX_LEAP_SECONDS - 0.2;
        if bites || leap.0 < 0. {
            (chase.surround, chase.reach) = (true, Some(REACH));
            *agent = agent.with_speed(SPEED);
            commands.entity(hunter).remove::<Leap>();
        }
    }
}

/// Draws the circle, and a line from each leaping hunter to the player.
fn draw_circle(
    mut gizmos: Gizmos,
    player: Single<&Transform, With<Steered>>,
    leaps: Query<&Transform, With<Leap>>,
) {
    let center = player.translation.truncate();
    let circle = gizmos.circle_2d(center, REACH, PALE.with_alpha(0.35));
    circle.resolution(80);
    for place in &leaps {
        let (at, end) = (place.translation.truncate(), RED.with_alpha(0.));
        gizmos.line_gradient_2d(at, center, RED, end);
    }
}
