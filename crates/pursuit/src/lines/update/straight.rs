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
use crate::lines::boards::Boards;
use crate::lines::node::Node;
use crate::lines::straight::{LineWord, line_words};

/// Writes the dirty words along an axis. Notes how they were, and the flipped forced neighbors.
pub(super) fn rewrite<const AXIS: usize>(boards: &mut Boards, scratch: &mut UpdateScratch) {
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
    scratch.dirty_words.dedup();
    let lines = &mut boards.lines[AXIS];
    for &index in &scratch.dirty_words {
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
    let mut bits = bits;
    while bits != 0 {
        let bit = first + bits.trailing_zeros();
        bits &= bits - 1;
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
    boards: &Boards,
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
            let [old, new] = carries
                .each_mut()
                .map(|carry| word.reaches_jump_point::<UP>(carry));
            for_each_node::<AXIS>(n, index, old ^ new, &mut flip);
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
    let index = index as usize;
    let stop = |word: &LineWord| {
        let (jumps, stops) = (word.jump_points(), word.stops | word.jump_points());
        let bit = if UP {
            stops.trailing_zeros()
        } else {
            stops.leading_zeros() ^ 63
        };
        (stops != 0).then(|| jumps >> bit & 1)
    };
    let found = if UP {
        words
            .get(index + 1..)
            .and_then(|words| words.iter().find_map(stop))
    } else {
        words
            .get(..index)
            .and_then(|words| words.iter().rev().find_map(stop))
    };
    found.unwrap_or(0)
}
