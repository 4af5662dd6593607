//! What the searches know of each cube, as small cubes: one mesh, a material for each kind, and an entity for each mark.

use std::collections::HashMap;

use bevy::prelude::*;
use pursuit::replay::{Changes, Mark};
use pursuit::voxels::{Movement, Voxel};

use super::level::Level;
use super::{foot, plain};
use crate::colors::mark_color;
use crate::lanes::{LANES, Lanes};
use crate::screen::layer;
use crate::settings::Settings;
use crate::solid::Solid;
use crate::window::Stage;

/// Marks that are drawn, with the sizes of their cubes for bodies that walk, and for those that fly: cubes in the air are
/// smaller, to be looked through.
const KINDS: [(Mark, [f32; 2]); 5] = [
    (Mark::Current, [0.78, 0.78]),
    (Mark::Examined, [0.52, 0.52]),
    (Mark::Discovered, [0.48, 0.36]),
    (Mark::Open, [0.48, 0.36]),
    (Mark::Closed, [0.3, 0.17]),
];

/// What all marks share, and which there are: by lane and cube.
#[derive(Resource, Debug)]
struct Marks {
    mesh: Handle<Mesh>,
    materials: [Handle<StandardMaterial>; KINDS.len()],
    entities: [HashMap<Voxel, Entity>; LANES],
}

impl FromWorld for Marks {
    fn from_world(world: &mut World) -> Self {
        let mut cube = Solid::default();
        cube.block(Vec3::ZERO, Vec3::splat(0.5), |_| LinearRgba::WHITE);
        let mesh = world.resource_mut::<Assets<Mesh>>().add(cube.build());
        let mut materials = world.resource_mut::<Assets<StandardMaterial>>();
        let material = |(mark, _)| materials.add(plain(mark_color(mark, 0.0).unwrap_or_default()));
        Self {
            mesh,
            materials: KINDS.map(material),
            entities: Default::default(),
        }
    }
}

pub(crate) fn add(app: &mut App) {
    app.init_resource::<Marks>()
        .add_systems(Update, set_marks.in_set(Stage::Draw));
}

/// Sets the marks that changed.
fn set_marks(
    mut commands: Commands,
    (level, settings): (Res<Level>, Res<Settings>),
    mut lanes: ResMut<Lanes>,
    mut marks: ResMut<Marks>,
    mut cubes: Query<(&mut MeshMaterial3d<StandardMaterial>, &mut Transform)>,
) {
    if !lanes.is_changed() {
        return;
    }
    let Marks {
        mesh,
        materials,
        entities,
    } = &mut *marks;
    let layers = level.layers();
    // To ask what changed changes nothing that others look at.
    let lanes = lanes.bypass_change_detection();
    for (place, (lane, entities)) in lanes.lanes.iter_mut().zip(entities).enumerate() {
        let mut replay = lane.replay.as_mut().ok();
        let changes = replay.as_mut().map(|replay| replay.take_changes());
        let changed: Vec<Voxel> = match changes {
            Some(Changes::Cells(cells)) => cells.iter().map(|&cell| layers.voxel(cell)).collect(),
            _ => {
                for (_, entity) in entities.drain() {
                    commands.entity(entity).despawn();
                }
                level.grid.bounds().voxels().collect()
            }
        };
        for voxel in changed {
            let mark = replay.as_ref().zip(layers.cell(voxel));
            let mark = mark.map(|(replay, cell)| replay.mark(cell));
            let Some(kind) = mark.and_then(kind) else {
                if let Some(entity) = entities.remove(&voxel) {
                    commands.entity(entity).despawn();
                }
                continue;
            };
            let material = MeshMaterial3d(materials[kind].clone());
            let transform = stand(&level, voxel, KINDS[kind].1, settings.movement);
            match entities.get(&voxel).map(|&entity| cubes.get_mut(entity)) {
                Some(Ok(mut parts)) => (*parts.0, *parts.1) = (material, transform),
                // One that was spawned in this frame is not among the changes twice.
                Some(Err(_)) => {}
                None => {
                    let mesh = Mesh3d(mesh.clone());
                    let mark = commands.spawn((mesh, material, transform, layer(place)));
                    entities.insert(voxel, mark.id());
                }
            }
        }
    }
}

/// The place of a mark in [`KINDS`]; `None` for one that is not drawn.
fn kind(mark: Mark) -> Option<usize> {
    let drawn = if mark == Mark::Path {
        Mark::Closed
    } else {
        mark
    };
    KINDS.iter().position(|(kind, _)| *kind == drawn)
}

/// Where a mark is in a cube: in its middle, or on its ground.
fn stand(
    level: &Level,
    voxel: Voxel,
    [walking, flying]: [f32; 2],
    movement: Movement,
) -> Transform {
    let (size, height) = match movement {
        Movement::Fly => (flying, 0.5),
        _ => (walking, walking / 2.0),
    };
    let middle = foot(&level.grid, voxel) + Vec3::Y * height;
    Transform::from_translation(middle).with_scale(Vec3::splat(size))
}
