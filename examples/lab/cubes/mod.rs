//! Searches among cubes, in three dimensions. All meshes use Bevy's flat material for 2D, so Bevy's 3D renderer need
//! not be compiled. This works because 2D meshes have depth, and the meshes contain their colors and light.

pub(crate) mod level;
mod marks;
mod orbit;
mod terrain;

use bevy::prelude::*;
use pursuit_lab::voxels::{Voxel, VoxelGrid};

/// The position of a grid point in the world: layers grow along `y`, and the middle of the ground is the origin.
fn to_world(grid: &VoxelGrid, point: Vec3) -> Vec3 {
    let [columns, rows, _] = grid.size().map(|side| side as f32);
    Vec3::new(point.x - columns / 2.0, point.z, point.y - rows / 2.0)
}

/// The grid point at a position in the world.
fn from_world(grid: &VoxelGrid, place: Vec3) -> Vec3 {
    let [columns, rows, _] = grid.size().map(|side| side as f32);
    Vec3::new(place.x + columns / 2.0, place.z + rows / 2.0, place.y)
}

/// The corner of a cube with the least coordinates, as a grid point.
fn corner(voxel: Voxel) -> Vec3 {
    Vec3::new(voxel.x as f32, voxel.y as f32, voxel.z as f32)
}

/// The middle of the ground of a cube, in the world.
fn ground_center(grid: &VoxelGrid, voxel: Voxel) -> Vec3 {
    to_world(grid, corner(voxel) + Vec3::new(0.5, 0.5, 0.0))
}
