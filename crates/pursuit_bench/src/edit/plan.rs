//! What is edited, and for whom.

use crate::chase::ChasePlan;

/// What to run.
#[derive(Clone, Debug)]
pub(crate) struct EditPlan {
    /// The chase that goes on meanwhile.
    pub(crate) chase: ChasePlan,
    /// Doors that open or close in a second of game time.
    pub(crate) edits_per_second: f64,
    /// Crates that move in every frame.
    pub(crate) movers: usize,
    /// Whether each agent has to reach the player once.
    pub(crate) all_catch: bool,
}
