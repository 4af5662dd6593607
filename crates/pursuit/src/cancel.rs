//! How long work is told that nobody wants it any more.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use thiserror::Error;

/// Expansions, or nodes of a path walked back, between two looks at the flag.
pub(crate) const CANCEL_INTERVAL: u32 = 1024;

/// The cancel flag was raised before the work was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the work was cancelled")]
pub struct Cancelled;

/// [`Cancelled`] once the flag is raised.
pub(crate) fn check(flag: Option<&AtomicBool>) -> Result<(), Cancelled> {
    #[cfg(test)]
    looks::note(flag);
    match flag {
        Some(flag) if flag.load(Ordering::Relaxed) => Err(Cancelled),
        _ => Ok(()),
    }
}

/// Words between two looks at the flag, at most.
pub(crate) const WORDS: usize = 4096;

/// Items of up to eight words between two looks at the flag.
pub(crate) const ITEMS: usize = WORDS / 8;

/// Looks at a flag now and then in a long pass over flat arrays: at least once in 4,096 words.
pub(crate) struct Watch<'a> {
    flag: Option<&'a AtomicBool>,
    /// Items until the next look.
    left: usize,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(flag: Option<&'a AtomicBool>) -> Self {
        Self { flag, left: 0 }
    }

    /// The flag that it looks at.
    pub(crate) fn flag(&self) -> Option<&'a AtomicBool> {
        self.flag
    }

    /// Counts items that are about to be worked on, 512 or less.
    #[inline]
    pub(crate) fn pass(&mut self, items: usize) -> Result<(), Cancelled> {
        debug_assert!(items <= ITEMS, "{items} without a look");
        if let Some(left) = self.left.checked_sub(items) {
            self.left = left;
            return Ok(());
        }
        self.left = ITEMS.saturating_sub(items);
        check(self.flag)
    }

    /// Works through `0..count` in pieces.
    #[inline(always)]
    pub(crate) fn pieces(
        &mut self,
        count: usize,
        mut work: impl FnMut(Range<usize>),
    ) -> Result<(), Cancelled> {
        for first in (0..count).step_by(ITEMS) {
            let piece = first..count.min(first + ITEMS);
            self.pass(piece.len())?;
            work(piece);
        }
        Ok(())
    }

    /// Counts words that are about to be read or written, or as many as there may be between two looks.
    #[inline]
    pub(crate) fn pass_words(&mut self, words: usize) -> Result<(), Cancelled> {
        self.pass((1 + words / 8).min(ITEMS))
    }

    /// A copy of some items.
    pub(crate) fn copy<T: Copy>(&mut self, items: &[T]) -> Result<Vec<T>, Cancelled> {
        let mut all = Vec::with_capacity(items.len());
        self.pieces(items.len(), |piece| all.extend_from_slice(&items[piece]))?;
        Ok(all)
    }

    /// Writes some items over as many others.
    #[inline]
    pub(crate) fn copy_to<T: Copy>(&mut self, to: &mut [T], from: &[T]) -> Result<(), Cancelled> {
        if from.len() <= ITEMS {
            self.pass(from.len())?;
            to.copy_from_slice(from);
            return Ok(());
        }
        for (to, from) in to.chunks_mut(ITEMS).zip(from.chunks(ITEMS)) {
            self.pass(from.len())?;
            to.copy_from_slice(from);
        }
        Ok(())
    }

    /// Whether two lists of one length are equal.
    #[inline]
    pub(crate) fn are_equal<T: PartialEq>(&mut self, a: &[T], b: &[T]) -> Result<bool, Cancelled> {
        if a.len() <= ITEMS {
            self.pass(a.len())?;
            return Ok(a == b);
        }
        for (a, b) in a.chunks(ITEMS).zip(b.chunks(ITEMS)) {
            self.pass(a.len())?;
            if a != b {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Writes one item over all of a list.
    #[inline]
    pub(crate) fn fill<T: Copy>(&mut self, list: &mut [T], item: T) -> Result<(), Cancelled> {
        if list.len() <= ITEMS {
            self.pass(list.len())?;
            list.fill(item);
            return Ok(());
        }
        for list in list.chunks_mut(ITEMS) {
            self.pass(list.len())?;
            list.fill(item);
        }
        Ok(())
    }

    /// Adds items to a list.
    pub(crate) fn extend<T>(
        &mut self,
        list: &mut Vec<T>,
        items: impl IntoIterator<Item = T>,
    ) -> Result<(), Cancelled> {
        for item in items {
            self.pass(1)?;
            list.push(item);
        }
        Ok(())
    }

    /// Collects what `item` gives for each of `0..count`.
    #[inline(always)]
    pub(crate) fn collect<T>(
        &mut self,
        count: usize,
        mut item: impl FnMut(usize) -> T,
    ) -> Result<Vec<T>, Cancelled> {
        let mut all = Vec::with_capacity(count);
        self.pieces(count, |piece| all.extend(piece.map(&mut item)))?;
        Ok(all)
    }

    /// Sorts items: a merge sort of short runs, which looks at the flag as it goes.
    pub(crate) fn sort<T: Copy + Ord>(&mut self, items: &mut Vec<T>) -> Result<(), Cancelled> {
        for run in items.chunks_mut(ITEMS) {
            self.pass(run.len())?;
            run.sort_unstable();
        }
        self.merge_runs(items)
    }

    /// Makes one of runs that are sorted.
    fn merge_runs<T: Copy + Ord>(&mut self, items: &mut Vec<T>) -> Result<(), Cancelled> {
        if items.len() <= ITEMS {
            return Ok(());
        }
        let mut merged = Vec::with_capacity(items.len());
        let mut length = ITEMS;
        while length < items.len() {
            merged.clear();
            for pair in items.chunks(2 * length) {
                let (mut a, mut b) = pair.split_at(length.min(pair.len()));
                while let ([first, a_rest @ ..], [second, b_rest @ ..]) = (a, b) {
                    self.pass(1)?;
                    if second < first {
                        merged.push(*second);
                        b = b_rest;
                    } else {
                        merged.push(*first);
                        a = a_rest;
                    }
                }
                for rest in [a, b] {
                    self.pieces(rest.len(), |piece| merged.extend_from_slice(&rest[piece]))?;
                }
            }
            std::mem::swap(items, &mut merged);
            length *= 2;
        }
        Ok(())
    }
}

/// How often a thread looks at flags, for tests.
#[cfg(test)]
pub(crate) mod looks {
    use std::cell::Cell;
    use std::sync::atomic::{AtomicBool, Ordering};

    thread_local! {
        /// Looks until now, and at which one the flag goes up.
        static LOOKS: Cell<(usize, usize)> = const { Cell::new((0, usize::MAX)) };
    }

    pub(super) fn note(flag: Option<&AtomicBool>) {
        if let Some(flag) = flag {
            let (count, up_at) = LOOKS.get();
            LOOKS.set((count + 1, up_at));
            if count == up_at {
                flag.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Works with a flag that goes up just before it is looked at for the `up_at`th time, from 0. Gives
    /// the number of looks, too.
    pub(crate) fn count<T>(
        up_at: usize,
        work: impl FnOnce(Option<&AtomicBool>) -> T,
    ) -> (T, usize) {
        LOOKS.set((0, up_at));
        let result = work(Some(&AtomicBool::new(false)));
        (result, LOOKS.replace((0, usize::MAX)).0)
    }

    /// Works with a flag that stays down, and then with one that goes up at each of its looks: that has to end
    /// the work there, as `cancelled`. Gives what came of the first, and the number of looks.
    #[track_caller]
    pub(crate) fn assert_each_ends<T: PartialEq + std::fmt::Debug>(
        cancelled: &T,
        mut work: impl FnMut(Option<&AtomicBool>) -> T,
    ) -> (T, usize) {
        let (whole, all) = count(usize::MAX, &mut work);
        for up_at in 0..all {
            let (ended, looked) = count(up_at, &mut work);
            assert_eq!(&ended, cancelled, "look {up_at} of {all}");
            assert_eq!(looked, up_at + 1, "looks after the flag was up, of {all}");
        }
        (whole, all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_watch_looks_at_the_flag_at_least_once_in_512_items() {
        for items in [1, 3, 64, 511, 512] {
            let (passed, looks) = looks::count(usize::MAX, |flag| {
                let mut watch = Watch::new(flag);
                (0..5000)
                    .map(|_| watch.pass(items).map_or(0, |()| items))
                    .sum::<usize>()
            });
            assert!(looks >= passed / ITEMS, "{looks} looks at {passed} items");
            assert!(
                looks <= passed / (ITEMS / 2) + 1,
                "{looks} looks at {passed} items"
            );
        }
    }

    #[test]
    fn items_are_sorted_and_the_flag_is_looked_at() {
        let mut random = fastrand::Rng::with_seed(3);
        for count in [0, 1, 511, 513, 1024, 1025, 5000] {
            let mut items: Vec<u32> = (0..count).collect();
            random.shuffle(&mut items);
            let (sorted, looks) =
                looks::count(usize::MAX, |flag| Watch::new(flag).sort(&mut items));
            assert!(sorted.is_ok());
            assert_eq!(items, (0..count).collect::<Vec<_>>());
            let rounds = items.len().div_ceil(ITEMS).max(1).ilog2() as usize;
            assert!(
                looks >= (1 + rounds) * (items.len() / ITEMS),
                "{looks} looks"
            );
        }
    }

    #[test]
    fn pieces_cover_everything_once_and_end_with_the_flag() {
        for count in [0, 1, 511, 512, 513, 5000] {
            let (all, looks) = looks::count(usize::MAX, |flag| {
                Watch::new(flag).collect(count, |item| item)
            });
            assert_eq!(all.expect("no flag"), (0..count).collect::<Vec<_>>());
            assert_eq!(looks, count.div_ceil(ITEMS));
            for up_at in 0..looks {
                let (end, _) = looks::count(up_at, |flag| {
                    let mut seen = 0;
                    let ended = Watch::new(flag).pieces(count, |piece| seen = piece.end);
                    (ended.is_err(), seen)
                });
                assert_eq!(end, (true, up_at * ITEMS));
            }
        }
    }
}
