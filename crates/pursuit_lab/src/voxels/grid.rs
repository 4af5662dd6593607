//! Grids of cubes, each solid or free.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Maximum number of cubes of a [`VoxelGrid`]: 2²⁷, or 512 × 512 × 512. A search takes 8 bytes for each cube.
pub const MAX_VOXELS: u64 = 1 << 27;

/// Maximum number of cubes along one side of a [`VoxelGrid`]: 2¹⁶.
pub const MAX_VOXEL_SIDE: u32 = 1 << 16;

/// The coordinates of a cube: column, row and layer. The cube may lie outside a grid.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
pub struct Voxel {
    /// Column.
    pub x: i32,
    /// Row.
    pub y: i32,
    /// Layer, growing upward.
    pub z: i32,
}

impl Voxel {
    /// The cube in column `x`, row `y` and layer `z`.
    #[must_use]
    pub const fn new(x: i32, y: i32, z: i32) -> Self {
        Self { x, y, z }
    }

    /// The cube that is `dx` columns, `dy` rows and `dz` layers further. The coordinates saturate at the limits of
    /// `i32`.
    #[must_use]
    pub const fn offset(self, dx: i32, dy: i32, dz: i32) -> Self {
        Self {
            x: self.x.saturating_add(dx),
            y: self.y.saturating_add(dy),
            z: self.z.saturating_add(dz),
        }
    }

    /// Number of steps between two cubes if there are no obstacles (Manhattan distance).
    #[must_use]
    pub const fn manhattan(self, other: Self) -> u64 {
        self.x.abs_diff(other.x) as u64
            + self.y.abs_diff(other.y) as u64
            + self.z.abs_diff(other.z) as u64
    }
}

impl fmt::Display for Voxel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {}, {})", self.x, self.y, self.z)
    }
}

/// A box of cubes. `min` is its first cube, and `max` is one past its last column, row and layer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct VoxelBox {
    /// The first column, row and layer, inclusive.
    pub min: Voxel,
    /// The end of the columns, rows and layers, exclusive.
    pub max: Voxel,
}

impl VoxelBox {
    /// The box from `min`, inclusive, to `max`, exclusive.
    #[must_use]
    pub const fn new(min: Voxel, max: Voxel) -> Self {
        Self { min, max }
    }

    /// All cubes of the box, layer by layer and row by row.
    pub fn voxels(&self) -> impl Iterator<Item = Voxel> + use<> {
        let Self { min, max } = *self;
        (min.z..max.z).flat_map(move |z| {
            (min.y..max.y).flat_map(move |y| (min.x..max.x).map(move |x| Voxel::new(x, y, z)))
        })
    }
}

/// An error: no grid can have these numbers of columns, rows and layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "{0} x {1} x {2} cubes: a grid has 1 to {MAX_VOXEL_SIDE} cubes per side, and at most {MAX_VOXELS} in total"
)]
pub struct VoxelError(pub u32, pub u32, pub u32);

/// A grid of unit cubes, each solid or free. Everything outside is solid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoxelGrid {
    size: [u32; 3],
    /// Whether each cube is solid, by node.
    is_solid: Vec<bool>,
}

impl VoxelGrid {
    /// Creates a grid. `is_solid` returns for each cube whether the cube is solid.
    ///
    /// # Errors
    ///
    /// [`VoxelError`] if no grid can have these numbers of columns, rows and layers.
    pub fn from_fn(
        columns: u32,
        rows: u32,
        layers: u32,
        is_solid: impl FnMut(Voxel) -> bool,
    ) -> Result<Self, VoxelError> {
        let size = [columns, rows, layers];
        let is_side = |side: &u32| (1..=MAX_VOXEL_SIDE).contains(side);
        let count = size.iter().map(|&side| u64::from(side));
        if !size.iter().all(is_side) || count.product::<u64>() > MAX_VOXELS {
            return Err(VoxelError(columns, rows, layers));
        }
        let is_solid = bounds(size).voxels().map(is_solid).collect();
        Ok(Self { size, is_solid })
    }

    /// The numbers of columns, rows and layers.
    #[must_use]
    pub fn size(&self) -> [u32; 3] {
        self.size
    }

    /// The box of all cubes of the grid.
    #[must_use]
    pub fn bounds(&self) -> VoxelBox {
        bounds(self.size)
    }

    /// Whether a cube is solid. Everything outside of the grid is solid.
    #[must_use]
    pub fn is_solid(&self, voxel: Voxel) -> bool {
        self.node(voxel)
            .is_none_or(|node| self.is_solid[node as usize])
    }

    /// Number of nodes of a [`VoxelSpace`](super::VoxelSpace): one for each cube.
    #[must_use]
    pub fn node_count(&self) -> u32 {
        self.is_solid.len() as u32
    }

    /// The node of a cube. `None` for a cube outside the grid.
    #[must_use]
    pub fn node(&self, voxel: Voxel) -> Option<u32> {
        let [x, y, z] = [voxel.x, voxel.y, voxel.z].map(|at| at as u32);
        let [columns, rows, layers] = self.size;
        let is_inside = x < columns && y < rows && z < layers;
        is_inside.then(|| x + columns * (y + rows * z))
    }

    /// The cube of a node.
    #[must_use]
    pub fn voxel(&self, node: u32) -> Voxel {
        let [columns, rows, _] = self.size;
        let (x, row) = (node % columns, node / columns);
        Voxel::new(x as i32, (row % rows) as i32, (row / rows) as i32)
    }
}

fn bounds(size: [u32; 3]) -> VoxelBox {
    let [x, y, z] = size.map(|side| side as i32);
    VoxelBox::new(Voxel::new(0, 0, 0), Voxel::new(x, y, z))
}
