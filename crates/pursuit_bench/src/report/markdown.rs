//! Tables inside of a document that is otherwise written by hand.

use std::fs;
use std::path::Path;

use crate::error::BenchError;

/// Replaces what stands between the lines `<!-- NAME: begin -->` and `<!-- NAME: end -->` of a file.
///
/// # Errors
/// A file that can't be read or written, or does not have the two lines in this order.
pub(super) fn replace_block(path: &Path, name: &str, block: &str) -> Result<(), BenchError> {
    let text = fs::read_to_string(path).map_err(BenchError::file(path))?;
    let replaced = replaced(&text, name, block).ok_or_else(|| BenchError::NoBlock {
        path: path.to_path_buf(),
        name: name.to_string(),
    })?;
    fs::write(path, replaced).map_err(BenchError::file(path))
}

fn replaced(text: &str, name: &str, block: &str) -> Option<String> {
    let begin = format!("<!-- {name}: begin -->\n");
    let end = format!("<!-- {name}: end -->");
    let (before, rest) = text.split_once(&begin)?;
    let (_, after) = rest.split_once(&end)?;
    let block = block.trim();
    Some(format!("{before}{begin}\n{block}\n\n{end}{after}"))
}

#[cfg(test)]
mod tests {
    use super::{replace_block, replaced};
    use crate::fixture::Folder;

    const TEXT: &str = "# A\n<!-- x: begin -->\nold\n<!-- x: end -->\nrest\n";

    #[test]
    fn only_the_block_changes_and_again_gives_the_same() {
        let once = replaced(TEXT, "x", "new\n").unwrap();
        let expected = "# A\n<!-- x: begin -->\n\nnew\n\n<!-- x: end -->\nrest\n";
        assert_eq!(once, expected);
        assert_eq!(replaced(&once, "x", "new").as_deref(), Some(expected));
    }

    #[test]
    fn the_document_of_this_repository_has_a_place_for_every_list() {
        let text = include_str!("../../../../BENCHMARKS.md");
        for name in ["requests", "ask", "chase", "crowd", "feel", "bake", "edit"] {
            let written = replaced(text, name, "figures").unwrap_or_default();
            assert!(written.contains("\nfigures\n"), "{name}");
        }
    }

    #[test]
    fn a_file_without_the_block_is_left_alone() {
        let folder = Folder::new("markdown-none");
        folder.write("a.md", TEXT);
        let path = folder.path().join("a.md");
        let error = replace_block(&path, "y", "new").unwrap_err();
        assert!(error.to_string().contains("<!-- y: begin -->"), "{error}");
        assert_eq!(std::fs::read_to_string(path).unwrap(), TEXT);
    }
}
