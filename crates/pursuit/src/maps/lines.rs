//! Numbered lines of a text, and fields of a line.

use std::str::FromStr;

use super::error::{MapError, MapErrorKind};

/// One line, without its end.
#[derive(Clone, Copy)]
pub(super) struct Line<'t> {
    /// Number of the line, counted from 1.
    pub(super) number: usize,
    pub(super) text: &'t str,
}

/// A run of characters within a line.
#[derive(Clone, Copy)]
pub(super) struct Field<'t> {
    /// Column of the first character, in characters, counted from 1.
    pub(super) column: usize,
    pub(super) text: &'t str,
}

impl<'t> Line<'t> {
    /// The fields between white space.
    pub(super) fn words(self) -> impl Iterator<Item = Field<'t>> {
        self.fields(|c| c.is_whitespace())
            .filter(|field| !field.text.is_empty())
    }

    /// The fields between separators, including empty fields.
    pub(super) fn fields(
        self,
        separates: impl Fn(char) -> bool,
    ) -> impl Iterator<Item = Field<'t>> {
        let mut column = 1;
        self.text.split(separates).map(move |text| {
            let field = Field { column, text };
            column += text.chars().count() + 1;
            field
        })
    }

    /// The number in a field of this line.
    pub(super) fn number<T: FromStr>(
        self,
        field: Field<'_>,
        name: &'static str,
    ) -> Result<T, MapError> {
        let number = field.text.trim().parse();
        number.map_err(|_| self.bad_number(field, name))
    }

    /// The number of columns or rows in a field of this line. 0 is an error.
    pub(super) fn size(self, field: Field<'_>, name: &'static str) -> Result<u32, MapError> {
        match self.number(field, name)? {
            0 => Err(MapErrorKind::Zero(name).at(self.number, field.column)),
            size => Ok(size),
        }
    }

    pub(super) fn bad_number(self, field: Field<'_>, name: &'static str) -> MapError {
        let text = field.text.to_owned();
        MapErrorKind::BadNumber { field: name, text }.at(self.number, field.column)
    }

    /// Checks that a row of cells has `expected` characters, and that each of them is known.
    pub(super) fn check_row(
        self,
        expected: usize,
        is_known: impl Fn(char) -> bool,
    ) -> Result<(), MapError> {
        let mut cells = self.text.chars().enumerate();
        if let Some((x, c)) = cells.find(|(_, c)| !is_known(*c)) {
            return Err(MapErrorKind::UnknownCharacter(c).at(self.number, x + 1));
        }
        let found = self.text.chars().count();
        if found != expected {
            let kind = MapErrorKind::RowWidth { expected, found };
            return Err(kind.at(self.number, found.min(expected) + 1));
        }
        Ok(())
    }

    /// The column after the last character of the line.
    pub(super) fn end(self) -> usize {
        self.text.chars().count() + 1
    }
}

/// The lines of a text. A byte order mark at the start is skipped.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.split('\n').enumerate().map(|(i, line)| Line {
        number: i + 1,
        text: line.strip_suffix('\r').unwrap_or(line),
    })
}

/// The text up to the end of its last line that is not blank. `blank` says which characters are blank, and `\n` must be
/// one of them.
pub(super) fn without_blank_end(text: &str, blank: impl Fn(char) -> bool) -> &str {
    let kept = text.trim_end_matches(blank).len();
    let end = text[kept..].find('\n').map_or(text.len(), |at| kept + at);
    &text[..end]
}
