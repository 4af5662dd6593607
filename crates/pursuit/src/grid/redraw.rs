//! Edits of a grid that nobody else reads, and a second copy that follows.

use super::builder::fill_bits;
use super::{Grid, count_ones};
use crate::cancel::Cancelled;
use crate::cell::CellRect;
use crate::identity::next_identity;

impl Grid {
    /// Changes cells in some rectangles, which are inside of the grid: a new edition with an identity of its
    /// own. Costs stay. `edit` gets all rows of words, padding rows included, the number of words per
    /// row, and a rectangle. Bits beyond the width are to stay zero. What is known of the terrain is
    /// brought up to date, which costs what the edits touch.
    ///
    /// Once the flag is up, the grid is left half-way, and of no more use.
    pub(crate) fn redraw(
        &mut self,
        rects: impl Iterator<Item = CellRect>,
        mut edit: impl FnMut(&mut [u64], usize, CellRect) -> Result<(), Cancelled>,
    ) -> Result<(), Cancelled> {
        for rect in rects {
            let words_before = self.words_before(rect);
            let before = self.count_free_around(rect);
            edit(&mut self.words, self.row_words as usize, rect)?;
            let after = self.count_free_around(rect);
            self.free_count = self.free_count + after - before;
            self.follow_terrain(rect, &words_before);
        }
        self.identity = next_identity();
        Ok(())
    }

    /// Blocks all cells of some rectangles inside of the grid. Costs stay.
    pub(crate) fn close(&mut self, rects: impl Iterator<Item = CellRect>) {
        let mut rects = rects.peekable();
        if rects.peek().is_none() {
            return;
        }
        let closed = self.redraw(rects, |words, row_words, rect| {
            fill_bits(words, row_words, rect, false);
            Ok(())
        });
        closed.expect("invariant: nobody cancels it");
    }

    /// Makes this grid, which differs from `newer` in some rectangles at most, equal to it, with its
    /// identity.
    pub(crate) fn catch_up(&mut self, newer: &Self, rects: impl Iterator<Item = CellRect> + Clone) {
        self.catch_up_terrain(newer, rects.clone());
        for rect in rects {
            for words in self.words_of_rows(rect) {
                self.words[words.clone()].copy_from_slice(&newer.words[words]);
            }
        }
        self.free_count = newer.free_count;
        self.identity = newer.identity;
    }

    /// Free cells in the words that a rectangle inside of the grid meets.
    fn count_free_around(&self, rect: CellRect) -> u32 {
        let mut count = 0;
        for words in self.words_of_rows(rect) {
            count += count_ones(&self.words[words]);
        }
        count
    }
}
