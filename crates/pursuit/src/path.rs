//! A walk over cells.

use crate::cell::Cell;
use crate::cost::STRAIGHT;

/// Cells from the start to the end and what the walk costs. Each is a neighbor of the one before,
/// unless only [turns](crate::PathCells::Turns) were asked for: then count steps by
/// [`length`](Self::length), not by cells.
///
/// Holds at least one cell when it comes from a search. A path of only the start is a walk of
/// length zero.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Path {
    /// The cells in walking order, both ends included.
    pub cells: Vec<Cell>,
    /// Sum of the costs of its steps, in units of [`STRAIGHT`] per straight step on cost 1.
    pub cost: u64,
}

impl Path {
    /// The cost in straight steps on terrain of cost 1: on a grid without terrain, the length in
    /// cells, where a diagonal step counts √2 with a relative error below 3e-7.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.cost as f64 / f64::from(STRAIGHT)
    }

    /// The first cell.
    #[must_use]
    pub fn start(&self) -> Option<Cell> {
        self.cells.first().copied()
    }

    /// The last cell.
    #[must_use]
    pub fn end(&self) -> Option<Cell> {
        self.cells.last().copied()
    }
}

/// All cells of a walk that is straight or diagonal between those given.
pub(crate) fn walk(turns: &[Cell]) -> Vec<Cell> {
    let steps = |leg: &[Cell]| leg[0].x.abs_diff(leg[1].x).max(leg[0].y.abs_diff(leg[1].y));
    let count: u32 = turns.windows(2).map(steps).sum();
    let mut cells = Vec::with_capacity(count as usize + 1);
    cells.extend(turns.first());
    for leg in turns.windows(2) {
        push_leg(&mut cells, leg[0], leg[1]);
    }
    cells
}

/// Adds the cells of a leg that is straight or diagonal, its last included and its first not. Both are
/// inside of a grid.
///
/// Takes a step with one addition, and writes a cell as one word:
///
/// ```text
/// bit      63 .. 32   31 .. 0
/// cell     y          x           none is below 0, so the halves never borrow from one another
/// step     dy         dx          as dy · 2³² + dx
/// ```
#[inline(always)]
pub(crate) fn push_leg(cells: &mut Vec<Cell>, from: Cell, to: Cell) {
    let word = |x: i32, y: i32| (i64::from(y) << 32) + i64::from(x);
    let steps = from.x.abs_diff(to.x).max(from.y.abs_diff(to.y));
    let step = word((to.x - from.x).signum(), (to.y - from.y).signum());
    let mut at = word(from.x, from.y);
    cells.extend((0..steps).map(|_| {
        at += step;
        Cell::new(at as i32, (at >> 32) as i32)
    }));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_leg_is_walked_cell_by_cell(
            (x, y) in (0i32..300, 0i32..300), (dx, dy) in (-1i32..2, -1i32..2), most in 0i32..200,
        ) {
            let from = Cell::new(x, y);
            let cell = |k: i32| from.offset(k * dx, k * dy);
            let is_inside = |cell: Cell| cell.x >= 0 && cell.y >= 0;
            let steps = if (dx, dy) == (0, 0) { 0 } else { most };
            let expected: Vec<_> = (0..=steps).map(cell).take_while(|&cell| is_inside(cell)).collect();
            let mut found = vec![from];
            push_leg(&mut found, from, expected[expected.len() - 1]);
            prop_assert_eq!(found, expected);
        }
    }
}
