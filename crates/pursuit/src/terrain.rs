//! What is worked out about a grid's terrain costs when it is built, so that searches need not, and
//! what an edit of its walls makes of that.

use std::ops::Range;

use crate::cancel::{Cancel, Cancelled};

/// What the free cells of a grid cost that has costs other than 1. Blocked cells have no say.
#[derive(Clone, Debug)]
pub(crate) struct Terrain {
    /// Lowest cost of a free cell; 1 where no cell is free.
    pub(crate) cheapest: u8,
    /// Highest cost of a free cell; 1 where no cell is free.
    pub(crate) dearest: u8,
    /// How many free cells have each cost.
    counts: Box<[u32; 256]>,
    /// One bit per node, set where all free cells of the 3 × 3 window around it cost the same, and there is
    /// one. Nodes of the padding may have any.
    ///
    /// ```text
    /// costs    3 3 3 1 1      even    1 1 . . 1
    ///          3 # 3 1 1              1 1 . . 1      # is a wall
    /// ```
    even: Box<[u64]>,
}

impl Terrain {
    /// From bit rows of `row_words` words each, and one cost per node, `stride` nodes to a row.
    pub(crate) fn of(
        words: &[u64],
        row_words: usize,
        costs: &[u8],
        stride: usize,
        cancel: Cancel<'_>,
    ) -> Result<Self, Cancelled> {
        let mut counts = Box::new([0; 256]);
        let rows = costs.chunks(stride).zip(words.chunks(row_words));
        for (row, words) in rows {
            cancel.begin_part()?;
            for (cells, &word) in row.chunks(64).zip(words) {
                let mut free = word;
                while free != 0 {
                    counts[usize::from(cells[free.trailing_zeros() as usize])] += 1;
                    free &= free - 1;
                }
            }
        }
        let mut terrain = Self {
            cheapest: 1,
            dearest: 1,
            counts,
            even: Box::default(),
        };
        terrain.find_extremes();
        // Walls take part in neither extreme of a window.
        let windows = |wall: u8, extreme: fn(u8, u8) -> u8| {
            let mut bytes = Vec::with_capacity(costs.len());
            let rows = costs.chunks(stride).zip(words.chunks(row_words));
            for (row, words) in rows {
                cancel.begin_part()?;
                for (cells, word) in row.chunks(64).zip(words) {
                    let is_free = |bit: usize| word >> bit & 1 != 0;
                    let cells = cells.iter().enumerate();
                    bytes.extend(cells.map(|(bit, &cost)| if is_free(bit) { cost } else { wall }));
                }
            }
            window(&mut bytes, stride, extreme, cancel)?;
            Ok(bytes)
        };
        let (low, high) = (windows(u8::MAX, u8::min)?, windows(0, u8::max)?);
        cancel.check()?;
        let count = low.len().div_ceil(64);
        let mut even = Vec::with_capacity(count);
        for (low, high) in low.chunks(64).zip(high.chunks(64)) {
            let bits = low.iter().zip(high).enumerate();
            even.push(bits.fold(0, |word, (bit, (low, high))| {
                word | u64::from(low == high) << bit
            }));
        }
        terrain.even = even.into_boxed_slice();
        Ok(terrain)
    }

    /// What every free cell costs, if that is the same for all.
    #[inline]
    pub(crate) fn uniform(&self) -> Option<u8> {
        (self.cheapest == self.dearest).then_some(self.cheapest)
    }

    /// Whether all free cells around a free node cost the same as it does.
    #[inline(always)]
    pub(crate) fn is_even(&self, node: u32) -> bool {
        let word = self.even.get((node / 64) as usize).copied().unwrap_or(0);
        word >> (node % 64) & 1 != 0
    }

    /// Counts a cell of that cost that was freed or blocked. [`find_extremes`](Self::find_extremes) follows
    /// when all are counted.
    pub(crate) fn count(&mut self, cost: u8, is_free: bool) {
        let count = &mut self.counts[usize::from(cost)];
        *count = if is_free { *count + 1 } else { *count - 1 };
    }

    /// Brings the extremes in line with the counts.
    pub(crate) fn find_extremes(&mut self) {
        let is_there = |&cost: &u8| self.counts[usize::from(cost)] > 0;
        let cheapest = (1..=u8::MAX).find(is_there).unwrap_or(1);
        let dearest = (1..=u8::MAX).rev().find(is_there).unwrap_or(1);
        (self.cheapest, self.dearest) = (cheapest, dearest);
    }

    /// Sets whether all free cells around a node cost the same, by the costs of those.
    pub(crate) fn set_window(&mut self, node: u32, mut free_costs: impl Iterator<Item = u8>) {
        let first = free_costs.next();
        let is_even = first.is_some_and(|first| free_costs.all(|cost| cost == first));
        let (word, bit) = (&mut self.even[(node / 64) as usize], 1 << (node % 64));
        *word = if is_even { *word | bit } else { *word & !bit };
    }

    /// Takes over what `newer`, the terrain of the same costs, says of some nodes.
    pub(crate) fn copy_windows(&mut self, newer: &Self, nodes: Range<u32>) {
        let words = nodes.start as usize / 64..nodes.end.div_ceil(64) as usize;
        self.even[words.clone()].copy_from_slice(&newer.even[words]);
    }

    /// Takes over how many free cells `newer`, the terrain of the same costs, counts.
    pub(crate) fn copy_counts(&mut self, newer: &Self) {
        self.counts.copy_from_slice(&newer.counts[..]);
        (self.cheapest, self.dearest) = (newer.cheapest, newer.dearest);
    }
}

/// Replaces each byte by the extreme of the 3 × 3 window around it. The bytes around a row are
/// blocked ones, so what the first and the last byte of all become does not matter.
fn window(
    bytes: &mut [u8],
    stride: usize,
    extreme: fn(u8, u8) -> u8,
    cancel: Cancel<'_>,
) -> Result<(), Cancelled> {
    cancel.check()?;
    let mut across = bytes.to_vec();
    let sides = bytes.iter().zip(&bytes[2..]);
    let row = across[1..].iter_mut().zip(&bytes[1..]);
    for ((out, middle), (left, right)) in row.zip(sides) {
        *out = extreme(extreme(*left, *middle), *right);
    }
    cancel.check()?;
    let sides = across.iter().zip(&across[2 * stride..]);
    let column = bytes[stride..].iter_mut().zip(&across[stride..]);
    for ((out, middle), (above, below)) in column.zip(sides) {
        *out = extreme(extreme(*above, *middle), *below);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::cell::{Cell, CellRect};
    use crate::grid::Grid;

    #[test]
    fn the_picture_of_even_windows_is_right() {
        let mut builder = Grid::builder(5, 2).unwrap();
        for cell in builder.clone().build().rect().cells() {
            let cost = if cell.x < 3 { 3 } else { 1 };
            builder.set_cost(cell, cost).unwrap();
        }
        builder.set_free(Cell::new(1, 1), false).unwrap();
        let grid = builder.build();
        let (_, terrain) = grid.uneven_costs().expect("costs differ");
        for cell in grid.rect().cells() {
            let is_even = terrain.is_even(grid.node(cell).unwrap());
            assert_eq!(
                is_even,
                [true, true, false, false, true][cell.x as usize],
                "{cell}"
            );
        }
    }

    proptest! {
        #[test]
        fn extremes_and_even_windows_are_those_of_the_free_cells(
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
            let Some((_, terrain)) = grid.uneven_costs() else {
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
                prop_assert_eq!(terrain.is_even(grid.node(cell).unwrap()), even, "{}", cell);
            }
        }
    }
}
