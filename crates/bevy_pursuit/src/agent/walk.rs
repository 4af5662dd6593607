//! Distinguishes entities that walk their path from entities that only ask for one.

use bevy::ecs::query::Has;

use super::{Locomotion, NavAgent, PathCursor};

/// The components of an entity that walks its path. The value of [`NavAgent`] is not read, so that a system can use
/// `Navigation` together with a query that writes `NavAgent`.
pub(crate) type WalkerParts<'a> = (Has<NavAgent>, &'a Locomotion, &'a PathCursor);

/// How an entity walks its path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walk {
    /// [`Locomotion::Moving`] for an entity that does not walk.
    pub(crate) how: Locomotion,
    /// Index of the waypoint ahead.
    pub(crate) next: usize,
    /// Whether the entity walks. `false` if it only asks for the path.
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
