//! What stands around the searches: recordings, stored routes, grids of cubes.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod recording;
mod routes;
mod savings;
mod voxels;
