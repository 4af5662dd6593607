//! The cells that are reached and not settled yet, in buckets by cost (Dial, 1969).

/// Buckets in a ring. A bucket is no wider than the cheapest step, so that what is in the lowest one cannot become
/// cheaper (Dinic, 1978), and the ring is longer than the dearest one.
#[derive(Clone, Debug, Default)]
pub(super) struct Wave {
    /// Slots by their cost. Their number is a power of two.
    ring: Vec<Vec<u32>>,
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
    /// Forgets everything. Buckets are `width` wide, and a step costs `most` at most.
    pub(super) fn start(&mut self, width: u32, most: u32) {
        let count = (most / width + 2).next_power_of_two();
        self.ring.iter_mut().for_each(Vec::clear);
        let all = self.ring.len().max(count as usize);
        self.ring.resize_with(all, Vec::new);
        (self.width, self.mask) = (width, count - 1);
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

    /// The cost from which on slots are in the second bucket after the lowest.
    pub(super) fn second(&self) -> u32 {
        (self.lowest + 2) * self.width
    }

    /// Takes the lowest bucket, with the seeds whose costs are still those in `costs`. It is to be
    /// [put back](Self::put_back).
    pub(super) fn take_lowest(&mut self, costs: &[u32]) -> Vec<u32> {
        let number = |&(cost, _): &(u32, u32)| cost / self.width;
        if let Some(first) = self.seeds.last().map(number).filter(|_| self.open == 0) {
            self.lowest = first;
        }
        let index = (self.lowest & self.mask) as usize;
        let mut bucket = std::mem::take(&mut self.ring[index]);
        while let Some((cost, slot)) = self.seeds.pop_if(|seed| seed.0 / self.width <= self.lowest)
        {
            if costs[slot as usize] == cost {
                bucket.push(slot);
                self.open += 1;
            }
        }
        bucket
    }

    /// Ends with the lowest bucket, which was taken and worked on.
    pub(super) fn put_back(&mut self, mut bucket: Vec<u32>) {
        self.open -= bucket.len();
        bucket.clear();
        self.ring[(self.lowest & self.mask) as usize] = bucket;
        self.lowest += 1;
    }

    #[inline(always)]
    pub(super) fn push(&mut self, slot: usize, cost: u32) {
        self.ring[((cost / self.width) & self.mask) as usize].push(slot as u32);
        self.open += 1;
    }

    /// The bucket that is `ahead` of the lowest, to add to it. It is to be [given back](Self::give).
    pub(super) fn take(&mut self, ahead: u32) -> Vec<u32> {
        let bucket = std::mem::take(&mut self.ring[((self.lowest + ahead) & self.mask) as usize]);
        self.open -= bucket.len();
        bucket
    }

    pub(super) fn give(&mut self, ahead: u32, bucket: Vec<u32>) {
        self.open += bucket.len();
        self.ring[((self.lowest + ahead) & self.mask) as usize] = bucket;
    }
}
