//! The distance that paths keep from walls.

use glam::Vec2;

use crate::clearance::Clearance;
use crate::sight::clearance_at;

/// Share of the margin that the line from the start keeps. With a full margin, a body that is already walking
/// around a corner would swing out once more.
const START_SHARE: f32 = 0.8;

/// Share of the clearance at an end of the path that lines from or to this end keep from walls. It is less than
/// 1, so that rounding does not matter.
const END_SHARE: f32 = 0.999;

/// The distance that a path keeps from walls, in cells. A number converts to a room with this radius and a margin
/// of 0.
///
/// Written by the caller. `Room` has no default, because the radius depends on the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Room {
    /// Radius of the body, in cells. No line of the path comes closer to a wall than this.
    ///
    /// Raise the radius if the body touches walls. If the walk comes closer to walls than this radius, or if the
    /// radius is NaN, lines cannot be proven and the path follows the walk.
    pub radius: f32,
    /// Extra distance that the path keeps from walls where there is room, in cells, since bodies scrape along
    /// whatever they touch. The line from the start and the line to the goal keep at most the clearance that the
    /// body has there.
    ///
    /// With a greater margin, the path goes around corners in wider turns. The sum of radius and margin is
    /// limited to the [cap](Clearance::cap) of the field, which holds no larger distances. Negative margins and
    /// NaN are treated as 0.
    pub margin: f32,
}

impl Room {
    /// The distance that lines keep from walls where there is room, in cells.
    pub(crate) fn wanted(self, clearance: &Clearance) -> f32 {
        self.with_margin(clearance, 1.0)
    }

    /// The distance that the first line keeps from walls, at most the clearance of the start, in cells.
    pub(super) fn at_start(self, clearance: &Clearance, start: Vec2) -> f32 {
        self.at(clearance, start, START_SHARE)
    }

    /// The distance that the line to the goal keeps from walls, at most the clearance of the goal, in cells.
    pub(super) fn at_goal(self, clearance: &Clearance, goal: Vec2) -> f32 {
        self.at(clearance, goal, 1.0)
    }

    /// The distance that a line from or to `point` keeps from walls, in cells: the radius and a share of the
    /// margin, but at most the clearance at `point`. It is never less than the radius.
    fn at(self, clearance: &Clearance, point: Vec2, share: f32) -> f32 {
        let most = self.with_margin(clearance, share);
        if most > self.radius {
            let there = END_SHARE * clearance_at(clearance, point);
            return there.min(most).max(self.radius);
        }
        self.radius
    }

    /// The radius plus a share of the margin. The margin is limited so that the sum does not exceed the cap of
    /// the field, since no line can be proven beyond the cap.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maps::parse_ascii;
    use crate::random::each_case;

    fn field(map: &str) -> Clearance {
        Clearance::from_grid(&parse_ascii(map).unwrap().grid, 4.0)
    }

    #[test]
    fn negative_and_nan_margins_count_as_zero() {
        let field = field("....\n....");
        for margin in [0.0, -1.0, f32::NAN] {
            let room = Room {
                radius: 0.5,
                margin,
            };
            assert_eq!(room.wanted(&field), 0.5, "for {margin}");
            assert_eq!(room.at_goal(&field, Vec2::ZERO), 0.5, "for {margin}");
        }
        assert_eq!(Room::from(0.25).wanted(&field), 0.25);
        assert_eq!(
            Room::from(9.0).wanted(&field),
            9.0,
            "the cap must not limit a radius"
        );
        assert!(Room::from(f32::NAN).wanted(&field).is_nan());
    }

    /// The test tries rooms in small steps, and expects the largest one that every condition allows.
    #[test]
    fn the_room_is_the_largest_that_the_margin_the_cap_and_the_end_allow() {
        let field = field("#.......\n........\n........\n......#.");
        each_case(500, |rng| {
            let (radius, margin) = (rng.f32() * 5.0, rng.f32() * 5.0);
            let room = Room { radius, margin };
            let point = Vec2::new(rng.f32() * 7.0, rng.f32() * 3.0);
            let largest = |share: f32, there: f32| {
                let is_allowed = |room: f32| {
                    room <= radius + share * margin && room <= field.cap() && room <= there
                };
                let tried = (0..=10_000).map(|k| k as f32 * 1e-3);
                tried
                    .filter(|&room| is_allowed(room))
                    .fold(radius, f32::max)
            };
            let there = 0.999 * clearance_at(&field, point);
            for (found, expected) in [
                (room.wanted(&field), largest(1.0, f32::INFINITY)),
                (room.at_start(&field, point), largest(0.8, there)),
                (room.at_goal(&field, point), largest(1.0, there)),
            ] {
                assert!((found - expected).abs() < 2e-3, "{found}, not {expected}");
            }
        });
    }
}
