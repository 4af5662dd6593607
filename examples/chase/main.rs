//! Hunters chase a player through a mansion: the whole of Pursuit in one small game.
//!
//! Walls and furniture are obstacles just because they are Rapier colliders. A sensor with a `NavArea` keeps hunters
//! off the lawn where the path around it is short. Hunters with `Chase` come after the player. A `PathRequest` walks
//! the player itself to a mouse click. Observers of `GoalReached` make the rules.
//!
//! | Key | |
//! |---|---|
//! | W A S D, arrows | walk |
//! | left click | walk there |
//! | mouse wheel | zoom |
//! | F1 | debug overlay: grid, paths, agents |
//! | P, Escape | pause |
//! | R | restart |
//!
//! `--help` lists the options. Without a display, the game runs headless.

#[path = "../common/mod.rs"]
mod common;
mod game;
mod headless;
mod window;

use std::error::Error;
use std::fs;
use std::io::{self, Write};

use bevy::prelude::*;
use bevy_pursuit::core::maps::{parse_ascii, parse_map, write_ascii};
use clap::{Parser, value_parser};

use common::{Level, has_display};

/// A chase through a mansion, or through your own map.
#[derive(Parser, Resource, Clone)]
#[command(name = "chase")]
struct Options {
    /// Play this map instead of the mansion: ASCII, or MovingAI's .map format.
    #[arg(long, value_name = "FILE", value_parser = load)]
    map: Option<Level>,
    /// Number of hunters, at most 2000. By default, the number that the map marks, or 12 if it marks none.
    // More hunters would fit neither into the mansion nor into the time of a frame.
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(..=2000))]
    agents: Option<u16>,
    /// Simulate without a window, as fast as possible, and print what happened.
    #[arg(long)]
    headless: bool,
    /// Seconds of game time to simulate in a headless run.
    #[arg(long, value_name = "S", default_value_t = 30.0, value_parser = seconds)]
    seconds: f32,
    /// Seed of the random numbers.
    #[arg(long, value_name = "K", default_value_t = 7)]
    seed: u64,
    /// Let the player walk by itself.
    #[arg(long)]
    demo: bool,
    /// Begin with the debug overlay on.
    #[arg(long)]
    overlay: bool,
}

fn seconds(text: &str) -> Result<f32, String> {
    let seconds = text.parse().ok();
    let seconds = seconds.filter(|seconds: &f32| seconds.is_finite() && *seconds > 0.0);
    seconds.ok_or_else(|| "must be a number above zero".to_owned())
}

fn load(path: &str) -> Result<Level, Box<dyn Error + Send + Sync>> {
    read(&fs::read_to_string(path)?)
}

fn read(text: &str) -> Result<Level, Box<dyn Error + Send + Sync>> {
    let text = if text.starts_with("type ") {
        write_ascii(&parse_map(text)?)
    } else {
        parse_ascii(text)?;
        text.replace(['@', 'O', 'T', 'W'], "#").replace(' ', ".")
    };
    let level = Level::parse(&text);
    match level.tiles(0).all(|tile| level.is_wall(tile)) {
        true => Err("the map has no room to walk in".into()),
        false => Ok(level),
    }
}

pub(crate) fn main() -> AppExit {
    let mut options = Options::parse();
    if has_display() && !options.headless {
        return window::run(options);
    }
    let note = match options.headless {
        true => "",
        false => "There is no display (see DISPLAY), so the game runs headless.\n\n",
    };
    options.headless = true;
    let report = headless::run(options);
    match write!(io::stdout(), "{note}{report}") {
        Ok(()) => AppExit::Success,
        Err(_) => AppExit::error(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_options_are_refused_with_a_reason() {
        let parse = |line: &str| Options::try_parse_from(line.split_whitespace());
        for (wrong, reason) in [
            ("--seconds 0", "above zero"),
            ("--seconds NaN", "above zero"),
            ("--agents 2001", "2000"),
            ("--map no/such.map", "no/such.map"),
        ] {
            let error = parse(&format!("chase {wrong}")).err();
            let error = error.map(|error| error.to_string()).unwrap_or_default();
            assert!(error.contains(reason), "{wrong}: {error}");
        }
        let options = parse("chase --agents 2000");
        assert!(options.is_ok_and(|options| options.agents == Some(2000)));
    }

    #[test]
    fn maps_are_read_or_refused_with_a_reason() {
        let octile = "type octile\nheight 1\nwidth 3\nmap\n..@\n";
        let level = read(octile).expect("a map of MovingAI");
        let is_wall = [0, 1, 2].map(|x| level.is_wall(IVec2::new(x, 0)));
        assert_eq!(is_wall, [false, false, true]);
        let reason = read("###\n").err().map(|reason| reason.to_string());
        assert!(reason.is_some_and(|reason| reason.contains("no room")));
    }
}
