//! A heap with four children per entry: half as deep as one with two, and the four lie side by side.

/// Children per entry.
const ARITY: usize = 4;

/// Places that a full heap gets beside a quarter more.
const LEAST_ROOM: usize = 16;

/// Entries of which the least comes first. Entry `i` is not above its children, `4 · i + 1` to `4 · i + 4`.
///
/// ```text
/// place    0   1 2 3 4   5 6
/// entry    2   7 3 9 5   8 7      7 at place 1 has the children 8 and 7
/// ```
///
/// Grows by a quarter. A list that doubles has room for three times its entries while they move.
#[derive(Debug)]
pub(crate) struct QuadHeap<T> {
    entries: Vec<T>,
}

impl<T> Default for QuadHeap<T> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
        }
    }
}

impl<T: Copy + Ord> QuadHeap<T> {
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
    }

    #[inline(always)]
    pub(crate) fn first(&self) -> Option<T> {
        self.entries.first().copied()
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, entry: T) {
        let entries = &mut self.entries;
        if entries.len() == entries.capacity() {
            entries.reserve_exact(entries.len() / 4 + LEAST_ROOM);
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
        let moved = self.entries.pop()?;
        let Some(&first) = self.entries.first() else {
            return Some(moved);
        };
        // The last entry takes the place of the first and sinks: it, not the removed one.
        self.sink(0, moved);
        Some(first)
    }

    /// Puts an entry at a place, or below it where smaller ones come up.
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

    fn is_ordered(heap: &QuadHeap<u32>) -> bool {
        let entries = &heap.entries;
        (1..entries.len()).all(|place| entries[(place - 1) / ARITY] <= entries[place])
    }

    #[test]
    fn the_picture_of_places_is_right() {
        let mut heap = QuadHeap::default();
        [2, 7, 3, 9, 5, 8, 7]
            .into_iter()
            .for_each(|it| heap.push(it));
        assert_eq!(heap.entries, [2, 7, 3, 9, 5, 8, 7]);
        assert!(is_ordered(&heap));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(crate::search::oracle::cases(500)))]

        #[test]
        fn entries_come_out_as_from_a_sorted_list(
            steps in prop::collection::vec((0u8..8, 0u32..50), 0..200),
        ) {
            let (mut heap, mut naive) = (QuadHeap::default(), Vec::new());
            for (what, value) in steps {
                match what {
                    0 => {
                        naive.sort_unstable();
                        let least = (!naive.is_empty()).then(|| naive.remove(0));
                        prop_assert_eq!(heap.first(), least);
                        prop_assert_eq!(heap.pop(), least);
                    }
                    _ => {
                        heap.push(value);
                        naive.push(value);
                    }
                }
                prop_assert!(is_ordered(&heap));
                prop_assert_eq!(heap.entries.len(), naive.len());
            }
        }
    }

    #[test]
    fn a_heap_has_little_more_room_than_entries() {
        let mut heap = QuadHeap::default();
        (0..10_000).rev().for_each(|entry| heap.push(entry));
        assert!(heap.entries.capacity() <= 10_000 * 5 / 4 + LEAST_ROOM);
    }
}
