//! What a chase is made of.

use std::path::PathBuf;

use clap::ValueEnum;
use serde::Serialize;

use crate::game::Mode;
use crate::game::pools::Pools;

/// The player's speed as a share of the agents'.
pub(crate) const PLAYER_PACE: f32 = 0.6;

/// What the agents are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Body {
    /// A bare transform.
    Transform,
    /// A kinematic body with a character controller.
    Kinematic,
    /// A dynamic body driven by its velocity.
    Dynamic,
}

/// What to run.
#[derive(Clone, Debug)]
pub(crate) struct ChasePlan {
    pub(crate) map: PathBuf,
    pub(crate) agents: usize,
    /// Game time after which the run ends at the latest, in seconds.
    pub(crate) seconds: f64,
    pub(crate) seed: u64,
    pub(crate) body: Body,
    pub(crate) mode: Mode,
    /// Most game time per real time in [`Mode::Async`]; 0 for as fast as it goes.
    pub(crate) pace: f64,
    pub(crate) pools: Pools,
    /// Whether the stages of the plugin are measured one by one.
    pub(crate) stages: bool,
}
