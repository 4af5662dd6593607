//! Settles cells on even ground, where of all equal ways the one counts that goes diagonally first.
//!
//! By the direction in which a cell was reached, most of its neighbors are reached as cheaply without it (Harabor and
//! Grastien, 2011; as an order of whole searches Sturtevant and Rabin, 2016: canonical Dijkstra). So a cell is looked at about once, not by eight neighbors:
//!
//! ```text
//!   reached by a straight step     beside a corner             by a diagonal step
//!       . . .                        # . 3                        . 2 3
//!       a x 1                        a x 1                        . x 1
//!       . . .                        . . .                        a . .
//! ```
//!
//! A cell that is reached as cheaply in several directions passes on what each of them would.

use super::table::CostTable;
use super::table::{FAR, WALL, way};
use super::wave::Wave;
use crate::cell::CellRect;
use crate::search::{Change, SearchRecorder};

/// In which directions a cell was reached most cheaply and not settled since, one bit for each of
/// [`NEIGHBORS`](crate::NEIGHBORS).
pub(super) type Arrivals = u8;

/// Reached from all around: a cell where ways begin.
pub(super) const SEED: Arrivals = u8::MAX;

/// A straight step: its number among the neighbors, and of what lies to one side and the other the straight step and the
/// diagonal one.
#[derive(Clone, Copy)]
struct Straight(usize, [[usize; 2]; 2]);

/// A diagonal step, and the two straight ones that it is made of.
#[derive(Clone, Copy)]
struct Diagonal(usize, [usize; 2]);

const STRAIGHTS: [Straight; 4] = [
    Straight(0, [[2, 4], [3, 6]]),
    Straight(1, [[2, 5], [3, 7]]),
    Straight(2, [[0, 4], [1, 5]]),
    Straight(3, [[0, 6], [1, 7]]),
];
const DIAGONALS: [Diagonal; 4] = [
    Diagonal(4, [0, 2]),
    Diagonal(5, [1, 2]),
    Diagonal(6, [0, 3]),
    Diagonal(7, [1, 3]),
];

/// Settles slots of the lowest bucket, and gives the number of those that were not settled yet.
pub(super) fn settle<R: SearchRecorder>(
    table: &mut CostTable,
    arrivals: &mut [Arrivals],
    wave: &mut Wave,
    slots: &[u32],
    recorder: &mut R,
) -> u32 {
    let [next, after] = [1, 2].map(|ahead| wave.take(ahead));
    let mut front = Front {
        offsets: table.offsets(),
        costs: &mut table.costs,
        arrivals,
        steps: table.even,
        second: wave.second(),
        next,
        after,
        rect: table.rect,
        recorder,
    };
    let settled = front.settle(slots);
    let Front { next, after, .. } = front;
    wave.give(1, next);
    wave.give(2, after);
    settled
}

struct Front<'a, R> {
    costs: &'a mut [u32],
    arrivals: &'a mut [Arrivals],
    offsets: [isize; 8],
    /// What a straight step costs and a diagonal one.
    steps: [u32; 2],
    /// From this cost on slots are in the second bucket.
    second: u32,
    next: Vec<u32>,
    after: Vec<u32>,
    rect: CellRect,
    recorder: &'a mut R,
}

impl<R: SearchRecorder> Front<'_, R> {
    fn settle(&mut self, slots: &[u32]) -> u32 {
        let mut settled = 0;
        for &slot in slots {
            let slot = slot as usize;
            let reached = std::mem::take(&mut self.arrivals[slot]);
            if reached == 0 {
                self.recorder
                    .dropped(super::table::cell_of(self.rect, slot));
                continue;
            }
            settled += 1;
            let cost = self.costs[slot];
            if R::LISTENS {
                self.recorder.expanded(way(self.rect, slot, None, cost));
            }
            match reached {
                0x01 => self.go_straight(slot, cost, STRAIGHTS[0]),
                0x02 => self.go_straight(slot, cost, STRAIGHTS[1]),
                0x04 => self.go_straight(slot, cost, STRAIGHTS[2]),
                0x08 => self.go_straight(slot, cost, STRAIGHTS[3]),
                0x10 => self.go_diagonally(slot, cost, DIAGONALS[0]),
                0x20 => self.go_diagonally(slot, cost, DIAGONALS[1]),
                0x40 => self.go_diagonally(slot, cost, DIAGONALS[2]),
                0x80 => self.go_diagonally(slot, cost, DIAGONALS[3]),
                _ => self.go_on(slot, cost, reached),
            }
        }
        settled
    }

    #[inline(always)]
    fn beside(&self, slot: usize, step: usize) -> usize {
        slot.wrapping_add_signed(self.offsets[step])
    }

    #[inline(always)]
    fn go_straight(&mut self, slot: usize, cost: u32, Straight(step, sides): Straight) {
        let (ahead, behind) = (
            self.beside(slot, step),
            slot.wrapping_add_signed(-self.offsets[step]),
        );
        let is_free = self.costs[ahead] != WALL;
        self.relax(slot, cost, step);
        for [side, diagonal] in sides {
            if self.costs[self.beside(behind, side)] == WALL {
                self.relax(slot, cost, side);
                if is_free && self.costs[self.beside(slot, side)] != WALL {
                    self.relax(slot, cost, diagonal);
                }
            }
        }
    }

    #[inline(always)]
    fn go_diagonally(&mut self, slot: usize, cost: u32, Diagonal(step, sides): Diagonal) {
        let mut are_free = true;
        for side in sides {
            are_free &= self.costs[self.beside(slot, side)] != WALL;
            self.relax(slot, cost, side);
        }
        if are_free {
            self.relax(slot, cost, step);
        }
    }

    /// As both, for a cell that was reached in several directions: each neighbor is looked at once.
    #[cold]
    fn go_on(&mut self, slot: usize, cost: u32, reached: Arrivals) {
        let mut wanted: Arrivals = 0;
        for Straight(step, sides) in STRAIGHTS {
            if reached >> step & 1 != 0 {
                let behind = slot.wrapping_add_signed(-self.offsets[step]);
                wanted |= 1 << step;
                for [side, diagonal] in sides {
                    if self.costs[self.beside(behind, side)] == WALL {
                        wanted |= 1 << side | 1 << diagonal;
                    }
                }
            }
        }
        for Diagonal(step, [a, b]) in DIAGONALS {
            if reached >> step & 1 != 0 {
                wanted |= 1 << step | 1 << a | 1 << b;
            }
        }
        for step in 0..4 {
            if wanted >> step & 1 != 0 {
                self.relax(slot, cost, step);
            }
        }
        for Diagonal(step, sides) in DIAGONALS {
            let is_free = |side| self.costs[self.beside(slot, side)] != WALL;
            if wanted >> step & 1 != 0 && sides.into_iter().all(is_free) {
                self.relax(slot, cost, step);
            }
        }
    }

    /// Notes the way that a step goes on with, if none is cheaper.
    #[inline(always)]
    fn relax(&mut self, slot: usize, cost: u32, step: usize) {
        let next = self.beside(slot, step);
        let cost = cost + self.steps[step / 4];
        let known = self.costs[next];
        if cost < known {
            self.costs[next] = cost;
            self.arrivals[next] = 1 << step;
            if step < 4 || cost < self.second {
                self.next.push(next as u32);
            } else {
                self.after.push(next as u32);
            }
        } else if cost == known {
            self.arrivals[next] |= 1 << step;
        }
        if R::LISTENS && known != WALL {
            let change = Change::of(known != FAR, cost < known);
            self.recorder
                .relaxed(way(self.rect, next, Some(slot), cost), change);
        }
    }
}
