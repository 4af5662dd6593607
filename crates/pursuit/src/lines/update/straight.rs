//! Straight walks after an edit: the words around the cells that changed, and from which cells a jump
//! point is reached now and was not, or the other way around.
//!
//! Only words around the changed cells have other walls or jump points. But a walk meets them from afar,
//! so the scan goes on along the line with two carries, one for the line as it was and one for the line
//! as it is, until both are equal:
//!
//! ```text
//! before      . . # . . . . . # .       a walk to the right meets a wall at 8
//! after       . . # . . . . J . .       ... and now a jump point at 7
//! flips       . . . 1 1 1 1 . . .       from 3 to 6 it is reached; the wall at 2 hides it from the rest
//! ```

use super::scratch::{UpdateScratch, WordBefore};
use crate::lines::boards::Boards;
use crate::lines::node::Node;
use crate::lines::straight::{LineWord, line_words};

/// Writes the words of lines around the changed nodes. Notes how they were, and where walls end now or
/// did.
pub(super) fn rewrite<const AXIS: usize>(boards: &mut Boards, scratch: &mut UpdateScratch) {
    let n = boards.lines[AXIS].stride / 64;
    scratch.touched.clear();
    for node in &scratch.changed {
        let (line, bit) = if AXIS == 0 {
            (node.v, node.u)
        } else {
            (node.u, node.v)
        };
        // The line of a node has number `line + 1`.
        for line in line..line + 3 {
            let words = line * n + bit.saturating_sub(1) / 64..=line * n + (bit + 1) / 64;
            scratch.touched.extend(words);
        }
    }
    scratch.touched.sort_unstable();
    scratch.touched.dedup();
    let lines = &mut boards.lines[AXIS];
    for &index in &scratch.touched {
        let at = index as usize;
        let after = line_words(&lines.free, at, n as usize);
        let mut before = after;
        let mut wall_ends = 0;
        for (words, (before, after)) in lines.words.iter_mut().zip(before.iter_mut().zip(after)) {
            *before = words.get(at).copied().unwrap_or_default();
            let [next, previous] =
                [0, 1].map(|side| before.forced_neighbors[side] ^ after.forced_neighbors[side]);
            wall_ends |= next | previous;
            // A dominated jump point stays one until it is looked at again, if it is still the same.
            let dominated = before.jump_points() & !before.stops & !(next | previous);
            let stops = after.stops & !dominated;
            words.set(at, LineWord { stops, ..after });
        }
        if wall_ends != 0 || before[0].free() != after[0].free() {
            let words = before;
            scratch.before[AXIS].push(WordBefore { index, words });
        }
        for_each_node::<AXIS>(n, index, wall_ends, |node| scratch.wall_ends.push(node));
    }
}

/// Calls `visit` for the nodes of some bits of a word of lines of `n` words.
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

/// Calls `flip` for the nodes from which a walk reaches a jump point now and did not, or the other way
/// around. `before` are the words that changed.
pub(super) fn for_each_flip<const AXIS: usize, const UP: bool>(
    boards: &Boards,
    before: &[WordBefore],
    mut flip: impl FnMut(Node),
) {
    let lines = &boards.lines[AXIS];
    let n = lines.stride / 64;
    let words = &lines.words[usize::from(!UP)];
    let at = |index: u32| words.get(index as usize).copied();
    // Walks come from where the scan goes to.
    let next = |index: u32| {
        if UP { index.wrapping_sub(1) } else { index + 1 }
    };
    // The next word, and the carries into it: one for the lines before the edit, one for the lines after it.
    let mut place = 0;
    let mut carries = [0; 2];
    for k in 0..=before.len() {
        let changed = before.get(if UP {
            before.len().wrapping_sub(k + 1)
        } else {
            k
        });
        while carries[0] != carries[1] && changed.is_none_or(|changed| changed.index != place) {
            let Some(word) = at(place) else { break };
            let [old, new] = carries
                .each_mut()
                .map(|carry| word.reaches_jump_point::<UP>(carry));
            for_each_node::<AXIS>(n, place, old ^ new, &mut flip);
            place = next(place);
        }
        let Some(changed) = changed else { break };
        let Some(after) = at(changed.index) else {
            break;
        };
        if k == 0 || place != changed.index {
            carries = [first_stop::<UP>(words, changed.index); 2];
        }
        let old = changed.words[usize::from(!UP)].reaches_jump_point::<UP>(&mut carries[0]);
        let new = after.reaches_jump_point::<UP>(&mut carries[1]);
        for_each_node::<AXIS>(n, changed.index, old ^ new, &mut flip);
        place = next(changed.index);
    }
}

/// Whether the first stop of a walk that leaves a word is a jump point: 1 or 0.
fn first_stop<const UP: bool>(words: &[LineWord], index: u32) -> u64 {
    let index = index as usize;
    let stop = |word: &LineWord| {
        let (jumps, stops) = (word.jump_points(), word.stops | word.jump_points());
        let place = if UP {
            stops.trailing_zeros()
        } else {
            stops.leading_zeros() ^ 63
        };
        (stops != 0).then(|| jumps >> place & 1)
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
