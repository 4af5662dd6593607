//! Open lists: the nodes that wait to be expanded, smallest f first, and among equals the one that
//! came last.
//!
//! A node whose cost improves is pushed again rather than moved; its older entry comes out later and
//! is recognized by the node being closed by then. That is decrease-key without an index, and each
//! step pushes at most once.

/// A priority queue of nodes.
pub(super) trait OpenList {
    /// Empties it and makes ready for a search whose first entry will have this f.
    fn start(&mut self, f: u64);

    /// Adds a node. `f` is not below that of the last node popped, for lists that need it.
    /// `arrival` comes out with the node, unless the list says that it does not keep it.
    fn push(&mut self, f: u64, node: u32, arrival: u8);

    /// Takes the node with the smallest f; among equals the one pushed last.
    fn pop(&mut self) -> Option<(u32, u8)>;

    /// Number of pushes since the start.
    fn pushed(&self) -> u32;
}

const BUCKETS: usize = 4096;
const NONE: u32 = u32::MAX;

/// Buckets by exact f (Dial, 1969), in a ring: entries never spread over more values than there are
/// buckets. The memory of a [`RingList`].
#[derive(Debug)]
pub(super) struct Ring {
    /// Last entry of each bucket.
    heads: Box<[u32; BUCKETS]>,
    /// Which buckets hold something.
    filled: [u64; BUCKETS / 64],
    /// Which words of `filled` are not zero.
    summary: u64,
    /// By order of pushing.
    entries: Vec<Entry>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    node: u32,
    /// The entry below it in the bucket.
    below: u32,
    arrival: u8,
}

impl Default for Ring {
    fn default() -> Self {
        Self {
            heads: Box::new([NONE; BUCKETS]),
            filled: [0; BUCKETS / 64],
            summary: 0,
            entries: Vec::new(),
        }
    }
}

impl Ring {
    fn clear(&mut self) {
        while self.summary != 0 {
            let word = self.summary.trailing_zeros() as usize % 64;
            self.summary &= self.summary - 1;
            let mut rest = std::mem::take(&mut self.filled[word]);
            while rest != 0 {
                self.heads[word * 64 + rest.trailing_zeros() as usize] = NONE;
                rest &= rest - 1;
            }
        }
        self.entries.clear();
    }

    /// The first filled bucket at or after `from`, going around.
    #[inline(always)]
    fn next_filled(&self, from: usize) -> Option<usize> {
        let word = from / 64;
        let here = self.filled[word] & (u64::MAX << (from % 64));
        if here != 0 {
            return Some(word * 64 + here.trailing_zeros() as usize);
        }
        if self.summary == 0 {
            return None;
        }
        // The word itself comes last: what it holds before `from` is a whole round ahead.
        let turned = self.summary.rotate_right(word as u32 + 1);
        let next = (word + 1 + turned.trailing_zeros() as usize) % 64;
        Some(next * 64 + self.filled[next].trailing_zeros() as usize)
    }

    #[inline(always)]
    fn push(&mut self, bucket: usize, node: u32, arrival: u8) {
        let below = std::mem::replace(&mut self.heads[bucket], self.entries.len() as u32);
        self.entries.push(Entry {
            node,
            below,
            arrival,
        });
        self.filled[bucket / 64] |= 1 << (bucket % 64);
        self.summary |= 1 << (bucket / 64);
    }

    /// Takes the last entry of a filled bucket.
    #[inline(always)]
    fn take(&mut self, bucket: usize) -> Option<(u32, u8)> {
        let Entry {
            node,
            below,
            arrival,
        } = *self.entries.get(self.heads[bucket] as usize)?;
        self.heads[bucket] = below;
        if below == NONE {
            let word = &mut self.filled[bucket / 64];
            *word &= !(1 << (bucket % 64));
            if *word == 0 {
                self.summary &= !(1 << (bucket / 64));
            }
        }
        Some((node, arrival))
    }
}

/// An open list of buckets. Push and pop take a handful of instructions.
///
/// Needs [`Guarantee::Stepped`](super::Guarantee::Stepped): f never falls, and rises by less than
/// the ring in one step.
#[derive(Debug)]
pub(super) struct RingList<'a> {
    ring: &'a mut Ring,
    shift: u32,
    /// f of the last node popped, in units.
    current: u64,
    /// The best entry since the last pop, in hand: most often it is the next to be popped and never
    /// sees the buckets.
    held: Held,
    pushed: u32,
}

#[derive(Clone, Copy, Debug)]
struct Held {
    /// f in units; larger than any f when nothing is held.
    units: u64,
    node: u32,
    arrival: u8,
}

impl Held {
    const NOTHING: Self = Self {
        units: u64::MAX,
        node: NONE,
        arrival: 0,
    };
}

impl<'a> RingList<'a> {
    /// A list over that memory for f that are all multiples of `1 << shift`.
    pub(super) fn new(ring: &'a mut Ring, shift: u32) -> Self {
        Self {
            ring,
            shift,
            current: 0,
            held: Held::NOTHING,
            pushed: 0,
        }
    }
}

impl OpenList for RingList<'_> {
    fn start(&mut self, f: u64) {
        self.ring.clear();
        self.current = f >> self.shift;
        self.held = Held::NOTHING;
        self.pushed = 0;
    }

    #[inline(always)]
    fn push(&mut self, f: u64, node: u32, arrival: u8) {
        let units = f >> self.shift;
        debug_assert!(units >= self.current && units - self.current < BUCKETS as u64);
        self.pushed += 1;
        let held = self.held;
        if units > held.units {
            self.ring.push(units as usize % BUCKETS, node, arrival);
            return;
        }
        if held.units != u64::MAX {
            self.ring
                .push(held.units as usize % BUCKETS, held.node, held.arrival);
        }
        self.held = Held {
            units,
            node,
            arrival,
        };
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<(u32, u8)> {
        let held = std::mem::replace(&mut self.held, Held::NOTHING);
        if held.units != self.current {
            let from = self.current as usize % BUCKETS;
            if let Some(bucket) = self.ring.next_filled(from) {
                let least = self.current + (bucket.wrapping_sub(from) % BUCKETS) as u64;
                // What is held came last, so it goes first among equals.
                if least < held.units {
                    if held.units != u64::MAX {
                        self.ring
                            .push(held.units as usize % BUCKETS, held.node, held.arrival);
                    }
                    self.current = least;
                    return self.ring.take(bucket);
                }
            }
            if held.units == u64::MAX {
                return None;
            }
            self.current = held.units;
        }
        Some((held.node, held.arrival))
    }

    fn pushed(&self) -> u32 {
        self.pushed
    }
}

/// A heap with four children per entry, for any f. Does not keep arrivals.
///
/// An entry is one number that compares as a whole: f, then the order of pushing turned around, then
/// the node.
#[derive(Debug, Default)]
pub(super) struct Heap {
    entries: Vec<u128>,
    pushed: u32,
}

const ARITY: usize = 4;

impl OpenList for Heap {
    fn start(&mut self, _f: u64) {
        self.entries.clear();
        self.pushed = 0;
    }

    #[inline]
    fn push(&mut self, f: u64, node: u32, _arrival: u8) {
        let entry = u128::from(f) << 64 | u128::from(!self.pushed) << 32 | u128::from(node);
        self.pushed = self.pushed.saturating_add(1);
        let mut hole = self.entries.len();
        self.entries.push(entry);
        while hole > 0 {
            let parent = (hole - 1) / ARITY;
            if self.entries[parent] <= entry {
                break;
            }
            self.entries[hole] = self.entries[parent];
            hole = parent;
        }
        self.entries[hole] = entry;
    }

    #[inline]
    fn pop(&mut self) -> Option<(u32, u8)> {
        let moved = self.entries.pop()?;
        let Some(&first) = self.entries.first() else {
            return Some((moved as u32, 0));
        };
        // The last entry takes the place of the first and sinks: it, not the removed one.
        let entries = self.entries.as_mut_slice();
        let mut hole = 0;
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
        Some((first as u32, 0))
    }

    fn pushed(&self) -> u32 {
        self.pushed
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pop(list: &mut dyn OpenList) -> Option<u32> {
        list.pop().map(|(node, _)| node)
    }

    #[test]
    fn equal_f_come_out_last_in_first_out_from_both_lists() {
        let (mut memory, mut heap) = (Ring::default(), Heap::default());
        let mut ring = RingList::new(&mut memory, 0);
        let lists: [&mut dyn OpenList; 2] = [&mut ring, &mut heap];
        for list in lists {
            list.start(5);
            for (f, node) in [(7, 1), (5, 2), (7, 3), (5, 4)] {
                list.push(f, node, 0);
            }
            let order: Vec<u32> = std::iter::from_fn(|| pop(list)).collect();
            assert_eq!(order, [4, 2, 3, 1]);
            assert_eq!(list.pushed(), 4);
        }
    }

    #[test]
    fn the_ring_goes_around_and_starts_clean() {
        let mut memory = Ring::default();
        for f in [0, 2 * BUCKETS as u64 - 2, u64::from(u32::MAX) & !1] {
            let mut ring = RingList::new(&mut memory, 1);
            ring.start(f);
            ring.push(f, 1, 7);
            ring.push(f + 2 * (BUCKETS as u64 - 1), 2, 8);
            ring.push(f + 2, 3, 9);
            assert_eq!([ring.pop(), ring.pop()], [Some((1, 7)), Some((3, 9))]);
            // Left behind on purpose: the next search must not see it.
        }
        let mut ring = RingList::new(&mut memory, 0);
        ring.start(0);
        assert_eq!(ring.pop(), None);
    }

    #[test]
    fn removing_the_first_sinks_the_entry_that_moved_and_ends() {
        let mut heap = Heap::default();
        heap.start(0);
        for f in (0..100u64).map(|i| i * 37 % 101) {
            heap.push(f, f as u32, 0);
        }
        let order: Vec<u32> = std::iter::from_fn(|| pop(&mut heap)).take(200).collect();
        assert_eq!(order.len(), 100);
        assert!(order.is_sorted(), "the heap lost its order: {order:?}");
    }

    proptest! {
        #[test]
        fn both_lists_pop_in_the_same_order(
            steps in prop::collection::vec((0u64..4095, 0usize..4), 1..300),
            modulus in prop_oneof![Just(5u64), Just(4096)],
        ) {
            let (mut memory, mut heap) = (Ring::default(), Heap::default());
            let mut ring = RingList::new(&mut memory, 0);
            // Entries as (f, order); the naive list is searched from end to end.
            let mut naive: Vec<(u64, u32)> = vec![(9000, 0)];
            let mut next = 1;
            ring.start(9000);
            heap.start(9000);
            ring.push(9000, 0, 0);
            heap.push(9000, 0, 0);
            for (rise, pushes) in steps {
                let least = naive.iter().copied().min_by_key(|&(f, order)| (f, !order));
                let popped = least.map(|(_, order)| order);
                prop_assert_eq!(pop(&mut ring), popped);
                prop_assert_eq!(pop(&mut heap), popped);
                let Some((f, order)) = least else { break };
                naive.retain(|&(_, other)| other != order);
                for i in 0..pushes as u64 {
                    let f = f + (rise + i * 1009) % modulus;
                    ring.push(f, next, 0);
                    heap.push(f, next, 0);
                    naive.push((f, next));
                    next += 1;
                }
            }
        }
    }
}
