//! The exact shortest path of a disc. The code is an oracle that is shared with the core's tests.

#[path = "../../../pursuit/tests/all/disc/mod.rs"]
mod disc;

pub(super) use disc::{Reference, ShortestPath};
