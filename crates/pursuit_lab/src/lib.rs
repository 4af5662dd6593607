//! Recordings and replays of searches, stored routes, and grids of cubes.
//!
//! An enemy that chases does not need this crate: see [`pursuit`].
//!
//! | I want to ... | Use |
//! |---|---|
//! | see what a search did, event by event, also later and elsewhere | [`recording::Recording`], [`replay::Replay`] |
//! | name places, lay roads between them, and walk along these | [`routes::RouteMap`] |
//! | search among cubes, flying or walking | [`voxels::VoxelGrid`] |

pub mod recording;
pub mod replay;
pub mod routes;
pub mod voxels;
