//! What is baked.

use std::path::PathBuf;
use std::time::Duration;

use crate::game::pools::Pools;

/// Radius of the bodies whose ground is worked out, in cells.
pub(crate) const RADIUS: f32 = 0.4;

/// What to run.
#[derive(Clone, Debug)]
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
    /// How many cells of that level there are for each crate. Crates may overlap.
    pub(crate) cells_per_crate: u32,
    /// Distances to walls are worked out up to this many cells.
    pub(crate) cap: f32,
    pub(crate) pools: Pools,
}

#[cfg(test)]
impl Default for BakePlan {
    fn default() -> Self {
        Self {
            map: PathBuf::new(),
            sizes: Vec::new(),
            rounds: 1,
            tables_up_to: 0,
            peers_up_to: None,
            peers_within: Duration::ZERO,
            seed: 0,
            cells_per_crate: 300,
            cap: 4.0,
            pools: Pools::default(),
        }
    }
}
