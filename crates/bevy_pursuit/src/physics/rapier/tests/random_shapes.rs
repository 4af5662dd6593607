//! Random shapes of every kind that Rapier has in 2D, for tests.

use bevy::math::{IVec2, Vec2};
use bevy_rapier2d::parry::math::Pose;
use bevy_rapier2d::parry::query::{self, ClosestPoints};
use bevy_rapier2d::parry::shape::{HeightField, Segment, Shape, SharedShape, TypedShape, Voxels};

/// Number of kinds that [`random_shape`] creates.
pub(crate) const KINDS: usize = 16;

/// A shape of the given kind, about `size` units large, around its origin.
pub(crate) fn random_shape(kind: usize, size: f32, random: &mut fastrand::Rng) -> SharedShape {
    let length = |random: &mut fastrand::Rng| size * (0.1 + 0.9 * random.f32());
    let point =
        |random: &mut fastrand::Rng| Vec2::new(random.f32() - 0.5, random.f32() - 0.5) * 2.0 * size;
    let (a, b, c) = (point(random), point(random), point(random));
    let (width, height, radius) = (length(random), length(random), 0.3 * length(random));
    match kind {
        0 => SharedShape::ball(width),
        1 => SharedShape::cuboid(width, height),
        2 => SharedShape::capsule(a, b, radius),
        3 => SharedShape::segment(a, b),
        4 => SharedShape::triangle(a, b, c),
        5 => SharedShape::round_triangle(a, b, c, radius),
        6 => SharedShape::round_cuboid(width, height, radius),
        7 => SharedShape::halfspace((a - b).normalize_or(Vec2::X)),
        8 => polygon(size, random, None),
        9 => polygon(size, random, Some(radius)),
        10 => SharedShape::polyline((0..6).map(|_| point(random)).collect(), None),
        11 => SharedShape::trimesh(vec![a, b, c, point(random)], vec![[0, 1, 2], [1, 2, 3]])
            .expect("four corners"),
        12 => {
            let heights = (0..9).map(|_| random.f32() - 0.5).collect();
            let mut field = HeightField::new(heights, Vec2::new(2.0 * width, height));
            field.set_segment_removed(random.usize(0..8), true);
            SharedShape::new(field)
        }
        13 => {
            let coordinate = |random: &mut fastrand::Rng| random.i32(-3..4);
            let keys: Vec<IVec2> = (0..14)
                .map(|_| IVec2::new(coordinate(random), coordinate(random)))
                .collect();
            SharedShape::new(Voxels::new(Vec2::new(width, height) * 0.3, &keys))
        }
        14 => {
            let parts = [1, 0, 9].map(|kind| {
                let pose = Pose::new(point(random), random.f32() * 7.0);
                (pose, random_shape(kind, 0.4 * size, random))
            });
            SharedShape::compound(parts.into())
        }
        _ => {
            let parts = [13, 12, 3].map(|kind| {
                let pose = Pose::new(point(random), random.f32() * 7.0);
                (pose, random_shape(kind, 0.4 * size, random))
            });
            SharedShape::compound(parts.into())
        }
    }
}

fn polygon(size: f32, random: &mut fastrand::Rng, round: Option<f32>) -> SharedShape {
    loop {
        let points: Vec<Vec2> = (0..7)
            .map(|_| Vec2::new(random.f32() - 0.5, random.f32() - 0.5) * 2.0 * size)
            .collect();
        let shape = match round {
            Some(radius) => SharedShape::round_convex_hull(&points, radius),
            None => SharedShape::convex_hull(&points),
        };
        if let Some(shape) = shape {
            return shape;
        }
    }
}

/// A pose within `reach` of the world's origin.
pub(crate) fn random_pose(reach: f32, random: &mut fastrand::Rng) -> Pose {
    let place = Vec2::new(random.f32() - 0.5, random.f32() - 0.5) * 2.0 * reach;
    Pose::new(place, random.f32() * 7.0)
}

/// A length that exceeds the distance between any two shapes of a test, in world units.
const MAX_DISTANCE: f32 = 1e6;

/// Distance according to parry. For shapes that parry cannot handle as a whole (compounds, voxels and
/// heightfields), the least distance of a part.
pub(crate) fn parry_distance(shape: &dyn Shape, pose: &Pose, probe: &Segment) -> f32 {
    let parts: Vec<(Pose, SharedShape)> = match shape.as_typed_shape() {
        TypedShape::Compound(compound) => compound.shapes().to_vec(),
        TypedShape::Voxels(voxels) => {
            let half = voxels.voxel_size() * 0.5;
            let cell = SharedShape::cuboid(half.x, half.y);
            let centers = voxels.voxels().map(|voxel| voxel.center);
            centers
                .map(|center| (Pose::from_translation(center), cell.clone()))
                .collect()
        }
        TypedShape::HeightField(field) => {
            let segments = field.segments();
            segments
                .map(|part| (Pose::IDENTITY, SharedShape::new(part)))
                .collect()
        }
        _ => {
            let ends = query::closest_points(pose, shape, &Pose::IDENTITY, probe, MAX_DISTANCE);
            return match ends.expect("parry can") {
                ClosestPoints::Intersecting => 0.0,
                ClosestPoints::WithinMargin(a, b) => a.distance(b),
                ClosestPoints::Disjoint => f32::INFINITY,
            };
        }
    };
    let distances = parts
        .iter()
        .map(|(at, part)| parry_distance(&**part, &(*pose * *at), probe));
    distances.fold(f32::INFINITY, f32::min)
}
