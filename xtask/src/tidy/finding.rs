//! What a rule has to say, and where.

use std::fmt;
use std::path::{Path, PathBuf};

/// One place that breaks one rule.
#[derive(Debug, PartialEq)]
pub(crate) struct Finding {
    pub(crate) path: PathBuf,
    /// One-based.
    pub(crate) line: usize,
    pub(crate) rule: &'static str,
    pub(crate) what: String,
}

pub(crate) fn finding(
    path: &Path,
    line: usize,
    rule: &'static str,
    what: impl Into<String>,
) -> Finding {
    Finding {
        path: path.to_path_buf(),
        line,
        rule,
        what: what.into(),
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding {
            path,
            line,
            rule,
            what,
        } = self;
        // The same text on every system, so that tests and editors can rely on it.
        let path = path.to_string_lossy().replace('\\', "/");
        write!(out, "{path}:{line}: {rule}: {what}")
    }
}
