//! Recordings and replays: what searches tell is kept, played back as it was, saved and loaded.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bytes;
mod feeds;
mod kinds;
mod naive;
mod planners;
mod replays;
mod searches;
mod voxels;
mod worlds;
