//! ASCII boards: readable text for levels and tests.

use super::error::{MapError, MapErrorKind};
use super::lines::{lines, without_blank_end};
use crate::cell::Cell;
use crate::grid::{Grid, GridError};

/// A board that [`parse_ascii`] has read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AsciiMap {
    /// Walls and terrain costs.
    pub grid: Grid,
    /// Each character that is none of the following, with its cell, row by row: a wall, a plain free cell, a terrain
    /// cost.
    pub marks: Vec<(char, Cell)>,
}

impl AsciiMap {
    /// The first cell marked with `mark`.
    #[must_use]
    pub fn find(&self, mark: char) -> Option<Cell> {
        (self.marks.iter()).find_map(|&(c, cell)| (c == mark).then_some(cell))
    }
}

/// The meaning of a character on a board.
enum Tile {
    Wall,
    Free,
    Cost(u8),
    Mark,
}

impl Tile {
    fn of(c: char) -> Option<Self> {
        Some(match c {
            '#' | '@' | 'O' | 'T' | 'W' => Self::Wall,
            '.' | ' ' => Self::Free,
            '1'..='9' => Self::Cost(c as u8 - b'0'),
            c if c.is_ascii_graphic() && c != '0' => Self::Mark,
            _ => return None,
        })
    }
}

/// Reads a board: one character per cell, with all rows of equal width.
///
/// `#` is a wall, and so are `@`, `O`, `T` and `W`, as in MovingAI maps. `.` and a space are free. The digits `1` to
/// `9` are free with that terrain cost. Every other printable ASCII character except `0` is a free cell that is listed
/// in [`AsciiMap::marks`]. Empty lines at the end are ignored, while a line of spaces is a row.
///
/// Since `T`, `O` and `W` are walls, they cannot mark a cell. An indented text has free columns on its left:
/// begin the map right after the opening quote, and begin each row at the start of its line.
///
/// # Errors
///
/// Returns a [`MapError`] if the text has no rows, an empty first line, rows of different widths, other
/// characters, or more cells than a grid can have.
///
/// ```
/// let map = pursuit::maps::parse_ascii("S#.\n..G")?;
/// assert_eq!(map.find('G'), Some(pursuit::Cell::new(2, 1)));
/// assert!(!map.grid.is_free(pursuit::Cell::new(1, 0)));
/// # Ok::<(), pursuit::maps::MapError>(())
/// ```
pub fn parse_ascii(text: &str) -> Result<AsciiMap, MapError> {
    let text = without_blank_end(text, |c| matches!(c, '\n' | '\r'));
    let (width, height) = check_rows(text)?;
    let (width, height) = match (u32::try_from(width), u32::try_from(height)) {
        (Ok(width), Ok(height)) => (width, height),
        _ => (u32::MAX, u32::MAX),
    };
    let refused = |_: GridError| MapErrorKind::TooLarge { width, height }.at(1, 1);
    let mut builder = Grid::builder(width, height).map_err(refused)?;
    let mut marks = Vec::new();
    for (y, row) in lines(text).enumerate() {
        for (x, c) in row.text.chars().enumerate() {
            let cell = Cell::new(x as i32, y as i32);
            match Tile::of(c) {
                Some(Tile::Wall) => builder.set_free(cell, false).map_err(refused)?,
                Some(Tile::Cost(cost)) => builder.set_cost(cell, cost).map_err(refused)?,
                Some(Tile::Mark) => marks.push((c, cell)),
                Some(Tile::Free) => {}
                None => return Err(MapErrorKind::UnknownCharacter(c).at(row.number, x + 1)),
            }
        }
    }
    Ok(AsciiMap {
        grid: builder.build(),
        marks,
    })
}

/// Writes a grid as a board with LF line ends: `#` is a wall, `.` is a free cell of cost 1, and the digits `2` to `9`
/// are higher terrain costs. Every cost above 9 is written as `9`.
///
/// [`parse_ascii`] reads the text as the same grid, unless a cost is above 9 or a wall has a cost.
#[must_use]
pub fn write_ascii(grid: &Grid) -> String {
    let mut text = String::with_capacity(grid.cell_count() + grid.height() as usize);
    for cell in grid.rect().cells() {
        text.push(match (grid.is_free(cell), grid.cost(cell)) {
            (false, _) => '#',
            (true, 1) => '.',
            (true, cost) => char::from(b'0' + cost.min(9)),
        });
        if cell.x + 1 == grid.width() as i32 {
            text.push('\n');
        }
    }
    text
}

/// Width and height of a text. Checks that its rows have the same width and known characters. The rows are not stored,
/// since for a text of line feeds they would need many times its size.
fn check_rows(text: &str) -> Result<(usize, usize), MapError> {
    let (mut expected, mut height) = (0, 0);
    for row in lines(text) {
        let found = row.text.chars().count();
        if height == 0 {
            expected = found;
        }
        if expected == 0 {
            let kind = if text.contains('\n') {
                MapErrorKind::EmptyFirstLine
            } else {
                MapErrorKind::NoRows
            };
            return Err(kind.at(1, 1));
        }
        row.check_row(expected, |c| Tile::of(c).is_some())?;
        height += 1;
    }
    Ok((expected, height))
}
