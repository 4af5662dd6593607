//! The level as one mesh, with the light of the sun and the sky in its colors.

use bevy::camera::visibility::NoFrustumCulling;
use bevy::prelude::*;
use pursuit_lab::voxels::Voxel;

use super::super::colors::{INK, hex};
use super::super::solid::Solid;
use super::super::window::Stage;
use super::level::Level;
use super::{corner, to_world};

/// Number of parts along each side of a face, and number of their corners along it. The parts give shadows soft
/// borders.
const FACE_PARTS: usize = 3;
const FACE_POINTS: usize = FACE_PARTS + 1;
/// Distance from the face at which light is computed, in cubes.
const LIGHT_OFFSET: f32 = 0.03;
/// Number of layers of the base under the grid.
const BASE_LAYERS: i32 = 1;
/// The lowest layer that is hidden. All layers are shown if it is above the grid.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cut(pub(crate) i32);

/// The picture of the level.
#[derive(Component, Clone, Copy, Debug)]
struct Terrain;

pub(crate) fn add(app: &mut App) {
    app.insert_resource(Cut(i32::MAX))
        .add_systems(Startup, spawn_terrain)
        .add_systems(Update, change_cut.in_set(Stage::Edit))
        .add_systems(Update, build_terrain.in_set(Stage::Draw));
}

fn spawn_terrain(
    mut commands: Commands,
    mut materials: ResMut<Assets<ColorMaterial>>,
    mut meshes: ResMut<Assets<Mesh>>,
) {
    let mesh = Mesh2d(meshes.add(Solid::default().build()));
    let material = MeshMaterial2d(materials.add(ColorMaterial::from(Color::WHITE)));
    commands.spawn((Terrain, mesh, material, NoFrustumCulling));
}

/// Page up and page down change how many layers are shown.
fn change_cut(keys: Res<ButtonInput<KeyCode>>, level: Res<Level>, mut cut: ResMut<Cut>) {
    let layers = level.grid.size()[2] as i32;
    let by = i32::from(keys.just_pressed(KeyCode::PageUp))
        - i32::from(keys.just_pressed(KeyCode::PageDown));
    cut.set_if_neq(Cut((cut.0.min(layers) + by).clamp(1, layers)));
}

/// Builds the mesh again when the cubes of the level or the cut changed. A moved start or goal changes the level, but
/// not the mesh.
fn build_terrain(
    level: Res<Level>,
    cut: Res<Cut>,
    terrain: Single<&Mesh2d, With<Terrain>>,
    mut built: Local<Option<Level>>,
    mut meshes: ResMut<Assets<Mesh>>,
) {
    let is_new = || {
        built
            .as_ref()
            .is_none_or(|built| !built.has_same_cubes(&level))
    };
    if cut.is_changed() || level.is_changed() && is_new() {
        // The handle is alive: the terrain holds it.
        let _ = meshes.insert(terrain.0.id(), mesh(&level, cut.0));
        *built = Some(level.clone());
    }
}

/// Whether a cube is shown: a solid cube below the cut, or a cube of the base.
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
    area.min.z = -BASE_LAYERS;
    for voxel in area.voxels().filter(|&voxel| is_shown(voxel)) {
        for normal in [IVec3::X, IVec3::NEG_X, IVec3::Y, IVec3::NEG_Y, IVec3::Z] {
            if !is_shown(voxel.offset(normal.x, normal.y, normal.z)) {
                add_face(&mut solid, level, voxel, normal, &is_shown);
            }
        }
    }
    solid.build()
}

/// Adds a face of a cube in parts. Each corner of a part has its own light.
fn add_face(
    solid: &mut Solid,
    level: &Level,
    voxel: Voxel,
    normal: IVec3,
    is_shown: &impl Fn(Voxel) -> bool,
) {
    let out = normal.as_vec3();
    // On the sides of a cube, `up` leads along the layers.
    let (side, up) = match normal.z {
        0 => (Vec3::new(out.y.abs(), out.x.abs(), 0.0), Vec3::Z),
        _ => (Vec3::X, Vec3::Y),
    };
    let origin = corner(voxel) + out.max(Vec3::ZERO);
    let ground = LinearRgba::from(color(level, voxel, normal.z > 0));
    // Light is computed a little inside of the border, because a point on the border would get the light of the
    // adjacent cube.
    let inside = |part: f32| part.clamp(LIGHT_OFFSET, 1.0 - LIGHT_OFFSET);
    let mut points = Vec::new();
    for at in 0..FACE_POINTS * FACE_POINTS {
        let [u, v] = [at % FACE_POINTS, at / FACE_POINTS].map(|at| at as f32 / FACE_PARTS as f32);
        let lit = origin + side * inside(u) + up * inside(v) + out * LIGHT_OFFSET;
        let light = ground.to_vec3() * light(lit, out, is_shown);
        let at = to_world(&level.grid, origin + side * u + up * v);
        points.push(solid.point(at, LinearRgba::from_vec3(light)));
    }
    let turned = to_world(&level.grid, out) - to_world(&level.grid, Vec3::ZERO);
    for at in (0..FACE_PARTS * FACE_POINTS).filter(|at| at % FACE_POINTS < FACE_PARTS) {
        let corners = [at, at + 1, at + FACE_POINTS + 1, at + FACE_POINTS];
        solid.face(corners.map(|at| points[at]), turned);
    }
}

/// The color of a face of a cube. The top of the base is the water of the ravine.
fn color(level: &Level, voxel: Voxel, is_top: bool) -> Color {
    let color = match level.material(voxel) {
        _ if voxel.z < 0 && is_top => hex(0x4fa3c7),
        _ if voxel.z < 0 => hex(0x3c4252),
        's' if is_top => hex(0x5a8159),
        's' => hex(0x977861),
        'r' => hex(0x847b71),
        'b' => hex(0xd3c8b2),
        't' => hex(0xb98752),
        _ => hex(0x418351),
    };
    // Adjacent cubes differ in color, so that they can be counted.
    let is_dark = (voxel.x + voxel.y + voxel.z) % 2 == 0 && voxel.z >= 0;
    color.mix(&INK, if is_dark { 0.06 } else { 0.02 })
}

/// Direction to the sun in the space of the grid, where layers grow along `z`. The light comes from the left and the
/// back, so that cliffs in front lie in the shade.
const SUN: Vec3 = Vec3::new(-0.60, -0.30, 0.74);
/// Number of rays to the sun, and their spread, which gives shadows soft borders.
const SUN_RAYS: usize = 6;
const SUN_WIDTH: f32 = 0.005;
/// Number of rays to the sky.
const SKY_RAYS: usize = 14;
/// Lengths of the rays, in cubes.
const SUN_REACH: f32 = 60.0;
const SKY_REACH: f32 = 7.0;
/// Colors of the light of the sun, the sky and everything else.
const SUNLIGHT: Vec3 = Vec3::new(1.02, 0.90, 0.70);
const SKYLIGHT: Vec3 = Vec3::new(0.36, 0.43, 0.58);
const AMBIENT: Vec3 = Vec3::new(0.055, 0.05, 0.06);

/// The light at a point with a normal, for a surface that reflects all light.
pub(crate) fn light(point: Vec3, normal: Vec3, is_solid: &impl Fn(Voxel) -> bool) -> Vec3 {
    let free = |toward: Vec3, rays: usize, width: f32, reach: f32| {
        let free = rays_around(toward, rays, width);
        let free = free.filter(|&ray| first_hit(point, ray, reach, is_solid).is_none());
        free.count() as f32 / rays as f32
    };
    let toward = SUN.normalize();
    let slant = normal.dot(toward);
    let sun = match slant > 0.0 {
        true => slant * free(toward, SUN_RAYS, SUN_WIDTH, SUN_REACH),
        false => 0.0,
    };
    // Surfaces that look up see more of the bright sky.
    let up = 0.72 + 0.28 * normal.z;
    AMBIENT + SKYLIGHT * free(normal, SKY_RAYS, 1.0, SKY_REACH) * up + SUNLIGHT * sun
}

/// Rays around a direction, in a spiral by the golden angle. A width of 1 spans the whole half-space.
fn rays_around(toward: Vec3, count: usize, width: f32) -> impl Iterator<Item = Vec3> {
    let side = toward.any_orthonormal_vector();
    let axes = Mat3::from_cols(side, toward.cross(side), toward);
    (0..count).map(move |ray| {
        let part = width * (ray as f32 + 0.5) / count as f32;
        let turn = Vec2::from_angle(2.399_963 * ray as f32) * part.sqrt();
        axes * turn.extend((1.0 - part).sqrt())
    })
}

/// The free cube before the first solid cube on a ray. The walk goes from cube to cube through the side that the ray
/// crosses next (Amanatides and Woo, 1987).
pub(crate) fn first_hit(
    from: Vec3,
    toward: Vec3,
    reach: f32,
    is_solid: &impl Fn(Voxel) -> bool,
) -> Option<Voxel> {
    let mut voxel = from.floor().as_ivec3();
    let step = toward.signum().as_ivec3();
    // A side that is never crossed is infinitely far.
    let is_along = toward.abs().cmplt(Vec3::splat(1e-6));
    let across = Vec3::select(is_along, Vec3::splat(1e-6), toward)
        .recip()
        .abs();
    let low = from - voxel.as_vec3();
    let mut next = Vec3::select(toward.cmpgt(Vec3::ZERO), Vec3::ONE - low, low) * across;
    let place = |at: IVec3| Voxel::new(at.x, at.y, at.z);
    while next.min_element() < reach {
        let before = place(voxel);
        let axis = next.min_position();
        voxel[axis] += step[axis];
        next[axis] += across[axis];
        if is_solid(place(voxel)) {
            return Some(before);
        }
    }
    None
}
