//! All that a game needs: walls, a player, an enemy that comes. Copy it, and go on from here.
//!
//! Bevy, Rapier and Pursuit, nothing else. The walls are Rapier colliders in one collision group, a
//! `NavGrid` lies over them, and the enemy is a `NavAgent` with a `Chase`.
//!
//! | Key | |
//! |---|---|
//! | W A S D | walk |
//! | F1 | what Pursuit sees: the overlay |

use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_pursuit_debug::PursuitDebugPlugin;
use bevy_rapier2d::prelude::*;

const WALLS: Group = Group::GROUP_1;
/// Radius of both bodies, in world units.
const RADIUS: f32 = 20.;

fn main() -> AppExit {
    App::new()
        .add_plugins(DefaultPlugins)
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default())
        .add_plugins((PursuitPlugins::default(), PursuitDebugPlugin))
        .insert_resource(ClearColor(Color::srgb(0.16, 0.18, 0.24)))
        .add_systems(Startup, setup)
        .add_systems(Update, walk)
        .run()
}

#[derive(Component)]
struct Player;

fn setup(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
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

    let disc = meshes.add(Circle::new(RADIUS));
    let yellow = materials.add(Color::srgb(1., 0.82, 0.3));
    let red = materials.add(Color::srgb(0.9, 0.28, 0.3));
    let player = commands.spawn((
        Player,
        (RigidBody::Dynamic, Collider::ball(RADIUS), Velocity::zero()),
        (GravityScale(0.), LockedAxes::ROTATION_LOCKED),
        (Mesh2d(disc.clone()), MeshMaterial2d(yellow)),
        Transform::from_xyz(-450., -200., 1.),
    ));
    let player = player.id();
    commands.spawn((
        NavAgent::from_radius(RADIUS).with_speed(200.),
        Chase::new(player),
        (Mesh2d(disc), MeshMaterial2d(red)),
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
