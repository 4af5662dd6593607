//! What `search_lab` and `voxels` share.

pub mod art;
pub mod cli;
pub mod display;
pub mod grip;
pub mod hud;
pub mod keys;
pub mod paint;
pub mod recordings;
pub mod replays;
pub mod screenshot;
pub mod timeline;
