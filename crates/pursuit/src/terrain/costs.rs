//! The costs of cells, the data that searches derive from them, and how edits of walls change both.

use std::ops::Range;
use std::sync::Arc;

use crate::bits::{is_set, ones};
use crate::cancel::{Cancel, Cancelled};
use crate::cell::{Cell, CellRect};
use crate::terrain::passes::{Passes, passed};
use crate::terrain::window::Window;
use crate::walls::Walls;

/// The costs of the cells of a grid. The derived data depends on free cells only.
#[derive(Clone, Debug)]
pub(crate) struct Terrain {
    /// One cost per node, also for walls. Edits of walls do not change the costs.
    costs: Arc<[u8]>,
    /// Lowest cost of a free cell. 1 if no cell is free.
    pub(crate) cheapest: u8,
    /// Highest cost of a free cell. 1 if no cell is free.
    pub(crate) dearest: u8,
    /// Number of free cells of each cost.
    counts: Box<[u32; 256]>,
    /// One bit per node, which is set if the 3 × 3 window around the node has free cells and all of them have
    /// the same cost. The bits of padding nodes are arbitrary.
    ///
    /// ```text
    /// costs    3 3 3 1 1      even    1 1 . . 1
    ///          3 # 3 1 1              1 1 . . 1      # is a wall
    /// ```
    even: Box<[u64]>,
    /// The numbers that [`cells`](Self::cells) returns.
    cells: Box<[u16]>,
    passes: Passes,
}

impl Terrain {
    /// Creates the terrain from one cost per node.
    pub(crate) fn of(
        walls: &Walls,
        costs: Arc<[u8]>,
        cancel: Cancel<'_>,
    ) -> Result<Self, Cancelled> {
        let nodes = costs.len();
        let mut terrain = Self {
            costs,
            cheapest: 1,
            dearest: 1,
            counts: Box::new([0; 256]),
            even: vec![0; nodes.div_ceil(64)].into(),
            cells: vec![0; nodes].into(),
            passes: Passes::blocked(walls),
        };
        let rows = terrain.costs.chunks(walls.node_stride() as usize);
        let words = walls.words().chunks(walls.stride() as usize / 64);
        for (row, words) in rows.zip(words) {
            cancel.check()?;
            for (cells, &word) in row.chunks(64).zip(words) {
                for bit in ones(word) {
                    terrain.counts[usize::from(cells[bit as usize])] += 1;
                }
            }
        }
        terrain.follow(walls, walls.rect(), cancel)?;
        Ok(terrain)
    }

    /// The cost of every free cell, if all free cells have the same cost.
    #[inline]
    pub(crate) fn uniform(&self) -> Option<u8> {
        (self.cheapest == self.dearest).then_some(self.cheapest)
    }

    /// Whether all free cells around a free node have the node's cost.
    #[inline(always)]
    pub(crate) fn is_even(&self, node: u32) -> bool {
        is_set(&self.even, node)
    }

    /// One number per node: its cost and, in the high byte, its [`Window::passes`]. 0 for walls.
    pub(crate) fn cells(&self) -> &[u16] {
        &self.cells
    }

    /// The cells that straight runs pass.
    pub(crate) fn passes(&self) -> &Passes {
        &self.passes
    }

    /// One cost per node.
    pub(crate) fn costs(&self) -> &Arc<[u8]> {
        &self.costs
    }

    /// The cost of a node. 1 beyond the last node.
    #[inline(always)]
    pub(crate) fn cost(&self, node: u32) -> u8 {
        self.costs.get(node as usize).copied().unwrap_or(1)
    }

    /// Changes walls in a rectangle inside the grid: see [`Walls::edit_words`].
    pub(crate) fn edit_words(
        &mut self,
        walls: &mut Walls,
        rect: CellRect,
        edit: impl FnOnce(&mut [u64], usize, CellRect) -> Result<(), Cancelled>,
    ) -> Result<(), Cancelled> {
        let words = |row: Range<usize>| walls.words()[row].iter().copied();
        let before: Vec<u64> = walls.words_of_rows(rect).flat_map(words).collect();
        walls.edit_words(rect, edit)?;
        let changed = self.count_changes(walls, rect, &before);
        self.follow(walls, changed, Cancel::NEVER)
    }

    /// Changes the costs of nodes in a rectangle inside the grid.
    pub(crate) fn recost(
        &mut self,
        walls: &Walls,
        rect: CellRect,
        cost: impl Fn(u32) -> u8,
        cancel: Cancel<'_>,
    ) -> Result<(), Cancelled> {
        let mut changed = CellRect::EMPTY;
        let rows = walls.nodes_of_rows(rect);
        for (y, nodes) in (rect.min.y..rect.max.y).zip(rows) {
            for (x, node) in (rect.min.x..).zip(nodes) {
                let (old, new) = (self.costs[node as usize], cost(node));
                if old == new {
                    continue;
                }
                Arc::make_mut(&mut self.costs)[node as usize] = new;
                let cell = Cell::new(x, y);
                if walls.is_free(cell) {
                    self.counts[usize::from(old)] -= 1;
                    self.counts[usize::from(new)] += 1;
                    changed = changed.union(&CellRect::new(cell, cell.offset(1, 1)));
                }
            }
        }
        self.follow(walls, changed, cancel)
    }

    /// Updates the derived data after cells in a rectangle changed.
    fn follow(
        &mut self,
        walls: &Walls,
        changed: CellRect,
        cancel: Cancel<'_>,
    ) -> Result<(), Cancelled> {
        self.find_extremes();
        let around = changed.grow(1).intersect(&walls.rect());
        let mut rows = [(); 3].map(|()| Vec::new());
        self.read_row(walls, around, around.min.y - 1, &mut rows[1]);
        self.read_row(walls, around, around.min.y, &mut rows[2]);
        for (y, nodes) in (around.min.y..).zip(walls.nodes_of_rows(around)) {
            cancel.check()?;
            rows.rotate_left(1);
            self.read_row(walls, around, y + 1, &mut rows[2]);
            let [above, here, below] = rows.each_ref().map(|row| row.array_windows());
            let windows = above.zip(here).zip(below);
            for ((x, node), ((above, here), below)) in (around.min.x..).zip(nodes).zip(windows) {
                self.set_window(Cell::new(x, y), node, [*above, *here, *below]);
            }
        }
        Ok(())
    }

    /// Writes the costs of the cells in a row of `rect`, with one more cell on each side, 0 for walls.
    fn read_row(&self, walls: &Walls, rect: CellRect, y: i32, row: &mut Vec<u8>) {
        row.clear();
        row.resize(rect.width() as usize + 2, 0);
        if !(0..walls.height() as i32).contains(&y) {
            return;
        }
        let first = (rect.min.x - 1).max(0);
        let last = (rect.max.x + 1).min(walls.width() as i32);
        let line = CellRect::new(Cell::new(first, y), Cell::new(last, y + 1));
        let words = walls.row(y as u32);
        let skipped = usize::from(rect.min.x == 0);
        for nodes in walls.nodes_of_rows(line) {
            let costs = &self.costs[nodes.start as usize..nodes.end as usize];
            let cells = (first as u32..).zip(costs);
            for (byte, (x, &cost)) in row[skipped..].iter_mut().zip(cells) {
                *byte = if is_set(words, x) { cost } else { 0 };
            }
        }
    }

    /// Counts the cells that were freed or blocked, and returns the smallest rectangle around them.
    ///
    /// ```text
    /// before             1 1 . 1      1 = free
    /// now                1 . . 1
    /// changed            . 1 . .      the cell in column 1 was blocked
    /// ```
    fn count_changes(&mut self, walls: &Walls, rect: CellRect, before: &[u64]) -> CellRect {
        let mut before = before.iter();
        let mut changed = CellRect::EMPTY;
        let first = rect.min.x / 64 * 64;
        for (y, words) in (rect.min.y..).zip(walls.words_of_rows(rect)) {
            let words = walls.words()[words].iter().zip(before.by_ref());
            for (x, (&now, &before)) in (first..).step_by(64).zip(words) {
                for bit in ones(now ^ before) {
                    let cell = Cell::new(x + bit as i32, y);
                    self.count(walls.node(cell), now >> bit & 1 != 0);
                    changed = changed.union(&CellRect::new(cell, cell.offset(1, 1)));
                }
            }
        }
        changed
    }

    /// Counts a cell that was freed or blocked.
    fn count(&mut self, node: Option<u32>, is_free: bool) {
        if let Some(node) = node {
            let count = &mut self.counts[usize::from(self.costs[node as usize])];
            *count = if is_free { *count + 1 } else { *count - 1 };
        }
    }

    /// Updates the lowest and the highest cost from the counts.
    fn find_extremes(&mut self) {
        let is_there = |&cost: &u8| self.counts[usize::from(cost)] > 0;
        let cheapest = (1..=u8::MAX).find(is_there).unwrap_or(1);
        let dearest = (1..=u8::MAX).rev().find(is_there).unwrap_or(1);
        (self.cheapest, self.dearest) = (cheapest, dearest);
    }

    /// Updates the derived data of a cell from the costs of the cell and of the cells around it, 0 for walls.
    #[inline(always)]
    fn set_window(&mut self, cell: Cell, node: u32, rows: [[u8; 3]; 3]) {
        let (window, here) = (Window::new(rows), rows[1][1]);
        let (word, bit) = (&mut self.even[(node / 64) as usize], 1 << (node % 64));
        *word = if window.is_even() {
            *word | bit
        } else {
            *word & !bit
        };
        let passes = if here == 0 { 0 } else { window.passes() };
        self.cells[node as usize] = u16::from(here) | u16::from(passes) << 8;
        let beside = [rows[1][0], rows[1][2], rows[0][1], rows[2][1]];
        self.passes.set(cell, passed(here, beside, passes));
    }

    /// Makes this terrain equal to `newer`. Before the call, the two may differ only in `rects`.
    pub(crate) fn catch_up(
        &mut self,
        newer: &Self,
        walls: &Walls,
        rects: impl Iterator<Item = CellRect>,
    ) {
        self.counts.copy_from_slice(&newer.counts[..]);
        (self.cheapest, self.dearest) = (newer.cheapest, newer.dearest);
        for rect in rects {
            let around = rect.grow(1).intersect(&walls.rect());
            self.passes.catch_up(&newer.passes, around);
            for nodes in walls.nodes_of_rows(around) {
                let own = nodes.start as usize..nodes.end as usize;
                if self.costs[own.clone()] != newer.costs[own.clone()] {
                    Arc::make_mut(&mut self.costs)[own.clone()]
                        .copy_from_slice(&newer.costs[own.clone()]);
                }
                self.cells[own.clone()].copy_from_slice(&newer.cells[own]);
                let words = nodes.start as usize / 64..nodes.end.div_ceil(64) as usize;
                self.even[words.clone()].copy_from_slice(&newer.even[words]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::grid::{CellCosts, Grid};
    use crate::random::{any_walls, with_costs};

    #[test]
    fn the_picture_of_even_windows_matches_the_code() {
        let walls = Grid::from_fn(5, 2, |cell| cell != Cell::new(1, 1)).unwrap();
        let grid = with_costs(&walls, |cell| if cell.x < 3 { 3 } else { 1 });
        let terrain = grid.uneven().expect("costs differ");
        for cell in grid.rect().cells() {
            let is_even = terrain.is_even(grid.walls().node(cell).unwrap());
            assert_eq!(
                is_even,
                [true, true, false, false, true][cell.x as usize],
                "{cell}"
            );
        }
    }

    proptest! {
        #[test]
        fn extremes_and_even_windows_depend_only_on_free_cells(
            width in prop_oneof![1u32..9, 62u32..66], height in 1u32..6,
            kinds in prop::collection::vec((0u8..4, 1u8..4), 7..90),
        ) {
            let mut builder = Grid::builder(width, height).unwrap();
            let all = builder.clone().build().rect();
            for (cell, (walls, cost)) in all.cells().zip(kinds.into_iter().cycle()) {
                builder.set_free(cell, walls > 0).unwrap();
                builder.set_cost(cell, if cell.x < 4 { 2 } else { cost }).unwrap();
            }
            let grid = builder.build();
            let costs = |rect: CellRect| {
                let free = rect.cells().filter(|&cell| grid.is_free(cell));
                free.map(|cell| grid.cost(cell)).collect::<Vec<u8>>()
            };
            let extremes = (costs(all).into_iter().min(), costs(all).into_iter().max());
            let Some(terrain) = grid.uneven() else {
                let uniform = extremes.0.unwrap_or(1);
                prop_assert_eq!(extremes.0, extremes.1);
                prop_assert_eq!(grid.uniform_cost(), Some(uniform));
                prop_assert_eq!(grid.has_terrain(), uniform > 1);
                return Ok(());
            };
            prop_assert_eq!((Some(terrain.cheapest), Some(terrain.dearest)), extremes);
            prop_assert!(grid.has_terrain() && grid.uniform_cost().is_none());
            for cell in all.cells().filter(|&cell| grid.is_free(cell)) {
                let around = costs(CellRect::new(cell, cell.offset(1, 1)).grow(1));
                let even = around.iter().all(|&cost| cost == grid.cost(cell));
                prop_assert_eq!(terrain.is_even(grid.walls().node(cell).unwrap()), even, "{}", cell);
            }
        }
    }

    /// A grid with some free cells and costs of a few kinds.
    fn any_grid(width: u32, height: u32, random: &mut fastrand::Rng) -> Grid {
        let (most, grid) = (random.u8(1..5), any_walls(random, width, height, 0..16));
        with_costs(&grid, |_| random.u8(1..=most))
    }

    fn any_rects(all: CellRect, random: &mut fastrand::Rng) -> Vec<CellRect> {
        let rects = (0..random.usize(0..4)).map(|_| {
            let min = Cell::new(random.i32(0..all.max.x), random.i32(0..all.max.y));
            let max = min.offset(random.i32(1..9), random.i32(1..4));
            CellRect::new(min, max).intersect(&all)
        });
        rects.collect()
    }

    /// Frees and blocks cells in some rectangles, or changes their costs.
    fn edit(grid: &mut Grid, rects: &[CellRect], random: &mut fastrand::Rng) {
        if random.u8(0..3) == 0 {
            let salt = random.u32(..);
            let cost = |node: u32| ((node ^ salt).wrapping_mul(0x9E37_79B9) >> 30) as u8 + 1;
            let recosted = grid.recost(rects.iter().copied(), cost, Cancel::NEVER);
            recosted.unwrap();
            return;
        }
        let draw = |words: &mut [u64], row_words: usize, rect: CellRect| {
            for cell in rect.cells() {
                let word = (cell.y as usize + 1) * row_words + cell.x as usize / 64;
                let bit = 1 << (cell.x % 64);
                words[word] = if random.bool() {
                    words[word] | bit
                } else {
                    words[word] & !bit
                };
            }
            Ok(())
        };
        grid.edit_words(rects.iter().copied(), draw).unwrap();
    }

    /// Panics if the derived data differs from the data of a rebuilt grid.
    fn check(grid: &Grid) {
        let anew = grid.to_builder().build();
        assert_eq!(grid, &anew);
        assert_eq!(grid.free_count(), anew.free_count());
        assert_eq!(grid.uniform_cost(), anew.uniform_cost());
        assert_eq!(grid.has_terrain(), anew.has_terrain());
        let (Some(terrain), Some(expected)) = (grid.uneven(), anew.uneven()) else {
            assert!(grid.uneven().is_none() && anew.uneven().is_none());
            return;
        };
        let extremes = |terrain: &Terrain| (terrain.cheapest, terrain.dearest);
        assert_eq!(extremes(terrain), extremes(expected));
        for cell in grid.rect().cells() {
            let node = grid.walls().node(cell).unwrap();
            assert_eq!(terrain.is_even(node), expected.is_even(node), "{cell}");
        }
        assert_eq!(terrain.cells(), expected.cells());
        assert_eq!(terrain.passes(), expected.passes());
    }

    proptest! {
        #[test]
        fn terrain_after_edits_equals_the_terrain_of_a_rebuilt_grid(
            width in prop_oneof![1u32..40, 60u32..70, 120u32..140], height in 1u32..12,
            edits in 1..12_usize, seed: u64,
        ) {
            let random = &mut fastrand::Rng::with_seed(seed);
            let mut current = any_grid(width, height, random);
            let (mut spare, mut missed) = (current.clone(), Vec::new());
            check(&current);
            for _ in 0..edits {
                let rects = any_rects(current.rect(), random);
                missed.extend(rects.iter().copied());
                edit(&mut current, &rects, random);
                check(&current);
                // A second copy catches up with one edit or several.
                if random.bool() {
                    spare.catch_up(&current, std::mem::take(&mut missed).into_iter());
                    prop_assert_eq!(&spare, &current);
                    check(&spare);
                    std::mem::swap(&mut spare, &mut current);
                }
            }
        }
    }

    #[test]
    fn grids_of_one_map_share_their_costs() {
        let grid = any_grid(9, 9, &mut fastrand::Rng::with_seed(3));
        let CellCosts::Each(costs) = grid.costs() else {
            panic!("costs differ");
        };
        let walls = Grid::from_fn(9, 9, |cell| cell.x != 4).unwrap();
        let shared = CellCosts::Each(costs.clone());
        let mut other = Grid::new(walls.walls().clone(), shared, Cancel::NEVER).unwrap();
        edit(&mut other, &[grid.rect()], &mut fastrand::Rng::with_seed(4));
        let is_shared = matches!(other.costs(), CellCosts::Each(own) if Arc::ptr_eq(&own, &costs));
        assert!(is_shared);
    }
}
