//! Diagonal walks after an edit, and the jump points that they make worth stopping at.
//!
//! One bit at a time: where a cell is a branch now and was none, or the other way around, the cells before it
//! on the diagonal come by something else than they did. They are all cells back to the one where the diagonal
//! is blocked, or to the nearest other branch:
//!
//! ```text
//! cells             # . B . . . X . .      a walk to the right; X flips, B is a branch
//! come by others    . . 1 1 1 1 . . .      what is before B comes by B in any case
//! jump points       . . . J . . . . .      is looked at again: it may be dominated now
//! ```

use super::scratch::NodeSet;
use crate::lines::boards::Boards;
use crate::lines::diagonal::{DiagonalWord, Diagonals, UpdateIndex};
use crate::lines::node::Node;

/// The diagonals of one kind as they are edited, and the jump points to look at again.
struct DiagonalEdit<'a> {
    diagonals: &'a mut Diagonals,
    recheck: &'a mut NodeSet,
    v_side: u32,
    slot_stride: u32,
}

/// The place of a node on a diagonal.
#[derive(Clone, Copy)]
struct Place {
    /// Number of the diagonal.
    diagonal: u32,
    /// The word among those of all diagonals.
    index: usize,
    v: u32,
}

impl Place {
    fn bit(self) -> u64 {
        1 << (self.v % 64)
    }
}

/// Flips whether a straight walk along an axis, toward higher bits, `UP`, or lower ones, reaches a jump point
/// from a node.
#[inline]
pub(super) fn flip_branch<const AXIS: usize, const UP: bool>(
    boards: &mut Boards,
    recheck: &mut NodeSet,
    node: Node,
) {
    let mut rising = DiagonalEdit::of::<true>(boards, recheck);
    let place = rising.place::<true>(node);
    if rising.is_jump_point(place) {
        rising.recheck(node);
    }
    rising.flip_branch::<true, AXIS, UP>(place);
    let mut falling = DiagonalEdit::of::<false>(boards, recheck);
    let place = falling.place::<false>(node);
    // The bits of a diagonal count v. On a falling diagonal u grows as v falls.
    if AXIS == 0 && UP || AXIS == 1 && !UP {
        falling.flip_branch::<false, AXIS, false>(place);
    } else {
        falling.flip_branch::<false, AXIS, true>(place);
    }
}

/// Looks at all steps of diagonals that depend on whether a node is free.
pub(super) fn update_open_steps(boards: &mut Boards, recheck: &mut NodeSet, node: Node) {
    let (u, v) = (node.u, node.v);
    for v in v.saturating_sub(1)..=v {
        for u in u.saturating_sub(1)..=u {
            update_open_step::<true>(boards, recheck, Node { u, v });
            update_open_step::<false>(boards, recheck, Node { u: u + 1, v });
        }
    }
}

/// Writes whether the step from a node to the next bit is allowed. If that changed, looks again at the jump
/// points from which walks come there.
fn update_open_step<const RISING: bool>(boards: &mut Boards, recheck: &mut NodeSet, node: Node) {
    let left = if RISING { node.u } else { node.u - 1 };
    if left + 1 >= boards.u_side || node.v + 1 >= boards.v_side {
        return;
    }
    let lines = &boards.lines[0];
    let is_free = |slot: u32| lines.free[slot as usize / 64] >> (slot % 64) & 1 != 0;
    let slot = boards.slot(Node { u: left, v: node.v });
    let next = slot + lines.stride;
    let is_allowed = [slot, slot + 1, next, next + 1].into_iter().all(is_free);
    let mut edit = DiagonalEdit::of::<RISING>(boards, recheck);
    let place = edit.place::<RISING>(node);
    let word = edit.diagonals.words[place.index];
    if (word.open & place.bit() != 0) == is_allowed {
        return;
    }
    let open = word.open ^ place.bit();
    edit.diagonals
        .words
        .set(place.index, DiagonalWord { open, ..word });
    if edit.diagonals.update_index.counts[place.diagonal as usize] == 0 {
        return;
    }
    edit.recheck_among::<RISING>(place, place.bit());
    edit.recheck_back_unless_branch::<RISING, true>(place);
    let end = edit.at(place.diagonal, place.v + 1);
    edit.recheck_among::<RISING>(end, end.bit());
    edit.recheck_back_unless_branch::<RISING, false>(end);
}

/// Writes whether walls end at a node, and looks at it again if they do.
pub(super) fn update_jump_point(boards: &mut Boards, recheck: &mut NodeSet, node: Node) {
    let at = |axis: usize, bit: u32| {
        let mut both = boards.lines[axis].words.iter();
        both.any(|words| words[bit as usize / 64].jump_points() >> (bit % 64) & 1 != 0)
    };
    let is_one = at(0, boards.line_bit::<0>(node)) || at(1, boards.line_bit::<1>(node));
    DiagonalEdit::of::<true>(boards, recheck).write_jump_point::<true>(node, is_one);
    let mut falling = DiagonalEdit::of::<false>(boards, recheck);
    falling.write_jump_point::<false>(node, is_one);
    if is_one {
        falling.recheck(node);
    }
}

impl<'a> DiagonalEdit<'a> {
    fn of<const RISING: bool>(boards: &'a mut Boards, recheck: &'a mut NodeSet) -> Self {
        Self {
            v_side: boards.v_side,
            slot_stride: boards.lines[0].stride,
            diagonals: &mut boards.diagonals[usize::from(!RISING)],
            recheck,
        }
    }

    #[inline(always)]
    fn place<const RISING: bool>(&self, node: Node) -> Place {
        let diagonal = if RISING {
            node.u + self.v_side - node.v
        } else {
            node.u + node.v + 1
        };
        self.at(diagonal, node.v)
    }

    #[inline(always)]
    fn at(&self, diagonal: u32, v: u32) -> Place {
        let index = (v / 64 * self.diagonals.stride + diagonal) as usize;
        Place { diagonal, index, v }
    }

    fn is_jump_point(&self, place: Place) -> bool {
        self.diagonals.update_index.jump_points[place.index] & place.bit() != 0
    }

    fn write_jump_point<const RISING: bool>(&mut self, node: Node, is_one: bool) {
        let place = self.place::<RISING>(node);
        if self.is_jump_point(place) != is_one {
            let UpdateIndex {
                jump_points,
                counts,
            } = &mut self.diagonals.update_index;
            jump_points.set(place.index, jump_points[place.index] ^ place.bit());
            let diagonal = place.diagonal as usize;
            let count = counts[diagonal] + u32::from(is_one) - u32::from(!is_one);
            counts.set(diagonal, count);
        }
    }

    fn recheck(&mut self, node: Node) {
        let slot = (node.v + 1) * self.slot_stride + node.u;
        self.recheck.insert(slot, node);
    }

    /// Flips a branch along an axis of diagonal walks toward higher bits, `UP`, or lower ones.
    #[inline(always)]
    fn flip_branch<const RISING: bool, const AXIS: usize, const UP: bool>(&mut self, place: Place) {
        let mut word = self.diagonals.words[place.index];
        let branches = if UP {
            &mut word.branches_up
        } else {
            &mut word.branches_down
        };
        branches[AXIS] ^= place.bit();
        let branches_anyway = branches[1 - AXIS] & place.bit() != 0;
        self.diagonals.words.set(place.index, word);
        if !branches_anyway && self.diagonals.update_index.counts[place.diagonal as usize] != 0 {
            self.recheck_back_from::<RISING, UP>(place);
        }
    }

    /// Looks again at jump points back from a cell that comes by something else. If the cell is a branch,
    /// nothing before it notices.
    fn recheck_back_unless_branch<const RISING: bool, const UP: bool>(&mut self, place: Place) {
        if self.diagonals.words[place.index].branches::<UP>() & place.bit() == 0 {
            self.recheck_back_from::<RISING, UP>(place);
        }
    }

    /// Looks again at all jump points from which walks come to a place without a branch before it.
    fn recheck_back_from<const RISING: bool, const UP: bool>(&mut self, mut place: Place) {
        let mut step_in = 0;
        // The cells from which a walk may come, in the word at hand.
        let mut cells = if UP {
            place.bit() - 1
        } else {
            !((place.bit() - 1) | place.bit())
        };
        loop {
            let Some(&word) = self.diagonals.words.get(place.index) else {
                return;
            };
            let branches = word.branches::<UP>() & cells;
            let (closed, reached);
            if UP {
                closed = !word.open & cells;
                let after_closed = 64 - closed.leading_zeros();
                let first = after_closed.max(63u32.saturating_sub(branches.leading_zeros()));
                reached = u64::MAX.checked_shl(first).unwrap_or(0);
            } else {
                closed = !(word.open << 1 | step_in) & cells;
                let after_branch = branches.trailing_zeros() + 1;
                let end = closed.trailing_zeros().min(after_branch);
                reached = !u64::MAX.checked_shl(end).unwrap_or(0);
                step_in = word.open >> 63;
            }
            self.recheck_among::<RISING>(place, cells & reached);
            if closed | branches != 0 {
                return;
            }
            let stride = self.diagonals.stride as usize;
            (place.index, place.v) = if UP {
                (place.index.wrapping_sub(stride), place.v.wrapping_sub(64))
            } else {
                (place.index + stride, place.v + 64)
            };
            cells = u64::MAX;
        }
    }

    /// Looks again at the jump points among some cells of the word of a place.
    #[inline(always)]
    fn recheck_among<const RISING: bool>(&mut self, place: Place, cells: u64) {
        let mut hits = self.diagonals.update_index.jump_points[place.index] & cells;
        while hits != 0 {
            let v = place.v / 64 * 64 + hits.trailing_zeros();
            hits &= hits - 1;
            let u = if RISING {
                place.diagonal + v - self.v_side
            } else {
                place.diagonal - 1 - v
            };
            self.recheck(Node { u, v });
        }
    }
}
