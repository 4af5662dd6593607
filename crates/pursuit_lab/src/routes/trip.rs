//! A trip: a way that follows stored roads.

use std::ops::Range;

use glam::Vec2;
use pursuit::NavMap;

use super::line::first_closed;
use super::parts::{PlaceId, RoadId};

/// A way to walk, and which part of it was stored.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Trip {
    /// From the walker to the goal, in cell space. [`steer::advance`](pursuit::steer::advance) walks along them.
    pub waypoints: Vec<Vec2>,
    /// Which waypoints lie on stored roads; empty for a way that was searched as a whole.
    pub stored: Range<usize>,
    /// Length of the way, in cells.
    pub length: f32,
    /// Length of its stored part, in cells.
    pub stored_length: f32,
    /// The places between which the stored route leads. The trip may join it after the first of them, and leave it
    /// before the last.
    pub route: Option<(PlaceId, PlaceId)>,
    /// Whether it leads to the goal, or where a body does not fit there, to the center of its cell. If not, then to
    /// the center of the nearest cell that can be reached.
    pub is_complete: bool,
    /// A road that should have been part of it, but is blocked: time for
    /// [`RouteMap::update`](super::RouteMap::update). The way was searched as a whole instead.
    pub broken: Option<RoadId>,
    /// Nodes expanded by all searches for it, also those for ways that it did not take: see
    /// [`SearchStats::expanded`](pursuit::SearchStats::expanded).
    pub expanded: u32,
}

impl Trip {
    /// The index of the first waypoint that a body of `radius` cells can no longer get to from the one before, from
    /// the waypoint `next` on. `None` if the way is free.
    ///
    /// To be asked while walking, after an edit. `next` is the waypoint ahead; the way to it, which begins at the
    /// walker, is not looked at.
    #[must_use]
    pub fn blocked_ahead(&self, map: &NavMap, radius: f32, next: usize) -> Option<usize> {
        let ahead = self.waypoints.get(next..)?;
        let closed = first_closed(map, &map.layers(radius), ahead)?;
        Some(next + closed + 1)
    }
}
