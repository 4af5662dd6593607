//! Searches for cheapest paths.
//!
//! [`BodyLayers::find_path`](crate::BodyLayers::find_path) is the entry point for grids. It uses jump-point search
//! where all free cells cost the same, and otherwise an A\* made for grids, which prunes steps over terrain as
//! jump-point search does. It knows without a search which goals are out of reach, and reads paths from baked tables
//! (feature `tables`) if the layers have them. A [`Search`] does the same work in several calls. [`astar()`] searches
//! any other graph that is a [`SearchSpace`]: dense node numbers, a neighbor visitor, a heuristic.
//!
//! # Order
//!
//! All costs are whole numbers and a rule breaks every tie, so the same input gives the same path on every machine. The
//! rules of A\* are:
//!
//! - The open node with the smallest `f = k_g · g + k_h · h` is expanded first. If several have this `f`, it is the one
//!   that was pushed last. On grids with terrain and equal weights, `f` is rounded down to a coarse unit, which is at
//!   most 1/2000 of the greatest rise of `f` along one step, or along one run of steps. A node is then expanded again
//!   when the search finds a cheaper path to it, and the search ends when no other path can be cheaper than the path to
//!   the goal that it has found.
//! - Neighbors are visited in the order of [`NEIGHBORS`](crate::NEIGHBORS). A new path to a node replaces the known one
//!   only if it is cheaper.
//! - The path is traced back from its end. Where it can continue along several cheapest paths, it goes straight on if
//!   one of them does. Otherwise it takes the first possible neighbor in the order of [`NEIGHBORS`](crate::NEIGHBORS).

pub(crate) mod answer;
pub(crate) mod astar;
mod buckets;
mod front;
mod grid_astar;
pub(crate) mod grid_space;
pub(crate) mod known_paths;
mod legs;
pub(crate) mod options;
#[cfg(any(test, feature = "oracle"))]
pub mod oracle;
pub(crate) mod recorder;
mod runs;
pub(crate) mod scratch;
pub(crate) mod sliced;
pub(crate) mod space;
pub(crate) mod work;

pub use astar::{SpacePath, SpaceSearch, astar};
pub use grid_space::GridSpace;
pub use options::{
    Algorithm, FindPathError, FoundPath, Heuristic, Outcome, PartialReason, PathOptions,
    SearchLimits, SearchStats, Weights,
};
pub use recorder::{Edge, Mapped, Relaxation, SearchRecorder};
pub use scratch::SearchScratch;
pub(crate) use sliced::GridFacts;
pub use sliced::Search;
pub use space::{Guarantee, SearchSpace};
pub use work::Progress;
