//! The command line of the benchmark `chase`.

use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::cli::GameArgs;

/// The options of `chase`.
#[derive(Args, Clone, Debug, Serialize)]
pub(crate) struct ChasePlan {
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) play: GameArgs,
    /// What the agents are made of.
    #[arg(long, value_enum, default_value = "kinematic")]
    pub(crate) body: AgentBody,
    /// Also measure each stage of the plugin.
    #[arg(long)]
    pub(crate) stages: bool,
    /// Let agents share fields, which is the default in games. Recorded hashes come from runs without this option.
    #[arg(long)]
    pub(crate) share_fields: bool,
    /// Put rough ground on the map, as `search --terrain` does.
    #[arg(long)]
    pub(crate) terrain: bool,
}

/// What the agents are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum AgentBody {
    /// A bare transform.
    Transform,
    /// A kinematic body with a character controller.
    Kinematic,
    /// A dynamic body driven by its velocity.
    Dynamic,
}
