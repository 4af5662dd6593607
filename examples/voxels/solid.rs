//! A small chisel: builds one vertex-colored mesh out of flat faces and boxes.

use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;
use pursuit_lab::voxels::{Voxel, VoxelGrid};

/// How bright the sides of a box are that no light falls on in particular: toward x, y and z, and away from them.
const SHADES: [(Vec3, f32); 6] = [
    (Vec3::X, 0.60),
    (Vec3::NEG_X, 0.86),
    (Vec3::Y, 1.0),
    (Vec3::NEG_Y, 0.42),
    (Vec3::Z, 0.72),
    (Vec3::NEG_Z, 0.66),
];

/// Where a point of the grid is in the world: layers grow along `y`, the middle of the ground is the origin.
pub(crate) fn to_world(grid: &VoxelGrid, point: Vec3) -> Vec3 {
    let [columns, rows, _] = grid.size().map(|side| side as f32);
    Vec3::new(point.x - columns / 2.0, point.z, point.y - rows / 2.0)
}

/// The point of the grid at a place in the world.
pub(crate) fn from_world(grid: &VoxelGrid, place: Vec3) -> Vec3 {
    let [columns, rows, _] = grid.size().map(|side| side as f32);
    Vec3::new(place.x + columns / 2.0, place.z + rows / 2.0, place.y)
}

/// The corner of a cube with the least coordinates, as a point of the grid.
pub(crate) fn corner(voxel: Voxel) -> Vec3 {
    Vec3::new(voxel.x as f32, voxel.y as f32, voxel.z as f32)
}

/// Collects colored faces.
#[derive(Clone, Debug, Default)]
pub(crate) struct Solid {
    positions: Vec<Vec3>,
    colors: Vec<[f32; 4]>,
    indices: Vec<u32>,
}

impl Solid {
    /// Adds a point and gives its number.
    pub(crate) fn point(&mut self, at: Vec3, color: LinearRgba) -> u32 {
        self.positions.push(at);
        self.colors.push(color.to_f32_array());
        self.positions.len() as u32 - 1
    }

    /// Four points around a face that looks toward `normal`, in either direction.
    pub(crate) fn face(&mut self, [a, b, c, d]: [u32; 4], normal: Vec3) {
        let at = |point: u32| self.positions[point as usize];
        let turn = (at(c) - at(a)).cross(at(d) - at(b));
        let [b, d] = if turn.dot(normal) < 0.0 {
            [d, b]
        } else {
            [b, d]
        };
        self.indices.extend([a, b, c, a, c, d]);
    }

    /// An upright box, its sides shaded.
    pub(crate) fn block(&mut self, center: Vec3, half: Vec3, color: LinearRgba) {
        self.shaded(center, half, |_| color);
    }

    /// An upright box with a color for each place, its sides shaded.
    pub(crate) fn shaded(&mut self, center: Vec3, half: Vec3, color: impl Fn(Vec3) -> LinearRgba) {
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
                self.point(at, dimmed(color(at), shade))
            });
            self.face(points, normal);
        }
    }

    /// Whether there is nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.indices.is_empty()
    }

    /// The mesh. A mesh without a face cannot be drawn, so nothing becomes one face without a size.
    pub(crate) fn build(mut self) -> Mesh {
        if self.is_empty() {
            let points = [Vec3::ZERO; 4].map(|at| self.point(at, LinearRgba::BLACK));
            self.face(points, Vec3::Y);
        }
        Mesh::new(
            PrimitiveTopology::TriangleList,
            RenderAssetUsages::default(),
        )
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, self.positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, self.colors)
        .with_inserted_indices(Indices::U32(self.indices))
    }
}

/// A color with less light on it.
fn dimmed(color: LinearRgba, shade: f32) -> LinearRgba {
    LinearRgba {
        alpha: color.alpha,
        ..color * shade
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_sides_of_a_box_look_outward() {
        let mut solid = Solid::default();
        let center = Vec3::new(3.0, -1.0, 2.0);
        solid.block(center, Vec3::new(1.0, 2.0, 0.5), LinearRgba::WHITE);
        assert_eq!(solid.indices.len(), 36);
        for triangle in solid.indices.chunks(3) {
            let [a, b, c] = [0, 1, 2].map(|at: usize| solid.positions[triangle[at] as usize]);
            let normal = (b - a).cross(c - a);
            assert!(normal.dot(a - center) > 0.0);
        }
    }

    #[test]
    fn the_world_and_the_grid_have_the_same_places() {
        let grid = VoxelGrid::open(6, 4, 3).expect("a good size");
        let point = Vec3::new(1.0, 3.5, 2.0);
        assert_eq!(to_world(&grid, point), Vec3::new(-2.0, 2.0, 1.5));
        assert_eq!(from_world(&grid, to_world(&grid, point)), point);
    }
}
