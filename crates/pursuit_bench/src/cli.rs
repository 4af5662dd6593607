//! What the command lines of several benchmarks share.

use clap::Args;

use crate::game::pools::Pools;

/// Sizes of Bevy's thread pools.
#[derive(Args)]
pub(crate) struct Threads {
    /// Threads in which searches run; Bevy's default is a quarter of the cores.
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub(crate) threads: Option<usize>,
    /// Threads in which systems run; Bevy's default is all cores that other pools leave.
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub(crate) compute_threads: Option<usize>,
}

impl Threads {
    pub(crate) fn pools(&self) -> Pools {
        Pools {
            compute: self.compute_threads,
            async_compute: self.threads,
        }
    }
}

pub(crate) fn positive(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if f64::is_finite(number) && number > 0.0 => Ok(number),
        _ => Err("not a number above 0".to_string()),
    }
}

pub(crate) fn not_negative(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if f64::is_finite(number) && number >= 0.0 => Ok(number),
        _ => Err("not a number of at least 0".to_string()),
    }
}

pub(crate) fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("must be at least 1".to_string()),
        Ok(number) => Ok(number),
        Err(_) => Err("not a whole number".to_string()),
    }
}

/// Most agents of a chase; each is a body in the physics engine.
const MAX_AGENTS: usize = 100_000;

pub(crate) fn agents(text: &str) -> Result<usize, String> {
    match at_least_one(text)? {
        number if number <= MAX_AGENTS => Ok(number),
        _ => Err(format!("must be at most {MAX_AGENTS}")),
    }
}

/// As many crates as agents at most, or none.
pub(crate) fn movers(text: &str) -> Result<usize, String> {
    if text == "0" { Ok(0) } else { agents(text) }
}

/// Tells the faults of a run.
pub(crate) fn are_none(faults: &[String]) -> bool {
    for fault in faults {
        eprintln!("pursuit_bench: {fault}");
    }
    faults.is_empty()
}
