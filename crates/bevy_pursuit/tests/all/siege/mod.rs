//! Stress tests: places that fit by a hair, clocks that disagree, observers that despawn entities of later events, and
//! degenerate grids.

mod clocks;
mod ends;
mod entities;
mod grids;
