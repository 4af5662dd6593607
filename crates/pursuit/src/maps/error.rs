//! What can be wrong with a map's text, and where.

use thiserror::Error;

use crate::cell::Cell;

/// Something in a text that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {kind}")]
pub struct MapError {
    /// Line of the mistake, the first being 1. Where something is missing at the end of the text,
    /// the line after the last one.
    pub line: usize,
    /// Column of the mistake, counted in characters, the first being 1.
    pub column: usize,
    /// What is wrong there.
    pub kind: MapErrorKind,
}

/// What is wrong at one place of a text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MapErrorKind {
    /// The text has no row at all.
    #[error("the map has no rows")]
    NoRows,
    /// The first line is empty and others are not, as where a text begins below its opening quote.
    #[error("the first line is empty: begin the map right after the opening quote")]
    EmptyFirstLine,
    /// A header line should stand here.
    #[error("expected {0}")]
    Expected(&'static str),
    /// The map's type is not `octile`.
    #[error("maps of type `{0}` are not known, only `octile`")]
    UnknownType(String),
    /// A header line that was there before.
    #[error("a second `{0}`")]
    Repeated(&'static str),
    /// Something follows where the line should end.
    #[error("expected the end of the line")]
    ExpectedLineEnd,
    /// A field that is missing from a line.
    #[error("the {0} is missing")]
    MissingField(&'static str),
    /// A field that is not a number, or one beyond its range.
    #[error("`{text}` is not a number that the {field} can have")]
    BadNumber {
        /// The field's name.
        field: &'static str,
        /// What stands there.
        text: String,
    },
    /// A width or height of 0.
    #[error("the {0} is 0")]
    Zero(&'static str),
    /// More cells than a [`Grid`](crate::Grid) can have.
    #[error("{width} x {height} cells are too many")]
    TooLarge {
        /// Columns asked for.
        width: u32,
        /// Rows asked for.
        height: u32,
    },
    /// A row that is shorter or longer than the map is wide. The column is the first one that is
    /// missing or too many.
    #[error("the row has {found} cells, the map is {expected} wide")]
    RowWidth {
        /// The map's width.
        expected: usize,
        /// Characters in the row.
        found: usize,
    },
    /// The text ends before the last row.
    #[error("the map has {found} rows, its header says {expected}")]
    TooFewRows {
        /// Rows that the header promises.
        expected: usize,
        /// Rows in the text.
        found: usize,
    },
    /// The text goes on after the last row.
    #[error("more rows than the {expected} of the header")]
    TooManyRows {
        /// Rows that the header promises.
        expected: usize,
    },
    /// A character that stands for no kind of cell.
    #[error("{0:?} is no kind of cell")]
    UnknownCharacter(char),
    /// A start or goal that is not on the scenario's map.
    #[error("the cell {cell} is outside of the map of {width} x {height}")]
    Outside {
        /// The cell.
        cell: Cell,
        /// The map's width.
        width: u32,
        /// The map's height.
        height: u32,
    },
}

impl MapErrorKind {
    /// This mistake, at 1-based `line` and `column`.
    pub(super) fn at(self, line: usize, column: usize) -> MapError {
        MapError {
            line,
            column,
            kind: self,
        }
    }
}
