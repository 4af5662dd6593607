//! How far an entity has come on its path, and whether it walks the path or only asks for it.

use bevy::prelude::*;

use super::{Leg, Locomotion, NavAgent, NavOrder, NavPath};

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

/// Remaining distance of an entity at `place` that heads for waypoint `next`, in world units: along its path, and
/// straight on from the end of the path to the goal if the path leads to the goal's grid.
pub(crate) fn remaining_distance(
    path: &NavPath,
    next: usize,
    place: Vec3,
    order: &NavOrder,
) -> f32 {
    let leg = path.leg_to(next);
    let along = path.remaining_length(&leg, leg.plane.to_grid(place), next);
    let leads_there = path.order.grid == order.grid && !order.is_flight();
    along
        + if leads_there {
            path.end.distance(order.goal)
        } else {
            0.0
        }
}
