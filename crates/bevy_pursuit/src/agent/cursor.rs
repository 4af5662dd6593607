//! How far an agent has come on its path.

use bevy::prelude::*;

use super::Leg;
#[cfg(doc)]
use super::NavPath;

/// The waypoint of [`NavPath`] that the agent heads for. Written by this crate.
///
/// The cursor is not saved with its entity, because it can be computed again. It also holds both ends of the line that
/// leads to the waypoint: most ticks need nothing else from the path, and its waypoints are elsewhere in memory.
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
    /// A cursor whose waypoint ahead is waypoint `next` of `leg`. If the leg has no such waypoint, the cursor is past
    /// the end of the leg.
    pub(crate) fn on(leg: &Leg, next: usize) -> Self {
        let end = leg.waypoints.last().copied().unwrap_or_default();
        let point = |index: usize| leg.waypoints.get(index).copied().unwrap_or(end);
        Self {
            next: (leg.first + next) as u32,
            behind: point(next.saturating_sub(1)),
            ahead: point(next),
        }
    }

    /// Index of the waypoint ahead. Once the path is walked to its end, this is the number of waypoints.
    pub fn next(&self) -> usize {
        self.next as usize
    }

    /// The waypoint that was passed last, in grid coordinates of its leg. At the start of the leg, this is the first
    /// waypoint.
    pub(crate) fn behind(&self) -> Vec2 {
        self.behind
    }

    /// The waypoint ahead, in grid coordinates of its leg. At the end of the leg, this is the last waypoint.
    pub(crate) fn ahead(&self) -> Vec2 {
        self.ahead
    }
}
