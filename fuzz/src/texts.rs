//! Checks the readers of map files: an error points into the text, and a map stays the same when it is written and read
//! again.

use arbitrary::Arbitrary;
use pursuit::maps::{
    MapError, Scenario, parse_ascii, parse_map, parse_scenarios, write_ascii, write_map,
    write_scenarios,
};
use pursuit_lab::voxels::parse_voxels;

/// A text for a reader.
#[derive(Arbitrary, Debug)]
pub enum AnyText<'t> {
    /// Any text.
    Any(&'t str),
    /// A map whose header matches its rows, or nearly matches them.
    Map {
        /// The size in the header.
        size: (u8, u8),
        /// Whether the header matches the rows.
        is_true: bool,
        /// The rows, and any text after them.
        rows: &'t str,
    },
    /// Rows of the same width, with these characters as cells.
    Board {
        /// The width of the board.
        width: u8,
        /// The characters, which are repeated.
        cells: &'t [u8],
    },
    /// Queries, and any text after them.
    Scenarios(Vec<AnyQuery<'t>>, &'t str),
}

/// One line of a scenario.
#[derive(Arbitrary, Debug)]
pub struct AnyQuery<'t> {
    map: &'t str,
    numbers: [u16; 7],
    length: f32,
    separator: u8,
}

impl AnyText<'_> {
    fn text(&self) -> String {
        match self {
            Self::Any(text) => (*text).to_owned(),
            Self::Map {
                size: (width, height),
                is_true,
                rows,
            } => {
                let (columns, lines) = (
                    rows.lines().next().map_or(0, |row| row.chars().count()),
                    rows.lines().count(),
                );
                let (width, height) = if *is_true {
                    (columns, lines)
                } else {
                    (usize::from(*width), usize::from(*height))
                };
                format!("type octile\nheight {height}\nwidth {width}\nmap\n{rows}")
            }
            Self::Board { width, cells } => {
                const KINDS: &[u8] = b".#@OTW 123456789SGx";
                let character = |&cell: &u8| char::from(KINDS[usize::from(cell) % KINDS.len()]);
                let rows = cells.chunks_exact(usize::from(*width).max(1));
                let rows = rows.map(|row| row.iter().map(character).collect::<String>());
                rows.collect::<Vec<_>>().join("\n")
            }
            Self::Scenarios(queries, rest) => {
                let lines: Vec<String> = queries.iter().map(AnyQuery::line).collect();
                format!("version 1\n{}\n{rest}", lines.join("\n"))
            }
        }
    }
}

impl AnyQuery<'_> {
    fn line(&self) -> String {
        let [bucket, width, height, numbers @ ..] = self.numbers;
        let [x, y, to_x, to_y] = numbers;
        let (map, length) = (self.map, self.length);
        let line =
            format!("{bucket}\t{map}\t{width}\t{height}\t{x}\t{y}\t{to_x}\t{to_y}\t{length}");
        match self.separator % 4 {
            0 => line.replace('\t', " "),
            1 => line.replace('\t', "  \t"),
            _ => line,
        }
    }
}

/// Passes a text to every reader.
///
/// # Panics
///
/// If an error does not point into the text, or if a map changes when it is written and read again.
pub fn check(text: &AnyText<'_>) {
    let text = text.text();
    check_voxels(&text);
    match parse_ascii(&text) {
        Ok(map) => {
            let again = parse_ascii(&write_ascii(&map.grid)).expect("what was written is a board");
            assert_eq!(again.grid, map.grid);
            assert!(map.marks.iter().all(|&(_, cell)| map.grid.is_free(cell)));
        }
        Err(error) => check_place(&text, &error),
    }
    match parse_map(&text) {
        Ok(grid) => assert_eq!(parse_map(&write_map(&grid)), Ok(grid)),
        Err(error) => check_place(&text, &error),
    }
    match parse_scenarios(&text) {
        Ok(queries) => {
            let written = write_scenarios(&queries);
            let queries: Vec<Scenario> = queries.into_iter().map(without_breaks).collect();
            assert_eq!(parse_scenarios(&written), Ok(queries));
        }
        Err(error) => check_place(&text, &error),
    }
}

/// Passes a text to the reader of layers of cubes.
fn check_voxels(text: &str) {
    match parse_voxels(text) {
        Ok(map) => {
            assert!(
                map.marks
                    .iter()
                    .all(|&(_, voxel)| !map.grid.is_solid(voxel))
            );
        }
        Err(error) => {
            let lines = text.split('\n').count();
            assert!((1..=lines + 1).contains(&error.line), "{error}");
        }
    }
}

/// Replaces line breaks in the name of a query's map, because the format cannot represent them.
fn without_breaks(query: Scenario) -> Scenario {
    let map = query.map.replace('\r', "_");
    Scenario { map, ..query }
}

/// Asserts that an error points to a character of the text, just after the last character of a line, or just after the
/// last line.
fn check_place(text: &str, error: &MapError) {
    let lines: Vec<&str> = text.split('\n').collect();
    assert!((1..=lines.len() + 1).contains(&error.line), "{error}");
    let columns = lines.get(error.line - 1);
    let columns = columns.map_or(0, |line| line.chars().count());
    assert!((1..=columns + 1).contains(&error.column), "{error}");
}
