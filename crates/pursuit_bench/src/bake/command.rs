//! The command line of `bake`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, value_parser};

use super::{BakePlan, run};
use crate::cli::{Threads, are_none, at_least_one};
use crate::error::BenchError;
use crate::report;

#[derive(Args)]
pub(crate) struct BakeArgs {
    /// A MovingAI .map file. It is repeated, or cut, to each size.
    #[arg(long, value_name = "FILE")]
    map: PathBuf,
    /// Sides of the levels, in cells.
    #[arg(
        long,
        value_name = "N",
        value_delimiter = ',',
        default_value = "256,512,1024,2048,4096",
        value_parser = value_parser!(u32).range(1..=8192)
    )]
    sizes: Vec<u32>,
    /// How often everything is worked out; the least time counts.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = at_least_one)]
    rounds: usize,
    /// Longest side of a level for which search tables are built, in cells.
    #[arg(long, value_name = "N", default_value_t = 512)]
    tables_up_to: u32,
    /// Let other crates prepare the same levels (needs the cargo feature `peers`).
    #[arg(long)]
    peers: bool,
    /// Longest side of a level that they prepare, in cells.
    #[arg(long, value_name = "N", default_value_t = 1024, requires = "peers")]
    peers_up_to: u32,
    /// Seconds that one of them gets for all rounds of a level. Later results do not count, and none of them
    /// runs after that.
    #[arg(long, value_name = "S", default_value_t = 300, requires = "peers")]
    peers_within: u32,
    /// Decides where the crates of the open level are.
    #[arg(long, value_name = "K", default_value_t = 1)]
    seed: u64,
    /// How many cells of the open level there are for each of its crates of 3 by 3 cells.
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = value_parser!(u32).range(9..))]
    cells_per_crate: u32,
    /// Distances to walls are worked out up to this many cells: what the plugin does unless it is told otherwise.
    #[arg(long, value_name = "C", default_value_t = 4.0)]
    cap: f32,
    #[command(flatten)]
    threads: Threads,
    /// Write the figures to a file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Replace the figures of a document such as BENCHMARKS.md.
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

/// Whether every bake of colliders is that of the walls.
///
/// # Errors
/// As [`run`], and files that can't be written.
pub(crate) fn bake(args: BakeArgs) -> Result<bool, BenchError> {
    #[cfg(not(feature = "peers"))]
    if args.peers {
        return Err(BenchError::NoPeers);
    }
    let report = run(&BakePlan {
        map: args.map,
        sizes: args.sizes,
        rounds: args.rounds,
        tables_up_to: args.tables_up_to,
        peers_up_to: args.peers.then_some(args.peers_up_to),
        peers_within: Duration::from_secs(args.peers_within.into()),
        seed: args.seed,
        cells_per_crate: args.cells_per_crate,
        cap: args.cap,
        pools: args.threads.pools(),
    })?;
    report::print_bake(&report);
    report::write_json(args.json.as_deref(), &report)?;
    report::write_bake_markdown(args.markdown.as_deref(), &report)?;
    Ok(are_none(&report.faults()))
}
