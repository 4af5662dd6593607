//! Light among cubes, worked out once: how much of the sun and of the sky a point sees.

use bevy::prelude::*;
use pursuit::voxels::Voxel;

/// Toward the sun, in the space of the grid: layers grow along `z`. From the left and the back, so that cliffs in front
/// lie in the shade.
const SUN: Vec3 = Vec3::new(-0.60, -0.30, 0.74);
/// Rays to the sun, and how wide they are spread: shadows have soft borders.
const SUN_RAYS: usize = 6;
const SUN_WIDTH: f32 = 0.005;
/// Rays to the sky.
const SKY_RAYS: usize = 14;
/// How far rays go, in cubes.
const SUN_REACH: f32 = 60.0;
const SKY_REACH: f32 = 7.0;
/// How bright the sun, the sky and the rest are.
const SUNLIGHT: Vec3 = Vec3::new(1.02, 0.90, 0.70);
const SKYLIGHT: Vec3 = Vec3::new(0.36, 0.43, 0.58);
const GLOW: Vec3 = Vec3::new(0.055, 0.05, 0.06);

/// The light at a point with that normal, for a surface that reflects all of it.
pub(crate) fn light(point: Vec3, normal: Vec3, is_solid: &impl Fn(Voxel) -> bool) -> Vec3 {
    let free = |toward: Vec3, rays: usize, width: f32, reach: f32| {
        let free = around(toward, rays, width);
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
    GLOW + SKYLIGHT * free(normal, SKY_RAYS, 1.0, SKY_REACH) * up + SUNLIGHT * sun
}

/// Rays around a direction, of which a width of 1 is the whole half-space: a spiral by the golden angle.
fn around(toward: Vec3, count: usize, width: f32) -> impl Iterator<Item = Vec3> {
    let side = toward.any_orthonormal_vector();
    let axes = Mat3::from_cols(side, toward.cross(side), toward);
    (0..count).map(move |ray| {
        let part = width * (ray as f32 + 0.5) / count as f32;
        let turn = Vec2::from_angle(2.399_963 * ray as f32) * part.sqrt();
        axes * turn.extend((1.0 - part).sqrt())
    })
}

/// The first solid cube on a ray, and the free one before it. Walks from cube to cube by the side that is
/// crossed next (Amanatides and Woo, 1987).
pub(crate) fn first_hit(
    from: Vec3,
    toward: Vec3,
    reach: f32,
    is_solid: &impl Fn(Voxel) -> bool,
) -> Option<(Voxel, Voxel)> {
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
            return Some((place(voxel), before));
        }
    }
    None
}
