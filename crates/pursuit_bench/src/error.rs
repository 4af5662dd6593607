//! What keeps a benchmark from running at all, as against a result that is wrong.

use std::io;
use std::path::{Path, PathBuf};

use pursuit::maps::MapError;
use thiserror::Error;

/// Why there is nothing to report.
#[derive(Debug, Error)]
pub(crate) enum BenchError {
    #[error("{}: {source}", path.display())]
    File {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("{}:{}:{}: {}", path.display(), source.line, source.column, source.kind)]
    Map {
        path: PathBuf,
        #[source]
        source: MapError,
    },
    #[error("no map to walk on")]
    NoMap,
    #[error("{}: no .map file with its .map.scen beside it", .0.display())]
    NoMaps(PathBuf),
    #[error(
        "{}: query {query} is for a map of {} x {}, the map is {} x {}",
        path.display(), listed.0, listed.1, actual.0, actual.1
    )]
    OtherSize {
        path: PathBuf,
        query: usize,
        listed: (u32, u32),
        actual: (u32, u32),
    },
    #[error("{}: a scenario needs queries", .0.display())]
    NoQueries(PathBuf),
    #[error("{}: no cell has room for an agent", .0.display())]
    NoRoom(PathBuf),
    #[error("{}: no open place of 26 x 20 cells for a pen and a wall", .0.display())]
    NoLot(PathBuf),
    #[error("requests got no answer within ten thousand frames")]
    NoAnswer,
    #[error("a bake did not come to its end")]
    NoBake,
    #[error("no level can be {0} x {0} cells large")]
    Size(u32),
    #[error("{}: no open place of 3 x 3 cells on the way for a door", .0.display())]
    NoDoor(PathBuf),
    #[error("{}: no roads can be laid between its places", .0.display())]
    NoRoutes(PathBuf),
    #[error("no peer {0}: most need cargo run --release -p pursuit_bench --features peers -- ...")]
    NoPeer(String),
}

impl BenchError {
    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_path_buf();
        |source| Self::File { path, source }
    }

    pub(crate) fn map(path: &Path) -> impl FnOnce(MapError) -> Self {
        let path = path.to_path_buf();
        |source| Self::Map { path, source }
    }
}
