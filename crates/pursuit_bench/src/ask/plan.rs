//! What is asked.

use std::path::PathBuf;

use crate::game::pools::Pools;

/// Radius of the bodies that questions are about, in cells.
pub(super) const RADIUS: f32 = 0.4;

/// What to run.
#[derive(Clone, Debug)]
pub(crate) struct AskPlan {
    pub(crate) map: PathBuf,
    /// Questions of each kind.
    pub(crate) questions: usize,
    /// Farthest from one point of a question to the other, in cells.
    pub(crate) within: u32,
    /// How often everything is asked; the fastest time counts.
    pub(crate) rounds: usize,
    /// How many answers are compared with those of requests.
    pub(crate) sample: usize,
    pub(crate) seed: u64,
    pub(crate) pools: Pools,
}
