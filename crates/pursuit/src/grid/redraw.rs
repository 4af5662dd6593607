//! Edits of a grid that nobody else reads, and a second copy that follows.

use super::{Grid, count_ones};
use crate::cancel::{Cancel, Cancelled};
use crate::cell::CellRect;
use crate::identity::next_identity;
use crate::lines::update::UpdateScratch;

impl Grid {
    /// Changes cells in some rectangles, which are inside of the grid: a new edition with an identity of its
    /// own. Costs stay. `edit` gets all rows of words, padding rows included, the number of words per
    /// row, and a rectangle. Bits beyond the width are to stay zero. Boards, and what is known of the terrain, are
    /// brought up to date, which costs what the edits touch.
    ///
    /// Once the flag is up, grid and scratch are left half-way, and of no more use. So it is with all that follows.
    pub(crate) fn redraw(
        &mut self,
        rects: impl Iterator<Item = CellRect> + Clone,
        mut edit: impl FnMut(&mut [u64], usize, CellRect) -> Result<(), Cancelled>,
        scratch: &mut UpdateScratch,
        cancel: Cancel<'_>,
    ) -> Result<(), Cancelled> {
        if let Some(boards) = self.boards.get_mut() {
            boards.clear_journals();
        }
        for rect in rects.clone() {
            let words_before = self.words_before(rect);
            let before = self.count_free_around(rect);
            edit(&mut self.words, self.row_words as usize, rect)?;
            let after = self.count_free_around(rect);
            self.free_count = self.free_count + after - before;
            self.follow_terrain(rect, &words_before);
        }
        if let Some(boards) = self.boards.get_mut() {
            boards.update(&self.words, rects, scratch, cancel)?;
        }
        self.identity = next_identity();
        Ok(())
    }

    /// Makes this grid, which differs from `newer` in some rectangles at most, equal to it, with its
    /// identity. Boards that missed several edits may count other cells as dead ends.
    pub(crate) fn catch_up(
        &mut self,
        newer: &Self,
        rects: impl Iterator<Item = CellRect> + Clone,
        scratch: &mut UpdateScratch,
        cancel: Cancel<'_>,
    ) -> Result<(), Cancelled> {
        cancel.check()?;
        self.catch_up_terrain(newer, rects.clone());
        let has_journals = match (self.boards.get_mut(), newer.boards.get()) {
            (Some(boards), Some(newer)) => boards.catch_up(newer),
            _ => {
                self.boards = newer.boards.clone();
                true
            }
        };
        for rect in rects.clone() {
            for words in self.words_of_rows(rect) {
                self.words[words.clone()].copy_from_slice(&newer.words[words]);
            }
        }
        if !has_journals && let Some(boards) = self.boards.get_mut() {
            boards.update(&self.words, rects, scratch, cancel)?;
        }
        self.free_count = newer.free_count;
        self.identity = newer.identity;
        Ok(())
    }

    /// Works out what only edits need, so that the first one does not.
    pub(crate) fn prepare_updates(&mut self) {
        if let Some(boards) = self.boards.get_mut() {
            boards.prepare_updates();
        }
    }

    /// Whether an edit that follows `newer` has nothing to copy or to work out that is as large as the grid.
    pub(crate) fn is_ready(&self, newer: &Self) -> bool {
        let boards = newer.boards.get();
        boards.is_none_or(|newer| self.boards.get().is_some_and(|own| own.is_ready(newer)))
    }

    /// Whether boards, if there are any, are as if made anew.
    pub(crate) fn is_settled(&self) -> bool {
        self.boards.get().is_none_or(|boards| boards.is_settled())
    }

    /// Makes boards, if there are any, as if made anew.
    pub(crate) fn settle(
        &mut self,
        scratch: &mut UpdateScratch,
        cancel: Cancel<'_>,
    ) -> Result<(), Cancelled> {
        if let Some(boards) = self.boards.get_mut() {
            boards.clear_journals();
            boards.settle(&self.words, scratch, cancel)?;
        }
        Ok(())
    }

    /// Whether it has boards already.
    #[cfg(test)]
    pub(crate) fn is_prepared(&self) -> bool {
        self.boards.get().is_some()
    }

    /// Whether its boards are equal to another grid's, dead ends included.
    #[cfg(test)]
    pub(crate) fn has_boards_of(&self, other: &Self) -> bool {
        let [a, b] = [self, other].map(|grid| grid.boards.get());
        a.zip(b).is_some_and(|(a, b)| a.is_equal(b))
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
