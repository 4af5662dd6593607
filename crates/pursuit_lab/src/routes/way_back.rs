//! The way back into a trip, for a walker that has left it.

use std::ops::Range;

use glam::Vec2;
use pursuit::FindPathError;
use pursuit::steer::closest_entry;

use super::joints::last_in_reach;
use super::line::first_closed;
use super::parts::length;
use super::planner::{Planner, leads_to, unless_blocked};
use super::trip::Trip;

impl Planner<'_> {
    /// The way to the last point of what is left of a trip that is within reach, and the rest of the trip. `None` where
    /// none leads there, or the rest is blocked.
    pub(super) fn way_back(
        &mut self,
        trip: &Trip,
        from: Vec2,
    ) -> Result<Option<Back>, FindPathError> {
        let options = self.options;
        let Some(closest) = closest_entry(&trip.waypoints, from) else {
            return Ok(None);
        };
        let ahead = trip.waypoints.get(closest.next..).unwrap_or_default();
        let left = led_by(closest.point, ahead);
        let reach = self.reach.max(from.distance(closest.point));
        let Some(joint) = last_in_reach(&left, from, reach) else {
            return Ok(None);
        };
        let rest = left.get(joint.next..).unwrap_or_default();
        let onward = led_by(joint.point, rest);
        if options.verify && first_closed(self.map, &self.layers, &onward).is_some() {
            return Ok(None);
        }
        let way = self.search(from, joint.point);
        let Some(way) = unless_blocked(way)?.filter(|way| leads_to(way, joint.point)) else {
            return Ok(None);
        };
        // A game that cut the waypoints of the trip may have left the range of the stored ones.
        let all = trip.waypoints.len();
        let stored = trip.stored.start.min(all)..trip.stored.end.min(all);
        let range = moved_range(stored, all - rest.len(), way.points.len());
        let mut waypoints = way.points;
        waypoints.extend(rest);
        let stored = waypoints.get(range.clone()).unwrap_or_default();
        let stored_length = length(stored);
        let whole = length(&waypoints);
        Ok(Some(Back {
            joint: joint.point,
            searched: whole - length(&onward),
            trip: Trip {
                route: trip.route.filter(|_| !range.is_empty()),
                stored: range,
                length: whole,
                stored_length,
                is_complete: trip.is_complete,
                waypoints,
                ..Trip::default()
            },
        }))
    }
}

/// Where a range of waypoints lies after the first `dropped` of all made room for `new` ones, the last of which is the
/// joint. Those behind the joint keep their places from the end.
fn moved_range(range: Range<usize>, dropped: usize, new: usize) -> Range<usize> {
    let moved = |index: usize| index.max(dropped) - dropped + new;
    // If it goes on from before the joint to behind it, the joint is in it, too.
    let goes_on = range.start < dropped && dropped < range.end;
    moved(range.start) - usize::from(goes_on)..moved(range.end)
}

/// A way back into a trip.
pub(super) struct Back {
    pub(super) joint: Vec2,
    /// Length of the part before the joint.
    pub(super) searched: f32,
    pub(super) trip: Trip,
}

/// A way that begins at a point and goes on along others.
fn led_by(first: Vec2, rest: &[Vec2]) -> Vec<Vec2> {
    let mut way = Vec::with_capacity(1 + rest.len());
    way.push(first);
    way.extend(rest.iter().copied());
    way
}
