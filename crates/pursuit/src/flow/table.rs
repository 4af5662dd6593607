//! The known costs of the cheapest paths from cells.

use crate::cancel::{Cancel, Cancelled};
use crate::cell::{Cell, CellRect, DiagonalPolicy, NEIGHBORS};
use crate::cost::{DIAGONAL, STRAIGHT};
use crate::grid::Grid;
use crate::path::Path;
use crate::search::{Edge, Weights};

/// The entry of a blocked cell, and of the rim of walls around all cells.
pub(super) const WALL: u32 = 0;
/// The entry of a cell from which no path is known yet.
pub(super) const UNKNOWN_COST: u32 = u32::MAX;

/// The entries of four cells, for each combination of free and blocked cells. Bit `i` of the index is set if cell `i`
/// is free.
static FOURS: [[u32; 4]; 16] = {
    let mut all = [[WALL; 4]; 16];
    let mut i = 0;
    while i < 64 {
        if (i / 4) >> (i % 4) & 1 != 0 {
            all[i / 4][i % 4] = UNKNOWN_COST;
        }
        i += 1;
    }
    all
};

/// The costs of the cells in a rectangle, by rows, with a rim of walls around it.
#[derive(Clone, Debug, Default)]
pub(super) struct CostTable {
    /// Each entry is 1 + cost, [`WALL`] or [`UNKNOWN_COST`].
    pub(super) costs: Vec<u32>,
    /// The terrain costs of the cells, in the order of `costs`. Empty if all cells have the same cost.
    pub(super) terrain: Vec<u8>,
    /// The costs of a straight step and of a diagonal step, if all cells have the same cost.
    pub(super) even: [u32; 2],
    pub(super) rect: CellRect,
    pub(super) diagonals: DiagonalPolicy,
}

impl CostTable {
    /// Loads the cells of a rectangle of a grid. No path is known from any cell yet.
    pub(super) fn start(
        &mut self,
        grid: &Grid,
        rect: CellRect,
        diagonals: DiagonalPolicy,
        cancel: Cancel<'_>,
    ) -> Result<(), Cancelled> {
        self.rect = rect;
        self.diagonals = diagonals;
        let all = u32::from(grid.uniform_cost().unwrap_or(1));
        self.even = [STRAIGHT * all, DIAGONAL * all];
        self.costs.clear();
        self.terrain.clear();
        if rect.is_empty() {
            return Ok(());
        }
        let slots = self.stride() * (rect.height() as usize + 2);
        self.costs.resize(slots, WALL);
        let (first, width, stride) = (rect.min.x as usize, rect.width() as usize, self.stride());
        let rows = self.costs.chunks_exact_mut(stride).skip(1);
        for (y, row) in (rect.min.y..rect.max.y).zip(rows) {
            cancel.check()?;
            let words = grid.walls().row(y as u32);
            let bits = |x: usize| (words[x / 64] >> (x % 64)) as usize;
            let mut fours = row[1..=width].chunks_exact_mut(4);
            for (x, four) in (first..).step_by(4).zip(&mut fours) {
                // The last word of a row ends with blocked bits.
                let rest = if x % 64 > 60 {
                    bits((x / 64 + 1) * 64) << (64 - x % 64)
                } else {
                    0
                };
                four.copy_from_slice(&FOURS[(bits(x) | rest) % 16]);
            }
            for (x, cost) in (first + width / 4 * 4..).zip(fours.into_remainder()) {
                *cost = FOURS[bits(x) % 2][0];
            }
        }
        if grid.uniform_cost().is_none() {
            self.terrain.resize(slots, 1);
            let rows = self.terrain.chunks_exact_mut(stride).skip(1);
            for (y, row) in (rect.min.y..rect.max.y).zip(rows) {
                cancel.check()?;
                for (x, cost) in (rect.min.x..).zip(&mut row[1..=width]) {
                    *cost = grid.cost(Cell::new(x, y));
                }
            }
        }
        Ok(())
    }

    /// Turns cells into walls.
    pub(super) fn block(&mut self, cells: &[Cell]) {
        for &cell in cells {
            if let Some(slot) = self.slot(cell) {
                self.costs[slot] = WALL;
            }
        }
    }

    /// Sets the terrain costs of cells to `times` their costs in the grid, but at most to 255. It makes no difference
    /// how often a cell is listed.
    pub(super) fn raise(&mut self, grid: &Grid, cells: &[Cell], times: u8) {
        if self.terrain.is_empty() && !cells.is_empty() {
            let all = grid.uniform_cost().unwrap_or(1);
            self.terrain.resize(self.costs.len(), all);
        }
        for &cell in cells {
            if let Some(slot) = self.slot(cell) {
                self.terrain[slot] = grid.cost(cell).saturating_mul(times);
            }
        }
    }

    pub(super) fn stride(&self) -> usize {
        stride_of(self.rect)
    }

    /// The index of a cell in the table. `None` outside the rectangle.
    #[inline]
    pub(super) fn slot(&self, cell: Cell) -> Option<usize> {
        self.rect.contains(cell).then(|| {
            let [x, y] = [
                cell.x.abs_diff(self.rect.min.x),
                cell.y.abs_diff(self.rect.min.y),
            ];
            (y as usize + 1) * self.stride() + x as usize + 1
        })
    }

    pub(super) fn cell(&self, slot: usize) -> Cell {
        cell_of(self.rect, slot)
    }

    /// What to add to a slot to get its neighbors, in the order of [`NEIGHBORS`].
    pub(super) fn offsets(&self) -> [isize; 8] {
        let stride = self.stride() as isize;
        NEIGHBORS.map(|(dx, dy)| dx as isize + dy as isize * stride)
    }

    /// The cost of a step from `slot` to `next`. `step` is its index in [`NEIGHBORS`]. The first four
    /// are straight.
    pub(super) fn step_cost(&self, slot: usize, next: usize, step: usize) -> u32 {
        match (self.terrain.get(slot), self.terrain.get(next)) {
            (Some(&here), Some(&there)) => {
                let cost = if step < 4 { STRAIGHT } else { DIAGONAL };
                // The costs of both steps are even, so half of them times the sum of the terrain costs is a
                // whole number.
                cost / 2 * (u32::from(here) + u32::from(there))
            }
            _ => self.even[step / 4],
        }
    }

    /// Whether a step may be taken to a free cell. A diagonal step depends on the cells beside it.
    pub(super) fn allows(&self, slot: usize, step: usize) -> bool {
        let (dx, dy) = NEIGHBORS[step];
        let is_free = |dx, dy| self.costs[self.beside(slot, dx, dy)] != WALL;
        step < 4 || self.diagonals.allows(is_free(dx, 0), is_free(0, dy))
    }

    fn beside(&self, slot: usize, dx: i32, dy: i32) -> usize {
        slot.wrapping_add_signed(dy as isize * self.stride() as isize + dx as isize)
    }

    /// The first step of a cheapest path, as an index in [`NEIGHBORS`]. If there are several, the lowest index. `None`
    /// on a goal.
    pub(super) fn next_step(&self, slot: usize) -> Option<usize> {
        (0..NEIGHBORS.len()).find(|&step| self.is_next_step(slot, step))
    }

    /// Whether a step from `slot` is the first step of a cheapest path.
    pub(super) fn is_next_step(&self, slot: usize, step: usize) -> bool {
        let (dx, dy) = NEIGHBORS[step];
        let next = self.beside(slot, dx, dy);
        let known = self.costs[next];
        let cost = known.checked_add(self.step_cost(slot, next, step));
        known != WALL && cost == Some(self.costs[slot]) && self.allows(slot, step)
    }

    /// The cheapest path from a cell from which a path is known. It goes straight on wherever a cheapest path does.
    pub(super) fn path(&self, mut slot: usize) -> Path {
        let (cost, start) = (u64::from(self.costs[slot] - 1), self.cell(slot));
        let (mut at, mut turns) = (start, vec![start]);
        let mut straight_on = None;
        loop {
            let goes_on = straight_on.filter(|&step| self.is_next_step(slot, step));
            let Some(step) = goes_on.or_else(|| self.next_step(slot)) else {
                break;
            };
            if Some(step) != straight_on && at != start {
                turns.push(at);
            }
            straight_on = Some(step);
            let (dx, dy) = NEIGHBORS[step];
            slot = self.beside(slot, dx, dy);
            at = at.offset(dx, dy);
        }
        if at != start {
            turns.push(at);
        }
        Path { turns, cost }
    }
}

/// Number of slots per row, including a wall on each side. The rows of a wide table are an odd number of cache lines
/// apart. If the length were a power of two, the cells of a column would compete for a few sets of the cache.
fn stride_of(rect: CellRect) -> usize {
    /// Number of `u32` entries in a cache line of 64 bytes.
    const CACHE_LINE_ENTRIES: usize = 16;
    let least = rect.width() as usize + 2;
    if least < 8 * CACHE_LINE_ENTRIES {
        least
    } else {
        (least.div_ceil(CACHE_LINE_ENTRIES) | 1) * CACHE_LINE_ENTRIES
    }
}

/// The cell of a slot, in a rectangle with a rim.
pub(super) fn cell_of(rect: CellRect, slot: usize) -> Cell {
    let stride = stride_of(rect);
    let (x, y) = (slot % stride, slot / stride);
    rect.min.offset(x as i32 - 1, y as i32 - 1)
}

/// The last edge of a path to a slot, for a recorder.
pub(super) fn edge(rect: CellRect, slot: usize, parent: Option<usize>, entry: u32) -> Edge {
    let g = u64::from(entry - 1);
    let parent = parent.map(|parent| cell_of(rect, parent));
    Edge::new(cell_of(rect, slot), parent, [g, 0], Weights::default())
}
