//! What a crowd is made of.

use clap::Args;

use crate::cli::Play;

/// What to run. The map needs an open place of 26 x 20 cells, and each agent has a target of its own.
#[derive(Args, Clone, Debug)]
pub(crate) struct CrowdPlan {
    #[command(flatten)]
    pub(crate) play: Play,
    /// Measure the plugin's stages one by one, too.
    #[arg(long)]
    pub(crate) stages: bool,
}
