//! The grid that an incremental search has seen last, and in which cells another one differs.
//!
//! Walls are compared by words of 64 cells, in the order in which a [`Grid`] has them. Its first row is padding:
//!
//! ```text
//!   the walls seen last    1 1 . 1 . . 1 1     1 = free, bit 0 left
//!   those of the grid      1 . . 1 . 1 1 1
//!   one of both (xor)      . 1 . . . 1 . .     two cells differ
//!
//!   with 2 words to a row, word 5 holds the cells from (64, 1) on: x = 5 % 2 * 64, y = 5 / 2 - 1
//! ```

use std::sync::Arc;

use crate::cell::{Cell, DiagonalPolicy};
use crate::grid::{Costs, Grid};
use crate::search::options::Heuristic;

/// Words that are compared at once.
const PIECE: usize = 64;

/// What a search knows of a grid: a copy of the walls, so that no map is held that an edit wants to write to.
#[derive(Debug)]
pub(super) struct Seen {
    identity: u64,
    size: (u32, u32),
    words: Vec<u64>,
    costs: Costs,
    rules: Rules,
}

/// What paths and estimates depend on besides the cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Rules {
    pub(super) diagonals: DiagonalPolicy,
    pub(super) heuristic: Heuristic,
    /// What estimates count for a cell.
    pub(super) cheapest: u32,
}

impl Seen {
    pub(super) fn new(grid: &Grid, rules: Rules) -> Self {
        Self {
            identity: grid.identity(),
            size: (grid.width(), grid.height()),
            words: grid.walls().words().to_vec(),
            costs: grid.costs(),
            rules,
        }
    }

    /// Becomes another grid, and lists the cells that are walked on at another cost, or became free or
    /// blocked. `false` if a search on this one has nothing to go on with.
    pub(super) fn follow(&mut self, grid: &Grid, rules: Rules, changes: &mut Vec<Cell>) -> bool {
        changes.clear();
        let is_same_kind = (grid.width(), grid.height()) == self.size
            && rules.diagonals == self.rules.diagonals
            && rules.heuristic == self.rules.heuristic
            // Keys that wait are lower bounds of those that estimates give now.
            && rules.cheapest >= self.rules.cheapest;
        self.rules = rules;
        if !is_same_kind {
            return false;
        }
        if grid.identity() == self.identity {
            return true;
        }
        self.identity = grid.identity();
        self.list_costs(grid, changes);
        self.list_walls(grid, changes);
        true
    }

    /// Lists cells that are free in both grids and cost something else.
    fn list_costs(&mut self, grid: &Grid, changes: &mut Vec<Cell>) {
        let (old, new) = (
            std::mem::replace(&mut self.costs, grid.costs()),
            grid.costs(),
        );
        let is_same = match (&old, &new) {
            (Costs::Each(old), Costs::Each(new)) => Arc::ptr_eq(old, new) || old == new,
            (Costs::Flat(old), Costs::Flat(new)) => old == new,
            _ => false,
        };
        if is_same {
            return;
        }
        let cost = |costs: &Costs, node: u32| match costs {
            Costs::Each(costs) => costs.get(node as usize).copied().unwrap_or(1),
            Costs::Flat(all) => *all,
        };
        for cell in grid.rect().cells() {
            let (Some(node), Some(slot)) = (grid.walls().node(cell), grid.walls().slot(cell))
            else {
                continue;
            };
            let was_free = self.words[slot as usize / 64] >> (slot % 64) & 1 != 0;
            if was_free && grid.is_free(cell) && cost(&old, node) != cost(&new, node) {
                changes.push(cell);
            }
        }
    }

    /// Lists cells that are free in one of both grids.
    fn list_walls(&mut self, grid: &Grid, changes: &mut Vec<Cell>) {
        let row_words = grid.walls().stride() as usize / 64;
        let pieces = self
            .words
            .chunks_mut(PIECE)
            .zip(grid.walls().words().chunks(PIECE));
        for (first, (old, new)) in pieces.enumerate() {
            if old == new {
                continue;
            }
            for (place, (old, &new)) in old.iter_mut().zip(new).enumerate() {
                let mut differ = *old ^ new;
                *old = new;
                let index = first * PIECE + place;
                let (x, y) = (index % row_words * 64, index / row_words);
                while differ != 0 {
                    let bit = differ.trailing_zeros();
                    differ &= differ - 1;
                    changes.push(Cell::new(x as i32 + bit as i32, y as i32 - 1));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use fastrand::Rng;

    use super::*;
    use crate::random::{any_cell, any_walls, each_case};
    use crate::search::oracle::cases;

    const RULES: Rules = Rules {
        diagonals: DiagonalPolicy::NoCornerCut,
        heuristic: Heuristic::Octile,
        cheapest: 1,
    };

    fn any_grid(rng: &mut Rng) -> Grid {
        // Padding differs below 64 columns, and from one word to two. A piece is less than the highest.
        let (width, height) = ([3, 40, 64, 70, 129][rng.usize(0..5)], rng.u32(1..90));
        any_walls(rng, width, height, 5..6)
    }

    /// The same grid but for some cells, most of them close together.
    fn edited(grid: &Grid, rng: &mut Rng) -> Grid {
        let mut builder = grid.to_builder();
        let (walls, costs) = (rng.bool(), rng.u8(0..3) > 0);
        for _ in 0..rng.u32(0..40) {
            let cell = any_cell(rng, grid);
            if walls {
                builder.set_free(cell, rng.bool()).expect("inside");
            }
            if costs {
                builder.set_cost(cell, rng.u8(1..4)).expect("inside");
            }
        }
        builder.build()
    }

    /// The cells in which two grids differ, one by one.
    fn naive_changes(old: &Grid, new: &Grid) -> BTreeSet<Cell> {
        let differs = |cell: &Cell| {
            let is_free = [old.is_free(*cell), new.is_free(*cell)];
            let is_dearer = is_free == [true; 2] && old.cost(*cell) != new.cost(*cell);
            is_free[0] != is_free[1] || is_dearer
        };
        new.rect().cells().filter(differs).collect()
    }

    #[test]
    fn a_grid_is_followed_by_the_cells_that_differ() {
        let mut seen_changes = 0;
        each_case(600, |rng| {
            let mut grid = any_grid(rng);
            let mut seen = Seen::new(&grid, RULES);
            // What was in the list before is of another time.
            let mut changes = vec![Cell::new(-7, -7)];
            for _ in 0..4 {
                let next = edited(&grid, rng);
                let goes_on = seen.follow(&next, RULES, &mut changes);
                assert!(goes_on);
                let found: BTreeSet<Cell> = changes.iter().copied().collect();
                assert_eq!(found, naive_changes(&grid, &next));
                assert_eq!(found.len(), changes.len(), "each once");
                seen_changes += changes.len();
                let again = seen.follow(&next, RULES, &mut changes);
                assert!(again);
                assert!(changes.is_empty(), "nothing is new");
                grid = next;
            }
        });
        assert!(seen_changes > cases(10_000), "{seen_changes}");
    }

    #[test]
    fn a_search_begins_anew_where_other_rules_or_sizes_hold() {
        let grid = Grid::from_fn(20, 30, |_| true).expect("a good size");
        let turned = Grid::from_fn(30, 20, |_| true).expect("a good size");
        let dearer = Rules {
            cheapest: 3,
            ..RULES
        };
        let diagonals = DiagonalPolicy::Always;
        let heuristic = Heuristic::Zero;
        for (first, next, then, goes_on) in [
            (RULES, &grid, RULES, true),
            (RULES, &turned, RULES, false),
            (RULES, &grid, Rules { diagonals, ..RULES }, false),
            (RULES, &grid, Rules { heuristic, ..RULES }, false),
            (RULES, &grid, dearer, true),
            // Keys that wait were made with higher estimates.
            (dearer, &grid, RULES, false),
        ] {
            let mut seen = Seen::new(&grid, first);
            let found = seen.follow(next, then, &mut Vec::new());
            assert_eq!(found, goes_on, "{first:?}, then {then:?}");
        }
    }
}
