//! How the cubes of a grid are laid out in the columns and rows of a recording.

use pursuit::Cell;
use serde::{Deserialize, Serialize};

use super::size::GridSize;
use crate::voxels::{MAX_VOXEL_SIDE, Movement, Voxel, VoxelGrid};

/// The size of the grid of a recorded search among [`voxels`](crate::voxels), and how the body moved.
///
/// A recording has cells in columns and rows only. So the layers form one tall picture, one layer below the other, each
/// with a rim of one cell around it.
///
/// ```text
/// rim and layer 0     ####
///                     #..#    2 columns, 1 row
///                     ####
/// layer 1             ####
///                     #..#
///                     ####
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct RecordedVoxels {
    size: [u32; 3],
    movement: Movement,
}

impl RecordedVoxels {
    /// The layout of a grid, for a body with this movement.
    #[must_use]
    pub fn of(grid: &VoxelGrid, movement: Movement) -> Self {
        Self {
            size: grid.size(),
            movement,
        }
    }

    /// Columns, rows and layers of the grid.
    #[must_use]
    pub fn size(&self) -> [u32; 3] {
        self.size
    }

    /// How the body moved.
    #[must_use]
    pub fn movement(&self) -> Movement {
        self.movement
    }

    /// The cell of a cube. `None` for a cube outside the grid.
    #[must_use]
    pub fn cell(&self, voxel: Voxel) -> Option<Cell> {
        let at = [voxel.x, voxel.y, voxel.z];
        let is_inside = at
            .iter()
            .zip(self.size)
            .all(|(&at, side)| (at as u32) < side);
        if !is_inside {
            return None;
        }
        let layer = (voxel.z + 1).checked_mul(self.size[1] as i32 + 2)?;
        let row = layer.checked_add(voxel.y + 1)?;
        Some(Cell::new(voxel.x + 1, row))
    }

    /// The cube of a cell. The cube of a rim cell lies outside the grid.
    #[must_use]
    pub fn voxel(&self, cell: Cell) -> Voxel {
        let rows = self.size[1] as i32 + 2;
        let (y, z) = (cell.y.rem_euclid(rows), cell.y.div_euclid(rows));
        Voxel::new(cell.x, y, z).offset(-1, -1, -1)
    }

    /// The cell of a [node](VoxelGrid::node).
    pub(super) fn cell_of_node(&self, node: u32) -> Cell {
        let [columns, rows, _] = self.size;
        let (row, layer) = (node / columns % rows, node / columns / rows);
        let above = (layer + 1) * (rows + 2);
        Cell::new((node % columns + 1) as i32, (above + row + 1) as i32)
    }

    /// Columns and rows of the picture, with the rims and with an empty layer below and above all layers. `None` if the
    /// picture is too large for a recording.
    pub(super) fn picture(&self) -> Option<GridSize> {
        let is_side = |side: &u32| (1..=MAX_VOXEL_SIDE).contains(side);
        if !self.size.iter().all(is_side) {
            return None;
        }
        let [columns, rows, layers] = self.size.map(|side| side + 2);
        GridSize::new(columns, rows.checked_mul(layers)?)
    }
}
