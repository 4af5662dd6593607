//! The examples as a visitor starts them, without a display and with a virtual one.

use std::fs;
use std::path::{Path, PathBuf};

use crate::command::{command, succeed};
use crate::picture::Picture;

/// Those that every run draws. The chase is drawn with the overlay also.
const DRAWN: [&str; 4] = ["minimal", "doors", "knockback", "chase"];
const CHASE: &str = "chase";
/// Where pictures go, relative to the workspace root.
const PICTURES: &str = "target/ci";
/// The frame of which a picture is taken: after two seconds of play, of all examples after five.
const FRAMES: [u32; 2] = [120, 300];
/// Ends, with all that it started, what does not end by itself; coreutils have it.
fn limit() -> &'static str {
    ["", "timeout 240 "][usize::from(cfg!(target_os = "linux"))]
}

/// Each without a display: it plays, and ends by itself.
pub(crate) fn headless(root: &Path) -> Result<(), String> {
    // Not by package: all dependencies would be compiled once more, with the features of this one alone.
    succeed(command(root, "cargo build --locked --examples"))?;
    // The README's chase has a step of its own.
    for example in all(root)?.iter().filter(|name| *name != CHASE) {
        let line = format!("{}cargo run --quiet --locked --example {example}", limit());
        let mut run = command(root, &line);
        if example == "lab" {
            run.args(["--", "--headless"]);
        }
        succeed(run)?;
    }
    Ok(())
}

/// Four in a virtual display, or all of them: their pictures show something, and that of the chase another thing with
/// the overlay.
pub(crate) fn rendered(root: &Path, every: bool) -> Result<(), String> {
    let drawn = DRAWN.map(str::to_string).to_vec();
    let drawn = if every { all(root)? } else { drawn };
    let frame = FRAMES[usize::from(every)];
    let names = drawn.join(" --example ");
    let build = format!("cargo build --locked --example {names}");
    succeed(command(root, &build))?;
    for example in drawn {
        let picture = draw(root, &example, "", frame)?;
        if example == CHASE {
            let changed = picture.is_changed_in(&draw(root, &example, "--overlay", frame)?);
            changed.map_err(|what| format!("the overlay of the {CHASE}: {what}"))?;
        }
    }
    Ok(())
}

/// Starts one in a virtual display until Bevy's test harness has taken a picture, and sees that it is not blank.
fn draw(root: &Path, example: &str, option: &str, frame: u32) -> Result<Picture, String> {
    // The harness writes into the folder that the program is started from.
    let folder = root.join(PICTURES).join(format!("{example}{option}"));
    let config = folder.join("config.ron");
    let events = format!("events: [({frame}, ScreenshotAndExit)]");
    let events = format!("(setup: (fixed_frame_time: Some(0.0166667)), {events})");
    // What an earlier run left must not pass for this one's.
    let _ = fs::remove_dir_all(&folder);
    let written = fs::create_dir_all(&folder).and_then(|()| fs::write(&config, events));
    written.map_err(|error| format!("{}: {error}", folder.display()))?;

    let mut program = command(&folder, &format!("{}xvfb-run --auto-servernum", limit()));
    let run = format!("cargo run --quiet --locked --example {example} -- {option}");
    program.arg("--server-args=-screen 0 1280x720x24");
    program.args(run.split_whitespace());
    program.env("CI_TESTING_CONFIG", config);
    succeed(program)?;

    let file = folder.join(format!("screenshot-{frame}.png"));
    let picture = Picture::open(&file).map_err(|error| error.to_string());
    let picture = picture.and_then(|picture| picture.is_not_blank().map(|()| picture));
    picture.map_err(|what| format!("{}: {what}", file.display()))
}

/// Names of all examples: a file each, or a folder with a `main.rs`.
fn all(root: &Path) -> Result<Vec<String>, String> {
    let folder = root.join("examples");
    let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let is_file = |path: &PathBuf| path.extension().is_some_and(|kind| kind == "rs");
    let paths = paths.filter(|path| is_file(path) || path.join("main.rs").exists());
    let names = paths.filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned()));
    let mut names: Vec<_> = names.collect();
    names.sort();
    Ok(names)
}

/// Whether the report of the chase says that somebody caught the player: `caught N of M`.
pub(crate) fn has_catches(report: &str) -> Result<(), String> {
    let mut after = report.lines().filter_map(|line| line.split_once("caught"));
    let count = after.find_map(|(_, after)| after.split_whitespace().next()?.parse().ok());
    match count {
        Some(1_u32..) => Ok(()),
        _ => Err(format!("chase: caught {count:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::{DRAWN, all, has_catches};

    #[test]
    fn catches_are_read_from_the_report() {
        assert!(has_catches("agents  12\ncaught  11 of 12\n").is_ok());
        for none in ["caught  0 of 12\n", "agents: 12\ncaught: none", ""] {
            assert!(has_catches(none).is_err(), "{none}");
        }
    }

    #[test]
    fn the_examples_that_are_drawn_are_there() {
        let all = all(&crate::root()).expect("a folder of examples");
        let is_there = |name: &str| all.iter().any(|other| other == name);
        assert!(DRAWN.into_iter().all(is_there), "{all:?}");
        assert!(!is_there("common"), "{all:?}");
    }
}
