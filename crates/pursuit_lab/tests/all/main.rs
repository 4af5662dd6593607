//! Tests of recordings, stored routes and grids of cubes.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[allow(dead_code, reason = "the core's tests draw more at random")]
#[path = "../../../pursuit/tests/all/common/random.rs"]
mod random;
mod recording;
mod routes;
mod voxels;
