//! Checks and tests the workspace with the next versions of Bevy and Rapier, in a second worktree below `target/`. The
//! sources are the same, but the manifest of the worktree has other versions.

use std::fs;
use std::path::Path;

use crate::command::{command, output, read, run_line, succeed};
use crate::tidy;

/// The entries of the workspace's manifest that are replaced, with their new versions.
const VERSIONS: [(&str, &str); 4] = [
    ("rust-version", "1.97.1"),
    ("bevy", "0.20.1"),
    ("bevy_rapier2d", "0.37.0"),
    ("glam", "0.33"),
];
/// With rustup, the first command is used: rustup installs a toolchain that is new enough. Without rustup, the second
/// command is used.
const CARGO_COMMANDS: [&str; 2] = ["rustup run --install 1.99.1 cargo", "cargo"];
/// The worktree, relative to the workspace root. Its target folder is kept between runs.
const WORKTREE: &str = "target/next";

/// Checks the whole workspace with the next versions, and tests the published crates.
///
/// # Errors
/// The command that failed, for example because a toolchain or the network is missing.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let has_rustup = output(&mut command(root, "rustup --version")).is_ok();
    let cargo = CARGO_COMMANDS[usize::from(!has_rustup)];
    let folder = root.join(WORKTREE);
    if !folder.exists() {
        let add = format!("git worktree add --force --detach {WORKTREE}");
        run_line(root, &add)?;
    }
    // The worktree includes uncommitted changes of tracked files.
    let changes = output(&mut command(root, "git stash create"))?;
    let head = output(&mut command(root, "git rev-parse HEAD"))?;
    let state = [changes.trim(), head.trim()][usize::from(changes.is_empty())];
    let check_out = format!("git checkout --quiet --force --detach {state}");
    run_line(&folder, &check_out)?;
    let manifest = folder.join("Cargo.toml");
    let text = with_versions(&read(&manifest)?, &VERSIONS)?;
    fs::write(&manifest, text).map_err(|error| format!("{}: {error}", manifest.display()))?;
    println!("next: a worktree in {WORKTREE}, with {VERSIONS:?}");
    let run = |line: &str| {
        let mut command = command(&folder, &format!("{cargo} {line}"));
        command
            // In a shared target folder, the builds with two engine versions would replace each other.
            .env("CARGO_TARGET_DIR", folder.join("target"))
            // This build is not debugged and rarely repeated, so these settings save gigabytes.
            .env("CARGO_INCREMENTAL", "0")
            .env("CARGO_PROFILE_DEV_DEBUG", "false");
        succeed(command)
    };
    run("check --workspace --all-targets")?;
    let found = tidy::dependencies(&folder)?;
    if !found.is_empty() {
        return Err(found.join("\n"));
    }
    run("test --package pursuit --package bevy_pursuit --package bevy_pursuit_debug")
}

/// Replaces the versions of some entries of a manifest. Each entry takes one line: `name = "…"` or `name = { version =
/// "…", … }`.
///
/// # Errors
/// An entry that does not occur exactly once.
fn with_versions(manifest: &str, versions: &[(&str, &str)]) -> Result<String, String> {
    let mut lines: Vec<String> = manifest.split_inclusive('\n').map(String::from).collect();
    for (name, version) in versions {
        let is_entry =
            |line: &&mut String| line.split_once('=').is_some_and(|it| it.0.trim() == *name);
        let mut entries: Vec<_> = lines.iter_mut().filter(is_entry).collect();
        let [line] = entries.as_mut_slice() else {
            let count = entries.len();
            return Err(format!(
                "next: Cargo.toml has {name} {count} times, expected once"
            ));
        };
        // In this manifest, the first pair of quotes of an entry contains the version.
        let old = line.split('"').nth(1).unwrap_or_default();
        **line = line.replacen(old, version, 1);
    }
    Ok(lines.concat())
}

#[cfg(test)]
mod tests {
    use super::{VERSIONS, with_versions};

    #[test]
    fn versions_are_replaced_and_everything_else_stays() {
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
    fn the_versions_fit_the_manifest_of_the_workspace() {
        let manifest = with_versions(include_str!("../../Cargo.toml"), &VERSIONS);
        assert!(manifest.is_ok_and(|manifest| manifest.contains(VERSIONS[1].1)));
    }
}
