//! A plain search from a goal: Dijkstra's algorithm with buckets, over all eight neighbors (Dial, 1969).

use pursuit::{Cell, DIAGONAL, Grid, STRAIGHT};

const WALL: u32 = 0;
const UNREACHED: u32 = u32::MAX;

/// A grid on which corners may not be cut, stored as a table with a rim of walls.
pub(super) struct Dial {
    stride: usize,
    free: Vec<u32>,
    /// For each slot of the table, 1 + cost, or [`WALL`] or [`UNREACHED`].
    costs: Vec<u32>,
    /// Open slots by cost. Each bucket has a range of costs as wide as the cost of a straight step.
    buckets: [Vec<u32>; 4],
}

impl Dial {
    pub(super) fn new(grid: &Grid) -> Self {
        let stride = grid.width() as usize + 2;
        let mut free = vec![WALL; stride * (grid.height() as usize + 2)];
        for cell in grid.rect().cells().filter(|&cell| grid.is_free(cell)) {
            free[(cell.y as usize + 1) * stride + cell.x as usize + 1] = UNREACHED;
        }
        Self {
            stride,
            costs: free.clone(),
            free,
            buckets: Default::default(),
        }
    }

    fn slot(&self, cell: Cell) -> usize {
        (cell.y as usize + 1) * self.stride + cell.x as usize + 1
    }

    /// Cost of the path from a cell of the grid to the goal. `None` if there is no path.
    pub(super) fn cost(&self, cell: Cell) -> Option<u32> {
        let entry = self.costs[self.slot(cell)];
        (entry != WALL && entry != UNREACHED).then(|| entry - 1)
    }

    pub(super) fn search(&mut self, goal: Cell) {
        self.costs.copy_from_slice(&self.free);
        self.reach(self.slot(goal), 1);
        let mut lowest = 0;
        while self.buckets.iter().any(|bucket| !bucket.is_empty()) {
            let mut bucket = std::mem::take(&mut self.buckets[lowest as usize % 4]);
            for &slot in &bucket {
                let cost = self.costs[slot as usize];
                if cost >= lowest * STRAIGHT {
                    self.expand(slot as usize, cost);
                }
            }
            bucket.clear();
            self.buckets[lowest as usize % 4] = bucket;
            lowest += 1;
        }
    }

    #[inline(always)]
    fn expand(&mut self, slot: usize, cost: u32) {
        let stride = self.stride;
        let sides = [slot + 1, slot - 1, slot + stride, slot - stride];
        let [east, west, north, south] = sides.map(|side| self.costs[side] != WALL);
        for side in sides {
            self.reach(side, cost + STRAIGHT);
        }
        let corners = [
            (east && north, slot + stride + 1),
            (west && north, slot + stride - 1),
            (east && south, slot - stride + 1),
            (west && south, slot - stride - 1),
        ];
        for (_, corner) in corners.into_iter().filter(|corner| corner.0) {
            self.reach(corner, cost + DIAGONAL);
        }
    }

    #[inline(always)]
    fn reach(&mut self, slot: usize, cost: u32) {
        if self.costs[slot] > cost {
            self.costs[slot] = cost;
            self.buckets[(cost / STRAIGHT) as usize % 4].push(slot as u32);
        }
    }
}
