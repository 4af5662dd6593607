//! The shortest path of a disc: the oracle of the core's tests.

#[path = "../../../pursuit/tests/all/disc/mod.rs"]
mod disc;

pub(super) use disc::{Reference, ShortestPath};
