//! Distinguishes entities that walk their path from those that only ask for one.

use bevy::ecs::query::Has;

use super::{Locomotion, NavAgent, PathCursor};

/// The components of an entity that walks its path. [`NavAgent`] itself is not read, so that `Navigation` can
/// be used beside queries that write it.
pub(crate) type WalkerParts<'a> = (Has<NavAgent>, &'a Locomotion, &'a PathCursor);

/// How an entity walks its path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walk {
    pub(crate) how: Locomotion,
    /// Index of the waypoint ahead.
    pub(crate) next: usize,
    /// Whether the entity walks, and does not only ask for the path.
    pub(crate) is_agent: bool,
}

impl From<Option<(bool, &Locomotion, &PathCursor)>> for Walk {
    fn from(walker: Option<(bool, &Locomotion, &PathCursor)>) -> Self {
        let walker = walker.filter(|(is_agent, ..)| *is_agent);
        Self {
            how: walker.map_or(Locomotion::Moving, |(_, how, _)| *how),
            next: walker.map_or(1, |(.., cursor)| cursor.next()),
            is_agent: walker.is_some(),
        }
    }
}
