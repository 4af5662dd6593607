//! Errors of making or changing a grid.

use thiserror::Error;

use crate::cell::{Cell, Size};

/// Why a grid could not be made or changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GridError {
    /// The grid has no columns or no rows.
    #[error("a grid needs at least one cell, got {width} x {height}")]
    Empty {
        /// Requested number of columns.
        width: u32,
        /// Requested number of rows.
        height: u32,
    },
    /// The grid has more than [`MAX_CELLS`](crate::MAX_CELLS) cells, or more than
    /// [`MAX_SIDE`](crate::MAX_SIDE) cells along a side.
    #[error("a grid of {width} x {height} cells is too large: at most 2^28, and 2^24 along a side")]
    TooLarge {
        /// Requested number of columns.
        width: u32,
        /// Requested number of rows.
        height: u32,
    },
    /// The cell lies outside the grid.
    #[error("cell {0} is outside the grid")]
    Outside(Cell),
    /// The terrain cost is 0. Terrain costs are 1 to 255.
    #[error("the terrain cost of cell {0} must be at least 1")]
    ZeroCost(Cell),
    /// Two parts of one map have different sizes.
    #[error("expected {width} x {height} cells, got {other_width} x {other_height}")]
    OtherSize {
        /// Columns of the map.
        width: u32,
        /// Rows of the map.
        height: u32,
        /// Columns of the other part.
        other_width: u32,
        /// Rows of the other part.
        other_height: u32,
    },
}

impl Size {
    /// The size of a grid, unless such a grid would be empty or too large.
    pub(crate) fn of(width: u32, height: u32) -> Result<Self, GridError> {
        if width == 0 || height == 0 {
            return Err(GridError::Empty { width, height });
        }
        if !Self::fits(u64::from(width), u64::from(height)) {
            return Err(GridError::TooLarge { width, height });
        }
        Ok(Self { width, height })
    }
}
