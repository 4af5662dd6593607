//! Recordings and replays: what searches tell is kept, played back as it was, saved and loaded.

mod bytes;
mod feeds;
mod kinds;
mod naive;
mod planners;
mod replays;
mod searches;
mod voxels;
pub(crate) mod worlds;
