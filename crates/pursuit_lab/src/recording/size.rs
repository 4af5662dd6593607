//! The number of columns and rows of a recording.

use pursuit::{Cell, MAX_CELLS, MAX_SIDE};

/// Columns and rows of the grid that was searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct GridSize {
    pub(crate) width: u32,
    pub(crate) height: u32,
}

impl GridSize {
    /// The size with these sides. `None` if no grid can have this size.
    pub(super) fn new(width: u32, height: u32) -> Option<Self> {
        let is_side = |side: u32| (1..=MAX_SIDE).contains(&side);
        let cells = u64::from(width) * u64::from(height);
        (is_side(width) && is_side(height) && cells <= MAX_CELLS).then_some(Self { width, height })
    }

    pub(crate) fn cell_count(self) -> u32 {
        self.width * self.height
    }

    /// The index of a cell, counted row by row. `None` for a cell outside the grid.
    #[inline(always)]
    pub(crate) fn index(self, cell: Cell) -> Option<u32> {
        let is_inside = (cell.x as u32) < self.width && (cell.y as u32) < self.height;
        is_inside.then(|| cell.y as u32 * self.width + cell.x as u32)
    }

    /// The cell with this index.
    #[inline(always)]
    pub(crate) fn cell(self, index: u32) -> Cell {
        Cell::new((index % self.width) as i32, (index / self.width) as i32)
    }
}
