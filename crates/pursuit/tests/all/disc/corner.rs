//! The corners that shortest paths turn around. At such a corner, a wall sticks out.

use pursuit::glam::DVec2;
use pursuit::{Cell, Grid};

/// A corner at which three of the four cells are free, and the direction in which a path turns around it.
///
/// A disc turns around the corner on an arc that has the radius of the disc: the quarter circle in the free cell
/// opposite the wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Corner {
    pub(super) at: DVec2,
    /// Radius of the arc. Positive if the path has the corner on its left, otherwise negative.
    pub(super) radius: f64,
    /// The direction from the corner to the point where the path enters the arc: a unit vector along one axis.
    begin: DVec2,
}

/// The corners of a level, each in both directions. The outside of the level is treated as wall, since a shortest path
/// never turns there.
pub(super) fn corners(level: &Grid, radius: f64) -> Vec<Corner> {
    let mut corners = Vec::new();
    for y in 1..level.height() as i32 {
        for x in 1..level.width() as i32 {
            let around = [(-1, -1), (0, -1), (0, 0), (-1, 0)];
            let mut walls = around.into_iter().filter(|(dx, dy)| {
                let cell = Cell::new(x + dx, y + dy);
                !level.is_free(cell)
            });
            let (Some((dx, dy)), None) = (walls.next(), walls.next()) else {
                continue;
            };
            let at = DVec2::new(f64::from(x), f64::from(y));
            // The direction away from the wall.
            let out = DVec2::new(f64::from(-1 - 2 * dx), f64::from(-1 - 2 * dy));
            let sides = [DVec2::new(out.x, 0.0), DVec2::new(0.0, out.y)];
            let is_in_order = sides[0].perp_dot(sides[1]) > 0.0;
            let (first, second) = if is_in_order { (0, 1) } else { (1, 0) };
            corners.push(Corner {
                at,
                radius,
                begin: sides[first],
            });
            corners.push(Corner {
                at,
                radius: -radius,
                begin: sides[second],
            });
        }
    }
    corners
}

impl Corner {
    /// The point of the arc at which a path has the direction `direction`, as an angle from the beginning of the arc.
    /// `None` if there is no such point.
    pub(super) fn angle(&self, direction: DVec2) -> Option<f64> {
        let turn = self.radius.signum();
        let out = right(direction) * turn;
        let angle = self.begin.perp_dot(out).atan2(self.begin.dot(out)) * turn;
        let quarter = 0.0..=std::f64::consts::FRAC_PI_2;
        let inside = angle.clamp(*quarter.start(), *quarter.end());
        ((angle - inside).abs() < 1e-9).then_some(inside)
    }

    /// The point of the arc at an angle from its beginning.
    pub(super) fn point(&self, angle: f64) -> DVec2 {
        let turned = DVec2::from_angle(angle * self.radius.signum());
        self.at + turned.rotate(self.begin) * self.radius.abs()
    }
}

/// A direction rotated to the right by 90 degrees.
fn right(direction: DVec2) -> DVec2 {
    DVec2::new(direction.y, -direction.x)
}

/// A line that touches two circles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tangent {
    pub(super) from: DVec2,
    pub(super) to: DVec2,
    pub(super) direction: DVec2,
}

/// The line that leaves the circle around `a` and meets the circle around `b`. A radius is positive if the center lies
/// to the left of the line, negative if it lies to the right, and 0 for a point. `None` if one circle contains the
/// other.
pub(super) fn tangent(a: (DVec2, f64), b: (DVec2, f64)) -> Option<Tangent> {
    let way = b.0 - a.0;
    let length = way.length();
    let sine = (a.1 - b.1) / length;
    if length == 0.0 || sine.abs() > 1.0 {
        return None;
    }
    let ahead = way / length;
    let direction = ahead * (1.0 - sine * sine).sqrt() - right(ahead) * sine;
    Some(Tangent {
        from: a.0 + right(direction) * a.1,
        to: b.0 + right(direction) * b.1,
        direction,
    })
}
