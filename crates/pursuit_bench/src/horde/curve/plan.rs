//! What games to play.

use clap::Args;
use serde::Serialize;

use crate::cli::{GameArgs, MapArgs};
use crate::game::Mode;
use crate::numbers::{agents, positive};

/// What to run.
#[derive(Args, Clone, Debug, Serialize)]
pub(crate) struct CurvePlan {
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) common: MapArgs,
    /// How many agents chase, in one game for each number.
    #[arg(
        long,
        value_name = "N",
        value_delimiter = ',',
        default_value = "10,100,1000,10000,50000,100000",
        value_parser = agents()
    )]
    pub(crate) agents: Vec<usize>,
    /// Game time of each.
    #[arg(long, value_name = "S", default_value_t = 5.0, value_parser = positive)]
    pub(crate) seconds: f64,
    /// Let other crates play it (needs a package that has some).
    #[arg(long)]
    pub(crate) peers: bool,
    /// Real seconds after which a game ends.
    #[arg(long, value_name = "S", default_value_t = 90.0, value_parser = positive)]
    pub(crate) within: f64,
    /// A side whose ticks take longer at p50, in milliseconds, plays no larger game.
    #[arg(long, value_name = "MS", default_value_t = 1000.0, value_parser = positive)]
    pub(crate) most_ms: f64,
    #[arg(skip = Mode::Async)]
    pub(crate) mode: Mode,
}

impl CurvePlan {
    /// The game of this number of agents.
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
