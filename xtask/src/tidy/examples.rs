//! Examples are read before they are run: a header that says which keys do what, and little else.

use std::path::Path;

use super::source::Source;
use super::{Finding, finding};

/// Lines of an example that is a single file. A folder's files have the common budget.
const EXAMPLE_LINES: usize = 150;

/// Whether this file is the one an example starts from.
pub(crate) fn is_entry(path: &Path) -> bool {
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    match parts.as_slice() {
        [root, file] => root == "examples" && file.ends_with(".rs"),
        [root, _, file] => root == "examples" && file == "main.rs",
        _ => false,
    }
}

/// The header and the length of an example's first file.
pub(crate) fn check(source: &Source) -> Vec<Finding> {
    let path = &source.path;
    let mut found = Vec::new();
    if !has_key_table(&source.text) {
        let what = "begin with a `//!` header that holds a table of keys (`//! | Key | …`)";
        found.push(finding(path, 1, "example-header", what));
    }
    let lines = source.text.lines().count();
    if lines > EXAMPLE_LINES {
        let what = format!("{lines} lines, budget {EXAMPLE_LINES}: move the rest beside it");
        found.push(finding(path, EXAMPLE_LINES + 1, "example-budget", what));
    }
    found
}

fn has_key_table(text: &str) -> bool {
    let mut header = text.lines().take_while(|line| line.starts_with("//!"));
    header.any(|line| {
        let cells = line.trim_start_matches("//!").trim();
        let title = cells.trim_start_matches('|').trim().to_lowercase();
        cells.starts_with('|') && title.starts_with("key")
    })
}

#[cfg(test)]
mod tests {
    use super::{EXAMPLE_LINES, check, is_entry};
    use crate::tidy::source::Source;
    use std::path::Path;

    const HEADER: &str = "//! Chase.\n//!\n//! | Key | Does |\n//! |---|---|\n//! | F1 | x |\n";

    #[test]
    fn a_header_with_a_table_of_keys_passes() {
        assert!(check(&Source::new("examples/a.rs", HEADER)).is_empty());
    }

    #[test]
    fn a_header_without_keys_or_no_header_is_found() {
        for text in [
            "//! Chase.\n//! | Speed |\n",
            "fn main() {}\n//! | Key |\n",
            "",
        ] {
            assert_eq!(
                check(&Source::new("examples/a.rs", text)).len(),
                1,
                "{text}"
            );
        }
    }

    #[test]
    fn an_example_over_its_budget_is_found() {
        let header_lines = HEADER.lines().count();
        let within = HEADER.to_string() + &"\n".repeat(EXAMPLE_LINES - header_lines);
        assert!(check(&Source::new("examples/a.rs", within.clone())).is_empty());
        assert_eq!(check(&Source::new("examples/a.rs", within + "\n")).len(), 1);
    }

    #[test]
    fn only_the_file_an_example_starts_from_needs_a_header() {
        assert!(is_entry(Path::new("examples/doors.rs")));
        assert!(is_entry(Path::new("examples/chase/main.rs")));
        assert!(!is_entry(Path::new("examples/chase/level.rs")));
        assert!(!is_entry(Path::new("crates/examples/main.rs")));
    }
}
