//! The cells that a straight line passes through.

use std::ops::ControlFlow;

use glam::{DVec2, Vec2};

use crate::cell::{Cell, CellRect};

/// Follows a line in cell space through the cells of the rectangle `all` (Amanatides and Woo, 1987). Calls `visit` with
/// each cell and the share of the line that lies in it, in order, until `visit` breaks.
///
/// A line that crosses the common corner of four cells passes through two of them. A border between two cells belongs
/// to the cell with the greater coordinate.
///
/// ```text
///  . . 3      a line from 1 to 3, with shares of 0.4, 0.2 and 0.4
///  1 2 .
/// ```
pub(crate) fn cells_of_line(
    (from, to): (Vec2, Vec2),
    all: CellRect,
    mut visit: impl FnMut(Cell, f64) -> ControlFlow<()>,
) {
    // After this shift by half a cell, each cell extends from one whole number to the next.
    let [from, to] = [from, to].map(|point| point.as_dvec2() + 0.5);
    let way = to - from;
    let Some((mut walked, leaves)) = inside(from, way, all) else {
        return;
    };
    let cell_at = |share: f64| {
        let [x, y] = (from + share * way).floor().to_array();
        let last = all.max.offset(-1, -1);
        Cell::new(
            (x as i32).clamp(all.min.x, last.x),
            (y as i32).clamp(all.min.y, last.y),
        )
    };
    let (mut cell, end) = (cell_at(walked), cell_at(leaves));
    while cell != end {
        // For each axis, the share of the line up to the next border.
        let border = |at: i32, way: f64| f64::from(at) + if way > 0.0 { 1.0 } else { 0.0 };
        let borders = DVec2::new(border(cell.x, way.x), border(cell.y, way.y));
        let next = (borders - from) / way;
        let is_ahead = [cell.x != end.x, cell.y != end.y];
        let x = if is_ahead[0] { next.x } else { f64::INFINITY };
        let y = if is_ahead[1] { next.y } else { f64::INFINITY };
        let until = x.min(y).clamp(walked, leaves);
        if visit(cell, until - walked).is_break() {
            return;
        }
        walked = until;
        let across = |crosses: bool, way: f64| i32::from(crosses) * if way > 0.0 { 1 } else { -1 };
        cell = cell.offset(
            across(is_ahead[0] && x <= y, way.x),
            across(is_ahead[1] && y <= x, way.y),
        );
    }
    let _ = visit(end, leaves - walked);
}

/// The shares of a line at which it enters and leaves a rectangle of cells. `None` if the line misses the rectangle.
fn inside(from: DVec2, way: DVec2, all: CellRect) -> Option<(f64, f64)> {
    let corner = |cell: Cell| DVec2::new(f64::from(cell.x), f64::from(cell.y));
    let (min, max) = (corner(all.min), corner(all.max));
    let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
    for axis in 0..2 {
        if way[axis] == 0.0 {
            let is_beside = from[axis] < min[axis] || from[axis] >= max[axis];
            if is_beside {
                return None;
            }
            continue;
        }
        let [a, b] = [min, max].map(|border| (border[axis] - from[axis]) / way[axis]);
        (enters, leaves) = (enters.max(a.min(b)), leaves.min(a.max(b)));
    }
    (enters <= leaves).then_some((enters, leaves))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::each_case;

    #[test]
    fn cells_and_shares_of_a_line_agree_with_many_samples() {
        let all = CellRect::new(Cell::new(0, 0), Cell::new(9, 7));
        each_case(2_000, |rng| {
            let mut point = || match rng.u8(0..4) {
                0 => Vec2::new(rng.i32(-2..12) as f32, rng.i32(-2..10) as f32),
                1 => Vec2::new(rng.i32(-2..12) as f32, rng.i32(-2..10) as f32) + 0.5,
                _ => Vec2::new(rng.f32() * 14.0 - 2.0, rng.f32() * 11.0 - 2.0),
            };
            let (from, to) = (point(), point());
            let mut found: Vec<(Cell, f64)> = Vec::new();
            cells_of_line((from, to), all, |cell, share| {
                found.push((cell, share));
                ControlFlow::Continue(())
            });
            assert!(found.len() <= 18, "{found:?}");
            for pair in found.windows(2) {
                let (a, b) = (pair[0].0, pair[1].0);
                assert!(a != b && a.x.abs_diff(b.x) <= 1 && a.y.abs_diff(b.y) <= 1);
            }
            const SAMPLES: i32 = 4_000;
            let samples = (0..SAMPLES).map(|n| {
                let share = (f64::from(n) + 0.5) / f64::from(SAMPLES);
                let [from, to] = [from, to].map(|point| point.as_dvec2());
                let [x, y] = (from + share * (to - from) + 0.5).to_array();
                Cell::new(x.floor() as i32, y.floor() as i32)
            });
            let mut sampled = std::collections::HashMap::new();
            for cell in samples.filter(|&cell| all.contains(cell)) {
                *sampled.entry((cell.x, cell.y)).or_insert(0.0) += 1.0 / f64::from(SAMPLES);
            }
            for (cell, share) in &found {
                let expected = sampled.remove(&(cell.x, cell.y)).unwrap_or(0.0);
                let line = (from, to);
                assert!(
                    (share - expected).abs() < 2e-3,
                    "{line:?}: {cell}: {share}, {expected}"
                );
            }
            let missed = sampled.values().sum::<f64>();
            assert!(
                missed < 2e-3,
                "{from} to {to}: a share of {missed} was not visited"
            );
        });
    }

    #[test]
    fn lines_to_far_or_invalid_points_visit_few_cells() {
        let all = CellRect::new(Cell::new(0, 0), Cell::new(9, 7));
        for far in [f32::NAN, f32::INFINITY, 3e38] {
            let mut count = 0;
            cells_of_line((Vec2::ZERO, Vec2::new(far, 1.0)), all, |_, _| {
                count += 1;
                ControlFlow::Continue(())
            });
            assert!(count < 12, "{far}");
        }
    }
}
