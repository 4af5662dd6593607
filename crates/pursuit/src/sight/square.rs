//! What the samples around one unit square prove about the points in it.

use std::f32::consts::FRAC_1_SQRT_2;

use glam::Vec2;

use crate::cell::Cell;
use crate::clearance::{self, Clearance, Step};
use crate::steer::closest_on_segment;

/// Maximum number of times that a part of a segment is halved if no single argument proves it.
const MAX_HALVINGS: u32 = 4;

/// Inradius of one of the four triangles into which the diagonals divide the unit square, rounded up. Every point
/// of the square is at most this far from some side or diagonal.
const QUARTER_INRADIUS: f32 = 0.207_107;

/// Coordinates of the centers at the corners of a square and around them, row by row:
///
/// ```text
///   y   2   12  13  14  15
///       1    8   9--10  11      The square has the centers 5, 6, 9 and 10
///       0    4   5-- 6   7      at its corners.
///      -1    0   1   2   3
///       x   -1   0   1   2
/// ```
const CENTERS_X: [f32; 16] = [
    -1.0, 0.0, 1.0, 2.0, -1.0, 0.0, 1.0, 2.0, -1.0, 0.0, 1.0, 2.0, -1.0, 0.0, 1.0, 2.0,
];
const CENTERS_Y: [f32; 16] = [
    -1.0, -1.0, -1.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0,
];

/// Maximum rounding error in the proof of a part of a segment, in cells.
const PROOF_ROUNDING_CELLS: f32 = 1e-5;

/// An upper bound of two units of a field with a cap of 1, in cells. A field stores distances in units, and a cap of
/// 1 has at least 32,768 of them.
const TWO_UNITS_CELLS: f32 = 1.0 / 16384.0;

/// The distances sampled along the sides and diagonals of a unit square whose corners are cell centers.
/// Points are relative to the lowest corner:
///
/// ```text
///   (0, 1)  top  (1, 1)
///        o-------o
///        | \   / |  `rising` is the diagonal `/`,
///   left |   x   | right
///        | /   \ |  `falling` is the diagonal `\`
///        o-------o
///   (0, 0) bottom (1, 0)
/// ```
///
/// Two arguments give a lower bound of the distance from a point `p` to the nearest obstacle:
///
/// - *Near a sample.* The distance is at least `s − d`, where `s` is the distance sampled at a side, a diagonal
///   or a center, and `d` is the distance from `p` to that side, diagonal or center. This also holds for points
///   outside the square. The centers are the corners and the twelve centers around them.
/// - *Enclosed.* A line from `p` to an obstacle outside the square crosses a side, so it is at least as long as the
///   way from `p` to that side plus the distance sampled at that side. An obstacle inside the square keeps its
///   distance from all four sides, so it lies in a smaller rectangle, the core. No obstacle lies inside if the core
///   is empty, or if the least of the six distances exceeds [`QUARTER_INRADIUS`].
///
/// The methods return these bounds for a whole segment.
pub(super) struct Square {
    left: f32,
    right: f32,
    bottom: f32,
    top: f32,
    /// The diagonal from (0, 0) to (1, 1).
    rising: f32,
    /// The diagonal from (1, 0) to (0, 1).
    falling: f32,
    /// Whether the square also covers the rim of the grid, so that points may lie outside it.
    has_rim: bool,
}

impl Square {
    /// The square with the lowest corner `origin`, a cell of the grid. A grid with a single column or row lacks
    /// most of the samples. These are 0 and prove nothing. With `has_rim`, points may also lie outside the
    /// square.
    pub(super) fn at(clearance: &Clearance, origin: Cell, has_rim: bool) -> Self {
        let width = clearance.width() as usize;
        if width < 2 || clearance.height() < 2 {
            return Self::of_a_thin_grid(clearance, origin);
        }
        let i = origin.y as usize * width + origin.x as usize;
        let [left, right, bottom, top, rising, falling] = clearance.around_square(i);
        Self {
            left,
            right,
            bottom,
            top,
            rising,
            falling,
            has_rim,
        }
    }

    #[cold]
    fn of_a_thin_grid(clearance: &Clearance, origin: Cell) -> Self {
        Self {
            left: clearance.step(origin, Step::PlusY),
            bottom: clearance.step(origin, Step::PlusX),
            right: 0.0,
            top: 0.0,
            rising: 0.0,
            falling: 0.0,
            has_rim: true,
        }
    }

    /// Whether one argument from the square's own samples proves the whole segment from `a` to `b`. The
    /// segment lies in the square, or outside it in the rim of the grid.
    pub(super) fn proves(&self, a: Vec2, b: Vec2, needed: f32) -> bool {
        if self.has_rim && !(is_in_unit_square(a) && is_in_unit_square(b)) {
            return self.near_lines_outside(a, b) >= needed;
        }
        self.near_lines(a, b) >= needed
            || self.enclosed(a, b) >= needed && self.to_core(a, b) >= needed
    }

    fn least(&self) -> f32 {
        let sides = self.left.min(self.right).min(self.bottom.min(self.top));
        sides.min(self.rising.min(self.falling))
    }

    /// A lower bound of the distance from the segment to any obstacle, given by the side or diagonal that proves
    /// the most. `a` and `b` are in the square. The distance to a side or diagonal is a convex function along the
    /// segment, so it is greatest at an end.
    fn near_lines(&self, a: Vec2, b: Vec2) -> f32 {
        let (low, high) = (a.min(b), a.max(b));
        let to_rising = (a.x - a.y).abs().max((b.x - b.y).abs());
        let to_falling = (a.x + a.y - 1.0).abs().max((b.x + b.y - 1.0).abs());
        let beside = (self.left - high.x).max(self.right - 1.0 + low.x);
        let above = (self.bottom - high.y).max(self.top - 1.0 + low.y);
        let across = (self.rising - to_rising * FRAC_1_SQRT_2)
            .max(self.falling - to_falling * FRAC_1_SQRT_2);
        beside.max(above).max(across)
    }

    /// The bound of [`near_lines`](Self::near_lines) for points that may be outside the square.
    fn near_lines_outside(&self, a: Vec2, b: Vec2) -> f32 {
        let [bottom_left, bottom_right, top_left, top_right] =
            [Vec2::ZERO, Vec2::X, Vec2::Y, Vec2::ONE];
        let near = |(sample, from, to)| {
            sample - distance_to_segment(a, from, to).max(distance_to_segment(b, from, to))
        };
        let lines = [
            (self.left, bottom_left, top_left),
            (self.right, bottom_right, top_right),
            (self.bottom, bottom_left, bottom_right),
            (self.top, top_left, top_right),
            (self.rising, bottom_left, top_right),
            (self.falling, bottom_right, top_left),
        ];
        let all_near = lines.map(near).into_iter();
        all_near.fold(f32::NEG_INFINITY, f32::max)
    }

    /// A lower bound of the distance from a segment inside the square to any obstacle outside it.
    fn enclosed(&self, a: Vec2, b: Vec2) -> f32 {
        let (low, high) = (a.min(b), Vec2::ONE - a.max(b));
        let horizontal = (low.x + self.left).min(high.x + self.right);
        let vertical = (low.y + self.bottom).min(high.y + self.top);
        horizontal.min(vertical)
    }

    /// Distance from a segment inside the square to the core, the part of the square that may hold obstacles.
    /// Infinite if the square holds none.
    fn to_core(&self, a: Vec2, b: Vec2) -> f32 {
        let low = Vec2::new(self.left, self.bottom);
        let high = Vec2::ONE - Vec2::new(self.right, self.top);
        // If the obstacle is a point or a thin wall, the core has no thickness. Rounding must not make it empty.
        if low.cmpgt(high + PROOF_ROUNDING_CELLS).any() || self.least() > QUARTER_INRADIUS {
            return f32::INFINITY;
        }
        distance_to_rectangle(a, b, low, high.max(low))
    }
}

/// A square together with the 16 centers at its corners and around them. It judges segments that the square's own
/// samples do not prove.
pub(super) struct Neighborhood {
    square: Square,
    /// Distances at the centers from (-1, -1) to (2, 2), row by row.
    centers: [f32; 16],
}

impl Neighborhood {
    pub(super) fn of(square: Square, clearance: &Clearance, origin: Cell) -> Self {
        if let Some(centers) = clearance.centers_around(origin) {
            return Self { square, centers };
        }
        let mut centers = [0.0; 16];
        for (dy, row) in (-1..).zip(centers.chunks_exact_mut(4)) {
            for (dx, center) in (-1..).zip(row) {
                *center = clearance.center(origin.offset(dx, dy));
            }
        }
        Self { square, centers }
    }

    /// A lower bound of the distance from `point` to any obstacle.
    pub(super) fn distance(&self, point: Vec2) -> f32 {
        let near = self.near_centers(point);
        if !is_in_unit_square(point) {
            return near.max(self.square.near_lines_outside(point, point));
        }
        let enclosed = self.square.enclosed(point, point);
        near.max(self.square.near_lines(point, point))
            .max(enclosed.min(self.square.to_core(point, point)))
    }

    /// Whether the segment from `a` to `b` is proven to be at least `needed` from any obstacle. Both ends lie in
    /// the square, or both lie beside it in the rim of the grid.
    pub(super) fn is_proven(&self, a: Vec2, b: Vec2, needed: f32) -> bool {
        self.holds(a, b, needed)
            || self.may_hold(b, needed) && self.halves_are_proven(a, b, needed, MAX_HALVINGS)
    }

    /// The proven fraction of the segment, beginning at `a`. It is 1 exactly when [`is_proven`](Self::is_proven)
    /// holds.
    pub(super) fn proven_part(&self, a: Vec2, b: Vec2, needed: f32) -> f32 {
        self.bisect(a, b, needed, MAX_HALVINGS)
    }

    fn bisect(&self, a: Vec2, b: Vec2, needed: f32, depth: u32) -> f32 {
        if self.holds(a, b, needed) {
            return 1.0;
        }
        if depth == 0 {
            return 0.0;
        }
        let middle = a.midpoint(b);
        let first = self.bisect(a, middle, needed, depth - 1);
        if first < 1.0 {
            return first / 2.0;
        }
        0.5 + self.bisect(middle, b, needed, depth - 1) / 2.0
    }

    fn halves_are_proven(&self, a: Vec2, b: Vec2, needed: f32, depth: u32) -> bool {
        let middle = a.midpoint(b);
        let half = |a, b| {
            self.holds(a, b, needed) || depth > 1 && self.halves_are_proven(a, b, needed, depth - 1)
        };
        depth > 0 && self.may_hold(middle, needed) && half(a, middle) && half(middle, b)
    }

    /// Whether a segment through `point` might be proven. The point itself must be proven, except for rounding
    /// errors.
    fn may_hold(&self, point: Vec2, needed: f32) -> bool {
        self.holds(point, point, needed - PROOF_ROUNDING_CELLS)
    }

    /// Whether a single argument proves the whole segment.
    fn holds(&self, a: Vec2, b: Vec2, needed: f32) -> bool {
        self.square.proves(a, b, needed) || self.is_near_center(a, b, needed)
    }

    /// Whether a single center proves the segment, which may be outside the square.
    fn is_near_center(&self, a: Vec2, b: Vec2, needed: f32) -> bool {
        // This form needs neither branches nor roots.
        let mut is_near = false;
        for i in 0..16 {
            let [to_a, to_b] = [a, b].map(|end| {
                let (x, y) = (end.x - CENTERS_X[i], end.y - CENTERS_Y[i]);
                x * x + y * y
            });
            let farther = if to_a > to_b { to_a } else { to_b };
            let spare = self.centers[i] - needed;
            is_near |= spare * spare.abs() >= farther;
        }
        is_near
    }

    /// A lower bound of the distance from `point` to any obstacle, given by the center that proves the most.
    fn near_centers(&self, point: Vec2) -> f32 {
        let mut best = f32::NEG_INFINITY;
        for (i, sample) in self.centers.into_iter().enumerate() {
            let center = Vec2::new(CENTERS_X[i], CENTERS_Y[i]);
            best = best.max(sample - point.distance(center));
        }
        best
    }
}

/// The least byte which proves that every point of a square is at least `needed` from any obstacle. `None` if
/// no byte proves it.
pub(super) fn least_byte(needed: f32) -> Option<u8> {
    clearance::least_byte(needed.max(QUARTER_INRADIUS))
}

/// Whether the byte of the square with the lowest corner `origin`, a cell of the grid, is at least `least`.
/// Most squares pass this cheap test.
pub(super) fn is_clear(clearance: &Clearance, origin: Cell, least: Option<u8>) -> bool {
    let i = origin.y as usize * clearance.width() as usize + origin.x as usize;
    least.is_some_and(|least| clearance.squares()[i] >= least)
}

/// A lower bound of the distance from any point of a square to an obstacle. `origin` is the square's lowest corner, a
/// cell of the grid. This reads only the square's byte ([`Clearance::squares`]). The bound is 0 if the byte is too
/// small to prove any distance.
pub(super) fn least_distance(clearance: &Clearance, origin: Cell) -> f32 {
    let i = origin.y as usize * clearance.width() as usize + origin.x as usize;
    let distance = clearance::byte_distance(clearance.squares()[i]);
    if distance >= QUARTER_INRADIUS {
        distance
    } else {
        0.0
    }
}

/// Whether an obstacle is closer than `needed` to a point in the square with the lowest corner `origin`,
/// according to the cell center nearest to the point. Most lines into a wall fail this cheap test.
pub(super) fn is_blocked(clearance: &Clearance, origin: Cell, point: Vec2, needed: f32) -> bool {
    let [right, up] = [point.x > 0.5, point.y > 0.5].map(i32::from);
    let corner = Vec2::new(right as f32, up as f32);
    let spare = needed - center_upper_bound(clearance, origin.offset(right, up));
    spare > 0.0 && point.distance_squared(corner) < spare * spare
}

/// An upper bound of the distance at a center. The field's own distance is rounded down by up to two units, so
/// with this bound no center blocks a line that a center with a smaller rounding error proves.
pub(super) fn center_upper_bound(clearance: &Clearance, center: Cell) -> f32 {
    clearance.center(center) + clearance.cap() * TWO_UNITS_CELLS + PROOF_ROUNDING_CELLS
}

fn is_in_unit_square(point: Vec2) -> bool {
    point.cmpge(Vec2::ZERO).all() && point.cmple(Vec2::ONE).all()
}

fn distance_to_segment(point: Vec2, from: Vec2, to: Vec2) -> f32 {
    point.distance(closest_on_segment(from, to, point))
}

/// Distance between the segment from `a` to `b` and the rectangle from `low` to `high`. It is 0 if neither an
/// axis nor the line through `a` and `b` separates the two.
fn distance_to_rectangle(a: Vec2, b: Vec2, low: Vec2, high: Vec2) -> f32 {
    let to_rectangle = |point: Vec2| point.distance(point.clamp(low, high));
    let ends = to_rectangle(a).min(to_rectangle(b));
    let corners = [
        low,
        Vec2::new(high.x, low.y),
        Vec2::new(low.x, high.y),
        high,
    ];
    let delta = b - a;
    let sides = corners.map(|corner| delta.perp_dot(corner - a));
    let is_beside = sides.iter().all(|&side| side > 0.0) || sides.iter().all(|&side| side < 0.0);
    let is_apart = a.max(b).cmplt(low).any() || a.min(b).cmpgt(high).any();
    if !is_beside && !is_apart {
        return 0.0;
    }
    let from_corners = corners.map(|corner| distance_to_segment(corner, a, b));
    from_corners.into_iter().fold(ends, f32::min)
}

#[cfg(test)]
mod tests;
