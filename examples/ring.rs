//! Hunters that stand around you and come one at a time: `Chase::surrounding`.
//!
//! Each has a place on a circle around the player, evenly, whatever side it came from, and steps back as you come near. Now
//! and then one leaps in: its `Chase` stops surrounding, and it runs faster, until it reaches you. The gap in the circle closes,
//! and opens again.
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
use common::{Example, Figure, Level, Mood, PALE, RADIUS, RED, Steered, Stroll, WALLS};

/// Distance of those who wait, in world units, and their speed; the speed of one that leaps in.
const REACH: f32 = 100.;
const SPEED: f32 = 115.;
const LEAP: f32 = 260.;
/// Seconds from one leap to the next, and after which one that reached nobody goes back.
const EACH: f32 = 0.9;
const LONGEST: f32 = 1.5;

pub(crate) fn main() -> AppExit {
    App::new()
        .add_plugins(Example {
            name: "ring",
            keys: "WASD  walk",
            level: include_str!("../assets/levels/ring.txt"),
            mood: Mood::MOSS,
        })
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default())
        .add_plugins((PursuitPlugins::default(), PursuitDebugPlugin))
        .insert_resource(Next(Timer::from_seconds(EACH, TimerMode::Repeating)))
        .add_systems(Startup, setup)
        .add_systems(Update, (leap, go_back, show).chain())
        .run()
}

/// When the next one leaps.
#[derive(Resource)]
struct Next(Timer);

/// One that leaps in, and the seconds that are left to it.
#[derive(Component)]
struct Leap(f32);

fn setup(mut commands: Commands, level: Res<Level>) {
    let grid = NavGrid::covering(level.bounds()).with_node_radius(4.);
    commands.spawn(grid.with_obstacles(WALLS));
    let player = commands
        .spawn((
            (common::player(75.), NavAvoided { radius: RADIUS }),
            Stroll(level.route("UVWX")),
            level.start('P'),
        ))
        .id();
    for at in level.find('E') {
        commands.spawn((
            NavAgent::from_radius(RADIUS).with_speed(SPEED),
            Chase::new(player).with_reach(REACH).surrounding(),
            (Figure::HUNTER, common::agent_body()),
            Transform::from_translation(at.extend(0.)),
        ));
    }
}

/// A random hunter of the circle leaps, unless another still does.
fn leap(
    mut commands: Commands,
    (time, mut next): (Res<Time>, ResMut<Next>),
    leaps: Query<(), With<Leap>>,
    mut hunters: Query<(Entity, &Locomotion, &mut Chase, &mut NavAgent), Without<Leap>>,
) {
    if !next.0.tick(time.delta()).just_finished() || !leaps.is_empty() {
        return;
    }
    let ready = hunters
        .iter_mut()
        .filter(|(_, it, ..)| **it == Locomotion::Arrived);
    let mut ready: Vec<_> = ready.collect();
    fastrand::shuffle(&mut ready);
    if let Some((one, _, mut chase, mut agent)) = ready.pop() {
        (chase.surround, chase.reach) = (false, None);
        *agent = agent.with_speed(LEAP);
        commands.entity(one).insert(Leap(LONGEST));
    }
}

/// Sends a hunter back after it bites, or after a while. In its first moments it is still `Arrived` in the circle.
fn go_back(
    mut commands: Commands,
    time: Res<Time>,
    mut leaps: Query<(Entity, &Locomotion, &mut Leap, &mut Chase, &mut NavAgent)>,
) {
    for (one, locomotion, mut leap, mut chase, mut agent) in &mut leaps {
        leap.0 -= time.delta_secs();
        let bites = *locomotion == Locomotion::Arrived && leap.0 < LONGEST - 0.2;
        if bites || leap.0 < 0. {
            (chase.surround, chase.reach) = (true, Some(REACH));
            *agent = agent.with_speed(SPEED);
            commands.entity(one).remove::<Leap>();
        }
    }
}

/// The circle, and who leaps.
fn show(
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
