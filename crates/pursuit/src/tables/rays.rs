//! Lines of sight from a cell: the corners at which a path can turn first, and whether the cell sees another cell.
//!
//! Rays have their own boards of jump points ([`jump`](crate::jump)). Unlike the boards of searches, these boards
//! treat dead ends as free cells, because a query may begin or end in a dead end. Walks over these boards stop at
//! every jump point.

use super::corners::Corners;
use crate::cancel::{Cancel, Cancelled};
use crate::cell::Cell;
use crate::cost::{HALF_DIAGONAL, HALF_STRAIGHT, half_octile};
use crate::jump::boards::{JumpPointBoards, Skips};
use crate::jump::node::Node;
use crate::jump::straight::Lines;
use crate::jump::walks::{for_each_branch, single_turn_path_is_free, to_jump_point};
use crate::walls::Walls;

/// The [`octile`](crate::cost::octile) cost in units of the tables. It is half the cost that searches use, so
/// that it fits into 32 bits.
#[inline]
pub(super) fn octile_units(a: Cell, b: Cell) -> u32 {
    half_octile(a.x.abs_diff(b.x), a.y.abs_diff(b.y)) as u32
}

/// A corner at which a path from a cell can turn first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    pub(super) corner: u32,
    /// Cost of the path to the corner, in units of the tables.
    pub(super) cost: u32,
    /// Among equally cheap paths, a query returns the path whose turn comes first in this order.
    pub(super) order: (usize, i32),
}

/// The boards of jump points of a map.
pub(super) struct Rays {
    boards: JumpPointBoards,
}

impl Rays {
    /// Builds the rays of a grid, and finds its corners.
    pub(super) fn of(walls: &Walls, cancel: Cancel<'_>) -> Result<(Self, Corners), Cancelled> {
        let (words, width, height) = (walls.words(), walls.width(), walls.height());
        let boards = JumpPointBoards::build(words, width, height, Skips::Nothing, cancel)?;
        let (u_side, v_side) = (boards.u_side, boards.v_side);
        let [by_u, by_v] = boards.lines.each_ref().map(Lines::jump_points);
        let mut corners = by_u.either(&by_v.transposed(v_side, u_side));
        if boards.swapped {
            corners = corners.transposed(u_side, v_side);
        }
        Ok((Self { boards }, Corners::of(&corners)))
    }

    /// Visits the corners at which a cheapest path from `from` can turn first. Only paths to cells that `from` does
    /// not [see](Rays::sees) matter.
    pub(super) fn first_turns(&self, corners: &Corners, from: Cell, visit: &mut impl FnMut(Turn)) {
        let node = self.boards.node(from);
        self.diagonal::<true, true, 0>(corners, node, visit);
        self.diagonal::<false, true, 1>(corners, node, visit);
        self.diagonal::<false, false, 0>(corners, node, visit);
        self.diagonal::<true, false, 1>(corners, node, visit);
    }

    /// Visits the jump points of the straight walks that branch off a diagonal. `U` and `V` say whether each
    /// coordinate grows along the diagonal. From the first cell of the diagonal, only the walk along `START_AXIS` is
    /// made.
    #[inline]
    fn diagonal<const U: bool, const V: bool, const START_AXIS: usize>(
        &self,
        corners: &Corners,
        from: Node,
        visit: &mut impl FnMut(Turn),
    ) {
        let boards = &self.boards;
        let (x_grows, y_grows) = if boards.swapped { (V, U) } else { (U, V) };
        let number = 2 * usize::from(x_grows != y_grows) + usize::from(!x_grows);
        let branch = |axis: usize, diagonal: u32| {
            let branch = from.moved::<0, U>(diagonal).moved::<1, V>(diagonal);
            let (jump_point, steps) = if axis == 0 {
                self.straight::<0, U>(branch)
            } else {
                self.straight::<1, V>(branch)
            };
            let is_along_y = (axis == 1) != boards.swapped;
            // The four straight directions come first, then the diagonals, each with branches along x and along y.
            let order = match (diagonal, is_along_y) {
                (0, false) => (usize::from(!x_grows), 0),
                (0, true) => (2 + usize::from(!y_grows), 0),
                _ => (
                    4 + 2 * number + usize::from(is_along_y),
                    boards.cell(branch).y,
                ),
            };
            let cell = boards.cell(jump_point);
            if let Some(corner) = corners.get(cell.x, cell.y) {
                let cost = diagonal * HALF_DIAGONAL + steps * HALF_STRAIGHT;
                visit(Turn {
                    corner,
                    cost,
                    order,
                });
            }
        };
        if U == V {
            for_each_branch::<true, V, START_AXIS>(boards, from, branch);
        } else {
            for_each_branch::<false, V, START_AXIS>(boards, from, branch);
        }
    }

    /// The jump point that a straight walk reaches, and the number of steps to it.
    #[inline]
    fn straight<const AXIS: usize, const UP: bool>(&self, from: Node) -> (Node, u32) {
        let lines = &self.boards.lines[AXIS];
        let bit = self.boards.line_bit::<AXIS>(from);
        let (steps, _) = to_jump_point::<UP>(lines, bit, None, |_| false);
        (from.moved::<AXIS, UP>(steps), steps)
    }

    /// Whether the path from `from` to `to` that goes diagonally first and then straight is free.
    #[inline]
    pub(super) fn sees(&self, from: Cell, to: Cell) -> bool {
        let [from, to] = [from, to].map(|cell| self.boards.node(cell));
        single_turn_path_is_free(&self.boards, from, to)
    }

    pub(super) fn byte_size(&self) -> usize {
        self.boards.byte_size()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::grid::Grid;
    use crate::jump::naive::{Naive, any_large_grid};
    use crate::path::bend;
    use crate::tables::naive::is_corner;

    /// The four straight steps, as columns and rows.
    const STRAIGHTS: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
    /// The four diagonal steps, as columns and rows.
    const DIAGONALS: [(i32, i32); 4] = [(1, 1), (-1, -1), (1, -1), (-1, 1)];

    fn steps_to_stop(grid: &Grid, from: Cell, (dx, dy): (i32, i32)) -> i32 {
        let cell = |steps: i32| from.offset(dx * steps, dy * steps);
        let walls = Naive(|cell| grid.is_free(cell));
        let is_stop = |cell: Cell| !walls.is_free(cell) || walls.is_jump_point(cell, (dx, dy));
        (1..).find(|&steps| is_stop(cell(steps))).unwrap_or(0)
    }

    fn can_walk(grid: &Grid, from: Cell, (dx, dy): (i32, i32), steps: i32) -> bool {
        let walls = Naive(|cell| grid.is_free(cell));
        (0..steps).all(|taken| walls.can_step(from.offset(dx * taken, dy * taken), (dx, dy)))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(crate::search::oracle::cases(12)))]

        #[test]
        fn first_turns_are_the_jump_points_of_walks_by_single_steps_in_order(grid in any_large_grid()) {
            let (rays, corners) = Rays::of(grid.walls(), Cancel::NEVER).expect("nobody cancels it");
            let all: Vec<Cell> = grid.rect().cells().filter(|&cell| is_corner(&grid, cell)).collect();
            for cell in grid.rect().cells().filter(|&cell| grid.is_free(cell)) {
                let mut found = Vec::new();
                rays.first_turns(&corners, cell, &mut |turn| found.push(turn));
                found.sort_unstable_by_key(|turn| turn.order);
                let found: Vec<(u32, u32)> = found.iter().map(|turn| (turn.corner, turn.cost)).collect();
                let mut expected = Vec::new();
                let mut meet = |from: Cell, (dx, dy): (i32, i32), diagonal: i32| {
                    let steps = steps_to_stop(&grid, from, (dx, dy));
                    let stop = from.offset(dx * steps, dy * steps);
                    if grid.is_free(stop) {
                        let cost = diagonal as u32 * HALF_DIAGONAL + steps as u32 * HALF_STRAIGHT;
                        let corner = all.binary_search_by_key(&(stop.y, stop.x), |corner| (corner.y, corner.x));
                        expected.push((corner.expect("a corner") as u32, cost));
                    }
                };
                STRAIGHTS.into_iter().for_each(|along| meet(cell, along, 0));
                for (dx, dy) in DIAGONALS {
                    let mut steps: Vec<i32> =
                        (1..).take_while(|&taken| can_walk(&grid, cell, (dx, dy), taken)).collect();
                    // Branches come in the order of map rows.
                    if dy < 0 {
                        steps.reverse();
                    }
                    for along in [(dx, 0), (0, dy)] {
                        for &taken in &steps {
                            meet(cell.offset(dx * taken, dy * taken), along, taken);
                        }
                    }
                }
                prop_assert_eq!(found, expected, "{}", cell);
            }
        }

        #[test]
        fn a_cell_sees_another_if_diagonal_and_then_straight_steps_lead_there(
            grid in any_large_grid(), seed: u64,
        ) {
            let (rays, _) = Rays::of(grid.walls(), Cancel::NEVER).expect("nobody cancels it");
            let mut random = fastrand::Rng::with_seed(seed);
            let mut any_cell = || Cell::new(random.i32(0..grid.width() as i32), random.i32(0..grid.height() as i32));
            for _ in 0..3000 {
                let (from, to) = (any_cell(), any_cell());
                if !grid.is_free(from) || !grid.is_free(to) {
                    continue;
                }
                let turn = bend(from, to);
                let sees = [(from, turn), (turn, to)].into_iter().all(|(from, to)| {
                    let (dx, dy) = (to.x - from.x, to.y - from.y);
                    can_walk(&grid, from, (dx.signum(), dy.signum()), dx.abs().max(dy.abs()))
                });
                prop_assert_eq!(rays.sees(from, to), sees, "{} to {}", from, to);
            }
        }
    }
}
