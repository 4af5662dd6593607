//! What requests are made of.

use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::cli::MapArgs;
use crate::numbers::{at_least_one, positive};

/// Where paths are asked to lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Goals {
    /// Each to a random place of its own.
    Own,
    /// All to one body that walks a cell per frame.
    Shared,
    /// Each to one of two places, by chance.
    Two,
}

#[derive(Args, Clone, Debug, Serialize)]
pub(crate) struct RequestsPlan {
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) common: MapArgs,
    /// How many requests wait at any time.
    #[arg(long, value_name = "N", default_value_t = 8000, value_parser = at_least_one())]
    pub(crate) requests: usize,
    /// Real time for which requests are asked again as they are answered.
    #[arg(long, value_name = "S", default_value_t = 5.0, value_parser = positive)]
    pub(crate) seconds: f64,
    /// Where the paths lead.
    #[arg(long, value_enum, default_value = "own")]
    pub(crate) goals: Goals,
    /// Build search tables for the map first.
    #[arg(long)]
    pub(crate) deep_bake: bool,
    /// Let agents share fields, as games do by default. Hashes are of runs without.
    #[arg(long)]
    pub(crate) share_fields: bool,
    /// Lay rough ground on the map, as `search --terrain` does.
    #[arg(long)]
    pub(crate) terrain: bool,
    /// Frames per second.
    #[arg(long, value_name = "HZ", default_value_t = 60.0, value_parser = positive)]
    pub(crate) frame_rate: f64,
    /// How many requests are inserted in one frame, while no other waits.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = at_least_one())]
    pub(crate) burst: usize,
    /// How often that is done.
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = at_least_one())]
    pub(crate) bursts: usize,
}
