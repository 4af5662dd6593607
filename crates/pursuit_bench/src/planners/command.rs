//! The command line of `planners`.

use std::path::PathBuf;

use clap::Args;

use super::{Planner, PlannersPlan, run};
use crate::cli::{are_none, at_least_one};
use crate::error::BenchError;
use crate::report;

#[derive(Args)]
pub(crate) struct PlannersArgs {
    /// A folder of .map files with .map.scen beside them; may be given several times.
    #[arg(long, value_name = "DIR", required = true)]
    maps: Vec<PathBuf>,
    /// What to measure.
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        default_value = "anytime,incremental,routes,dijkstra"
    )]
    only: Vec<Planner>,
    /// Take every Nth query of each scenario, every Nth map for doors, and one trip in N.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least_one)]
    every: usize,
    /// Measure everything so often and count the least time of it.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least_one)]
    rounds: usize,
    /// Trips are taken on maps whose sides are at least so long, in cells.
    #[arg(long, value_name = "N", default_value_t = 1024)]
    least_side: u32,
    /// Write the figures to a file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Replace the figures of a document such as BENCHMARKS.md: of those planners that were measured.
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

/// Whether every answer is right.
///
/// # Errors
/// As [`run`], and files that can't be written.
pub(crate) fn planners(args: PlannersArgs) -> Result<bool, BenchError> {
    let report = run(&PlannersPlan {
        maps: args.maps,
        only: args.only,
        every: args.every,
        rounds: args.rounds,
        least_side: args.least_side,
    })?;
    report::print_planners(&report);
    report::write_json(args.json.as_deref(), &report)?;
    report::write_planners_markdown(args.markdown.as_deref(), &report)?;
    Ok(are_none(&report.faults()))
}
