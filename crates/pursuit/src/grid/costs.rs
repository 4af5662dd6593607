//! Terrain costs of a grid: taken over from another, and kept in line with edits of walls.

use std::ops::Range;
use std::sync::Arc;

use super::Grid;
use crate::cancel::{Cancel, Cancelled};
use crate::cell::{Cell, CellRect};
use crate::terrain::Terrain;

impl Grid {
    /// One cost per node; `None` where every cell costs 1.
    pub(crate) fn costs(&self) -> Option<&Arc<[u8]>> {
        self.costs.as_ref()
    }

    /// These walls with the costs of another grid of the same size. They are shared.
    pub(crate) fn with_costs(
        mut self,
        costs: Option<&Arc<[u8]>>,
        cancel: Cancel<'_>,
    ) -> Result<Self, Cancelled> {
        self.costs = costs.cloned();
        self.survey(cancel)?;
        Ok(self)
    }

    /// The words that a rectangle inside of the grid meets, for [`follow_terrain`](Self::follow_terrain);
    /// none if the grid has no costs.
    pub(super) fn words_before(&self, rect: CellRect) -> Vec<u64> {
        let mut before = Vec::new();
        if self.terrain.is_some() {
            for words in self.words_of_rows(rect) {
                before.extend(self.words[words].iter().copied());
            }
        }
        before
    }

    /// Brings what is known of the terrain in line with cells that were freed or blocked: `before` are the
    /// words that the rectangle meets as they were.
    pub(super) fn follow_terrain(&mut self, rect: CellRect, before: &[u64]) {
        let Some(mut terrain) = self.terrain.take() else {
            return;
        };
        let changed = self.count_changes(&mut terrain, rect, before);
        terrain.find_extremes();
        for cell in changed.grow(1).intersect(&self.rect()).cells() {
            // It and its neighbors.
            if let Some(node) = self.node(cell) {
                terrain.set_window(node, self.free_costs_around(cell));
            }
        }
        self.terrain = Some(terrain);
    }

    /// Counts the cells that were freed or blocked, and returns the least rectangle around them.
    ///
    /// ```text
    /// before             1 1 . 1      1 = free
    /// now                1 . . 1
    /// one of both        . 1 . .      the cell in column 1 was blocked
    /// ```
    fn count_changes(&self, terrain: &mut Terrain, rect: CellRect, before: &[u64]) -> CellRect {
        let mut before = before.iter();
        let mut changed = CellRect::EMPTY;
        let first = rect.min.x / 64 * 64;
        for (y, words) in (rect.min.y..).zip(self.words_of_rows(rect)) {
            for (x, (&now, &before)) in (first..)
                .step_by(64)
                .zip(self.words[words].iter().zip(before.by_ref()))
            {
                let mut differ = now ^ before;
                while differ != 0 {
                    let bit = differ.trailing_zeros();
                    let cell = Cell::new(x + bit as i32, y);
                    terrain.count(self.cost(cell), now >> bit & 1 != 0);
                    changed = changed.union(&CellRect::new(cell, cell.offset(1, 1)));
                    differ &= differ - 1;
                }
            }
        }
        changed
    }

    /// The costs of the free cells among a cell and its neighbors.
    fn free_costs_around(&self, cell: Cell) -> impl Iterator<Item = u8> {
        let around = CellRect::new(cell, cell.offset(1, 1)).grow(1);
        let free = around.cells().filter(|&cell| self.is_free(cell));
        free.map(|cell| self.cost(cell))
    }

    /// Makes the terrain, which differs from that of `newer` by edits of walls in some rectangles at most,
    /// equal to it.
    pub(super) fn catch_up_terrain(
        &mut self,
        newer: &Self,
        rects: impl IntoIterator<Item = CellRect>,
    ) {
        let (Some(terrain), Some(newer_terrain)) = (&mut self.terrain, &newer.terrain) else {
            self.terrain.clone_from(&newer.terrain);
            self.costs = newer.costs.clone();
            return;
        };
        terrain.copy_counts(newer_terrain);
        for rect in rects {
            let around = rect.grow(1).intersect(&newer.rect());
            for nodes in newer.nodes_of_rows(around) {
                terrain.copy_windows(newer_terrain, nodes);
            }
        }
    }

    /// For each row of a rectangle inside of the grid the places of its words.
    pub(super) fn words_of_rows(
        &self,
        rect: CellRect,
    ) -> impl Iterator<Item = Range<usize>> + use<> {
        let row_words = self.row_words as usize;
        let columns = rect.min.x as usize / 64..(rect.max.x as usize).div_ceil(64);
        (rect.min.y..rect.max.y).map(move |y| {
            let row = (y as usize + 1) * row_words;
            row + columns.start..row + columns.end
        })
    }

    /// For each row of a rectangle inside of the grid the nodes of its cells.
    fn nodes_of_rows(&self, rect: CellRect) -> impl Iterator<Item = Range<u32>> + use<> {
        let stride = self.node_stride();
        (rect.min.y..rect.max.y).map(move |y| {
            let row = (y as u32 + 1) * stride;
            row + rect.min.x as u32..row + rect.max.x as u32
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Some free cells and costs of a few kinds.
    fn any_grid(width: u32, height: u32, random: &mut fastrand::Rng) -> Grid {
        let mut builder = Grid::builder(width, height).unwrap();
        let (most, walls) = (random.u8(1..5), random.u8(0..4));
        for cell in builder.clone().build().rect().cells() {
            builder
                .set_free(cell, random.u8(0..4) >= walls)
                .and_then(|()| builder.set_cost(cell, random.u8(1..=most)))
                .unwrap();
        }
        builder.build()
    }

    fn any_rects(all: CellRect, random: &mut fastrand::Rng) -> Vec<CellRect> {
        let rects = (0..random.usize(0..4)).map(|_| {
            let min = Cell::new(random.i32(0..all.max.x), random.i32(0..all.max.y));
            let max = min.offset(random.i32(1..9), random.i32(1..4));
            CellRect::new(min, max).intersect(&all)
        });
        rects.collect()
    }

    /// Frees and blocks cells of some rectangles.
    fn edit(grid: &mut Grid, rects: &[CellRect], random: &mut fastrand::Rng) {
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
        grid.redraw(rects.iter().copied(), draw).unwrap();
    }

    /// Panics unless a grid knows of its terrain what one knows that is built anew.
    fn check(grid: &Grid) {
        let anew = grid.to_builder().build();
        assert_eq!(grid, &anew);
        assert_eq!(grid.free_count(), anew.free_count());
        assert_eq!(grid.uniform_cost(), anew.uniform_cost());
        assert_eq!(grid.has_terrain(), anew.has_terrain());
        let (Some(terrain), Some(expected)) = (&grid.terrain, &anew.terrain) else {
            assert!(grid.terrain.is_none() && anew.terrain.is_none());
            return;
        };
        let extremes = |terrain: &Terrain| (terrain.cheapest, terrain.dearest);
        assert_eq!(extremes(terrain), extremes(expected));
        for cell in grid.rect().cells() {
            let node = grid.node(cell).unwrap();
            assert_eq!(terrain.is_even(node), expected.is_even(node), "{cell}");
        }
    }

    proptest! {
        #[test]
        fn terrain_after_edits_of_walls_is_that_of_a_grid_built_anew(
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
                // A second copy follows one edit or several.
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
        let costs = grid.costs().cloned().unwrap();
        let walls = Grid::from_fn(9, 9, |cell| cell.x != 4).unwrap();
        let mut other = walls.with_costs(Some(&costs), Cancel::NEVER).unwrap();
        edit(&mut other, &[grid.rect()], &mut fastrand::Rng::with_seed(4));
        assert!(Arc::ptr_eq(other.costs().unwrap(), &costs));
        let plain = Grid::from_fn(9, 9, |_| true).unwrap();
        let plain = plain.with_costs(None, Cancel::NEVER).unwrap();
        assert!(!plain.has_terrain());
    }
}
