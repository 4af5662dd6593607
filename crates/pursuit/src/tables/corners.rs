//! The corners of walls: the cells at which cheapest paths turn.

use crate::bits::rows::BitRows;
use crate::cancel::{Cancelled, Watch};
use crate::cell::Cell;

/// Says which cells are corners, and numbers them row by row.
///
/// A corner (a *subgoal*) is a free cell with a blocked diagonal neighbor, where both cells beside the two are
/// free: a jump point of some walk. A cheapest path that cuts no corner of a wall has an equally cheap one
/// that turns nowhere else.
///
/// A map of 5 × 3 cells with one wall. Its words have 64 bits, bit 0 on the left; here are the first 8:
///
/// ```text
/// map              words              before
///                  . . . . . . . .    0        the empty line before the first
/// . . . . .        . 1 . 1 . . . .    0        corners 0 and 1
/// . . # . .        . . . . . . . .    2
/// . . . . .        . 1 . 1 . . . .    2        corners 2 and 3
///                  . . . . . . . .    4        the empty line after the last
/// ```
///
/// The number of a corner is `before` of its word, plus the set bits below its own in that word.
pub(super) struct Corners {
    stride: u32,
    /// One bit per slot of the grid.
    words: Box<[u64]>,
    /// For each word, the corners in those before it.
    before: Box<[u32]>,
    cells: Box<[Cell]>,
}

/// The four straight directions: +x, -x, +y, -y.
pub(super) const STRAIGHTS: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];

impl Corners {
    /// The corners of rows of bits in the form of the grid's.
    pub(super) fn of(rows: &BitRows, watch: &mut Watch<'_>) -> Result<Self, Cancelled> {
        let mut before = Vec::with_capacity(rows.words.len());
        let mut cells = Vec::new();
        for (index, &word) in rows.words.iter().enumerate() {
            watch.pass(1 + word.count_ones() as usize / 8)?;
            before.push(cells.len() as u32);
            let (line, w) = (index / rows.row_words, index % rows.row_words);
            let mut rest = word;
            while rest != 0 {
                let x = w as u32 * 64 + rest.trailing_zeros();
                cells.push(Cell::new(x as i32, line as i32 - 1));
                rest &= rest - 1;
            }
        }
        Ok(Self {
            stride: rows.row_words as u32 * 64,
            words: watch.copy(&rows.words)?.into_boxed_slice(),
            before: before.into_boxed_slice(),
            cells: cells.into_boxed_slice(),
        })
    }

    pub(super) fn count(&self) -> usize {
        self.cells.len()
    }

    #[inline]
    pub(super) fn cell(&self, corner: u32) -> Cell {
        self.cells[corner as usize]
    }

    /// The number of the corner at a cell of the grid; `None` where there is none. A cell may also be one step
    /// straight off the grid: no corner is there.
    #[inline]
    pub(super) fn get(&self, x: i32, y: i32) -> Option<u32> {
        // A row ends in blocked bits, so the column before a row's first is that of the row above.
        let slot = ((y + 1) as u32 * self.stride).wrapping_add(x as u32);
        let word = self.words[slot as usize / 64];
        let bit = 1 << (slot % 64);
        (word & bit != 0).then(|| self.before[slot as usize / 64] + (word & (bit - 1)).count_ones())
    }

    /// The corners as bits, in the form of the grid's rows.
    pub(super) fn words(&self) -> &[u64] {
        &self.words
    }

    pub(super) fn byte_size(&self) -> usize {
        size_of_val(&*self.words) + size_of_val(&*self.before) + size_of_val(&*self.cells)
    }
}
