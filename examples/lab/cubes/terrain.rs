//! The level as one mesh, with the light of the sun and the sky in its colors.

use bevy::camera::visibility::NoFrustumCulling;
use bevy::prelude::*;
use pursuit::voxels::Voxel;

use super::level::{Level, Stuff};
use super::light::light;
use super::{Plain, corner, to_world};
use crate::colors::{INK, VOID, hex};
use crate::solid::Solid;
use crate::window::Stage;

/// A face of a cube is divided into that many parts in both directions: light is worked out at their corners.
const PARTS: i32 = 3;
/// How far from its face light is worked out.
const LIFT: f32 = 0.03;
/// Layers of the base under the grid.
const BASE: i32 = 1;
/// How far the table reaches beyond the level, in times its size, and into how many parts it is divided.
const TABLE: f32 = 1.5;
const TABLE_PARTS: i32 = 56;
/// The base, and its top: the water of the ravine.
const SLATE: Color = hex(0x4c566a);
const WATER: Color = hex(0x4fa3c7);

/// From which layer on nothing is shown. More layers than there are show all.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cut(pub(crate) i32);

/// The picture of the level.
#[derive(Component, Clone, Copy, Debug)]
struct Terrain;

pub(crate) fn add(app: &mut App) {
    app.init_resource::<Plain>()
        .insert_resource(Cut(i32::MAX))
        .add_systems(Startup, spawn_terrain)
        .add_systems(Update, cut.in_set(Stage::Edit))
        .add_systems(Update, build_terrain.in_set(Stage::Draw));
}

fn spawn_terrain(mut commands: Commands, plain: Res<Plain>, mut meshes: ResMut<Assets<Mesh>>) {
    let mesh = Mesh3d(meshes.add(Solid::default().build()));
    let material = MeshMaterial3d(plain.0.clone());
    commands.spawn((Terrain, mesh, material, NoFrustumCulling));
}

/// Page up and page down change how many layers are shown.
fn cut(keys: Res<ButtonInput<KeyCode>>, level: Res<Level>, mut cut: ResMut<Cut>) {
    let layers = level.grid.size()[2] as i32;
    let by = i32::from(keys.just_pressed(KeyCode::PageUp))
        - i32::from(keys.just_pressed(KeyCode::PageDown));
    cut.set_if_neq(Cut((cut.0.min(layers) + by).clamp(1, layers)));
}

/// Builds the mesh again when the level or the cut changed. Ends are no part of it, but they change with a level.
fn build_terrain(
    level: Res<Level>,
    cut: Res<Cut>,
    terrain: Single<&Mesh3d, With<Terrain>>,
    mut built: Local<Option<Level>>,
    mut meshes: ResMut<Assets<Mesh>>,
) {
    let is_new = || built.as_ref().is_none_or(|built| !built.looks_like(&level));
    if cut.is_changed() || level.is_changed() && is_new() {
        // The handle is alive: the terrain holds it.
        let _ = meshes.insert(terrain.0.id(), mesh(&level, cut.0));
        *built = Some(level.clone());
    }
}

/// Whether a cube is shown: a solid one below the cut, or one of the base.
pub(crate) fn is_shown(level: &Level, cut: i32, voxel: Voxel) -> bool {
    if voxel.z < 0 {
        let column = Voxel::new(voxel.x, voxel.y, 0);
        return level.grid.node(column).is_some();
    }
    voxel.z < cut && level.grid.node(voxel).is_some() && level.grid.is_solid(voxel)
}

fn mesh(level: &Level, cut: i32) -> Mesh {
    let mut solid = Solid::default();
    let is_shown = |voxel: Voxel| is_shown(level, cut, voxel);
    let mut area = level.grid.bounds();
    area.min.z = -BASE;
    for voxel in area.voxels().filter(|&voxel| is_shown(voxel)) {
        for normal in [IVec3::X, IVec3::NEG_X, IVec3::Y, IVec3::NEG_Y, IVec3::Z] {
            if !is_shown(voxel.offset(normal.x, normal.y, normal.z)) {
                add_face(&mut solid, level, voxel, normal, &is_shown);
            }
        }
    }
    add_table(&mut solid, level, &is_shown);
    solid.build()
}

/// A sheet of so many parts in both directions, from points with their colors.
fn add_sheet(
    solid: &mut Solid,
    parts: i32,
    normal: Vec3,
    point: impl Fn(i32, i32) -> (Vec3, LinearRgba),
) {
    let side = parts + 1;
    let mut points = Vec::with_capacity((side * side) as usize);
    for at in 0..side * side {
        let (place, color) = point(at % side, at / side);
        points.push(solid.point(place, color));
    }
    for at in (0..parts * side).filter(|at| at % side < parts) {
        let corners = [at, at + 1, at + side + 1, at + side];
        solid.face(corners.map(|at| points[at as usize]), normal);
    }
}

/// A face of a cube in parts, each corner of which has a light of its own.
fn add_face(
    solid: &mut Solid,
    level: &Level,
    voxel: Voxel,
    normal: IVec3,
    is_shown: &impl Fn(Voxel) -> bool,
) {
    let out = normal.as_vec3();
    // Sides stand on their rows: `up` is the layer.
    let (side, up) = match normal.z {
        0 => (Vec3::new(out.y.abs(), out.x.abs(), 0.0), Vec3::Z),
        _ => (Vec3::X, Vec3::Y),
    };
    let origin = corner(voxel) + out.max(Vec3::ZERO);
    let is_covered = is_shown(voxel.offset(0, 0, 1));
    let turned = to_world(&level.grid, out) - to_world(&level.grid, Vec3::ZERO);
    add_sheet(solid, PARTS, turned, |column, row| {
        let [u, v] = [column, row].map(|at| at as f32 / PARTS as f32);
        // Not quite at the border: there the light of the cube beside it would be meant.
        let inner = |part: f32| part.clamp(LIFT, 1.0 - LIFT);
        let lit = origin + side * inner(u) + up * inner(v) + out * LIFT;
        let ground = match voxel.z {
            ..0 if normal.z > 0 => WATER,
            ..0 => SLATE.mix(&INK, 0.35),
            _ => color(
                level.stuff(voxel),
                voxel,
                normal.z > 0,
                row == PARTS && !is_covered,
            ),
        };
        let at = to_world(&level.grid, origin + side * u + up * v);
        (at, lit_by(ground, light(lit, out, is_shown)))
    });
}

fn lit_by(color: Color, light: Vec3) -> LinearRgba {
    let LinearRgba {
        red, green, blue, ..
    } = color.into();
    LinearRgba::rgb(red * light.x, green * light.y, blue * light.z)
}

/// The color of a face of a cube. Its rim is the upper end of a side on which nothing lies.
fn color(stuff: Stuff, voxel: Voxel, is_top: bool, is_rim: bool) -> Color {
    let color = match stuff {
        Stuff::Soil if is_top => hex(0x5a8159),
        Stuff::Soil if is_rim => hex(0x4d7355),
        Stuff::Soil => hex(0x977861),
        Stuff::Rock => hex(0x847b71),
        Stuff::Brick => hex(0xd3c8b2),
        Stuff::Timber => hex(0xb98752),
        Stuff::Leaf => hex(0x418351),
    };
    // No two cubes beside each other are alike, so that they can be counted.
    let checker = f32::from(u8::from((voxel.x + voxel.y + voxel.z) % 2 == 0));
    color.mix(&INK, 0.035 * checker + 0.05 * noise(voxel))
}

/// A number from 0 to 1 that belongs to a cube.
fn noise(voxel: Voxel) -> f32 {
    let [x, y, z] = [voxel.x, voxel.y, voxel.z].map(|at| at as u32);
    let mixed =
        x.wrapping_mul(0x9e37_79b1) ^ y.wrapping_mul(0x85eb_ca77) ^ z.wrapping_mul(0xc2b2_ae3d);
    let mixed = (mixed ^ (mixed >> 15)).wrapping_mul(0x2c1b_3c6d);
    (mixed >> 8) as f32 / (1 << 24) as f32
}

/// What the level stands on: a disc that fades into the dark, with the level's shadow on it.
fn add_table(solid: &mut Solid, level: &Level, is_shown: &impl Fn(Voxel) -> bool) {
    let [columns, rows, _] = level.grid.size().map(|side| side as f32);
    let (center, half) = (Vec2::new(columns, rows) / 2.0, TABLE * columns.max(rows));
    let (void, table) = (LinearRgba::from(VOID), SLATE.mix(&VOID, 0.35));
    add_sheet(solid, TABLE_PARTS, Vec3::Y, |column, row| {
        let [u, v] = [column, row].map(|at| 2.0 * at as f32 / TABLE_PARTS as f32 - 1.0);
        let at = (center + half * Vec2::new(u, v)).extend(-BASE as f32);
        let fade = (1.0 - Vec2::new(u, v).length()).clamp(0.0, 1.0);
        let light = light(at + LIFT * Vec3::Z, Vec3::Z, is_shown);
        let color = lit_by(table, light).mix(&void, 1.0 - fade * fade);
        (to_world(&level.grid, at), color)
    });
}
