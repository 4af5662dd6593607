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

/// Adds the cells of a leg that is straight or diagonal, its last included and its first not.
#[inline(always)]
pub(crate) fn push_leg(cells: &mut Vec<Cell>, from: Cell, to: Cell) {
    let steps = from.x.abs_diff(to.x).max(from.y.abs_diff(to.y)) as i32;
    let (dx, dy) = ((to.x - from.x).signum(), (to.y - from.y).signum());
    cells.extend((1..steps + 1).map(|k| Cell::new(from.x + k * dx, from.y + k * dy)));
}
