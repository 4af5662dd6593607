//! What a crowd is made of.

use std::path::PathBuf;

use crate::game::Mode;
use crate::game::pools::Pools;

/// What to run.
#[derive(Clone, Debug)]
pub(crate) struct CrowdPlan {
    pub(crate) map: PathBuf,
    pub(crate) agents: usize,
    /// Game time, in seconds.
    pub(crate) seconds: f64,
    /// Decides where everything is.
    pub(crate) seed: u64,
    pub(crate) mode: Mode,
    /// Most game time per real time in [`Mode::Async`]; 0 for as fast as it goes.
    pub(crate) pace: f64,
    pub(crate) pools: Pools,
    /// Whether the stages of the plugin are measured one by one.
    pub(crate) stages: bool,
}
