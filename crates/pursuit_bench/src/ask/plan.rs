//! What is asked.

use clap::{Args, value_parser};

use crate::cli::Common;
use crate::numbers::at_least_one;

/// Radius of the bodies that questions are about, in cells.
pub(super) const RADIUS: f32 = 0.4;

#[derive(Args, Clone, Debug)]
pub(crate) struct AskPlan {
    #[command(flatten)]
    pub(crate) common: Common,
    /// How many questions of each kind.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = at_least_one)]
    pub(crate) questions: usize,
    /// Farthest from one point of a question to the other.
    #[arg(long, value_name = "CELLS", default_value_t = 160, value_parser = value_parser!(u32).range(1..=4096))]
    pub(crate) within: u32,
    /// How often everything is asked; the fastest time counts.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = at_least_one)]
    pub(crate) rounds: usize,
    /// How many answers are compared with those of requests.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) sample: usize,
}
