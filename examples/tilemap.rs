//! A level from text, as one grid: `#` is a wall, `~` is mud, `.` is floor. Any tile can change while hunters are on
//! their way.
//!
//! All walls are one collider, and all mud is another, since bodies stumble over the seams between colliders. When a
//! tile changes, the game inserts a new collider. It calls nothing: Pursuit bakes the difference, and hunters whose
//! path is affected take another one.
//!
//! | Key | |
//! |---|---|
//! | left click | change a tile to a wall, to mud, to floor, in turn |
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
use common::{Example, Figure, GOLD, Level, Mood, Mouse, RADIUS, SoftGround, TILE, WALLS, Walls};

/// The tile of a door that opens and shuts by itself.
const DOOR_TILE: IVec2 = IVec2::new(13, 8);
const DOOR_PERIOD: Duration = Duration::from_millis(1500);

pub(crate) fn main() -> AppExit {
    let toggle_door = toggle_door.run_if(on_timer(DOOR_PERIOD));
    let rebuild_colliders = rebuild_colliders.run_if(resource_changed::<Level>);
    App::new()
        .add_plugins(Example {
            name: "tilemap",
            keys: "click  wall, mud, floor     WASD  walk",
            level: include_str!("../assets/levels/tilemap.txt"),
            mood: Mood::SAND,
        })
        .add_plugins(RapierPhysicsPlugin::<NoUserData>::default())
        .add_plugins((PursuitPlugins::default(), PursuitDebugPlugin))
        .add_systems(Startup, setup)
        .add_systems(Update, (toggle_door, edit_tile, rebuild_colliders).chain())
        .run()
}

fn setup(mut commands: Commands, level: Res<Level>, mut areas: ResMut<NavAreas>) {
    // One cell for each tile would be enough for bodies with a radius of up to half a tile. With four cells along a
    // tile's side, paths around corners are shorter.
    let grid = NavGrid::covering(level.bounds()).with_cell_size(TILE / 4.);
    commands.spawn(grid.with_obstacles(WALLS));

    let mud = areas.add("mud", 4., Color::srgb(0.55, 0.25, 0.1));
    commands.spawn((
        NavArea::new(mud),
        SoftGround('~', Color::srgb(0.5, 0.37, 0.26)),
        level.collider_of(|tile| level.mark(tile) == '~'),
        (Sensor, CollisionGroups::new(WALLS, Group::ALL)),
    ));
    let player = commands.spawn(common::player(&level, 140., "")).id();
    let agent = NavAgent::from_radius(RADIUS).with_speed(110.);
    for at in level.find('E') {
        let body = (Figure::HUNTER, common::agent_body(at));
        commands.spawn((agent, Chase::new(player), body));
    }
}

fn toggle_door(mut level: ResMut<Level>) {
    let mark = if level.is_wall(DOOR_TILE) { '.' } else { '#' };
    level.set(DOOR_TILE, mark);
}

/// Frames the tile under the mouse, and changes it on a click unless somebody stands there.
fn edit_tile(
    mut gizmos: Gizmos,
    mouse: Mouse,
    mut level: ResMut<Level>,
    people: Query<&Transform, With<Figure>>,
) {
    let Some(tile) = mouse.at().map(|at| level.tile_at(at)) else {
        return;
    };
    let (middle, room) = (level.center(tile), Vec2::splat(TILE / 2. + RADIUS));
    gizmos.rect_2d(middle, Vec2::splat(TILE), GOLD);
    let room = Rect::from_center_half_size(middle, room);
    let is_free = !people
        .iter()
        .any(|body| room.contains(body.translation.truncate()));
    if mouse.click().is_some() && is_free {
        let next = match level.mark(tile) {
            '#' => '~',
            '~' => '.',
            _ => '#',
        };
        level.set(tile, next);
    }
}

/// Replaces the colliders when the level has changed.
fn rebuild_colliders(
    mut commands: Commands,
    level: Res<Level>,
    walls: Single<Entity, With<Walls>>,
    mud: Single<Entity, With<NavArea>>,
) {
    let solid = level.collider_of(|tile| level.is_wall(tile));
    commands.entity(*walls).insert(solid);
    let soft = level.collider_of(|tile| level.mark(tile) == '~');
    commands.entity(*mud).insert(soft);
}
