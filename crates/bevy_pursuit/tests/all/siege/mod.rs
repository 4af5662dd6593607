//! Stress tests: positions where a body barely fits, clocks that disagree, observers that despawn entities of later
//! events, and degenerate grids.

mod clocks;
mod ends;
mod entities;
mod grids;
