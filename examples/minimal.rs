//! The smallest game: walls, a player, and an enemy that chases the player. Copy it, and build your game on it.
//!
//! It uses Bevy, Rapier, Pursuit and its overlay, and nothing else. The walls are Rapier colliders in one collision
//! group, a `NavGrid` covers them, and the enemy is a `NavAgent` with a `Chase`. A line shows its path.
//!
//! Without a display it uses `MinimalPlugins`, which log nothing. Add `LogPlugin::default()` to see Pursuit's warnings.
//!
//! | Key | |
//! |---|---|
//! | W A S D | walk |
//! | F1 | debug overlay |

use std::time::Duration;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::inspect::PathCursor;
use bevy_pursuit::prelude::*;
use bevy_pursuit_debug::PursuitDebugPlugin;
use bevy_rapier2d::prelude::*;

// Takes the pictures for the README. When you copy this file, delete these lines, and `shots::plugin` below.
#[path = "common/shots.rs"]
mod shots;

const WALLS: Group = Group::GROUP_1;
/// Radius of both bodies, in world units.
const RADIUS: f32 = 20.;
const YELLOW: Color = Color::srgb(1., 0.82, 0.3);
const RED: Color = Color::srgb(0.9, 0.28, 0.3);

pub(crate) fn main() -> AppExit {
    // Without a display, `DefaultPlugins` would panic, so the chase runs without a window until the enemy arrives.
    let has_display = ["DISPLAY", "WAYLAND_DISPLAY"].map(std::env::var_os) != [None, None];
    let mut app = App::new();
    if cfg!(target_os = "linux") && !has_display {
        let frame = TimeUpdateStrategy::ManualDuration(Duration::from_secs(1) / 60);
        app.add_plugins((MinimalPlugins, TransformPlugin))
            .insert_resource(frame)
            .add_observer(exit_at_the_player);
    } else {
        app.add_plugins((DefaultPlugins, PursuitDebugPlugin, shots::plugin))
            .insert_resource(ClearColor(Color::srgb(0.16, 0.18, 0.24)))
            .add_systems(PostStartup, draw_bodies)
            .add_systems(Update, (walk, draw_path));
    }
    app.add_plugins(RapierPhysicsPlugin::<NoUserData>::default())
        .add_plugins(PursuitPlugins::default())
        .add_systems(Startup, setup)
        .run()
}

#[derive(Component)]
struct Player;

fn setup(mut commands: Commands) {
    commands.spawn(Camera2d);
    // Middle and size of each wall, in world units.
    for (x, y, width, height) in [
        (0., 340., 1240., 20.),
        (0., -340., 1240., 20.),
        (-610., 0., 20., 700.),
        (610., 0., 20., 700.),
        (-250., -60., 20., 560.),
        (250., 60., 20., 560.),
        (0., 0., 200., 60.),
    ] {
        commands.spawn((
            Collider::cuboid(width / 2., height / 2.),
            CollisionGroups::new(WALLS, Group::ALL),
            Sprite::from_color(Color::srgb(0.85, 0.8, 0.7), Vec2::new(width, height)),
            Transform::from_xyz(x, y, 0.),
        ));
    }
    commands.spawn(NavGrid::covering(Rect::new(-620., -350., 620., 350.)).with_obstacles(WALLS));

    let body = (RigidBody::Dynamic, Collider::ball(RADIUS), Velocity::zero());
    let seen_from_above = (GravityScale(0.), LockedAxes::ROTATION_LOCKED);
    let start = Transform::from_xyz(-450., -200., 1.);
    let player = commands.spawn((Player, body, seen_from_above, start)).id();
    commands.spawn((
        NavAgent::from_radius(RADIUS).with_speed(200.),
        Chase::new(player),
        Transform::from_xyz(450., 200., 1.),
    ));
}

fn walk(keys: Res<ButtonInput<KeyCode>>, mut player: Single<&mut Velocity, With<Player>>) {
    let axis = |more, less| f32::from(keys.pressed(more)) - f32::from(keys.pressed(less));
    let direction = Vec2::new(
        axis(KeyCode::KeyD, KeyCode::KeyA),
        axis(KeyCode::KeyW, KeyCode::KeyS),
    );
    player.linear = 250. * direction.normalize_or_zero();
}

/// Draws both bodies as discs.
fn draw_bodies(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
    bodies: Query<(Entity, Has<Player>), Or<(With<Player>, With<NavAgent>)>>,
) {
    let disc = meshes.add(Circle::new(RADIUS));
    for (body, is_player) in &bodies {
        let color = materials.add(if is_player { YELLOW } else { RED });
        let look = (Mesh2d(disc.clone()), MeshMaterial2d(color));
        commands.entity(body).insert(look);
    }
}

/// Draws the remaining path of each enemy.
fn draw_path(mut gizmos: Gizmos, enemies: Query<(&Transform, &NavPath, &PathCursor)>) {
    for (place, path, cursor) in &enemies {
        let ahead = path.waypoints().skip(cursor.next());
        gizmos.linestrip(std::iter::once(place.translation).chain(ahead), RED);
    }
}

fn exit_at_the_player(_: On<GoalReached>, time: Res<Time>, mut exit: MessageWriter<AppExit>) {
    let seconds = time.elapsed_secs();
    eprintln!("There is no display. The enemy caught the player after {seconds:.1} s.");
    exit.write(AppExit::Success);
}
