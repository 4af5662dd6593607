//! Reads layers of cubes from text.

use thiserror::Error;

use super::grid::{Voxel, VoxelError, VoxelGrid};

/// A grid read by [`parse_voxels`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoxelMap {
    /// The solid and the free cubes.
    pub grid: VoxelGrid,
    /// Every character other than `#` and `.`, with its cube, in the order of the text.
    pub marks: Vec<(char, Voxel)>,
}

impl VoxelMap {
    /// The first cube marked with `mark`.
    #[must_use]
    pub fn find(&self, mark: char) -> Option<Voxel> {
        let mut marks = self.marks.iter();
        marks.find_map(|&(c, voxel)| (c == mark).then_some(voxel))
    }
}

/// A mistake in a text of layers.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {kind}")]
pub struct VoxelTextError {
    /// Line of the text, counted from 1.
    pub line: usize,
    /// The mistake in that line.
    pub kind: VoxelTextErrorKind,
}

/// The kinds of mistakes in a text of layers.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum VoxelTextErrorKind {
    /// The row and the first row have different numbers of cubes.
    #[error("the row has {found} cubes, the first one has {expected}")]
    RowWidth {
        /// Cubes in the first row.
        expected: usize,
        /// Cubes in this row.
        found: usize,
    },
    /// The layer and the first layer have different numbers of rows.
    #[error("the layer has {found} rows, the first one has {expected}")]
    LayerRows {
        /// Rows of the first layer.
        expected: usize,
        /// Rows of this layer.
        found: usize,
    },
    /// The character does not represent a cube.
    #[error("column {column}: {found:?} does not represent a cube")]
    UnknownCharacter {
        /// Column of the character, counted in characters from 1.
        column: usize,
        /// The unknown character.
        found: char,
    },
    /// The text has no cubes, or more cubes than a grid can have.
    #[error(transparent)]
    Size(#[from] VoxelError),
}

/// Reads layers of cubes, the lowest layer first, with empty lines between the layers. Each character is a cube. All
/// rows must have the same length, and all layers the same number of rows.
///
/// `#` is a solid cube, and `.` is a free cube. Every other printable ASCII character is a free cube that is listed in
/// [`VoxelMap::marks`]. Lines end with LF or CRLF.
///
/// # Errors
///
/// [`VoxelTextError`] if the text has no rows, if rows or layers have different sizes, if a character is not printable
/// ASCII (a space is not accepted), or if there are more cubes than a grid can have.
pub fn parse_voxels(text: &str) -> Result<VoxelMap, VoxelTextError> {
    // The rows of each layer, each with its line number.
    let mut layers: Vec<Vec<(usize, &str)>> = Vec::new();
    let mut is_between = true;
    for (line, row) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        if !row.is_empty() {
            if is_between {
                layers.push(Vec::new());
            }
            let layer = layers.last_mut();
            layer.into_iter().for_each(|layer| layer.push((line, row)));
        }
        is_between = row.is_empty();
    }
    let rows = layers.first().map_or(0, Vec::len);
    let columns = layers.first().map_or(0, |layer| layer[0].1.chars().count());
    for layer in &layers {
        check_layer(layer, columns, rows)?;
    }
    let side = |side: usize| u32::try_from(side).unwrap_or(u32::MAX);
    // All characters are ASCII, so each has one byte.
    let sign = |at: Voxel| layers[at.z as usize][at.y as usize].1.as_bytes()[at.x as usize];
    let grid = VoxelGrid::from_fn(side(columns), side(rows), side(layers.len()), |voxel| {
        sign(voxel) == b'#'
    });
    let grid = grid.map_err(|error| VoxelTextError {
        line: 1,
        kind: error.into(),
    })?;
    let marks = grid.bounds().voxels();
    let marks = marks.map(|voxel| (char::from(sign(voxel)), voxel));
    let marks = marks.filter(|(sign, _)| !matches!(sign, '#' | '.'));
    Ok(VoxelMap {
        marks: marks.collect(),
        grid,
    })
}

/// The first mistake in a layer.
fn check_layer(layer: &[(usize, &str)], columns: usize, rows: usize) -> Result<(), VoxelTextError> {
    for &(line, row) in layer {
        let mut signs = (1..).zip(row.chars());
        let kind = match signs.find(|(_, sign)| !sign.is_ascii_graphic()) {
            Some((column, found)) => VoxelTextErrorKind::UnknownCharacter { column, found },
            None if row.len() != columns => VoxelTextErrorKind::RowWidth {
                expected: columns,
                found: row.len(),
            },
            None => continue,
        };
        return Err(VoxelTextError { line, kind });
    }
    if layer.len() != rows {
        let kind = VoxelTextErrorKind::LayerRows {
            expected: rows,
            found: layer.len(),
        };
        let line = layer[0].0;
        return Err(VoxelTextError { line, kind });
    }
    Ok(())
}
