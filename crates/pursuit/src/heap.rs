//! A heap with four children per entry: it is half as deep as a binary heap, and the four children of an entry
//! are next to each other in memory.

/// Children per entry.
const ARITY: usize = 4;

/// A full heap makes room for this many more entries, plus a quarter of its entries.
const MIN_SPARE_ENTRIES: usize = 16;

/// A priority queue that returns the least entry first. Entry `i` is not greater than its
/// children, the entries `4 · i + 1` to `4 · i + 4`.
///
/// ```text
/// place    0   1 2 3 4   5 6
/// entry    2   7 3 9 5   8 7      7 at place 1 has the children 8 and 7
/// ```
///
/// One entry is held outside of the heap: the least of the entries that were pushed since the last held entry was
/// popped. It is usually popped next, and in that case it never enters the heap.
///
/// A full heap grows by a quarter. If it doubled, the old and the new array together would need room for three times
/// its entries while they are moved.
#[derive(Debug, Default)]
pub(crate) struct MinHeap<T> {
    held: Option<T>,
    entries: Vec<T>,
}

impl<T: Copy + Ord> MinHeap<T> {
    pub(crate) fn clear(&mut self) {
        self.held = None;
        self.entries.clear();
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, entry: T) {
        let Some(held) = self.held else {
            self.held = Some(entry);
            return;
        };
        self.held = Some(entry.min(held));
        self.push_later(entry.max(held));
    }

    #[inline(never)]
    fn push_later(&mut self, entry: T) {
        let entries = &mut self.entries;
        if entries.len() == entries.capacity() {
            entries.reserve_exact(entries.len() / 4 + MIN_SPARE_ENTRIES);
        }
        let mut hole = entries.len();
        entries.push(entry);
        while hole > 0 {
            let parent = (hole - 1) / ARITY;
            if entries[parent] <= entry {
                break;
            }
            entries[hole] = entries[parent];
            hole = parent;
        }
        entries[hole] = entry;
    }

    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<T> {
        match (self.held, self.entries.first()) {
            (Some(held), Some(&first)) if first < held => self.pop_later(),
            (Some(_), _) => self.held.take(),
            (None, _) => self.pop_later(),
        }
    }

    #[inline(always)]
    fn pop_later(&mut self) -> Option<T> {
        let moved = self.entries.pop()?;
        let Some(&first) = self.entries.first() else {
            return Some(moved);
        };
        // The last entry replaces the first one, and sinks from there.
        self.sink(0, moved);
        Some(first)
    }

    /// Puts the entry `moved` at index `hole`. While a child is smaller, moves that child up and continues at its old
    /// index.
    #[inline(always)]
    fn sink(&mut self, mut hole: usize, moved: T) {
        let entries = self.entries.as_mut_slice();
        loop {
            let child = ARITY * hole + 1;
            let children = match entries.get(child..) {
                Some(rest) if !rest.is_empty() => &rest[..rest.len().min(ARITY)],
                _ => break,
            };
            let mut least = (child, children[0]);
            for (i, &entry) in children.iter().enumerate().skip(1) {
                if entry < least.1 {
                    least = (child + i, entry);
                }
            }
            if moved <= least.1 {
                break;
            }
            entries[hole] = least.1;
            hole = least.0;
        }
        entries[hole] = moved;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn is_ordered(heap: &MinHeap<u32>) -> bool {
        let entries = &heap.entries;
        (1..entries.len()).all(|place| entries[(place - 1) / ARITY] <= entries[place])
    }

    #[test]
    fn the_picture_of_places_is_right() {
        let mut heap = MinHeap::default();
        [1, 2, 7, 3, 9, 5, 8, 7]
            .into_iter()
            .for_each(|it| heap.push(it));
        assert_eq!(heap.held, Some(1));
        assert_eq!(heap.entries, [2, 7, 3, 9, 5, 8, 7]);
        assert!(is_ordered(&heap));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(crate::search::oracle::cases(500)))]

        #[test]
        fn entries_are_popped_as_from_a_sorted_list(
            steps in prop::collection::vec(prop::option::weighted(0.6, 0u32..50), 0..200),
        ) {
            let (mut heap, mut naive) = (MinHeap::default(), Vec::new());
            for step in steps {
                match step {
                    Some(value) => {
                        heap.push(value);
                        naive.push(value);
                    }
                    None => {
                        naive.sort_unstable();
                        let least = (!naive.is_empty()).then(|| naive.remove(0));
                        prop_assert_eq!(heap.pop(), least);
                    }
                }
                prop_assert!(is_ordered(&heap));
                prop_assert_eq!(heap.entries.len() + usize::from(heap.held.is_some()), naive.len());
            }
            heap.clear();
            prop_assert_eq!(heap.pop(), None);
        }
    }

    #[test]
    fn a_heap_has_little_more_room_than_entries() {
        let mut heap = MinHeap::default();
        (0..10_000).rev().for_each(|entry| heap.push(entry));
        assert!(heap.entries.capacity() <= 10_000 * 5 / 4 + MIN_SPARE_ENTRIES);
    }
}
