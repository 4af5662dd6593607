//! The open list of searches in any space: the nodes that wait to be expanded, smallest f first, and
//! among equals that with the least rank, or the one that came last.
//!
//! A node whose cost improves is pushed again rather than moved; its older entry comes out later and
//! is recognized by the node being closed by then. That is decrease-key without an index, and each
//! step pushes at most once.

use super::quad_heap::QuadHeap;

/// A heap of so many entries takes little memory, whatever waits in it.
const FEW: usize = 4096;

/// A heap for any f.
///
/// An entry is one number that compares as a whole: f, then the rank, then the node.
///
/// ```text
/// bits     127 to 64     63 to 32     31 to 0
///          f             rank         node
/// ```
///
/// The rank is the order of pushing turned around, unless the caller has another one. An incremental search has
/// its keys in place of f.
#[derive(Debug)]
pub(super) struct Heap {
    entries: QuadHeap<u128>,
    pushed: u32,
    /// With so many entries it is [full](Self::is_full). What is left from other searches has no part in it: who
    /// records hears when entries are dropped.
    most: usize,
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
    pub(super) fn start(&mut self) {
        self.entries.clear();
        (self.pushed, self.most) = (0, FEW);
    }

    /// Number of pushes since the start.
    pub(super) fn pushed(&self) -> u32 {
        self.pushed
    }

    #[inline]
    pub(super) fn push(&mut self, f: u64, node: u32) {
        self.push_ranked(f, !self.pushed, node);
    }

    #[inline]
    pub(super) fn push_ranked(&mut self, f: u64, rank: u32, node: u32) {
        self.pushed = self.pushed.saturating_add(1);
        self.entries.push(entry(f, rank, node));
    }

    /// Whether it is time to [make room](Self::make_room).
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.entries.as_slice().len() >= self.most
    }

    /// Drops entries that do not count, to make room for pushes. Takes more memory where most of them count.
    pub(super) fn make_room(&mut self, mut counts: impl FnMut(u128) -> bool) {
        self.drop_entries(|entry| !counts(entry));
        let left = self.entries.as_slice().len();
        if self.most < left + left / 8 {
            self.most = left + left / 4;
        }
        // What is pushed before the next look at it has room, too.
        self.entries.reserve(self.most - left + 8);
        self.entries.order()
    }

    /// Drops entries. The others are in no order until [`renew`](Self::renew).
    pub(super) fn drop_entries(&mut self, mut is_dropped: impl FnMut(u128) -> bool) {
        let keep = |entry: u128| (!is_dropped(entry)).then_some(entry);
        self.entries.rewrite(keep)
    }

    /// Gives the nodes that wait another f, or drops them for `None`. Then adds `more` nodes. They rank as if all
    /// were pushed one by one.
    pub(super) fn renew(&mut self, more: &[u32], mut f: impl FnMut(u32) -> Option<u64>) {
        let mut pushed = 0;
        let mut renewed = |node: u32| {
            let renewed = f(node).map(|f| entry(f, !pushed, node));
            pushed = u32::saturating_add(pushed, u32::from(renewed.is_some()));
            renewed
        };
        let entries = &mut self.entries;
        let waiting = more.iter().map(|&node| entry(0, 0, node));
        entries.append(waiting);
        entries.rewrite(|entry| renewed(Self::node(entry)));
        self.pushed = pushed;
        self.entries.order()
    }

    /// The entry that [`pop`](Self::pop) would take.
    #[inline]
    pub(super) fn first(&self) -> Option<u128> {
        self.entries.first()
    }

    /// Takes the entry with the smallest f; among equals the one pushed last.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<u128> {
        self.entries.pop()
    }

    /// All entries, in no order.
    pub(super) fn entries(&self) -> &[u128] {
        self.entries.as_slice()
    }

    /// The f of an entry.
    #[inline(always)]
    pub(super) fn f(entry: u128) -> u64 {
        (entry >> 64) as u64
    }

    /// The node of an entry.
    #[inline]
    pub(super) fn node(entry: u128) -> u32 {
        entry as u32
    }

    /// Takes a [`pop`](Self::pop) back: the entry comes first again.
    pub(super) fn put_back(&mut self, entry: u128) {
        self.entries.push(entry);
    }
}

#[inline(always)]
fn entry(f: u64, rank: u32, node: u32) -> u128 {
    u128::from(f) << 64 | u128::from(rank) << 32 | u128::from(node)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn equal_f_come_out_last_in_first_out() {
        let mut heap = Heap::default();
        for (f, node) in [(7, 1), (5, 2), (7, 3), (5, 4)] {
            heap.push(f, node);
        }
        let order: Vec<u32> = std::iter::from_fn(|| heap.pop().map(Heap::node)).collect();
        assert_eq!(order, [4, 2, 3, 1]);
        assert_eq!(heap.pushed(), 4);
    }

    #[test]
    fn removing_the_first_sinks_the_entry_that_moved_and_ends() {
        let mut heap = Heap::default();
        for f in (0..100u64).map(|i| i * 37 % 101) {
            heap.push(f, f as u32);
        }
        let order: Vec<u32> = std::iter::from_fn(|| heap.pop().map(Heap::node))
            .take(200)
            .collect();
        assert_eq!(order.len(), 100);
        assert!(order.is_sorted(), "the heap lost its order: {order:?}");
    }

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
            }
        }
    }
}
