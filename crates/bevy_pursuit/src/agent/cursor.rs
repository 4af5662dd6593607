//! The position of an agent on its path.

use bevy::ecs::{component::Component, prelude::ReflectComponent};
use bevy::math::Vec2;
use bevy::reflect::{Reflect, std_traits::ReflectDefault};

use super::Leg;
#[cfg(doc)]
use super::NavPath;

/// Which waypoint of [`NavPath`] is ahead. Written by this crate.
///
/// Not saved with its entity, because it can be computed again. It holds a copy of the line that leads to the
/// waypoint: most ticks need no more of the path, whose waypoints are elsewhere in memory.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Default, Clone, Debug, PartialEq)]
pub struct PathCursor {
    #[reflect(ignore)]
    next: u32,
    #[reflect(ignore)]
    behind: Vec2,
    #[reflect(ignore)]
    ahead: Vec2,
}

impl PathCursor {
    /// A cursor with the waypoint of this index ahead, counted from the start of a leg; past the end of the leg
    /// if the index is too large.
    pub(crate) fn on(leg: &Leg, next: usize) -> Self {
        let end = leg.waypoints.last().copied().unwrap_or_default();
        let point = |index: usize| leg.waypoints.get(index).copied().unwrap_or(end);
        Self {
            next: (leg.first + next) as u32,
            behind: point(next.saturating_sub(1)),
            ahead: point(next),
        }
    }

    /// Index of the waypoint ahead; the number of waypoints once the path is walked to its end.
    pub fn next(&self) -> usize {
        self.next as usize
    }

    /// The waypoint passed last, in grid coordinates of its leg; at the start of the leg, the first waypoint.
    pub(crate) fn behind(&self) -> Vec2 {
        self.behind
    }

    /// The waypoint ahead, in grid coordinates of its leg; at the end of the leg, the last waypoint.
    pub(crate) fn ahead(&self) -> Vec2 {
        self.ahead
    }
}
