//! The invariants that a compiler does not hold. Each rule is a function from text to findings.

mod code;
mod layers;
mod modules;

use std::fs;
use std::path::Path;

use crate::command::{command, output};
use code::{Code, finding};
pub(crate) use layers::dependencies;

/// What shows the crates. A file there may use the one that calls it.
const EXAMPLES: &str = "examples";

/// Crates whose folders may need each other: a search picks jump points or tables, which search by its means.
const KNOTTED: [&str; 2] = ["crates/pursuit/src", "crates/pursuit_bench/src"];

/// Lines of a file before its tests.
const FILE_LINES: usize = 500;

/// Checks the whole workspace and prints each finding as `path:line: rule: what`.
///
/// # Errors
/// How many findings there are, the file that can't be read, or that git or cargo is missing.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let mut found = dependencies(root)?;
    let mut files = Vec::new();
    let list = "git ls-files --cached --others --exclude-standard *.rs";
    let list = output(&mut command(root, list))?;
    let paths = list.lines().map(Path::new);
    for path in paths.filter(|path| root.join(path).exists()) {
        let text = fs::read_to_string(root.join(path));
        let text = text.map_err(|error| format!("{}: {error}", path.display()))?;
        found.extend(too_long(path, &text));
        files.push(Code::new(path, &text)?);
    }
    found.extend(files.iter().flat_map(layers::names));
    let mut roots = crate_roots(&files);
    roots.retain(|folder| !folder.starts_with(EXAMPLES));
    for folder in roots {
        let inside = files.iter().filter(|file| file.path.starts_with(folder));
        let are_folders_free = KNOTTED.iter().any(|knotted| folder == Path::new(knotted));
        found.extend(modules::check(folder, inside, are_folders_free));
    }
    for finding in &found {
        println!("{finding}");
    }
    match found.len() {
        0 => {
            println!("tidy: {} files, nothing to mend", files.len());
            Ok(())
        }
        count => Err(format!("tidy: {count} to mend")),
    }
}

/// A file that has more lines before its tests than one reads in one go.
fn too_long(path: &Path, text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let opens_tests = |pair: &[&str]| {
        pair[0] == "#[cfg(test)]" && pair[1].starts_with("mod ") && pair[1].ends_with('{')
    };
    let tests = lines.windows(2).position(opens_tests);
    let count = tests.unwrap_or(lines.len());
    let what = format!("{count} lines before the tests, budget {FILE_LINES}");
    let is_too_long = count > FILE_LINES && !code::is_test(path);
    is_too_long.then(|| finding(path, FILE_LINES + 1, "file-budget", &what))
}

/// Folders that hold a `lib.rs` or a `main.rs`.
fn crate_roots(files: &[Code]) -> Vec<&Path> {
    let is_root = |code: &&Code| code.path.ends_with("lib.rs") || code.path.ends_with("main.rs");
    let roots = files.iter().filter(is_root);
    let mut folders: Vec<_> = roots.filter_map(|code| code.path.parent()).collect();
    folders.dedup();
    folders
}

#[cfg(test)]
mod tests {
    use super::{FILE_LINES, code::Code, crate_roots, too_long};
    use std::path::Path;

    #[test]
    fn a_crate_begins_at_its_lib_or_main() {
        let files = ["a/src/lib.rs", "a/src/x/mod.rs", "b/main.rs", "b/domain.rs"];
        let files = files.map(|file| Code::new(file, "").expect("Rust"));
        assert_eq!(crate_roots(&files), ["a/src", "b"].map(Path::new));
    }

    #[test]
    fn a_file_may_use_its_budget_and_not_more_tests_not_counted() {
        let long = |path, count, end: &str| {
            too_long(Path::new(path), &("\n".repeat(count) + end)).is_some()
        };
        assert!(!long("a/src/x.rs", FILE_LINES, ""));
        assert!(long("a/src/x.rs", FILE_LINES + 1, ""));
        assert!(!long("a/tests/x.rs", FILE_LINES + 1, ""));
        assert!(!long("a/src/x/tests.rs", FILE_LINES + 1, ""));
        let tests = "#[cfg(test)]\nmod tests {\n}\n";
        assert!(!long("a/src/x.rs", FILE_LINES, tests));
    }
}
