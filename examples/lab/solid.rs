//! Builds one vertex-colored mesh out of flat faces, boxes and lines.

use std::f32::consts::TAU;

use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;

/// Brightness of the sides of a box: toward x, y and z, and away from them.
const SHADES: [(Vec3, f32); 6] = [
    (Vec3::X, 0.60),
    (Vec3::NEG_X, 0.86),
    (Vec3::Y, 1.0),
    (Vec3::NEG_Y, 0.42),
    (Vec3::Z, 0.72),
    (Vec3::NEG_Z, 0.66),
];
/// Number of corners of a disc.
const CORNERS: usize = 32;

/// Collects colored faces. A flat face covers the faces that were added before it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Solid {
    positions: Vec<Vec3>,
    colors: Vec<[f32; 4]>,
    indices: Vec<u32>,
}

impl Solid {
    /// Adds a point and returns its index.
    pub(crate) fn point(&mut self, at: Vec3, color: LinearRgba) -> u32 {
        self.positions.push(at);
        self.colors.push(color.to_f32_array());
        self.positions.len() as u32 - 1
    }

    /// Adds a face that looks toward `normal`. Its four points may go around it in either direction.
    pub(crate) fn face(&mut self, [a, b, c, d]: [u32; 4], normal: Vec3) {
        let at = |point: u32| self.positions[point as usize];
        let turn = (at(c) - at(a)).cross(at(d) - at(b));
        let [b, d] = match turn.dot(normal) < 0.0 {
            true => [d, b],
            false => [b, d],
        };
        self.indices.extend([a, b, c, a, c, d]);
    }

    /// Adds an upright box with shaded sides. `color` gives the color of each corner.
    pub(crate) fn block(&mut self, center: Vec3, half: Vec3, color: impl Fn(Vec3) -> LinearRgba) {
        for (normal, shade) in SHADES {
            let across = normal.yzx() * half;
            let along = normal.zxy() * half;
            let corners = [
                across + along,
                across - along,
                -across - along,
                along - across,
            ];
            let points = corners.map(|corner| {
                let at = center + normal * half + corner;
                let color = color(at);
                self.point(at, (color * shade).with_alpha(color.alpha))
            });
            self.face(points, normal);
        }
    }

    /// Adds a flat convex polygon.
    pub(crate) fn polygon(&mut self, corners: impl IntoIterator<Item = Vec2>, color: Color) {
        let first = self.positions.len() as u32;
        for corner in corners {
            self.point(corner.extend(0.0), color.into());
        }
        for corner in first + 2..self.positions.len() as u32 {
            self.indices.extend([first, corner - 1, corner]);
        }
    }

    /// Adds a flat line.
    pub(crate) fn line(&mut self, from: Vec2, to: Vec2, width: f32, color: Color) {
        let side = (to - from).perp().normalize_or_zero() * width / 2.0;
        self.polygon([from - side, to - side, to + side, from + side], color);
    }

    /// Adds a flat disc.
    pub(crate) fn disc(&mut self, center: Vec2, radius: f32, color: Color) {
        let turns = (0..CORNERS).map(|step| TAU * step as f32 / CORNERS as f32);
        let rim = turns.map(|turn| center + radius * Vec2::from_angle(turn));
        self.polygon(rim, color);
    }

    /// Builds the mesh. A mesh without a face cannot be drawn, so an empty one gets a face of size 0.
    pub(crate) fn build(mut self) -> Mesh {
        if self.indices.is_empty() {
            self.polygon([Vec2::ZERO; 3], Color::NONE);
        }
        let usage = RenderAssetUsages::default();
        Mesh::new(PrimitiveTopology::TriangleList, usage)
            .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, self.positions)
            .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, self.colors)
            .with_inserted_indices(Indices::U32(self.indices))
    }
}
