//! Benchmarks of Pursuit. Each checks what it times: exit code 1 means that a result is wrong, 2
//! that there was nothing to run.
//!
//! ```text
//! pursuit_bench search --maps DIR [--every N] [--algorithms a,b] [--peers] [--json FILE]
//! pursuit_bench chase --map FILE --agents N --seconds S [--seed K] [--body B] [--json FILE]
//! pursuit_bench requests --map FILE [--requests N] [--seconds S] [--goals G] [--json FILE]
//! ```

mod chase;
mod error;
#[cfg(test)]
mod fixture;
mod mapset;
#[cfg(feature = "peers")]
mod peers;
mod report;
mod requests;
mod samples;
mod search;
mod verify;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use chase::{Body, ChasePlan, Mode};
use error::BenchError;
use report::SearchReport;
use requests::{Goals, RequestsPlan};
use search::{Algorithm, SearchPlan};

/// Benchmarks of Pursuit: searches against listed lengths and a peer, and headless chases.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Answer the queries of MovingAI scenarios, each timed alone, and check every path.
    Search(SearchArgs),
    /// Let agents chase a player on a map, with the real plugin and Rapier, without a window.
    Chase(ChaseArgs),
    /// Ask for paths without end, and for many in one frame, with the real plugin and no window.
    Requests(RequestsArgs),
}

#[derive(Args)]
struct SearchArgs {
    /// Folder of .map files with .map.scen beside them; each subfolder is a set of its own.
    #[arg(long, value_name = "DIR")]
    maps: PathBuf,
    /// Take every Nth query of each scenario.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least_one)]
    every: usize,
    /// Which searches to run.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "astar")]
    algorithms: Vec<Algorithm>,
    /// Run the crate `pathfinding` on the same queries too (needs the cargo feature `peers`).
    #[arg(long)]
    peers: bool,
    /// Let the peers answer every Nth of those queries only; ratios are over what both answered.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        value_parser = at_least_one,
        requires = "peers"
    )]
    peers_every: usize,
    /// Write the figures to a file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

#[derive(Args)]
struct ChaseArgs {
    /// A MovingAI .map file.
    #[arg(long, value_name = "FILE")]
    map: PathBuf,
    /// How many agents chase.
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = at_least_one)]
    agents: usize,
    /// Game time after which the run ends at the latest; earlier when all have caught the player.
    #[arg(long, value_name = "S", default_value_t = 300.0, value_parser = positive)]
    seconds: f64,
    /// Decides where agents start and where the player goes.
    #[arg(long, value_name = "K", default_value_t = 1)]
    seed: u64,
    /// What the agents are made of.
    #[arg(long, value_enum, default_value = "kinematic")]
    body: Body,
    /// Most game seconds per real second in async mode, where searches take real time; 0 is no limit.
    #[arg(long, value_name = "X", default_value_t = 10.0, value_parser = not_negative)]
    pace: f64,
    /// Where searches run; `inline` gives the same run for the same seed.
    #[arg(long, value_enum, default_value = "async")]
    mode: Mode,
    /// Write the figures to a file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

#[derive(Args)]
struct RequestsArgs {
    /// A MovingAI .map file.
    #[arg(long, value_name = "FILE")]
    map: PathBuf,
    /// How many requests are inserted in one frame, and how many wait at any time.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = at_least_one)]
    requests: usize,
    /// Real time for which requests are asked anew as they are answered.
    #[arg(long, value_name = "S", default_value_t = 5.0, value_parser = positive)]
    seconds: f64,
    /// Where the paths lead.
    #[arg(long, value_enum, default_value = "own")]
    goals: Goals,
    /// Decides where paths begin and end.
    #[arg(long, value_name = "K", default_value_t = 1)]
    seed: u64,
    /// Frames per second.
    #[arg(long, value_name = "HZ", default_value_t = 60.0, value_parser = positive)]
    frame_rate: f64,
    /// Threads in which searches run; Bevy's default is a quarter of the cores.
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    threads: Option<usize>,
    /// How often all requests are inserted in one frame.
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = at_least_one)]
    bursts: usize,
    /// Write the figures to a file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if f64::is_finite(number) && number > 0.0 => Ok(number),
        _ => Err("not a number above 0".to_string()),
    }
}

fn not_negative(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if f64::is_finite(number) && number >= 0.0 => Ok(number),
        _ => Err("not a number of at least 0".to_string()),
    }
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("must be at least 1".to_string()),
        Ok(number) => Ok(number),
        Err(_) => Err("not a whole number".to_string()),
    }
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Search(args) => search(args),
        Command::Chase(args) => chase(args),
        Command::Requests(args) => requests(args),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("pursuit_bench: {error}");
            ExitCode::from(2)
        }
    }
}

/// Whether every path was right.
fn search(args: SearchArgs) -> Result<bool, BenchError> {
    #[cfg(not(feature = "peers"))]
    if args.peers {
        return Err(BenchError::NoPeers);
    }
    let plan = SearchPlan {
        maps: args.maps,
        every: args.every,
        algorithms: args.algorithms,
        peers_every: args.peers.then_some(args.peers_every),
    };
    let rows = search::run(&plan)?;
    report::print_search(&rows);
    report::write_json(args.json.as_deref(), &SearchReport { rows: &rows })?;
    let right = rows.iter().all(|row| row.wrong == 0 && row.illegal == 0);
    if !right {
        eprintln!("pursuit_bench: some paths are wrong or illegal");
    }
    Ok(right)
}

/// Whether no agent came too near to a wall.
fn chase(args: ChaseArgs) -> Result<bool, BenchError> {
    let report = chase::run(&ChasePlan {
        map: args.map,
        agents: args.agents,
        seconds: args.seconds,
        seed: args.seed,
        body: args.body,
        mode: args.mode,
        pace: args.pace,
    })?;
    report::print_chase(&report);
    report::write_json(args.json.as_deref(), &report)?;
    let clear = report.wall_overlaps == 0;
    if !clear {
        eprintln!("pursuit_bench: agents came too near to walls");
    }
    Ok(clear)
}

/// Whether every request got its path.
fn requests(args: RequestsArgs) -> Result<bool, BenchError> {
    let report = requests::run(&RequestsPlan {
        map: args.map,
        requests: args.requests,
        seconds: args.seconds,
        goals: args.goals,
        seed: args.seed,
        frame_rate: args.frame_rate,
        threads: args.threads,
        bursts: args.bursts,
    })?;
    report::print_requests(&report);
    report::write_json(args.json.as_deref(), &report)?;
    let right = report.failures.is_empty();
    if !right {
        eprintln!("pursuit_bench: some requests got no path");
    }
    Ok(right)
}

#[cfg(test)]
mod tests {
    use super::Cli;
    use clap::{CommandFactory, Parser};

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn counts_of_zero_are_refused() {
        for flag in ["--every", "--peers-every"] {
            let args = [
                "pursuit_bench",
                "search",
                "--maps",
                "x",
                "--peers",
                flag,
                "0",
            ];
            assert!(Cli::try_parse_from(args).is_err(), "{flag}");
        }
    }

    #[test]
    fn a_chase_lasts_a_number_of_seconds() {
        for seconds in ["0", "-1", "NaN", "inf", "long"] {
            let seconds = format!("--seconds={seconds}");
            let args = ["pursuit_bench", "chase", "--map", "x", &seconds];
            assert!(Cli::try_parse_from(args).is_err(), "{seconds}");
        }
    }
}
