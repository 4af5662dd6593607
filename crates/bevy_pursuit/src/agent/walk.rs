//! Who walks a path, and who only asks for one.

use bevy::ecs::query::Has;

use super::{Locomotion, NavAgent, PathCursor};

/// What an entity with a path has if it walks that. The agent itself is not read: `Navigation` goes beside queries that
/// write it.
pub(crate) type Walker<'a> = (Has<NavAgent>, &'a Locomotion, &'a PathCursor);

/// How an entity walks its path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walk {
    pub(crate) how: Locomotion,
    /// Index of the waypoint ahead.
    pub(crate) next: usize,
    /// Whether it walks at all, and does not only ask for the path.
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
