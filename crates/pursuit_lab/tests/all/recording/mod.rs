//! Tests of recordings and replays: the events of searches are recorded, played back, saved and loaded.

mod bytes;
mod feeds;
mod kinds;
mod naive;
mod replays;
mod searches;
mod textbook;
mod voxels;
pub(crate) mod worlds;
