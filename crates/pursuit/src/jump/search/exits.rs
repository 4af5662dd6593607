//! The ways out of the dead ends that a start and a goal are in.

use super::memory::JumpMemory;
use crate::cancel::{Cancel, Cancelled};
use crate::jump::dead_ends::DeadEnds;

/// What the ways out of two dead ends come to.
pub(super) enum Exits {
    /// They meet: after that many nodes of the one and of the other, the last of each the same.
    Met([usize; 2]),
    /// Two nodes outside.
    Apart([u32; 2]),
}

/// Walks out of both dead ends, a step of the one and a step of the other. Leaves the ways, both ends
/// included, in the memory; they are empty where there is no dead end.
pub(super) fn leave(
    dead_ends: &DeadEnds,
    ends: [u32; 2],
    memory: &mut JumpMemory,
    cancel: Cancel<'_>,
) -> Result<Exits, Cancelled> {
    memory.ways.iter_mut().for_each(Vec::clear);
    if ends.iter().all(|&end| dead_ends.exit_slot(end).is_none()) {
        return Ok(Exits::Apart(ends));
    }
    let mut tops = ends;
    let mut place = 0;
    let mut goes_on = true;
    while goes_on {
        goes_on = false;
        if let Err(cancelled) = cancel.check_at(place as u32) {
            memory.forget_marks(2 * place as u32);
            return Err(cancelled);
        }
        for side in 0..2 {
            if place > 0 {
                let has_stopped = memory.ways[side].len() < place;
                let Some(out) = dead_ends.exit_slot(tops[side]).filter(|_| !has_stopped) else {
                    continue;
                };
                tops[side] = out;
            }
            goes_on = true;
            memory.ways[side].push(tops[side]);
            if let Some(other) = memory.mark(tops[side], (2 * place + side) as u32) {
                memory.forget_marks(2 * place as u32 + 2);
                let mut counts = [place + 1; 2];
                counts[1 - side] = other as usize / 2 + 1;
                return Ok(Exits::Met(counts));
            }
        }
        place += 1;
    }
    memory.forget_marks(2 * place as u32);
    Ok(Exits::Apart(tops))
}
