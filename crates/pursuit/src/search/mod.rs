//! Searches for cheapest paths.
//!
//! [`find_path`] is the entry point for grids. Below it lies one A\* ([`astar()`]) over any
//! [`SearchSpace`]: dense node numbers, a neighbor visitor, a heuristic.
//!
//! # Order
//!
//! Everything is a whole number and every tie has a rule, so the same input gives the same path on
//! every machine:
//!
//! - the open node with the smallest `f = k_g · g + k_h · h` comes first; among equals, the one
//!   that was put there last;
//! - neighbors are visited in the order of [`NEIGHBORS`](crate::NEIGHBORS), and a node counts as
//!   improved only by a cheaper way, not by an equal one;
//! - of all cheapest paths between the nodes visited, walked back from the end, the one is taken that
//!   goes straight on where it can and else over the first neighbor in that order.

pub mod astar;
pub mod find;
pub mod grid_space;
mod jump;
mod open;
pub mod options;
pub mod oracle;
pub mod recorder;
mod scratch;
pub mod space;
mod successors;

pub use astar::{SpacePath, astar};
pub use find::{find_path, find_path_recorded};
pub use grid_space::GridSpace;
pub use options::{
    Algorithm, FindPathError, FoundPath, Heuristic, Outcome, PartialReason, PathCells, PathOptions,
    SearchLimits, SearchStats, Weights,
};
pub use recorder::SearchRecorder;
pub use scratch::SearchScratch;
pub use space::{Guarantee, SearchSpace};

pub use crate::cost::{DIAGONAL, STRAIGHT, octile};
