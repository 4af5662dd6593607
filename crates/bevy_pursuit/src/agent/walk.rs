//! Measures the rest of a path, for entities that walk their path and for entities that only request one.

use bevy::prelude::*;

use super::{Locomotion, NavAgent, NavOrder, NavPath, PathCursor};

/// The components of an entity that walks its path. `Has<NavAgent>` does not read the agent, so a system can use
/// `Navigation` together with a query that writes [`NavAgent`].
pub(crate) type WalkerParts<'a> = (Has<NavAgent>, &'a Locomotion, &'a PathCursor);

/// How an entity walks its path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walk {
    /// [`Locomotion::Moving`] for an entity that does not walk.
    pub(crate) how: Locomotion,
    /// Index of the waypoint ahead.
    pub(crate) next: usize,
    /// Whether the entity walks. `false` if it only requests paths.
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

/// Remaining distance of an entity at `place` that heads for waypoint `next`, in world units. This is the distance
/// along the path, plus the straight line from its end to the goal if both are on the same grid and the entity does not
/// flee.
pub(crate) fn remaining_distance(
    path: &NavPath,
    next: usize,
    place: Vec3,
    order: &NavOrder,
) -> f32 {
    let leg = path.leg_to(next);
    let along = path.remaining_length(&leg, leg.plane.to_grid(place), next);
    let leads_there = path.order.grid == order.grid && !order.is_flight();
    let beyond = leads_there.then(|| path.end.distance(order.goal));
    along + beyond.unwrap_or(0.0)
}
