//! The command line, and whether there is a screen to play on.

use std::path::PathBuf;

use bevy_pursuit::grid::Diagonals;
use clap::{Parser, ValueEnum};
use pursuit_examples::cli::positive;
use pursuit_examples::overlay::OverlayOptions;

/// A chase through a mansion, or through a map of yours.
#[derive(Parser, Clone, Debug, PartialEq)]
#[command(name = "chase")]
pub(crate) struct Options {
    /// Play this map instead of the mansion: ASCII, or MovingAI's .map.
    #[arg(long, value_name = "FILE")]
    pub(crate) map: Option<PathBuf>,
    /// How many hunters chase the player, at most 2000. As many as the map places, or 12.
    #[arg(long, value_name = "N", value_parser = agents)]
    pub(crate) agents: Option<usize>,
    /// Simulate without a window, as fast as possible, and print what happened.
    #[arg(long)]
    pub(crate) headless: bool,
    /// Seconds of game time to simulate, without a window or before a screenshot.
    #[arg(long, value_name = "S", default_value_t = 30.0, value_parser = positive)]
    pub(crate) seconds: f32,
    /// Seed of everything left to chance.
    #[arg(long, value_name = "K", default_value_t = 7)]
    pub(crate) seed: u64,
    /// Let the player walk by itself.
    #[arg(long)]
    pub(crate) demo: bool,
    #[command(flatten)]
    pub(crate) overlay: OverlayOptions,
    /// Which diagonal steps are legal. With other ones than the usual, hunters search cell by cell.
    #[arg(long, value_name = "NAME", value_enum, default_value_t = Steps::NoCornerCut)]
    pub(crate) diagonals: Steps,
    /// World units per pixel: 0.3 is near, the mouse wheel changes it.
    #[arg(long, value_name = "Z", default_value_t = 0.7, value_parser = positive)]
    pub(crate) zoom: f32,
    /// Let the player walk by itself, save a picture of the window, and exit.
    #[arg(long, value_name = "FILE", conflicts_with = "headless")]
    pub(crate) screenshot: Option<PathBuf>,
}

/// Diagonal steps by the names of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Steps {
    Never,
    NoCornerCut,
    OneFree,
    Always,
}

impl From<Steps> for Diagonals {
    fn from(steps: Steps) -> Self {
        match steps {
            Steps::Never => Self::Never,
            Steps::NoCornerCut => Self::NoCornerCut,
            Steps::OneFree => Self::OneFree,
            Steps::Always => Self::Always,
        }
    }
}

/// How to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// In a window.
    Window,
    /// Without one, because it was asked for.
    Headless,
    /// Without one, because there is no display.
    NoDisplay,
}

impl Options {
    /// How to run, given whether there is a display.
    pub(crate) fn mode(&self, has_display: bool) -> Mode {
        match (self.headless, has_display) {
            (true, _) => Mode::Headless,
            (false, true) => Mode::Window,
            (false, false) => Mode::NoDisplay,
        }
    }
}

/// Most hunters: more neither fit into the mansion nor into the time of a tick.
const MAX_AGENTS: usize = 2000;

fn agents(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(count) if count <= MAX_AGENTS => Ok(count),
        Ok(count) => Err(format!("{count} are too many: at most {MAX_AGENTS}")),
        Err(_) => Err(format!("must be a whole number, at most {MAX_AGENTS}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn parse(arguments: &str) -> Result<Options, clap::Error> {
        Options::try_parse_from(["chase"].into_iter().chain(arguments.split_whitespace()))
    }

    #[test]
    fn the_defaults_play_the_mansion_in_a_window() {
        let options = parse("").expect("no argument is needed");
        assert_eq!(
            (options.map.as_ref(), options.agents, options.seconds),
            (None, None, 30.0)
        );
        assert_eq!(options.mode(true), Mode::Window);
    }

    #[test]
    fn without_a_display_there_is_no_window() {
        assert_eq!(parse("").expect("valid").mode(false), Mode::NoDisplay);
        assert_eq!(
            parse("--headless").expect("valid").mode(false),
            Mode::Headless
        );
        assert_eq!(
            parse("--headless").expect("valid").mode(true),
            Mode::Headless
        );
    }

    #[test]
    fn numbers_that_make_no_sense_are_refused() {
        for wrong in [
            "--seconds 0",
            "--seconds -1",
            "--seconds NaN",
            "--seconds soon",
            "--zoom 0",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
        assert_eq!(parse("--seconds 1.5").expect("valid").seconds, 1.5);
    }

    #[test]
    fn more_agents_than_the_chase_can_bear_are_refused_and_the_bound_is_named() {
        assert_eq!(parse("--agents 2000").expect("valid").agents, Some(2000));
        for wrong in [
            "--agents 2001",
            "--agents 99999999999999999999",
            "--agents -1",
        ] {
            let error = parse(wrong).expect_err(wrong).to_string();
            assert!(error.contains("2000") || wrong.ends_with("-1"), "{error}");
        }
    }

    #[test]
    fn a_picture_needs_a_window() {
        assert!(parse("--headless --screenshot a.png").is_err());
    }

    #[test]
    fn help_begins_with_what_this_example_is() {
        let help = Options::command().render_help().to_string();
        assert!(help.starts_with("A chase through a mansion"), "{help}");
    }
}
