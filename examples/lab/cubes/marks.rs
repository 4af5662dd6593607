//! What the searches know of each cube, as small cubes; a thread to the current cube, and the path.

use std::collections::HashMap;

use bevy::camera::visibility::NoFrustumCulling;
use bevy::prelude::*;
use pursuit::replay::{Changes, Mark, Replay};
use pursuit::voxels::{Movement, Voxel};

use super::level::Level;
use super::{Plain, foot, plain};
use crate::colors::{CURRENT, INK, PAPER, PATH, hex, mark_color, path_color};
use crate::lanes::{LANES, Lanes};
use crate::settings::Settings;
use crate::solid::Solid;
use crate::window::Stage;
use crate::window::layer;

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
    let draw = (set_marks, place_figures, draw_trails);
    app.init_resource::<Marks>()
        .add_systems(Startup, spawn_trails)
        .add_systems(Update, draw.in_set(Stage::Draw));
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

/// Half of how thick things are, in cubes.
const THREAD: f32 = 0.055;
const ROPE: f32 = 0.11;
const BEAD: f32 = 0.23;
/// How high a way is above the ground for bodies that walk, and for those that fly.
const HEIGHT: f32 = 0.34;
const AIR: f32 = 0.5;
const GOLD: Color = hex(0xd9a95b);

/// The way in a lane.
#[derive(Component, Clone, Copy, Debug)]
struct Trail(usize);

/// A figure at one of the ends.
#[derive(Component, Clone, Copy, Debug)]
enum Figure {
    Start,
    Goal,
}

/// Boxes of a figure that stands on the origin: center, half size, color.
type Blocks<'a> = &'a [([f32; 3], [f32; 3], Color)];

/// At the start: somebody in a yellow coat and a blue cap, one cube high.
const PAWN: Blocks<'static> = &[
    ([0.0, 0.08, 0.0], [0.20, 0.08, 0.20], INK),
    ([0.0, 0.36, 0.0], [0.25, 0.22, 0.25], hex(0xffd24a)),
    ([0.0, 0.72, 0.0], [0.21, 0.15, 0.21], hex(0xe9b98c)),
    ([0.0, 0.90, 0.0], [0.24, 0.06, 0.24], hex(0x2f8fb8)),
    ([0.0, 0.98, 0.0], [0.10, 0.05, 0.10], hex(0x63bfe0)),
];
/// At the goal: a green flag on a pole.
const FLAG: Blocks<'static> = &[
    ([0.0, 0.04, 0.0], [0.28, 0.04, 0.28], GOLD),
    ([0.0, 1.4, 0.0], [0.06, 1.4, 0.06], PAPER),
    ([0.62, 2.34, 0.0], [0.56, 0.36, 0.04], PATH[2]),
    ([0.0, 2.86, 0.0], [0.10, 0.08, 0.10], GOLD),
];

fn spawn_trails(mut commands: Commands, plain: Res<Plain>, mut meshes: ResMut<Assets<Mesh>>) {
    let material = || MeshMaterial3d(plain.0.clone());
    let [pawn, flag] = [PAWN, FLAG].map(|blocks| {
        let mut solid = Solid::default();
        for &(center, half, color) in blocks {
            solid.block(center.into(), half.into(), |_| color.into());
        }
        Mesh3d(meshes.add(solid.build()))
    });
    for lane in 0..LANES {
        let mesh = Mesh3d(meshes.add(Solid::default().build()));
        commands.spawn((Trail(lane), mesh, material(), layer(lane), NoFrustumCulling));
    }
    commands.spawn((Figure::Start, pawn, material()));
    commands.spawn((Figure::Goal, flag, material()));
}

/// Puts the figures where the ends are.
fn place_figures(level: Res<Level>, mut figures: Query<(&Figure, &mut Transform)>) {
    for (figure, mut transform) in &mut figures {
        let end = match figure {
            Figure::Start => level.start,
            Figure::Goal => level.goal,
        };
        transform.set_if_neq(Transform::from_translation(foot(&level.grid, end)));
    }
}

/// Draws the ways again when the replays moved.
fn draw_trails(
    (level, settings): (Res<Level>, Res<Settings>),
    lanes: Res<Lanes>,
    trails: Query<(&Trail, &Mesh3d)>,
    mut meshes: ResMut<Assets<Mesh>>,
) {
    if !lanes.is_changed() {
        return;
    }
    for (trail, mesh) in &trails {
        let replay = lanes.replay(trail.0);
        let solid = replay.map(|replay| draw(&level, settings.movement, replay));
        // The handle is alive: the trail holds it.
        let _ = meshes.insert(mesh.0.id(), solid.unwrap_or_default().build());
    }
}

/// The path when the search is over, else the thread.
fn draw(level: &Level, movement: Movement, replay: &Replay) -> Solid {
    let mut solid = Solid::default();
    if replay.is_at_end() {
        let path = level.path(replay.recording());
        let way = points(level, movement, &path);
        let last = path.len().saturating_sub(1).max(1) as f32;
        let color = |part: f32| LinearRgba::from(path_color(part / last));
        string(&mut solid, &way, ROPE, color);
        for &(part, at) in way.iter().filter(|(part, _)| part.fract() == 0.0) {
            solid.block(at, Vec3::splat(BEAD), |_| color(part));
        }
    } else if let Some(current) = replay.current() {
        let layers = level.layers();
        let cells = replay.way_to(current).into_iter();
        let voxels: Vec<Voxel> = cells.map(|cell| layers.voxel(cell)).collect();
        let color = LinearRgba::from(CURRENT.mix(&PAPER, 0.25));
        string(
            &mut solid,
            &points(level, movement, &voxels),
            THREAD,
            |_| color,
        );
    }
    solid
}

/// The points of a way in the world, with their places on it. Who climbs goes up first and then aside, or aside first and
/// then down: there lies a point between two cubes.
fn points(level: &Level, movement: Movement, voxels: &[Voxel]) -> Vec<(f32, Vec3)> {
    let height = if movement == Movement::Fly {
        AIR
    } else {
        HEIGHT
    };
    let at = |voxel: Voxel| foot(&level.grid, voxel) + Vec3::Y * height;
    let mut points = Vec::with_capacity(voxels.len() * 2);
    for (place, &voxel) in voxels.iter().enumerate() {
        if let Some(before) = place.checked_sub(1).map(|before| voxels[before]) {
            let is_aside = (before.x, before.y) != (voxel.x, voxel.y);
            if is_aside && before.z != voxel.z {
                let column = if voxel.z > before.z { before } else { voxel };
                let bend = Voxel::new(column.x, column.y, before.z.max(voxel.z));
                points.push((place as f32 - 0.5, at(bend)));
            }
        }
        points.push((place as f32, at(voxel)));
    }
    points
}

/// A string along a way, in a color for each place on it.
fn string(solid: &mut Solid, way: &[(f32, Vec3)], half: f32, color: impl Fn(f32) -> LinearRgba) {
    for leg in way.windows(2) {
        let [(from_part, from), (to_part, to)] = [leg[0], leg[1]];
        let (along, middle) = (to - from, (from + to) / 2.0);
        let length = along.length().max(1e-3);
        solid.block(middle, along.abs() / 2.0 + Vec3::splat(half), |at| {
            let part = (at - from).dot(along) / (length * length);
            color(from_part + (to_part - from_part) * part.clamp(0.0, 1.0))
        });
    }
}
