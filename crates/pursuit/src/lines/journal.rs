//! Flat arrays that note what was written to them, so that a second copy can follow.

use std::ops::Deref;
use std::sync::atomic::{AtomicU64, Ordering};

/// Which state something is in, and in which one its journals began. So a copy knows whether they tell it all
/// that it missed.
#[derive(Debug)]
pub(crate) struct Edition {
    now: u64,
    journals_from: u64,
}

impl Edition {
    /// A state that nothing else is in, with nothing in the journals.
    pub(crate) fn new() -> Self {
        let now = next_edition();
        Self {
            now,
            journals_from: now,
        }
    }

    /// Something is about to be written.
    pub(crate) fn edit(&mut self) {
        self.now = next_edition();
    }

    /// The journals are empty.
    pub(crate) fn forget(&mut self) {
        self.journals_from = self.now;
    }

    /// Whether applying `newer`'s journals makes this equal to it.
    pub(crate) fn can_follow(&self, newer: &Self) -> bool {
        self.now == newer.journals_from || self.now == newer.now
    }

    /// Takes over its state.
    pub(crate) fn follow(&mut self, newer: &Self) {
        self.now = newer.now;
    }
}

/// What is cloned is in the same state. Its journals are empty.
impl Clone for Edition {
    fn clone(&self) -> Self {
        Self {
            now: self.now,
            journals_from: self.now,
        }
    }
}

fn next_edition() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Values that are read as a slice and written one by one. The places that were written are noted.
#[derive(Debug)]
pub(crate) struct Journaled<T> {
    values: Box<[T]>,
    /// Places of values that changed, in the order of the changes. Some come several times.
    changed: Vec<u32>,
    /// Whether so much changed that all values count as changed.
    has_all_changed: bool,
}

impl<T: Copy + PartialEq> Journaled<T> {
    pub(crate) fn new(values: Box<[T]>) -> Self {
        Self {
            values,
            changed: Vec::new(),
            has_all_changed: false,
        }
    }

    /// Writes a value, and notes the place if the value changes. Ignores places past the end.
    #[inline]
    pub(crate) fn set(&mut self, index: usize, value: T) {
        if let Some(old) = self.values.get_mut(index).filter(|old| **old != value) {
            *old = value;
            self.note(index);
        }
    }

    #[inline]
    fn note(&mut self, index: usize) {
        if self.has_all_changed {
            return;
        }
        self.changed.push(index as u32);
        // From here on, copying everything is cheaper than following the notes.
        if self.changed.len() > self.values.len() / 4 {
            self.has_all_changed = true;
            self.changed.clear();
        }
    }

    /// Copies what changed in `newer` since it last forgot. Before these changes both were equal.
    pub(crate) fn catch_up(&mut self, newer: &Self) {
        if newer.has_all_changed || self.values.len() != newer.values.len() {
            self.values.clone_from(&newer.values);
            return;
        }
        for &index in &newer.changed {
            self.values[index as usize] = newer.values[index as usize];
        }
    }
}

/// The journal of an array, whatever it holds.
pub(crate) trait Layer {
    /// Forgets which values changed.
    fn forget(&mut self);

    /// Counts all values as changed.
    fn note_all(&mut self);
}

impl<T> Layer for Journaled<T> {
    fn forget(&mut self) {
        self.changed.clear();
        self.has_all_changed = false;
    }

    fn note_all(&mut self) {
        self.changed.clear();
        self.has_all_changed = true;
    }
}

impl<T> Deref for Journaled<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.values
    }
}

/// A clone is equal to what it was cloned from, so it begins without notes.
impl<T: Copy + PartialEq> Clone for Journaled<T> {
    fn clone(&self) -> Self {
        Self::new(self.values.clone())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_changes_are_noted() {
        let mut values = Journaled::new(vec![7; 40].into());
        values.set(3, 7);
        assert!(values.changed.is_empty());
        values.set(3, 8);
        values.set(40, 8);
        assert_eq!(values.changed, [3]);
        values.forget();
        assert!(values.changed.is_empty());
    }

    proptest! {
        #[test]
        fn a_copy_that_catches_up_is_equal(
            rounds in prop::collection::vec(prop::collection::vec((0usize..50, 0u8..3), 0..30), 1..6),
        ) {
            let mut newer = Journaled::new(vec![0; 50].into());
            let mut copy = newer.clone();
            for writes in rounds {
                newer.forget();
                writes.into_iter().for_each(|(index, value)| newer.set(index, value));
                copy.catch_up(&newer);
                prop_assert_eq!(&*copy, &*newer);
                prop_assert!(newer.changed.len() <= 50 / 4);
            }
        }
    }
}
