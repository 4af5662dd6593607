//! The command line of the benchmark `curve`.

use clap::Args;
use serde::Serialize;

use crate::cli::{GameArgs, MapArgs};
use crate::game::Mode;
use crate::numbers::{agents, positive};

/// The options of `curve`.
#[derive(Args, Clone, Debug, Serialize)]
pub(crate) struct CurvePlan {
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) common: MapArgs,
    /// Numbers of agents. One game is played for each number.
    #[arg(
        long,
        value_name = "N",
        value_delimiter = ',',
        default_value = "10,100,1000,10000,50000,100000",
        value_parser = agents()
    )]
    pub(crate) agents: Vec<usize>,
    /// Game time of each game, in seconds.
    #[arg(long, value_name = "S", default_value_t = 5.0, value_parser = positive)]
    pub(crate) seconds: f64,
    /// Let peers play the same games (only works in a package with peers, such as `peers/horde`).
    #[arg(long)]
    pub(crate) peers: bool,
    /// Maximum real time of a game, in seconds.
    #[arg(long, value_name = "S", default_value_t = 90.0, value_parser = positive)]
    pub(crate) within: f64,
    /// A side whose median tick takes longer than this, in milliseconds, does not play larger games.
    #[arg(long, value_name = "MS", default_value_t = 1000.0, value_parser = positive)]
    pub(crate) most_ms: f64,
    #[arg(skip = Mode::Async)]
    pub(crate) mode: Mode,
}

impl CurvePlan {
    /// The options of the game with this number of agents.
    pub(super) fn play(&self, agents: usize) -> GameArgs {
        GameArgs {
            common: self.common.clone(),
            agents,
            seconds: self.seconds,
            pace: 1.0,
            mode: self.mode,
        }
    }
}
