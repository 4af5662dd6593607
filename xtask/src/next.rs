//! The workspace against the next versions of what it stands on: a copy below `target/` with other
//! versions in its manifest, checked and tested. The sources are the same.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{shown, succeed};
use crate::tidy;

/// What the copy takes in place of the versions in the workspace's manifest.
const VERSIONS: [(&str, &str); 4] = [
    ("rust-version", "1.97.1"),
    ("bevy", "0.20.1"),
    ("bevy_rapier2d", "0.37.0"),
    ("glam", "0.33"),
];
/// The oldest compiler that does, the `rust-version` above.
const OLDEST: Version = [1, 97, 1];
/// The toolchain to install where none is new enough.
const TOOLCHAIN: &str = "1.99.1";
/// The copy, relative to the workspace root. Its lock file and its target folder stay from run to run.
const COPY: &str = "target/next";

type Version = [u32; 3];

/// Makes the copy, checks all of it and tests the published crates.
///
/// # Errors
/// What is missing (git, a toolchain, the network), or the command that failed.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let toolchain = toolchain()?;
    let folder = root.join(COPY);
    let copied = copy(root, &folder)?;
    println!("next: {copied} files in {COPY}, with");
    for (name, version) in VERSIONS {
        println!("next:   {name} {version}");
    }
    cargo(&toolchain, &folder, "check --workspace --all-targets")?;
    tidy::run(&folder)?;
    let test = "test --package pursuit --package bevy_pursuit --package bevy_pursuit_debug";
    cargo(&toolchain, &folder, test)?;
    println!("next: checked and tested");
    Ok(())
}

/// Cargo in the copy, with a target folder of its own: two engines in one would take turns in it.
fn cargo(toolchain: &[String], folder: &Path, args: &str) -> Result<(), String> {
    let mut command = program(toolchain, "cargo");
    command
        .current_dir(folder)
        .args(args.split(' '))
        .env("CARGO_TARGET_DIR", folder.join("target"))
        // Nobody debugs the copy, and few build it twice: this saves gigabytes.
        .env("CARGO_INCREMENTAL", "0")
        .env("CARGO_PROFILE_DEV_DEBUG", "false");
    succeed(command)
}

/// A program of a toolchain; that on the path if the words before it are none.
fn program(before: &[String], name: &str) -> Command {
    let mut words = before.iter().map(String::as_str).chain([name]);
    let mut command = Command::new(words.next().unwrap_or(name));
    command.args(words);
    command
}

/// The words before `cargo` that make it one of a toolchain that is new enough: none where the
/// running one is, else an installed one, else one that rustup installs now.
fn toolchain() -> Result<Vec<String>, String> {
    let needed = OLDEST.map(|part| part.to_string()).join(".");
    let with = |name: &str| ["rustup", "run", name].map(str::to_string).to_vec();
    if is_new_enough(&[]) {
        return Ok(Vec::new());
    }
    let mut list = Command::new("rustup");
    list.args(["toolchain", "list"]);
    let list = output(list).map_err(|what| {
        format!(
            "next: needs Rust {needed} or newer; this one is older, and rustup is missing: {what}"
        )
    })?;
    let names = list
        .lines()
        .filter_map(|line| line.split_whitespace().next());
    if let Some(before) = names.map(with).find(|before| is_new_enough(before)) {
        return Ok(before);
    }
    let mut install = Command::new("rustup");
    install.args(["toolchain", "install", TOOLCHAIN, "--profile", "minimal"]);
    succeed(install).map_err(|what| {
        format!("next: needs Rust {needed} or newer; rustup has none and can't get one: {what}")
    })?;
    Ok(with(TOOLCHAIN))
}

fn is_new_enough(before: &[String]) -> bool {
    let mut rustc = program(before, "rustc");
    rustc.arg("--version");
    let told = output(rustc).ok();
    told.as_deref()
        .and_then(version)
        .is_some_and(|version| version >= OLDEST)
}

/// The version in `rustc 1.97.1 (…)`; `None` for a nightly or a beta, which may lack what it has.
fn version(told: &str) -> Option<Version> {
    let number = told.split_whitespace().nth(1)?;
    let parts: Option<Vec<u32>> = number.split('.').map(|part| part.parse().ok()).collect();
    parts?.try_into().ok()
}

/// What a command says on standard output.
fn output(mut command: Command) -> Result<String, String> {
    let line = shown(&command);
    let output = command
        .output()
        .map_err(|error| format!("{line}: {error}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        let why = String::from_utf8_lossy(&output.stderr).trim().to_string();
        Err(format!("{line}: {why}"))
    }
}

/// Copies what git knows or would add, as it stands now, and writes the versions. Files that stay
/// the same keep their time, so that cargo does not build them again. Returns how many there are.
fn copy(root: &Path, folder: &Path) -> Result<usize, String> {
    let files = listed(root)?;
    remove_others(folder, folder, &files)?;
    for file in &files {
        let (from, to) = (root.join(file), folder.join(file));
        let mut bytes = fs::read(&from).map_err(|error| named(&from, error))?;
        if file == Path::new("Cargo.toml") {
            let text = String::from_utf8(bytes).map_err(|e| format!("{}: {e}", from.display()))?;
            bytes = with_versions(&text, &VERSIONS)?.into_bytes();
        }
        if fs::read(&to).is_ok_and(|there| there == bytes) {
            continue;
        }
        if let Some(parent) = to.parent() {
            fs::create_dir_all(parent).map_err(|error| named(parent, error))?;
        }
        fs::write(&to, bytes).map_err(|error| named(&to, error))?;
    }
    Ok(files.len())
}

/// Tracked files and new ones that git does not ignore, relative to the root; without the lock file,
/// which holds the versions of today.
fn listed(root: &Path) -> Result<Vec<PathBuf>, String> {
    let mut list = Command::new("git");
    list.current_dir(root)
        .args("ls-files -z --cached --others --exclude-standard".split(' '));
    let list = output(list).map_err(|what| format!("next: needs git and a clone: {what}"))?;
    let files = list.split_terminator('\0').map(PathBuf::from);
    let there = files.filter(|file| file != Path::new("Cargo.lock") && root.join(file).is_file());
    Ok(there.collect())
}

/// Removes files of an earlier copy that the workspace has no longer.
fn remove_others(copy: &Path, folder: &Path, files: &[PathBuf]) -> Result<(), String> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Ok(()); // there is no earlier copy
    };
    for entry in entries {
        let path = entry.map_err(|error| named(folder, error))?.path();
        let Ok(file) = path.strip_prefix(copy) else {
            continue;
        };
        let stays = file == Path::new("target") || file == Path::new("Cargo.lock");
        if path.is_dir() && !stays {
            remove_others(copy, &path, files)?;
        } else if !stays && !files.iter().any(|listed| listed == file) {
            fs::remove_file(&path).map_err(|error| named(&path, error))?;
        }
    }
    Ok(())
}

fn named(path: &Path, error: std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

/// The manifest with other versions of some entries, one a line: `name = "…"` or
/// `name = { version = "…", … }`.
///
/// # Errors
/// An entry that is not there exactly once.
fn with_versions(manifest: &str, versions: &[(&str, &str)]) -> Result<String, String> {
    let mut text = String::with_capacity(manifest.len());
    let mut found = vec![0; versions.len()];
    for line in manifest.split_inclusive('\n') {
        let entry = line.split_once('=').map(|(name, _)| name.trim());
        let index = versions.iter().position(|(name, _)| entry == Some(*name));
        match index.and_then(|index| Some((index, with_version(line, versions[index].1)?))) {
            Some((index, line)) => {
                found[index] += 1;
                text.push_str(&line);
            }
            None => text.push_str(line),
        }
    }
    match found.iter().position(|count| *count != 1) {
        None => Ok(text),
        Some(index) => Err(format!(
            "next: Cargo.toml names {} {} times",
            versions[index].0, found[index]
        )),
    }
}

/// The line with another text in its first pair of quotes, which holds the version by habit.
fn with_version(line: &str, version: &str) -> Option<String> {
    let from = line.find('"')? + 1;
    let to = from + line[from..].find('"')?;
    Some(format!("{}{version}{}", &line[..from], &line[to..]))
}

#[cfg(test)]
mod tests {
    use super::{VERSIONS, copy, version, with_versions};
    use std::fs;
    use std::path::Path;

    #[test]
    fn versions_are_replaced_and_all_else_stays() {
        let manifest = "[package]\r\nrust-version = \"1.95\"\n[dependencies]\n# bevy = \"0.1\"\n\
            bevy = { version = \"0.19.1\", default-features = false }\nbevy_x = \"0.19\"\n";
        let expected = manifest
            .replace("1.95", "1.97.1")
            .replace("0.19.1", "0.20.1");
        let versions = [("rust-version", "1.97.1"), ("bevy", "0.20.1")];
        assert_eq!(
            with_versions(manifest, &versions).as_deref(),
            Ok(expected.as_str())
        );
    }

    #[test]
    fn an_entry_that_is_missing_or_there_twice_is_told() {
        let versions = [("glam", "0.33")];
        assert!(with_versions("bevy = \"0.19\"\n", &versions).is_err());
        assert!(with_versions("glam = \"1\"\nglam = \"2\"\n", &versions).is_err());
    }

    #[test]
    fn the_manifest_of_this_workspace_has_every_entry() {
        let manifest = fs::read_to_string(crate::root().join("Cargo.toml")).expect("a manifest");
        let next = with_versions(&manifest, &VERSIONS).expect("every entry");
        assert_ne!(next, manifest);
    }

    #[test]
    fn only_releases_have_a_version() {
        assert_eq!(version("rustc 1.97.1 (ab 2026-01-01)"), Some([1, 97, 1]));
        assert_eq!(version("rustc 1.98.0-nightly (ab 2026-01-01)"), None);
        assert_eq!(version(""), None);
    }

    #[test]
    fn a_second_copy_takes_away_what_is_gone() {
        if !crate::root().join(".git").exists() {
            return; // not a clone: nothing tells which files there are
        }
        let folder = std::env::temp_dir().join(format!("pursuit-next-{}", std::process::id()));
        let stale = folder.join("crates/gone/src/lib.rs");
        let kept = folder.join("target/debug/built");
        for file in [&stale, &kept] {
            fs::create_dir_all(file.parent().expect("a folder")).expect("to create it");
            fs::write(file, "").expect("to write it");
        }
        let copied = copy(&crate::root(), &folder);
        let there = |file: &str| folder.join(Path::new(file)).exists();
        let seen = (stale.exists(), kept.exists(), there("README.md"));
        let _ = fs::remove_dir_all(&folder);
        assert_eq!(seen, (false, true, true), "stale, target, copied");
        assert!(copied.is_ok_and(|count| count > 50));
    }
}
