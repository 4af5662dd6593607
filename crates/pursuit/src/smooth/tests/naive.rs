//! Paths and fields for the tests of taut paths.

use fastrand::Rng;
use glam::Vec2;

use super::taut::{Corner, End, Ends, PulledPath};
use crate::clearance::Clearance;
use crate::grid::Grid;
use crate::random::{any_field, each_case};
use crate::sight::line_of_sight;
use crate::steer::length;

/// A path over some points for a body of this radius, without a margin. Without points, its ends lie outside
/// any grid.
pub(super) fn path<'a>(
    field: &'a Clearance,
    radius: f32,
    corners: &'a mut Vec<Corner>,
    points: &[Vec2],
) -> PulledPath<'a> {
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
    PulledPath {
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

/// Calls `check` with empty paths on grids with random walls.
pub(super) fn each_ground(count: u16, mut check: impl FnMut(&mut Rng, &Grid, PulledPath<'_>)) {
    each_case(count, |rng| {
        let (grid, field) = any_field(rng, 4..16);
        let radius = rng.f32() * 0.6;
        check(rng, &grid, path(&field, radius, &mut Vec::new(), &[]));
    });
}

/// Calls `check` with paths among random walls and with their points. Each point sees the next, and many are
/// close to the previous point.
pub(super) fn each_path(count: u16, mut check: impl FnMut(PulledPath<'_>, &[Vec2])) {
    each_case(count, |rng| {
        let (grid, field) = any_field(rng, 4..20);
        let radius = rng.f32() * 0.5;
        let last = Vec2::new((grid.width() - 1) as f32, (grid.height() - 1) as f32);
        let mut points = vec![Vec2::new(rng.f32(), rng.f32()) * last];
        for _ in 0..80 {
            let before = points[points.len() - 1];
            let reach = [1.5, 1.5, 8.0, 20.0][rng.usize(0..4)];
            let next = before + Vec2::new(rng.f32() - 0.5, rng.f32() - 0.5) * 2.0 * reach;
            let is_inside = next.cmpge(Vec2::ZERO).all() && next.cmple(last).all();
            if is_inside && line_of_sight(&field, before, next, radius) {
                points.push(next);
            }
        }
        check(path(&field, radius, &mut Vec::new(), &points), &points);
    });
}

/// The points of a path.
pub(super) fn points(path: &PulledPath<'_>) -> Vec<Vec2> {
    path.corners.iter().map(|corner| corner.point).collect()
}

/// Asserts that a path has the ends of `before`, is at most `slack` cells longer due to rounding, and has no
/// unnecessary corner. Each of its points must see the next one.
#[track_caller]
pub(super) fn assert_is_tight(path: &PulledPath<'_>, before: &[Vec2], slack: f32) {
    let now = points(path);
    let ends = |points: &[Vec2]| (points.first().copied(), points.last().copied());
    assert_eq!(ends(&now), ends(before));
    let is_short = length(&now) <= length(before) + slack;
    assert!(is_short, "{now:?}");
    for line in now.windows(2) {
        let is_seen = path.sees(line[0], line[1]);
        assert!(is_seen, "{line:?} of {now:?}");
    }
    for corner in now.windows(3) {
        let is_needless = path.sees(corner[0], corner[2]);
        assert!(!is_needless, "{corner:?} of {now:?}");
    }
}
