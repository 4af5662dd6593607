//! The errors that keep a benchmark from running. A wrong result is a fault of a [`Report`](crate::report::Report)
//! instead.

use std::fmt::Display;
use std::path::Path;

use pursuit::maps::MapError;
use thiserror::Error;

/// The reason why a benchmark has nothing to report.
#[derive(Debug, Error)]
#[error("{0}")]
pub(crate) struct BenchError(String);

impl BenchError {
    pub(crate) fn of(why: impl Into<String>) -> Self {
        Self(why.into())
    }

    /// An error about a file.
    pub(crate) fn at(path: &Path, why: impl Display) -> Self {
        Self(format!("{}: {why}", path.display()))
    }

    pub(crate) fn map(path: &Path, MapError { line, column, kind }: &MapError) -> Self {
        Self(format!("{}:{line}:{column}: {kind}", path.display()))
    }

    pub(crate) fn no_room(map: &Path) -> Self {
        Self::at(map, "no cell has room for an agent")
    }

    pub(crate) fn no_answer() -> Self {
        Self::of("requests got no answer within ten thousand frames")
    }

    pub(crate) fn no_peer(name: &str) -> Self {
        let hint = "most need cargo run --release -p pursuit_bench --features peers -- ...";
        Self(format!("no peer {name}: {hint}"))
    }
}
