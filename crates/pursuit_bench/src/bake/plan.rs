//! What is baked.

use std::path::PathBuf;
use std::time::Duration;

use crate::game::pools::Pools;

/// Distances to walls are worked out up to this many cells: what the plugin does unless it is told
/// otherwise.
pub(crate) const CAP: f32 = 4.0;
/// Radius of the bodies whose ground is worked out, in cells.
pub(crate) const RADIUS: f32 = 0.4;

/// What to run.
#[derive(Clone, Debug, Default)]
pub(crate) struct BakePlan {
    pub(crate) map: PathBuf,
    /// Sides of the levels, in cells.
    pub(crate) sizes: Vec<u32>,
    /// How often everything is worked out; the least time counts.
    pub(crate) rounds: usize,
    /// Longest side of a level for which search tables are built, in cells.
    pub(crate) tables_up_to: u32,
    /// Longest side of a level that other crates prepare, in cells; `None` runs none of them.
    pub(crate) peers_up_to: Option<u32>,
    /// What one of them gets for all rounds of a level.
    pub(crate) peers_within: Duration,
    /// Decides where the crates of the open level are.
    pub(crate) seed: u64,
    pub(crate) pools: Pools,
}
