//! A siege of every door at once: places that fit by a hair, clocks that disagree, observers that despawn
//! what others still hear of, grids that are no grids.

mod clocks;
mod ends;
mod entities;
mod grids;
