//! The workspace against the next versions of what it stands on: a copy below `target/` with other
//! versions in its manifest, checked and tested. The sources are the same.

use std::fs;
use std::io;
use std::path::Path;

use crate::command::{command, output, succeed};
use crate::tidy;

/// What the copy takes in place of the versions in the workspace's manifest.
const VERSIONS: [(&str, &str); 4] = [
    ("rust-version", "1.97.1"),
    ("bevy", "0.20.1"),
    ("bevy_rapier2d", "0.37.0"),
    ("glam", "0.33"),
];
/// The oldest compiler that does, the `rust-version` above.
const OLDEST: [u32; 3] = [1, 97, 1];
/// The toolchain to install where the running one is older.
const TOOLCHAIN: &str = "1.99.1";
/// The copy, relative to the workspace root. Its lock file and its target folder stay from run to run.
const COPY: &str = "target/next";

/// Makes the copy, checks all of it and tests the published crates.
///
/// # Errors
/// What is missing (`cp`, a toolchain, the network), or the command that failed.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let cargo = cargo(root)?;
    let folder = root.join(COPY);
    copy(root, &folder)?;
    println!("next: a copy in {COPY}, with {VERSIONS:?}");
    let run = |line: &str| {
        let mut command = command(&folder, &format!("{cargo} {line}"));
        command
            // Two engines in one target folder would take turns in it.
            .env("CARGO_TARGET_DIR", folder.join("target"))
            // Nobody debugs the copy, and few build it twice: this saves gigabytes.
            .env("CARGO_INCREMENTAL", "0")
            .env("CARGO_PROFILE_DEV_DEBUG", "false");
        succeed(command)
    };
    run("check --workspace --all-targets")?;
    tidy::run(&folder)?;
    run("test --package pursuit --package bevy_pursuit --package bevy_pursuit_debug")?;
    println!("next: checked and tested");
    Ok(())
}

/// A cargo that is new enough: the one on the path, else one that rustup has or installs.
fn cargo(root: &Path) -> Result<String, String> {
    let running = output(&mut command(root, "rustc --version")).ok();
    let running = running.and_then(|told| version(&told));
    if running.is_some_and(|version| version >= OLDEST) {
        return Ok("cargo".to_string());
    }
    let install = format!("rustup toolchain install {TOOLCHAIN} --profile minimal");
    succeed(command(root, &install)).map_err(|what| format!("next: needs a newer Rust: {what}"))?;
    Ok(format!("rustup run {TOOLCHAIN} cargo"))
}

/// The version in `rustc 1.97.1 (…)`; `None` for a nightly or a beta, which may lack what it has.
fn version(told: &str) -> Option<[u32; 3]> {
    let number = told.split_whitespace().nth(1)?;
    let parts: Option<Vec<u32>> = number.split('.').map(|part| part.parse().ok()).collect();
    parts?.try_into().ok()
}

/// Copies the workspace as it stands now, and writes the versions. Files keep their time, so that cargo does not build
/// again what stayed the same. Its own lock file and target folder stay.
fn copy(root: &Path, folder: &Path) -> Result<(), String> {
    let named = |error: io::Error| format!("{}: {error}", folder.display());
    fs::create_dir_all(folder).map_err(named)?;
    for entry in fs::read_dir(root).map_err(named)? {
        let from = entry.map_err(named)?.path();
        let name = from.file_name().unwrap_or_default().to_string_lossy();
        let to = folder.join(&*name);
        if ["fuzz", "out", ".git", "Cargo.lock"].contains(&&*name) || name.starts_with("target") {
            continue;
        }
        if to.is_dir() {
            fs::remove_dir_all(&to).map_err(named)?;
        }
        let mut copy = command(root, "cp -pR");
        output(copy.arg(from).arg(to))?;
    }
    let versions = fs::read_to_string(root.join("Cargo.toml")).map_err(named)?;
    let versions = with_versions(&versions, &VERSIONS)?;
    fs::write(folder.join("Cargo.toml"), versions).map_err(named)
}

/// The manifest with other versions of some entries, one a line: `name = "…"` or
/// `name = { version = "…", … }`.
///
/// # Errors
/// An entry that is not there exactly once.
fn with_versions(manifest: &str, versions: &[(&str, &str)]) -> Result<String, String> {
    let mut lines: Vec<String> = manifest.split_inclusive('\n').map(String::from).collect();
    for (name, version) in versions {
        let is_entry = |line: &&mut String| {
            let entry = line.split_once('=');
            entry.is_some_and(|(key, value)| key.trim() == *name && value.contains('"'))
        };
        let mut entries: Vec<_> = lines.iter_mut().filter(is_entry).collect();
        let [line] = entries.as_mut_slice() else {
            let count = entries.len();
            return Err(format!("next: Cargo.toml names {name} {count} times"));
        };
        // The first pair of quotes holds the version by habit.
        let mut parts: Vec<_> = line.splitn(3, '"').collect();
        parts[1] = version;
        **line = parts.join("\"");
    }
    Ok(lines.concat())
}

#[cfg(test)]
mod tests {
    use super::{VERSIONS, copy, version, with_versions};
    use std::fs;

    #[test]
    fn versions_are_replaced_and_all_else_stays() {
        let manifest = "[package]\r\nrust-version = \"1.95\"\n[dependencies]\n# bevy = \"0.1\"\n\
            bevy = { version = \"0.19.1\", features = [\"x\"] }\nbevy_x = \"0.19\"\n";
        let expected = manifest.replace("1.95", "1.97.1");
        let expected = expected.replace("0.19.1", "0.20.1");
        let versions = [("rust-version", "1.97.1"), ("bevy", "0.20.1")];
        assert_eq!(with_versions(manifest, &versions), Ok(expected));
        let versions = [("glam", "0.33")];
        assert!(with_versions(manifest, &versions).is_err());
        assert!(with_versions("glam = \"1\"\nglam = \"2\"\n", &versions).is_err());
    }

    #[test]
    fn only_releases_have_a_version() {
        assert_eq!(version("rustc 1.97.1 (ab 2026-01-01)"), Some([1, 97, 1]));
        assert_eq!(version("rustc 1.98.0-nightly (ab 2026-01-01)"), None);
        assert_eq!(version(""), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_second_copy_takes_away_what_is_gone_and_has_the_versions() {
        let folder = std::env::temp_dir().join(format!("pursuit-next-{}", std::process::id()));
        let files = ["xtask/gone.rs", "target/built"].map(|file| folder.join(file));
        for file in &files {
            fs::create_dir_all(file.parent().expect("a folder")).expect("to create it");
            fs::write(file, "").expect("to write it");
        }
        let copied = copy(&crate::root(), &folder);
        let seen = files.map(|file| file.exists());
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
        let _ = fs::remove_dir_all(&folder);
        assert_eq!((copied, seen), (Ok(()), [false, true]), "gone, target");
        assert!(
            VERSIONS
                .iter()
                .all(|(_, version)| manifest.contains(version))
        );
    }
}
