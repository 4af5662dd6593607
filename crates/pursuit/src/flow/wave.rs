//! The cells that are reached and not settled yet, in buckets by cost (Dial, 1969).

/// Buckets in a ring. A bucket is no wider than the cheapest step, so that what is in the lowest one cannot become
/// cheaper (Dinic, 1978), and the ring is longer than the dearest one.
#[derive(Clone, Debug, Default)]
pub(super) struct Wave {
    /// Slots by their cost, and in each bucket by lane. The number of buckets is a power of two.
    ring: Vec<Vec<u32>>,
    lanes: usize,
    /// Buckets in use, less one.
    mask: u32,
    /// Costs per bucket.
    width: u32,
    /// Number of the lowest bucket; all below are settled.
    lowest: u32,
    /// Slots in buckets.
    open: usize,
    /// Where it begins, the cheapest last: costs and slots that are in no bucket yet.
    seeds: Vec<(u32, u32)>,
}

impl Wave {
    /// Forgets everything. Buckets of some lanes are `width` wide, and a step costs `most` at most.
    pub(super) fn start(&mut self, lanes: usize, width: u32, most: u32) {
        let count = (most / width + 2).next_power_of_two();
        self.ring.iter_mut().for_each(Vec::clear);
        let all = self.ring.len().max(count as usize * lanes);
        self.ring.resize_with(all, Vec::new);
        (self.lanes, self.width, self.mask) = (lanes, width, count - 1);
        (self.lowest, self.open) = (0, 0);
        self.seeds.clear();
    }

    /// Takes what begins at some costs and slots.
    pub(super) fn seed(&mut self, seeds: impl Iterator<Item = (u32, u32)>) {
        self.seeds.extend(seeds);
        self.seeds.sort_unstable_by(|a, b| b.cmp(a));
        self.seeds.dedup();
    }

    /// Nothing is left to settle.
    pub(super) fn end(&mut self) {
        self.open = 0;
        self.seeds.clear();
    }

    pub(super) fn is_over(&self) -> bool {
        self.open == 0 && self.seeds.is_empty()
    }

    /// Slots that wait.
    pub(super) fn open(&self) -> usize {
        self.open + self.seeds.len()
    }

    /// All that costs less is settled.
    pub(super) fn floor(&self) -> u32 {
        self.lowest * self.width
    }

    /// Where the bucket begins that is `ahead` of the lowest.
    pub(super) fn begin(&self, ahead: u32) -> u32 {
        (self.lowest + ahead) * self.width
    }

    /// Goes on to the lowest bucket, with the seeds that are in it by `costs`: on the first lane.
    pub(super) fn begin_bucket(&mut self, costs: &[u32]) {
        let number = |&(cost, _): &(u32, u32)| cost / self.width;
        if let Some(first) = self.seeds.last().map(number).filter(|_| self.open == 0) {
            self.lowest = first;
        }
        let (floor, index) = (self.floor(), self.index(0, 0));
        while let Some((_, slot)) = self.seeds.pop_if(|seed| number(seed) <= self.lowest) {
            // Unless it was reached more cheaply, from a lower bucket.
            if costs[slot as usize] >= floor {
                self.ring[index].push(slot);
                self.open += 1;
            }
        }
    }

    /// Ends with the lowest bucket, of which nothing is left.
    pub(super) fn end_bucket(&mut self) {
        self.lowest += 1;
    }

    fn index(&self, ahead: u32, lane: usize) -> usize {
        ((self.lowest + ahead) & self.mask) as usize * self.lanes + lane
    }

    /// Adds to the first lane.
    #[inline(always)]
    pub(super) fn push(&mut self, slot: usize, cost: u32) {
        self.ring[((cost / self.width) & self.mask) as usize * self.lanes].push(slot as u32);
        self.open += 1;
    }

    /// A lane of the bucket that is `ahead` of the lowest, to work on. It is to be [given back](Self::give).
    pub(super) fn take(&mut self, ahead: u32, lane: usize) -> Vec<u32> {
        let index = self.index(ahead, lane);
        let slots = std::mem::take(&mut self.ring[index]);
        self.open -= slots.len();
        slots
    }

    pub(super) fn give(&mut self, ahead: u32, lane: usize, slots: Vec<u32>) {
        self.open += slots.len();
        let index = self.index(ahead, lane);
        self.ring[index] = slots;
    }
}
