//! The open list of the searches on grids: buckets in a ring.

use std::mem;

/// The index that stands for no entry.
const NO_ENTRY: u32 = u32::MAX;

/// Number of buckets in the ring.
const BUCKET_COUNT: usize = 4096;

/// A node in a bucket.
#[derive(Clone, Copy, Debug)]
struct BucketEntry {
    node: u32,
    /// Index of the previous entry that was pushed to the same bucket. In a free entry, the index of the previous entry
    /// that was freed.
    below: u32,
    arrival: u8,
}

/// A priority queue of nodes by f: a ring of buckets, each `1 << shift` wide (Dial, 1969; wider buckets by Denardo and
/// Fox, 1979). Of the nodes in the first filled bucket, the one that was pushed last is popped first.
///
/// A node may be pushed to the bucket of the last popped node, or to one of the buckets after it, up to one round of
/// the ring. Push and pop take a handful of instructions.
///
/// ```text
/// f        10  12  14  16  18      in widths of 2
/// bucket    5   6   7   8   9      of 4096; after the last one comes bucket 0
/// filled    1   .   1   .   1
/// heads     3   -   1   -   0      the index of the entry that was pushed last
///
/// index     0   1   2   3
/// node      E   C   A   B
/// below     -   -   -   2          A and B have an f of 10, and B comes first
/// ```
#[derive(Debug)]
pub(super) struct BucketQueue {
    /// Index of the entry that was pushed last to each bucket.
    heads: Box<[u32; BUCKET_COUNT]>,
    /// One bit for each bucket, which is set if the bucket is not empty.
    filled: [u64; BUCKET_COUNT / 64],
    /// One bit for each word of `filled`, which is set if the word is not zero.
    summary: u64,
    /// All entries. Free entries are reused, so a long search needs no more memory than its open nodes.
    entries: Vec<BucketEntry>,
    /// Index of the entry that was freed last.
    free: u32,
    shift: u32,
    /// Number of the bucket of the last popped node. Bucket 0 begins at f = 0, and numbers do not wrap around the ring.
    current: u64,
}

impl Default for BucketQueue {
    fn default() -> Self {
        Self {
            heads: Box::new([NO_ENTRY; BUCKET_COUNT]),
            filled: [0; BUCKET_COUNT / 64],
            summary: 0,
            entries: Vec::new(),
            free: NO_ENTRY,
            shift: 0,
            current: 0,
        }
    }
}

impl BucketQueue {
    /// Empties the buckets for a new search. `f` is the f of the first node. The f of a later node may exceed the f of
    /// the node that is being expanded by at most `max_rise`.
    pub(super) fn start(&mut self, f: u64, max_rise: u64) {
        while let Some(bucket) = self.next_filled(0) {
            self.heads[bucket] = NO_ENTRY;
            self.unset(bucket);
        }
        self.entries.clear();
        self.free = NO_ENTRY;
        self.shift = width_shift(max_rise);
        self.current = f >> self.shift;
    }

    /// Number of the bucket of nodes with this f.
    #[inline(always)]
    pub(super) fn bucket(&self, f: u64) -> u64 {
        f >> self.shift
    }

    /// Number of the bucket of the last popped node. Bucket 0 begins at f = 0, and numbers do not wrap around the ring.
    #[inline(always)]
    pub(super) fn current(&self) -> u64 {
        self.current
    }

    /// Number of the last bucket to which a node may be pushed.
    #[inline(always)]
    pub(super) fn last(&self) -> u64 {
        self.current + BUCKET_COUNT as u64 - 1
    }

    /// Whether all nodes in a bucket have the same f.
    #[inline(always)]
    pub(super) fn is_exact(&self) -> bool {
        self.shift == 1
    }

    /// The width of a bucket: two values of f in one bucket differ by less than this.
    pub(super) fn width(&self) -> u64 {
        1 << self.shift
    }

    /// Adds a node to a bucket, which must not come before the bucket of the last popped node.
    #[inline(always)]
    pub(super) fn push(&mut self, bucket: u64, node: u32, arrival: u8) {
        debug_assert!(bucket >= self.current && bucket - self.current < BUCKET_COUNT as u64);
        let bucket = bucket as usize % BUCKET_COUNT;
        let head = &mut self.heads[bucket];
        let entry = BucketEntry {
            node,
            below: *head,
            arrival,
        };
        match self.entries.get_mut(self.free as usize) {
            Some(place) => {
                *head = mem::replace(&mut self.free, place.below);
                *place = entry;
            }
            None => {
                *head = self.entries.len() as u32;
                self.entries.push(entry);
            }
        }
        self.filled[bucket / 64] |= 1 << (bucket % 64);
        self.summary |= 1 << (bucket / 64);
    }

    /// Takes a node from the first filled bucket: the one that was pushed last.
    #[inline(always)]
    pub(super) fn pop(&mut self) -> Option<(u32, u8)> {
        let from = self.current as usize % BUCKET_COUNT;
        let bucket = self.next_filled(from)?;
        let head = &mut self.heads[bucket];
        let place = self.entries.get_mut(*head as usize)?;
        let entry = *place;
        place.below = mem::replace(&mut self.free, *head);
        *head = entry.below;
        if entry.below == NO_ENTRY {
            self.unset(bucket);
        }
        self.current += (bucket.wrapping_sub(from) % BUCKET_COUNT) as u64;
        Some((entry.node, entry.arrival))
    }

    #[inline(always)]
    fn unset(&mut self, bucket: usize) {
        let word = &mut self.filled[bucket / 64 % 64];
        *word &= !(1 << (bucket % 64));
        if *word == 0 {
            self.summary &= !(1 << (bucket / 64));
        }
    }

    /// The first filled bucket at or after `from`, around the ring.
    #[inline(always)]
    fn next_filled(&self, from: usize) -> Option<usize> {
        let word = from / 64 % 64;
        let here = self.filled[word] & (u64::MAX << (from % 64));
        if here != 0 {
            return Some(word * 64 + here.trailing_zeros() as usize);
        }
        if self.summary == 0 {
            return None;
        }
        // The word of `from` comes last, since it can only have buckets before `from`, and these are the last ones
        // around the ring.
        let turned = self.summary.rotate_right(word as u32 + 1);
        let next = (word + 1 + turned.trailing_zeros() as usize) % 64;
        Some(next * 64 + self.filled[next].trailing_zeros() as usize)
    }
}

/// Binary logarithm of the smallest bucket width with which the ring spans a rise of `max_rise`.
fn width_shift(max_rise: u64) -> u32 {
    // Every f is even, so a width of 2 gives each value its own bucket. The ring needs one more bucket than the rise
    // spans, because the f of the current node may lie anywhere in its bucket.
    let fits = |shift: &u32| max_rise >> shift < BUCKET_COUNT as u64 - 1;
    (1..u64::BITS).find(fits).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MAX_RISE: u64 = 2 * (BUCKET_COUNT as u64 - 2);

    fn started(f: u64) -> BucketQueue {
        let mut buckets = BucketQueue::default();
        buckets.start(f, MAX_RISE);
        buckets
    }

    fn push(buckets: &mut BucketQueue, f: u64, node: u32) {
        buckets.push(buckets.bucket(f), node, node as u8);
    }

    #[test]
    fn small_rises_have_a_bucket_for_each_f_and_large_rises_fit_the_ring() {
        for (max_rise, width) in [(0, 2), (MAX_RISE, 2), (MAX_RISE + 2, 4), (1_426_432, 512)] {
            let mut buckets = BucketQueue::default();
            buckets.start(1, max_rise);
            assert_eq!(buckets.width(), width);
            assert_eq!(buckets.is_exact(), width == 2, "f are even");
            let highest = buckets.bucket(buckets.width() - 1 + max_rise);
            assert!(
                highest < BUCKET_COUNT as u64,
                "a rise of {max_rise} goes around"
            );
        }
    }

    #[test]
    fn the_picture_of_a_ring_is_right() {
        let mut buckets = started(10);
        let [a, b, c, e] = [0, 1, 2, 4];
        for (f, node) in [(18, e), (14, c), (10, a), (10, b)] {
            push(&mut buckets, f, node);
        }
        assert_eq!(buckets.heads[5..10], [3, NO_ENTRY, 1, NO_ENTRY, 0]);
        assert_eq!(buckets.filled[0], 1 << 5 | 1 << 7 | 1 << 9);
        assert_eq!(buckets.summary, 1, "the other words are empty");
        let places = buckets.entries.iter();
        let places: Vec<_> = places.map(|entry| (entry.node, entry.below)).collect();
        assert_eq!(
            places,
            [(e, NO_ENTRY), (c, NO_ENTRY), (a, NO_ENTRY), (b, 2)]
        );
        let order = std::iter::from_fn(|| buckets.pop().map(|(node, _)| node));
        assert_eq!(order.collect::<Vec<_>>(), [b, a, c, e]);
    }

    #[test]
    fn the_ring_goes_around_and_starts_clean() {
        let mut buckets = BucketQueue::default();
        for f in [0, MAX_RISE - 2, u64::from(u32::MAX) & !1] {
            buckets.start(f, MAX_RISE);
            push(&mut buckets, f, 1);
            push(&mut buckets, f + MAX_RISE, 2);
            push(&mut buckets, f + 2, 3);
            assert_eq!([buckets.pop(), buckets.pop()], [Some((1, 1)), Some((3, 3))]);
            assert_eq!(buckets.current(), buckets.bucket(f + 2));
            // The last node stays in the queue on purpose: the next search must not see it.
        }
        buckets.start(0, MAX_RISE);
        assert_eq!(buckets.pop(), None);
    }

    #[test]
    fn free_places_are_used_again() {
        let mut buckets = started(0);
        for f in (0..4000).step_by(2) {
            push(&mut buckets, f, 1);
            push(&mut buckets, f, 2);
            assert!(buckets.pop().is_some());
        }
        assert!(buckets.entries.len() <= 2001, "{}", buckets.entries.len());
    }

    #[test]
    fn nodes_left_by_a_search_take_no_memory_in_the_next() {
        let mut buckets = BucketQueue::default();
        for _ in 0..20 {
            buckets.start(0, MAX_RISE);
            (0..50).for_each(|node| push(&mut buckets, 2 * u64::from(node), node));
            assert_eq!(buckets.entries.len(), 50);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(crate::search::oracle::cases(500)))]

        #[test]
        fn the_next_filled_bucket_equals_a_look_at_every_bucket(
            filled in prop::collection::vec(0..BUCKET_COUNT, 0..6), from in 0..BUCKET_COUNT,
        ) {
            let mut buckets = BucketQueue::default();
            for &bucket in &filled {
                buckets.filled[bucket / 64] |= 1 << (bucket % 64);
                buckets.summary |= 1 << (bucket / 64);
            }
            let mut around = (from..BUCKET_COUNT).chain(0..from);
            let expected = around.find(|bucket| filled.contains(bucket));
            prop_assert_eq!(buckets.next_filled(from), expected);
            for &bucket in &filled {
                buckets.unset(bucket);
            }
            prop_assert_eq!((buckets.summary, buckets.next_filled(from)), (0, None));
        }

        #[test]
        fn the_last_entry_of_the_first_bucket_is_popped(
            steps in prop::collection::vec((0u64..=MAX_RISE / 2, 0usize..4), 1..300),
            modulus in prop_oneof![Just(5u64), Just(MAX_RISE / 2 + 1)],
        ) {
            let mut buckets = started(9000);
            // The naive list holds entries as (f, order), and is searched from end to end.
            let mut naive: Vec<(u64, u32)> = vec![(9000, 0)];
            let mut next = 1;
            push(&mut buckets, 9000, 0);
            for (rise, pushes) in steps {
                let least = naive.iter().copied().min_by_key(|&(f, order)| (f, !order));
                prop_assert_eq!(buckets.pop().map(|(node, _)| node), least.map(|(_, order)| order));
                let Some((f, order)) = least else { break };
                naive.retain(|&(_, other)| other != order);
                for i in 0..pushes as u64 {
                    let f = f + 2 * ((rise + i * 1009) % modulus);
                    push(&mut buckets, f, next);
                    naive.push((f, next));
                    next += 1;
                }
            }
        }
    }
}
