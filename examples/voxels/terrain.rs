//! The level as one mesh, with the light of the sun and the sky in its colors.

use bevy::camera::visibility::NoFrustumCulling;
use bevy::prelude::*;
use pursuit_examples::art::palette;
use pursuit_lab::voxels::Voxel;

use crate::level::{Level, Stuff};
use crate::light::light;
use crate::paint::{Paint, Plain};
use crate::solid::{Solid, corner, to_world};

/// A face of a cube is divided into that many parts in both directions: light is worked out at their corners.
const PARTS: i32 = 3;
/// How far from its face light is worked out.
const LIFT: f32 = 0.03;
/// Layers of the base under the grid.
const BASE: i32 = 1;
/// How far the table reaches beyond the level, in times its size, and into how many parts it is divided.
const TABLE: f32 = 1.5;
const TABLE_PARTS: i32 = 56;

/// From which layer on nothing is shown.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cut(pub(crate) i32);

/// The picture of the level.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct Terrain;

pub(crate) fn spawn_terrain(
    mut commands: Commands,
    plain: Res<Plain>,
    mut meshes: ResMut<Assets<Mesh>>,
) {
    let mesh = meshes.add(Solid::default().build());
    commands.spawn((
        Terrain,
        Mesh3d(mesh),
        MeshMaterial3d::<Paint>(plain.0.clone()),
        NoFrustumCulling,
    ));
}

/// Builds the mesh anew when the level or the cut changed.
pub(crate) fn build_terrain(
    level: Res<Level>,
    cut: Res<Cut>,
    terrain: Single<&Mesh3d, With<Terrain>>,
    mut meshes: ResMut<Assets<Mesh>>,
) {
    if cut.is_changed() {
        // The handle is alive: the terrain holds it.
        let _ = meshes.insert(terrain.0.id(), mesh(&level, cut.0));
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
    let (side, up) = if normal.z == 0 {
        (Vec3::new(out.y.abs(), out.x.abs(), 0.0), Vec3::Z)
    } else {
        (Vec3::X, Vec3::Y)
    };
    let origin = corner(voxel) + out.max(Vec3::ZERO);
    let is_covered = is_shown(voxel.offset(0, 0, 1));
    let mut points = Vec::with_capacity(((PARTS + 1) * (PARTS + 1)) as usize);
    for row in 0..=PARTS {
        for column in 0..=PARTS {
            let [u, v] = [column, row].map(|at| at as f32 / PARTS as f32);
            let at = origin + side * u + up * v;
            // Not quite at the border: there the light of the cube beside it would be meant.
            let inner = |part: f32| part.clamp(LIFT, 1.0 - LIFT);
            let lit = origin + side * inner(u) + up * inner(v) + out * LIFT;
            let ground = if voxel.z < 0 {
                base_color(normal)
            } else {
                let is_rim = row == PARTS && !is_covered;
                color(level.stuff(voxel), voxel, normal.z > 0, is_rim)
            };
            let light = light(lit, out, is_shown);
            let color = lit_by(ground.into(), light);
            points.push(solid.point(to_world(&level.grid, at), color));
        }
    }
    let normal = to_world(&level.grid, out) - to_world(&level.grid, Vec3::ZERO);
    let at = |row: i32, column: i32| points[(row * (PARTS + 1) + column) as usize];
    for row in 0..PARTS {
        for column in 0..PARTS {
            let (low, high) = (row + 1, column + 1);
            let corners = [
                at(row, column),
                at(row, high),
                at(low, high),
                at(low, column),
            ];
            solid.face(corners, normal);
        }
    }
}

fn lit_by(color: LinearRgba, light: Vec3) -> LinearRgba {
    LinearRgba::rgb(
        color.red * light.x,
        color.green * light.y,
        color.blue * light.z,
    )
}

/// The base: its top is the water of the ravine.
fn base_color(normal: IVec3) -> Color {
    if normal.z > 0 {
        palette::WATER
    } else {
        palette::SLATE.mix(&palette::INK, 0.35)
    }
}

/// The color of a face of a cube. Its rim is the upper end of a side on which nothing lies.
fn color(stuff: Stuff, voxel: Voxel, is_top: bool, is_rim: bool) -> Color {
    let color = match stuff {
        Stuff::Soil if is_top => palette::GRASS.mix(&palette::GRASS_LIGHT, 0.45),
        Stuff::Soil if is_rim => palette::GRASS,
        Stuff::Soil => palette::WALL_FACE.mix(&palette::POT, 0.22),
        Stuff::Rock => palette::STONE_DARK.mix(&palette::WALL_FACE, 0.4),
        Stuff::Brick => palette::WALL_TOP,
        Stuff::Timber => palette::TIMBER,
        Stuff::Leaf => palette::LEAF_DARK.mix(&palette::LEAF, 0.55),
    };
    // No two cubes beside each other are alike, so that they can be counted.
    let checker = if (voxel.x + voxel.y + voxel.z) % 2 == 0 {
        0.035
    } else {
        0.0
    };
    let shade = checker + 0.05 * noise(voxel);
    color.mix(&palette::INK, shade)
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
    let void = LinearRgba::from(palette::VOID);
    let table = LinearRgba::from(palette::SLATE.mix(&palette::VOID, 0.35));
    let side = TABLE_PARTS + 1;
    let mut points = Vec::with_capacity((side * side) as usize);
    for row in 0..side {
        for column in 0..side {
            let [u, v] = [column, row].map(|at| 2.0 * at as f32 / TABLE_PARTS as f32 - 1.0);
            let at = (center + half * Vec2::new(u, v)).extend(-BASE as f32);
            let fade = (1.0 - Vec2::new(u, v).length()).clamp(0.0, 1.0);
            let light = light(at + LIFT * Vec3::Z, Vec3::Z, is_shown);
            let color = lit_by(table, light).mix(&void, 1.0 - fade * fade);
            points.push(solid.point(to_world(&level.grid, at), color));
        }
    }
    for row in 0..TABLE_PARTS {
        for column in 0..TABLE_PARTS {
            let first = row * side + column;
            let corners = [first, first + 1, first + side + 1, first + side];
            solid.face(corners.map(|at| points[at as usize]), Vec3::Y);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_below_the_cut_is_shown() {
        let level = Level::parse("a", "S#\n\n.#\n\nG.").expect("a level");
        assert!(is_shown(&level, 9, Voxel::new(1, 0, 1)));
        assert!(!is_shown(&level, 1, Voxel::new(1, 0, 1)));
        assert!(!is_shown(&level, 9, Voxel::new(2, 0, 0)), "outside is air");
        assert!(is_shown(&level, 0, Voxel::new(0, 0, -1)), "the base");
        let faces = |cut| mesh(&level, cut).count_vertices();
        assert!(faces(2) > faces(1) && faces(1) > faces(0));
    }

    #[test]
    fn cubes_differ_a_little() {
        let noises: Vec<f32> = level_row().map(noise).collect();
        assert!(noises.iter().all(|noise| (0.0..1.0).contains(noise)));
        assert!(noises.windows(2).all(|pair| pair[0] != pair[1]));
    }

    fn level_row() -> impl Iterator<Item = Voxel> {
        (0..20).map(|x| Voxel::new(x, 3, 1))
    }
}
