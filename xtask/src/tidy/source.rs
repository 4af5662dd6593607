//! A source file as the rules see it: its text, the code without comments and literals, and where
//! its tests begin.

use std::path::{Path, PathBuf};

/// One Rust file of the workspace.
pub(crate) struct Source {
    /// Relative to the workspace root.
    pub(crate) path: PathBuf,
    /// As it stands on disk.
    pub(crate) text: String,
    /// The text up to its test module, comments and the insides of literals blanked; same lines.
    pub(crate) code: String,
}

impl Source {
    pub(crate) fn new(path: impl Into<PathBuf>, text: impl Into<String>) -> Self {
        let text = text.into();
        let code = without_tests(&mask(&text)).to_string();
        Source {
            path: path.into(),
            text,
            code,
        }
    }

    /// Whether the whole file is test code, by its place.
    pub(crate) fn is_test(&self) -> bool {
        let named_tests = self.path.file_stem().is_some_and(|stem| stem == "tests");
        named_tests || has_folder(&self.path, "tests") || has_folder(&self.path, "benches")
    }
}

fn has_folder(path: &Path, name: &str) -> bool {
    path.parent()
        .is_some_and(|parent| parent.components().any(|part| part.as_os_str() == name))
}

/// The one-based line of a byte offset.
pub(crate) fn line_of(text: &str, offset: usize) -> usize {
    text[..offset].matches('\n').count() + 1
}

/// The part before the `#[cfg(test)]` that opens a test module, which by habit ends a file.
fn without_tests(code: &str) -> &str {
    let mut from = 0;
    while let Some(found) = code[from..].find("#[cfg(test)]") {
        let at = from + found;
        let after = code[at + "#[cfg(test)]".len()..].trim_start();
        if after.starts_with("mod ") && opens_body(after) {
            return &code[..at];
        }
        from = at + 1;
    }
    code
}

fn opens_body(item: &str) -> bool {
    let brace = item.find('{').unwrap_or(usize::MAX);
    let semicolon = item.find(';').unwrap_or(usize::MAX);
    brace < semicolon
}

/// Replaces comments and the insides of string and character literals by spaces.
pub(crate) fn mask(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let (length, keep) = token(rest, masked.chars().next_back());
        let (head, tail) = rest.split_at(length);
        if keep {
            masked.push_str(head);
        } else {
            masked.extend(head.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        }
        rest = tail;
    }
    masked
}

/// The length of the token that `rest` begins with, and whether it is code.
fn token(rest: &str, before: Option<char>) -> (usize, bool) {
    if rest.starts_with("//") {
        return (rest.find('\n').unwrap_or(rest.len()), false);
    }
    if rest.starts_with("/*") {
        return (block_comment(rest), false);
    }
    let inside_word = before.is_some_and(is_word);
    if !inside_word && let Some(length) = raw_string(rest) {
        return (length, false);
    }
    if rest.starts_with('"') {
        return (quoted(rest, '"'), false);
    }
    if let Some(length) = character(rest) {
        return (length, false);
    }
    (rest.chars().next().map_or(1, char::len_utf8), true)
}

pub(crate) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The length of a comment that may hold others.
fn block_comment(text: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                break;
            }
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    at
}

/// The length of `r"…"`, `r#"…"#` and their byte and C forms, if the text begins with one.
fn raw_string(text: &str) -> Option<usize> {
    let prefix = ["br", "cr", "r"].iter().find(|p| text.starts_with(**p))?;
    let after = &text[prefix.len()..];
    let hashes = after.len() - after.trim_start_matches('#').len();
    let inside = after[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let opening = prefix.len() + hashes + 1;
    let length = inside.find(&end).map_or(inside.len(), |at| at + end.len());
    Some(opening + length)
}

/// The length of a literal with escapes, from its opening quote to behind its closing one.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// The length of a character literal; `None` for a lifetime.
fn character(text: &str) -> Option<usize> {
    let inside = text.strip_prefix('\'')?;
    let mut chars = inside.chars();
    let first = chars.next()?;
    let literal = first == '\\' || chars.next() == Some('\'');
    literal.then(|| quoted(text, '\''))
}

#[cfg(test)]
mod tests {
    use super::{Source, line_of, mask};

    #[test]
    fn comments_and_literals_are_blanked_and_lines_stay() {
        let masked = mask("a // {\n/* { /* x */ } */ b\n\"{\\\"}\" c\n'{' '\\'' &'a d");
        assert_eq!(masked.lines().count(), 4, "{masked}");
        let words: Vec<_> = masked.split_whitespace().collect();
        assert_eq!(words, ["a", "b", "c", "&'a", "d"]);
    }

    #[test]
    fn raw_strings_end_at_their_own_hashes() {
        let words = mask("x r#\" \" { \"# y br\"{\" z for_r");
        let words: Vec<_> = words.split_whitespace().collect();
        assert_eq!(words, ["x", "y", "z", "for_r"]);
    }

    #[test]
    fn the_test_module_is_no_code() {
        let text = "fn a() {}\n#[cfg(test)]\nmod tests {\n fn b() {}\n}\n";
        let source = Source::new("src/x.rs", text);
        assert_eq!(source.code, "fn a() {}\n");
    }

    #[test]
    fn a_test_only_item_in_the_middle_does_not_hide_what_follows() {
        let text = "#[cfg(test)]\nmod helper;\n#[cfg(test)]\nuse x::Y;\nfn a() {}\n";
        assert_eq!(Source::new("src/x.rs", text).code, text);
    }

    #[test]
    fn files_in_test_folders_are_tests() {
        assert!(Source::new("crates/a/tests/x.rs", "").is_test());
        assert!(Source::new("crates/a/src/search/tests.rs", "").is_test());
        assert!(!Source::new("crates/a/src/x.rs", "").is_test());
    }

    #[test]
    fn lines_count_from_one() {
        assert_eq!((line_of("a\nb", 0), line_of("a\nb", 2)), (1, 2));
    }
}
