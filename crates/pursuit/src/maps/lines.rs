//! Numbered lines of a text, and fields of a line.

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
