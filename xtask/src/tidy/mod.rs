//! Checks invariants that the compiler does not check. Each rule is a function from text to findings.

mod documents;
mod layers;
mod modules;

use std::path::{Path, PathBuf};

use crate::command::{command, output, read};
pub(crate) use layers::dependencies;
use modules::Files;

/// The folder of the examples. Its modules may depend on each other in cycles.
const EXAMPLES: &str = "examples";

/// Crates whose folders may depend on each other in cycles: a search picks jump points or tables, which use parts of
/// the search.
const CYCLIC_CRATES: [&str; 2] = ["crates/pursuit/src", "crates/pursuit_bench/src"];

/// Sources of the published crates.
const PUBLISHED: [&str; 4] = [
    "crates/pursuit/src",
    "crates/pursuit_lab/src",
    "crates/bevy_pursuit/src",
    "crates/bevy_pursuit_debug/src",
];

/// Maximum number of lines of a file before its tests.
const MAX_FILE_LINES: usize = 500;

/// Checks the whole workspace and prints each finding as `path:line: rule: what`.
///
/// # Errors
/// The number of findings, the file that cannot be read, or the command of git or cargo that failed.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let mut found = dependencies(root)?;
    let mut files = Files::new();
    for path in listed(root, "*.rs")? {
        let text = read(&root.join(&path))?;
        let file = syn::parse_file(&text);
        let file = file.map_err(|error| format!("{}: {error}", path.display()))?;
        found.extend(too_long(&path, &text));
        found.extend(layers::names(&path, &text));
        if PUBLISHED.iter().any(|sources| path.starts_with(sources)) {
            found.extend(documents::check_docs(&path, &text));
        }
        files.insert(path, file);
    }
    for path in files.keys().filter(|path| is_crate(path)) {
        let are_folders_free = CYCLIC_CRATES.iter().any(|root| path.starts_with(root));
        found.extend(modules::check(&files, path, are_folders_free));
    }
    for path in listed(root, "*.md")? {
        let text = read(&root.join(&path))?;
        found.extend(documents::check(&path, &text));
        found.extend(documents::check_links(root, &path, &text));
    }
    for finding in &found {
        println!("{finding}");
    }
    match found.len() {
        0 => {
            println!("tidy: {} files, no findings", files.len());
            Ok(())
        }
        count => Err(format!("tidy: {count} findings")),
    }
}

/// The files of the checkout whose names match a pattern, including files that git does not track yet.
fn listed(root: &Path, pattern: &str) -> Result<Vec<PathBuf>, String> {
    let list = format!("git ls-files --cached --others --exclude-standard {pattern}");
    let list = output(&mut command(root, &list))?;
    let paths = list.lines().map(PathBuf::from);
    Ok(paths.filter(|path| root.join(path).exists()).collect())
}

/// A finding for a file with more than [`MAX_FILE_LINES`] lines before its tests.
fn too_long(path: &Path, text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let opens_tests = |pair: &[&str]| {
        pair[0] == "#[cfg(test)]" && pair[1].starts_with("mod ") && pair[1].ends_with('{')
    };
    let tests = lines.windows(2).position(opens_tests);
    let count = tests.unwrap_or(lines.len());
    let what = format!("{count} lines before the tests, at most {MAX_FILE_LINES} are allowed");
    let is_too_long = count > MAX_FILE_LINES && !is_test(path);
    let (path, line) = (path.display(), MAX_FILE_LINES + 1);
    is_too_long.then(|| format!("{path}:{line}: file-budget: {what}"))
}

/// Whether a file is the root of a crate whose module graph is checked.
fn is_crate(path: &Path) -> bool {
    let is_root = path.ends_with("lib.rs") || path.ends_with("main.rs");
    is_root && !is_test(path) && !path.starts_with(EXAMPLES)
}

/// Whether a file contains only test code, judging by its path.
fn is_test(path: &Path) -> bool {
    let path = path.with_extension("");
    path.iter().any(|part| part == "tests" || part == "benches")
}

#[cfg(test)]
mod tests {
    use super::{MAX_FILE_LINES, is_crate, too_long};
    use std::path::Path;

    #[test]
    fn lib_and_main_files_begin_crates_and_files_of_examples_and_tests_do_not() {
        let is_crate = |path: &&str| is_crate(Path::new(path));
        assert!(["a/src/lib.rs", "xtask/src/main.rs"].iter().all(is_crate));
        let others = [
            "a/src/x/mod.rs",
            "a/tests/all/main.rs",
            "examples/chase/main.rs",
        ];
        assert!(!others.iter().any(is_crate));
    }

    #[test]
    fn a_file_longer_than_its_budget_is_found_and_tests_are_not_counted() {
        let long = |path, count, end: &str| {
            too_long(Path::new(path), &("\n".repeat(count) + end)).is_some()
        };
        assert!(!long("a/src/x.rs", MAX_FILE_LINES, ""));
        assert!(long("a/src/x.rs", MAX_FILE_LINES + 1, ""));
        assert!(!long("a/tests/x.rs", MAX_FILE_LINES + 1, ""));
        assert!(!long("a/src/x/tests.rs", MAX_FILE_LINES + 1, ""));
        let tests = "#[cfg(test)]\nmod tests {\n}\n";
        assert!(!long("a/src/x.rs", MAX_FILE_LINES, tests));
    }
}
