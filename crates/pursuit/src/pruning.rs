//! The pruning of jump-point search: tables of the neighbors that a search must examine from a cell.
//!
//! All searches and fields that prune follow the rule of this module. Two other modules implement it in a faster form,
//! and tests compare the results: [`Window`](crate::terrain::Window) for ground whose costs differ, and
//! `jump::straight`, which finds jump points for 64 cells at a time.

use crate::cell::{DiagonalPolicy, NEIGHBORS};
use crate::cost::{DIAGONAL, STRAIGHT};

/// A set of [`NEIGHBORS`], one bit each, for each 3 × 3 window of cells and each arrival at its middle. The arrival is
/// 0 for the start of a search, and otherwise 1 + the index in [`NEIGHBORS`] of the step to the middle.
///
/// Bit `3 · (dy + 1) + (dx + 1)` of a window is set if the cell at the offset (dx, dy) from the middle is free. The
/// middle is assumed to be free.
///
/// ```text
/// bits of a window     0 1 2     bits of a set     7 3 6
///                      3 4 5     of neighbors      1 . 0
///                      6 7 8                       5 2 4
/// ```
pub(crate) type Successors = [[u8; 512]; 9];

/// The tables for a diagonal policy.
///
/// For arrival 0, a set holds all neighbors to which a step is allowed. For other arrivals, it holds the neighbors that
/// a search must examine on a grid without terrain costs. A neighbor is left out if a path from the previous cell to
/// the neighbor avoids the middle, and is cheaper than the path over the middle. The neighbor is also left out if both
/// paths cost the same and the path that avoids the middle has a last step of lower [`rank`]. This is the pruning of
/// jump-point search (Harabor and Grastien, 2011).
///
/// Of the cheapest paths to a cell, the pruning always keeps at least one. Take the last steps of these paths, and
/// choose one of the lowest rank. The chosen step is never pruned, no matter by which step the cell that it leaves was
/// reached. It would be pruned only for a cheaper path, or for an equally cheap path with a last step of lower rank,
/// and neither exists.
pub(crate) fn successors(diagonals: DiagonalPolicy) -> &'static Successors {
    static NEVER: Successors = table(DiagonalPolicy::Never);
    static NO_CORNER_CUT: Successors = table(DiagonalPolicy::NoCornerCut);
    static ONE_FREE: Successors = table(DiagonalPolicy::OneFree);
    static ALWAYS: Successors = table(DiagonalPolicy::Always);
    match diagonals {
        DiagonalPolicy::Never => &NEVER,
        DiagonalPolicy::NoCornerCut => &NO_CORNER_CUT,
        DiagonalPolicy::OneFree => &ONE_FREE,
        DiagonalPolicy::Always => &ALWAYS,
    }
}

/// For each arrival (see [`Successors`]), the [`NEIGHBORS`] that a search may need on some terrain: all except the
/// previous cell and the cells that are one straight step away from the previous cell. The straight step from the
/// previous cell to such a neighbor is always allowed, and is cheaper than the way through the middle: that way costs
/// at least as much at its two ends, plus the cost of the middle.
pub(crate) const ALWAYS_NEEDED: [u8; 9] = {
    let mut table = [u8::MAX; 9];
    let mut arrival = 0;
    while arrival < 8 {
        let (dx, dy) = NEIGHBORS[arrival];
        let mut n = 0;
        while n < 8 {
            let (x, y) = (NEIGHBORS[n].0 + dx, NEIGHBORS[n].1 + dy);
            if x * x + y * y <= 1 {
                table[arrival + 1] &= !(1 << n);
            }
            n += 1;
        }
        arrival += 1;
    }
    table
};

/// A cell of the window, in columns and rows from the middle, or a step, in columns and rows.
type Offset = (i32, i32);

/// The cell in the middle of the window.
const MIDDLE: Offset = (0, 0);

/// The steps to examine from a cell in the open, by the step that led to the cell (its index in [`NEIGHBORS`]). A cell
/// is in the open if all cells around it are free. No corner may be cut.
pub(crate) const IN_THE_OPEN: [u8; 8] = {
    let window = FreeWindow {
        cells: 511,
        diagonals: DiagonalPolicy::NoCornerCut,
    };
    let mut all = [0; 8];
    let mut step = 0;
    while step < 8 {
        all[step] = window.needed(step + 1);
        step += 1;
    }
    all
};

const fn table(diagonals: DiagonalPolicy) -> Successors {
    let mut table = [[0; 512]; 9];
    let mut cells = 0;
    while cells < 512 {
        let window = FreeWindow {
            cells: cells | 1 << 4,
            diagonals,
        };
        let mut arrival = 0;
        while arrival < 9 {
            table[arrival][cells] = window.needed(arrival);
            arrival += 1;
        }
        cells += 1;
    }
    table
}

/// Which cells of a window are free, as one bit per cell, row by row.
#[derive(Clone, Copy)]
struct FreeWindow {
    cells: usize,
    diagonals: DiagonalPolicy,
}

impl FreeWindow {
    const fn is_free(self, (x, y): Offset) -> bool {
        -1 <= x && x <= 1 && -1 <= y && y <= 1 && self.cells >> (3 * (y + 1) + x + 1) & 1 != 0
    }

    /// Cost of a step between two cells. 0 if the step is not allowed or the cells are not neighbors.
    const fn step(self, from: Offset, to: Offset) -> u32 {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        if !self.is_free(to) || dx < -1 || dx > 1 || dy < -1 || dy > 1 {
            return 0;
        }
        if dx == 0 || dy == 0 {
            return if dx == dy { 0 } else { STRAIGHT };
        }
        let beside = (self.is_free((to.0, from.1)), self.is_free((from.0, to.1)));
        if self.diagonals.allows(beside.0, beside.1) {
            DIAGONAL
        } else {
            0
        }
    }

    /// The steps that must be examined from the middle after an arrival (see [`Successors`]).
    const fn needed(self, arrival: usize) -> u8 {
        let (mut needed, mut n) = (0, 0);
        while n < 8 {
            let is_needed = arrival == 0 || {
                let (dx, dy) = NEIGHBORS[arrival - 1];
                !self.can_do_without_middle((-dx, -dy), NEIGHBORS[n])
            };
            if is_needed && self.step(MIDDLE, NEIGHBORS[n]) > 0 {
                needed |= 1 << n;
            }
            n += 1;
        }
        needed
    }

    /// Whether a search that came from `from` to the middle may leave out `to`.
    const fn can_do_without_middle(self, from: Offset, to: Offset) -> bool {
        if (from.0 == to.0 && from.1 == to.1) || self.step(from, to) > 0 {
            return true;
        }
        let cost = self.step(from, MIDDLE) + self.step(MIDDLE, to);
        let mut n = 0;
        while n < 8 {
            let between = (from.0 + NEIGHBORS[n].0, from.1 + NEIGHBORS[n].1);
            let (first, second) = (self.step(from, between), self.step(between, to));
            let around = (between.0 != 0 || between.1 != 0) && first > 0 && second > 0;
            let lower = rank((to.0 - between.0, to.1 - between.1)) < rank(to);
            if around && (first + second < cost || first + second == cost && lower) {
                return true;
            }
            n += 1;
        }
        false
    }
}

/// The order in which last steps are preferred: vertical, horizontal, diagonal.
const fn rank((dx, dy): Offset) -> u8 {
    if dx == 0 {
        0
    } else if dy == 0 {
        1
    } else {
        2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The window of three rows of text, `#` for a wall.
    fn window(rows: [&str; 3]) -> usize {
        let cells = rows.concat();
        cells
            .bytes()
            .enumerate()
            .map(|(i, c)| usize::from(c != b'#') << i)
            .sum()
    }

    fn reached(diagonals: DiagonalPolicy, arrival: usize, rows: [&str; 3]) -> Vec<(i32, i32)> {
        let set = successors(diagonals)[arrival][window(rows)];
        (0..8)
            .filter(|n| set >> n & 1 != 0)
            .map(|n| NEIGHBORS[n])
            .collect()
    }

    const EAST: usize = 1;
    const SOUTH: usize = 3;
    const SOUTH_EAST: usize = 5;

    #[test]
    fn in_the_open_a_straight_step_goes_on_straight_and_a_diagonal_step_in_three_directions() {
        let open = ["...", "...", "..."];
        for policy in [DiagonalPolicy::NoCornerCut, DiagonalPolicy::Always] {
            assert_eq!(reached(policy, EAST, open), [(1, 0)]);
            assert_eq!(reached(policy, SOUTH_EAST, open), [(1, 0), (0, 1), (1, 1)]);
            assert_eq!(reached(policy, 0, open), NEIGHBORS);
        }
        assert_eq!(
            reached(DiagonalPolicy::Never, EAST, open),
            [(1, 0), (0, 1), (0, -1)]
        );
        assert_eq!(reached(DiagonalPolicy::Never, SOUTH, open), [(0, 1)]);
    }

    #[test]
    fn a_wall_behind_to_the_side_forces_the_turn() {
        let walls = ["#..", "...", "..."];
        let forced = [(1, 0), (0, -1), (1, -1)];
        assert_eq!(reached(DiagonalPolicy::NoCornerCut, EAST, walls), forced);
        let beside = [".#.", "...", "..."];
        assert_eq!(reached(DiagonalPolicy::NoCornerCut, EAST, beside), [(1, 0)]);
        assert_eq!(
            reached(DiagonalPolicy::OneFree, EAST, beside),
            [(1, 0), (1, -1)]
        );
    }
}
