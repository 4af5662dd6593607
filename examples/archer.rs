//! Archers that keep their distance: a `Chase` with a reach and `with_sight`, and a `Flee`.
//!
//! An archer runs until the player is within its reach *and* in sight. Then it is `Arrived`, and shoots. Hide behind a
//! wall, and it comes around the corner. Come too near, and it retreats. Water stops walkers but blocks no sight: it
//! is a forbidden `NavArea`, not a wall.
//!
//! | Key | |
//! |---|---|
//! | W A S D, arrows | walk or swim |
//! | F1 | debug overlay |
//! | P, Escape | pause |

mod common;

use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_pursuit_debug::PursuitDebugPlugin;
use bevy_rapier2d::prelude::*;
use common::{
    AIR_Z, Example, Figure, GOLD, Level, Mood, PALE, Prop, RADIUS, SoftGround, Steered, WALLS,
};

/// Range of an archer, in world units.
const REACH: f32 = 210.;
/// Distance from the player at which an archer retreats, in world units. A retreating archer stops at 1.25 times this
/// distance. That is still within [`REACH`], so it need not come back.
const RETREAT_DISTANCE: f32 = 110.;
/// Speed of an arrow, in world units per second.
const ARROW_SPEED: f32 = 260.;
/// Time from one arrow to the next, in seconds.
const RELOAD_SECONDS: f32 = 0.9;

pub(crate) fn main() -> AppExit {
    App::new()
        .add_plugins(Example {
            name: "archer",
            keys: "WASD  walk, swim, hide, come near",
            level: include_str!("../assets/levels/archer.txt"),
            mood: Mood::FROST,
        })
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default())
        .add_plugins((PursuitPlugins::default(), PursuitDebugPlugin))
        .add_systems(Startup, setup)
        .add_systems(Update, (shoot, move_arrows).chain())
        .run()
}

#[derive(Component)]
struct Bow(Timer);

/// An arrow in the air, with its velocity in world units per second.
#[derive(Component)]
struct Arrow(Vec2);

fn setup(mut commands: Commands, level: Res<Level>, mut areas: ResMut<NavAreas>) {
    let grid = NavGrid::covering(level.bounds()).with_cell_size(8.);
    commands.spawn(grid.with_obstacles(WALLS));
    let water = areas.add("water", f32::INFINITY, Color::srgb(0.1, 0.5, 1.));
    commands.spawn((
        NavArea::new(water),
        SoftGround('~', Color::srgb(0.42, 0.69, 0.8)),
        level.collider_of(|tile| level.mark(tile) == '~'),
        (Sensor, CollisionGroups::new(WALLS, Group::ALL)),
    ));

    let player = commands.spawn(common::player(&level, 150., "")).id();
    for (number, at) in level.find('A').into_iter().enumerate() {
        let mut reload = Timer::from_seconds(RELOAD_SECONDS, TimerMode::Repeating);
        // Different phases, so that the archers do not all shoot at the same time.
        reload.set_elapsed(reload.duration().mul_f32(0.3 * number as f32 % 1.));
        commands.spawn((
            Bow(reload),
            NavAgent::from_radius(RADIUS).with_speed(110.),
            Chase::new(player).with_reach(REACH).with_sight(),
            Flee::new(player, RETREAT_DISTANCE),
            (Figure::ARCHER, common::agent_body(at)),
        ));
    }
}

/// Shoots an arrow for each archer that has arrived. The player is then within reach and in sight; the kind of ground
/// in between does not matter.
fn shoot(
    mut commands: Commands,
    mut gizmos: Gizmos,
    time: Res<Time>,
    player: Single<&Transform, With<Steered>>,
    mut archers: Query<(&Transform, &Locomotion, &mut Bow)>,
) {
    let goal = player.translation.truncate();
    for (radius, color) in [(REACH, PALE), (RETREAT_DISTANCE, GOLD)] {
        gizmos
            .circle_2d(goal, radius, color.with_alpha(0.4))
            .resolution(80);
    }
    for (place, locomotion, mut bow) in &mut archers {
        if *locomotion != Locomotion::Arrived {
            continue;
        }
        let from = place.translation.truncate();
        gizmos.line_2d(from, goal, GOLD.with_alpha(0.3));
        if bow.0.tick(time.delta()).just_finished() {
            let aim = (goal - from).normalize_or_zero();
            commands.spawn((
                Arrow(ARROW_SPEED * aim),
                Prop('>'),
                Transform::from_translation((from + 16. * aim).extend(AIR_Z))
                    .with_rotation(Quat::from_rotation_z(aim.to_angle())),
            ));
        }
    }
}

/// Moves arrows until they hit the player or a wall.
fn move_arrows(
    mut commands: Commands,
    time: Res<Time>,
    navigation: Navigation,
    player: Single<&Transform, (With<Steered>, Without<Arrow>)>,
    mut arrows: Query<(Entity, &Arrow, &mut Transform)>,
) {
    for (arrow, velocity, mut place) in &mut arrows {
        place.translation += (velocity.0 * time.delta_secs()).extend(0.);
        let tip = place.translation.truncate();
        let hits = tip.distance(player.translation.truncate()) < RADIUS;
        let flies_on = navigation.what_blocks(tip, 1.) == Ok(Vec::new());
        if hits || !flies_on {
            commands.entity(arrow).despawn();
        }
    }
}
