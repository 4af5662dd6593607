//! What the command lines of several benchmarks share.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use crate::game::Mode;
use crate::game::pools::Pools;
use crate::mapset;
use crate::numbers::{agents, not_negative, positive};

/// One map, and what a run on it depends on.
#[derive(Args, Clone, Debug, Serialize)]
pub(crate) struct MapArgs {
    /// A MovingAI .map file.
    #[arg(long, value_name = "FILE")]
    #[serde(serialize_with = "mapset::as_file_name")]
    pub(crate) map: PathBuf,
    /// Decides all that is random: places, ways, doors.
    #[arg(long, value_name = "K", default_value_t = 1)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) pools: Pools,
}

/// A game in which agents chase.
#[derive(Args, Clone, Debug, Serialize)]
pub(crate) struct GameArgs {
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) common: MapArgs,
    /// How many agents chase, at most 100000.
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = agents())]
    pub(crate) agents: usize,
    /// Game time. A chase ends earlier when all have caught the player.
    #[arg(long, value_name = "S", default_value_t = 300.0, value_parser = positive)]
    pub(crate) seconds: f64,
    /// Most game seconds per real second in async mode, where searches take real time; 0 is no limit.
    #[arg(long, value_name = "X", default_value_t = 10.0, value_parser = not_negative)]
    pub(crate) pace: f64,
    /// Where searches and bakes run; `inline` gives the same run for the same seed.
    #[arg(long, value_enum, default_value = "async")]
    pub(crate) mode: Mode,
}
