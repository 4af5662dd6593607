//! Which cubes are solid.

use super::error::VoxelError;
use super::voxel::{MAX_VOXEL_SIDE, MAX_VOXELS, Voxel, VoxelBox};

/// A grid of unit cubes, each solid or free: one bit for each. What lies outside is solid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoxelGrid {
    size: [u32; 3],
    /// Bits of all cubes and of a solid rim around them, so that no step asks for the border.
    solid: Vec<u64>,
}

impl VoxelGrid {
    /// A grid of free cubes, by its columns, rows and layers.
    ///
    /// # Errors
    ///
    /// [`VoxelError::Empty`] and [`VoxelError::TooLarge`].
    pub fn open(columns: u32, rows: u32, layers: u32) -> Result<Self, VoxelError> {
        let size = [columns, rows, layers];
        if size.contains(&0) {
            return Err(VoxelError::Empty(columns, rows, layers));
        }
        let count = size.iter().map(|&side| u64::from(side));
        let is_large = size.iter().any(|&side| side > MAX_VOXEL_SIDE);
        if is_large || count.product::<u64>() > MAX_VOXELS {
            return Err(VoxelError::TooLarge(columns, rows, layers));
        }
        let nodes: u64 = size.iter().map(|&side| u64::from(side) + 2).product();
        // Flat grids have more rim than cubes.
        let nodes = u32::try_from(nodes);
        let nodes = nodes.map_err(|_| VoxelError::TooLarge(columns, rows, layers))?;
        let mut grid = Self {
            size,
            solid: vec![u64::MAX; nodes.div_ceil(64) as usize],
        };
        for (z, y) in (0..layers).flat_map(|z| (0..rows).map(move |y| (z, y))) {
            grid.free_row(grid.node_of(Voxel::new(0, y as i32, z as i32)));
        }
        Ok(grid)
    }

    /// A grid of whose cubes a function says which are solid.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn from_fn(
        columns: u32,
        rows: u32,
        layers: u32,
        mut is_solid: impl FnMut(Voxel) -> bool,
    ) -> Result<Self, VoxelError> {
        let mut grid = Self::open(columns, rows, layers)?;
        for voxel in grid.bounds().voxels() {
            if is_solid(voxel) {
                grid.set(grid.node_of(voxel), true);
            }
        }
        Ok(grid)
    }

    /// Makes a cube solid or free.
    ///
    /// # Errors
    ///
    /// [`VoxelError::Outside`].
    pub fn set_solid(&mut self, voxel: Voxel, is_solid: bool) -> Result<(), VoxelError> {
        let node = self.node(voxel).ok_or(VoxelError::Outside(voxel))?;
        self.set(node, is_solid);
        Ok(())
    }

    /// Columns, rows and layers.
    #[must_use]
    pub fn size(&self) -> [u32; 3] {
        self.size
    }

    /// All cubes.
    #[must_use]
    pub fn bounds(&self) -> VoxelBox {
        let [x, y, z] = self.size.map(|side| side as i32);
        VoxelBox::new(Voxel::new(0, 0, 0), Voxel::new(x, y, z))
    }

    /// Whether a cube is solid. So is what lies outside.
    #[must_use]
    pub fn is_solid(&self, voxel: Voxel) -> bool {
        self.node(voxel).is_none_or(|node| !self.is_free(node))
    }

    /// Number of nodes of a [`VoxelSpace`](super::VoxelSpace): the cubes, and a rim of one cube around them.
    #[must_use]
    pub fn node_count(&self) -> u32 {
        self.stride(2) * (self.size[2] + 2)
    }

    /// The node of a cube; `None` outside of the grid.
    #[must_use]
    pub fn node(&self, voxel: Voxel) -> Option<u32> {
        self.bounds().contains(voxel).then(|| self.node_of(voxel))
    }

    /// The cube of a node. One of the rim lies outside.
    #[must_use]
    pub fn voxel(&self, node: u32) -> Voxel {
        let [row, layer] = [self.stride(1), self.stride(2)];
        let (z, rest) = (node / layer, node % layer);
        let (y, x) = (rest / row, rest % row);
        Voxel::new(x as i32, y as i32, z as i32).offset(-1, -1, -1)
    }

    /// How far apart the nodes of neighbors along an axis are.
    #[inline(always)]
    pub(super) fn stride(&self, axis: usize) -> u32 {
        let [columns, rows, _] = self.size;
        match axis {
            0 => 1,
            1 => columns + 2,
            _ => (columns + 2) * (rows + 2),
        }
    }

    #[inline(always)]
    pub(super) fn is_free(&self, node: u32) -> bool {
        let word = self.solid.get(node as usize / 64);
        word.is_some_and(|word| word >> (node % 64) & 1 == 0)
    }

    #[inline(always)]
    pub(super) fn is_surface(&self, node: u32) -> bool {
        self.is_free(node) && !self.is_free(node.wrapping_sub(self.stride(2)))
    }

    /// Of a cube of the grid or its rim.
    fn node_of(&self, voxel: Voxel) -> u32 {
        let [x, y, z] = [voxel.x, voxel.y, voxel.z].map(|at| (at + 1) as u32);
        x + y * self.stride(1) + z * self.stride(2)
    }

    fn set(&mut self, node: u32, is_solid: bool) {
        if let Some(word) = self.solid.get_mut(node as usize / 64) {
            let bit = 1 << (node % 64);
            *word = if is_solid { *word | bit } else { *word & !bit };
        }
    }

    /// Frees the row that begins with a cube, a word at a time.
    fn free_row(&mut self, mut first: u32) {
        let end = first + self.size[0];
        while first < end {
            let bit = first % 64;
            let count = (64 - bit).min(end - first);
            let run = (u64::MAX >> (64 - count)) << bit;
            if let Some(word) = self.solid.get_mut(first as usize / 64) {
                *word &= !run;
            }
            first += count;
        }
    }
}
