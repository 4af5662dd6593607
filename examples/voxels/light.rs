//! Light among cubes, worked out once: how much of the sun and of the sky a point sees.

use std::f32::consts::TAU;

use bevy::prelude::*;
use pursuit_lab::voxels::Voxel;

/// Toward the sun, in the space of the grid: layers grow along `z`. From the left and the back, so that cliffs in front
/// lie in the shade.
const SUN: Vec3 = Vec3::new(-0.60, -0.30, 0.74);
/// Rays to the sun, which is that wide: shadows have soft borders.
const SUN_RAYS: usize = 6;
const SUN_WIDTH: f32 = 0.07;
/// Rays to the sky, and how far they go, in cubes.
const SKY_RAYS: usize = 14;
const SKY_REACH: f32 = 7.0;
/// Rays to the sun go that far.
const SUN_REACH: f32 = 60.0;
/// How bright the sun and the sky are.
const SUNLIGHT: Vec3 = Vec3::new(1.02, 0.90, 0.70);
const SKYLIGHT: Vec3 = Vec3::new(0.36, 0.43, 0.58);
/// What comes from everywhere.
const GLOW: Vec3 = Vec3::new(0.055, 0.05, 0.06);

/// The light at a point with that normal, for a surface that reflects all of it.
pub(crate) fn light(point: Vec3, normal: Vec3, is_solid: &impl Fn(Voxel) -> bool) -> Vec3 {
    let side = normal.any_orthonormal_vector();
    let axes = Mat3::from_cols(side, normal.cross(side), normal);
    let sky = (0..SKY_RAYS).filter(|&ray| {
        let toward = axes * on_hemisphere(ray, SKY_RAYS);
        !is_hit(point, toward, SKY_REACH, is_solid)
    });
    let sky = sky.count() as f32 / SKY_RAYS as f32;
    // Surfaces that look up see more of the bright sky.
    let up = 0.72 + 0.28 * normal.z;
    GLOW + SKYLIGHT * sky * up + SUNLIGHT * sun(point, normal, is_solid)
}

/// How much of the sun a surface gets: 1 where it shines from straight above.
fn sun(point: Vec3, normal: Vec3, is_solid: &impl Fn(Voxel) -> bool) -> f32 {
    let toward = SUN.normalize();
    let slant = normal.dot(toward);
    if slant <= 0.0 {
        return 0.0;
    }
    let side = toward.any_orthonormal_vector();
    let up = toward.cross(side);
    let free = (0..SUN_RAYS).filter(|&ray| {
        let turn = Vec2::from_angle(TAU * ray as f32 / SUN_RAYS as f32) * SUN_WIDTH;
        let toward = toward + side * turn.x + up * turn.y;
        !is_hit(point, toward, SUN_REACH, is_solid)
    });
    slant * free.count() as f32 / SUN_RAYS as f32
}

/// A ray of several, spread over the half around `z`, more of them near its top (a spiral by the golden angle).
fn on_hemisphere(ray: usize, count: usize) -> Vec3 {
    let part = (ray as f32 + 0.5) / count as f32;
    let turn = Vec2::from_angle(2.399_963 * ray as f32) * part.sqrt();
    turn.extend((1.0 - part).sqrt())
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
    let toward = Vec3::select(
        toward.abs().cmplt(Vec3::splat(1e-6)),
        Vec3::splat(1e-6),
        toward,
    );
    let across = toward.recip().abs();
    let gap = Vec3::select(
        toward.cmpgt(Vec3::ZERO),
        voxel.as_vec3() + Vec3::ONE - from,
        from - voxel.as_vec3(),
    );
    let mut next = gap * across;
    let place = |at: IVec3| Voxel::new(at.x, at.y, at.z);
    let mut before = place(voxel);
    while next.min_element() < reach {
        let axis = next.min_position();
        voxel[axis] += step[axis];
        next[axis] += across[axis];
        let at = place(voxel);
        if is_solid(at) {
            return Some((at, before));
        }
        before = at;
    }
    None
}

fn is_hit(from: Vec3, toward: Vec3, reach: f32, is_solid: &impl Fn(Voxel) -> bool) -> bool {
    first_hit(from, toward, reach, is_solid).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ray_meets_the_first_cube_on_its_way() {
        let wall = |at: Voxel| at.x == 5 || at.z < 0;
        let from = Vec3::new(0.5, 0.5, 0.5);
        let hit = first_hit(from, Vec3::X, 20.0, &wall);
        assert_eq!(hit, Some((Voxel::new(5, 0, 0), Voxel::new(4, 0, 0))));
        assert_eq!(first_hit(from, Vec3::X, 4.0, &wall), None, "too far");
        assert_eq!(first_hit(from, -Vec3::X, 20.0, &wall), None);
        let down = first_hit(from, Vec3::new(0.3, 0.0, -1.0), 20.0, &wall);
        assert_eq!(down.map(|hit| hit.0.z), Some(-1));
    }

    #[test]
    fn roofs_keep_the_light_out() {
        let ground = |at: Voxel| at.z < 0;
        let cave = |at: Voxel| at.z != 0;
        let point = Vec3::new(0.5, 0.5, 0.05);
        let [open, dark] = [light(point, Vec3::Z, &ground), light(point, Vec3::Z, &cave)];
        assert!(open.min_element() > 0.8, "{open}");
        assert!(dark.max_element() < 0.2, "{dark}");
    }

    #[test]
    fn what_looks_away_from_the_sun_lies_in_the_shade() {
        let nothing = |_: Voxel| false;
        let lit = light(Vec3::ZERO, -Vec3::X, &nothing);
        let shade = light(Vec3::ZERO, Vec3::X, &nothing);
        assert!(lit.x > 1.5 * shade.x);
    }
}
