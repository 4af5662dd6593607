//! The command line of `edit`.

use std::path::PathBuf;

use clap::Args;

use super::{EditPlan, run};
use crate::chase::{Body, ChasePlan};
use crate::cli::{Threads, agents, are_none, movers, not_negative, positive};
use crate::error::BenchError;
use crate::game::Mode;
use crate::report;

#[derive(Args)]
pub(crate) struct EditArgs {
    /// A MovingAI .map file.
    #[arg(long, value_name = "FILE")]
    map: PathBuf,
    /// How many agents chase, at most 100000.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = agents)]
    agents: usize,
    /// How many doors open or close in a second of game time.
    #[arg(long, value_name = "R", default_value_t = 5.0, value_parser = positive)]
    edits_per_second: f64,
    /// How many crates move in every frame, so that every frame has a bake, at most 100000. Doors then tell
    /// how far snapshots are behind. Crates push nobody.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = movers)]
    movers: usize,
    /// Count it as a fault if an agent does not reach the player once. All of them can.
    #[arg(long)]
    all_catch: bool,
    /// Game time. Nothing is edited in the first second and in the last.
    #[arg(long, value_name = "S", default_value_t = 30.0, value_parser = positive)]
    seconds: f64,
    /// Decides where agents start, where the player goes, and which doors open and close.
    #[arg(long, value_name = "K", default_value_t = 1)]
    seed: u64,
    /// What the agents are made of.
    #[arg(long, value_enum, default_value = "kinematic")]
    body: Body,
    /// Most game seconds per real second in async mode, where bakes take real time; 0 is no limit.
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = not_negative)]
    pace: f64,
    /// Where bakes and searches run; `inline` gives the same run for the same seed.
    #[arg(long, value_enum, default_value = "async")]
    mode: Mode,
    #[command(flatten)]
    threads: Threads,
    /// Write the figures to a file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Replace the figures of a document such as BENCHMARKS.md.
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

/// Whether every edit was baked, no agent came too near to a wall or was stuck, and all that had to reach the player
/// did.
///
/// # Errors
/// As [`run`], and files that can't be written.
pub(crate) fn edit(args: EditArgs) -> Result<bool, BenchError> {
    let report = run(&EditPlan {
        chase: ChasePlan {
            map: args.map,
            agents: args.agents,
            seconds: args.seconds,
            seed: args.seed,
            body: args.body,
            mode: args.mode,
            pace: args.pace,
            pools: args.threads.pools(),
            stages: true,
        },
        edits_per_second: args.edits_per_second,
        movers: args.movers,
        all_catch: args.all_catch,
    })?;
    report::print_edit(&report);
    report::write_json(args.json.as_deref(), &report)?;
    report::write_edit_markdown(args.markdown.as_deref(), &report)?;
    Ok(are_none(&report.faults()))
}
