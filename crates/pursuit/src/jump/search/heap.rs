//! A heap of whole numbers, smallest first.

use crate::search::quad_heap::QuadHeap;

/// A heap that keeps the least of the latest keys at hand: most often it is taken next, and never sees
/// the heap.
#[derive(Debug)]
pub(super) struct KeyHeap {
    /// `u64::MAX` if there is none.
    held: u64,
    keys: QuadHeap<u64>,
}

impl Default for KeyHeap {
    fn default() -> Self {
        Self {
            held: u64::MAX,
            keys: QuadHeap::default(),
        }
    }
}

impl KeyHeap {
    pub(super) fn clear(&mut self) {
        self.held = u64::MAX;
        self.keys.clear();
    }

    /// Adds a key below `u64::MAX`.
    #[inline(always)]
    pub(super) fn push(&mut self, key: u64) {
        let later = key.max(self.held);
        self.held = key.min(self.held);
        if later != u64::MAX {
            self.push_later(later);
        }
    }

    #[inline(never)]
    fn push_later(&mut self, key: u64) {
        self.keys.push(key);
    }

    #[inline(always)]
    pub(super) fn pop(&mut self) -> Option<u64> {
        match self.keys.first() {
            Some(first) if first < self.held => self.keys.pop(),
            _ if self.held != u64::MAX => Some(std::mem::replace(&mut self.held, u64::MAX)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(crate::search::oracle::cases(500)))]

        #[test]
        fn keys_come_out_in_sorted_order(
            steps in prop::collection::vec(prop::option::weighted(0.6, 0u64..40), 0..120),
        ) {
            let (mut heap, mut naive) = (KeyHeap::default(), Vec::new());
            for step in steps {
                match step {
                    Some(key) => {
                        heap.push(key);
                        naive.push(key);
                        naive.sort_unstable();
                    }
                    None => {
                        let least = (!naive.is_empty()).then(|| naive.remove(0));
                        prop_assert_eq!(heap.pop(), least);
                    }
                }
            }
            heap.clear();
            prop_assert_eq!(heap.pop(), None);
        }
    }
}
