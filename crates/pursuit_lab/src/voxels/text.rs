//! Layers of cubes as text.

use super::error::{VoxelTextError, VoxelTextErrorKind};
use super::grid::VoxelGrid;
use super::voxel::Voxel;

/// A grid read by [`parse_voxels`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoxelMap {
    /// Which cubes are solid.
    pub grid: VoxelGrid,
    /// Every character that stands for neither a solid nor a plain free cube, with its cube, in the order of the text.
    pub marks: Vec<(char, Voxel)>,
}

impl VoxelMap {
    /// The first cube marked with `mark`.
    #[must_use]
    pub fn find(&self, mark: char) -> Option<Voxel> {
        self.marks
            .iter()
            .find_map(|&(c, voxel)| (c == mark).then_some(voxel))
    }
}

/// A row of a layer.
struct Row<'t> {
    /// 1-based.
    line: usize,
    text: &'t str,
}

/// Reads layers of cubes, the lowest first, with empty lines between them: one character per cube, all rows of
/// one width, all layers of one number of rows.
///
/// `#` is solid, `.` is free; every other printable ASCII character is a free cube that is listed under
/// [`VoxelMap::marks`]. Lines end in LF or CRLF; empty lines at the begin and at the end are ignored, and several between layers
/// are as good as one.
///
/// # Errors
///
/// A [`VoxelTextError`] for a text without rows, rows and layers of different sizes, other characters (a blank is
/// one), and more cubes than a grid can have.
pub fn parse_voxels(text: &str) -> Result<VoxelMap, VoxelTextError> {
    let layers = layers(text);
    let at = |layer: usize, line, column, kind| VoxelTextError {
        layer: layer + 1,
        line,
        column,
        kind,
    };
    let Some(first) = layers.first().and_then(|layer| layer.first()) else {
        return Err(at(0, 1, 1, VoxelTextErrorKind::NoRows));
    };
    let (columns, rows) = (first.text.chars().count(), layers[0].len());
    for (index, layer) in layers.iter().enumerate() {
        check_layer(layer, columns, rows)
            .map_err(|(line, column, kind)| at(index, line, column, kind))?;
    }
    let side = |side: usize| u32::try_from(side).unwrap_or(u32::MAX);
    let grid = VoxelGrid::open(side(columns), side(rows), side(layers.len()));
    let mut grid = grid.map_err(|error| at(0, first.line, 1, error.into()))?;
    let mut marks = Vec::new();
    for (z, layer) in (0..).zip(&layers) {
        for (y, row) in (0..).zip(layer) {
            for (x, c) in (0..).zip(row.text.chars()) {
                let voxel = Voxel::new(x, y, z);
                match c {
                    '.' => {}
                    '#' => grid
                        .set_solid(voxel, true)
                        .map_err(|error| at(z as usize, row.line, x as usize + 1, error.into()))?,
                    mark => marks.push((mark, voxel)),
                }
            }
        }
    }
    Ok(VoxelMap { grid, marks })
}

/// Writes layers, the lowest first, with LF line ends: `#` for a solid cube, `.` for a free one. [`parse_voxels`] reads
/// them back as the same grid.
#[must_use]
pub fn write_voxels(grid: &VoxelGrid) -> String {
    let columns = grid.size()[0] as i32;
    let mut text = String::new();
    for voxel in grid.bounds().voxels() {
        if voxel.x == 0 && voxel.y == 0 && voxel.z > 0 {
            text.push('\n');
        }
        text.push(if grid.is_solid(voxel) { '#' } else { '.' });
        if voxel.x + 1 == columns {
            text.push('\n');
        }
    }
    text
}

/// The rows of each layer.
fn layers(text: &str) -> Vec<Vec<Row<'_>>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut layers: Vec<Vec<Row<'_>>> = Vec::new();
    let mut is_inside = false;
    for (index, line) in text.split('\n').enumerate() {
        let row = Row {
            line: index + 1,
            text: line.strip_suffix('\r').unwrap_or(line),
        };
        if row.text.is_empty() {
            is_inside = false;
        } else if let (true, Some(layer)) = (is_inside, layers.last_mut()) {
            layer.push(row);
        } else {
            layers.push(vec![row]);
            is_inside = true;
        }
    }
    layers
}

/// The first mistake in a layer, by line and column.
fn check_layer(
    layer: &[Row<'_>],
    columns: usize,
    rows: usize,
) -> Result<(), (usize, usize, VoxelTextErrorKind)> {
    for (y, row) in layer.iter().enumerate() {
        if y == rows {
            let kind = VoxelTextErrorKind::LayerRows {
                expected: rows,
                found: layer.len(),
            };
            return Err((row.line, 1, kind));
        }
        let unknown = |&(_, c): &(usize, char)| !c.is_ascii_graphic();
        if let Some((x, c)) = row.text.chars().enumerate().find(unknown) {
            return Err((row.line, x + 1, VoxelTextErrorKind::UnknownCharacter(c)));
        }
        // All are of one byte each.
        let found = row.text.len();
        if found != columns {
            let kind = VoxelTextErrorKind::RowWidth {
                expected: columns,
                found,
            };
            return Err((row.line, found.min(columns) + 1, kind));
        }
    }
    if layer.len() < rows {
        let kind = VoxelTextErrorKind::LayerRows {
            expected: rows,
            found: layer.len(),
        };
        return Err((layer.last().map_or(1, |row| row.line + 1), 1, kind));
    }
    Ok(())
}
