//! What can be wrong with a grid of cubes, its text, and a search in it.

use pursuit::FindPathError;
use thiserror::Error;

use super::voxel::{MAX_VOXEL_SIDE, MAX_VOXELS, Voxel};

/// Why there is no grid, or no such cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum VoxelError {
    /// No columns, no rows or no layers.
    #[error("a grid of {0} x {1} x {2} cubes has none")]
    Empty(u32, u32, u32),
    /// A side above [`MAX_VOXEL_SIDE`], or more cubes than [`MAX_VOXELS`].
    #[error(
        "{0} x {1} x {2} cubes are too many: at most {MAX_VOXEL_SIDE} a side and {MAX_VOXELS} in all"
    )]
    TooLarge(u32, u32, u32),
    /// A cube that is not of the grid.
    #[error("the cube {0} is outside of the grid")]
    Outside(Voxel),
}

/// Something in a text of layers that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("layer {layer}, line {line}, column {column}: {kind}")]
pub struct VoxelTextError {
    /// Layer of the mistake, the first being 1.
    pub layer: usize,
    /// Line of the text, the first being 1.
    pub line: usize,
    /// Column, counted in characters, the first being 1.
    pub column: usize,
    /// What is wrong there.
    pub kind: VoxelTextErrorKind,
}

/// What is wrong at one place of a text of layers.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum VoxelTextErrorKind {
    /// The text has no row at all.
    #[error("the map has no rows")]
    NoRows,
    /// A row that is shorter or longer than the first one. The column is the first that is missing or too many.
    #[error("the row has {found} cubes, the first one has {expected}")]
    RowWidth {
        /// Cubes in the first row.
        expected: usize,
        /// Cubes in this row.
        found: usize,
    },
    /// A layer with fewer or more rows than the first one. The line is the first that is missing or too many.
    #[error("the layer has {found} rows, the first one has {expected}")]
    LayerRows {
        /// Rows of the first layer.
        expected: usize,
        /// Rows of this layer.
        found: usize,
    },
    /// A character that stands for no kind of cube.
    #[error("{0:?} is no kind of cube")]
    UnknownCharacter(char),
    /// More cubes than a grid can have.
    #[error(transparent)]
    Size(#[from] VoxelError),
}

/// Why there is no answer to a search at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum VoxelPathError {
    /// The start is not a cube of the grid.
    #[error("the start {0} is outside of the grid")]
    StartOutside(Voxel),
    /// The goal is not a cube of the grid.
    #[error("the goal {0} is outside of the grid")]
    GoalOutside(Voxel),
    /// No body can be in the start: it is solid, or, for a body that walks, nothing solid is below.
    #[error("the start {0} is blocked")]
    StartBlocked(Voxel),
    /// Weights.
    #[error(transparent)]
    Search(#[from] FindPathError),
}
