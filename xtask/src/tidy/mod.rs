//! The invariants that a compiler does not hold. Each rule is a function from text to findings.

mod code;
mod layers;
mod modules;

use std::fs;
use std::path::{Path, PathBuf};

use code::{Code, finding};

/// Lines of a file before its tests.
const FILE_LINES: usize = 500;
/// Lines of an example that is a single file.
const EXAMPLE_LINES: usize = 150;

/// Checks the whole workspace and prints each finding as `path:line: rule: what`.
///
/// # Errors
/// How many findings there are, or the file that can't be read.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let mut found = layers::dependencies(root)?;
    let mut files = Vec::new();
    for path in rust_files(root)? {
        let text = fs::read_to_string(root.join(&path));
        let text = text.map_err(|error| format!("{}: {error}", path.display()))?;
        found.extend(too_long(&path, &text));
        files.push(Code::new(path, &text)?);
    }
    found.extend(files.iter().flat_map(layers::names));
    for folder in crate_roots(&files) {
        let inside = files.iter().filter(|file| file.path.starts_with(folder));
        found.extend(modules::check(folder, inside));
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
    let (count, budget) = (
        tests.unwrap_or(lines.len()),
        match path.parent() {
            Some(folder) if folder == Path::new("examples") => EXAMPLE_LINES,
            _ => FILE_LINES,
        },
    );
    let what = format!("{count} lines before the tests, budget {budget}");
    let is_too_long = count > budget && !code::is_test(path);
    is_too_long.then(|| finding(path, budget + 1, "file-budget", &what))
}

/// Folders that hold a `lib.rs` or a `main.rs`.
fn crate_roots(files: &[Code]) -> Vec<&Path> {
    let is_root = |code: &&Code| code.path.ends_with("lib.rs") || code.path.ends_with("main.rs");
    let roots = files.iter().filter(is_root);
    let mut folders: Vec<_> = roots.filter_map(|code| code.path.parent()).collect();
    folders.dedup();
    folders
}

/// All Rust files below the root, in a fixed order, relative to it.
fn rust_files(root: &Path) -> Result<Vec<PathBuf>, String> {
    let (mut files, mut folders) = (Vec::new(), vec![root.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        let named = |error: std::io::Error| format!("{}: {error}", folder.display());
        for entry in fs::read_dir(&folder).map_err(named)? {
            let path = entry.map_err(named)?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let is_generated = name.starts_with('.') || name == "out" || name.starts_with("target");
            if path.is_dir() && !is_generated {
                folders.push(path);
            } else if path.extension().is_some_and(|kind| kind == "rs") {
                let relative = path.strip_prefix(root).unwrap_or(&path);
                files.push(relative.to_path_buf());
            }
        }
    }
    files.sort();
    Ok(files)
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
        let tests = "#[cfg(test)]\nmod tests {\n}\n";
        assert!(!long("a/src/x.rs", FILE_LINES, tests));
        assert!(long("examples/a.rs", 151, "") && !long("examples/a.rs", 150, ""));
    }
}
