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
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Room {
    /// The radius of the body: no line of the path comes nearer to a wall.
    pub radius: f32,
    /// What the path keeps beyond that where there is room, since bodies scrape along what they touch.
    /// The lines from the start and to the goal keep no more than the body has there. Below 0 is 0.
    pub margin: f32,
}

impl Room {
    /// How far lines keep from walls where there is room.
    pub(super) fn wanted(self) -> f32 {
        self.radius + self.margin.max(0.0)
    }

    /// How far the line from the start keeps from walls at most.
    pub(super) fn at_start(self, clearance: &Clearance, start: Vec2) -> f32 {
        self.at(clearance, start, START_SHARE)
    }

    /// How far the line to the goal keeps from walls at most.
    pub(super) fn at_goal(self, clearance: &Clearance, goal: Vec2) -> f32 {
        self.at(clearance, goal, 1.0)
    }

    /// How far a line that begins or ends at `point` keeps from walls at most, with a part of the margin.
    fn at(self, clearance: &Clearance, point: Vec2, share: f32) -> f32 {
        let most = self.radius + share * self.margin.max(0.0);
        if most > self.radius {
            let there = AT_END * clearance_at(clearance, point);
            return there.min(most).max(self.radius);
        }
        self.radius
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
