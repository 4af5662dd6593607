//! How far paths keep from walls.

use glam::Vec2;

use crate::clearance::Clearance;
use crate::sight::clearance_at;

/// Part of the margin that is kept on the line that leaves the start: a body which walks along a corner
/// already is not sent around it once more.
const START_SHARE: f32 = 0.8;

/// Part of the distance to walls at an end that a line there may keep, so that rounding does not matter.
const AT_END: f32 = 0.999;

/// How far a path keeps from walls, in cells. A radius alone is a margin of 0.
///
/// Written by whoever asks for a path. `Room` has no default: the radius is that of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Room {
    /// The radius of the body: no line of the path comes nearer to a wall.
    ///
    /// Raise it if the body touches walls. Above the room that the walk has, lines cannot be proven, and the
    /// path keeps to the walk. So it does for NaN.
    pub radius: f32,
    /// What the path keeps beyond that where there is room, since bodies scrape along what they touch.
    /// The lines from the start and to the goal keep no more than the body has there.
    ///
    /// More of it leads around corners in wider turns, less of it closer to them. Radius and margin together
    /// count up to the [cap](Clearance::cap) of the distances: the field knows of no more. Below 0 and NaN are 0.
    pub margin: f32,
}

impl Room {
    /// How far lines keep from walls where there is room.
    pub(super) fn wanted(self, clearance: &Clearance) -> f32 {
        self.with_margin(clearance, 1.0)
    }

    /// The margin that the first line keeps, no more than the start has.
    pub(super) fn at_start(self, clearance: &Clearance, start: Vec2) -> f32 {
        self.at(clearance, start, START_SHARE)
    }

    /// How far the line to the goal keeps from walls at most.
    pub(super) fn at_goal(self, clearance: &Clearance, goal: Vec2) -> f32 {
        self.at(clearance, goal, 1.0)
    }

    /// How far a line that begins or ends at `point` keeps from walls at most, with a part of the margin.
    fn at(self, clearance: &Clearance, point: Vec2, share: f32) -> f32 {
        let most = self.with_margin(clearance, share);
        if most > self.radius {
            let there = AT_END * clearance_at(clearance, point);
            return there.min(most).max(self.radius);
        }
        self.radius
    }

    /// The radius and a part of the margin, as far as the field can tell: beyond its cap no line is proven.
    fn with_margin(self, clearance: &Clearance, share: f32) -> f32 {
        let most = (self.radius + share * self.margin.max(0.0)).min(clearance.cap());
        if most > self.radius {
            most
        } else {
            self.radius
        }
    }
}

impl From<f32> for Room {
    fn from(radius: f32) -> Self {
        Self {
            radius,
            margin: 0.0,
        }
    }
}
