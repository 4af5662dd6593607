//! The examples as a visitor starts them, without a display and with a virtual one.

use std::fmt::Display;
use std::fs;
use std::path::Path;

use image::RgbImage;

use crate::command::{command, succeed};
use crate::picture::{is_changed, is_world};

/// Those that every run draws.
const DRAWN: [&str; 4] = ["minimal", "doors", "knockback", "chase"];
/// Not by package: all dependencies would be compiled once more, with the features of this one alone.
const BUILD: &str = "cargo build --locked --examples";
/// Without a display an example ends by itself. Coreutils end one that does not.
const RUN: &str = "timeout 240 cargo run --quiet --locked --example";
const DRAW: &str = "timeout 240 xvfb-run --auto-servernum cargo run --quiet --locked --example";
/// Bevy's test harness takes a picture after two seconds of play, into the folder that the program is started from.
const EVENTS: &str =
    "(setup: (fixed_frame_time: Some(0.0166667)), events: [(120, ScreenshotAndExit)])";

/// Each without a display, but the chase: the README's has a step of its own.
pub(crate) fn headless(root: &Path) -> Result<(), String> {
    succeed(command(root, BUILD))?;
    let mut names = all(root)?.into_iter().filter(|name| name != "chase");
    names.try_for_each(|name| succeed(command(root, &format!("{RUN} {name}"))))
}

/// Four in a virtual display, or all of them: pictures show a world, and the overlay changes that of the chase.
pub(crate) fn rendered(root: &Path, every: bool) -> Result<(), String> {
    succeed(command(root, BUILD))?;
    let drawn = DRAWN.map(str::to_string).to_vec();
    for name in if every { all(root)? } else { drawn } {
        let picture = draw(root, &name)?;
        if name == "chase" && !is_changed(&picture, &draw(root, "chase -- --overlay")?) {
            return Err("the overlay does not show in the picture of the chase".to_string());
        }
    }
    Ok(())
}

fn draw(root: &Path, example: &str) -> Result<RgbImage, String> {
    let folder = root.join("target/ci").join(example.replace(" -- ", ""));
    let (config, file) = (folder.join("config.ron"), folder.join("screenshot-120.png"));
    // What an earlier run left must not pass for this one's.
    let _ = fs::remove_dir_all(&folder);
    let written = fs::create_dir_all(&folder).and_then(|()| fs::write(&config, EVENTS));
    let mut program = command(&folder, &format!("{DRAW} {example}"));
    program.env("CI_TESTING_CONFIG", config);

    let named = |what: &dyn Display| format!("{}: {what}", file.display());
    written.map_err(|error| named(&error))?;
    succeed(program)?;
    let picture = image::open(&file).map_err(|error| named(&error))?.to_rgb8();
    let is_world = is_world(&picture).then_some(picture);
    is_world.ok_or_else(|| named(&"shows no world"))
}

/// Names of all examples, as their manifest lists them.
fn all(root: &Path) -> Result<Vec<String>, String> {
    let manifest = fs::read_to_string(root.join("examples/Cargo.toml"));
    let manifest = manifest.map_err(|error| error.to_string())?;
    let names = manifest.split("[[example]]\nname = \"").skip(1);
    Ok(names
        .filter_map(|rest| Some(rest.split_once('"')?.0.to_string()))
        .collect())
}

/// Whether the report of the chase says that somebody caught the player: `caught N of M`.
pub(crate) fn has_catches(report: &str) -> Result<(), String> {
    let row = report.lines().find_map(|line| line.strip_prefix("caught"));
    match row.and_then(|row| row.split_whitespace().next()?.parse().ok()) {
        Some(1_u32..) => Ok(()),
        count => Err(format!("chase: caught {count:?}")),
    }
}

#[test]
fn catches_are_read_from_the_report() {
    assert!(has_catches("agents  12\ncaught  11 of 12\n").is_ok());
    for none in ["caught  0 of 12\n", "agents: 12\ncaught: none", ""] {
        assert!(has_catches(none).is_err(), "{none}");
    }
}
