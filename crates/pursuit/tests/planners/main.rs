//! Searches that are kept: anytime searches, which go on after an answer, and incremental ones, which go on after
//! an edit. Each is held against a new search by something simpler, on random graphs and grids. How much work they spare is
//! counted.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "a skipped test says so")]

mod anytime;
mod graph;
mod grids;
mod incremental;
#[path = "../common/maps.rs"]
mod maps;
mod savings;
