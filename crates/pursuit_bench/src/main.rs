//! Benchmarks of Pursuit. Each checks what it times: exit code 1 means that a result is wrong, 2
//! that there was nothing to run.
//!
//! ```text
//! pursuit_bench search --maps DIR [--every N] [--rounds N] [--algorithms a,b] [--peers]
//!                      [--peers-every N]
//! pursuit_bench chase --map FILE --agents N --seconds S [--seed K] [--body B] [--stages]
//! pursuit_bench crowd --map FILE --agents N --seconds S [--seed K] [--stages]
//! pursuit_bench feel (--map FILE | --maps DIR)... --agents N --seconds S [--seed K]
//! pursuit_bench requests --map FILE [--requests N] [--seconds S] [--goals G]
//! pursuit_bench ask --map FILE [--questions N] [--within CELLS] [--rounds N]
//! pursuit_bench bake --map FILE [--sizes N,N] [--rounds N] [--tables-up-to N] [--peers]
//! pursuit_bench edit --map FILE --agents N --edits-per-second R [--seconds S] [--seed K]
//! pursuit_bench planners (--maps DIR)... [--only anytime|incremental|routes|dijkstra] [--every N]
//!
//! all of them [--json FILE] [--markdown FILE]
//! ```

mod ask;
mod bake;
mod chase;
mod cli;
mod clock;
mod crowd;
mod edit;
mod error;
mod feel;
mod finder;
#[cfg(test)]
mod fixture;
mod game;
mod mapset;
#[cfg(feature = "peers")]
mod peers;
mod planners;
mod report;
mod requests;
mod samples;
mod search;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand, ValueEnum};

use ask::AskPlan;
use bake::command::BakeArgs;
use chase::{Body, ChasePlan};
use cli::{Threads, agents, are_none, at_least_one, not_negative, positive};
use crowd::CrowdPlan;
use edit::command::EditArgs;
use error::BenchError;
use feel::FeelPlan;
use game::Mode;
use planners::command::PlannersArgs;
use requests::{Goals, RequestsPlan};
use search::{Algorithm, Peer, PeersPlan, SearchPlan};

/// Benchmarks of Pursuit: searches against listed lengths and peers, and headless games.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Answer the queries of MovingAI scenarios, each timed alone, and check every path.
    ///
    /// Exit code 1 if a path of ours is wrong or illegal, whatever the peers do.
    Search(SearchArgs),
    /// Let agents chase a player on a map, with the real plugin and Rapier, without a window.
    ///
    /// Exit code 1 if one came too near to a wall, was stuck, did not catch the player in time, or was
    /// said to have caught one who was out of its reach.
    Chase(ChaseArgs),
    /// Let a crowd chase what it cannot reach, beside a wall that moves in every tick.
    ///
    /// Exit code 1 if that takes more than one search per tick on the mean, after the first second.
    Crowd(CrowdArgs),
    /// Measure how good walking looks, against the shortest paths that a disc of the agents' radius can take.
    ///
    /// Exit code 1 if a bound does not hold on some map.
    Feel(FeelArgs),
    /// Ask for paths without end, and for many in one frame, with the real plugin and no window.
    Requests(RequestsArgs),
    /// Ask how far it is, whether a way leads there and what is in the way, in one thread.
    ///
    /// Exit code 1 if an answer is not that of a request, whose path is searched for in a task.
    Ask(AskArgs),
    /// Work out all that a map needs before its first path, layer by layer, on maps of several sizes.
    ///
    /// Exit code 1 if the plugin's bake of the walls as colliders is not that of the walls.
    Bake(BakeArgs),
    /// Open and close doors on the way of agents that chase, with the real plugin and Rapier.
    ///
    /// Exit code 1 if an edit was not baked, or an agent came too near to a wall or was stuck.
    Edit(EditArgs),
    /// Measure anytime and incremental search, stored routes, and Dijkstra beside A*.
    ///
    /// Exit code 1 if a path is wrong, or dearer than its bound says.
    Planners(PlannersArgs),
}

#[derive(Args)]
struct SearchArgs {
    /// Folder of .map files with .map.scen beside them; each subfolder is a set of its own.
    #[arg(long, value_name = "DIR")]
    maps: PathBuf,
    /// Take every Nth query of each scenario.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least_one)]
    every: usize,
    /// Measure everything so often and count the least of it, against a machine that does other
    /// things too.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least_one)]
    rounds: usize,
    /// Which searches to run.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "auto,tables")]
    algorithms: Vec<Algorithm>,
    /// Run other crates' searches on the same queries too: all, or those named (needs the cargo
    /// feature `peers`).
    #[arg(
        long,
        value_name = "PEERS",
        value_enum,
        value_delimiter = ',',
        num_args = 0..,
        require_equals = true
    )]
    peers: Option<Vec<Peer>>,
    /// Let the peers answer every Nth of those queries only; ratios are over what both answered.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 20,
        value_parser = at_least_one,
        requires = "peers"
    )]
    peers_every: usize,
    /// Write the figures to a file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Replace the tables of a document such as BENCHMARKS.md.
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

#[derive(Args)]
struct ChaseArgs {
    /// A MovingAI .map file.
    #[arg(long, value_name = "FILE")]
    map: PathBuf,
    /// How many agents chase, at most 100000.
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = agents)]
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
    /// Measure the plugin's stages one by one, too.
    #[arg(long)]
    stages: bool,
    #[command(flatten)]
    threads: Threads,
    /// Write the figures to a file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Replace the figures of a document such as BENCHMARKS.md.
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

#[derive(Args)]
struct CrowdArgs {
    /// A MovingAI .map file with an open place of 26 x 20 cells.
    #[arg(long, value_name = "FILE")]
    map: PathBuf,
    /// How many agents chase, each a target of its own, at most 100000.
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = agents)]
    agents: usize,
    /// Game time; the first second is not counted.
    #[arg(long, value_name = "S", default_value_t = 20.0, value_parser = positive)]
    seconds: f64,
    /// Decides where agents start, where their targets are and where the wall moves.
    #[arg(long, value_name = "K", default_value_t = 1)]
    seed: u64,
    /// Most game seconds per real second in async mode, where searches take real time; 0 is no limit.
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = not_negative)]
    pace: f64,
    /// Where searches run; `inline` gives the same run for the same seed.
    #[arg(long, value_enum, default_value = "async")]
    mode: Mode,
    /// Measure the plugin's stages one by one, too.
    #[arg(long)]
    stages: bool,
    #[command(flatten)]
    threads: Threads,
    /// Write the figures to a file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Replace the figures of a document such as BENCHMARKS.md.
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

#[derive(Args)]
struct FeelArgs {
    /// A MovingAI .map file; may be given several times.
    #[arg(long, value_name = "FILE", required_unless_present = "maps")]
    map: Vec<PathBuf>,
    /// A folder of .map files with .map.scen beside them; may be given several times.
    #[arg(long, value_name = "DIR")]
    maps: Vec<PathBuf>,
    /// How many trips are walked on each map, and how many agents chase there, at most 100000.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = agents)]
    agents: usize,
    /// Game time of each part; trips are chosen so that they end within it.
    #[arg(long, value_name = "S", default_value_t = 60.0, value_parser = positive)]
    seconds: f64,
    /// Decides where trips lead and where the player goes.
    #[arg(long, value_name = "K", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: Threads,
    /// Write the figures to a file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Replace the figures of a document such as BENCHMARKS.md.
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

#[derive(Args)]
struct RequestsArgs {
    /// A MovingAI .map file.
    #[arg(long, value_name = "FILE")]
    map: PathBuf,
    /// How many requests wait at any time.
    #[arg(long, value_name = "N", default_value_t = 8000, value_parser = at_least_one)]
    requests: usize,
    /// Real time for which requests are asked anew as they are answered.
    #[arg(long, value_name = "S", default_value_t = 5.0, value_parser = positive)]
    seconds: f64,
    /// Where the paths lead.
    #[arg(long, value_enum, default_value = "own")]
    goals: Goals,
    /// Build search tables for the map first.
    #[arg(long)]
    deep_bake: bool,
    /// Decides where paths begin and end.
    #[arg(long, value_name = "K", default_value_t = 1)]
    seed: u64,
    /// Frames per second.
    #[arg(long, value_name = "HZ", default_value_t = 60.0, value_parser = positive)]
    frame_rate: f64,
    #[command(flatten)]
    threads: Threads,
    /// How many requests are inserted in one frame, while no other waits.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = at_least_one)]
    burst: usize,
    /// How often that is done.
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = at_least_one)]
    bursts: usize,
    /// Write the figures to a file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Replace the figures of a document such as BENCHMARKS.md.
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

#[derive(Args)]
struct AskArgs {
    /// A MovingAI .map file.
    #[arg(long, value_name = "FILE")]
    map: PathBuf,
    /// How many questions of each kind.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = at_least_one)]
    questions: usize,
    /// Farthest from one point of a question to the other.
    #[arg(long, value_name = "CELLS", default_value_t = 160, value_parser = clap::value_parser!(u32).range(1..=4096))]
    within: u32,
    /// How often everything is asked; the fastest time counts.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = at_least_one)]
    rounds: usize,
    /// How many answers are compared with those of requests.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    sample: usize,
    /// Decides what is asked.
    #[arg(long, value_name = "K", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: Threads,
    /// Write the figures to a file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Replace the figures of a document such as BENCHMARKS.md.
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Search(args) => search(args),
        Command::Chase(args) => chase(args),
        Command::Crowd(args) => crowd(args),
        Command::Feel(args) => feel(args),
        Command::Requests(args) => requests(args),
        Command::Ask(args) => ask(args),
        Command::Bake(args) => bake::command::bake(args),
        Command::Edit(args) => edit::command::edit(args),
        Command::Planners(args) => planners::command::planners(args),
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
    if args.peers.is_some() {
        return Err(BenchError::NoPeers);
    }
    let peers = args.peers.map(|named| PeersPlan {
        peers: if named.is_empty() {
            Peer::value_variants().to_vec()
        } else {
            named
        },
        every: args.peers_every,
    });
    let figures = search::run(&SearchPlan {
        maps: args.maps,
        every: args.every,
        rounds: args.rounds,
        algorithms: args.algorithms,
        peers,
    })?;
    report::print_search(&figures);
    report::write_json(args.json.as_deref(), &figures)?;
    report::write_search_markdown(args.markdown.as_deref(), &figures)?;
    let right = figures.right();
    if !right {
        eprintln!("pursuit_bench: some paths are wrong or illegal");
    }
    Ok(right)
}

/// Whether every agent caught the player, and none came too near to a wall or was stuck.
fn chase(args: ChaseArgs) -> Result<bool, BenchError> {
    let report = chase::run(&ChasePlan {
        map: args.map,
        agents: args.agents,
        seconds: args.seconds,
        seed: args.seed,
        body: args.body,
        mode: args.mode,
        pace: args.pace,
        pools: args.threads.pools(),
        stages: args.stages,
    })?;
    report::print_chase(&report);
    report::write_json(args.json.as_deref(), &report)?;
    report::write_chase_markdown(args.markdown.as_deref(), &report)?;
    Ok(are_none(&report.faults()))
}

/// Whether the crowd searched no more than it must.
fn crowd(args: CrowdArgs) -> Result<bool, BenchError> {
    let report = crowd::run(&CrowdPlan {
        map: args.map,
        agents: args.agents,
        seconds: args.seconds,
        seed: args.seed,
        mode: args.mode,
        pace: args.pace,
        pools: args.threads.pools(),
        stages: args.stages,
    })?;
    report::print_crowd(&report);
    report::write_json(args.json.as_deref(), &report)?;
    report::write_crowd_markdown(args.markdown.as_deref(), &report)?;
    Ok(are_none(&report.faults()))
}

/// Whether walking looks as good as it should.
fn feel(args: FeelArgs) -> Result<bool, BenchError> {
    let mut maps = args.map;
    for folder in &args.maps {
        let sets = mapset::find_sets(folder)?;
        maps.extend(sets.into_iter().flat_map(|set| set.maps));
    }
    let report = feel::run(&FeelPlan {
        maps,
        agents: args.agents,
        seconds: args.seconds,
        seed: args.seed,
        pools: args.threads.pools(),
    })?;
    report::print_feel(&report);
    report::write_json(args.json.as_deref(), &report)?;
    report::write_feel_markdown(args.markdown.as_deref(), &report)?;
    Ok(are_none(&report.faults()))
}

/// Whether every request got its path.
fn requests(args: RequestsArgs) -> Result<bool, BenchError> {
    let report = requests::run(&RequestsPlan {
        map: args.map,
        requests: args.requests,
        burst: args.burst,
        seconds: args.seconds,
        goals: args.goals,
        deep_bake: args.deep_bake,
        seed: args.seed,
        frame_rate: args.frame_rate,
        pools: args.threads.pools(),
        bursts: args.bursts,
    })?;
    report::print_requests(&report);
    report::write_json(args.json.as_deref(), &report)?;
    report::write_requests_markdown(args.markdown.as_deref(), &report)?;
    let right = report.failures.is_empty();
    if !right {
        eprintln!("pursuit_bench: some requests got no path");
    }
    Ok(right)
}

/// Whether every answer is that of a request.
fn ask(args: AskArgs) -> Result<bool, BenchError> {
    let report = ask::run(&AskPlan {
        map: args.map,
        questions: args.questions,
        within: args.within,
        rounds: args.rounds,
        sample: args.sample,
        seed: args.seed,
        pools: args.threads.pools(),
    })?;
    report::print_ask(&report);
    report::write_json(args.json.as_deref(), &report)?;
    report::write_ask_markdown(args.markdown.as_deref(), &report)?;
    Ok(are_none(&report.faults))
}

#[cfg(test)]
mod tests {
    use super::{Cli, Command};
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
    fn the_number_of_agents_is_bounded() {
        let parsed = |agents| {
            let args = ["pursuit_bench", "chase", "--map", "x", "--agents", agents];
            Cli::try_parse_from(args)
        };
        assert!(parsed("100000").is_ok());
        for agents in ["0", "100001", "99999999", "some"] {
            let error = parsed(agents).err().unwrap().to_string();
            assert!(error.contains("--agents"), "{error}");
        }
    }

    #[test]
    fn peers_are_all_or_those_named() {
        let peers = |flag| {
            let args = ["pursuit_bench", "search", "--maps", "x", flag];
            match Cli::try_parse_from(args).unwrap().command {
                Command::Search(args) => args.peers.unwrap().len(),
                _ => unreachable!("search was asked for"),
            }
        };
        assert_eq!(peers("--peers"), 0);
        assert_eq!(peers("--peers=pathfinding,bevy-northstar"), 2);
    }

    #[test]
    fn a_game_lasts_a_number_of_seconds() {
        for game in ["chase", "crowd", "edit"] {
            for seconds in ["0", "-1", "NaN", "inf", "long"] {
                let seconds = format!("--seconds={seconds}");
                let args = ["pursuit_bench", game, "--map", "x", &seconds];
                assert!(Cli::try_parse_from(args).is_err(), "{game} {seconds}");
            }
        }
    }

    #[test]
    fn planners_are_all_or_those_named_and_need_maps() {
        let parsed = |flags: &[&str]| {
            let args = ["pursuit_bench", "planners"];
            Cli::try_parse_from(args.iter().chain(flags))
        };
        assert!(parsed(&["--maps", "x", "--maps", "y"]).is_ok());
        assert!(parsed(&["--maps", "x", "--only", "anytime,routes"]).is_ok());
        for bad in [
            &["--only", "routes"][..],
            &["--maps", "x", "--only", "all"],
            &["--maps", "x", "--every", "0"],
        ] {
            assert!(parsed(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn every_game_takes_the_number_of_threads() {
        for game in ["chase", "crowd", "requests", "bake", "edit"] {
            let parsed = |threads| {
                let flags = ["--threads", threads, "--compute-threads", threads];
                let args = ["pursuit_bench", game, "--map", "x"];
                Cli::try_parse_from(args.into_iter().chain(flags))
            };
            assert!(parsed("2").is_ok(), "{game}");
            assert!(parsed("0").is_err(), "{game}");
        }
    }
}
