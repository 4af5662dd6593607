//! A small brush: builds one vertex-colored mesh out of discs, boxes and lines.
//!
//! Shapes are laid over each other in the order they are painted, so that a whole figure, or all
//! the walls of a level, is one mesh and one draw call.

use std::f32::consts::TAU;

use bevy::asset::RenderAssetUsages;
use bevy::math::Affine2;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;

/// Corners of a disc: enough for a smooth rim at a hand's width on screen.
const DISC_CORNERS: usize = 40;
/// Corners of a ring: it may be as large as the screen.
const RING_CORNERS: usize = 120;
/// Corners of a rounded box's quarter circle.
const CORNER_STEPS: usize = 6;

/// Collects colored triangles. Lengths are in world units; colors may be translucent.
#[derive(Clone, Debug, Default)]
pub struct Painter {
    positions: Vec<[f32; 3]>,
    colors: Vec<[f32; 4]>,
    indices: Vec<u32>,
    pen: Affine2,
}

impl Painter {
    /// A blank canvas.
    pub fn new() -> Self {
        Self::default()
    }

    /// Moves the origin of what follows to `center`, turned by `angle` radians.
    pub fn at(&mut self, center: Vec2, angle: f32) -> &mut Self {
        self.pen = Affine2::from_angle_translation(angle, center);
        self
    }

    /// A convex polygon of one color.
    pub fn polygon(&mut self, points: &[Vec2], color: Color) -> &mut Self {
        self.fan(points.iter().map(|&point| (point, color)))
    }

    /// Four corners, each with a color of its own.
    pub fn quad(&mut self, corners: [(Vec2, Color); 4]) -> &mut Self {
        self.fan(corners)
    }

    /// An upright box.
    pub fn rect(&mut self, rect: Rect, color: Color) -> &mut Self {
        self.polygon(&corners_of(rect), color)
    }

    /// An upright box whose color runs from `top` down to `bottom`.
    pub fn gradient(&mut self, rect: Rect, top: Color, bottom: Color) -> &mut Self {
        let [a, b, c, d] = corners_of(rect);
        self.quad([(a, bottom), (b, bottom), (c, top), (d, top)])
    }

    /// A box with rounded corners.
    pub fn rounded(&mut self, rect: Rect, radius: f32, color: Color) -> &mut Self {
        let inner = rect.inflate(-radius.min(rect.half_size().min_element()));
        let [a, b, c, d] = corners_of(inner);
        let mut points = Vec::with_capacity(4 * (CORNER_STEPS + 1));
        for (quarter, corner) in [c, d, a, b].into_iter().enumerate() {
            for step in 0..=CORNER_STEPS {
                let turn = (quarter as f32 + step as f32 / CORNER_STEPS as f32) * TAU / 4.0;
                points.push(corner + radius * Vec2::from_angle(turn));
            }
        }
        self.polygon(&points, color)
    }

    /// A disc.
    pub fn disc(&mut self, center: Vec2, radius: f32, color: Color) -> &mut Self {
        self.ellipse(center, Vec2::splat(radius), color)
    }

    /// An ellipse with the given half sizes.
    pub fn ellipse(&mut self, center: Vec2, half_size: Vec2, color: Color) -> &mut Self {
        self.fan(rim(0.0, TAU).map(|turn| (center + half_size * turn, color)))
    }

    /// The part of a disc between two angles, in radians counterclockwise from the right.
    pub fn segment(
        &mut self,
        center: Vec2,
        radius: f32,
        from: f32,
        to: f32,
        color: Color,
    ) -> &mut Self {
        self.fan(rim(from, to).map(|turn| (center + radius * turn, color)))
    }

    /// A soft spot: `color` in the middle, nothing at the rim.
    pub fn glow(&mut self, center: Vec2, half_size: Vec2, color: Color) -> &mut Self {
        let clear = color.with_alpha(0.0);
        let rim = rim(0.0, TAU).map(|turn| (center + half_size * turn, clear));
        self.fan(std::iter::once((center, color)).chain(rim))
    }

    /// A soft shadow: dark within, fading over the outer third.
    pub fn shadow(&mut self, center: Vec2, half_size: Vec2, color: Color) -> &mut Self {
        let core = half_size * 0.6;
        self.ellipse(center, core, color);
        self.band(center, core, half_size, color, color.with_alpha(0.0))
    }

    /// A ring between two radii.
    pub fn ring(&mut self, center: Vec2, inner: f32, outer: f32, color: Color) -> &mut Self {
        self.band(center, Vec2::splat(inner), Vec2::splat(outer), color, color)
    }

    /// A straight line with flat ends.
    pub fn line(&mut self, from: Vec2, to: Vec2, width: f32, color: Color) -> &mut Self {
        let side = (to - from).perp().normalize_or_zero() * width / 2.0;
        self.polygon(&[from - side, to - side, to + side, from + side], color)
    }

    /// A straight line with round ends.
    pub fn capsule(&mut self, from: Vec2, to: Vec2, radius: f32, color: Color) -> &mut Self {
        self.line(from, to, 2.0 * radius, color)
            .disc(from, radius, color)
            .disc(to, radius, color)
    }

    /// The finished mesh, ready for a `ColorMaterial`.
    pub fn build(&self) -> Mesh {
        Mesh::new(
            PrimitiveTopology::TriangleList,
            RenderAssetUsages::RENDER_WORLD,
        )
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, self.positions.clone())
        .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, self.colors.clone())
        .with_inserted_indices(Indices::U32(self.indices.clone()))
    }

    /// How many triangles were painted.
    pub fn triangles(&self) -> usize {
        self.indices.len() / 3
    }

    fn fan(&mut self, points: impl IntoIterator<Item = (Vec2, Color)>) -> &mut Self {
        let first = self.positions.len() as u32;
        for (point, color) in points {
            self.vertex(point, color);
        }
        for corner in (first + 2)..self.positions.len() as u32 {
            self.indices.extend([first, corner - 1, corner]);
        }
        self
    }

    fn band(
        &mut self,
        center: Vec2,
        inner: Vec2,
        outer: Vec2,
        inside: Color,
        outside: Color,
    ) -> &mut Self {
        let first = self.positions.len() as u32;
        for step in 0..=RING_CORNERS {
            let turn = Vec2::from_angle(TAU * step as f32 / RING_CORNERS as f32);
            self.vertex(center + inner * turn, inside);
            self.vertex(center + outer * turn, outside);
        }
        for step in 0..RING_CORNERS as u32 {
            let at = first + 2 * step;
            self.indices
                .extend([at, at + 1, at + 2, at + 2, at + 1, at + 3]);
        }
        self
    }

    fn vertex(&mut self, point: Vec2, color: Color) {
        let point = self.pen.transform_point2(point);
        self.positions.push([point.x, point.y, 0.0]);
        self.colors.push(color.to_linear().to_f32_array());
    }
}

/// Points of the unit circle from one angle to another.
fn rim(from: f32, to: f32) -> impl Iterator<Item = Vec2> {
    (0..=DISC_CORNERS)
        .map(move |step| Vec2::from_angle(from + (to - from) * step as f32 / DISC_CORNERS as f32))
}

/// Corners counterclockwise from the lower left.
fn corners_of(rect: Rect) -> [Vec2; 4] {
    [
        rect.min,
        Vec2::new(rect.max.x, rect.min.y),
        rect.max,
        Vec2::new(rect.min.x, rect.max.y),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_paints_finite_points_and_valid_indices() {
        let mut painter = Painter::new();
        let rect = Rect::new(-1.0, -2.0, 3.0, 4.0);
        painter
            .at(Vec2::new(10.0, -4.0), 0.7)
            .rect(rect, Color::WHITE)
            .gradient(rect, Color::WHITE, Color::BLACK)
            .rounded(rect, 50.0, Color::WHITE)
            .disc(Vec2::ZERO, 2.0, Color::WHITE)
            .segment(Vec2::ZERO, 2.0, 0.0, 1.0, Color::WHITE)
            .glow(Vec2::ONE, Vec2::ONE, Color::WHITE)
            .shadow(Vec2::ONE, Vec2::ONE, Color::BLACK)
            .ring(Vec2::ONE, 1.0, 2.0, Color::WHITE)
            .capsule(Vec2::ONE, Vec2::ONE, 1.0, Color::WHITE);
        let vertices = painter.positions.len() as u32;
        assert!(painter.indices.iter().all(|&index| index < vertices));
        assert!(
            painter
                .positions
                .iter()
                .flatten()
                .all(|value| value.is_finite())
        );
        assert_eq!(painter.colors.len(), painter.positions.len());
    }

    #[test]
    fn a_box_covers_its_own_area() {
        let mut painter = Painter::new();
        painter.rect(Rect::new(0.0, 0.0, 4.0, 3.0), Color::WHITE);
        assert_eq!(area(&painter), 12.0);
    }

    #[test]
    fn a_turned_pen_keeps_areas() {
        let mut painter = Painter::new();
        painter
            .at(Vec2::splat(9.0), 1.1)
            .rounded(Rect::new(0.0, 0.0, 4.0, 4.0), 2.0, Color::WHITE);
        let circle = std::f32::consts::PI * 4.0;
        assert!(
            (area(&painter) - circle).abs() < 0.2,
            "a box rounded by half its size is a disc"
        );
    }

    fn area(painter: &Painter) -> f32 {
        let corner = |index: u32| {
            let [x, y, _] = painter.positions[index as usize];
            Vec2::new(x, y)
        };
        let triangle =
            |t: &[u32]| (corner(t[1]) - corner(t[0])).perp_dot(corner(t[2]) - corner(t[0])) / 2.0;
        painter.indices.chunks(3).map(triangle).sum()
    }
}
