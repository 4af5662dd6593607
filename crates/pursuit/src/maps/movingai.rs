//! The `.map` format: a header of four lines, then one character per cell.

use super::error::{MapError, MapErrorKind};
use super::lines::{Field, Line, lines, without_blank_end};
use crate::cell::Size;
use crate::grid::Grid;

/// Number of lines before the first row.
const HEADER_LINES: usize = 4;

/// Reads a MovingAI `.map` text.
///
/// The header has four lines: `type octile`, then `height` and `width` with their numbers in any order, then `map`. In
/// the rows, `.`, `G` and `S` are free cells of cost 1; `@`, `O`, `T` and `W` are walls.
///
/// # Errors
///
/// Returns a [`MapError`] if the header is incomplete, repeats a line, or announces no cells or more cells than a grid
/// can have. It also returns one if rows have a wrong length or other characters, or if there are too few or too many
/// rows.
///
/// ```
/// let grid = pursuit::maps::parse_map("type octile\nheight 2\nwidth 3\nmap\n..@\n.G.\n")?;
/// assert_eq!((grid.width(), grid.height(), grid.free_count()), (3, 2, 5));
/// # Ok::<(), pursuit::maps::MapError>(())
/// ```
pub fn parse_map(text: &str) -> Result<Grid, MapError> {
    let mut lines = lines(without_blank_end(text, char::is_whitespace));
    let (width, height) = parse_header(&mut lines)?;
    let rows = collect_rows(lines, width, height)?;
    // All characters are ASCII, so bytes are columns.
    Grid::from_fn(width, height, |cell| {
        is_free(rows[cell.y as usize].text.as_bytes()[cell.x as usize])
    })
    .map_err(|_| MapErrorKind::TooLarge { width, height }.at(1, 1))
}

/// Writes a grid as a MovingAI `.map` text with LF line ends: `.` for a free cell, `@` for a wall.
///
/// [`parse_map`] reads the text as the same grid, but without terrain costs, because the format has none.
#[must_use]
pub fn write_map(grid: &Grid) -> String {
    let (width, height) = (grid.width(), grid.height());
    let mut text = format!("type octile\nheight {height}\nwidth {width}\nmap\n");
    text.reserve(grid.cell_count() + height as usize);
    for cell in grid.rect().cells() {
        text.push(if grid.is_free(cell) { '.' } else { '@' });
        if cell.x + 1 == width as i32 {
            text.push('\n');
        }
    }
    text
}

fn is_free(byte: u8) -> bool {
    matches!(byte, b'.' | b'G' | b'S')
}

/// Whether a character stands for a free cell or a wall.
fn is_known(c: char) -> bool {
    matches!(c, '.' | 'G' | 'S' | '@' | 'O' | 'T' | 'W')
}

/// Reads the lines up to and including `map`. Returns width and height.
fn parse_header<'t>(lines: &mut impl Iterator<Item = Line<'t>>) -> Result<(u32, u32), MapError> {
    let mut number = 0;
    let mut next = |expected| {
        number += 1;
        let missing = || MapErrorKind::Expected(expected).at(number, 1);
        lines.next().ok_or_else(missing)
    };

    let line = next("`type octile`")?;
    if first_word(line) != "type" {
        return Err(MapErrorKind::Expected("`type octile`").at(line.number, 1));
    }
    let kind = header_value(line, "type")?;
    if kind.text != "octile" {
        let unknown = MapErrorKind::UnknownType(kind.text.to_owned());
        return Err(unknown.at(line.number, kind.column));
    }

    let (mut width, mut height) = (None, None);
    let (width, height) = loop {
        let missing = if height.is_none() {
            "`height`"
        } else {
            "`width`"
        };
        let line = next(missing)?;
        let (name, size) = match first_word(line) {
            "height" => ("height", &mut height),
            "width" => ("width", &mut width),
            _ => return Err(MapErrorKind::Expected(missing).at(line.number, 1)),
        };
        if size.is_some() {
            return Err(MapErrorKind::Repeated(name).at(line.number, 1));
        }
        *size = Some(line.size(header_value(line, name)?, name)?);
        if let (Some(width), Some(height)) = (width, height) {
            if !Size::fits(u64::from(width), u64::from(height)) {
                return Err(MapErrorKind::TooLarge { width, height }.at(line.number, 1));
            }
            break (width, height);
        }
    };

    let line = next("`map`")?;
    if line.text.trim() != "map" {
        return Err(MapErrorKind::Expected("`map`").at(line.number, 1));
    }
    Ok((width, height))
}

fn first_word(line: Line<'_>) -> &str {
    line.words().next().map_or("", |word| word.text)
}

/// The second of the two words in a header line.
fn header_value<'t>(line: Line<'t>, name: &'static str) -> Result<Field<'t>, MapError> {
    let mut words = line.words().skip(1);
    let Some(value) = words.next() else {
        return Err(MapErrorKind::MissingField(name).at(line.number, line.end()));
    };
    match words.next() {
        Some(extra) => Err(MapErrorKind::ExpectedLineEnd.at(line.number, extra.column)),
        None => Ok(value),
    }
}

/// The rows of the map. Each row is checked before the next one is read: it must have `width` characters that
/// stand for cells.
fn collect_rows<'t>(
    lines: impl Iterator<Item = Line<'t>>,
    width: u32,
    height: u32,
) -> Result<Vec<Line<'t>>, MapError> {
    let (expected, mut rows) = (height as usize, Vec::new());
    for row in lines {
        if rows.len() == expected {
            return Err(MapErrorKind::TooManyRows { expected }.at(row.number, 1));
        }
        row.check_row(width as usize, is_known)?;
        rows.push(row);
    }
    let found = rows.len();
    if found < expected {
        let end = HEADER_LINES + found + 1;
        return Err(MapErrorKind::TooFewRows { expected, found }.at(end, 1));
    }
    Ok(rows)
}
