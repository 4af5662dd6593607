//! The interface for obstacles: outlines, and the convex pieces that they add to a grid.

use std::any::Any;

use bevy::math::{DVec2, Isometry2d, Vec2};
use pursuit::Layout;

use crate::grid::Piece;

/// An outline of an obstacle, in whatever form a game stores it: a physics shape, a part of a tilemap, a polygon.
///
/// The outline is stored in an [`Obstacle`](super::Obstacle) and moves with the obstacle into the task that bakes.
/// There, [`add_to`](Self::add_to) is called for each grid that the obstacle concerns, whenever the obstacle or the
/// grid has changed. An outline must not change. To give an obstacle another outline, set the obstacle again.
///
/// ```
/// # use bevy::math::Vec2;
/// use bevy_pursuit::obstacle::{Outline, Pieces};
///
/// /// A wall of bricks, from left to right.
/// struct Bricks(u8);
///
/// impl Outline for Bricks {
///     fn add_to(&self, pieces: &mut Pieces) {
///         for brick in 0..self.0 {
///             let center = Vec2::new(f32::from(brick) * 4.0, 0.0);
///             pieces.rectangle(center, Vec2::new(1.9, 0.9), 0.0);
///         }
///     }
/// }
/// ```
pub trait Outline: Any + Send + Sync {
    /// Adds the pieces of the outline, in its own space: world units relative to the obstacle's pose.
    fn add_to(&self, pieces: &mut Pieces);

    /// Whether `other` adds the same pieces. If `true`, nothing is baked again. Return `false` if a comparison would
    /// take long.
    ///
    /// Called only if the two outlines are not the same `Arc`. Default: `false`.
    fn is_same(&self, other: &dyn Outline) -> bool {
        let _ = other;
        false
    }
}

/// Collects the pieces of an [`Outline`], converted to the cell space of a grid.
///
/// Lengths and positions are in **world units** in the outline's own space. Each piece is convex and solid inside.
/// Pieces may overlap, and may lie outside the grid. A piece with a NaN or infinite number is left out, and a warning
/// is logged once.
#[derive(Clone, Debug)]
pub struct Pieces {
    /// The outline's origin in cell space.
    origin: DVec2,
    /// Unit vector of the outline's x-axis.
    axis: DVec2,
    /// Cells per world unit.
    scale: f64,
    pub(crate) pieces: Vec<Piece>,
    /// Whether a piece was left out because a number was not finite.
    pub(crate) lacks_some: bool,
}

impl Pieces {
    /// An empty collection for an outline at `pose`, in grid coordinates.
    pub(crate) fn new(pose: Isometry2d, layout: &Layout) -> Self {
        Self {
            origin: layout.to_cell_space_f64(pose.translation.as_dvec2()),
            axis: axis_of(pose),
            scale: 1.0 / f64::from(layout.cell_size()),
            pieces: Vec::new(),
            lacks_some: false,
        }
    }

    /// Adds a disc.
    pub fn disc(&mut self, center: Vec2, radius: f32) {
        self.hull(&[center], radius);
    }

    /// Adds a rectangle whose sides are parallel to the outline's own axes, grown by `radius`. `half` is half the width
    /// and half the height. If one of them is zero, the rectangle is a line or a point.
    pub fn rectangle(&mut self, center: impl Into<DVec2>, half: impl Into<DVec2>, radius: f32) {
        let (axis, scale) = (self.axis, self.scale);
        let center = self.origin + axis.rotate(center.into()) * scale;
        let radius = f64::from(radius) * scale;
        self.push(Piece::rectangle(center, axis, half.into() * scale, radius));
    }

    /// Adds the convex hull of `points`, grown by `radius`: one point gives a disc, two points give a capsule. The
    /// points may be in any order. Without points, nothing is added.
    pub fn hull(&mut self, points: &[Vec2], radius: f32) {
        if points.is_empty() {
            return;
        }
        let points: Vec<DVec2> = points.iter().map(|one| self.point(*one)).collect();
        self.push(Piece::hull(&points, f64::from(radius) * self.scale));
    }

    /// Adds the half-plane whose border goes through the outline's origin. `normal` points out of the half-plane, and
    /// may have any length except zero.
    pub fn half_space(&mut self, normal: Vec2) {
        let normal = self.axis.rotate(normal.as_dvec2());
        self.push(Piece::half_space(self.origin, normal));
    }

    /// Adds a part of the outline that is at `pose`: within `add`, positions are relative to `pose`.
    pub fn part(&mut self, pose: Isometry2d, add: impl FnOnce(&mut Self)) {
        let whole = (self.origin, self.axis);
        self.origin = self.point(pose.translation);
        self.axis = self.axis.rotate(axis_of(pose));
        add(self);
        (self.origin, self.axis) = whole;
    }

    /// A point of the outline in cell space.
    fn point(&self, local: Vec2) -> DVec2 {
        self.origin + self.axis.rotate(local.as_dvec2()) * self.scale
    }

    fn push(&mut self, piece: Option<Piece>) {
        self.lacks_some |= piece.is_none();
        self.pieces.extend(piece);
    }
}

/// Unit vector of a pose's x-axis. NaN for a rotation that is not finite, so that its pieces are refused.
fn axis_of(pose: Isometry2d) -> DVec2 {
    DVec2::new(f64::from(pose.rotation.cos), f64::from(pose.rotation.sin)).normalize()
}
