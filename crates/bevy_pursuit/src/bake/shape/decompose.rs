//! Cuts any 2D parry shape into convex pieces in cell space.

use bevy::math::{DVec2, Vec2};
use bevy_rapier2d::parry::math::Pose;
use bevy_rapier2d::parry::shape::{HeightField, Shape, TypedShape, Voxels};
use pursuit::Layout;

use crate::grid::Piece;

/// An obstacle as convex pieces in cell space.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::bake) struct Pieces {
    pub(in crate::bake) pieces: Vec<Piece>,
    /// What could not be taken over as it is; the worst of it.
    pub(in crate::bake) flaw: Option<Flaw>,
}

/// Why the pieces are not exactly the shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::bake) enum Flaw {
    /// A shape that is not one of parry's own: its bounding box stands in for it.
    Custom,
    /// Parts whose size or place is NaN or infinite are left out.
    NotFinite,
}

/// The pieces of `shape` at `pose` (world units) in the cell space of `layout`.
///
/// Hollow shapes (segments, polylines, heightfields) stay hollow, as in Rapier.
pub(in crate::bake) fn decompose(shape: &dyn Shape, pose: &Pose, layout: &Layout) -> Pieces {
    let mut pieces = Pieces::default();
    add_shape(&mut pieces, shape, &Frame::new(pose, layout));
    pieces
}

/// From a shape's local space to cell space.
struct Frame {
    /// The shape's origin in cell space.
    origin: DVec2,
    /// Unit vector of the shape's local x-axis.
    axis: DVec2,
    /// Cells per world unit.
    scale: f64,
}

impl Frame {
    fn new(pose: &Pose, layout: &Layout) -> Self {
        Self {
            origin: layout.to_cell_space_f64(pose.translation.as_dvec2()),
            axis: axis_of(pose),
            scale: 1.0 / f64::from(layout.cell_size()),
        }
    }

    /// The frame of a part that stands at `pose` in this frame's shape.
    fn part(&self, pose: &Pose) -> Self {
        Self {
            origin: self.point(pose.translation),
            axis: self.axis.rotate(axis_of(pose)),
            scale: self.scale,
        }
    }

    fn point(&self, local: Vec2) -> DVec2 {
        self.origin + self.axis.rotate(local.as_dvec2()) * self.scale
    }

    fn length(&self, local: f32) -> f64 {
        f64::from(local) * self.scale
    }

    fn rectangle(&self, center: DVec2, half: DVec2, radius: f32) -> Option<Piece> {
        let center = self.origin + self.axis.rotate(center) * self.scale;
        Piece::rectangle(center, self.axis, half * self.scale, self.length(radius))
    }

    fn hull(&self, points: &[Vec2], radius: f32) -> Option<Piece> {
        let points: Vec<DVec2> = points.iter().map(|point| self.point(*point)).collect();
        Piece::hull(&points, self.length(radius))
    }
}

/// NaN for a rotation that is none, so that its pieces are refused.
fn axis_of(pose: &Pose) -> DVec2 {
    DVec2::new(
        f64::from(pose.rotation.cos()),
        f64::from(pose.rotation.sin()),
    )
    .normalize()
}

impl Pieces {
    fn push(&mut self, piece: Option<Piece>) {
        match piece {
            Some(piece) => self.pieces.push(piece),
            None => self.flaw = self.flaw.max(Some(Flaw::NotFinite)),
        }
    }
}

fn add_shape(out: &mut Pieces, shape: &dyn Shape, frame: &Frame) {
    match shape.as_typed_shape() {
        TypedShape::Ball(ball) => out.push(frame.hull(&[Vec2::ZERO], ball.radius)),
        TypedShape::Cuboid(cuboid) => {
            out.push(frame.rectangle(DVec2::ZERO, cuboid.half_extents.as_dvec2(), 0.0));
        }
        TypedShape::RoundCuboid(round) => {
            let half = round.inner_shape.half_extents.as_dvec2();
            out.push(frame.rectangle(DVec2::ZERO, half, round.border_radius));
        }
        TypedShape::Capsule(capsule) => {
            out.push(frame.hull(&[capsule.segment.a, capsule.segment.b], capsule.radius));
        }
        TypedShape::Segment(segment) => out.push(frame.hull(&[segment.a, segment.b], 0.0)),
        TypedShape::Triangle(triangle) => out.push(frame.hull(triangle.vertices(), 0.0)),
        TypedShape::RoundTriangle(round) => {
            out.push(frame.hull(round.inner_shape.vertices(), round.border_radius));
        }
        TypedShape::ConvexPolygon(polygon) => out.push(frame.hull(polygon.points(), 0.0)),
        TypedShape::RoundConvexPolygon(round) => {
            out.push(frame.hull(round.inner_shape.points(), round.border_radius));
        }
        TypedShape::TriMesh(mesh) => {
            for triangle in mesh.triangles() {
                out.push(frame.hull(triangle.vertices(), 0.0));
            }
        }
        TypedShape::Polyline(line) => {
            for segment in line.segments() {
                out.push(frame.hull(&[segment.a, segment.b], 0.0));
            }
        }
        TypedShape::HalfSpace(half) => {
            let normal = frame.axis.rotate(half.normal.as_dvec2());
            out.push(Piece::half_space(frame.origin, normal));
        }
        TypedShape::HeightField(field) => add_heightfield(out, field, frame),
        TypedShape::Voxels(voxels) => add_voxels(out, voxels, frame),
        TypedShape::Compound(compound) => {
            for (pose, part) in compound.shapes() {
                add_shape(out, &**part, &frame.part(pose));
            }
        }
        TypedShape::Custom(custom) => {
            let aabb = custom.compute_local_aabb();
            let (center, half) = (aabb.center().as_dvec2(), aabb.half_extents().as_dvec2());
            out.push(frame.rectangle(center, half, 0.0));
            out.flaw = out.flaw.max(Some(Flaw::Custom));
        }
    }
}

/// The segments of a heightfield that are not removed.
fn add_heightfield(out: &mut Pieces, field: &HeightField, frame: &Frame) {
    for segment in field.segments() {
        out.push(frame.hull(&[segment.a, segment.b], 0.0));
    }
}

/// The filled voxels, merged into rectangles: runs along x, and equal runs on top of each other.
fn add_voxels(out: &mut Pieces, voxels: &Voxels, frame: &Frame) {
    let size = voxels.voxel_size().as_dvec2();
    let mirrored;
    let upright = if size.min_element() < 0.0 {
        // Parry cannot tell the domain of voxels of negative size.
        mirrored = voxels.clone().scaled(voxels.voxel_size().signum());
        &mirrored
    } else {
        voxels
    };
    let [low, high] = upright.domain();
    let mut filled: Vec<(i32, i32)> = upright
        .voxels_in_range(low, high)
        .map(|voxel| (voxel.grid_coords.y, voxel.grid_coords.x))
        .collect();
    filled.sort_unstable();

    for run in merge_runs(&filled) {
        let from = DVec2::new(f64::from(run.x0), f64::from(run.y0)) * size;
        let to = DVec2::new(f64::from(run.x1), f64::from(run.y1)) * size;
        out.push(frame.rectangle((from + to) * 0.5, (to - from) * 0.5, 0.0));
    }
}

/// A rectangle of voxels; `x1` and `y1` are exclusive.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Run {
    x0: i32,
    x1: i32,
    y0: i32,
    y1: i32,
}

/// Covers `(y, x)` keys, sorted, by disjoint rectangles.
fn merge_runs(keys: &[(i32, i32)]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for &(y, x) in keys {
        match runs.last_mut() {
            Some(run) if run.y0 == y && run.x1 == x => run.x1 += 1,
            _ => runs.push(Run {
                x0: x,
                x1: x + 1,
                y0: y,
                y1: y + 1,
            }),
        }
    }
    runs.sort_unstable_by_key(|run| (run.x0, run.x1, run.y0));
    let mut merged: Vec<Run> = Vec::with_capacity(runs.len());
    for run in runs {
        match merged.last_mut() {
            Some(below) if (below.x0, below.x1, below.y1) == (run.x0, run.x1, run.y0) => {
                below.y1 = run.y1;
            }
            _ => merged.push(run),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use bevy_rapier2d::parry::bounding_volume::{Aabb, BoundingSphere};
    use bevy_rapier2d::parry::mass_properties::MassProperties;
    use bevy_rapier2d::parry::query::{PointProjection, PointQuery, Ray, RayCast, RayIntersection};
    use bevy_rapier2d::parry::shape::{Ball, FeatureId, Segment, ShapeType, SharedShape};

    use super::super::random_shapes::{KINDS, parry_distance, random_pose, random_shape};
    use super::*;

    /// Cells of 2.5 units, so that a forgotten change of units shows.
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
    fn distances_are_those_of_parry_for_every_kind_of_shape() {
        let mut random = fastrand::Rng::with_seed(11);
        for kind in 0..KINDS {
            for round in 0..60 {
                let shape = random_shape(kind, 6.0, &mut random);
                let pose = random_pose(20.0, &mut random);
                let cut = decompose(&*shape, &pose, &layout());
                assert_eq!(cut.flaw, None);
                for _ in 0..20 {
                    let from = random_pose(30.0, &mut random).translation;
                    let to = from + random_pose(3.0, &mut random).translation;
                    let expected = parry_distance(&*shape, &pose, &Segment::new(from, to));
                    let got = distance_along(&cut, from, to);
                    // Parry iterates until it is within a thousandth.
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
    fn distances_of_points_are_exact_wherever_parrys_are() {
        let mut random = fastrand::Rng::with_seed(12);
        // Parry iterates for the others.
        for kind in [0, 1, 2, 3, 4, 7, 10, 11, 12, 13] {
            for _ in 0..60 {
                let shape = random_shape(kind, 6.0, &mut random);
                let pose = random_pose(20.0, &mut random);
                let cut = decompose(&*shape, &pose, &layout());
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
    fn along_a_step_the_distance_is_the_least_of_its_points() {
        let mut random = fastrand::Rng::with_seed(13);
        for kind in 0..KINDS {
            for _ in 0..60 {
                let shape = random_shape(kind, 6.0, &mut random);
                let pose = random_pose(20.0, &mut random);
                for piece in decompose(&*shape, &pose, &layout()).pieces {
                    let cell = DVec2::new(random.f64() * 20.0, random.f64() * 20.0).round();
                    let end = cell + DVec2::new(1.0, f64::from(random.i8(-1..=1)));
                    // The distance is convex along the step: close in on its least.
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
            let cut = decompose(&*shape, &Pose::rotation(0.3), &layout());
            assert_eq!(
                distance_along(&cut, Vec2::new(-1.0, 0.0), Vec2::new(1.0, 0.2)),
                0.0
            );
            assert!(distance_along(&cut, Vec2::new(-1.0, 8.0), Vec2::new(1.0, 8.0)) > 2.0);
        }
    }

    #[test]
    fn a_step_beside_a_box_does_not_cross_it() {
        let cut = decompose(&*SharedShape::cuboid(4.0, 1.0), &Pose::IDENTITY, &layout());
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
            let cut = decompose(&*shape, &Pose::IDENTITY, &layout());
            assert_eq!(distance(&cut, Vec2::new(-3.5, 0.5)), 0.0);
            assert!((distance(&cut, Vec2::new(-6.0, 0.5)) - 2.0).abs() < 1e-4);
        }
    }

    #[test]
    fn shapes_that_are_no_numbers_are_left_out_and_reported() {
        let nan = f32::NAN;
        for shape in [
            SharedShape::ball(nan),
            SharedShape::cuboid(nan, 1.0),
            SharedShape::cuboid(f32::INFINITY, 1.0),
            SharedShape::segment(Vec2::ZERO, Vec2::new(nan, 0.0)),
            SharedShape::capsule(Vec2::ZERO, Vec2::X, f32::INFINITY),
            SharedShape::halfspace(Vec2::ZERO),
        ] {
            let cut = decompose(&*shape, &Pose::IDENTITY, &layout());
            assert_eq!((cut.pieces.len(), cut.flaw), (0, Some(Flaw::NotFinite)));
        }
        let lost = Pose::from_translation(Vec2::new(nan, 0.0));
        let turned = Pose::rotation(nan);
        for pose in [lost, turned] {
            for kind in 0..KINDS {
                let shape = random_shape(kind, 3.0, &mut fastrand::Rng::with_seed(1));
                let cut = decompose(&*shape, &pose, &layout());
                let refused = (cut.pieces.len(), cut.flaw);
                assert_eq!(refused, (0, Some(Flaw::NotFinite)), "kind {kind}");
            }
        }
    }

    /// A ball that parry does not know as one.
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
    fn a_shape_that_parry_does_not_know_is_its_bounding_box() {
        let blob = SharedShape::new(Blob(Ball::new(2.0)));
        let cut = decompose(
            &*blob,
            &Pose::from_translation(Vec2::splat(10.0)),
            &layout(),
        );
        assert_eq!(cut.flaw, Some(Flaw::Custom));
        assert_eq!(distance(&cut, Vec2::new(11.9, 8.1)), 0.0);
        assert!((distance(&cut, Vec2::new(15.0, 10.0)) - 3.0).abs() < 1e-5);
    }

    #[test]
    fn voxels_become_few_rectangles() {
        let keys: Vec<(i32, i32)> = (0..8).flat_map(|y| (0..8).map(move |x| (y, x))).collect();
        assert_eq!(
            merge_runs(&keys),
            [Run {
                x0: 0,
                x1: 8,
                y0: 0,
                y1: 8
            }]
        );
        let ring: Vec<(i32, i32)> = keys
            .into_iter()
            .filter(|(y, x)| y % 7 == 0 || x % 7 == 0)
            .collect();
        let runs = merge_runs(&ring);
        assert_eq!(runs.len(), 4);
        let covered: i32 = runs
            .iter()
            .map(|run| (run.x1 - run.x0) * (run.y1 - run.y0))
            .sum();
        assert_eq!(covered as usize, ring.len());
    }
}
