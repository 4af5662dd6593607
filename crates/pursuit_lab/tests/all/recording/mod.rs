//! Recordings and replays: what searches tell is kept, played back as it was, saved and loaded.

mod bytes;
mod feeds;
mod kinds;
mod naive;
mod replays;
mod searches;
mod textbook;
mod voxels;
pub(crate) mod worlds;
