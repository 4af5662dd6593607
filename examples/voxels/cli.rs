//! The command line.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use pursuit_examples::cli::positive;

use crate::race::Shown;
use crate::solve::{Gait, Method};

/// Path-finding in three dimensions: A* and Dijkstra's algorithm beside each other, on a hill made of cubes.
#[derive(Parser, Clone, Debug)]
#[command(name = "voxels")]
pub(crate) struct Options {
    /// Open this map: layers of text, the lowest first, with empty lines between them. `#` is solid, `.` free, S the
    /// start, G the goal.
    #[arg(long, value_name = "FILE")]
    pub(crate) map: Option<PathBuf>,
    /// How the body moves.
    #[arg(long = "move", value_name = "NAME", value_enum, default_value_t = Motion::Walk)]
    pub(crate) motion: Motion,
    /// Begin paused at this part of the replay: 0.5 is its middle, 1 its end.
    #[arg(long, value_name = "PART", value_parser = part)]
    pub(crate) at: Option<f32>,
    /// Show one search alone.
    #[arg(long, value_name = "NAME", value_enum)]
    pub(crate) only: Option<Name>,
    /// Look from this side: 0 is the front, 90 the right.
    #[arg(long, value_name = "DEGREES", value_parser = degrees, allow_negative_numbers = true)]
    pub(crate) turn: Option<f32>,
    /// Compare without a window: A* and Dijkstra for each way to move.
    #[arg(long)]
    pub(crate) headless: bool,
    /// Save what A* did, and the map beside it with `.txt` appended: without a window at once, else on key S, or with
    /// Shift what Dijkstra's algorithm did.
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,
    /// Show a search that was saved beside the other one, as it is now. Its map is the one that was saved with it, unless
    /// `--map` names another.
    #[arg(long, value_name = "FILE", conflicts_with = "motion")]
    pub(crate) recording: Option<PathBuf>,
    /// Save a picture of the window after 5 seconds, and exit.
    #[arg(long, value_name = "FILE", conflicts_with = "headless")]
    pub(crate) screenshot: Option<PathBuf>,
    /// Exit after this many seconds.
    #[arg(long, value_name = "S", value_parser = positive)]
    pub(crate) seconds: Option<f32>,
}

/// Ways to move by the names of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Motion {
    Walk,
    Climb,
    Fly,
}

/// Searches by the names of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Name {
    AStar,
    Dijkstra,
}

impl Options {
    /// How the body moves.
    pub(crate) fn gait(&self) -> Gait {
        match self.motion {
            Motion::Walk => Gait::Walk,
            Motion::Climb => Gait::Climb,
            Motion::Fly => Gait::Fly,
        }
    }

    /// Which boards are shown.
    pub(crate) fn shown(&self) -> Shown {
        match self.only {
            None => Shown::Both,
            Some(Name::AStar) => Shown::Only(Method::AStar),
            Some(Name::Dijkstra) => Shown::Only(Method::Dijkstra),
        }
    }
}

fn number(text: &str, is_good: impl Fn(f32) -> bool) -> Option<f32> {
    let number = text.parse().ok();
    number.filter(|number: &f32| number.is_finite() && is_good(*number))
}

fn part(text: &str) -> Result<f32, String> {
    number(text, |n| (0.0..=1.0).contains(&n))
        .ok_or_else(|| "must be a number from 0 to 1".to_owned())
}

fn degrees(text: &str) -> Result<f32, String> {
    number(text, |_| true).ok_or_else(|| "must be a number".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn parse(arguments: &str) -> Result<Options, clap::Error> {
        let words = arguments.split_whitespace();
        Options::try_parse_from(["voxels"].into_iter().chain(words))
    }

    #[test]
    fn by_default_both_searches_walk() {
        let options = parse("").expect("no argument is needed");
        assert_eq!((options.gait(), options.shown()), (Gait::Walk, Shown::Both));
        let options = parse("--move fly --only dijkstra --turn -30").expect("valid");
        assert_eq!(options.gait(), Gait::Fly);
        assert_eq!(options.shown(), Shown::Only(Method::Dijkstra));
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for bad in [
            "--at 1.5",
            "--at nan",
            "--turn inf",
            "--seconds 0",
            "--move swim",
            "--headless --screenshot a.png",
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn help_begins_with_what_this_example_is() {
        let help = Options::command().render_help().to_string();
        assert!(
            help.starts_with("Path-finding in three dimensions"),
            "{help}"
        );
    }
}
