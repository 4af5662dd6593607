//! The corners of walls: the cells at which cheapest paths turn.

use crate::cell::Cell;
use crate::grid::Grid;

/// Says which cells are corners, and numbers them row by row.
///
/// A corner (a *subgoal*) is a free cell with a blocked diagonal neighbor and free cells between the
/// two. Paths that cut no wall's corner turn nowhere else, but for ties.
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

/// The cells of one row, as words, at which a straight scan in each direction has to stop beside
/// free ground that was hidden behind a wall so far (the *jump points* of Harabor and Grastien), by
/// direction as in [`STRAIGHTS`].
pub(super) struct JumpRow<'a> {
    above: &'a [u64],
    here: &'a [u64],
    below: &'a [u64],
}

/// A word of a row, and the same word with the cells one column to the right, and to the left.
fn shifted(row: &[u64], w: usize) -> (u64, u64, u64) {
    let word = row[w];
    let next = row.get(w + 1).copied().unwrap_or(0);
    let before = if w == 0 { 0 } else { row[w - 1] };
    (word, word >> 1 | next << 63, word << 1 | before >> 63)
}

impl<'a> JumpRow<'a> {
    pub(super) fn new(grid: &'a Grid, y: u32) -> Self {
        let words = grid.stride() as usize / 64;
        let at = |row: usize| &grid.words()[row * words..(row + 1) * words];
        Self {
            above: at(y as usize),
            here: at(y as usize + 1),
            below: at(y as usize + 2),
        }
    }

    pub(super) fn word(&self, w: usize) -> [u64; 4] {
        let (here, right, left) = shifted(self.here, w);
        let (above, above_right, above_left) = shifted(self.above, w);
        let (below, below_right, below_left) = shifted(self.below, w);
        [
            here & left & (above & !above_left | below & !below_left),
            here & right & (above & !above_right | below & !below_right),
            here & above & (left & !above_left | right & !above_right),
            here & below & (left & !below_left | right & !below_right),
        ]
    }
}

impl Corners {
    pub(super) fn of(grid: &Grid) -> Self {
        let row_words = grid.stride() as usize / 64;
        let mut words = vec![0; row_words];
        let mut before = vec![0; row_words];
        let mut cells = Vec::new();
        for y in 0..grid.height() {
            let row = JumpRow::new(grid, y);
            for w in 0..row_words {
                let [east, west, south, north] = row.word(w);
                let corners = east | west | south | north;
                words.push(corners);
                before.push(cells.len() as u32);
                let mut rest = corners;
                while rest != 0 {
                    let x = w as u32 * 64 + rest.trailing_zeros();
                    cells.push(Cell::new(x as i32, y as i32));
                    rest &= rest - 1;
                }
            }
        }
        words.resize(grid.words().len(), 0);
        before.resize(grid.words().len(), cells.len() as u32);
        Self {
            stride: grid.stride(),
            words: words.into_boxed_slice(),
            before: before.into_boxed_slice(),
            cells: cells.into_boxed_slice(),
        }
    }

    pub(super) fn count(&self) -> usize {
        self.cells.len()
    }

    #[inline]
    pub(super) fn cell(&self, corner: u32) -> Cell {
        self.cells[corner as usize]
    }

    /// The number of the corner at a cell of the grid or of the padding around it; `None` where
    /// there is none.
    #[inline]
    pub(super) fn get(&self, x: i32, y: i32) -> Option<u32> {
        // A row ends in blocked bits, so the column before a row's first is that of the row above.
        let slot = ((y + 1) as u32 * self.stride).wrapping_add(x as u32);
        let word = self.words[slot as usize / 64];
        let bit = 1 << (slot % 64);
        (word & bit != 0).then(|| self.before[slot as usize / 64] + (word & (bit - 1)).count_ones())
    }

    /// The corners of one word of row `y`.
    pub(super) fn word(&self, y: u32, w: usize) -> u64 {
        self.words[(y as usize + 1) * (self.stride as usize / 64) + w]
    }

    pub(super) fn byte_size(&self) -> usize {
        size_of_val(&*self.words) + size_of_val(&*self.before) + size_of_val(&*self.cells)
    }
}
