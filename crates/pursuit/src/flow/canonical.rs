//! Settles cells on even ground. Of all equally cheap paths, the search follows the canonical one, which goes
//! diagonally first.
//!
//! Most neighbors of a cell can be reached at the same cost from the cell before it, so this cell is not needed for
//! them (Harabor and Grastien, 2011: jump point search; Sturtevant and Rabin, 2016: canonical Dijkstra). Only the other
//! neighbors are checked. The pictures show the previous cell `a` and the cell `x`; the neighbors to check have
//! numbers. So almost every cell is reached only once instead of eight times:
//!
//! ```text
//!   by a straight step      beside a corner      by a diagonal step
//!         . . .                 # 2 3                 . 2 3
//!         a x 1                 a x 1                 . x 1
//!         . . .                 . . .                 a . .
//! ```
//!
//! If several steps reach a cell at the same cost, the search checks a neighbor if at least one of these steps demands
//! it.

use super::directions::{Steps, WAY_BACK};
use super::table::{CostTable, UNKNOWN_COST, WALL, cell_of, edge};
use super::wave::Wave;
use crate::bits::ones;
use crate::cell::{CellRect, NEIGHBORS};
use crate::pruning::IN_THE_OPEN;
use crate::search::{Relaxation, SearchRecorder};

/// The steps that reach a seed. A seed is treated as if all steps had reached it.
pub(super) const SEED_STEPS: Steps = Steps::MAX;

/// The number of a straight step and, for each of its two sides, the numbers of three other steps: straight to that
/// side, diagonally ahead to that side, and diagonally ahead to the other side.
#[derive(Clone, Copy)]
struct Straight(usize, [[usize; 3]; 2]);

/// The number of a diagonal step, and the numbers of its two straight components.
#[derive(Clone, Copy)]
struct Diagonal(usize, [usize; 2]);

/// The four straight steps, by their index in [`NEIGHBORS`].
const STRAIGHTS: [Straight; 4] = [
    Straight(0, [[2, 4, 6], [3, 6, 4]]),
    Straight(1, [[2, 5, 7], [3, 7, 5]]),
    Straight(2, [[0, 4, 5], [1, 5, 4]]),
    Straight(3, [[0, 6, 7], [1, 7, 6]]),
];
/// The four diagonal steps, by their index in [`NEIGHBORS`].
const DIAGONALS: [Diagonal; 4] = [
    Diagonal(4, [0, 2]),
    Diagonal(5, [1, 2]),
    Diagonal(6, [0, 3]),
    Diagonal(7, [1, 3]),
];

/// For each set of steps that reach a cell, the steps to check from it. Steps around corners are not included.
static NATURAL: [Steps; 256] = {
    let mut all = [0; 256];
    let mut reached = 0;
    while reached < all.len() {
        let mut step = 0;
        while step < 8 {
            if reached >> step & 1 != 0 {
                all[reached] |= IN_THE_OPEN[step];
            }
            step += 1;
        }
        reached += 1;
    }
    all
};

/// Number of lanes in a bucket. The lane of a cell is the step by which it was first reached.
pub(super) const LANES: usize = NEIGHBORS.len();

/// Settles the lowest bucket. Returns the number of slots in it, and how many of these were not settled before.
///
/// For each waiting slot, `ways` has the steps that reach it at the lowest cost. For each settled slot, `ways` has the
/// byte of its direction (see [`WAY_BACK`]).
pub(super) fn settle<R: SearchRecorder>(
    table: &mut CostTable,
    ways: &mut [u8],
    wave: &mut Wave,
    recorder: &mut R,
) -> [u32; 2] {
    let [next, after] = [1, 2].map(|ahead| std::array::from_fn(|lane| wave.take(ahead, lane)));
    let mut front = CanonicalWave {
        offsets: table.offsets(),
        costs: &mut table.costs,
        ways,
        steps: table.even,
        begins: [0, 2, 3].map(|ahead| wave.begin(ahead)),
        next,
        after,
        rect: table.rect,
        recorder,
    };
    let (mut settled, mut taken) = (0, 0);
    for lane in 0..LANES {
        let mut slots = wave.take(0, lane);
        settled += front.settle(lane, &slots);
        taken += slots.len() as u32;
        slots.clear();
        wave.give(0, lane, slots);
    }
    let CanonicalWave { next, after, .. } = front;
    for (ahead, lanes) in [(1, next), (2, after)] {
        for (lane, slots) in lanes.into_iter().enumerate() {
            wave.give(ahead, lane, slots);
        }
    }
    [taken, settled]
}

/// The data that is needed to settle the cells of the lowest bucket.
struct CanonicalWave<'a, R> {
    costs: &'a mut [u32],
    ways: &'a mut [u8],
    offsets: [isize; 8],
    /// The costs of a straight step and of a diagonal step.
    steps: [u32; 2],
    /// The costs at which three buckets begin: the lowest bucket, and the second and the third bucket after it.
    begins: [u32; 3],
    next: [Vec<u32>; LANES],
    after: [Vec<u32>; LANES],
    rect: CellRect,
    recorder: &'a mut R,
}

impl<R: SearchRecorder> CanonicalWave<'_, R> {
    fn settle(&mut self, lane: usize, slots: &[u32]) -> u32 {
        match lane {
            0 => self.settle_lane::<0>(slots),
            1 => self.settle_lane::<1>(slots),
            2 => self.settle_lane::<2>(slots),
            3 => self.settle_lane::<3>(slots),
            4 => self.settle_lane::<4>(slots),
            5 => self.settle_lane::<5>(slots),
            6 => self.settle_lane::<6>(slots),
            _ => self.settle_lane::<7>(slots),
        }
    }

    /// Settles slots that were first reached by a certain step.
    #[inline(always)]
    fn settle_lane<const STEP: usize>(&mut self, slots: &[u32]) -> u32 {
        let mut settled = 0;
        for &slot in slots {
            let slot = slot as usize;
            let cost = self.costs[slot];
            if cost < self.begins[0] {
                // The slot is settled already: a cheaper path has reached it.
                self.recorder.dropped(cell_of(self.rect, slot));
                continue;
            }
            settled += 1;
            if R::LISTENS {
                self.recorder.expanded(edge(self.rect, slot, None, cost));
            }
            let reached = self.ways[slot];
            let by = if reached != 1 << STEP {
                self.go_on(slot, cost, reached)
            } else if STEP < 4 {
                self.go_straight(slot, cost, STRAIGHTS[STEP % 4])
            } else {
                self.go_diagonally(slot, cost, DIAGONALS[STEP % 4])
            };
            self.ways[slot] = WAY_BACK[usize::from(by)];
        }
        settled
    }

    #[inline(always)]
    fn beside(&self, slot: usize, step: usize) -> usize {
        slot.wrapping_add_signed(self.offsets[step])
    }

    /// Continues from a cell that was reached by a straight step. Returns all steps that reach the cell at the same
    /// cost, including diagonal steps that no canonical path takes.
    #[inline(always)]
    fn go_straight(&mut self, slot: usize, cost: u32, Straight(step, sides): Straight) -> Steps {
        let ahead = self.beside(slot, step);
        let behind = slot.wrapping_add_signed(-self.offsets[step]);
        let is_free = self.costs[ahead] != WALL;
        let mut by = 1 << step;
        self.relax(slot, cost, step);
        for [side, ahead, from] in sides {
            let other = self.costs[self.beside(behind, side)];
            if other == WALL {
                self.relax(slot, cost, side);
                if is_free && self.costs[self.beside(slot, side)] != WALL {
                    self.relax(slot, cost, ahead);
                }
            } else if other.wrapping_add(self.steps[1]) == cost {
                let is_free = self.costs[self.beside(slot, side)] != WALL;
                by |= u8::from(is_free) << from;
            }
        }
        by
    }

    #[inline(always)]
    fn go_diagonally(&mut self, slot: usize, cost: u32, Diagonal(step, sides): Diagonal) -> Steps {
        let mut are_free = true;
        for side in sides {
            are_free &= self.costs[self.beside(slot, side)] != WALL;
            self.relax(slot, cost, side);
        }
        if are_free {
            self.relax(slot, cost, step);
        }
        1 << step
    }

    /// Continues from a cell that was reached by several steps. Checks each neighbor once.
    #[inline(never)]
    fn go_on(&mut self, slot: usize, cost: u32, reached: Steps) -> Steps {
        let (mut wanted, mut by) = (NATURAL[usize::from(reached)], reached);
        let each = |steps: Steps| ones(steps.into()).map(|step| step as usize);
        for step in each(reached & 0x0f) {
            let Straight(_, sides) = STRAIGHTS[step];
            let behind = slot.wrapping_add_signed(-self.offsets[step]);
            for [side, ahead, from] in sides {
                let other = self.costs[self.beside(behind, side)];
                let is_free = self.costs[self.beside(slot, side)] != WALL;
                let is_as_cheap = (other != WALL) & (other.wrapping_add(self.steps[1]) == cost);
                wanted |= if other == WALL {
                    1 << side | 1 << ahead
                } else {
                    0
                };
                by |= u8::from(is_free & is_as_cheap) << from;
            }
        }
        for step in each(wanted & 0x0f) {
            self.relax(slot, cost, step);
        }
        for step in each(wanted & 0xf0) {
            let Diagonal(_, [a, b]) = DIAGONALS[step % 4];
            let [a, b] = [a, b].map(|side| self.costs[self.beside(slot, side)]);
            if (a != WALL) & (b != WALL) {
                self.relax(slot, cost, step);
            }
        }
        by
    }

    /// Records the path that continues with a step, unless a cheaper path to its end is known.
    #[inline(always)]
    fn relax(&mut self, slot: usize, cost: u32, step: usize) {
        let next = self.beside(slot, step);
        let cost = cost + self.steps[step / 4];
        let known = self.costs[next];
        if cost < known {
            self.costs[next] = cost;
            self.ways[next] = 1 << step;
            let [_, second, third] = self.begins;
            let is_next = step < 4 || cost < second;
            // If the known cost lies below the end of that bucket, the slot already waits there.
            if known == UNKNOWN_COST || known >= if is_next { second } else { third } {
                let bucket = if is_next {
                    &mut self.next
                } else {
                    &mut self.after
                };
                bucket[step].push(next as u32);
            }
        } else if cost == known {
            self.ways[next] |= 1 << step;
        }
        if R::LISTENS && known != WALL {
            let change = Relaxation::of(known != UNKNOWN_COST, cost < known);
            self.recorder
                .relaxed(edge(self.rect, next, Some(slot), cost), change);
        }
    }
}
