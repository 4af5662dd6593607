//! Whether a disc that moves along a line touches a wall: exact except for rounding.

use pursuit::glam::DVec2;
use pursuit::{Cell, Grid};

use crate::segments::to_rectangle;

/// How far a disc may overlap a wall, in cells. Because of rounding, a computed line never touches a corner exactly.
const ROUNDING: f64 = 1e-7;

/// Whether a disc of `radius` cells whose center moves from `from` to `to` stays out of all walls. Cell (0, 0) is the
/// unit square that begins at the origin. The outside of the level is treated as wall.
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
        // The columns are checked from the beginning of the line, so that a wall near the beginning is found early.
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
    to_rectangle(from, to, min, min + 1.0)
}
