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
/// A toolchain that is new enough, from rustup. Without rustup, the cargo on the path says whether it is too old.
const CARGO: [&str; 2] = ["rustup run --install 1.99.1 cargo", "cargo"];
/// The copy, relative to the workspace root. Its lock file and its target folder stay from run to run.
const COPY: &str = "target/next";

/// Makes the copy, checks all of it and tests the published crates.
///
/// # Errors
/// What is missing (`cp`, a toolchain, the network), or the command that failed.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let has_rustup = output(&mut command(root, "rustup --version")).is_ok();
    let cargo = CARGO[usize::from(!has_rustup)];
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
    let found = tidy::dependencies(&folder)?;
    if !found.is_empty() {
        return Err(found.join("\n"));
    }
    run("test --package pursuit --package bevy_pursuit --package bevy_pursuit_debug")?;
    println!("next: checked and tested");
    Ok(())
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
        let stays = ["fuzz", "peers", "out", ".git", "Cargo.lock"].contains(&&*name);
        if stays || name.starts_with("target") {
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
        let key = |line: &str| Some(line.split_once('=')?.0.trim().to_string());
        let is_entry = |line: &&mut String| key(line).as_deref() == Some(name);
        let mut entries: Vec<_> = lines.iter_mut().filter(is_entry).collect();
        let [line] = entries.as_mut_slice() else {
            let count = entries.len();
            return Err(format!("next: Cargo.toml names {name} {count} times"));
        };
        // The first pair of quotes holds the version by habit.
        let old = line.split('"').nth(1).unwrap_or_default();
        **line = line.replacen(old, version, 1);
    }
    Ok(lines.concat())
}

#[cfg(test)]
mod tests {
    use super::{VERSIONS, copy, with_versions};
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
        assert!(manifest.contains(VERSIONS[1].1), "{manifest}");
    }
}
