//! Parsers for numbers on the command line.

use clap::builder::RangedU64ValueParser;

pub(crate) fn positive(text: &str) -> Result<f64, String> {
    match not_negative(text) {
        Ok(number) if number > 0.0 => Ok(number),
        _ => Err("not a number above 0".to_string()),
    }
}

pub(crate) fn not_negative(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if f64::is_finite(number) && number >= 0.0 => Ok(number),
        _ => Err("not a number of at least 0".to_string()),
    }
}

pub(crate) fn at_least_one() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..)
}

/// Maximum number of agents in a game. Each agent is a body in the physics engine.
const MAX_AGENTS: u64 = 100_000;

pub(crate) fn agents() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=MAX_AGENTS)
}

/// Parses a number of moving crates, from 0 to the maximum number of agents.
pub(crate) fn movers() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(0..=MAX_AGENTS)
}
