//! The cells that are reached but not settled yet, in buckets by cost (Dial, 1969).

/// A ring of buckets with one or more lanes each. A bucket is at most as wide as the cheapest step, so no cheaper path
/// to a slot in the lowest bucket can be found (Dinic, 1978). The sum of the widths of all buckets is above the cost of
/// the most expensive step.
#[derive(Clone, Debug, Default)]
pub(super) struct Wave {
    /// The lanes of all buckets, with the slots in them. The number of buckets is a power of two.
    ring: Vec<Vec<u32>>,
    lanes: usize,
    /// Number of buckets in use, minus one.
    mask: u32,
    /// Width of a bucket, in units of cost.
    width: u32,
    /// Number of the lowest bucket. All slots of lower cost are settled.
    lowest: u32,
    /// Number of slots in buckets.
    open: usize,
    /// Costs and slots of the seeds that are not in a bucket yet. The cheapest seed is last.
    seeds: Vec<(u32, u32)>,
}

impl Wave {
    /// Empties the wave. Buckets have `lanes` lanes and are `width` wide, and a step costs at most `max_step_cost`.
    pub(super) fn start(&mut self, lanes: usize, width: u32, max_step_cost: u32) {
        let count = (max_step_cost / width + 2).next_power_of_two();
        self.ring.iter_mut().for_each(Vec::clear);
        let all = self.ring.len().max(count as usize * lanes);
        self.ring.resize_with(all, Vec::new);
        (self.lanes, self.width, self.mask) = (lanes, width, count - 1);
        (self.lowest, self.open) = (0, 0);
        self.seeds.clear();
    }

    /// Adds seeds, given by their costs and slots.
    pub(super) fn seed(&mut self, seeds: impl Iterator<Item = (u32, u32)>) {
        self.seeds.extend(seeds);
        self.seeds.sort_unstable_by(|a, b| b.cmp(a));
        self.seeds.dedup();
    }

    /// Ends the wave, so that no slot remains to be settled.
    pub(super) fn end(&mut self) {
        self.open = 0;
        self.seeds.clear();
    }

    pub(super) fn is_over(&self) -> bool {
        self.open == 0 && self.seeds.is_empty()
    }

    /// Number of slots that wait to be settled.
    pub(super) fn open(&self) -> usize {
        self.open + self.seeds.len()
    }

    /// The lowest cost in the lowest bucket. All slots of lower cost are settled.
    pub(super) fn floor(&self) -> u32 {
        self.lowest * self.width
    }

    /// The lowest cost in the bucket that is `ahead` buckets above the lowest one.
    pub(super) fn begin(&self, ahead: u32) -> u32 {
        (self.lowest + ahead) * self.width
    }

    /// If all buckets are empty, moves to the bucket of the cheapest seed. Adds the seeds that belong to the lowest
    /// bucket to its first lane. `costs` has the cost of each slot.
    pub(super) fn begin_bucket(&mut self, costs: &[u32]) {
        let number = |&(cost, _): &(u32, u32)| cost / self.width;
        if let Some(first) = self.seeds.last().map(number).filter(|_| self.open == 0) {
            self.lowest = first;
        }
        let (floor, index) = (self.floor(), self.index(0, 0));
        while let Some((_, slot)) = self.seeds.pop_if(|seed| number(seed) <= self.lowest) {
            // A seed is skipped if its slot was reached at a lower cost and is settled.
            if costs[slot as usize] >= floor {
                self.ring[index].push(slot);
                self.open += 1;
            }
        }
    }

    /// Ends the lowest bucket, which is empty.
    pub(super) fn end_bucket(&mut self) {
        self.lowest += 1;
    }

    fn index(&self, ahead: u32, lane: usize) -> usize {
        ((self.lowest + ahead) & self.mask) as usize * self.lanes + lane
    }

    /// Adds a slot to the first lane.
    #[inline(always)]
    pub(super) fn push(&mut self, slot: usize, cost: u32) {
        self.ring[((cost / self.width) & self.mask) as usize * self.lanes].push(slot as u32);
        self.open += 1;
    }

    /// Takes out a lane of the bucket that is `ahead` buckets above the lowest one. The lane has to be [given
    /// back](Self::give).
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
