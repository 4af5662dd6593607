//! Benchmarks of Pursuit. Each checks what it times: exit code 1 means that a result is wrong, 2
//! that there was nothing to run. `pursuit_bench --help` lists them, and `--help` after the name of one its options.
//!
//! A package with peers of its own calls [`main`] with them.

mod ask;
mod bake;
mod chase;
mod cli;
mod clock;
mod edit;
mod error;
mod feel;
mod field;
mod game;
mod ground;
mod horde;
mod mapset;
mod numbers;
mod peers;
mod report;
mod requests;
mod samples;
mod search;
#[path = "../../pursuit/tests/all/segments.rs"]
mod segments;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use error::BenchError;
use report::finish;

pub use clock::Clock;
pub use game::walls::{Walls, center};
pub use peers::{Answer, Finder, Hunt, Peer, PeerRun, Prepared};

/// Benchmarks of Pursuit: searches against listed lengths and peers, and headless games.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Write the figures to a file; `tables.py` makes tables of them.
    #[arg(long, value_name = "FILE", global = true)]
    json: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Command {
    /// Answer the queries of MovingAI scenarios, each timed alone, and check every path.
    ///
    /// Exit code 1 if a path of ours is wrong or illegal, whatever the peers do.
    Search(search::SearchPlan),
    /// Let agents chase a player on a map, with the real plugin and Rapier, without a window.
    ///
    /// Exit code 1 if an agent came too near to a wall, was stuck, did not catch the player in time, or was reported to
    /// have caught the player from out of reach.
    Chase(chase::ChasePlan),
    /// Let thousands chase one target on a map, with the real plugin, and measure ticks, memory and overlaps.
    ///
    /// Exit code 1 if one came too near to a wall.
    Horde(horde::HordePlan),
    /// Let hordes of several sizes chase one target, with the real plugin and with peers, and measure ticks.
    ///
    /// Exit code 1 if one of ours came too near to a wall.
    Curve(horde::curve::CurvePlan),
    /// Let agents pass a door that is some bodies wide, in several rooms.
    ///
    /// Exit code 1 if not all came through.
    Door(horde::door::DoorPlan),
    /// Let a crowd come to a target and stand there.
    ///
    /// Exit code 1 if it does not come to rest.
    Settle(horde::settle::SettlePlan),
    /// Measure how good walking looks, against the shortest paths that a disc of the agents' radius can take.
    ///
    /// Exit code 1 if a bound does not hold on some map.
    Feel(feel::FeelPlan),
    /// Build flow fields of one goal, beside a plain Dijkstra search of the same grid.
    ///
    /// Exit code 1 if they disagree about a cost.
    Field(field::FieldPlan),
    /// Ask for paths without end, and for many in one frame, with the real plugin and no window.
    Requests(requests::RequestsPlan),
    /// Ask how far it is, whether a way leads there and what is in the way, in one thread.
    ///
    /// Exit code 1 if an answer differs from the answer to a request, whose path is searched for in a task.
    Ask(ask::AskPlan),
    /// Work out all that a map needs before its first path, layer by layer, on maps of several sizes.
    ///
    /// Exit code 1 if the plugin's bake of the walls as colliders differs from the walls.
    Bake(bake::BakePlan),
    /// Open and close doors on the way of agents that chase, with the real plugin and Rapier.
    ///
    /// Exit code 1 if an edit was not baked, or an agent came too near to a wall or was stuck.
    Edit(edit::EditPlan),
}

/// Runs the benchmark that the command line names. `others` are further peers, beside the peers of this package.
#[must_use]
pub fn main(others: &[Peer]) -> ExitCode {
    let cli = Cli::parse();
    let peers: Vec<Peer> = peers::PEERS.iter().chain(others).copied().collect();
    match run(&cli, &peers) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("pursuit_bench: {error}");
            ExitCode::from(2)
        }
    }
}

/// Whether all that was measured is right.
fn run(cli: &Cli, peers: &[Peer]) -> Result<bool, BenchError> {
    let json = cli.json.as_deref();
    match &cli.command {
        Command::Search(plan) => finish(&search::run(plan, peers)?, json),
        Command::Chase(plan) => finish(&chase::run(plan)?, json),
        Command::Horde(plan) => finish(&horde::run(plan)?, json),
        Command::Curve(plan) => finish(&horde::curve::run(plan, peers)?, json),
        Command::Door(plan) => finish(&horde::door::run(plan)?, json),
        Command::Settle(plan) => finish(&horde::settle::run(plan)?, json),
        Command::Feel(plan) => finish(&feel::run(plan)?, json),
        Command::Field(plan) => finish(&field::run(plan)?, json),
        Command::Requests(plan) => finish(&requests::run(plan)?, json),
        Command::Ask(plan) => finish(&ask::run(plan)?, json),
        Command::Bake(plan) => finish(&bake::run(plan, peers)?, json),
        Command::Edit(plan) => finish(&edit::run(plan)?, json),
    }
}

#[cfg(test)]
mod tests;
