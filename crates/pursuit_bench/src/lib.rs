//! Benchmarks of Pursuit. Each benchmark checks the results that it times. Exit code 1 means that a result is wrong,
//! and 2 that the benchmark could not run. `pursuit_bench --help` lists the benchmarks, and `pursuit_bench NAME --help`
//! the options of a benchmark.
//!
//! A package with further peers calls [`main`] with them.

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
pub use game::walls::{WallBoxes, center};
pub use peers::{Finder, FinderAnswer, Hunt, Peer, PeerRun, Prepared};

/// Benchmarks of Pursuit: searches, compared with listed lengths and with peers, and headless games.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Write the figures to a file. `tables.py` makes tables of this file.
    #[arg(long, value_name = "FILE", global = true)]
    json: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Command {
    /// Answer the queries of MovingAI scenarios. Time each query, and check every path.
    ///
    /// Exit code 1 if a path of Pursuit is wrong or illegal. Paths of peers do not change the exit code.
    Search(search::SearchPlan),
    /// Let agents chase a player on a map, with the real plugin and Rapier, without a window.
    ///
    /// Exit code 1 if an agent came too close to a wall, was stuck, did not catch the player in time, or was out of
    /// reach when the plugin reported that it caught the player.
    Chase(chase::ChasePlan),
    /// Let thousands of agents chase one target on a map, with the real plugin, and measure ticks, memory and overlaps.
    ///
    /// Exit code 1 if an agent came too close to a wall.
    Horde(horde::HordePlan),
    /// Let hordes of several sizes chase one target, with the real plugin and with peers, and measure ticks.
    ///
    /// Exit code 1 if an agent of Pursuit came too close to a wall.
    Curve(horde::curve::CurvePlan),
    /// Let agents pass a door of a given width, in several rooms.
    ///
    /// Exit code 1 if an agent did not pass in some room, or came too close to a wall.
    Door(horde::door::DoorPlan),
    /// Let a crowd walk to a target and stand there.
    ///
    /// Exit code 1 if the crowd does not come to rest, or an agent came too close to a wall.
    Settle(horde::settle::SettlePlan),
    /// Measure how natural walking looks, with the shortest path of a disc of the agents' radius as the reference.
    ///
    /// Exit code 1 if a figure violates its bound on some map.
    Feel(feel::FeelPlan),
    /// Build flow fields of one goal, and compare them with a plain Dijkstra search of the same grid.
    ///
    /// Exit code 1 if a cost differs.
    Field(field::FieldPlan),
    /// Request paths continuously, and many paths in one frame, with the real plugin and without a window.
    Requests(requests::RequestsPlan),
    /// Query distances, reachability and lines of sight in one thread.
    ///
    /// Exit code 1 if an answer differs from the answer to a path request, which is computed in a task.
    Ask(ask::AskPlan),
    /// Compute everything that a map needs before its first path, layer by layer, on maps of several sizes.
    ///
    /// Exit code 1 if the plugin's bake of the walls as colliders differs from the walls.
    Bake(bake::BakePlan),
    /// Open and close doors in the path of chasing agents, with the real plugin and Rapier.
    ///
    /// Exit code 1 if an edit was not baked, or an agent came too close to a wall or was stuck.
    Edit(edit::EditPlan),
}

/// Runs the benchmark that the command line names. `others` are peers in addition to the peers of this package.
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

/// Runs a benchmark. Returns whether all results are right.
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
