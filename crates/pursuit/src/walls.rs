//! The walls of a grid, as rows of bits.

use std::fmt;
use std::ops::Range;

use crate::bits::{is_set, masks};
use crate::cancel::{Cancel, Cancelled};
use crate::cell::{Cell, CellRect, Size};
use crate::grid_error::GridError;
use crate::stride::Stride;

/// The walls of a rectangle of cells, one bit per cell, so that a scan handles 64 cells at a time.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Walls {
    size: Size,
    /// Words per row. A row always ends with at least one blocked bit.
    row_words: u32,
    /// The rows of nodes. A node is the number of a cell in searches.
    nodes: Stride,
    /// Bits row by row, 1 for a free cell, with a blocked row before the first row and after the last one.
    words: Box<[u64]>,
    free_count: u32,
}

/// The minimum width of a grid whose rows of nodes are padded to whole words.
const MIN_PADDED_COLUMNS: u32 = 32;

/// Number of nodes per row in a grid of this width. The last node of each row is blocked.
pub(crate) fn node_stride(width: u32) -> u32 {
    if width < MIN_PADDED_COLUMNS {
        width + 1
    } else {
        (width / 64 + 1) * 64
    }
}

impl Walls {
    /// Walls without free cells.
    pub(crate) fn blocked(width: u32, height: u32) -> Result<Self, GridError> {
        let size = Size::of(width, height)?;
        let row_words = width / 64 + 1;
        Ok(Self {
            size,
            row_words,
            nodes: Stride::new(node_stride(width)),
            words: vec![0; row_words as usize * (height as usize + 2)].into_boxed_slice(),
            free_count: 0,
        })
    }

    /// Frees cells, row by row, in walls without free cells. `fill` gets the number of a row and the words of this row,
    /// which are all zero, and sets the bits of the free cells. Bits beyond the width are ignored.
    pub(crate) fn fill_rows(
        mut self,
        mut fill: impl FnMut(u32, &mut [u64]),
        cancel: Cancel<'_>,
    ) -> Result<Self, Cancelled> {
        let (row_words, height) = (self.row_words as usize, self.size.height as usize);
        let rows = self.words.chunks_exact_mut(row_words).skip(1).take(height);
        for (y, row) in rows.enumerate() {
            cancel.check()?;
            fill(y as u32, row);
            mask_padding(row, self.size.width);
            self.free_count += count_ones(row);
        }
        Ok(self)
    }

    /// Frees or blocks one cell. Returns whether the cell lies inside the grid.
    pub(crate) fn set_free(&mut self, cell: Cell, is_free: bool) -> bool {
        let rect = CellRect::new(cell, cell.offset(1, 1));
        let is_inside = self.contains(cell);
        if is_inside {
            self.fill(rect, is_free);
        }
        is_inside
    }

    /// Frees or blocks every cell of a rectangle. Parts of the rectangle outside the grid are ignored.
    pub(crate) fn fill(&mut self, rect: CellRect, is_free: bool) {
        let rect = rect.intersect(&self.rect());
        if rect.is_empty() {
            return;
        }
        self.edit_words(rect, |words, row_words, rect| {
            fill_bits(words, row_words, rect, is_free);
        });
    }

    /// Changes cells in a rectangle inside the grid. `edit` gets all rows of words, including padding rows,
    /// the number of words per row, and the rectangle. It must leave the bits beyond the width zero.
    pub(crate) fn edit_words<R>(
        &mut self,
        rect: CellRect,
        edit: impl FnOnce(&mut [u64], usize, CellRect) -> R,
    ) -> R {
        let before = self.count_free_around(rect);
        let done = edit(&mut self.words, self.row_words as usize, rect);
        self.free_count = self.free_count + self.count_free_around(rect) - before;
        done
    }

    /// Makes these walls equal to `newer`. Before the call, the two may differ only in `rects`.
    pub(crate) fn catch_up(&mut self, newer: &Self, rects: impl Iterator<Item = CellRect>) {
        for rect in rects {
            for words in self.words_of_rows(rect) {
                self.words[words.clone()].copy_from_slice(&newer.words[words]);
            }
        }
        self.free_count = newer.free_count;
    }

    /// Number of free cells in the words that overlap a rectangle inside the grid.
    fn count_free_around(&self, rect: CellRect) -> u32 {
        let rows = self.words_of_rows(rect);
        rows.map(|words| count_ones(&self.words[words])).sum()
    }

    pub(crate) fn size(&self) -> Size {
        self.size
    }

    /// Number of columns.
    pub(crate) fn width(&self) -> u32 {
        self.size.width
    }

    /// Number of rows.
    pub(crate) fn height(&self) -> u32 {
        self.size.height
    }

    /// The rectangle of all cells.
    pub(crate) fn rect(&self) -> CellRect {
        self.size.rect()
    }

    /// Number of free cells.
    pub(crate) fn free_count(&self) -> u32 {
        self.free_count
    }

    /// Whether the cell lies inside the grid.
    pub(crate) fn contains(&self, cell: Cell) -> bool {
        self.size.contains(cell)
    }

    /// Whether the cell is free. `false` outside the grid.
    pub(crate) fn is_free(&self, cell: Cell) -> bool {
        self.slot(cell).is_some_and(|slot| self.slot_is_free(slot))
    }

    // Slots are the bits of the words, counted from the lowest bit of the first word. The neighbors of a cell
    // are `slot ± 1` and `slot ± stride`; the padding between and around the rows is blocked.
    //
    // Nodes number the cells in searches, including padding. In a narrow grid, most of a row of slots is padding, so
    // nodes have shorter rows, with only one padding node each:
    //
    //     slots of a grid 3 wide   ...#############  (61 of them)
    //     nodes                    ...#
    //
    // In a wide grid, the node and the slot of a cell are the same number.

    /// Number of slots per row: a multiple of 64 above the width.
    pub(crate) fn stride(&self) -> u32 {
        self.row_words * 64
    }

    /// The slot of the cell. `None` outside the grid.
    pub(crate) fn slot(&self, cell: Cell) -> Option<u32> {
        self.contains(cell)
            .then(|| (cell.y as u32 + 1) * self.stride() + cell.x as u32)
    }

    /// Number of nodes per row, which is above the width.
    pub(crate) fn node_stride(&self) -> u32 {
        self.nodes.length()
    }

    /// Number of nodes, including padding. Below 2³¹ for every grid.
    pub(crate) fn node_count(&self) -> u32 {
        self.nodes.length() * (self.size.height + 2)
    }

    /// The node of the cell. `None` outside the grid.
    pub(crate) fn node(&self, cell: Cell) -> Option<u32> {
        self.contains(cell)
            .then(|| (cell.y as u32 + 1) * self.nodes.length() + cell.x as u32)
    }

    /// The cell of a node: the inverse of [`node`](Self::node).
    #[inline(always)]
    pub(crate) fn node_cell(&self, node: u32) -> Cell {
        let (row, place) = self.nodes.split(node);
        Cell::new(place as i32, row as i32 - 1)
    }

    /// The slot of a node that is not padding.
    #[inline(always)]
    pub(crate) fn node_slot(&self, node: u32) -> u32 {
        if self.size.width < MIN_PADDED_COLUMNS {
            return self.narrow_slot(node);
        }
        node
    }

    /// This is a separate function so that searches on wide grids are not slower because of it.
    #[cold]
    #[inline(never)]
    fn narrow_slot(&self, node: u32) -> u32 {
        let (row, place) = self.nodes.split(node);
        row * self.stride() + place
    }

    /// Whether the cell of a slot is free. Padding is not free.
    pub(crate) fn slot_is_free(&self, slot: u32) -> bool {
        is_set(&self.words, slot)
    }

    /// All rows of bits, including padding rows, with `stride / 64` words each.
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    /// The words of row `y`. Bits beyond the width are zero.
    pub(crate) fn row(&self, y: u32) -> &[u64] {
        let words = self.row_words as usize;
        let first = (y as usize + 1) * words;
        &self.words[first..first + words]
    }

    /// The indices of the words of each row in a rectangle inside the grid.
    pub(crate) fn words_of_rows(
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

    /// The nodes of each row in a rectangle inside the grid.
    pub(crate) fn nodes_of_rows(&self, rect: CellRect) -> impl Iterator<Item = Range<u32>> + use<> {
        let stride = self.node_stride();
        (rect.min.y..rect.max.y).map(move |y| {
            let row = (y as u32 + 1) * stride;
            row + rect.min.x as u32..row + rect.max.x as u32
        })
    }
}

impl fmt::Debug for Walls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Walls")
            .field("size", &self.size)
            .field("free_count", &self.free_count)
            .finish_non_exhaustive()
    }
}

/// Frees or blocks the cells of a rectangle. The rows have `row_words` words, and the first row is padding.
pub(crate) fn fill_bits(words: &mut [u64], row_words: usize, rect: CellRect, free: bool) {
    for y in rect.min.y..rect.max.y {
        let first = (y as usize + 1) * row_words;
        for (w, mask) in masks(rect.min.x as usize..rect.max.x as usize) {
            let word = &mut words[first + w];
            *word = if free { *word | mask } else { *word & !mask };
        }
    }
}

fn count_ones(words: &[u64]) -> u32 {
    words.iter().map(|word| word.count_ones()).sum()
}

/// Clears the bits of a row from index `width` onward.
fn mask_padding(row: &mut [u64], width: u32) {
    if let Some(last) = row.last_mut() {
        *last &= (1 << (width % 64)) - 1;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cell::CellIndex;

    proptest! {
        #[test]
        fn nodes_convert_back_to_cells_and_indices_count_by_rows(
            width in prop_oneof![1u32..70, 1u32..3000], height in 1u32..3000,
            fx in 0.0f64..1.0, fy in 0.0f64..1.0,
        ) {
            let walls = Walls::blocked(width, height).unwrap();
            let cell = Cell::new((fx * width as f64) as i32, (fy * height as f64) as i32);
            let node = walls.node(cell).unwrap();
            prop_assert_eq!(walls.node_cell(node), cell);
            prop_assert_eq!(walls.node_slot(node), walls.slot(cell).unwrap());
            prop_assert!(node < walls.node_count());
            let index = cell.y as u32 * width + cell.x as u32;
            prop_assert_eq!(walls.size().index(cell), Some(CellIndex(index)));
        }
    }
}
