//! Options that several benchmarks share.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use crate::game::Mode;
use crate::game::pools::Pools;
use crate::mapset;
use crate::numbers::{agents, not_negative, positive};

/// The options of a run on one map.
#[derive(Args, Clone, Debug, Serialize)]
pub(crate) struct MapArgs {
    /// A MovingAI .map file.
    #[arg(long, value_name = "FILE")]
    #[serde(serialize_with = "mapset::as_file_name")]
    pub(crate) map: PathBuf,
    /// Seed of all random choices: places, paths and doors.
    #[arg(long, value_name = "K", default_value_t = 1)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) pools: Pools,
}

/// The options of a game with chasing agents.
#[derive(Args, Clone, Debug, Serialize)]
pub(crate) struct GameArgs {
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) common: MapArgs,
    /// Number of agents, at most 100000.
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = agents())]
    pub(crate) agents: usize,
    /// Game time, in seconds. A chase ends earlier when all agents have caught the player.
    #[arg(long, value_name = "S", default_value_t = 300.0, value_parser = positive)]
    pub(crate) seconds: f64,
    /// Maximum number of game seconds per real second in async mode, where searches take real time. 0 means no limit.
    #[arg(long, value_name = "X", default_value_t = 10.0, value_parser = not_negative)]
    pub(crate) pace: f64,
    /// Where searches and bakes run. With `inline`, the same seed gives the same run.
    #[arg(long, value_enum, default_value = "async")]
    pub(crate) mode: Mode,
}
