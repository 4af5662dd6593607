//! The command line of the benchmark `bake`.

use clap::{Args, value_parser};

use crate::cli::MapArgs;
use crate::numbers::at_least_one;

/// The options of `bake`. The map is repeated or cut to each size.
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
    /// How often each measurement is repeated. The shortest time is reported.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = at_least_one())]
    pub(crate) rounds: usize,
    /// Longest side of a level for which search tables are built, in cells.
    #[arg(long, value_name = "N", default_value_t = 512)]
    pub(crate) tables_up_to: u32,
    /// Let peers prepare the same levels (needs the cargo feature `peers`).
    #[arg(long)]
    pub(crate) peers: bool,
    /// Longest side of a level that peers prepare, in cells.
    #[arg(long, value_name = "N", default_value_t = 1024, requires = "peers")]
    pub(crate) peers_up_to: u32,
    /// Maximum time of a peer for all rounds of a level, in seconds. After a peer that takes longer, no other peer
    /// runs.
    #[arg(long, value_name = "S", default_value_t = 300, requires = "peers")]
    pub(crate) peers_within: u32,
    /// Number of cells of the open level per crate of 3 by 3 cells.
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = value_parser!(u32).range(9..))]
    pub(crate) cells_per_crate: u32,
    /// Distances to walls are computed up to this distance, in cells. The default equals the default of the plugin.
    #[arg(long, value_name = "C", default_value_t = 4.0)]
    pub(crate) cap: f32,
}
