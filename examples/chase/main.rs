//! NPCs chase a player through a mansion: the whole of Pursuit in one small game.
//!
//! Shows how walls and furniture become obstacles just by being Rapier colliders, how hunters with `Chase` come after a
//! player, how the same plugin walks the player itself to a mouse click with `PathRequest`, and how observers of
//! `GoalReached` make the rules.
//!
//! | Key | |
//! |---|---|
//! | W A S D, arrows | walk |
//! | left click | walk there by itself |
//! | mouse wheel | zoom |
//! | F1 | debug overlay: grid, paths, agents |
//! | P, Escape | pause |
//! | R | restart |
//!
//! `--help` lists the options. Without a display it goes headless by itself.

#[path = "../common/mod.rs"]
mod common;
mod game;
mod headless;
mod window;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bevy::prelude::*;
use bevy_pursuit::core::maps::{parse_ascii, parse_map, write_ascii};
use clap::Parser;

use crate::common::{Level, has_display};

const MANSION: &str = include_str!("../../assets/levels/mansion.txt");
/// Most hunters: more neither fit into the mansion nor into the time of a frame.
const MAX_AGENTS: usize = 2000;

/// A chase through a mansion, or through a map of yours.
#[derive(Parser, Resource, Clone, Debug)]
#[command(name = "chase")]
struct Options {
    /// Play this map instead of the mansion: ASCII, or MovingAI's .map.
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
    /// How many hunters chase the player, at most 2000. As many as the map places, or 12.
    #[arg(long, value_name = "N", value_parser = agents)]
    agents: Option<usize>,
    /// Simulate without a window, as fast as possible, and print what happened.
    #[arg(long)]
    headless: bool,
    /// Seconds of game time to simulate, without a window or before a screenshot.
    #[arg(long, value_name = "S", default_value_t = 30.0, value_parser = seconds)]
    seconds: f32,
    /// Seed of everything left to chance.
    #[arg(long, value_name = "K", default_value_t = 7)]
    seed: u64,
    /// Let the player walk by itself.
    #[arg(long)]
    demo: bool,
    /// Begin with the debug overlay switched on.
    #[arg(long)]
    overlay: bool,
    /// Let the player walk by itself, save a picture of the window, and exit.
    #[arg(long, value_name = "FILE", conflicts_with = "headless")]
    screenshot: Option<PathBuf>,
}

fn agents(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|count| *count <= MAX_AGENTS);
    count.ok_or_else(|| format!("must be a whole number, at most {MAX_AGENTS}"))
}

fn seconds(text: &str) -> Result<f32, String> {
    let seconds = text.parse().ok();
    let seconds = seconds.filter(|seconds: &f32| seconds.is_finite() && *seconds > 0.0);
    seconds.ok_or_else(|| "must be a number above zero".to_owned())
}

/// Loads a map, or the mansion where there is none.
fn load(map: Option<&Path>) -> Result<Level, String> {
    let Some(path) = map else {
        return Ok(Level::parse(MANSION));
    };
    let named = |reason: String| format!("{}: {reason}", path.display());
    let text = fs::read_to_string(path).map_err(|error| named(error.to_string()))?;
    read(&text).map_err(named)
}

fn read(text: &str) -> Result<Level, String> {
    let text = if text.starts_with("type ") {
        write_ascii(&parse_map(text).map_err(|error| error.to_string())?)
    } else {
        parse_ascii(text).map_err(|error| error.to_string())?;
        text.replace(['@', 'O', 'T', 'W'], "#").replace(' ', ".")
    };
    let level = Level::parse(&text);
    if game::main_floor(&level).len() < 2 {
        return Err("the map has no room to walk in".to_owned());
    }
    Ok(level)
}

fn main() -> ExitCode {
    let options = Options::parse();
    match play(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            // Nothing is left to do where even this cannot be written.
            let _ = writeln!(io::stderr(), "error: {reason}");
            ExitCode::from(2)
        }
    }
}

fn play(options: &Options) -> Result<(), String> {
    let level = load(options.map.as_deref())?;
    let has_display = has_display();
    if has_display && !options.headless {
        return match window::run(options, level) {
            AppExit::Success => Ok(()),
            AppExit::Error(code) => Err(format!("the game ended with code {code}")),
        };
    }
    if options.screenshot.is_some() {
        return Err("--screenshot needs a display, and there is none (try xvfb-run)".to_owned());
    }
    let mut out = io::stdout();
    let note = if options.headless {
        ""
    } else {
        "There is no display (see DISPLAY): playing headless.\n\n"
    };
    let text = headless::run(options, level);
    write!(out, "{note}{text}").map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_make_no_sense_are_refused_and_the_bound_is_named() {
        let parse = |line: &str| Options::try_parse_from(line.split_whitespace());
        for wrong in [
            "--seconds 0",
            "--seconds NaN",
            "--headless --screenshot a.png",
        ] {
            assert!(parse(&format!("chase {wrong}")).is_err(), "{wrong}");
        }
        let error = parse("chase --agents 2001").expect_err("too many");
        assert!(error.to_string().contains("2000"), "{error}");
        let options = parse("chase --agents 2000").expect("as many as may be");
        assert_eq!((options.agents, options.seconds), (Some(2000), 30.0));
    }

    #[test]
    fn maps_are_read_or_refused_with_a_reason() {
        let octile = "type octile\nheight 1\nwidth 3\nmap\n..@\n";
        let level = read(octile).expect("a map of MovingAI");
        assert_eq!(game::main_floor(&level).len(), 2);
        assert!(read("###\n").is_err_and(|reason| reason.contains("no room")));
        let reason = load(Some(Path::new("no/such.map"))).err();
        assert!(reason.is_some_and(|reason| reason.starts_with("no/such.map: ")));
    }
}
