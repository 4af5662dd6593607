//! Which cells are free after an edit, dead ends not counted.
//!
//! Dead ends are right as long as three things hold for each of them: its way out is no wall, all its other
//! neighbors are walls or dead ends that lead to it, and no way out leads in a circle. An edit can break
//! this only where it is, and along the ways out from there. Free cells are dots; `>` is a dead end that leads
//! to the right:
//!
//! ```text
//! a wall goes       # # # # # #         # # # # # #
//! (at x)            # > > > . .         # . . . . .       beside x, two dead ends begin: all cells
//!                   # x # # . .    ->   # . # # . .       on their ways out become free
//!                   # > > > . .         # . . . . .
//!
//! a wall comes      # # # # # #         # # # # # #
//! (at x)            # > > x . .         # > . # . .       the cell that led to x becomes free;
//!                   # # # # . .    ->   # # # # . .       those behind it still lead to it
//! ```
//!
//! Cells that lost a free neighbor may have become dead ends, and so may cells that became free. These
//! candidates are looked at in the end. Where one is filled, the next cell on its way out is looked at, too.

use super::scratch::UpdateScratch;
use crate::bits::{is_set, ones};
use crate::cancel::{Cancel, Cancelled};
use crate::jump::boards::JumpPointBoards;
use crate::jump::dead_ends::{DeadEnds, only_exit, straight_neighbor};
use crate::jump::journal::Journaled;

/// Applies the edits of the scratch to the free cells, the dead ends and the counts of walls. Logs the flips.
/// Stops filling dead ends after `max_fills` cells.
pub(super) fn apply(boards: &mut JumpPointBoards, scratch: &mut UpdateScratch, max_fills: u32) {
    let UpdateScratch {
        edits,
        flip_log,
        candidates,
        ..
    } = scratch;
    for &(slot, is_free) in edits.iter() {
        // Rectangles that overlap name a cell twice.
        if is_free == self::is_free(boards, slot) {
            continue;
        }
        let around = around(boards, slot);
        let singles = |boards: &JumpPointBoards| {
            let single = |&slot: &u32| is_single(boards, slot);
            around.iter().flatten().filter(|slot| single(slot)).count() as u32
        };
        let before = singles(boards);
        let mut cells = CellEdit::of(boards, flip_log);
        if is_free {
            cells.free(slot, candidates);
        } else {
            cells.block(slot, candidates);
        }
        let after = singles(boards);
        let counts = &mut boards.scattered;
        counts.singles = counts.singles + after - before;
        counts.walls = counts.walls + u32::from(!is_free) - u32::from(is_free);
    }
    CellEdit::of(boards, flip_log).fill(candidates, max_fills)
}

/// Finds all dead ends as a build would. Logs the flips of free cells.
pub(super) fn fill_anew(
    boards: &mut JumpPointBoards,
    scratch: &mut UpdateScratch,
    cancel: Cancel<'_>,
) -> Result<(), Cancelled> {
    let lines = &mut boards.lines[0];
    let word = |index: usize| lines.free[index] | boards.dead_ends.word(index);
    let all = (0..lines.free.len()).map(word).collect::<Vec<_>>();
    let (dead_ends, rest) = DeadEnds::fill(&all, lines.stride as usize / 64, cancel)?;
    for (index, &word) in rest.iter().enumerate() {
        let flips = word ^ lines.free[index];
        lines.free.set(index, word);
        let slots = ones(flips).map(|bit| index as u32 * 64 + bit);
        scratch.flip_log.extend(slots);
    }
    boards.dead_ends.overwrite_with(&dead_ends);
    Ok(())
}

/// Whether the grid's cell is free, dead end or not.
#[inline]
pub(super) fn is_free(boards: &JumpPointBoards, slot: u32) -> bool {
    is_set(&boards.lines[0].free, slot) || boards.dead_ends.contains(slot)
}

/// A slot and its four straight neighbors. `None` for those on the border lines before the first and after the
/// last.
fn around(boards: &JumpPointBoards, slot: u32) -> [Option<u32>; 5] {
    let stride = boards.lines[0].stride;
    let end = stride * (boards.v_side + 1);
    let place = |slot: u32| (stride..end).contains(&slot).then_some(slot);
    let [a, b, c, d] = [0, 1, 2, 3].map(|exit| straight_neighbor(slot, exit, stride));
    [slot, a, b, c, d].map(place)
}

/// Whether a slot is a wall between four free cells.
fn is_single(boards: &JumpPointBoards, slot: u32) -> bool {
    let stride = boards.lines[0].stride;
    !is_free(boards, slot)
        && (0..4).all(|exit| is_free(boards, straight_neighbor(slot, exit, stride)))
}

/// The cells of a grid. A cell is free, a dead end or a wall.
struct CellEdit<'a> {
    free: &'a mut Journaled<u64>,
    dead_ends: &'a mut DeadEnds,
    flip_log: &'a mut Vec<u32>,
    stride: u32,
}

impl<'a> CellEdit<'a> {
    fn of(boards: &'a mut JumpPointBoards, flip_log: &'a mut Vec<u32>) -> Self {
        let lines = &mut boards.lines[0];
        Self {
            stride: lines.stride,
            free: &mut lines.free,
            dead_ends: &mut boards.dead_ends,
            flip_log,
        }
    }

    /// Flips whether a slot is among the free cells.
    fn flip(&mut self, slot: u32) {
        let index = slot as usize / 64;
        if let Some(&word) = self.free.get(index) {
            self.free.set(index, word ^ 1 << (slot % 64));
            self.flip_log.push(slot);
        }
    }

    /// Makes a wall of a free cell or a dead end.
    fn block(&mut self, slot: u32, candidates: &mut Vec<u32>) {
        if self.dead_ends.contains(slot) {
            self.dead_ends.remove(slot);
        } else {
            self.flip(slot);
        }
        for beside in [0, 1, 2, 3].map(|exit| straight_neighbor(slot, exit, self.stride)) {
            if self.dead_ends.exit_slot(beside) == Some(slot) {
                self.dead_ends.remove(beside);
                self.flip(beside);
            }
            candidates.push(beside);
        }
    }

    /// Makes a free cell or a dead end of a wall.
    fn free(&mut self, slot: u32, candidates: &mut Vec<u32>) {
        let is_free = |&exit: &u32| {
            let beside = straight_neighbor(slot, exit, self.stride);
            is_set(self.free, beside) || self.dead_ends.contains(beside)
        };
        let mut neighbors = (0..4).filter(is_free);
        if let (Some(exit), None) = (neighbors.next(), neighbors.next()) {
            self.dead_ends.add(slot, exit);
            return;
        }
        self.flip(slot);
        candidates.push(slot);
        for mut beside in [0, 1, 2, 3].map(|exit| straight_neighbor(slot, exit, self.stride)) {
            while let Some(out) = self.dead_ends.exit_slot(beside) {
                self.dead_ends.remove(beside);
                self.flip(beside);
                beside = out;
            }
            candidates.push(beside);
        }
    }

    /// Fills the candidates that are dead ends, and each next cell on the way out that becomes one by that.
    fn fill(&mut self, candidates: &mut Vec<u32>, max_fills: u32) {
        let mut left = max_fills;
        while let Some(mut slot) = candidates.pop() {
            while let Some(exit) = only_exit(self.free, self.stride, slot) {
                if left == 0 {
                    return;
                }
                left -= 1;
                self.dead_ends.add(slot, exit);
                self.flip(slot);
                slot = straight_neighbor(slot, exit, self.stride);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jump::node::Node;
    use crate::jump::pictures;

    /// Applies one edit. Gives the scratch with its flips.
    fn applied(
        boards: &mut JumpPointBoards,
        (node, is_free): (Node, bool),
        max_fills: u32,
    ) -> UpdateScratch {
        let mut scratch = UpdateScratch::default();
        scratch.start(boards.slot_count());
        scratch.edits.push((boards.slot(node), is_free));
        apply(boards, &mut scratch, max_fills);
        scratch
    }

    /// The ways out before and after an edit of the cell at (u, v), and which cells flipped.
    fn check(before: &[&str], (u, v, is_free): (u32, u32, bool), ways: [&[&str]; 2]) -> Vec<Node> {
        let mut boards = pictures::boards(before);
        assert_eq!(pictures::ways_out(&boards), ways[0], "before");
        let scratch = applied(&mut boards, (Node { u, v }, is_free), u32::MAX);
        assert_eq!(pictures::ways_out(&boards), ways[1], "after");
        let mut flipped: Vec<_> = scratch
            .flip_log
            .iter()
            .map(|&slot| boards.slot_node(slot))
            .collect();
        flipped.sort_unstable_by_key(|node| (node.v, node.u));
        flipped
    }

    #[test]
    fn the_picture_of_a_removed_wall_matches_the_code() {
        let flipped = check(
            &["# # # # # #", "# . . . . .", "# # # # . .", "# . . . . ."],
            (1, 1, true),
            [
                &[". . . . . .", ". > > > . .", ". . . . . .", ". > > > . ."],
                &[". . . . . ."; 4],
            ],
        );
        let free = [(1, 0), (2, 0), (3, 0), (1, 1), (1, 2), (2, 2), (3, 2)];
        assert_eq!(flipped, free.map(|(u, v)| Node { u, v }));
    }

    #[test]
    fn the_picture_of_an_added_wall_matches_the_code() {
        let flipped = check(
            &["# # # # # #", "# . . . . .", "# # # # . ."],
            (3, 1, false),
            [
                &[". . . . . .", ". > > > . .", ". . . . . ."],
                &[". . . . . .", ". > . . . .", ". . . . . ."],
            ],
        );
        // The cell at x was a dead end: it was no free cell before, and is none now.
        assert_eq!(flipped, [Node { u: 2, v: 1 }]);
    }

    #[test]
    fn at_most_max_fills_dead_ends_are_filled() {
        // A corridor between two rooms, until a wall comes at its left end.
        let before = ["# # # # # # #", ". . . . . . .", ". . # # # . ."];
        for (max_fills, expected) in [
            (u32::MAX, ". . . > > . ."),
            (1, ". . . > . . ."),
            (0, ". . . . . . ."),
        ] {
            let mut boards = pictures::boards(&before);
            assert_eq!(pictures::ways_out(&boards)[1], ". . . . . . .");
            applied(&mut boards, (Node { u: 2, v: 1 }, false), max_fills);
            assert_eq!(pictures::ways_out(&boards)[1], expected, "{max_fills}");
        }
    }
}
