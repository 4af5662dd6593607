//! The command line.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use pursuit::{DiagonalPolicy, Heuristic, Ties};
use pursuit_examples::cli::positive;

use crate::method::{Method, Neighbors, Settings};

/// A laboratory of path-finding: watch searches think, step by step and side by side.
#[derive(Parser, Clone, Debug)]
#[command(name = "search_lab")]
pub(crate) struct Options {
    /// Open this map: ASCII (S start, G goal, # wall, 2-9 mud), or MovingAI's .map.
    #[arg(long, value_name = "FILE")]
    pub(crate) map: Option<PathBuf>,
    /// Open the built-in map of this number, from 1 on.
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "map")]
    pub(crate) level: usize,
    /// The algorithm on the left.
    #[arg(long, value_enum, default_value_t = Name::AStar)]
    pub(crate) left: Name,
    /// The algorithm on the right.
    #[arg(long, value_enum, default_value_t = Name::Dijkstra)]
    pub(crate) right: Name,
    /// Show the left algorithm alone.
    #[arg(long)]
    pub(crate) alone: bool,
    /// The estimate.
    #[arg(long, value_enum, default_value_t = Estimate::Octile)]
    pub(crate) heuristic: Estimate,
    /// To how many neighbors a step leads: straight ones alone, or diagonal ones, too.
    #[arg(long, value_enum, default_value_t = Neighborhood::Eight)]
    pub(crate) neighbors: Neighborhood,
    /// Which diagonal steps are legal among eight neighbors.
    #[arg(long, value_enum, default_value_t = Diagonals::NoCornerCut)]
    pub(crate) diagonals: Diagonals,
    /// Which of several cells with the same f comes first.
    #[arg(long, value_enum, default_value_t = Order::Newest)]
    pub(crate) ties: Order,
    /// `k_g` of weighted A*: how much the cost so far counts.
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(0..=9))]
    pub(crate) kg: u16,
    /// `k_h` of weighted A*: how much the estimate counts.
    #[arg(long, value_name = "K", default_value_t = 2, value_parser = clap::value_parser!(u16).range(0..=9))]
    pub(crate) kh: u16,
    /// Begin paused at this part of the replay: 0.5 is its middle, 1 its end.
    #[arg(long, value_name = "PART", value_parser = part)]
    pub(crate) at: Option<f32>,
    /// Pixels per cell; numbers are shown from 34 on, those of more than 3 digits from 42 on. All of the map, if not given.
    #[arg(long, value_name = "PIXELS", value_parser = positive)]
    pub(crate) zoom: Option<f32>,
    /// Begin with this cell in the middle.
    #[arg(long, value_name = "X,Y", value_parser = cell)]
    pub(crate) center: Option<(f32, f32)>,
    /// Compare without a window: all algorithms on the map.
    #[arg(long)]
    pub(crate) headless: bool,
    /// Without a window: compare A* and Dijkstra from this many start points.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) starts: usize,
    /// Seed of the start points.
    #[arg(long, value_name = "K", default_value_t = 7)]
    pub(crate) seed: u64,
    /// Save the comparison as CSV: without a window at once, else on key C.
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    /// Save what the left algorithm did, and the map beside it with `.txt` appended: without a window at once,
    /// else on key S, or with Shift what the right one did.
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,
    /// Show a saved search on the left. Its map is the one that was saved with it, unless `--map` names another.
    #[arg(long, value_name = "FILE")]
    pub(crate) recording: Option<PathBuf>,
    /// Save a picture of the window after 5 seconds, and exit.
    #[arg(long, value_name = "FILE", conflicts_with = "headless")]
    pub(crate) screenshot: Option<PathBuf>,
    /// Exit after this many seconds.
    #[arg(long, value_name = "S", value_parser = positive)]
    pub(crate) seconds: Option<f32>,
}

/// Algorithms by the names of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Name {
    AStar,
    Dijkstra,
    Greedy,
    Weighted,
    JumpPoints,
    /// ARA*, anytime.
    AraStar,
    /// D* Lite, incremental.
    DStarLite,
    /// An integration field, from the goal to every cell.
    Field,
}

/// Estimates by the names of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Estimate {
    Octile,
    Manhattan,
    Euclidean,
    Zero,
}

/// Neighborhoods by the names of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Neighborhood {
    #[value(name = "4")]
    Four,
    #[value(name = "8")]
    Eight,
}

/// Rules for diagonal steps by the names of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Diagonals {
    NoCornerCut,
    OneFree,
    Always,
}

/// Orders among cells with the same f by the names of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Order {
    /// The cell that was found last.
    Newest,
    /// The cell that was found first.
    Oldest,
    /// The cell with the largest g.
    LargestG,
    /// The cell with the smallest g.
    SmallestG,
}

impl From<Name> for Method {
    fn from(name: Name) -> Self {
        match name {
            Name::AStar => Self::AStar,
            Name::Dijkstra => Self::Dijkstra,
            Name::Greedy => Self::Greedy,
            Name::Weighted => Self::Weighted,
            Name::JumpPoints => Self::JumpPoints,
            Name::AraStar => Self::Anytime,
            Name::DStarLite => Self::Incremental,
            Name::Field => Self::Field,
        }
    }
}

impl Options {
    /// What was chosen for all algorithms.
    pub(crate) fn settings(&self) -> Settings {
        let mut settings = Settings {
            heuristic: match self.heuristic {
                Estimate::Octile => Heuristic::Octile,
                Estimate::Manhattan => Heuristic::Manhattan,
                Estimate::Euclidean => Heuristic::Euclidean,
                Estimate::Zero => Heuristic::Zero,
            },
            neighbors: match self.neighbors {
                Neighborhood::Four => Neighbors::Four,
                Neighborhood::Eight => Neighbors::Eight,
            },
            diagonals: match self.diagonals {
                Diagonals::NoCornerCut => DiagonalPolicy::NoCornerCut,
                Diagonals::OneFree => DiagonalPolicy::OneFree,
                Diagonals::Always => DiagonalPolicy::Always,
            },
            ties: match self.ties {
                Order::Newest => Ties::Newest,
                Order::Oldest => Ties::Oldest,
                Order::LargestG => Ties::LargestG,
                Order::SmallestG => Ties::SmallestG,
            },
            ..Settings::default()
        };
        settings.weights.g = self.kg;
        settings.weights.h = self.kh.max(u16::from(self.kg == 0));
        settings
    }
}

fn part(text: &str) -> Result<f32, String> {
    let number = text.parse().ok();
    let number = number.filter(|number: &f32| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "must be a number from 0 to 1".to_owned())
}

fn cell(text: &str) -> Result<(f32, f32), String> {
    let parts = text.split_once(',');
    let read = |part: &str| part.trim().parse().ok().filter(|n: &f32| n.is_finite());
    parts
        .and_then(|(x, y)| Some((read(x)?, read(y)?)))
        .ok_or_else(|| "must be two numbers, such as 12,7".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn parse(arguments: &str) -> Result<Options, clap::Error> {
        Options::try_parse_from(
            ["search_lab"]
                .into_iter()
                .chain(arguments.split_whitespace()),
        )
    }

    #[test]
    fn the_defaults_race_a_star_and_dijkstra() {
        let options = parse("").expect("no argument is needed");
        assert_eq!((options.left, options.right), (Name::AStar, Name::Dijkstra));
        assert_eq!(options.settings(), Settings::default());
    }

    #[test]
    fn neighbors_and_diagonals_are_chosen_apart() {
        let settings = |arguments: &str| parse(arguments).expect("valid").settings();
        let policy = |arguments: &str| settings(arguments).policy();
        assert_eq!(policy("--diagonals always"), DiagonalPolicy::Always);
        assert_eq!(policy("--neighbors 4"), DiagonalPolicy::Never);
        let both = "--neighbors 4 --diagonals one-free";
        assert_eq!(policy(both), DiagonalPolicy::Never);
        assert_eq!(settings(both).diagonals, DiagonalPolicy::OneFree);
    }

    #[test]
    fn ties_are_chosen_by_name() {
        let settings = parse("--ties largest-g").expect("valid").settings();
        assert_eq!(settings.ties, Ties::LargestG);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for bad in [
            "--at 1.5",
            "--at nan",
            "--zoom 0",
            "--center 3",
            "--kg 10",
            "--neighbors 6",
            "--left b_star",
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn weights_are_never_both_zero() {
        let weights = parse("--kg 0 --kh 0").expect("valid").settings().weights;
        assert_eq!((weights.g, weights.h), (0, 1));
    }

    #[test]
    fn help_begins_with_what_this_example_is() {
        let help = Options::command().render_help().to_string();
        assert!(help.starts_with("A laboratory of path-finding"), "{help}");
    }
}
