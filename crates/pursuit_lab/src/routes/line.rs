//! Which lines a body can go, by a map as it is now.

use glam::Vec2;
use pursuit::{BodyLayers, Cell, NavMap};

/// How far from a center a point of a walk may lie, in cells: rounding.
const AT_CENTER: f32 = 1e-3;

/// Whether a body of the layers' radius can go straight from one point to another: by a proven line of sight,
/// or by a straight run of steps, as some lines of taut paths are.
pub(super) fn is_open(map: &NavMap, layers: &BodyLayers, [a, b]: [Vec2; 2]) -> bool {
    map.line_of_sight(a, b, layers.radius()) || is_run(layers, a, b)
}

/// The first of some lines that is not open, by the index of the point at which it begins.
pub(super) fn first_closed(map: &NavMap, layers: &BodyLayers, points: &[Vec2]) -> Option<usize> {
    for (i, leg) in points.windows(2).enumerate() {
        if !is_open(map, layers, [leg[0], leg[1]]) {
            return Some(i);
        }
    }
    None
}

/// Whether the line is a run of legal steps along a row, a column or a diagonal.
fn is_run(layers: &BodyLayers, a: Vec2, b: Vec2) -> bool {
    let (Some(mut cell), Some(end)) = (center_at(a), center_at(b)) else {
        return false;
    };
    let grid = layers.grid();
    let (dx, dy) = (end.x.saturating_sub(cell.x), end.y.saturating_sub(cell.y));
    let is_straight = dx == 0 || dy == 0 || dx.unsigned_abs() == dy.unsigned_abs();
    if !is_straight || !grid.is_free(cell) || !grid.is_free(end) {
        return false;
    }
    let (dx, dy) = (dx.signum(), dy.signum());
    while cell != end {
        let next = cell.offset(dx, dy);
        let beside = [cell.offset(dx, 0), cell.offset(0, dy)].map(|cell| grid.is_free(cell));
        let is_diagonal = dx != 0 && dy != 0;
        if !grid.is_free(next) || is_diagonal && !layers.diagonals().allows(beside[0], beside[1]) {
            return false;
        }
        cell = next;
    }
    true
}

/// The cell whose center the point is.
fn center_at(point: Vec2) -> Option<Cell> {
    let center = point.round();
    let is_near = (point - center).abs().max_element() <= AT_CENTER;
    is_near.then(|| Cell::new(center.x as i32, center.y as i32))
}
