//! Searches for cheapest paths.
//!
//! [`BodyLayers::find_path`](crate::BodyLayers::find_path) is the entry point for grids. It uses jump-point search
//! where all free cells cost the same, and otherwise an A\* made for grids, which prunes steps over terrain as
//! jump-point search does. It knows without a search which goals are out of reach, and answers from baked tables
//! (feature `tables`) where the layers have them. A [`Search`] runs this search in steps. [`astar()`] searches any
//! other graph that is a [`SearchSpace`]: dense node numbers, a neighbor visitor, a heuristic.
//!
//! # Order
//!
//! Everything is a whole number and every tie has a rule, so the same input gives the same path on every machine. The
//! rules of A\* are:
//!
//! - the open node with the smallest `f = k_g · g + k_h · h` comes first; among equals, the node that was pushed last.
//!   On grids with terrain and equal weights, f counts in coarse units, each at most a two-thousandth of what one step,
//!   or one run of steps, can add to it, and a node is expanded again when the search finds a cheaper path to it, until
//!   no path can be cheaper than the one found;
//! - neighbors are visited in the order of [`NEIGHBORS`](crate::NEIGHBORS), and a node counts as improved only by a
//!   cheaper path, not by an equal one;
//! - of all cheapest paths over the visited nodes, traced back from the end, the search returns the path that goes
//!   straight on where it can and otherwise over the first neighbor in that order.

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
