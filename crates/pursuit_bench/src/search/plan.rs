//! What to run.

use std::path::PathBuf;

use clap::ValueEnum;

use super::own::Algorithm;

/// What to run.
pub(crate) struct SearchPlan {
    pub(crate) maps: PathBuf,
    /// Every how many queries of a scenario take part, at least 1.
    pub(crate) every: usize,
    /// How often everything is measured, at least 1; the least of it counts.
    pub(crate) rounds: usize,
    pub(crate) algorithms: Vec<Algorithm>,
    /// `None` runs no peers.
    pub(crate) peers: Option<PeersPlan>,
}

/// Which peers answer what.
#[cfg_attr(
    not(feature = "peers"),
    allow(dead_code, reason = "a build without peers asks none")
)]
pub(crate) struct PeersPlan {
    pub(crate) peers: Vec<Peer>,
    /// Every how many of the queries they answer, at least 1.
    pub(crate) every: usize,
}

/// A search of somebody else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Peer {
    /// A* of the crate `pathfinding`: the one that ratios are to.
    Pathfinding,
    /// Jump-point search, which cuts corners.
    GridPathfinding,
    /// Hierarchical search: paths are not the shortest.
    BevyNorthstar,
    /// The same idea; diagonal steps cost as much as straight ones.
    HierarchicalPathfinding,
}
