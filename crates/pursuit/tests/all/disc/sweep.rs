//! Whether a disc that moves along a line touches a wall: exact but for rounding.

use pursuit::glam::DVec2;
use pursuit::{Cell, Grid};

/// By how much of a cell a disc may overlap a wall. A line that touches a corner is computed, and so
/// never touches it exactly.
const ROUNDING: f64 = 1e-7;

/// Whether a disc of `radius` cells whose center moves from `from` to `to` keeps out of all walls. Cell
/// (0, 0) is the unit square that begins at the origin. What lies outside of the level counts as wall.
pub(crate) fn is_free(level: &Grid, from: DVec2, to: DVec2, radius: f64) -> bool {
    let near = radius - ROUNDING;
    let way = to - from;
    let is_steep = way.y.abs() > way.x.abs();
    let turned = |v: DVec2| if is_steep { DVec2::new(v.y, v.x) } else { v };
    let (a, b) = (turned(from), turned(to));
    let (first, last) = ((a.x.min(b.x) - near).floor(), (a.x.max(b.x) + near).floor());
    let slope = if a.x == b.x {
        0.0
    } else {
        (b.y - a.y) / (b.x - a.x)
    };
    let columns = (last - first) as i32;
    (0..=columns).all(|k| {
        // From the line's begin on, so that a wall near it is found at once.
        let k = if b.x < a.x { columns - k } else { k };
        let column = first as i32 + k;
        let (left, right) = (f64::from(column) - near, f64::from(column + 1) + near);
        let (low, high) = (a.x.min(b.x), a.x.max(b.x));
        let across = |x: f64| a.y + slope * (x.clamp(low, high) - a.x);
        let (p, q) = (across(left), across(right));
        let rows = (p.min(q) - near).floor() as i32..=(p.max(q) + near).floor() as i32;
        rows.into_iter().all(|row| {
            let cell = if is_steep {
                Cell::new(row, column)
            } else {
                Cell::new(column, row)
            };
            level.is_free(cell) || distance(cell, from, to) >= near
        })
    })
}

/// Distance between the square of a cell and a segment.
fn distance(cell: Cell, from: DVec2, to: DVec2) -> f64 {
    let min = DVec2::new(f64::from(cell.x), f64::from(cell.y));
    let max = min + 1.0;
    if crosses(min, max, from, to) {
        return 0.0;
    }
    let of_end = |end: DVec2| end.distance(end.clamp(min, max));
    let corners = [min, max, DVec2::new(min.x, max.y), DVec2::new(max.x, min.y)];
    let of_corner = |corner: DVec2| {
        let way = to - from;
        let share = ((corner - from).dot(way) / way.length_squared()).clamp(0.0, 1.0);
        if share.is_nan() {
            corner.distance(from)
        } else {
            corner.distance(from + way * share)
        }
    };
    let least = corners
        .map(of_corner)
        .into_iter()
        .fold(of_end(from), f64::min);
    least.min(of_end(to))
}

/// Whether a segment meets a box (Kay and Kajiya, 1986).
fn crosses(min: DVec2, max: DVec2, from: DVec2, to: DVec2) -> bool {
    let way = to - from;
    let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
    for axis in 0..2 {
        if way[axis] == 0.0 {
            if from[axis] < min[axis] || from[axis] > max[axis] {
                return false;
            }
            continue;
        }
        let at = [min, max].map(|side| (side[axis] - from[axis]) / way[axis]);
        enters = enters.max(at[0].min(at[1]));
        leaves = leaves.min(at[0].max(at[1]));
    }
    enters <= leaves
}
