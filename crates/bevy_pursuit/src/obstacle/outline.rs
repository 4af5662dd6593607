//! The seam for obstacles: what an outline is, and the convex pieces that it adds to a grid.

use std::any::Any;

use bevy::math::{DVec2, Isometry2d, Vec2};
use pursuit::Layout;

use crate::grid::Piece;

/// An outline of an obstacle, however a game stores it: a shape of a physics, a part of a tilemap, a polygon.
///
/// It is kept in an [`Obstacle`](super::Obstacle), goes with it into the task that bakes, and is asked once for each
/// bake of each grid that the obstacle concerns. So it must not change: a new outline is a new value.
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
    /// Adds the pieces that it is made of, in its own space: world units around the obstacle's pose.
    fn add_to(&self, pieces: &mut Pieces);

    /// Whether `other` adds the same pieces, as far as that can be told at once. Where it does, nothing is baked again.
    ///
    /// Asked only where the two are not the same `Arc`. Default: `false`.
    fn is_same(&self, other: &dyn Outline) -> bool {
        let _ = other;
        false
    }
}

/// Takes the pieces of an [`Outline`] into the cell space of a grid.
///
/// Lengths and places are in **world units** in the outline's own space. Each piece is convex, and solid inside.
/// Pieces may overlap, and may lie outside of the grid. One with a number that is not finite is left out, which the
/// log says once.
#[derive(Clone, Debug)]
pub struct Pieces {
    frame: Frame,
    pub(crate) pieces: Vec<Piece>,
    /// Whether a number was not finite.
    pub(crate) lacks_some: bool,
}

impl Pieces {
    /// None yet, of an outline at `pose` in the frame of the grid.
    pub(crate) fn new(pose: Isometry2d, layout: &Layout) -> Self {
        Self {
            frame: Frame::new(pose, layout),
            pieces: Vec::new(),
            lacks_some: false,
        }
    }

    /// Adds a disc.
    pub fn disc(&mut self, center: Vec2, radius: f32) {
        self.hull(&[center], radius);
    }

    /// Adds a rectangle whose sides are along the outline's own axes, grown by `radius`. Half extents of zero leave a
    /// line or a point.
    pub fn rectangle(&mut self, center: impl Into<DVec2>, half: impl Into<DVec2>, radius: f32) {
        let Frame {
            origin,
            axis,
            scale,
        } = self.frame;
        let center = origin + axis.rotate(center.into()) * scale;
        let radius = self.frame.length(radius);
        self.push(Piece::rectangle(center, axis, half.into() * scale, radius));
    }

    /// Adds the convex hull of `points`, grown by `radius`: a disc around one point, a capsule around two. Points may
    /// come in any order; without any nothing is added.
    pub fn hull(&mut self, points: &[Vec2], radius: f32) {
        if points.is_empty() {
            return;
        }
        let points: Vec<DVec2> = points.iter().map(|one| self.frame.point(*one)).collect();
        self.push(Piece::hull(&points, self.frame.length(radius)));
    }

    /// Adds all that lies behind the line through the outline's origin which `normal` points away from. The normal may
    /// be of any length but zero.
    pub fn half_space(&mut self, normal: Vec2) {
        let normal = self.frame.axis.rotate(normal.as_dvec2());
        self.push(Piece::half_space(self.frame.origin, normal));
    }

    /// Adds what `add` does, in the space of a part that stands at `pose` in this outline.
    pub fn part(&mut self, pose: Isometry2d, add: impl FnOnce(&mut Self)) {
        let whole = self.frame;
        self.frame = whole.part(pose);
        add(self);
        self.frame = whole;
    }

    fn push(&mut self, piece: Option<Piece>) {
        self.lacks_some |= piece.is_none();
        self.pieces.extend(piece);
    }
}

/// From an outline's own space to cell space.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// The outline's origin in cell space.
    origin: DVec2,
    /// Unit vector of the outline's x-axis.
    axis: DVec2,
    /// Cells per world unit.
    scale: f64,
}

impl Frame {
    fn new(pose: Isometry2d, layout: &Layout) -> Self {
        Self {
            origin: layout.to_cell_space_f64(pose.translation.as_dvec2()),
            axis: axis_of(pose),
            scale: 1.0 / f64::from(layout.cell_size()),
        }
    }

    fn part(&self, pose: Isometry2d) -> Self {
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
}

/// NaN for a rotation that is not finite, so that its pieces are refused.
fn axis_of(pose: Isometry2d) -> DVec2 {
    DVec2::new(f64::from(pose.rotation.cos), f64::from(pose.rotation.sin)).normalize()
}
