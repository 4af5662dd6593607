//! Why a grid cannot be made or changed.

use thiserror::Error;

use crate::cell::Cell;

/// Why a grid could not be made or changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GridError {
    /// No column or no row.
    #[error("a grid needs at least one cell, got {width} x {height}")]
    Empty {
        /// Columns asked for.
        width: u32,
        /// Rows asked for.
        height: u32,
    },
    /// More than [`MAX_CELLS`](crate::MAX_CELLS) cells, or a side beyond
    /// [`MAX_SIDE`](crate::MAX_SIDE).
    #[error("{width} x {height} cells are too many")]
    TooLarge {
        /// Columns asked for.
        width: u32,
        /// Rows asked for.
        height: u32,
    },
    /// The cell is not one of the grid's.
    #[error("cell {0} is outside of the grid")]
    Outside(Cell),
    /// Terrain costs are 1 to 255.
    #[error("the terrain cost of cell {0} must be at least 1")]
    ZeroCost(Cell),
    /// Two things that belong to one map have different sizes.
    #[error("expected {width} x {height} cells, got {other_width} x {other_height}")]
    OtherSize {
        /// Columns of the map.
        width: u32,
        /// Rows of the map.
        height: u32,
        /// Columns of what was given.
        other_width: u32,
        /// Rows of what was given.
        other_height: u32,
    },
}
