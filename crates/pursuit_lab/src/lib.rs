//! Recordings and replays of searches, two textbook searches, stored routes, and grids of cubes.
//!
//! A game with chasing enemies does not need this crate: [`pursuit`] has the searches for them.
//!
//! | I want to ... | Use |
//! |---|---|
//! | see each event of a search, later or on another machine | [`recording::Recording`], [`replay::Replay`] |
//! | learn how a search improves its path while there is time | [`ara_star::AraStar`] |
//! | learn how a search repairs its path after an edit | [`d_star_lite::DStarLite`] |
//! | name places, lay roads between them, and walk along the roads | [`routes::RouteMap`] |
//! | search among cubes, flying or walking | [`voxels::VoxelGrid`] |

pub mod ara_star;
pub mod d_star_lite;
pub mod recording;
pub mod replay;
pub mod routes;
pub mod voxels;
