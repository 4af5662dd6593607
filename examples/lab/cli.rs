//! The command line.

use std::path::PathBuf;

use clap::Parser;

use super::settings::Method;

/// A laboratory of path-finding: watch searches think, step by step and side by side.
#[derive(Parser, Clone, Debug)]
#[command(name = "lab")]
pub(crate) struct Options {
    /// Search among cubes, in three dimensions.
    #[arg(long)]
    pub(crate) voxels: bool,
    /// Open this map: ASCII (S start, G goal, # wall, 2-9 mud) or MovingAI's .map; with --voxels layers of text, the
    /// lowest first, with empty lines between them (# or one of s r b t l solid).
    #[arg(long, value_name = "FILE")]
    pub(crate) map: Option<PathBuf>,
    /// The algorithm on the left.
    #[arg(long, value_enum, default_value_t = Method::AStar)]
    pub(crate) left: Method,
    /// The algorithm on the right.
    #[arg(long, value_enum, default_value_t = Method::Dijkstra)]
    pub(crate) right: Method,
    /// Show only the left algorithm.
    #[arg(long)]
    pub(crate) alone: bool,
    /// Begin paused at this part of the replay: 0.5 is its middle, 1 its end.
    #[arg(long, value_name = "PART")]
    pub(crate) at: Option<f32>,
    /// Pixels per cell; numbers are shown from 34 on. The whole map, if not given.
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) zoom: Option<u16>,
    /// Begin with this cell in the middle.
    #[arg(long, value_name = "X,Y", value_delimiter = ',', num_args = 1)]
    pub(crate) center: Vec<i32>,
    /// Compare without a window: all algorithms on the map.
    #[arg(long)]
    pub(crate) headless: bool,
    /// Save the comparison as CSV: without a window at once, else on key C.
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    /// Show a saved search on the left. Its map is the one that was saved with it, unless `--map` names another.
    #[arg(long, value_name = "FILE")]
    pub(crate) recording: Option<PathBuf>,
}
