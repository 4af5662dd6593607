//! Numbers of the command line.

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
