//! Doors that open and shut while hunters are on their way: a door is just a collider.
//!
//! Shut a door in front of the hunters, and they take another path. If there is no other path, they come as near as
//! they can, and wait. Open a door, and they come through it. No call is needed: Pursuit notices when a collider is
//! enabled or disabled.
//!
//! | Key | |
//! |---|---|
//! | left click | open or shut a door |
//! | space | open or shut the nearest door |
//! | W A S D, arrows | walk |
//! | F1 | debug overlay |
//! | P, Escape | pause |

mod common;

use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_pursuit_debug::PursuitDebugPlugin;
use bevy_rapier2d::prelude::*;
use common::{
    Example, Figure, Level, Mood, Mouse, PALE, Prop, RADIUS, Steered, THINGS_Z, TILE, WALLS,
};

/// Distance from a door's middle within which it can be clicked, in world units.
const CLICK_DISTANCE: f32 = 28.;

pub(crate) fn main() -> AppExit {
    App::new()
        .add_plugins(Example {
            name: "doors",
            keys: "click  open, shut a door     space  the nearest     WASD  walk",
            level: include_str!("../assets/levels/doors.txt"),
            mood: Mood::SAND,
        })
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default())
        .add_plugins((PursuitPlugins::default(), PursuitDebugPlugin))
        .add_systems(Startup, setup)
        .add_systems(Update, (use_doors, show_who_waits))
        .run()
}

#[derive(Component)]
struct Door;

fn setup(mut commands: Commands, level: Res<Level>) {
    let grid = NavGrid::covering(level.bounds()).with_cell_size(8.);
    commands.spawn(grid.with_obstacles(WALLS));
    for (mark, turn) in [('/', 90f32), ('-', 0.)] {
        for at in level.find(mark) {
            commands.spawn((
                (Name::new("door"), Door),
                (Collider::cuboid(TILE / 2., TILE / 2.), ColliderDisabled),
                CollisionGroups::new(WALLS, Group::ALL),
                Prop('/'),
                Transform::from_translation(at.extend(THINGS_Z))
                    .with_rotation(Quat::from_rotation_z(turn.to_radians())),
            ));
        }
    }
    let player = common::player(&level, 140., "UVW");
    let player = commands.spawn(player).id();
    let agent = NavAgent::from_radius(RADIUS).with_speed(100.);
    for at in level.find('E') {
        let body = (Figure::HUNTER, common::agent_body(at));
        commands.spawn((agent, Chase::new(player), body));
    }
}

fn use_doors(
    mut commands: Commands,
    keys: Res<ButtonInput<KeyCode>>,
    mouse: Mouse,
    player: Single<&Transform, With<Steered>>,
    people: Query<&Transform, With<Figure>>,
    doors: Query<(Entity, &Transform, Has<ColliderDisabled>), With<Door>>,
) {
    let (at, reach) = match mouse.click() {
        Some(at) => (at, CLICK_DISTANCE),
        None if keys.just_pressed(KeyCode::Space) => (player.translation.truncate(), f32::MAX),
        None => return,
    };
    let gap = |door: &Transform| door.translation.truncate().distance(at);
    let nearest = doors.iter().min_by(|a, b| gap(a.1).total_cmp(&gap(b.1)));
    let Some((door, place, is_open)) = nearest.filter(|door| gap(door.1) <= reach) else {
        return;
    };
    // A door does not shut on anybody.
    let room = Vec2::splat(TILE / 2. + RADIUS);
    let room = Rect::from_center_half_size(place.translation.truncate(), room);
    let mut people = people.iter().map(|body| body.translation.truncate());
    if !is_open {
        commands.entity(door).insert((ColliderDisabled, Prop('/')));
    } else if !people.any(|at| room.contains(at)) {
        let mut door = commands.entity(door);
        door.remove::<ColliderDisabled>().insert(Prop('|'));
    }
}

/// Draws dots over hunters that cannot come any nearer.
fn show_who_waits(mut gizmos: Gizmos, hunters: Query<(&Transform, &Locomotion)>) {
    for (place, locomotion) in &hunters {
        if *locomotion == Locomotion::Waiting {
            let above = place.translation.truncate() + Vec2::new(0., 26.);
            gizmos.text_2d(above, "...", 22., Vec2::ZERO, PALE);
        }
    }
}
