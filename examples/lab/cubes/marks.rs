//! The marks of cubes, drawn as small cubes; a thread to the current cube; and finally the path. Each lane has one
//! mesh.

use bevy::camera::visibility::NoFrustumCulling;
use bevy::prelude::*;
use pursuit_lab::replay::{Changes, Mark, Replay};
use pursuit_lab::voxels::{Movement, Voxel};

use super::super::colors::{CURRENT, PAPER, PATH, mark_color, path_color};
use super::super::lanes::{LANES, Lanes};
use super::super::settings::Settings;
use super::super::solid::Solid;
use super::super::window::{Stage, layer};
use super::ground_center;
use super::level::Level;

/// Half the thickness of the thread, the path and the marks, in cubes.
const THREAD_RADIUS: f32 = 0.055;
const PATH_RADIUS: f32 = 0.11;
const WAYPOINT_RADIUS: f32 = 0.23;

/// The marks and the path of a lane.
#[derive(Component, Clone, Copy, Debug)]
struct Marks(usize);

/// The flag at an end: 0 for the start, 1 for the goal.
#[derive(Component, Clone, Copy, Debug)]
struct Flag(usize);

pub(crate) fn add(app: &mut App) {
    app.add_systems(Startup, spawn)
        .add_systems(Update, (place_flags, draw_marks).in_set(Stage::Draw));
}

fn spawn(
    mut commands: Commands,
    mut materials: ResMut<Assets<ColorMaterial>>,
    mut meshes: ResMut<Assets<Mesh>>,
) {
    let material = MeshMaterial2d(materials.add(ColorMaterial::from(Color::WHITE)));
    for lane in 0..LANES {
        let mesh = Mesh2d(meshes.add(Solid::default().build()));
        let marks = (Marks(lane), mesh, material.clone());
        commands.spawn((marks, layer(lane), NoFrustumCulling));
    }
    for (end, color) in [PATH[0], PATH[2]].into_iter().enumerate() {
        let mut flag = Solid::default();
        let mut block = |center: [f32; 3], half: [f32; 3], color: Color| {
            flag.block(center.into(), half.into(), |_| color.into());
        };
        block([0.0, 0.04, 0.0], [0.28, 0.04, 0.28], color);
        block([0.0, 1.4, 0.0], [0.06, 1.4, 0.06], PAPER);
        block([0.62, 2.34, 0.0], [0.56, 0.36, 0.04], color);
        let mesh = Mesh2d(meshes.add(flag.build()));
        commands.spawn((Flag(end), mesh, material.clone()));
    }
}

/// Moves the flags to the ends.
fn place_flags(level: Res<Level>, mut flags: Query<(&Flag, &mut Transform)>) {
    for (flag, mut transform) in &mut flags {
        let end = [level.start, level.goal][flag.0];
        transform.set_if_neq(Transform::from_translation(ground_center(&level.grid, end)));
    }
}

/// Redraws the marks and the paths if a replay has moved.
fn draw_marks(
    (level, settings): (Res<Level>, Res<Settings>),
    mut lanes: ResMut<Lanes>,
    marks: Query<(&Marks, &Mesh2d)>,
    mut meshes: ResMut<Assets<Mesh>>,
) {
    if !lanes.is_changed() {
        return;
    }
    // Taking the list of changed cells changes nothing that other systems read.
    let lanes = lanes.bypass_change_detection();
    for (marks, mesh) in &marks {
        let mut solid = Solid::default();
        if let Ok(replay) = &mut lanes.lanes[marks.0].replay {
            if let Changes::Cells([]) = replay.take_changes() {
                continue;
            }
            add_marks(&mut solid, &level, settings.movement, replay);
            add_path(&mut solid, &level, settings.movement, replay);
        }
        // The handle is alive: the entity holds it.
        let _ = meshes.insert(mesh.0.id(), solid.build());
    }
}

/// Adds a small cube for each mark, in the middle of the marked cube or on its ground. Marks in the air are smaller, so
/// that they hide less.
fn add_marks(solid: &mut Solid, level: &Level, movement: Movement, replay: &Replay) {
    let layers = level.layers();
    let is_flying = movement == Movement::Fly;
    for voxel in level.grid.bounds().voxels() {
        let mark = layers.cell(voxel).map(|cell| replay.mark(cell));
        let (mark, size) = match mark.unwrap_or_default() {
            Mark::Path => (Mark::Closed, 0.3),
            Mark::Current => (Mark::Current, 0.78),
            Mark::Examined => (Mark::Examined, 0.52),
            Mark::Closed if is_flying => (Mark::Closed, 0.17),
            Mark::Closed => (Mark::Closed, 0.3),
            mark if is_flying => (mark, 0.36),
            mark => (mark, 0.48),
        };
        if let Some(color) = mark_color(mark, 0.0) {
            let height = if is_flying { 0.5 } else { size / 2.0 };
            let middle = ground_center(&level.grid, voxel) + Vec3::Y * height;
            solid.block(middle, Vec3::splat(size / 2.0), |_| color.into());
        }
    }
}

/// Adds the path if the replay is at its end, and otherwise the thread to the current cube.
fn add_path(solid: &mut Solid, level: &Level, movement: Movement, replay: &Replay) {
    if replay.is_at_end() {
        let voxels = level.path(replay.recording());
        let path = points(level, movement, &voxels);
        let last = voxels.len().saturating_sub(1).max(1) as f32;
        let color = |part: f32| LinearRgba::from(path_color(part / last));
        add_line(solid, &path, PATH_RADIUS, color);
        for &(part, at) in path.iter().filter(|(part, _)| part.fract() == 0.0) {
            solid.block(at, Vec3::splat(WAYPOINT_RADIUS), |_| color(part));
        }
    } else if let Some(current) = replay.current() {
        let layers = level.layers();
        let cells = replay.way_to(current).into_iter();
        let voxels: Vec<Voxel> = cells.map(|cell| layers.voxel(cell)).collect();
        let color = LinearRgba::from(CURRENT.mix(&PAPER, 0.25));
        let path = points(level, movement, &voxels);
        add_line(solid, &path, THREAD_RADIUS, |_| color);
    }
}

/// The points of a path in the world, each with its position along the path, counted in cubes. A body that climbs goes
/// up and then aside, or aside and then down, so a point lies between the two cubes.
fn points(level: &Level, movement: Movement, voxels: &[Voxel]) -> Vec<(f32, Vec3)> {
    let height = if movement == Movement::Fly { 0.5 } else { 0.34 };
    let at = |voxel: Voxel| ground_center(&level.grid, voxel) + Vec3::Y * height;
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

/// Adds a line along a path. `color` gives its color at each position along the path.
fn add_line(solid: &mut Solid, path: &[(f32, Vec3)], half: f32, color: impl Fn(f32) -> LinearRgba) {
    for leg in path.windows(2) {
        let [(from_part, from), (to_part, to)] = [leg[0], leg[1]];
        let (along, middle) = (to - from, (from + to) / 2.0);
        let length = along.length().max(1e-3);
        solid.block(middle, along.abs() / 2.0 + Vec3::splat(half), |at| {
            let part = (at - from).dot(along) / (length * length);
            color(from_part + (to_part - from_part) * part.clamp(0.0, 1.0))
        });
    }
}
