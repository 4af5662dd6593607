//! Names for cubes.

use std::fmt;

/// Most cubes that a [`VoxelGrid`](super::VoxelGrid) may have, 2²⁷: 512 × 512 × 512. A search takes 8 bytes for each.
pub const MAX_VOXELS: u64 = 1 << 27;

/// Most cubes along one side: 2¹⁶.
pub const MAX_VOXEL_SIDE: u32 = 1 << 16;

/// One cube of a grid, by column, row and layer. May lie outside of any grid.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Debug,
    Default,
    serde::Serialize,
    serde::Deserialize,
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

    /// The cube that many columns, rows and layers further. Stops at the ends of `i32`.
    #[must_use]
    pub const fn offset(self, dx: i32, dy: i32, dz: i32) -> Self {
        Self {
            x: self.x.saturating_add(dx),
            y: self.y.saturating_add(dy),
            z: self.z.saturating_add(dz),
        }
    }

    /// Steps between two cubes where nothing stands in the way.
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

/// A box of cubes: `min` belongs to it, `max` is one past its last column, row and layer.
///
/// Where `max` is not beyond `min` on all three axes, the box is empty.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, Debug, Default, serde::Serialize, serde::Deserialize,
)]
pub struct VoxelBox {
    /// First column, row and layer, inclusive.
    pub min: Voxel,
    /// Column, row and layer after the last, exclusive.
    pub max: Voxel,
}

impl VoxelBox {
    /// The box from `min`, inclusive, to `max`, exclusive.
    #[must_use]
    pub const fn new(min: Voxel, max: Voxel) -> Self {
        Self { min, max }
    }

    /// Whether a cube lies inside.
    #[must_use]
    pub const fn contains(&self, voxel: Voxel) -> bool {
        let Self { min, max } = self;
        voxel.x >= min.x
            && voxel.x < max.x
            && voxel.y >= min.y
            && voxel.y < max.y
            && voxel.z >= min.z
            && voxel.z < max.z
    }

    /// All cubes, layer by layer, each row by row.
    pub fn voxels(&self) -> impl Iterator<Item = Voxel> + use<> {
        let Self { min, max } = *self;
        (min.z..max.z).flat_map(move |z| {
            (min.y..max.y).flat_map(move |y| (min.x..max.x).map(move |x| Voxel::new(x, y, z)))
        })
    }
}
