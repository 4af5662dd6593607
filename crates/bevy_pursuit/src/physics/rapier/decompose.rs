//! The outline of a collider. Cuts any of parry's 2D shapes into convex pieces.

use bevy::math::DVec2;
use bevy::prelude::*;
use bevy_rapier2d::parry::math::Pose;
use bevy_rapier2d::parry::shape::{Segment, Shape, SharedShape, TypedShape, Voxels};
use pursuit::{Cell, CellRect, Layout};

use std::any::Any;
use std::ptr;
use std::sync::Arc;

use crate::grid::Piece;
use crate::obstacle::{Outline, Pieces};

/// The shape of a collider, possibly shared with it. Holding the shape also makes its content immutable: parry
/// copies a shared shape before changing it.
pub(super) struct ColliderOutline {
    pub(super) entity: Entity,
    pub(super) shape: SharedShape,
}

impl Outline for ColliderOutline {
    fn add_to(&self, pieces: &mut Pieces) {
        if !add_shape(pieces, &*self.shape) {
            warn_once!(
                "collider {} has a custom shape: it is baked as its bounding box. Use one of Rapier's own shapes if \
                 that is too coarse (said once, for the first such collider)",
                self.entity
            );
        }
    }

    fn is_same(&self, other: &dyn Outline) -> bool {
        let other = (other as &dyn Any).downcast_ref::<Self>();
        let content = |shape: &SharedShape| Arc::as_ptr(&shape.0);
        other.is_some_and(|other| ptr::addr_eq(content(&self.shape), content(&other.shape)))
    }
}

/// Distance from the origin to the farthest point of a shape at the pose `at`, in world units.
pub(super) fn reach(entity: Entity, shape: SharedShape, at: Isometry2d) -> f32 {
    let units = Layout::new(Vec2::splat(-0.5), 1.0, 1, 1).expect("invariant: one cell is a layout");
    let mut pieces = Pieces::new(at, &units);
    ColliderOutline { entity, shape }.add_to(&mut pieces);
    let reaches = pieces.pieces.iter().map(Piece::reach);
    reaches.fold(0.0, f64::max) as f32
}

fn add_segment(out: &mut Pieces, segment: &Segment, radius: f32) {
    out.hull(&[segment.a, segment.b], radius);
}

/// Converts a pose to an isometry of Bevy, without any rounding.
fn isometry(pose: &Pose) -> Isometry2d {
    let (cos, sin) = (pose.rotation.cos(), pose.rotation.sin());
    Isometry2d::new(pose.translation, Rot2 { cos, sin })
}

/// Adds the pieces of a shape. Hollow shapes (segments, polylines, heightfields) stay hollow, as in Rapier.
///
/// Returns `false` if a part is not one of parry's own shapes; its bounding box is added instead.
fn add_shape(out: &mut Pieces, shape: &dyn Shape) -> bool {
    match shape.as_typed_shape() {
        TypedShape::Ball(ball) => out.disc(Vec2::ZERO, ball.radius),
        TypedShape::Cuboid(cuboid) => out.rectangle(DVec2::ZERO, cuboid.half_extents, 0.0),
        TypedShape::RoundCuboid(round) => {
            let half = round.inner_shape.half_extents;
            out.rectangle(DVec2::ZERO, half, round.border_radius);
        }
        TypedShape::Capsule(capsule) => add_segment(out, &capsule.segment, capsule.radius),
        TypedShape::Segment(segment) => add_segment(out, segment, 0.0),
        TypedShape::Triangle(triangle) => out.hull(triangle.vertices(), 0.0),
        TypedShape::RoundTriangle(round) => {
            out.hull(round.inner_shape.vertices(), round.border_radius);
        }
        TypedShape::ConvexPolygon(polygon) => out.hull(polygon.points(), 0.0),
        TypedShape::RoundConvexPolygon(round) => {
            out.hull(round.inner_shape.points(), round.border_radius);
        }
        TypedShape::TriMesh(mesh) => {
            mesh.triangles().for_each(|it| out.hull(it.vertices(), 0.0));
        }
        TypedShape::Polyline(line) => line.segments().for_each(|it| add_segment(out, &it, 0.0)),
        TypedShape::HalfSpace(half) => out.half_space(half.normal),
        TypedShape::HeightField(field) => {
            field.segments().for_each(|it| add_segment(out, &it, 0.0));
        }
        TypedShape::Voxels(voxels) => add_voxels(out, voxels),
        TypedShape::Compound(compound) => {
            let mut are_known = true;
            for (pose, part) in compound.shapes() {
                out.part(isometry(pose), |out| are_known &= add_shape(out, &**part));
            }
            return are_known;
        }
        TypedShape::Custom(custom) => {
            let aabb = custom.compute_local_aabb();
            out.rectangle(aabb.center(), aabb.half_extents(), 0.0);
            return false;
        }
    }
    true
}

/// Adds the filled voxels, merged into rectangles. Adjacent voxels form runs along x, and runs of the same columns in
/// adjacent rows form a rectangle.
fn add_voxels(out: &mut Pieces, voxels: &Voxels) {
    let size = voxels.voxel_size().as_dvec2();
    let mirrored;
    let upright = if size.min_element() < 0.0 {
        // Parry cannot compute the domain of voxels of negative size.
        mirrored = voxels.clone().scaled(voxels.voxel_size().signum());
        &mirrored
    } else {
        voxels
    };
    let [low, high] = upright.domain();
    let filled = upright.voxels_in_range(low, high);
    let filled = filled.map(|voxel| (voxel.grid_coords.y, voxel.grid_coords.x));
    let mut filled: Vec<(i32, i32)> = filled.collect();
    filled.sort_unstable();

    for run in merge_runs(&filled) {
        let corner = |corner: Cell| DVec2::new(corner.x.into(), corner.y.into()) * size;
        let (from, to) = (corner(run.min), corner(run.max));
        out.rectangle((from + to) * 0.5, (to - from) * 0.5, 0.0);
    }
}

/// Covers sorted `(y, x)` keys with disjoint rectangles.
fn merge_runs(keys: &[(i32, i32)]) -> Vec<CellRect> {
    let mut runs: Vec<CellRect> = Vec::new();
    for &(y, x) in keys {
        match runs.last_mut() {
            Some(run) if run.min.y == y && run.max.x == x => run.max.x += 1,
            _ => runs.push(CellRect::new(Cell::new(x, y), Cell::new(x + 1, y + 1))),
        }
    }
    runs.sort_unstable_by_key(|run| (run.min.x, run.max.x, run.min.y));
    let mut merged: Vec<CellRect> = Vec::with_capacity(runs.len());
    for run in runs {
        match merged.last_mut() {
            Some(below)
                if (below.min.x, below.max) == (run.min.x, Cell::new(run.max.x, run.min.y)) =>
            {
                below.max.y = run.max.y;
            }
            _ => merged.push(run),
        }
    }
    merged
}

/// The pieces of a collider's shape at `pose`, in the cell space of `layout`.
#[cfg(test)]
pub(crate) fn decompose(shape: &SharedShape, pose: &Pose, layout: &pursuit::Layout) -> Pieces {
    let mut pieces = Pieces::new(isometry(pose), layout);
    let outline = ColliderOutline {
        entity: Entity::PLACEHOLDER,
        shape: shape.clone(),
    };
    outline.add_to(&mut pieces);
    pieces
}

#[cfg(test)]
mod tests {
    use bevy_rapier2d::parry::bounding_volume::{Aabb, BoundingSphere};
    use bevy_rapier2d::parry::mass_properties::MassProperties;
    use bevy_rapier2d::parry::query::{PointProjection, PointQuery, Ray, RayCast, RayIntersection};
    use bevy_rapier2d::parry::shape::{Ball, FeatureId, Segment, ShapeType, SharedShape};

    use pursuit::Layout;

    use super::super::random_shapes::{KINDS, parry_distance, random_pose, random_shape};
    use super::*;

    /// Cells of 2.5 units, so that a missing conversion of units fails the test.
    fn layout() -> Layout {
        Layout::new(Vec2::new(-31.0, 7.0), 2.5, 40, 40).unwrap()
    }

    fn distance(cut: &Pieces, point: Vec2) -> f32 {
        let point = layout().to_cell_space(point).as_dvec2();
        let distances = cut.pieces.iter().map(|piece| piece.distance(point));
        distances.fold(f64::INFINITY, f64::min) as f32 * layout().cell_size()
    }

    fn distance_along(cut: &Pieces, from: Vec2, to: Vec2) -> f32 {
        let [from, to] = [from, to].map(|point| layout().to_cell_space(point).as_dvec2());
        let distances = cut
            .pieces
            .iter()
            .map(|piece| piece.least_distance_along(from, to));
        distances.fold(f64::INFINITY, f64::min) as f32 * layout().cell_size()
    }

    #[test]
    fn distances_match_parry_for_every_kind_of_shape() {
        let mut random = fastrand::Rng::with_seed(11);
        for kind in 0..KINDS {
            for round in 0..60 {
                let shape = random_shape(kind, 6.0, &mut random);
                let pose = random_pose(20.0, &mut random);
                let cut = decompose(&shape, &pose, &layout());
                assert!(!cut.lacks_some);
                for _ in 0..20 {
                    let from = random_pose(30.0, &mut random).translation;
                    let to = from + random_pose(3.0, &mut random).translation;
                    let expected = parry_distance(&*shape, &pose, &Segment::new(from, to));
                    let got = distance_along(&cut, from, to);
                    // Parry iterates until its error is below a thousandth.
                    assert!(
                        (got - expected).abs() < 1e-3 + 2e-3 * expected,
                        "kind {kind} round {round}: {got} from {from} to {to}, parry says {expected}"
                    );
                    let ends = distance(&cut, from).min(distance(&cut, to));
                    assert!(got <= ends && got >= ends - 0.5 * from.distance(to) - 1e-3);
                }
            }
        }
    }

    #[test]
    fn point_distances_are_exact_where_parry_is_exact() {
        let mut random = fastrand::Rng::with_seed(12);
        // For the other kinds, parry approximates the distance iteratively.
        for kind in [0, 1, 2, 3, 4, 7, 10, 11, 12, 13] {
            for _ in 0..60 {
                let shape = random_shape(kind, 6.0, &mut random);
                let pose = random_pose(20.0, &mut random);
                let cut = decompose(&shape, &pose, &layout());
                for _ in 0..40 {
                    let point = random_pose(30.0, &mut random).translation;
                    let expected = shape.distance_to_point(&pose, point, true).max(0.0);
                    let got = distance(&cut, point);
                    assert!(
                        (got - expected).abs() < 5e-5,
                        "kind {kind}: {got}, not {expected}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_distance_of_a_step_is_the_smallest_of_its_points() {
        let mut random = fastrand::Rng::with_seed(13);
        for kind in 0..KINDS {
            for _ in 0..60 {
                let shape = random_shape(kind, 6.0, &mut random);
                let pose = random_pose(20.0, &mut random);
                for piece in decompose(&shape, &pose, &layout()).pieces {
                    let cell = DVec2::new(random.f64() * 20.0, random.f64() * 20.0).round();
                    let end = cell + DVec2::new(1.0, f64::from(random.i8(-1..=1)));
                    // The distance is convex along the step, so a ternary search finds its minimum.
                    let (mut low, mut high) = (0.0, 1.0);
                    let at = |t: f64| piece.distance(cell.lerp(end, t));
                    for _ in 0..100 {
                        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
                        if at(a) <= at(b) { high = b } else { low = a }
                    }
                    let expected = at(low).min(at(0.0)).min(at(1.0));
                    let got = piece.least_distance_along(cell, end);
                    assert!(
                        (got - expected).abs() < 1e-7,
                        "kind {kind}: {got}, not {expected}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_step_that_crosses_a_thin_wall_is_at_distance_zero() {
        let wall = SharedShape::segment(Vec2::new(0.0, -5.0), Vec2::new(0.0, 5.0));
        let flat = SharedShape::cuboid(0.0, 5.0);
        for shape in [wall, flat] {
            let cut = decompose(&shape, &Pose::rotation(0.3), &layout());
            assert_eq!(
                distance_along(&cut, Vec2::new(-1.0, 0.0), Vec2::new(1.0, 0.2)),
                0.0
            );
            assert!(distance_along(&cut, Vec2::new(-1.0, 8.0), Vec2::new(1.0, 8.0)) > 2.0);
        }
    }

    #[test]
    fn a_step_beside_a_box_does_not_cross_it() {
        let cut = decompose(&SharedShape::cuboid(4.0, 1.0), &Pose::IDENTITY, &layout());
        let along = distance_along(&cut, Vec2::new(-1.0, 3.0), Vec2::new(1.0, 3.0));
        assert!((along - 2.0).abs() < 1e-5, "{along}");
        let ahead = distance_along(&cut, Vec2::new(5.0, 0.0), Vec2::new(9.0, 0.0));
        assert!((ahead - 1.0).abs() < 1e-5, "{ahead}");
    }

    #[test]
    fn mirrored_shapes_keep_their_inside() {
        let mirror = Vec2::new(-1.0, 1.0);
        let corners = [Vec2::ZERO, Vec2::new(4.0, 0.0), Vec2::new(4.0, 1.0)];
        let polygon = SharedShape::convex_hull(&corners).unwrap();
        let voxels = Voxels::new(Vec2::ONE, &[(1, 0).into(), (2, 0).into(), (3, 0).into()]);
        let polygon = polygon.as_convex_polygon().unwrap().clone();
        let shapes = [
            SharedShape::new(polygon.scaled(mirror).unwrap()),
            SharedShape::new(voxels.scaled(mirror)),
            SharedShape::cuboid(-4.0, 1.0),
        ];
        for shape in shapes {
            let cut = decompose(&shape, &Pose::IDENTITY, &layout());
            assert_eq!(distance(&cut, Vec2::new(-3.5, 0.5)), 0.0);
            assert!((distance(&cut, Vec2::new(-6.0, 0.5)) - 2.0).abs() < 1e-4);
        }
    }

    #[test]
    fn invalid_shapes_are_left_out_and_reported() {
        let nan = f32::NAN;
        for shape in [
            SharedShape::ball(nan),
            SharedShape::cuboid(nan, 1.0),
            SharedShape::cuboid(f32::INFINITY, 1.0),
            SharedShape::segment(Vec2::ZERO, Vec2::new(nan, 0.0)),
            SharedShape::capsule(Vec2::ZERO, Vec2::X, f32::INFINITY),
            SharedShape::halfspace(Vec2::ZERO),
        ] {
            let cut = decompose(&shape, &Pose::IDENTITY, &layout());
            assert_eq!((cut.pieces.len(), cut.lacks_some), (0, true));
        }
        let lost = Pose::from_translation(Vec2::new(nan, 0.0));
        let turned = Pose::rotation(nan);
        for pose in [lost, turned] {
            for kind in 0..KINDS {
                let shape = random_shape(kind, 3.0, &mut fastrand::Rng::with_seed(1));
                let cut = decompose(&shape, &pose, &layout());
                let refused = (cut.pieces.len(), cut.lacks_some);
                assert_eq!(refused, (0, true), "kind {kind}");
            }
        }
    }

    #[test]
    fn nav_obstacles_have_the_pieces_of_equal_colliders() {
        use bevy_rapier2d::geometry::Collider;
        use bevy_rapier2d::parry::shape::SharedShape;

        use crate::obstacle::shape::ObstacleShape::*;

        let mut random = fastrand::Rng::with_seed(14);
        for round in 0..400 {
            let mut length = || 0.2 + 6.0 * random.f32();
            let (radius, half_length) = (length(), length());
            let half_size = Vec2::new(length(), length());
            let points: Vec<Vec2> = (0..9).map(|_| Vec2::new(length(), length())).collect();
            // Rapier rounds scales in this way.
            let stretch = (Vec2::new(length(), -length()) * 1e4).round() / 1e4;
            let scale = [Vec2::ONE, Vec2::splat(stretch.x), stretch][round % 3];
            let pose = random_pose(20.0, &mut random);
            let pairs = [
                (Circle { radius }, SharedShape::ball(radius)),
                (
                    Rectangle { half_size },
                    SharedShape::cuboid(half_size.x, half_size.y),
                ),
                (
                    Capsule {
                        half_length,
                        radius,
                    },
                    SharedShape::capsule_y(half_length, radius),
                ),
                (
                    ConvexPolygon {
                        points: points.clone(),
                    },
                    SharedShape::convex_hull(&points).expect("points not on a line"),
                ),
            ];
            for (own, rapiers) in pairs {
                let mut collider = Collider::from(rapiers);
                collider.set_scale(scale, 10);
                let expected = decompose(&collider.raw, &pose, &layout());
                let mut pieces = Pieces::new(isometry(&pose), &layout());
                own.scaled(scale).add_to(&mut pieces);
                for _ in 0..20 {
                    let point = random_pose(30.0, &mut random).translation;
                    let (own_distance, theirs) =
                        (distance(&pieces, point), distance(&expected, point));
                    assert!(
                        (own_distance - theirs).abs() < 1e-4,
                        "{own:?} times {scale}: {own_distance}, Rapier says {theirs}"
                    );
                }
                assert_eq!(pieces.pieces.len(), 1);
            }
        }
    }

    /// A ball of a custom shape type.
    #[derive(Clone)]
    struct Blob(Ball);

    impl PointQuery for Blob {
        fn project_local_point(&self, point: Vec2, solid: bool) -> PointProjection {
            self.0.project_local_point(point, solid)
        }
        fn project_local_point_and_get_feature(&self, point: Vec2) -> (PointProjection, FeatureId) {
            self.0.project_local_point_and_get_feature(point)
        }
    }

    impl RayCast for Blob {
        fn cast_local_ray_and_get_normal(
            &self,
            ray: &Ray,
            most: f32,
            solid: bool,
        ) -> Option<RayIntersection> {
            self.0.cast_local_ray_and_get_normal(ray, most, solid)
        }
    }

    impl Shape for Blob {
        fn compute_local_aabb(&self) -> Aabb {
            self.0.local_aabb()
        }
        fn compute_local_bounding_sphere(&self) -> BoundingSphere {
            self.0.local_bounding_sphere()
        }
        fn clone_dyn(&self) -> Box<dyn Shape> {
            Box::new(self.clone())
        }
        fn scale_dyn(&self, _: Vec2, _: u32) -> Option<Box<dyn Shape>> {
            None
        }
        fn mass_properties(&self, density: f32) -> MassProperties {
            Shape::mass_properties(&self.0, density)
        }
        fn shape_type(&self) -> ShapeType {
            ShapeType::Custom
        }
        fn as_typed_shape(&self) -> TypedShape<'_> {
            TypedShape::Custom(self)
        }
        fn ccd_thickness(&self) -> f32 {
            self.0.radius
        }
        fn ccd_angular_thickness(&self) -> f32 {
            0.0
        }
    }

    #[test]
    fn an_unknown_shape_becomes_its_bounding_box() {
        let blob = SharedShape::new(Blob(Ball::new(2.0)));
        let cut = decompose(&blob, &Pose::from_translation(Vec2::splat(10.0)), &layout());
        assert_eq!(distance(&cut, Vec2::new(11.9, 8.1)), 0.0);
        assert!((distance(&cut, Vec2::new(15.0, 10.0)) - 3.0).abs() < 1e-5);
    }

    #[test]
    fn voxels_become_few_rectangles() {
        let keys: Vec<(i32, i32)> = (0..8).flat_map(|y| (0..8).map(move |x| (y, x))).collect();
        let all = CellRect::new(Cell::new(0, 0), Cell::new(8, 8));
        assert_eq!(merge_runs(&keys), [all]);
        let ring: Vec<(i32, i32)> = keys
            .into_iter()
            .filter(|(y, x)| y % 7 == 0 || x % 7 == 0)
            .collect();
        let runs = merge_runs(&ring);
        assert_eq!(runs.len(), 4);
        let covered: u64 = runs.iter().map(CellRect::cell_count).sum();
        assert_eq!(covered as usize, ring.len());
    }
}
