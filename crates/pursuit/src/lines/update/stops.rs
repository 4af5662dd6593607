//! Which jump points are dominated after an edit.

use std::hint::black_box;

use crate::lines::boards::Boards;
use crate::lines::diagonal::Diagonals;
use crate::lines::node::Node;
use crate::lines::straight::LineWord;

/// Nodes whose words are read together before any is looked at.
const TOGETHER: usize = 16;

/// Writes for all walks whether they stop at some nodes.
pub(super) fn update_stops(boards: &mut Boards, nodes: &[(u32, Node)]) {
    for nodes in nodes.chunks(TOGETHER) {
        // The nodes lie far apart. So their words come from memory at once, and not one after the other.
        let words = nodes.iter().map(|(_, node)| words_at(boards, *node));
        black_box(words.fold(0, |all, words| all ^ words));
        nodes
            .iter()
            .for_each(|(_, node)| update_stop(boards, *node));
    }
}

/// Something that only those know who have read the words of lines at a node.
fn words_at(boards: &Boards, node: Node) -> u64 {
    let at = |axis: usize, bit: u32| {
        let both = boards.lines[axis].words.iter();
        let words = both.filter_map(|words| words.get(bit as usize / 64));
        words.fold(0, |all, word| all ^ word.stops)
    };
    at(0, boards.line_bit::<0>(node)) ^ at(1, boards.line_bit::<1>(node))
}

/// Writes for all walks whether they stop at a node.
fn update_stop(boards: &mut Boards, node: Node) {
    for ahead in 0..2 {
        stop::<0>(boards, node, ahead);
        stop::<1>(boards, node, ahead);
    }
}

/// Directions are 0 if the coordinate grows, 1 if it falls.
fn stop<const AXIS: usize>(boards: &mut Boards, node: Node, ahead: usize) {
    let at = boards.line_bit::<AXIS>(node);
    let (index, place) = (at as usize / 64, at % 64);
    let Some(&word) = boards.lines[AXIS].words[ahead].get(index) else {
        return;
    };
    let is_forced = |side: usize| word.forced_neighbors[side] >> place & 1 != 0;
    let stops_at = |side: usize| {
        is_forced(side) && {
            let (along_u, along_v) = if AXIS == 0 {
                (ahead, side)
            } else {
                (side, ahead)
            };
            branches_to(boards, node, 1 - AXIS, side)
                || comes_by_branch(boards, node, along_u, along_v)
        }
    };
    if !is_forced(0) && !is_forced(1) {
        return;
    }
    let is_stop = stops_at(0) || stops_at(1);
    let stops = word.stops & !(1 << place) | u64::from(is_stop) << place;
    boards.lines[AXIS].words[ahead].set(index, LineWord { stops, ..word });
}

/// Whether a straight walk from a node reaches a jump point.
fn branches_to(boards: &Boards, node: Node, axis: usize, direction: usize) -> bool {
    let (_, index) = boards.diagonal_word::<true>(node);
    let word = boards.diagonals[0].words.get(index as usize);
    let word = word.copied().unwrap_or_default();
    let branches = [word.branches_up, word.branches_down][direction][axis];
    branches >> (node.v % 64) & 1 != 0
}

/// Whether a diagonal walk from a node comes by a branch later than at its first cell.
fn comes_by_branch(boards: &Boards, node: Node, along_u: usize, along_v: usize) -> bool {
    let (_, index) = if along_u == along_v {
        boards.diagonal_word::<true>(node)
    } else {
        boards.diagonal_word::<false>(node)
    };
    let diagonals = &boards.diagonals[along_u ^ along_v];
    if along_v == 0 {
        comes_by_up(diagonals, index as usize, node.v % 64)
    } else {
        comes_by_down(diagonals, index as usize, node.v % 64)
    }
}

/// Walks toward higher bits: the first branch must not lie past the first cell without a step.
fn comes_by_up(diagonals: &Diagonals, mut index: usize, bit: u32) -> bool {
    let mut from = u64::MAX << bit;
    let mut after_first = from << 1;
    while let Some(word) = diagonals.words.get(index) {
        let closed = !word.open & from;
        let branches = word.branches::<true>() & after_first;
        if branches != 0 {
            return branches.trailing_zeros() <= closed.trailing_zeros();
        }
        if closed != 0 {
            return false;
        }
        index += diagonals.stride as usize;
        (from, after_first) = (u64::MAX, u64::MAX);
    }
    false
}

/// Walks toward lower bits: the step to a cell is that cell's, so it must have one.
fn comes_by_down(diagonals: &Diagonals, mut index: usize, bit: u32) -> bool {
    let mut below = (1 << bit) - 1;
    while let Some(word) = diagonals.words.get(index) {
        let closed = !word.open & below;
        let branches = word.branches::<false>() & below;
        if branches != 0 {
            return branches.leading_zeros() < closed.leading_zeros();
        }
        if closed != 0 {
            return false;
        }
        index = index.wrapping_sub(diagonals.stride as usize);
        below = u64::MAX;
    }
    false
}
