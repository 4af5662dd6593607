//! Which lines a body can go, by a map as it is now.

use glam::Vec2;

use crate::cancel::{Cancelled, Watch};
use crate::cell::Cell;
use crate::map::{Ground, NavMap};
use crate::sight::line_of_sight_until;

/// How far from a center a point of a walk may lie, in cells: rounding.
const AT_CENTER: f32 = 1e-3;

/// Whether a body of the ground's radius can go straight from one point to another: by a proven line of sight,
/// or by a straight run of steps, as some lines of taut paths are.
pub(super) fn is_open_until(
    map: &NavMap,
    ground: &Ground,
    [a, b]: [Vec2; 2],
    watch: &mut Watch<'_>,
) -> Result<bool, Cancelled> {
    let is_seen = line_of_sight_until(map.clearance(), a, b, ground.radius(), watch)?;
    Ok(is_seen || is_run(ground, a, b, watch)?)
}

/// The first of some lines that is not open, by the index of the point at which it begins.
pub(super) fn first_closed(map: &NavMap, ground: &Ground, points: &[Vec2]) -> Option<usize> {
    let closed = first_closed_until(map, ground, points, &mut Watch::new(None));
    closed.expect("invariant: without a flag, nothing cancels it")
}

/// The same, with a flag to give up.
pub(super) fn first_closed_until(
    map: &NavMap,
    ground: &Ground,
    points: &[Vec2],
    watch: &mut Watch<'_>,
) -> Result<Option<usize>, Cancelled> {
    for (i, leg) in points.windows(2).enumerate() {
        if !is_open_until(map, ground, [leg[0], leg[1]], watch)? {
            return Ok(Some(i));
        }
    }
    Ok(None)
}

/// Whether the line is a run of legal steps along a row, a column or a diagonal.
fn is_run(ground: &Ground, a: Vec2, b: Vec2, watch: &mut Watch<'_>) -> Result<bool, Cancelled> {
    let (Some(mut cell), Some(end)) = (center_at(a), center_at(b)) else {
        return Ok(false);
    };
    let grid = ground.grid();
    let (dx, dy) = (end.x.saturating_sub(cell.x), end.y.saturating_sub(cell.y));
    let is_straight = dx == 0 || dy == 0 || dx.unsigned_abs() == dy.unsigned_abs();
    if !is_straight || !grid.is_free(cell) || !grid.is_free(end) {
        return Ok(false);
    }
    let (dx, dy) = (dx.signum(), dy.signum());
    while cell != end {
        watch.pass(1)?;
        let next = cell.offset(dx, dy);
        let beside = [cell.offset(dx, 0), cell.offset(0, dy)].map(|cell| grid.is_free(cell));
        let is_diagonal = dx != 0 && dy != 0;
        if !grid.is_free(next) || is_diagonal && !ground.diagonals().allows(beside[0], beside[1]) {
            return Ok(false);
        }
        cell = next;
    }
    Ok(true)
}

/// The cell whose center the point is.
fn center_at(point: Vec2) -> Option<Cell> {
    let center = point.round();
    let is_near = (point - center).abs().max_element() <= AT_CENTER;
    is_near.then(|| Cell::new(center.x as i32, center.y as i32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cancel::{ITEMS, looks};
    use crate::cell::DiagonalPolicy;
    use crate::grid::Grid;

    #[test]
    fn the_flag_is_looked_at_along_a_run_that_is_not_seen() {
        const SIDE: i32 = 6 * ITEMS as i32;
        let grid = Grid::from_fn(SIDE as u32, 3, |cell| cell.y == 1).expect("a good size");
        let map = NavMap::new(&grid, 2.0, DiagonalPolicy::NoCornerCut);
        let ground = map.ground(0.45);
        let ends = [Cell::new(0, 1), Cell::new(SIDE - 1, 1)].map(Cell::center);
        let (run, looks) = looks::count(usize::MAX, |flag| {
            is_run(&ground, ends[0], ends[1], &mut Watch::new(flag))
        });
        assert!(run.expect("the flag is down"), "all cells are free");
        assert!(looks >= SIDE as usize / ITEMS, "{looks} looks");
        for up_at in 0..looks {
            let (run, looked) = looks::count(up_at, |flag| {
                is_run(&ground, ends[0], ends[1], &mut Watch::new(flag))
            });
            assert!(run.is_err() && looked == up_at + 1, "look {up_at}");
        }
    }
}
