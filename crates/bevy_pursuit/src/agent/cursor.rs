//! Where on its path an agent is.

use bevy::ecs::{component::Component, prelude::ReflectComponent};
use bevy::math::Vec2;
use bevy::reflect::{Reflect, std_traits::ReflectDefault};

use super::Leg;
#[cfg(doc)]
use super::NavPath;

/// Which waypoint of [`NavPath`] lies ahead. Written by this crate.
///
/// Derived: it is not saved with its entity. It holds a copy of the line that leads there: most ticks need no more of a path,
/// and its waypoints lie elsewhere in memory.
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
    /// Before the waypoint of this index on a leg; past its end for an index that is too large.
    pub(crate) fn on(leg: &Leg, next: usize) -> Self {
        let end = leg.waypoints.last().copied().unwrap_or_default();
        let point = |index: usize| leg.waypoints.get(index).copied().unwrap_or(end);
        Self {
            next: (leg.first + next) as u32,
            behind: point(next.saturating_sub(1)),
            ahead: point(next),
        }
    }

    /// Index of the waypoint ahead; the path's length when it is walked to its end.
    pub fn next(&self) -> usize {
        self.next as usize
    }

    /// The waypoint passed last, in the frame of its leg; the first one at the leg's begin.
    pub(crate) fn behind(&self) -> Vec2 {
        self.behind
    }

    /// The waypoint ahead, in the frame of its leg; the last one at the leg's end.
    pub(crate) fn ahead(&self) -> Vec2 {
        self.ahead
    }
}
