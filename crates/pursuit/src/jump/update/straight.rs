//! Straight walks after an edit: dirty words, and flipped branches.
//!
//! Walls and jump points flip only in dirty words. But walks reach them from afar. So a scan begins at a dirty
//! word and goes back to where walks come from. It has two carries, one for the line as it was and one for the
//! line as it is, and ends where both are equal:
//!
//! ```text
//! before      . . # . . . . . # .       a walk to the right meets the wall at 8
//! after       . . # . . . . J . .       and now the jump point at 7
//! flipped     . . . 1 1 1 1 . . .       reached from 3 to 6; walks from further left end at the wall at 2
//! ```

use super::scratch::{OldLineWord, UpdateScratch};
use crate::bits::ones;
use crate::jump::boards::JumpPointBoards;
use crate::jump::node::Node;
use crate::jump::straight::{LineWord, line_words};

/// Writes the dirty words along an axis. Notes how they were, and the flipped forced neighbors.
pub(super) fn rewrite<const AXIS: usize>(
    boards: &mut JumpPointBoards,
    scratch: &mut UpdateScratch,
) {
    let n = boards.lines[AXIS].stride / 64;
    scratch.dirty_words.clear();
    for node in &scratch.flipped_cells {
        let (line, bit) = if AXIS == 0 {
            (node.v, node.u)
        } else {
            (node.u, node.v)
        };
        // The previous line, the node's own, which is number `line + 1` with the border, and the next line.
        for line in line..line + 3 {
            let words = line * n + bit.saturating_sub(1) / 64..=line * n + (bit + 1) / 64;
            scratch.dirty_words.extend(words);
        }
    }
    scratch.dirty_words.sort_unstable();
    let mut last = None;
    let lines = &mut boards.lines[AXIS];
    for &index in &scratch.dirty_words {
        if last.replace(index) == Some(index) {
            continue;
        }
        let at = index as usize;
        let after = line_words(&lines.free, at, n as usize);
        let mut before = after;
        let mut flipped_forced = 0;
        for (words, (before, after)) in lines.words.iter_mut().zip(before.iter_mut().zip(after)) {
            *before = words.get(at).copied().unwrap_or_default();
            let [next, previous] =
                [0, 1].map(|side| before.forced_neighbors[side] ^ after.forced_neighbors[side]);
            flipped_forced |= next | previous;
            // A dominated jump point stays dominated until a recheck, if its forced neighbors are the same.
            let dominated = before.jump_points() & !before.stops & !(next | previous);
            let stops = after.stops & !dominated;
            words.set(at, LineWord { stops, ..after });
        }
        if flipped_forced != 0 || before[0].free() != after[0].free() {
            let words = before;
            scratch.old_words[AXIS].push(OldLineWord { index, words });
        }
        for_each_node::<AXIS>(n, index, flipped_forced, |node| {
            scratch.flipped_forced.push(node)
        });
    }
}

/// Calls `visit` for the nodes of the bits that are set. These are the bits of word `index` of the lines along an
/// axis, which have `n` words each.
#[inline(always)]
fn for_each_node<const AXIS: usize>(n: u32, index: u32, bits: u64, mut visit: impl FnMut(Node)) {
    if bits == 0 {
        return;
    }
    let line = index / n;
    let first = (index - line * n) * 64;
    for bit in ones(bits).map(|bit| first + bit) {
        visit(if AXIS == 0 {
            Node {
                u: bit,
                v: line - 1,
            }
        } else {
            Node {
                u: line - 1,
                v: bit,
            }
        });
    }
}

/// Calls `flip` for the nodes from which a walk along an axis, up or down, reaches a jump point now and did not,
/// or the other way around.
pub(super) fn for_each_flipped_branch<const AXIS: usize, const UP: bool>(
    boards: &JumpPointBoards,
    old_words: &[OldLineWord],
    mut flip: impl FnMut(Node),
) {
    let lines = &boards.lines[AXIS];
    let n = lines.stride / 64;
    let words = &lines.words[usize::from(!UP)];
    let at = |index: u32| words.get(index as usize).copied();
    // The scan goes to where walks come from.
    let next = |index: u32| {
        if UP { index.wrapping_sub(1) } else { index + 1 }
    };
    // The word to scan next, and the carries into it: one for the lines before the edit, one for the lines after.
    let mut index = 0;
    let mut carries = [0; 2];
    for k in 0..=old_words.len() {
        let old_word = old_words.get(if UP {
            old_words.len().wrapping_sub(k + 1)
        } else {
            k
        });
        // Words that are as they were, as long as they hand on different carries.
        while carries[0] != carries[1] && old_word.is_none_or(|old_word| old_word.index != index) {
            let Some(word) = at(index) else { break };
            let carries = carries.each_mut();
            let [old, new] = carries.map(|carry| word.reaches_jump_point::<UP>(carry));
            if old != new {
                for_each_node::<AXIS>(n, index, old ^ new, &mut flip);
            }
            index = next(index);
        }
        let Some(old_word) = old_word else { break };
        let Some(new_word) = at(old_word.index) else {
            break;
        };
        // If the scan did not come here from the old word before, both carries are equal here.
        if k == 0 || index != old_word.index {
            carries = [first_stop_past::<UP>(words, old_word.index); 2];
        }
        let old = old_word.words[usize::from(!UP)].reaches_jump_point::<UP>(&mut carries[0]);
        let new = new_word.reaches_jump_point::<UP>(&mut carries[1]);
        for_each_node::<AXIS>(n, old_word.index, old ^ new, &mut flip);
        index = next(old_word.index);
    }
}

/// Whether the first stop past a word, where walks go on, is a jump point: 1 or 0.
fn first_stop_past<const UP: bool>(words: &[LineWord], index: u32) -> u64 {
    let mut index = index as usize;
    loop {
        index = if UP { index + 1 } else { index.wrapping_sub(1) };
        let Some(word) = words.get(index) else {
            return 0;
        };
        let (jumps, stops) = (word.jump_points(), word.stops | word.jump_points());
        if stops != 0 {
            let bit = if UP {
                stops.trailing_zeros()
            } else {
                stops.leading_zeros() ^ 63
            };
            return jumps >> bit & 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cell::Cell;
    use crate::grid::Grid;
    use crate::jump::naive::{Naive, any_large_grid, cells, node, random};
    use crate::jump::pictures;

    /// The words of lines along an axis that differ, as they were.
    fn old_words<const AXIS: usize>(
        before: &JumpPointBoards,
        after: &JumpPointBoards,
    ) -> Vec<OldLineWord> {
        let (old, new) = (&before.lines[AXIS].words, &after.lines[AXIS].words);
        let words = (0..old[0].len()).map(|index| OldLineWord {
            index: index as u32,
            words: [old[0][index], old[1][index]],
        });
        let differs = |word: &OldLineWord| {
            let index = word.index as usize;
            [0, 1].map(|down| new[down][index]) != word.words
        };
        words.filter(differs).collect()
    }

    fn flipped<const AXIS: usize, const UP: bool>(
        before: &JumpPointBoards,
        after: &JumpPointBoards,
    ) -> Vec<Node> {
        let mut flipped = Vec::new();
        let old_words = old_words::<AXIS>(before, after);
        for_each_flipped_branch::<AXIS, UP>(after, &old_words, |node| flipped.push(node));
        flipped.sort_unstable_by_key(|node| (node.u, node.v));
        flipped
    }

    #[test]
    fn the_picture_of_flipped_branches_matches_the_code() {
        let before = pictures::boards(&[
            ". . . . . . . . . .",
            ". . # . . . . . # .",
            ". . . . . . . . . .",
        ]);
        let after = pictures::boards(&[
            ". . . . . . # . . .",
            ". . # . . . . . # .",
            ". . . . . . . . . .",
        ]);
        let flipped = flipped::<0, true>(&before, &after);
        let on_line: Vec<_> = flipped.into_iter().filter(|node| node.v == 1).collect();
        assert_eq!(on_line, [3, 4, 5, 6].map(|u| Node { u, v: 1 }));
    }

    fn check<const AXIS: usize, const UP: bool>(
        [before, after]: [&JumpPointBoards; 2],
        grids: [&Grid; 2],
    ) -> Result<(), TestCaseError> {
        let by = if UP { 1 } else { -1 };
        let ahead = if AXIS == 0 { (by, 0) } else { (0, by) };
        let [old, new] = [Naive::of(before, grids[0]), Naive::of(after, grids[1])];
        let reached_before = |at| old.is_free(at) && old.reaches_jump_point(at, ahead);
        let reached_after = |at| new.is_free(at) && new.reaches_jump_point(at, ahead);
        let expected: Vec<_> = cells(after)
            .filter(|&at| reached_before(at) != reached_after(at))
            .map(node)
            .collect();
        prop_assert_eq!(flipped::<AXIS, UP>(before, after), expected);
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(crate::search::oracle::cases(80)))]

        #[test]
        fn flipped_branches_agree_with_a_check_of_each_cell(
            grid in any_large_grid(), seed: u64, rarely in prop_oneof![3u32..40, 200u32..2000],
        ) {
            let edited = Grid::from_fn(grid.width(), grid.height(), |cell: Cell| {
                let is_edited = random(seed, cell.x, cell.y).is_multiple_of(rarely);
                grid.is_free(cell) != is_edited
            });
            let edited = edited.expect("a good size");
            let [before, after] = [&grid, &edited].map(JumpPointBoards::new);
            let (boards, grids) = ([&before, &after], [&grid, &edited]);
            check::<0, true>(boards, grids)?;
            check::<0, false>(boards, grids)?;
            check::<1, true>(boards, grids)?;
            check::<1, false>(boards, grids)?;
        }
    }
}
