//! A slow search that is easy to trust, against which the fast searches are checked.
//!
//! Dijkstra's algorithm on cells, with a binary heap and plain arrays. It shares only the cost constants and
//! [`NEIGHBORS`] with the other searches. It is meant for tests, not for speed, and needs the feature `oracle`.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::cell::{Cell, DiagonalPolicy, NEIGHBORS};
use crate::cost::{DIAGONAL, STRAIGHT};
use crate::grid::Grid;
use crate::path::Path;

/// Number of random cases that a test tries: `count` times the factor in the environment variable `PURSUIT_CASES`, but
/// at least one. Without the variable, the number is `count`.
#[must_use]
pub fn cases<N: From<u16>>(count: u16) -> N {
    let factor = std::env::var("PURSUIT_CASES").ok();
    let factor = factor.and_then(|factor| factor.parse().ok());
    N::from((f64::from(count) * factor.unwrap_or(1.0)).max(1.0) as u16)
}

/// Cost of a legal step from `from` to its neighbor `to`: [`STRAIGHT`] or [`DIAGONAL`] times the mean of the two
/// terrain costs. `None` if the step is not allowed or `to` is not a neighbor.
pub(crate) fn step_cost(
    grid: &Grid,
    from: Cell,
    to: Cell,
    diagonals: DiagonalPolicy,
) -> Option<u64> {
    if !grid.is_free(from) || !grid.is_free(to) {
        return None;
    }
    let terrain = u64::from(grid.cost(from)) + u64::from(grid.cost(to));
    match (from.x.abs_diff(to.x), from.y.abs_diff(to.y)) {
        (1, 0) | (0, 1) => Some(u64::from(STRAIGHT) * terrain / 2),
        (1, 1) => {
            let beside = grid.is_free(Cell::new(to.x, from.y));
            let other = grid.is_free(Cell::new(from.x, to.y));
            let is_allowed = diagonals.allows(beside, other);
            is_allowed.then(|| u64::from(DIAGONAL) * terrain / 2)
        }
        _ => None,
    }
}

/// Cost of a walk over cells. `None` if a step is not allowed, a cell is blocked, or `cells` is empty.
#[must_use]
pub fn walk_cost(grid: &Grid, cells: &[Cell], diagonals: DiagonalPolicy) -> Option<u64> {
    if !grid.is_free(*cells.first()?) {
        return None;
    }
    let cost = |step: &[Cell]| step_cost(grid, step[0], step[1], diagonals);
    cells.windows(2).map(cost).sum()
}

/// Cost of the walk over all cells of a path: see [`walk_cost`]. Also `None` if [`Path::turns`] are not exactly the
/// cells at which the path begins, turns and ends.
#[must_use]
pub fn path_cost(grid: &Grid, path: &Path, diagonals: DiagonalPolicy) -> Option<u64> {
    let cells: Vec<Cell> = path.cells().collect();
    let step = |i: usize| (cells[i].x - cells[i - 1].x, cells[i].y - cells[i - 1].y);
    let is_turn = |&i: &usize| i == 0 || i + 1 == cells.len() || step(i) != step(i + 1);
    let turns = (0..cells.len()).filter(is_turn).map(|i| cells[i]);
    let are_turns = turns.eq(path.turns.iter().copied());
    are_turns.then(|| walk_cost(grid, &cells, diagonals))?
}

/// Lowest cost from `start` to every cell, in the order of [`CellIndex`](crate::CellIndex). `None` for a cell that no
/// path reaches, and for all cells if `start` is blocked or outside of the grid.
#[must_use]
pub fn distances(grid: &Grid, start: Cell, diagonals: DiagonalPolicy) -> Vec<Option<u64>> {
    let mut best: Vec<Option<u64>> = vec![None; grid.cell_count()];
    let mut open = BinaryHeap::new();
    if grid.is_free(start) {
        open.push(Reverse((0, start)));
    }
    while let Some(Reverse((cost, cell))) = open.pop() {
        let Some(known) = grid.index(cell).and_then(|index| best.get_mut(index.get())) else {
            continue;
        };
        if known.is_some() {
            continue;
        }
        *known = Some(cost);
        for (dx, dy) in NEIGHBORS {
            let next = cell.offset(dx, dy);
            if let Some(step) = step_cost(grid, cell, next, diagonals) {
                open.push(Reverse((cost + step, next)));
            }
        }
    }
    best
}

/// Lowest cost from `start` to `goal`. `None` if no path leads to `goal`.
#[must_use]
pub fn dijkstra(grid: &Grid, start: Cell, goal: Cell, diagonals: DiagonalPolicy) -> Option<u64> {
    let index = grid.index(goal)?;
    distances(grid, start, diagonals)[index.get()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_costs_the_mean_of_both_cells_in_both_directions() {
        let mut builder = Grid::builder(2, 2).unwrap();
        builder.set_cost(Cell::new(1, 0), 4).unwrap();
        let grid = builder.build();
        let (a, b, c) = (Cell::new(0, 0), Cell::new(1, 0), Cell::new(0, 1));
        let cost = |from, to| step_cost(&grid, from, to, DiagonalPolicy::NoCornerCut);
        assert_eq!(cost(a, b), Some(985 * 5));
        assert_eq!(cost(b, a), Some(985 * 5));
        assert_eq!(cost(a, c), Some(1970));
        assert_eq!(cost(b, c), Some(1393 * 5));
        assert_eq!(cost(a, a), None);
    }

    #[test]
    fn distances_match_sums_by_hand_under_each_policy() {
        let grid = Grid::from_fn(3, 2, |cell| cell != Cell::new(1, 0)).unwrap();
        let from = Cell::new(0, 0);
        let at = |cell, policy| dijkstra(&grid, from, cell, policy);
        let right = Cell::new(2, 0);
        assert_eq!(at(right, DiagonalPolicy::Never), Some(4 * 1970));
        assert_eq!(at(right, DiagonalPolicy::NoCornerCut), Some(4 * 1970));
        assert_eq!(at(right, DiagonalPolicy::OneFree), Some(2 * 2786));
        assert_eq!(at(Cell::new(1, 0), DiagonalPolicy::Always), None);
    }
}
