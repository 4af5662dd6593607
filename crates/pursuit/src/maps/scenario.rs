//! The `.scen` format: one query per line.

use std::fmt::Write;

use super::error::{MapError, MapErrorKind};
use super::lines::{Field, Line, lines};
use crate::cell::Cell;
use crate::cell::Size;

/// A query of a benchmark: its start, its goal, and the length of the best path.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Group of queries with similar lengths. In the benchmarks, bucket `b` has lengths from `4 * b` to `4 *
    /// b + 4`.
    pub bucket: u32,
    /// File name of the map, as the author of the scenario wrote it.
    pub map: String,
    /// Width of the map, in cells.
    pub width: u32,
    /// Height of the map, in cells.
    pub height: u32,
    /// Start of the path. It lies inside the map, and may be a wall.
    pub start: Cell,
    /// End of the path. It lies inside the map, and may be a wall.
    pub goal: Cell,
    /// Length of the shortest path, in cells, if diagonal steps past the corner of a wall are forbidden. The benchmarks
    /// round the length to 0.01 or finer. It is 0 if there is no path.
    pub length: f64,
}

impl Scenario {
    /// Whether the query has a path. A length of 0 between different cells means that it has no path.
    #[must_use]
    pub fn has_path(&self) -> bool {
        self.length > 0.0 || self.start == self.goal
    }
}

/// Names of the fields in a line, in order.
const FIELD_NAMES: [&str; 9] = [
    "bucket", "map", "width", "height", "start x", "start y", "goal x", "goal y", "length",
];

/// Reads a MovingAI `.scen` text.
///
/// The first line is `version` and a number, which is ignored. Every other line that is not blank is a query of nine
/// fields: bucket, map, width, height, start x, start y, goal x, goal y, length. They are separated by white space. If
/// there are exactly eight tabs, tabs separate the fields, and the name of the map may contain blanks.
///
/// # Errors
///
/// Returns a [`MapError`] if the version is missing, a line has too few or too many fields, a field is not a
/// valid number, a map has no cells or more than a grid can have, or a start or goal lies outside its map.
pub fn parse_scenarios(text: &str) -> Result<Vec<Scenario>, MapError> {
    let mut lines = lines(text);
    if !lines.next().is_some_and(is_version) {
        return Err(MapErrorKind::Expected("`version` and a number").at(1, 1));
    }
    let queries = lines.filter(|line| !line.text.trim().is_empty());
    queries.map(parse_scenario).collect()
}

/// Writes queries as a MovingAI `.scen` text with tabs between fields and LF line ends.
///
/// [`parse_scenarios`] reads the text as the same queries, unless it refuses a number: see its errors. (A tab or a line
/// break in the name of a map becomes `_`, because the format cannot hold it.)
#[must_use]
pub fn write_scenarios(scenarios: &[Scenario]) -> String {
    let mut text = String::from("version 1\n");
    for scenario in scenarios {
        let Scenario {
            bucket,
            map,
            width,
            height,
            start,
            goal,
            length,
        } = scenario;
        let map = map.replace(['\t', '\n', '\r'], "_");
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{bucket}\t{map}\t{width}\t{height}\t{}\t{}\t{}\t{}\t{length}",
            start.x, start.y, goal.x, goal.y
        );
    }
    text
}

fn is_version(line: Line<'_>) -> bool {
    let mut words = line.words();
    let is_number = |word: Field<'_>| word.text.parse::<f64>().is_ok();
    words.next().is_some_and(|word| word.text == "version")
        && words.next().is_some_and(is_number)
        && words.next().is_none()
}

fn parse_scenario(line: Line<'_>) -> Result<Scenario, MapError> {
    let fields = split_fields(line)?;
    let width = line.size(fields[2], FIELD_NAMES[2])?;
    let height = line.size(fields[3], FIELD_NAMES[3])?;
    if !Size::fits(u64::from(width), u64::from(height)) {
        return Err(MapErrorKind::TooLarge { width, height }.at(line.number, fields[2].column));
    }
    let cell = |x: usize| {
        let cell = Cell::new(
            line.number(fields[x], FIELD_NAMES[x])?,
            line.number(fields[x + 1], FIELD_NAMES[x + 1])?,
        );
        let outside = MapErrorKind::Outside {
            cell,
            width,
            height,
        };
        let is_inside = Size { width, height }.contains(cell);
        let inside = is_inside.then_some(cell);
        inside.ok_or_else(|| outside.at(line.number, fields[x].column))
    };
    let length: f64 = line.number(fields[8], FIELD_NAMES[8])?;
    if !(length.is_finite() && length >= 0.0) {
        return Err(line.bad_number(fields[8], FIELD_NAMES[8]));
    }
    Ok(Scenario {
        bucket: line.number(fields[0], FIELD_NAMES[0])?,
        map: fields[1].text.to_owned(),
        width,
        height,
        start: cell(4)?,
        goal: cell(6)?,
        length,
    })
}

fn split_fields(line: Line<'_>) -> Result<[Field<'_>; 9], MapError> {
    let mut fields = [Field {
        column: 1,
        text: "",
    }; 9];
    let tabs = line.text.bytes().filter(|&byte| byte == b'\t').count();
    let mut tabbed = line.fields(|c| c == '\t');
    let mut spaced = line.words();
    let parts: &mut dyn Iterator<Item = Field<'_>> = if tabs == FIELD_NAMES.len() - 1 {
        &mut tabbed
    } else {
        &mut spaced
    };
    for (field, name) in fields.iter_mut().zip(FIELD_NAMES) {
        let missing = || MapErrorKind::MissingField(name).at(line.number, line.end());
        *field = parts.next().ok_or_else(missing)?;
    }
    match parts.next() {
        Some(extra) => Err(MapErrorKind::ExpectedLineEnd.at(line.number, extra.column)),
        None => Ok(fields),
    }
}
