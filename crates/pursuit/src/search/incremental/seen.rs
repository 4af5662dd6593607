//! The grid that an incremental search has seen last, and in which cells another one differs.

use std::sync::Arc;

use crate::cell::{Cell, DiagonalPolicy};
use crate::grid::Grid;
use crate::search::options::Heuristic;

/// Words that are compared at once.
const PIECE: usize = 64;

/// What a search knows of a grid: a copy of the walls, so that no map is held that an edit wants to write to.
#[derive(Debug)]
pub(super) struct Seen {
    identity: u64,
    size: (u32, u32),
    words: Vec<u64>,
    costs: Option<Arc<[u8]>>,
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
            words: grid.words().to_vec(),
            costs: grid.costs().cloned(),
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
        let (old, new) = (self.costs.take(), grid.costs());
        self.costs = new.cloned();
        let is_same = match (&old, new) {
            (Some(old), Some(new)) => Arc::ptr_eq(old, new) || old == new,
            (old, new) => old.is_none() && new.is_none(),
        };
        if is_same {
            return;
        }
        let cost = |costs: Option<&Arc<[u8]>>, node: u32| {
            costs
                .and_then(|costs| costs.get(node as usize))
                .map_or(1, |&cost| cost)
        };
        for cell in grid.rect().cells() {
            let (Some(node), Some(slot)) = (grid.node(cell), grid.slot(cell)) else {
                continue;
            };
            let was_free = self.words[slot as usize / 64] >> (slot % 64) & 1 != 0;
            if was_free && grid.is_free(cell) && cost(old.as_ref(), node) != cost(new, node) {
                changes.push(cell);
            }
        }
    }

    /// Lists cells that are free in one of both grids.
    fn list_walls(&mut self, grid: &Grid, changes: &mut Vec<Cell>) {
        let row_words = grid.stride() as usize / 64;
        let pieces = self.words.chunks_mut(PIECE).zip(grid.words().chunks(PIECE));
        for (first, (old, new)) in pieces.enumerate().filter(|(_, (old, new))| old != new) {
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
