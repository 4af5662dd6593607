//! Edits of a grid that nobody else reads, and a second copy that follows.

use super::{Grid, count_ones, next_identity};
use crate::cancel::{Cancelled, WORDS, Watch};
use crate::cell::CellRect;
use crate::lazy::Lazy;
use crate::lines::boards::JumpPointBoards;
use crate::lines::update::UpdateScratch;

impl Grid {
    /// Changes cells in some rectangles, which are inside of the grid: a new edition with an identity of its
    /// own. Costs stay. `edit` gets all rows of words, padding rows included, the number of words per
    /// row, and a rectangle. Bits beyond the width are to stay zero. Boards, and what is known of the terrain, are
    /// brought up to date, which costs what the edits touch.
    ///
    /// Once the flag is up, grid and scratch are left half-way, and of no more use. So it is with all that follows.
    pub(crate) fn redraw_until(
        &mut self,
        rects: impl Iterator<Item = CellRect> + Clone,
        mut edit: impl FnMut(&mut [u64], usize, CellRect, &mut Watch<'_>) -> Result<(), Cancelled>,
        scratch: &mut UpdateScratch,
        watch: &mut Watch<'_>,
    ) -> Result<(), Cancelled> {
        if let Some(boards) = self.boards.get_mut() {
            boards.clear_journals();
        }
        for rect in rects.clone() {
            let words_before = self.words_before(rect, watch)?;
            let before = self.count_free_around(rect, watch)?;
            edit(&mut self.words, self.row_words as usize, rect, watch)?;
            let after = self.count_free_around(rect, watch)?;
            self.free_count = self.free_count + after - before;
            self.follow_terrain(rect, &words_before, watch)?;
        }
        if let Some(boards) = self.boards.get_mut() {
            boards.update_until(&self.words, rects, scratch, watch)?;
        }
        self.identity = next_identity();
        Ok(())
    }

    /// Makes this grid, which differs from `newer` in some rectangles at most, equal to it, with its
    /// identity. Boards that missed several edits may count other cells as dead ends.
    pub(crate) fn catch_up_until(
        &mut self,
        newer: &Self,
        rects: impl Iterator<Item = CellRect> + Clone,
        scratch: &mut UpdateScratch,
        watch: &mut Watch<'_>,
    ) -> Result<(), Cancelled> {
        self.catch_up_terrain(newer, rects.clone(), watch)?;
        let has_journals = match (self.boards.get_mut(), newer.boards.get()) {
            (Some(boards), Some(newer)) => boards.catch_up_until(newer, watch)?,
            _ => {
                self.boards = newer.copied_boards(watch)?;
                true
            }
        };
        for rect in rects.clone() {
            for words in self.words_of_rows(rect) {
                watch.copy_to(&mut self.words[words.clone()], &newer.words[words])?;
            }
        }
        if !has_journals && let Some(boards) = self.boards.get_mut() {
            boards.update_until(&self.words, rects, scratch, watch)?;
        }
        self.free_count = newer.free_count;
        self.identity = newer.identity;
        Ok(())
    }

    /// A clone, with a flag to give up.
    pub(crate) fn copied(&self, watch: &mut Watch<'_>) -> Result<Self, Cancelled> {
        let terrain = self.terrain.as_ref();
        let terrain = terrain.map(|terrain| terrain.copied(watch)).transpose()?;
        Ok(Self {
            words: watch.copy(&self.words)?.into(),
            costs: self.costs.clone(),
            terrain,
            boards: self.copied_boards(watch)?,
            ..*self
        })
    }

    fn copied_boards(
        &self,
        watch: &mut Watch<'_>,
    ) -> Result<Lazy<Box<JumpPointBoards>>, Cancelled> {
        let copy = Lazy::default();
        if let Some(boards) = self.boards.get() {
            copy.set(Box::new(boards.copied(watch)?));
        }
        Ok(copy)
    }

    /// Works out what only edits need, so that the first one does not.
    pub(crate) fn prepare_updates(&mut self, watch: &mut Watch<'_>) -> Result<(), Cancelled> {
        match self.boards.get_mut() {
            Some(boards) => boards.prepare_updates_until(watch),
            None => Ok(()),
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
    pub(crate) fn settle_until(
        &mut self,
        scratch: &mut UpdateScratch,
        watch: &mut Watch<'_>,
    ) -> Result<(), Cancelled> {
        if let Some(boards) = self.boards.get_mut() {
            boards.clear_journals();
            boards.settle_until(&self.words, scratch, watch)?;
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
        let [a, b] = [self, other].map(|grid| grid.boards(None).ok().flatten());
        a.zip(b).is_some_and(|(a, b)| a.is_equal(b))
    }

    /// Free cells in the words that a rectangle inside of the grid meets.
    fn count_free_around(&self, rect: CellRect, watch: &mut Watch<'_>) -> Result<u32, Cancelled> {
        let mut count = 0;
        for words in self.words_of_rows(rect) {
            for words in self.words[words].chunks(WORDS) {
                watch.pass_words(words.len())?;
                count += count_ones(words);
            }
        }
        Ok(count)
    }
}

#[cfg(test)]
impl Grid {
    pub(crate) fn redraw(
        &mut self,
        rects: impl Iterator<Item = CellRect> + Clone,
        mut edit: impl FnMut(&mut [u64], usize, CellRect),
        scratch: &mut UpdateScratch,
    ) {
        let edit = |words: &mut [u64], row_words: usize, rect: CellRect, _: &mut Watch<'_>| {
            edit(words, row_words, rect);
            Ok(())
        };
        let done = self.redraw_until(rects, edit, scratch, &mut Watch::new(None));
        done.expect("nobody cancels it");
    }

    pub(crate) fn catch_up(
        &mut self,
        newer: &Self,
        rects: impl Iterator<Item = CellRect> + Clone,
        scratch: &mut UpdateScratch,
    ) {
        let done = self.catch_up_until(newer, rects, scratch, &mut Watch::new(None));
        done.expect("nobody cancels it");
    }
}
