//! The corners of walls: the cells at which cheapest paths turn.

use crate::bits::rows::BitRows;
use crate::cell::Cell;

/// The corners of a grid, numbered row by row.
///
/// A corner (a *subgoal*) is a free cell with a blocked diagonal neighbor. The two cells that are adjacent to both
/// must be free. Such a cell is a jump point of some walk. For each cheapest path that cuts no corner of a wall,
/// there is an equally cheap path that turns only at such cells.
///
/// For example, this is a map of 5 × 3 cells with one wall. A word has 64 bits. The picture shows the lowest 8 of
/// them, with bit 0 on the left:
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
/// The number of a corner is the value of `before` for its word, plus the number of set bits below its own bit in
/// that word.
pub(super) struct Corners {
    stride: u32,
    /// One bit per slot of the grid.
    words: Box<[u64]>,
    /// For each word, the number of corners in all previous words.
    before: Box<[u32]>,
    cells: Box<[Cell]>,
}

impl Corners {
    /// Creates corners at the set bits of `rows`, which have the layout of the grid's rows.
    pub(super) fn of(rows: &BitRows) -> Self {
        let mut before = Vec::with_capacity(rows.words.len());
        let mut cells = Vec::new();
        for (index, &word) in rows.words.iter().enumerate() {
            before.push(cells.len() as u32);
            let (line, w) = (index / rows.row_words, index % rows.row_words);
            let mut rest = word;
            while rest != 0 {
                let x = w as u32 * 64 + rest.trailing_zeros();
                cells.push(Cell::new(x as i32, line as i32 - 1));
                rest &= rest - 1;
            }
        }
        Self {
            stride: rows.row_words as u32 * 64,
            words: rows.words.to_vec().into_boxed_slice(),
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

    /// The number of the corner at a cell of the grid. `None` if the cell is not a corner. The cell may also be
    /// outside of the grid, one straight step from its border. There is no corner there.
    #[inline]
    pub(super) fn get(&self, x: i32, y: i32) -> Option<u32> {
        // The last bit of a row is never a corner. The column before the first one of a row is the last bit of
        // the row above.
        let slot = ((y + 1) as u32 * self.stride).wrapping_add(x as u32);
        let word = self.words[slot as usize / 64];
        let bit = 1 << (slot % 64);
        (word & bit != 0).then(|| self.before[slot as usize / 64] + (word & (bit - 1)).count_ones())
    }

    /// The corners as bits, in the layout of the grid's rows.
    pub(super) fn words(&self) -> &[u64] {
        &self.words
    }

    pub(super) fn byte_size(&self) -> usize {
        size_of_val(&*self.words) + size_of_val(&*self.before) + size_of_val(&*self.cells)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cancel::uncancelled;
    use crate::grid::Grid;
    use crate::maps::parse_ascii;
    use crate::tables::naive::{any_grid, corners_at, is_corner};
    use crate::tables::rays::Rays;

    fn corners_of(grid: &Grid) -> Corners {
        uncancelled(|cancel| Rays::of(grid.walls(), cancel)).1
    }

    #[test]
    fn the_picture_of_the_words_is_right() {
        let corners = corners_of(&parse_ascii(".....\n..#..\n.....").expect("a board").grid);
        assert_eq!(corners.words(), [0, 0b1010, 0, 0b1010, 0]);
        assert_eq!(*corners.before, [0, 0, 2, 2, 4]);
    }

    #[test]
    fn cells_one_straight_step_outside_have_no_corner_even_beside_a_corner() {
        // Two of the cells are the last bit of a word and the first bit of the next word.
        let cells = [(0, 0), (63, 0), (64, 0), (0, 1)].map(Cell::from);
        let corners = corners_at(&cells);
        for (number, cell) in (0..).zip(cells) {
            assert_eq!(corners.get(cell.x, cell.y), Some(number));
        }
        for y in [0, 1] {
            assert_eq!([-1, 65].map(|x| corners.get(x, y)), [None; 2], "row {y}");
        }
        for x in [0, 64] {
            assert_eq!([-1, 2].map(|y| corners.get(x, y)), [None; 2], "column {x}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(crate::search::oracle::cases(1000)))]

        #[test]
        fn corners_are_the_cells_diagonally_beside_walls_row_by_row(grid in any_grid()) {
            let corners = corners_of(&grid);
            let expected: Vec<Cell> = grid.rect().cells().filter(|&cell| is_corner(&grid, cell)).collect();
            prop_assert_eq!(corners.count(), expected.len());
            for (number, &cell) in (0..).zip(&expected) {
                prop_assert_eq!(corners.cell(number), cell);
            }
            // No corner is one straight step outside of the grid.
            let (width, height) = (grid.width() as i32, grid.height() as i32);
            let is_diagonally_off = |cell: &Cell| [-1, width].contains(&cell.x) && [-1, height].contains(&cell.y);
            for cell in grid.rect().grow(1).cells().filter(|cell| !is_diagonally_off(cell)) {
                let number = expected.iter().position(|&corner| corner == cell);
                prop_assert_eq!(corners.get(cell.x, cell.y), number.map(|number| number as u32));
            }
        }
    }
}
