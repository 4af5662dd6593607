//! The ways out of the dead ends that a start and a goal are in.

use std::sync::atomic::AtomicBool;

use super::memory::JumpMemory;
use crate::cancel::{CANCEL_INTERVAL, Cancelled, check};
use crate::lines::dead_ends::DeadEnds;

/// What the ways out of two dead ends come to.
pub(super) enum Climb {
    /// They meet: after that many nodes of the one and of the other, the last of each the same.
    Met([usize; 2]),
    /// Two nodes outside.
    Out([u32; 2]),
}

/// Walks out of both dead ends, a step of the one and a step of the other. Leaves the ways, both ends
/// included, in the memory; they are empty where there is no dead end.
pub(super) fn climb(
    dead_ends: &DeadEnds,
    ends: [u32; 2],
    cancel: Option<&AtomicBool>,
    memory: &mut JumpMemory,
) -> Result<Climb, Cancelled> {
    memory.ways.iter_mut().for_each(Vec::clear);
    if ends.iter().all(|&end| dead_ends.way_out(end).is_none()) {
        return Ok(Climb::Out(ends));
    }
    let mut tops = ends;
    let mut place = 0;
    let mut goes_on = true;
    while goes_on {
        goes_on = false;
        if (place as u32).is_multiple_of(CANCEL_INTERVAL) && check(cancel).is_err() {
            memory.forget_marks(2 * place as u32);
            return Err(Cancelled);
        }
        for side in 0..2 {
            if place > 0 {
                let has_stopped = memory.ways[side].len() < place;
                let Some(out) = dead_ends.way_out(tops[side]).filter(|_| !has_stopped) else {
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
                return Ok(Climb::Met(counts));
            }
        }
        place += 1;
    }
    memory.forget_marks(2 * place as u32);
    Ok(Climb::Out(tops))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use crate::cancel::looks;
    use crate::cell::Cell;
    use crate::grid::Grid;
    use crate::search::{Algorithm, FindPathError, PathOptions, SearchScratch, find_path};

    /// Two corridors to and fro, which meet in a room.
    fn corridors() -> Grid {
        let side = 121;
        Grid::from_fn(2 * side + 9, side, |Cell { x, y }| {
            let along = if x < 121 { x } else { 2 * 121 + 8 - x };
            let is_turn = along == if y % 4 == 1 { 0 } else { 119 };
            let is_room = (120..129).contains(&x) && y < 9;
            is_room || along < 120 && (y % 2 == 0 || is_turn) || y == 0
        })
        .expect("a good size")
    }

    #[test]
    fn a_flag_that_goes_up_on_the_way_out_of_a_dead_end_leaves_nothing_to_the_next_search() {
        let grid = corridors();
        grid.prepare();
        let (start, goal) = (Cell::new(0, 120), Cell::new(250, 120));
        let mut kept = SearchScratch::new();
        let mut find = |cancel: Option<&AtomicBool>, start, goal| {
            let options = PathOptions {
                algorithm: Algorithm::JumpPoint,
                cancel,
                ..PathOptions::default()
            };
            find_path(&grid, start, goal, &options, &mut kept)
        };
        let (expected, all) = looks::count(usize::MAX, |flag| find(flag, start, goal));
        let back = find(None, goal, start);
        let length = expected.as_ref().map_or(0.0, |found| found.path.length());
        assert!(length > 14_000.0, "{length}");
        // Both corridors are walked out at once.
        let most = 4096.0 / 2.0;
        assert!(
            all as f64 >= length / 2.0 / most,
            "{all} looks for {length}"
        );
        assert!(all > 5);
        for up_at in 0..all {
            let (answer, _) = looks::count(up_at, |flag| find(flag, start, goal));
            assert_eq!(
                answer,
                Err(FindPathError::Cancelled),
                "look {up_at} of {all}"
            );
            assert_eq!(find(None, goal, start), back);
        }
        assert_eq!(find(None, start, goal), expected);
    }
}
