//! Settles cells on ground of different costs, or under a policy other than
//! [`DiagonalPolicy::NoCornerCut`](crate::DiagonalPolicy::NoCornerCut). It checks all neighbors of a cell.

use super::table::{CostTable, UNKNOWN_COST, WALL, edge};
use super::wave::Wave;
use crate::search::{Relaxation, SearchRecorder};

/// Settles the lowest bucket. Returns the number of slots in it, and how many of these were not settled before.
pub(super) fn settle<R: SearchRecorder>(
    table: &mut CostTable,
    wave: &mut Wave,
    recorder: &mut R,
) -> [u32; 2] {
    let mut slots = wave.take(0, 0);
    let (mut settled, floor, offsets) = (0, wave.floor(), table.offsets());
    for &slot in &slots {
        let slot = slot as usize;
        let cost = table.costs[slot];
        if cost < floor {
            // The slot is settled already: a cheaper path has reached it.
            recorder.dropped(table.cell(slot));
            continue;
        }
        settled += 1;
        recorder.expanded(edge(table.rect, slot, None, cost));
        for (step, offset) in offsets.into_iter().enumerate() {
            let next = slot.wrapping_add_signed(offset);
            let known = table.costs[next];
            if known == WALL || !table.allows(slot, step) {
                continue;
            }
            let cost = cost + table.step_cost(slot, next, step);
            if cost < known {
                table.costs[next] = cost;
                wave.push(next, cost);
            }
            if R::LISTENS {
                let change = Relaxation::of(known != UNKNOWN_COST, cost < known);
                recorder.relaxed(edge(table.rect, next, Some(slot), cost), change);
            }
        }
    }
    let taken = slots.len() as u32;
    slots.clear();
    wave.give(0, 0, slots);
    [taken, settled]
}
