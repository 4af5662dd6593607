//! Dead ends: free cells that lie on no path between other cells.
//!
//! ```text
//! # # # # # # #         # # # # # # #
//! # . . . # . .         # > > v # . .       > < ^ v: the way out of each dead end
//! # # # . # . .         # # # v # . .
//! # # # . . . .         # # # > > . .       the cell they lead to has several ways on: it is none
//! # # # # # . .         # # # # # . .
//! ```

use crate::bits::{is_set, ones};
use crate::cancel::{Cancel, Cancelled};
use crate::jump::journal::{Journaled, Layer};

/// The dead ends of a grid, and the way out of each dead end.
///
/// A free cell with exactly one free straight neighbor is a dead end, and that neighbor is its way out. The
/// dead end then counts as a wall. So the neighbor is also a dead end if it has exactly one free neighbor
/// left, and so on (dead-end filling, as mazes are solved).
///
/// The ways out form trees. Their roots are free cells that are no dead ends. In a maze without circles, all
/// cells but one are dead ends.
///
/// No dead end is part of a 2 × 2 block of free cells, so filling one takes no diagonal step away.
#[derive(Clone, Debug)]
pub(crate) struct DeadEnds {
    stride: u32,
    /// Which slots are dead ends.
    cells: Journaled<u64>,
    /// The exit of each dead end is a number from 0 to 3 (see [`straight_neighbor`]): its low bit, then its
    /// high bit.
    exits: [Journaled<u64>; 2],
}

impl DeadEnds {
    /// The dead ends among the free cells of some lines of `row_words` words each, and the free cells that are
    /// left.
    pub(crate) fn fill(
        words: &[u64],
        row_words: usize,
        cancel: Cancel<'_>,
    ) -> Result<(Self, Box<[u64]>), Cancelled> {
        let stride = row_words as u32 * 64;
        let mut rest: Box<[u64]> = words.into();
        let zeros = || vec![0; words.len()].into_boxed_slice();
        let (mut cells, mut exits) = (zeros(), [zeros(), zeros()]);
        let lines = row_words..words.len().saturating_sub(row_words);
        for index in lines {
            if index % row_words == 0 {
                cancel.check()?;
            }
            for bit in ones(candidates_in(words, row_words, index)) {
                let mut cell = index as u32 * 64 + bit;
                // Fill it, and go on along the way out as long as there is only one.
                while let Some(exit) = only_exit(&rest, stride, cell) {
                    let (word, bit) = (cell as usize / 64, 1 << (cell % 64));
                    rest[word] &= !bit;
                    cells[word] |= bit;
                    for (digit, exits) in exits.iter_mut().enumerate() {
                        exits[word] |= if exit >> digit & 1 != 0 { bit } else { 0 };
                    }
                    cell = straight_neighbor(cell, exit, stride);
                }
            }
        }
        let dead_ends = Self {
            stride,
            cells: Journaled::new(cells),
            exits: exits.map(Journaled::new),
        };
        Ok((dead_ends, rest))
    }

    /// No dead ends, on lines of `row_words` words each.
    pub(crate) fn none(row_words: usize) -> Self {
        Self {
            stride: row_words as u32 * 64,
            cells: Journaled::default(),
            exits: Default::default(),
        }
    }

    /// Whether a slot is a dead end.
    #[inline]
    pub(crate) fn contains(&self, slot: u32) -> bool {
        is_set(&self.cells, slot)
    }

    /// Which of 64 slots are dead ends.
    #[inline]
    pub(crate) fn word(&self, index: usize) -> u64 {
        self.cells.get(index).copied().unwrap_or(0)
    }

    /// Makes a slot a dead end with that exit, numbered as in [`straight_neighbor`].
    pub(crate) fn add(&mut self, slot: u32, exit: u32) {
        self.write(slot, true, exit);
    }

    /// Makes a slot no longer a dead end.
    pub(crate) fn remove(&mut self, slot: u32) {
        self.write(slot, false, 0);
    }

    fn write(&mut self, slot: u32, is_in: bool, exit: u32) {
        let (index, bit) = (slot as usize / 64, 1 << (slot % 64));
        let values = [is_in, exit & 1 != 0, exit & 2 != 0];
        let [low, high] = &mut self.exits;
        for (layer, value) in [&mut self.cells, low, high].into_iter().zip(values) {
            if let Some(&word) = layer.get(index) {
                layer.set(index, if value { word | bit } else { word & !bit });
            }
        }
    }

    /// Makes these dead ends equal to `other`, which has the same size. The journals note the words that differ.
    pub(crate) fn overwrite_with(&mut self, other: &Self) {
        self.cells.overwrite(&other.cells);
        for (exits, other) in self.exits.iter_mut().zip(&other.exits) {
            exits.overwrite(other);
        }
    }

    /// All layers, for operations on each journal.
    pub(crate) fn layers(&mut self) -> [&mut dyn Layer; 3] {
        let [low, high] = &mut self.exits;
        [&mut self.cells, low, high]
    }

    /// Copies the entries that are listed in the journals of `newer`.
    pub(crate) fn catch_up(&mut self, newer: &Self) {
        self.cells.catch_up(&newer.cells);
        for (exits, newer) in self.exits.iter_mut().zip(&newer.exits) {
            exits.catch_up(newer);
        }
    }

    /// The next slot on the way out of a dead end; `None` if the slot is no dead end.
    #[inline]
    pub(crate) fn exit_slot(&self, slot: u32) -> Option<u32> {
        let (word, bit) = (slot as usize / 64, slot % 64);
        if self.cells.get(word)? >> bit & 1 == 0 {
            return None;
        }
        let exit = (self.exits[0][word] >> bit & 1) | (self.exits[1][word] >> bit & 1) << 1;
        Some(straight_neighbor(slot, exit as u32, self.stride))
    }
}

/// The slot one straight step away. The direction is an exit: 0 is the next bit, 1 the next line, 2 the
/// previous bit, 3 the previous line.
#[inline]
pub(crate) fn straight_neighbor(slot: u32, exit: u32, stride: u32) -> u32 {
    match exit {
        0 => slot + 1,
        1 => slot + stride,
        2 => slot - 1,
        _ => slot - stride,
    }
}

/// The exit of a free cell that has exactly one free straight neighbor, numbered as in [`straight_neighbor`].
/// `None` if it has none or several, or the cell is not free.
pub(crate) fn only_exit(free: &[u64], stride: u32, cell: u32) -> Option<u32> {
    if !is_set(free, cell) {
        return None;
    }
    let exits = (0..4).fold(0, |exits, exit| {
        exits | u32::from(is_set(free, straight_neighbor(cell, exit, stride))) << exit
    });
    exits.is_power_of_two().then(|| exits.trailing_zeros())
}

/// The free cells of a word that have at most one free straight neighbor. Those with none are no dead ends:
/// [`only_exit`] drops them. `n` words make a line, and there is a line before and one after.
///
/// ```text
/// next line         # # # # . #
/// cells             # . . # . #       several: the neighbors of bit 2
/// previous line     # # . . # #       candidates: bits 1 and 4
/// ```
#[inline(always)]
fn candidates_in(words: &[u64], n: usize, i: usize) -> u64 {
    let previous_bit = words[i] << 1 | words[i - 1] >> 63;
    let next_bit = words[i] >> 1 | words[i + 1] << 63;
    let (previous_line, next_line) = (words[i - n], words[i + n]);
    let several = previous_bit & next_bit
        | previous_line & next_line
        | (previous_bit | next_bit) & (previous_line | next_line);
    words[i] & !several
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;
    use proptest::prelude::*;

    use super::*;
    use crate::cell::{Cell, NEIGHBORS};
    use crate::grid::Grid;
    use crate::jump::naive::any_grid;
    use crate::jump::pictures;
    use crate::random::any_walls;

    /// Fills cells with one free straight neighbor one by one until there are none.
    fn fill_one_by_one(grid: &Grid) -> Vec<Cell> {
        let mut free: Vec<Cell> = grid
            .rect()
            .cells()
            .filter(|&cell| grid.is_free(cell))
            .collect();
        loop {
            let exits = |cell: &Cell| {
                let straight = NEIGHBORS[..4].iter();
                straight
                    .filter(|&&(dx, dy)| free.contains(&cell.offset(dx, dy)))
                    .count()
            };
            let Some(end) = free.iter().position(|cell| exits(cell) == 1) else {
                return free;
            };
            free.remove(end);
        }
    }

    #[test]
    fn the_picture_of_dead_ends_matches_the_code() {
        let boards = pictures::boards(&[
            "# # # # # # #",
            "# . . . # . .",
            "# # # . # . .",
            "# # # . . . .",
            "# # # # # . .",
        ]);
        let expected = [
            ". . . . . . .",
            ". > > v . . .",
            ". . . v . . .",
            ". . . > > . .",
            ". . . . . . .",
        ];
        assert_eq!(pictures::ways_out(&boards), expected);
    }

    #[test]
    fn the_picture_of_candidates_matches_the_code() {
        let words = ["# # . . # #", "# . . # . #", "# # # # . #"].map(pictures::free_cells);
        let words = [&[0][..], &words, &[0]].concat();
        assert_eq!(candidates_in(&words, 1, 2), 1 << 1 | 1 << 4);
    }

    proptest! {
        #[test]
        fn candidates_and_exits_agree_with_a_check_of_each_neighbor(grid in any_grid()) {
            let (words, stride) = (grid.walls().words(), grid.walls().stride());
            let n = stride as usize / 64;
            for cell in grid.rect().cells() {
                let free = [(1, 0), (0, 1), (-1, 0), (0, -1)]
                    .map(|(dx, dy)| grid.is_free(cell.offset(dx, dy)));
                let count = free.iter().filter(|&&is_free| is_free).count();
                let slot = grid.walls().slot(cell).expect("inside");
                let candidates = candidates_in(words, n, slot as usize / 64);
                let is_candidate = candidates >> (slot % 64) & 1 != 0;
                prop_assert_eq!(is_candidate, grid.is_free(cell) && count <= 1, "{}", cell);
                let exit = free.iter().position(|&is_free| is_free);
                let expected = exit.filter(|_| grid.is_free(cell) && count == 1);
                let found = only_exit(words, stride, slot);
                prop_assert_eq!(found.map(|exit| exit as usize), expected, "{}", cell);
            }
        }

        #[test]
        fn filling_leaves_as_many_cells_as_one_by_one_and_all_dead_ends_lead_to_them(
            width in prop_oneof![1u32..14, 62u32..67], height in 1u32..9, seed: u64,
        ) {
            let grid = any_walls(&mut Rng::with_seed(seed), width, height, 4..15);
            let row_words = grid.walls().stride() as usize / 64;
            let filled = DeadEnds::fill(grid.walls().words(), row_words, Cancel::NEVER);
            let (dead_ends, rest) = filled.expect("nobody cancels it");
            let left: u32 = rest.iter().map(|word| word.count_ones()).sum();
            // Of a tree that is all dead ends, one cell is left: which one may differ.
            prop_assert_eq!(left as usize, fill_one_by_one(&grid).len());
            for cell in grid.rect().cells().filter(|&cell| grid.is_free(cell)) {
                let mut at = grid.walls().slot(cell).expect("inside");
                let mut steps = 0;
                while let Some(out) = dead_ends.exit_slot(at) {
                    prop_assert!(grid.walls().slot_is_free(out));
                    at = out;
                    steps += 1;
                    prop_assert!(steps <= grid.free_count(), "in a circle");
                }
                prop_assert!(rest[at as usize / 64] >> (at % 64) & 1 != 0, "{} leads nowhere", cell);
            }
        }
    }
}
