//! How long work is told that nobody wants it any more.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// Expansions, or nodes of a path walked back, between two looks at the flag.
pub(crate) const CANCEL_INTERVAL: u32 = 1024;

/// The cancel flag was raised.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cancelled;

/// [`Cancelled`] once the flag is raised.
pub(crate) fn check(flag: Option<&AtomicBool>) -> Result<(), Cancelled> {
    match flag {
        Some(flag) if flag.load(Ordering::Relaxed) => Err(Cancelled),
        _ => Ok(()),
    }
}

/// Items of up to eight words between two looks at the flag.
const ITEMS: usize = 512;

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
}
