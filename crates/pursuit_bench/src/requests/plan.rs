//! The command line of the benchmark `requests`.

use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::cli::MapArgs;
use crate::numbers::{at_least_one, positive};

/// The goals of the requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Goals {
    /// Each request has its own random goal.
    Own,
    /// All requests lead to one body that walks a cell per frame.
    Shared,
    /// Each request leads to one of two places, chosen at random.
    Two,
}

#[derive(Args, Clone, Debug, Serialize)]
pub(crate) struct RequestsPlan {
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) common: MapArgs,
    /// Number of requests that wait at any time in the steady part.
    #[arg(long, value_name = "N", default_value_t = 8000, value_parser = at_least_one())]
    pub(crate) requests: usize,
    /// Real time of the steady part, in seconds.
    #[arg(long, value_name = "S", default_value_t = 5.0, value_parser = positive)]
    pub(crate) seconds: f64,
    /// The goals of the requests.
    #[arg(long, value_enum, default_value = "own")]
    pub(crate) goals: Goals,
    /// Build search tables for the map first.
    #[arg(long)]
    pub(crate) deep_bake: bool,
    /// Let agents share fields, which is the default in games. Recorded hashes come from runs without this option.
    #[arg(long)]
    pub(crate) share_fields: bool,
    /// Put rough ground on the map, as `search --terrain` does.
    #[arg(long)]
    pub(crate) terrain: bool,
    /// Frames per second.
    #[arg(long, value_name = "HZ", default_value_t = 60.0, value_parser = positive)]
    pub(crate) frame_rate: f64,
    /// Number of requests that a burst inserts in one frame.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = at_least_one())]
    pub(crate) burst: usize,
    /// Number of bursts.
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = at_least_one())]
    pub(crate) bursts: usize,
}
