//! Tests of the core's public API against the oracle, exact geometry and maps of games.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "a skipped test prints a note")]

mod areas;
#[cfg(feature = "tables")]
mod cancel;
mod common;
mod disc;
mod flow;
mod graphs;
mod jump_point;
mod large;
mod map;
mod maps;
mod movingai;
mod odd_ground;
mod odd_shapes;
mod option_mixes;
#[cfg(feature = "planners")]
mod planners;
mod puzzles;
mod region_memory;
mod regions;
mod search;
mod search_allocations;
mod segments;
mod sight;
mod steps;
#[cfg(feature = "tables")]
mod tables;
mod taut_paths;
