//! What is baked.

use clap::{Args, value_parser};

use crate::cli::MapArgs;
use crate::numbers::at_least_one;

/// What to run. The map is repeated, or cut, to each size.
#[derive(Args, Clone, Debug)]
pub(crate) struct BakePlan {
    #[command(flatten)]
    pub(crate) common: MapArgs,
    /// Sides of the levels, in cells.
    #[arg(
        long,
        value_name = "N",
        value_delimiter = ',',
        default_value = "256,512,1024,2048,4096",
        value_parser = value_parser!(u32).range(1..=8192)
    )]
    pub(crate) sizes: Vec<u32>,
    /// How often everything is worked out; the least time counts.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = at_least_one())]
    pub(crate) rounds: usize,
    /// Longest side of a level for which search tables are built, in cells.
    #[arg(long, value_name = "N", default_value_t = 512)]
    pub(crate) tables_up_to: u32,
    /// Let other crates prepare the same levels (needs the cargo feature `peers`).
    #[arg(long)]
    pub(crate) peers: bool,
    /// Longest side of a level that they prepare, in cells.
    #[arg(long, value_name = "N", default_value_t = 1024, requires = "peers")]
    pub(crate) peers_up_to: u32,
    /// Seconds that one of them gets for all rounds of a level. Later results do not count, and none of them
    /// runs after that.
    #[arg(long, value_name = "S", default_value_t = 300, requires = "peers")]
    pub(crate) peers_within: u32,
    /// How many cells of the open level there are for each of its crates of 3 by 3 cells.
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = value_parser!(u32).range(9..))]
    pub(crate) cells_per_crate: u32,
    /// Distances to walls are computed up to this many cells. The default is the default of the plugin.
    #[arg(long, value_name = "C", default_value_t = 4.0)]
    pub(crate) cap: f32,
}
