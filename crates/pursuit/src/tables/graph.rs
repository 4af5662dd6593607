//! The graph of corners that see each other (the *simple subgoal graph* of Uras, Koenig and
//! Hernández, 2013).

use super::contract::Arc;
use super::corners::Corners;
use crate::bits::rows::BitRows;
use crate::bits::steps_to_gap;
use crate::cancel::{Cancel, Cancelled};
use crate::cell::Cell;
use crate::cost::{HALF_DIAGONAL, HALF_STRAIGHT};
use crate::walls::Walls;

/// The edges from each corner to the corners that it sees.
pub(super) fn edges(
    walls: &Walls,
    corners: &Corners,
    cancel: Cancel<'_>,
) -> Result<Vec<Vec<Arc>>, Cancelled> {
    let scans = CornerScans::new(walls, corners);
    let mut edges = Vec::with_capacity(corners.count());
    for from in 0..corners.count() as u32 {
        cancel.check()?;
        let mut around = Vec::new();
        let visit = |to, cost| around.push(Arc::edge(from, to, cost));
        scans.for_each_neighbor(corners.cell(from), visit);
        edges.push(around);
    }
    Ok(edges)
}

/// The four straight steps, as offsets of column and row.
const STRAIGHTS: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];

/// Scans that stop at every corner.
///
/// The set bits are free cells that are not corners, so a scan ends at the next bit that is not set. For example, this
/// is a row of 5 cells with a wall in column 1 and a corner in column 3, and the first 8 bits of its word:
///
/// ```text
/// map row      . # . C .
/// word         1 . 1 . 1 . . .      beyond the map no bit is set
/// ```
struct CornerScans<'a> {
    corners: &'a Corners,
    walls: &'a Walls,
    /// Free cells that are not corners, by row.
    rows: BitRows,
    /// Free cells that are not corners, by column.
    columns: BitRows,
}

impl<'a> CornerScans<'a> {
    fn new(walls: &'a Walls, corners: &'a Corners) -> Self {
        let pairs = walls.words().iter().zip(corners.words());
        let rows = BitRows {
            row_words: walls.stride() as usize / 64,
            words: pairs.map(|(free, corners)| free & !corners).collect(),
        };
        Self {
            corners,
            walls,
            columns: rows.transposed(walls.width(), walls.height()),
            rows,
        }
    }

    /// Number of steps to the first wall or corner in a straight direction.
    fn steps(&self, Cell { x, y }: Cell, (dx, dy): (i32, i32)) -> u32 {
        let (lines, line, bit) = if dy == 0 {
            (&self.rows, y, x)
        } else {
            (&self.columns, x, y)
        };
        let from = (line + 1) as u32 * lines.row_words as u32 * 64 + bit as u32;
        if dx + dy > 0 {
            steps_to_gap::<true>(&lines.words, from)
        } else {
            steps_to_gap::<false>(&lines.words, from)
        }
    }

    /// Visits the corners that a cell sees, each with the cost of the path to it. A cell sees a corner if all
    /// octile-shortest paths to it are free and pass no other corner.
    fn for_each_neighbor(&self, from: Cell, mut visit: impl FnMut(u32, u32)) {
        let reach = STRAIGHTS.map(|direction| self.steps(from, direction));
        for ((dx, dy), steps) in STRAIGHTS.into_iter().zip(reach) {
            let (x, y) = (from.x + dx * steps as i32, from.y + dy * steps as i32);
            if let Some(corner) = self.corners.get(x, y) {
                visit(corner, steps * HALF_STRAIGHT);
            }
        }
        for (sx, dx) in [1, -1].into_iter().enumerate() {
            for (sy, dy) in [1, -1].into_iter().enumerate() {
                self.quadrant(from, (dx, dy), [reach[sx], reach[2 + sy]], &mut visit);
            }
        }
    }

    /// Visits the corners that a cell sees between two straight directions. `reach` has the number of steps to
    /// the first wall or corner in each of these directions. From each cell along the diagonal, a scan starts in
    /// both directions. `from` sees a corner only if the scan that finds it stops after fewer steps than all
    /// scans before it:
    ///
    /// ```text
    /// . . 2 2 2 # .      stops after 3 steps, no fewer than the previous scan: not visited
    /// . 1 1 1 C . .      stops after 3 steps, fewer than 5: visited
    /// S 0 0 0 0 # .      the straight scan from S: a reach of 5
    /// ```
    fn quadrant(
        &self,
        from: Cell,
        (dx, dy): (i32, i32),
        mut reach: [u32; 2],
        visit: &mut impl FnMut(u32, u32),
    ) {
        let is_free = |at: Cell, dx, dy| self.walls.is_free(at.offset(dx, dy));
        let (mut at, mut cost) = (from, 0);
        while is_free(at, dx, 0) && is_free(at, 0, dy) && is_free(at, dx, dy) {
            at = at.offset(dx, dy);
            cost += HALF_DIAGONAL;
            if let Some(corner) = self.corners.get(at.x, at.y) {
                visit(corner, cost);
                return;
            }
            for (reach, (dx, dy)) in reach.iter_mut().zip([(dx, 0), (0, dy)]) {
                if *reach <= 1 {
                    continue;
                }
                let steps = self.steps(at, (dx, dy));
                let (x, y) = (at.x + dx * steps as i32, at.y + dy * steps as i32);
                if steps < *reach
                    && let Some(corner) = self.corners.get(x, y)
                {
                    visit(corner, cost + steps * HALF_STRAIGHT);
                }
                *reach = steps.min(*reach);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cancel::uncancelled;
    use crate::cell::DiagonalPolicy;
    use crate::grid::Grid;
    use crate::jump::naive::Naive;
    use crate::maps::parse_ascii;
    use crate::search::oracle::{self, cases};
    use crate::tables::naive::{any_grid, distances};
    use crate::tables::rays::{Rays, octile_units};

    fn graph_of(grid: &Grid) -> (Corners, Vec<Vec<Arc>>) {
        uncancelled(|cancel| {
            let (_, corners) = Rays::of(grid.walls(), cancel)?;
            let edges = edges(grid.walls(), &corners, cancel)?;
            Ok((corners, edges))
        })
    }

    #[test]
    fn an_edge_costs_as_much_as_its_diagonal_and_straight_steps() {
        let map = parse_ascii("#.......\n.A......\n......C.\n.......#");
        let (_, edges) = graph_of(&map.expect("a board").grid);
        let arc = edges[0][0];
        assert_eq!(arc.cost, HALF_DIAGONAL + 4 * HALF_STRAIGHT);
        assert_eq!((arc.first, arc.last), (1, 0));
    }

    /// Whether all octile-shortest paths between two cells can be walked and pass no corner.
    fn see_each_other(grid: &Grid, corners: &Corners, from: Cell, to: Cell) -> bool {
        let walls = Naive(|cell| grid.is_free(cell));
        let (mut open, mut seen) = (vec![from], vec![from]);
        while let Some(at) = open.pop() {
            let (dx, dy) = (to.x - at.x, to.y - at.y);
            let mut steps = Vec::new();
            if dx != 0 && dy != 0 {
                steps.push((dx.signum(), dy.signum()));
            }
            if dx.abs() > dy.abs() {
                steps.push((dx.signum(), 0));
            }
            if dy.abs() > dx.abs() {
                steps.push((0, dy.signum()));
            }
            for step in steps {
                let next = at.offset(step.0, step.1);
                let is_corner = corners.get(next.x, next.y).is_some();
                if !walls.can_step(at, step) || is_corner && next != to {
                    return false;
                }
                if !seen.contains(&next) {
                    seen.push(next);
                    open.push(next);
                }
            }
        }
        true
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(cases(1000)))]

        #[test]
        fn edges_join_the_corners_that_see_each_other(grid in any_grid()) {
            let (corners, edges) = graph_of(&grid);
            for (from, arcs) in (0..corners.count() as u32).zip(&edges) {
                let cell = corners.cell(from);
                let mut found: Vec<(u32, u32)> = arcs.iter().map(|arc| (arc.to, arc.cost)).collect();
                found.sort_unstable();
                let mut expected = Vec::new();
                for to in (0..corners.count() as u32).filter(|&to| to != from) {
                    let end = corners.cell(to);
                    if see_each_other(&grid, &corners, cell, end) {
                        expected.push((to, octile_units(cell, end)));
                    }
                }
                prop_assert_eq!(found, expected, "from {}", cell);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(cases(100)))]

        #[test]
        fn distances_between_corners_in_the_graph_equal_distances_on_the_map(grid in any_grid()) {
            let (corners, edges) = graph_of(&grid);
            for (from, distances) in (0..).zip(distances(&edges)) {
                let on_map = oracle::distances(&grid, corners.cell(from), DiagonalPolicy::NoCornerCut);
                for (to, distance) in (0..).zip(distances) {
                    let slot = grid.index(corners.cell(to)).expect("on the grid");
                    prop_assert_eq!(distance.map(|units| 2 * units), on_map[slot.get()]);
                }
            }
        }
    }
}
