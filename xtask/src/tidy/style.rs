//! What rustfmt leaves alone: white space in every text file, and glob-friendly preludes.

use std::path::Path;

use super::source::{Source, line_of};
use super::{Finding, finding};

/// Tabs and spaces at the end of a line.
pub(crate) fn white_space(path: &Path, text: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let mut report = |what: &str| found.push(finding(path, index + 1, "white-space", what));
        if line.contains('\t') {
            report("a tab");
        }
        if line.ends_with(' ') {
            report("a space at the end of the line");
        }
    }
    found
}

/// `use crate::prelude`: inside its own crate a prelude hides which module needs which.
pub(crate) fn prelude(source: &Source) -> Vec<Finding> {
    let own = source.code.match_indices("crate::prelude");
    own.map(|(at, _)| {
        let what = "name the module an item comes from, not the crate's own prelude";
        finding(&source.path, line_of(&source.code, at), "prelude", what)
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::{prelude, white_space};
    use crate::tidy::source::Source;
    use std::path::Path;

    #[test]
    fn tabs_and_trailing_spaces_are_found_with_their_lines() {
        let found = white_space(Path::new("a.toml"), "fine\n\tx\ny \n");
        let lines: Vec<_> = found.iter().map(|finding| finding.line).collect();
        assert_eq!(lines, [2, 3]);
    }

    #[test]
    fn clean_text_passes() {
        assert!(white_space(Path::new("a.md"), "a\n\n    b\r\n").is_empty());
    }

    #[test]
    fn the_crates_own_prelude_is_refused_and_others_are_not() {
        let own = Source::new("a.rs", "use bevy::prelude::*;\nuse crate::prelude::*;\n");
        assert_eq!(prelude(&own).len(), 1);
        assert_eq!(prelude(&own)[0].line, 2);
        let others = Source::new("a.rs", "// use crate::prelude\nuse bevy::prelude::*;\n");
        assert!(prelude(&others).is_empty());
    }
}
