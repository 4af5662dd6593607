//! What the measured feel is made of.

use std::path::PathBuf;

use crate::game::pools::Pools;

/// What to run.
#[derive(Clone, Debug)]
pub(crate) struct FeelPlan {
    pub(crate) maps: Vec<PathBuf>,
    /// Trips per map, all walked at the same time, and chasers of the player in the second part.
    pub(crate) agents: usize,
    /// Game time of each part, in seconds. Trips are chosen so that they end within it.
    pub(crate) seconds: f64,
    pub(crate) seed: u64,
    pub(crate) pools: Pools,
}
