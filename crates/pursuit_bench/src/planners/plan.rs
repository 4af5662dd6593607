//! What to run.

use std::path::PathBuf;

use clap::ValueEnum;

/// Of terrain, doors, walks, places and start points.
pub(super) const SEED: u64 = 1;

/// What to run.
pub(crate) struct PlannersPlan {
    pub(crate) maps: Vec<PathBuf>,
    pub(crate) only: Vec<Planner>,
    /// Every how many queries, maps of edits and trips take part, at least 1.
    pub(crate) every: usize,
    /// How often everything is measured, at least 1; the least time counts.
    pub(crate) rounds: usize,
    /// Shortest side of a map for trips over stored routes, in cells.
    pub(crate) least_side: u32,
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Planner {
    /// ARA*: a first answer soon, and better ones.
    Anytime,
    /// D* Lite: a tree that is kept over edits and moves.
    Incremental,
    /// Trips over stored routes.
    Routes,
    /// A* and Dijkstra from the same start points.
    Dijkstra,
}
