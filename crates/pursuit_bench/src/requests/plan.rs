//! What requests are made of.

use std::path::PathBuf;

use clap::ValueEnum;
use serde::Serialize;

use crate::game::pools::Pools;

/// Radius of the bodies that paths are asked for, in cells.
pub(super) const RADIUS: f32 = 0.4;

/// Where paths are asked to lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Goals {
    /// Each to a random place of its own.
    Own,
    /// All to one body that walks a cell per frame.
    Shared,
}

/// What to run.
#[derive(Clone, Debug)]
pub(crate) struct RequestsPlan {
    pub(crate) map: PathBuf,
    /// Requests that wait at any time in the steady state.
    pub(crate) requests: usize,
    /// Requests that are inserted in one frame, while no other waits.
    pub(crate) burst: usize,
    /// Real time of the steady state, in seconds.
    pub(crate) seconds: f64,
    pub(crate) goals: Goals,
    /// Whether search tables are built before anything is measured.
    pub(crate) deep_bake: bool,
    pub(crate) seed: u64,
    /// Frames per second of the game.
    pub(crate) frame_rate: f64,
    pub(crate) pools: Pools,
    /// How often that is done.
    pub(crate) bursts: usize,
}
