//! The city: blocks side by side, mud, and gates that can be shut.

use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_rapier2d::prelude::*;

use super::common::{
    Level, Mouse, Prop, Steered, THINGS_Z, TILE, WALLS, just_pressed, prop_sprite,
};

const BLOCK_TEXT: &str = include_str!("../../assets/levels/horde.txt");
/// Number of hunters for each block, so that the streets do not fill up.
const HUNTERS_PER_BLOCK: f32 = 2500.;
/// Distance from the middle of a gate within which it can be clicked, in world units.
const CLICK_DISTANCE: f32 = 48.;
/// Distance within which two halves of a gate belong together, in world units.
const GATE_DISTANCE: f32 = 1.5 * TILE;
const MUD_COLOR: Color = Color::srgb(0.30, 0.20, 0.12);

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn_city)
        .add_systems(Update, use_gates);
}

/// The text of a level that has room for this number of agents: the block, repeated in rows and columns.
pub(crate) fn text(agents: u32) -> String {
    let side = (agents as f32 / HUNTERS_PER_BLOCK).sqrt().ceil() as usize;
    let rows = BLOCK_TEXT.lines().map(|row| row.repeat(side) + "\n");
    rows.collect::<String>().repeat(side)
}

#[derive(Component)]
struct Gate;

fn spawn_city(
    mut commands: Commands,
    level: Res<Level>,
    mut areas: ResMut<NavAreas>,
    assets: Res<AssetServer>,
) {
    let grid = NavGrid::covering(level.bounds()).with_cell_size(8.);
    commands.spawn(grid.with_obstacles(WALLS));
    let mud = areas.add("mud", 4., Color::srgb(0.55, 0.25, 0.1));
    commands.spawn((
        NavArea::new(mud),
        level.collider_of(|tile| level.mark(tile) == '%'),
        (Sensor, CollisionGroups::new(WALLS, Group::ALL)),
    ));
    for (number, at) in level.find('%').into_iter().enumerate() {
        // Discs of many sizes run into one another.
        let mut look = prop_sprite(&assets, '*');
        look.color = MUD_COLOR;
        let scale = 0.42 + 0.16 * (number as f32 * 2.4).sin();
        let place = Transform::from_translation(at.extend(1.2));
        commands.spawn((look, place.with_scale(Vec3::splat(scale))));
    }
    for (mark, turn) in [('/', 90f32), ('-', 0.)] {
        for at in level.find(mark) {
            commands.spawn((
                (Name::new("gate"), Gate, Prop('/')),
                (Collider::cuboid(TILE / 2., TILE / 2.), ColliderDisabled),
                CollisionGroups::new(WALLS, Group::ALL),
                Transform::from_translation(at.extend(THINGS_Z))
                    .with_rotation(Quat::from_rotation_z(turn.to_radians())),
            ));
        }
    }
}

fn use_gates(
    mut commands: Commands,
    keys: Res<ButtonInput<KeyCode>>,
    mouse: Mouse,
    player: Single<&Transform, With<Steered>>,
    gates: Query<(Entity, &Transform, Has<ColliderDisabled>), With<Gate>>,
) {
    let (at, reach) = match mouse.click() {
        Some(at) => (at, CLICK_DISTANCE),
        None if just_pressed(&keys, KeyCode::KeyE) => (player.translation.truncate(), f32::MAX),
        None => return,
    };
    let gap = |gate: &Transform| gate.translation.truncate().distance(at);
    let nearest = gates.iter().min_by(|a, b| gap(a.1).total_cmp(&gap(b.1)));
    let Some((_, place, is_open)) = nearest.filter(|gate| gap(gate.1) <= reach) else {
        return;
    };
    let gap = |gate: &Transform| gate.translation.distance(place.translation);
    for (gate, ..) in gates.iter().filter(|gate| gap(gate.1) < GATE_DISTANCE) {
        let mut gate = commands.entity(gate);
        // The physics pushes out everybody who stands in a shut gate.
        match is_open {
            true => gate.remove::<ColliderDisabled>().insert(Prop('|')),
            false => gate.insert((ColliderDisabled, Prop('/'))),
        };
    }
}
