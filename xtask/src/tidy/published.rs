//! What a package needs to stand alone on crates.io and docs.rs: whoever has it has no repository
//! around it.

use std::path::{Component, Path, PathBuf};

use super::copies::{README, relative_links};
use super::source::{Source, line_of};
use super::{Finding, finding};

/// Keys that every published `[package]` has, itself or from the workspace.
const KEYS: [&str; 8] = [
    "categories",
    "description",
    "keywords",
    "license",
    "readme",
    "repository",
    "rust-version",
    "version",
];
/// What takes in another file at compile time, up to its path.
const INCLUDES: [&str; 4] = ["include_str!(", "include_bytes!(", "include!(", "#[path = "];

/// Folders of the packages that may go to a registry.
pub(crate) fn crates(files: &[(PathBuf, String)]) -> Vec<PathBuf> {
    let manifests = files.iter().filter(|(path, text)| {
        path.ends_with("Cargo.toml")
            && package(text).next().is_some()
            && !package(text).any(|(_, key, value)| key == "publish" && value == "false")
    });
    let folders = manifests.filter_map(|(path, _)| path.parent());
    folders.map(Path::to_path_buf).collect()
}

/// Everything about one published package: its manifest, its README and its sources.
pub(crate) fn check(
    folder: &Path,
    files: &[(PathBuf, String)],
    sources: &[Source],
) -> Vec<Finding> {
    let mut found = Vec::new();
    let text = |name: &str| files.iter().find(|(path, _)| *path == folder.join(name));
    if let Some((path, text)) = text("Cargo.toml") {
        found.extend(manifest(path, text));
    }
    match text(README) {
        Some((path, text)) => found.extend(links(path, text)),
        None => found.push(finding(&folder.join(README), 1, "published", "is missing")),
    }
    let inside = sources.iter().filter(|s| s.path.starts_with(folder));
    found.extend(inside.flat_map(|source| includes(folder, source)));
    found
}

/// Keys of the `[package]` table with their one-based lines and values.
fn package(text: &str) -> impl Iterator<Item = (usize, &str, &str)> {
    let lines = text.lines().enumerate();
    let table = lines
        .skip_while(|(_, line)| line.trim() != "[package]")
        .skip(1)
        .take_while(|(_, line)| !line.starts_with('['));
    table.filter_map(|(index, line)| {
        let (key, value) = line.split_once('=')?;
        let key = key.trim().trim_end_matches(".workspace");
        (!key.starts_with('#')).then_some((index + 1, key, value.trim()))
    })
}

fn manifest(path: &Path, text: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut report = |line: usize, what: String| {
        found.push(finding(path, line, "published", what));
    };
    for key in KEYS {
        if !package(text).any(|(_, there, _)| there == key) {
            report(1, format!("[package] has no {key}"));
        }
    }
    if !text.lines().any(|l| l == "[package.metadata.docs.rs]") {
        report(1, "has no [package.metadata.docs.rs]".to_string());
    }
    for (index, line) in text.lines().enumerate() {
        let code = line.split('#').next().unwrap_or_default();
        let leaves = |quoted: &str| quoted.starts_with("..") || quoted.starts_with('/');
        if let Some(quoted) = code.split('"').skip(1).step_by(2).find(|q| leaves(q)) {
            report(index + 1, format!("{quoted} is not in the package"));
        }
    }
    found
}

/// Relative links of a README: it is read on pages beside which nothing stands.
fn links(path: &Path, text: &str) -> Vec<Finding> {
    let relative = relative_links(text).into_iter();
    relative
        .map(|(at, target)| {
            let what = format!("{target} is a dead link on docs.rs: write the whole address");
            finding(path, line_of(text, at), "published", what)
        })
        .collect()
}

/// Files of other folders that a source takes in at compile time, tests too.
fn includes(folder: &Path, source: &Source) -> Vec<Finding> {
    let mut found = Vec::new();
    for include in INCLUDES {
        for (at, _) in source.text.match_indices(include) {
            let line_begin = source.text[..at].rfind('\n').map_or(0, |end| end + 1);
            if source.text[line_begin..at].trim_start().starts_with("//") {
                continue;
            }
            let path = literal(&source.text[at + include.len()..]);
            let what = match path {
                Some(path) if stays_inside(folder, &source.path, path) => continue,
                Some(path) => format!("{path} is not in the package"),
                None => format!("{include}…: write the path as one literal"),
            };
            let line = line_of(&source.text, at);
            found.push(finding(&source.path, line, "published", what));
        }
    }
    found
}

/// The text of the string literal that comes next.
fn literal(text: &str) -> Option<&str> {
    text.trim_start().strip_prefix('"')?.split('"').next()
}

/// Whether a path that `file` names relative to its own folder lies in `folder`.
fn stays_inside(folder: &Path, file: &Path, path: &str) -> bool {
    let beside = file.parent().unwrap_or(Path::new(""));
    let mut resolved = PathBuf::new();
    for part in beside.join(path).components() {
        match part {
            Component::ParentDir => {
                if !resolved.pop() {
                    return false;
                }
            }
            Component::CurDir => {}
            _ => resolved.push(part),
        }
    }
    resolved.starts_with(folder)
}

#[cfg(test)]
mod tests {
    use super::{check, crates, includes, manifest, stays_inside};
    use crate::tidy::source::Source;
    use std::path::{Path, PathBuf};

    const MANIFEST: &str = "[package]\nname = \"a\"\ndescription = \"a\"\nreadme = \"README.md\"\n\
        version.workspace = true\nlicense.workspace = true\nrepository.workspace = true\n\
        keywords.workspace = true\ncategories.workspace = true\nrust-version.workspace = true\n\n\
        [package.metadata.docs.rs]\nall-features = true\n\n[dependencies]\nb = \"1\"\n";

    fn refused(text: &str) -> usize {
        manifest(Path::new("crates/a/Cargo.toml"), text).len()
    }

    #[test]
    fn a_manifest_says_all_that_a_registry_shows() {
        assert_eq!(refused(MANIFEST), 0);
        assert_eq!(refused(&MANIFEST.replace("keywords", "# keywords")), 1);
        assert_eq!(
            refused(&MANIFEST.replace("metadata.docs.rs", "metadata")),
            1
        );
    }

    #[test]
    fn a_manifest_names_no_file_of_another_folder() {
        let outside = MANIFEST.replace("\"README.md\"", "\"../../README.md\"");
        assert_eq!(refused(&outside), 1);
        let dependency = MANIFEST.replace("b = \"1\"", "b = { path = \"../b\" }");
        assert_eq!(refused(&dependency), 1);
    }

    fn taken_in(code: &str) -> usize {
        let folder = Path::new("crates/a");
        includes(folder, &Source::new("crates/a/src/x/y.rs", code)).len()
    }

    #[test]
    fn a_source_takes_in_no_file_of_another_folder() {
        assert_eq!(taken_in("#![doc = include_str!(\"../../README.md\")]\n"), 0);
        assert_eq!(taken_in("// include_str!(\"../../../b\")\n"), 0);
        assert_eq!(taken_in("#[path = \"../../tests/z.rs\"]\nmod z;\n"), 0);
        assert_eq!(taken_in("#[path = \"../../../b/z.rs\"]\nmod z;\n"), 1);
        assert_eq!(
            taken_in("const A: &str = include_str!(\n  \"../../../README.md\");\n"),
            1
        );
        assert_eq!(
            taken_in("const A: &[u8] = include_bytes!(\"/etc/hosts\");\n"),
            1
        );
        let built = "const A: &str = include_str!(concat!(env!(\"X\"), \"/y\"));\n";
        assert_eq!(taken_in(built), 1, "a path that nobody can read here");
    }

    #[test]
    fn tests_count_as_well() {
        let code = "fn a() {}\n#[cfg(test)]\nmod tests {\n const A: &str = include_str!(\"../../../b\");\n}\n";
        assert_eq!(taken_in(code), 1);
    }

    #[test]
    fn a_path_may_not_climb_above_the_root() {
        let (folder, file) = (Path::new("crates/a"), Path::new("crates/a/src/lib.rs"));
        assert!(stays_inside(folder, file, "./x.rs"));
        assert!(!stays_inside(
            folder,
            file,
            "../../../../crates/a/src/lib.rs"
        ));
    }

    #[test]
    fn packages_that_stay_here_are_not_checked() {
        let private = MANIFEST.replace("[package]", "[package]\npublish = false");
        let files = [
            (PathBuf::from("crates/a/Cargo.toml"), MANIFEST.to_string()),
            (PathBuf::from("crates/b/Cargo.toml"), private),
            (PathBuf::from("Cargo.toml"), "[workspace]\n".to_string()),
        ];
        assert_eq!(crates(&files), [PathBuf::from("crates/a")]);
    }

    #[test]
    fn a_readme_is_there_and_its_links_are_whole() {
        let folder = Path::new("crates/a");
        let manifest = (folder.join("Cargo.toml"), MANIFEST.to_string());
        let readme = |text: &str| (folder.join("README.md"), text.to_string());
        let found = |files: &[(PathBuf, String)]| check(folder, files, &[]).len();
        assert_eq!(found(std::slice::from_ref(&manifest)), 1);
        assert_eq!(
            found(&[manifest.clone(), readme("[x](https://x.org) [y](#y)\n")]),
            0
        );
        assert_eq!(found(&[manifest, readme("[x](x.md)\n")]), 1);
    }
}
