//! Who chases whom.

use bevy::ecs::entity::EntityHashSet;
use bevy::ecs::prelude::*;

use crate::motion::agent::Chase;

/// The entities that are chased now. Derived from the [`Chase`] components, anew when one changes.
#[derive(Resource, Default)]
pub(crate) struct ChaseIndex {
    pub(crate) targets: EntityHashSet,
    /// Grows with each change of `targets`.
    pub(crate) version: u64,
    /// Number of chases that it was derived from.
    chases: usize,
}

/// Keeps the [`ChaseIndex`]. Looks at what is there, so that it is right again after any pause.
pub(crate) fn index_chases(
    mut index: ResMut<ChaseIndex>,
    chases: Query<&Chase>,
    changed: Query<(), Changed<Chase>>,
) {
    let count = chases.iter().len();
    if index.chases == count && changed.is_empty() {
        return;
    }
    index.chases = count;
    let targets = chases.iter().map(|chase| chase.target).collect();
    if index.targets != targets {
        index.targets = targets;
        index.version += 1;
    }
}
