//! Paths and fields for tests of taut paths.

use glam::Vec2;

use super::taut::{Corner, End, Ends, TautPath};
use crate::clearance::Clearance;
use crate::steer::length;

/// A path over some points for a body of that radius, without a margin. Without points its ends are nowhere.
pub(super) fn path<'a>(
    field: &'a Clearance,
    radius: f32,
    corners: &'a mut Vec<Corner>,
    points: &[Vec2],
) -> TautPath<'a> {
    corners.clear();
    corners.extend(points.iter().map(|&point| Corner {
        point,
        is_walked: false,
        is_needed: false,
        is_visited: false,
    }));
    let end = |point: Vec2| End {
        point,
        room: radius,
    };
    let nowhere = Vec2::splat(-9.0);
    TautPath {
        clearance: field,
        radius,
        wanted: radius,
        ends: Ends {
            start: end(points.first().copied().unwrap_or(nowhere)),
            goal: points.last().map(|&point| end(point)),
        },
        corners,
    }
}

/// The points of a path.
pub(super) fn points(path: &TautPath<'_>) -> Vec<Vec2> {
    path.corners.iter().map(|corner| corner.point).collect()
}

/// Asserts that a path leads where it led `before`, is longer by rounding alone, is in sight, and has no needless corner.
/// `slack` is the rounding, in cells.
#[track_caller]
pub(super) fn assert_is_tight(path: &TautPath<'_>, before: &[Vec2], slack: f32, seed: u64) {
    let now = points(path);
    let ends = |points: &[Vec2]| (points.first().copied(), points.last().copied());
    assert_eq!(ends(&now), ends(before), "case {seed}");
    let is_short = length(&now) <= length(before) + slack;
    assert!(is_short, "case {seed}: {now:?}");
    for line in now.windows(2) {
        let is_seen = path.sees(line[0], line[1]);
        assert!(is_seen, "case {seed}: {line:?} of {now:?}");
    }
    for corner in now.windows(3) {
        let is_needless = path.sees(corner[0], corner[2]);
        assert!(!is_needless, "case {seed}: {corner:?} of {now:?}");
    }
}
