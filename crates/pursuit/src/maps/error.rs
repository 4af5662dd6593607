//! The mistakes that the text of a map can have, and where they are.

use thiserror::Error;

use crate::cell::Cell;

/// A mistake in the text of a map.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {kind}")]
pub struct MapError {
    /// Line of the mistake, counted from 1. If something is missing at the end of the text, it is the line
    /// after the last one.
    pub line: usize,
    /// Column of the mistake, counted from 1, in characters.
    pub column: usize,
    /// The kind of mistake.
    pub kind: MapErrorKind,
}

/// The kind of a mistake in a text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MapErrorKind {
    /// The text has no rows.
    #[error("the map has no rows")]
    NoRows,
    /// The first line is empty but other lines are not, as in a string literal that begins below its opening quote.
    #[error("the first line is empty: begin the map right after the opening quote")]
    EmptyFirstLine,
    /// A header line is missing.
    #[error("expected {0}")]
    Expected(&'static str),
    /// The type of the map is not `octile`.
    #[error("unknown map type `{0}`: only `octile` is supported")]
    UnknownType(String),
    /// A header line appears twice.
    #[error("`{0}` appears twice")]
    Repeated(&'static str),
    /// There is more text where the line should end.
    #[error("expected the end of the line")]
    ExpectedLineEnd,
    /// A field is missing from a line.
    #[error("the {0} is missing")]
    MissingField(&'static str),
    /// A field is not a number, or its number is out of range.
    #[error("`{text}` is not a valid number for the {field}")]
    BadNumber {
        /// Name of the field.
        field: &'static str,
        /// Text of the field.
        text: String,
    },
    /// A width or height is 0.
    #[error("the {0} is 0")]
    Zero(&'static str),
    /// The map has more cells than a [`Grid`](crate::Grid) can have.
    #[error("a map of {width} x {height} cells is too large: at most 2^28, and 2^24 along a side")]
    TooLarge {
        /// Requested number of columns.
        width: u32,
        /// Requested number of rows.
        height: u32,
    },
    /// A row is shorter or longer than the map is wide. The error names the column of the first missing or
    /// extra character.
    #[error("the row has {found} cells, but the map is {expected} cells wide")]
    RowWidth {
        /// Width of the map.
        expected: usize,
        /// Number of characters in the row.
        found: usize,
    },
    /// The text ends before the last row.
    #[error("the map has {found} rows, but its header announces {expected}")]
    TooFewRows {
        /// Number of rows in the header.
        expected: usize,
        /// Number of rows in the text.
        found: usize,
    },
    /// There is more text after the last row.
    #[error("the map has more rows than the {expected} that its header announces")]
    TooManyRows {
        /// Number of rows in the header.
        expected: usize,
    },
    /// A character does not stand for any kind of cell.
    #[error("{0:?} does not stand for any kind of cell")]
    UnknownCharacter(char),
    /// A start or goal lies outside the map of its scenario.
    #[error("cell {cell} is outside the map of {width} x {height} cells")]
    Outside {
        /// The cell.
        cell: Cell,
        /// Width of the map.
        width: u32,
        /// Height of the map.
        height: u32,
    },
}

impl MapErrorKind {
    /// Creates the error for this kind of mistake at a line and a column, both counted from 1.
    pub(super) fn at(self, line: usize, column: usize) -> MapError {
        MapError {
            line,
            column,
            kind: self,
        }
    }
}
