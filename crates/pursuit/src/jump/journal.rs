//! Flat arrays that note which values were written, so that a copy can catch up without a comparison of all values.
//!
//! ```text
//!                       newer: values, written       copy
//! both are equal        a b c d e f g h  -           a b c d e f g h
//! newer.set(1, x)       a x c d e f g h  1           a b c d e f g h
//! newer.set(6, y)       a x c d e f y h  1 6         a b c d e f g h
//! copy.catch_up(newer)  a x c d e f y h  1 6         a x c d e f y h     copies values 1 and 6
//! newer.clear_journal() a x c d e f y h  -           a x c d e f y h
//! ```

use std::ops::Deref;

use crate::identity::next_identity;

/// The number of a state, and the number of the state in which its journals were cleared. A copy compares them
/// with its own numbers, to find out whether the journals contain all changes that it missed.
#[derive(Debug)]
pub(crate) struct Version {
    now: u64,
    journals_from: u64,
}

impl Version {
    /// A state that nothing else is in, with empty journals.
    pub(crate) fn new() -> Self {
        let now = next_identity();
        Self {
            now,
            journals_from: now,
        }
    }

    /// Notes that something is about to be written.
    pub(crate) fn bump(&mut self) {
        self.now = next_identity();
    }

    /// Notes that the journals were cleared.
    pub(crate) fn clear_journal(&mut self) {
        self.journals_from = self.now;
    }

    /// Whether both are in one state.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.now == other.now
    }

    /// Whether this state becomes equal to `newer` if the entries in the journals of `newer` are copied.
    pub(crate) fn can_catch_up(&self, newer: &Self) -> bool {
        self.now == newer.journals_from || self.is_same(newer)
    }

    /// Notes that this state has become equal to `newer`.
    pub(crate) fn catch_up(&mut self, newer: &Self) {
        self.now = newer.now;
    }
}

/// A clone is in the same state. Its journals are empty.
impl Clone for Version {
    fn clone(&self) -> Self {
        Self {
            now: self.now,
            journals_from: self.now,
        }
    }
}

/// Values that are read as a slice and written one by one, and a journal: the indices that were written.
#[derive(Debug, Default)]
pub(crate) struct Journaled<T> {
    values: Box<[T]>,
    /// Indices of written values, in the order of the writes. An index may come several times.
    written: Vec<u32>,
    /// Whether all values count as written, whatever `written` says.
    is_all_written: bool,
}

impl<T: Copy + PartialEq> Journaled<T> {
    pub(crate) fn new(values: Box<[T]>) -> Self {
        Self {
            values,
            written: Vec::new(),
            is_all_written: false,
        }
    }

    /// Writes a value. Notes the index, unless the value was the same. Ignores an index past the end.
    #[inline]
    pub(crate) fn set(&mut self, index: usize, value: T) {
        if let Some(old) = self.values.get_mut(index).filter(|old| **old != value) {
            *old = value;
            self.note(index);
        }
    }

    #[inline]
    fn note(&mut self, index: usize) {
        if self.is_all_written {
            return;
        }
        self.written.push(index as u32);
        // From here on, it is cheaper to copy all values than the noted ones.
        if self.written.len() > self.values.len() / 4 {
            self.is_all_written = true;
            self.written.clear();
        }
    }

    /// Writes all values, and notes the ones that differ.
    pub(crate) fn overwrite(&mut self, values: &[T]) {
        for (index, &value) in values.iter().enumerate() {
            self.set(index, value);
        }
    }

    /// Copies the values that are listed in the journal of `newer`. Both were equal when it was cleared.
    pub(crate) fn catch_up(&mut self, newer: &Self) {
        if self.values.len() != newer.values.len() {
            self.values = newer.values.clone();
        } else if newer.is_all_written {
            self.values.copy_from_slice(&newer.values);
        } else {
            for &index in &newer.written {
                self.values[index as usize] = newer.values[index as usize];
            }
        }
    }
}

/// The journal of an array, whatever it holds.
pub(crate) trait Layer {
    /// Forgets which values were written.
    fn clear_journal(&mut self);

    /// Counts all values as written.
    fn note_all(&mut self);
}

impl<T> Layer for Journaled<T> {
    fn clear_journal(&mut self) {
        self.written.clear();
        self.is_all_written = false;
    }

    fn note_all(&mut self) {
        self.written.clear();
        self.is_all_written = true;
    }
}

impl<T> Deref for Journaled<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.values
    }
}

/// A clone is equal to the original, so its journal is empty.
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
    fn only_changed_values_are_noted() {
        let mut values = Journaled::new(vec![7; 40].into());
        values.set(3, 7);
        assert!(values.written.is_empty());
        values.set(3, 8);
        values.set(40, 8);
        assert_eq!(values.written, [3]);
        values.clear_journal();
        assert!(values.written.is_empty());
    }

    #[test]
    fn the_picture_of_a_copy_that_catches_up_matches_the_code() {
        let array = |text: &str| Journaled::new(text.chars().collect::<Vec<_>>().into());
        let (mut newer, mut copy) = (array("abcdefgh"), array("abcdefgh"));
        let text = |array: &Journaled<char>| array.iter().collect::<String>();
        newer.set(1, 'x');
        assert_eq!(
            (text(&newer), &newer.written[..]),
            ("axcdefgh".to_owned(), &[1][..])
        );
        newer.set(6, 'y');
        assert_eq!(
            (text(&newer), &newer.written[..]),
            ("axcdefyh".to_owned(), &[1, 6][..])
        );
        assert_eq!(text(&copy), "abcdefgh");
        copy.catch_up(&newer);
        assert_eq!(text(&copy), "axcdefyh");
        newer.clear_journal();
        assert!(newer.written.is_empty());
    }

    #[test]
    fn only_the_noted_values_are_copied_unless_all_count_as_written() {
        let mut newer = Journaled::new(vec![0; 8].into());
        let mut copy = Journaled::new(vec![7; 8].into());
        newer.set(2, 1);
        copy.catch_up(&newer);
        assert_eq!(*copy, [7, 7, 1, 7, 7, 7, 7, 7]);
        newer.note_all();
        copy.catch_up(&newer);
        assert_eq!(*copy, *newer);
    }

    #[test]
    fn a_copy_can_catch_up_only_from_a_version_that_the_journals_cover() {
        let mut newer = Version::new();
        let mut copy = newer.clone();
        assert!(copy.can_catch_up(&newer), "it is equal");
        newer.bump();
        newer.bump();
        assert!(copy.can_catch_up(&newer), "the journals have both changes");
        assert!(!Version::new().can_catch_up(&newer), "it was never equal");
        newer.clear_journal();
        assert!(
            !copy.can_catch_up(&newer),
            "it missed a change that is no longer in the journals"
        );
        copy.catch_up(&newer);
        newer.bump();
        assert!(copy.can_catch_up(&newer));
    }

    proptest! {
        #[test]
        fn a_copy_is_equal_after_it_catches_up(
            rounds in prop::collection::vec(prop::collection::vec((0usize..50, 0u8..3), 0..30), 1..6),
        ) {
            let mut newer = Journaled::new(vec![0; 50].into());
            let mut copy = newer.clone();
            for writes in rounds {
                newer.clear_journal();
                writes.into_iter().for_each(|(index, value)| newer.set(index, value));
                copy.catch_up(&newer);
                prop_assert_eq!(&*copy, &*newer);
                prop_assert!(newer.written.len() <= 50 / 4);
            }
        }
    }
}
