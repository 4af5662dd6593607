//! The open list of searches in any space: the nodes that wait to be expanded, smallest f first, and
//! among equals that with the least rank, or the one that came last.
//!
//! A node whose cost improves is pushed again rather than moved; its older entry comes out later and
//! is recognized by the node being closed by then. That is decrease-key without an index, and each
//! step pushes at most once.

use super::quad_heap::QuadHeap;

/// A heap of so many entries takes little memory, whatever waits in it.
pub(crate) const FEW: usize = 4096;

/// A heap for any f.
///
/// An entry is one number that compares as a whole: f, then the rank, then the node.
///
/// ```text
/// bits     127 to 64     63 to 32     31 to 0
///          f             rank         node
/// ```
///
/// The rank is the order of pushing turned around, unless the caller has another one.
#[derive(Debug)]
pub(crate) struct Heap {
    pub(crate) entries: QuadHeap<u128>,
    pub(crate) pushed: u32,
    /// With so many entries it is full, for searches that make room. What is left from other searches has no part in
    /// it: recorders hear when entries are dropped.
    pub(crate) most: usize,
}

impl Default for Heap {
    fn default() -> Self {
        Self {
            entries: QuadHeap::default(),
            pushed: 0,
            most: FEW,
        }
    }
}

impl Heap {
    pub(crate) fn start(&mut self) {
        self.entries.clear();
        (self.pushed, self.most) = (0, FEW);
    }

    /// Number of pushes since the start.
    pub(crate) fn pushed(&self) -> u32 {
        self.pushed
    }

    #[inline]
    pub(crate) fn push(&mut self, f: u64, node: u32) {
        self.push_ranked(f, !self.pushed, node);
    }

    #[inline]
    pub(crate) fn push_ranked(&mut self, f: u64, rank: u32, node: u32) {
        self.pushed = self.pushed.saturating_add(1);
        self.entries.push(entry(f, rank, node));
    }

    /// Takes the entry with the smallest f; among equals the one pushed last.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<u128> {
        self.entries.pop()
    }

    /// The node of an entry.
    #[inline]
    pub(crate) fn node(entry: u128) -> u32 {
        entry as u32
    }

    /// Takes a [`pop`](Self::pop) back: the entry comes first again.
    pub(crate) fn put_back(&mut self, entry: u128) {
        self.entries.push(entry);
    }
}

#[inline(always)]
pub(crate) fn entry(f: u64, rank: u32, node: u32) -> u128 {
    u128::from(f) << 64 | u128::from(rank) << 32 | u128::from(node)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_smallest_f_comes_first_and_among_equals_the_last_entry(
            steps in prop::collection::vec((0u64..4095, 0usize..4), 1..300),
            modulus in prop_oneof![Just(5u64), Just(4096)],
        ) {
            let mut heap = Heap::default();
            // Entries as (f, order); the naive list is searched from end to end.
            let mut naive: Vec<(u64, u32)> = vec![(9000, 0)];
            let mut next = 1;
            heap.start();
            heap.push(9000, 0);
            for (rise, pushes) in steps {
                let least = naive.iter().copied().min_by_key(|&(f, order)| (f, !order));
                let entry = heap.pop();
                prop_assert_eq!(entry.map(Heap::node), least.map(|(_, order)| order));
                if let Some(entry) = entry {
                    heap.put_back(entry);
                    prop_assert_eq!(heap.pop(), Some(entry), "what was put back comes first");
                }
                let Some((f, order)) = least else { break };
                naive.retain(|&(_, other)| other != order);
                for i in 0..pushes as u64 {
                    let f = f + (rise + i * 1009) % modulus;
                    heap.push(f, next);
                    naive.push((f, next));
                    next += 1;
                }
                prop_assert_eq!(heap.pushed(), next);
            }
        }
    }
}
