//! Files and functions that grew too long to read in one go.

use super::source::{Source, is_word, line_of};
use super::{Finding, finding};

/// Lines of a file before its tests.
const FILE_LINES: usize = 500;
/// Lines of a function, from `fn` to its closing brace.
const FUNCTION_LINES: usize = 60;

/// A file over the budget, tests not counted.
pub(crate) fn file(source: &Source) -> Option<Finding> {
    let lines = source.code.lines().count();
    (lines > FILE_LINES).then(|| {
        let what = format!("{lines} lines before the tests, budget {FILE_LINES}");
        finding(&source.path, FILE_LINES + 1, "file-budget", what)
    })
}

/// Functions over the budget, tests not counted.
pub(crate) fn functions(source: &Source) -> Vec<Finding> {
    let code = &source.code;
    let long = |at: usize| {
        let length = function_length(&code[at..])?;
        let lines = code[at..at + length].lines().count();
        (lines > FUNCTION_LINES).then(|| {
            let what = format!("{lines} lines, budget {FUNCTION_LINES}");
            finding(&source.path, line_of(code, at), "function-budget", what)
        })
    };
    function_starts(code).filter_map(long).collect()
}

/// Byte offsets of the keyword `fn` where a name follows.
fn function_starts(code: &str) -> impl Iterator<Item = usize> {
    code.match_indices("fn ").map(|(at, _)| at).filter(|&at| {
        let before = code[..at].chars().next_back();
        let after = code[at + 3..].trim_start().chars().next();
        !before.is_some_and(is_word) && after.is_some_and(is_word)
    })
}

/// Bytes from `fn` to the end of the body; `None` for a declaration without one.
fn function_length(code: &str) -> Option<usize> {
    let mut braces = 0;
    let mut brackets = 0;
    for (at, c) in code.char_indices() {
        match c {
            '(' | '[' => brackets += 1,
            ')' | ']' => brackets -= 1,
            ';' if braces == 0 && brackets == 0 => return None,
            '{' => braces += 1,
            '}' => {
                braces -= 1;
                if braces == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{FILE_LINES, FUNCTION_LINES, file, functions};
    use crate::tidy::source::Source;

    fn function_of(lines: usize) -> String {
        let body = "    x();\n".repeat(lines - 2);
        format!("/// Doc.\npub fn long(a: [u8; 4]) {{\n{body}}}\n")
    }

    #[test]
    fn a_function_may_use_its_budget_and_not_more() {
        let within = Source::new("a.rs", function_of(FUNCTION_LINES));
        assert!(functions(&within).is_empty());
        let over = Source::new("a.rs", function_of(FUNCTION_LINES + 1));
        let found = functions(&over);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].line, 2, "the finding names the line of `fn`");
    }

    #[test]
    fn braces_in_text_and_bodiless_functions_do_not_confuse_the_count() {
        let lines = "    \"{\".len();\n".repeat(10);
        let text = format!(
            "trait T {{ fn a(&self); }}\nfn b() {{\n{lines}}}\n{}",
            "\n".repeat(99)
        );
        assert!(functions(&Source::new("a.rs", text)).is_empty());
    }

    #[test]
    fn a_file_may_use_its_budget_and_not_more() {
        assert!(file(&Source::new("a.rs", "\n".repeat(FILE_LINES))).is_none());
        assert!(file(&Source::new("a.rs", "\n".repeat(FILE_LINES + 1))).is_some());
    }

    #[test]
    fn tests_are_outside_the_file_budget() {
        let tests = "#[cfg(test)]\nmod tests {\n".to_string() + &"\n".repeat(FILE_LINES) + "}\n";
        assert!(file(&Source::new("a.rs", tests)).is_none());
    }
}
