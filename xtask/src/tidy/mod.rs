//! The invariants that a compiler does not hold. Each rule is a function from text to findings.

mod budget;
mod copies;
mod examples;
mod finding;
mod imports;
mod layers;
mod manifest;
mod methods;
mod modules;
mod published;
mod source;
mod style;

use std::fs;
use std::path::{Path, PathBuf};

use finding::{Finding, finding};
use source::Source;

/// Files whose white space is checked.
const TEXT: [&str; 5] = ["rs", "toml", "md", "yml", "sh"];

/// Checks the whole workspace and prints each finding as `path:line: rule: what`.
///
/// # Errors
/// How many findings there are, or the file that can't be read.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let files = read(root)?;
    let sources: Vec<Source> = files
        .iter()
        .filter(|(path, _)| path.extension().is_some_and(|kind| kind == "rs"))
        .map(|(path, text)| Source::new(path, text))
        .collect();
    let mut found = layers::linked(root);
    for (path, text) in &files {
        found.extend(style::white_space(path, text));
        if path.ends_with("Cargo.toml") {
            found.extend(layers::manifest(path, text));
        }
    }
    for source in &sources {
        found.extend(rules(source));
    }
    for folder in crate_roots(&sources) {
        let inside: Vec<_> = sources
            .iter()
            .filter(|s| s.path.starts_with(&folder))
            .collect();
        found.extend(modules::check(&folder, &inside));
    }
    let published = published::crates(&files);
    found.extend(copies::check(root, &published));
    for folder in &published {
        found.extend(published::check(folder, &files, &sources));
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

/// Writes the copies that published packages hold.
///
/// # Errors
/// The file that can't be read or written.
pub(crate) fn mend(root: &Path) -> Result<(), String> {
    copies::write(root, &published::crates(&read(root)?))
}

/// The rules that look at one Rust file.
fn rules(source: &Source) -> Vec<Finding> {
    let mut found = style::prelude(source);
    found.extend(layers::names(source));
    if examples::is_entry(&source.path) {
        found.extend(examples::check(source));
    }
    if !source.is_test() {
        found.extend(budget::file(source));
        found.extend(budget::functions(source));
    }
    found
}

/// Folders that hold a `lib.rs` or a `main.rs`.
fn crate_roots(sources: &[Source]) -> Vec<PathBuf> {
    let entries = sources
        .iter()
        .filter(|source| source.path.ends_with("lib.rs") || source.path.ends_with("main.rs"));
    let folders = entries.filter_map(|source| source.path.parent());
    let mut folders: Vec<PathBuf> = folders.map(Path::to_path_buf).collect();
    folders.dedup();
    folders
}

/// All text files below the root, in a fixed order, with paths relative to it.
fn read(root: &Path) -> Result<Vec<(PathBuf, String)>, String> {
    let mut paths = Vec::new();
    walk(root, &mut paths)?;
    paths.sort();
    let text = |path: PathBuf| {
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let relative = path.strip_prefix(root).unwrap_or(&path).to_path_buf();
        Ok((relative, text))
    };
    paths.into_iter().map(text).collect()
}

fn walk(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<(), String> {
    let named = |error: std::io::Error| format!("{}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(named)? {
        let path = entry.map_err(named)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            let generated = name == ".git" || name == "out" || name.starts_with("target");
            if !generated {
                walk(&path, paths)?;
            }
        } else if path
            .extension()
            .is_some_and(|kind| TEXT.iter().any(|text| kind == *text))
        {
            paths.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{crate_roots, rules, source::Source};
    use std::path::PathBuf;

    #[test]
    fn a_crate_begins_at_its_lib_or_main() {
        let files = [
            "a/src/lib.rs",
            "a/src/x/mod.rs",
            "b/main.rs",
            "b/main_menu.rs",
        ];
        let sources: Vec<_> = files.iter().map(|file| Source::new(*file, "")).collect();
        assert_eq!(crate_roots(&sources), ["a/src", "b"].map(PathBuf::from));
    }

    #[test]
    fn test_files_have_no_budget() {
        let long = "\n".repeat(2000);
        assert!(rules(&Source::new("crates/a/tests/x.rs", long.clone())).is_empty());
        assert_eq!(rules(&Source::new("crates/a/src/x.rs", long)).len(), 1);
    }
}
