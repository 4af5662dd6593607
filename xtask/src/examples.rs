//! The examples as a visitor starts them, without a display and with a virtual one.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use crate::blank;
use crate::change;
use crate::command::{cargo, cargo_command, succeed};
use crate::framebuffer;

/// All of them. Each but [`BARE`] knows `--seconds`, and `--screenshot`, after which it exits.
const EXAMPLES: [&str; 13] = [
    "minimal",
    "click_to_move",
    "ranged",
    "knockback",
    "flee",
    "ask",
    "ghost",
    "doors",
    "own_driver",
    "search_lab",
    "campus",
    "voxels",
    "chase",
];
/// What a newcomer copies: it knows no options, and plays in a window or not at all.
const BARE: &str = "minimal";
/// What shows the core alone: it has no overlay, but replays that move.
const REPLAYS: [&str; 2] = ["search_lab", "voxels"];
/// Where screenshots go, relative to the workspace root.
const SCREENSHOTS: &str = "target/ci";
/// Seconds of game time that each plays.
const SECONDS: &str = "5";
/// Seconds after which a replay has only begun.
const BEGUN: &str = "0.5";

/// What starts one. By its package: else dependencies would be compiled once more, with the features
/// that the whole workspace asks for.
const RUN: &str = "run --quiet --release --locked --package pursuit_examples --example";

/// Compiles all at once, so that the steps that run them do only that.
pub(crate) fn build(root: &Path) -> Result<(), String> {
    cargo(
        root,
        "build --release --locked --package pursuit_examples --examples",
    )
}

/// Each without a display: it says so, plays, and ends by itself.
pub(crate) fn headless(root: &Path) -> Result<(), String> {
    // The chase has a step of its own.
    let others = |name: &&str| ![BARE, "chase"].contains(name);
    for example in EXAMPLES.into_iter().filter(others) {
        let mut command = cargo_command(root, RUN);
        command.args([example, "--", "--seconds", SECONDS]);
        command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
        succeed(command)?;
    }
    Ok(())
}

/// Each in a virtual display, drawn by a software renderer: its picture shows something, and another one
/// with the overlay switched on, or with the replay at its beginning.
pub(crate) fn rendered(root: &Path) -> Result<(), String> {
    let folder = root.join(SCREENSHOTS);
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for example in EXAMPLES {
        let picture = |name: &str| folder.join(name).with_extension("png");
        let file = picture(example);
        if example == BARE {
            let overlay = picture(&format!("{example}-overlay"));
            forget(&file)?;
            forget(&overlay)?;
            let mut program = cargo_command(root, RUN);
            program.arg(BARE);
            framebuffer::capture(program, &file, &overlay)?;
            blank::check(&file)?;
            change::check(&file, &overlay, &change::OVERLAY)?;
            continue;
        }
        take_picture(root, example, &["--seconds", SECONDS], &file)?;
        if REPLAYS.contains(&example) {
            let begun = picture(&format!("{example}-begun"));
            take_picture(root, example, &["--seconds", BEGUN], &begun)?;
            change::check(&begun, &file, &change::REPLAY)?;
        } else {
            let overlay = picture(&format!("{example}-overlay"));
            take_picture(
                root,
                example,
                &["--seconds", SECONDS, "--overlay"],
                &overlay,
            )?;
            change::check(&file, &overlay, &change::OVERLAY)?;
        }
    }
    Ok(())
}

/// Saves a picture that an example takes of itself, and sees that it is not blank.
fn take_picture(root: &Path, example: &str, options: &[&str], file: &Path) -> Result<(), String> {
    forget(file)?;
    let mut command = cargo_command(root, RUN);
    command
        .args([example, "--"])
        .args(options)
        .arg("--screenshot")
        .arg(file);
    framebuffer::in_display(&file.with_extension("screen"), |display, _| {
        framebuffer::on_display(&mut command, display);
        succeed(command)
    })?;
    blank::check(file)
}

/// Removes a picture that an earlier run left: it must not pass for this one's.
fn forget(file: &Path) -> Result<(), String> {
    if file.exists() {
        fs::remove_file(file).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(())
}

/// The example that the README starts, on a machine without a display: it ends by itself and says
/// how many agents caught the player.
pub(crate) fn headless_chase(root: &Path) -> Result<(), String> {
    let mut command = cargo_command(root, RUN);
    command.arg("chase");
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    command.stdin(Stdio::null()).stderr(Stdio::inherit());
    let output = command.output().map_err(|error| error.to_string())?;
    let report = String::from_utf8_lossy(&output.stdout);
    print!("{report}");
    if !output.status.success() {
        return Err(format!("chase: {}", output.status));
    }
    match catches(&report) {
        Some(0) => Err("chase: nobody caught the player".to_string()),
        Some(_) => Ok(()),
        None => Err("chase: the report names no catches".to_string()),
    }
}

/// The first number after the word "caught" on a line that has both.
fn catches(report: &str) -> Option<u32> {
    report.lines().find_map(|line| {
        let line = line.to_ascii_lowercase();
        let (_, after) = line.split_once("caught")?;
        after
            .split(|c: char| !c.is_ascii_digit())
            .find_map(|digits| digits.parse().ok())
    })
}

#[cfg(test)]
mod tests {
    use super::{EXAMPLES, catches};
    use std::path::Path;

    #[test]
    fn catches_are_read_from_the_report() {
        assert_eq!(catches("agents  12\ncaught  11 of 12\n"), Some(11));
        assert_eq!(catches("| Caught | 0 |"), Some(0));
    }

    #[test]
    fn a_report_without_a_number_has_no_catches() {
        assert_eq!(catches("caught: none\nagents: 12"), None);
        assert_eq!(catches(""), None);
    }

    #[test]
    fn no_example_is_forgotten() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
        let mut names: Vec<_> = manifest
            .split("[[example]]")
            .skip(1)
            .filter_map(|entry| entry.split('"').nth(1))
            .collect();
        let mut known = EXAMPLES.to_vec();
        names.sort_unstable();
        known.sort_unstable();
        assert_eq!(names, known);
    }
}
