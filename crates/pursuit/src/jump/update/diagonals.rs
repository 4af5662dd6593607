//! Diagonal walks after an edit, and the jump points to recheck because of them.
//!
//! Whether a jump point is dominated depends on whether the diagonal walks from it reach a branch. If a branch
//! flips, this can change only for the cells from which a walk comes to that branch and to no other before:
//!
//! ```text
//! bit               0 1 2 3 4 5 6 7 8      walks up
//! open              . 1 1 1 1 1 1 1 .      no step leads from 0 to 1
//! branches          . . 1 . . . x . .      the branch at 6 flips
//! come to 6 first   . . 1 1 1 1 . . .      a walk from 1 comes to 2 first; one from 2 has 2 behind it
//! jump points       1 1 . 1 . . . 1 .
//! recheck           . . . 1 . . . . .
//! ```
//!
//! If the step from 6 to 7 flips, the same cells are affected, and 6 itself. If 6 is a branch, only 6 is.

use super::scratch::NodeSet;
use crate::bits::{is_set, ones};
use crate::jump::boards::JumpPointBoards;
use crate::jump::diagonal::{DiagonalLines, DiagonalWord, UpdateIndex};
use crate::jump::node::Node;

/// The diagonals of one kind while they are updated, and the jump points to recheck.
struct DiagonalUpdate<'a> {
    diagonals: &'a mut DiagonalLines,
    recheck: &'a mut NodeSet,
    v_side: u32,
    slot_stride: u32,
}

/// Where the bit of a node is on a diagonal.
#[derive(Clone, Copy)]
struct DiagonalBit {
    /// The number of the diagonal.
    diagonal: u32,
    /// The index in [`DiagonalLines::words`].
    index: usize,
    v: u32,
}

impl DiagonalBit {
    /// The bit in its word.
    fn mask(self) -> u64 {
        1 << (self.v % 64)
    }
}

/// Flips whether the straight walk from a node along an axis, up, `UP`, or down, reaches a jump point: so it flips
/// a branch on the rising and on the falling diagonal of the node.
#[inline]
pub(super) fn flip_branch<const AXIS: usize, const UP: bool>(
    boards: &mut JumpPointBoards,
    recheck: &mut NodeSet,
    node: Node,
) {
    let mut rising = DiagonalUpdate::of::<true>(boards, recheck);
    let at = rising.find::<true>(node);
    if rising.is_jump_point(at) {
        rising.recheck(node);
    }
    rising.flip_branch::<true, AXIS, UP>(at);
    let mut falling = DiagonalUpdate::of::<false>(boards, recheck);
    let at = falling.find::<false>(node);
    // Diagonals have bits by v. On a falling one, u grows on the way down.
    if AXIS == 0 && UP || AXIS == 1 && !UP {
        falling.flip_branch::<false, AXIS, false>(at)
    } else {
        falling.flip_branch::<false, AXIS, true>(at)
    }
}

/// Updates all diagonal steps that depend on whether a node is free: four rising and four falling ones.
pub(super) fn update_open_steps(boards: &mut JumpPointBoards, recheck: &mut NodeSet, node: Node) {
    let (u, v) = (node.u, node.v);
    for v in v.saturating_sub(1)..=v {
        for u in u.saturating_sub(1)..=u {
            update_open_step::<true>(boards, recheck, Node { u, v });
            update_open_step::<false>(boards, recheck, Node { u: u + 1, v });
        }
    }
}

/// Writes whether the step from a node to the next bit is open. If it flips, rechecks the jump points from which
/// walks come to that step.
fn update_open_step<const RISING: bool>(
    boards: &mut JumpPointBoards,
    recheck: &mut NodeSet,
    node: Node,
) {
    let left = if RISING { node.u } else { node.u - 1 };
    if left + 1 >= boards.u_side || node.v + 1 >= boards.v_side {
        return;
    }
    let lines = &boards.lines[0];
    let is_free = |slot: u32| is_set(&lines.free, slot);
    let slot = boards.slot(Node { u: left, v: node.v });
    let next = slot + lines.stride;
    let is_allowed = [slot, slot + 1, next, next + 1].into_iter().all(is_free);
    let mut update = DiagonalUpdate::of::<RISING>(boards, recheck);
    let at = update.find::<RISING>(node);
    let word = update.diagonals.words[at.index];
    if (word.open & at.mask() != 0) == is_allowed {
        return;
    }
    let open = word.open ^ at.mask();
    let words = &mut update.diagonals.words;
    words.set(at.index, DiagonalWord { open, ..word });
    if update.diagonals.update_index.counts[at.diagonal as usize] == 0 {
        return;
    }
    update.recheck_among::<RISING>(at, at.mask());
    update.recheck_back_unless_branch::<RISING, true>(at);
    let end = update.diagonal_bit(at.diagonal, at.v + 1);
    update.recheck_among::<RISING>(end, end.mask());
    update.recheck_back_unless_branch::<RISING, false>(end)
}

/// Writes whether a node is a jump point, and rechecks it if it is one.
pub(super) fn update_jump_point(boards: &mut JumpPointBoards, recheck: &mut NodeSet, node: Node) {
    let at = |axis: usize, bit: u32| {
        let mut both = boards.lines[axis].words.iter();
        both.any(|words| words[bit as usize / 64].jump_points() >> (bit % 64) & 1 != 0)
    };
    let is_one = at(0, boards.line_bit::<0>(node)) || at(1, boards.line_bit::<1>(node));
    DiagonalUpdate::of::<true>(boards, recheck).write_jump_point::<true>(node, is_one);
    let mut falling = DiagonalUpdate::of::<false>(boards, recheck);
    falling.write_jump_point::<false>(node, is_one);
    if is_one {
        falling.recheck(node);
    }
}

impl<'a> DiagonalUpdate<'a> {
    fn of<const RISING: bool>(boards: &'a mut JumpPointBoards, recheck: &'a mut NodeSet) -> Self {
        Self {
            v_side: boards.v_side,
            slot_stride: boards.lines[0].stride,
            diagonals: &mut boards.diagonals[usize::from(!RISING)],
            recheck,
        }
    }

    #[inline(always)]
    fn find<const RISING: bool>(&self, node: Node) -> DiagonalBit {
        self.diagonal_bit(node.diagonal::<RISING>(self.v_side), node.v)
    }

    #[inline(always)]
    fn diagonal_bit(&self, diagonal: u32, v: u32) -> DiagonalBit {
        let index = (v / 64 * self.diagonals.stride + diagonal) as usize;
        DiagonalBit { diagonal, index, v }
    }

    fn is_jump_point(&self, at: DiagonalBit) -> bool {
        self.diagonals.update_index.jump_points[at.index] & at.mask() != 0
    }

    fn write_jump_point<const RISING: bool>(&mut self, node: Node, is_one: bool) {
        let at = self.find::<RISING>(node);
        if self.is_jump_point(at) != is_one {
            let UpdateIndex {
                jump_points,
                counts,
            } = &mut self.diagonals.update_index;
            jump_points.set(at.index, jump_points[at.index] ^ at.mask());
            let diagonal = at.diagonal as usize;
            let count = counts[diagonal] + u32::from(is_one) - u32::from(!is_one);
            counts.set(diagonal, count);
        }
    }

    /// Notes a node for a recheck.
    fn recheck(&mut self, node: Node) {
        let slot = (node.v + 1) * self.slot_stride + node.u;
        self.recheck.insert(slot, node);
    }

    /// Flips a branch along an axis, of diagonal walks up, `UP`, or down.
    #[inline(always)]
    fn flip_branch<const RISING: bool, const AXIS: usize, const UP: bool>(
        &mut self,
        at: DiagonalBit,
    ) {
        let mut word = self.diagonals.words[at.index];
        let branches = if UP {
            &mut word.branches_up
        } else {
            &mut word.branches_down
        };
        branches[AXIS] ^= at.mask();
        let is_branch_anyway = branches[1 - AXIS] & at.mask() != 0;
        self.diagonals.words.set(at.index, word);
        if !is_branch_anyway && self.diagonals.update_index.counts[at.diagonal as usize] != 0 {
            self.recheck_back_from::<RISING, UP>(at);
        }
    }

    /// Rechecks back from a cell from which walks reach something else now. If the cell is a branch itself, walks
    /// that come to it reach a branch in any case.
    fn recheck_back_unless_branch<const RISING: bool, const UP: bool>(&mut self, at: DiagonalBit) {
        if self.diagonals.words[at.index].branches::<UP>() & at.mask() == 0 {
            self.recheck_back_from::<RISING, UP>(at);
        }
    }

    /// Rechecks all jump points from which walks up, `UP`, or down, come to a cell, and to no branch before it.
    fn recheck_back_from<const RISING: bool, const UP: bool>(&mut self, mut at: DiagonalBit) {
        let mut step_in = 0;
        // The cells of the current word that lie before that cell.
        let mut cells = if UP {
            at.mask() - 1
        } else {
            !((at.mask() - 1) | at.mask())
        };
        loop {
            let Some(&word) = self.diagonals.words.get(at.index) else {
                return;
            };
            let branches = word.branches::<UP>() & cells;
            let (closed, reached);
            if UP {
                // The bit above the highest closed step, or the highest branch: the first from which walks come.
                closed = !word.open & cells;
                let after_closed = 64 - closed.leading_zeros();
                let first = after_closed.max(63u32.saturating_sub(branches.leading_zeros()));
                reached = u64::MAX.checked_shl(first).unwrap_or(0);
            } else {
                // The lowest cell with a closed step down, or the bit above the lowest branch: the first from
                // which no walk comes.
                closed = !(word.open << 1 | step_in) & cells;
                let after_branch = branches.trailing_zeros() + 1;
                let end = closed.trailing_zeros().min(after_branch);
                reached = !u64::MAX.checked_shl(end).unwrap_or(0);
                step_in = word.open >> 63;
            }
            let among = cells & reached;
            if self.diagonals.update_index.jump_points[at.index] & among != 0 {
                self.recheck_among::<RISING>(at, among);
            }
            if closed | branches != 0 {
                return;
            }
            let stride = self.diagonals.stride as usize;
            (at.index, at.v) = if UP {
                (at.index.wrapping_sub(stride), at.v.wrapping_sub(64))
            } else {
                (at.index + stride, at.v + 64)
            };
            cells = u64::MAX;
        }
    }

    /// Rechecks the jump points among some cells of a word.
    #[inline(always)]
    fn recheck_among<const RISING: bool>(&mut self, at: DiagonalBit, cells: u64) {
        for bit in ones(self.diagonals.update_index.jump_points[at.index] & cells) {
            let v = at.v / 64 * 64 + bit;
            let u = if RISING {
                at.diagonal + v - self.v_side
            } else {
                at.diagonal - 1 - v
            };
            self.recheck(Node { u, v });
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::jump::journal::Journaled;
    use crate::jump::pictures::bits;
    use crate::jump::update::UpdateScratch;

    const STRIDE: u32 = 300;

    /// The words of one rising diagonal of a grid of 192 lines, number 192: there u is v.
    fn diagonals(words: &[DiagonalWord], jump_points: &[u64]) -> DiagonalLines {
        let mut all = vec![DiagonalWord::default(); 3 * STRIDE as usize];
        let mut all_jump_points = vec![0; all.len()];
        for (w, (word, jump_points)) in words.iter().zip(jump_points).enumerate() {
            all[w * STRIDE as usize + 192] = *word;
            all_jump_points[w * STRIDE as usize + 192] = *jump_points;
        }
        DiagonalLines {
            stride: STRIDE,
            words: Journaled::new(all.into()),
            update_index: UpdateIndex {
                jump_points: Journaled::new(all_jump_points.into()),
                counts: Journaled::default(),
            },
        }
    }

    /// The cells on the diagonal, by `v`, that are noted when walks to one of them are rechecked.
    fn rechecked<const UP: bool>(diagonals: &mut DiagonalLines, v: u32) -> Vec<u32> {
        let mut scratch = UpdateScratch::default();
        scratch.start(300 * 256);
        let mut update = DiagonalUpdate {
            diagonals,
            recheck: &mut scratch.recheck,
            v_side: 192,
            slot_stride: 256,
        };
        let at = update.find::<true>(Node { u: v, v });
        update.recheck_back_from::<true, UP>(at);
        let nodes = scratch.recheck.nodes().iter();
        let mut noted: Vec<_> = nodes
            .map(|(_, node)| {
                assert_eq!(node.u, node.v, "it is on the diagonal");
                node.v
            })
            .collect();
        noted.sort_unstable();
        noted
    }

    #[test]
    fn the_picture_of_a_recheck_matches_the_code() {
        let word = DiagonalWord {
            open: bits(". 1 1 1 1 1 1 1 ."),
            branches_up: [bits(". . 1 . . . . . ."), 0],
            branches_down: [0; 2],
        };
        let recheck = |jump_points| rechecked::<true>(&mut diagonals(&[word], &[jump_points]), 6);
        assert_eq!(recheck(bits("1 1 . 1 . . . 1 .")), [3]);
        assert_eq!(recheck(u64::MAX), [2, 3, 4, 5], "which come to 6 first");
    }

    /// A word in which most bits are set, and one in which few are.
    fn mostly() -> impl Strategy<Value = u64> {
        prop_oneof![
            2 => Just(u64::MAX),
            3 => (any::<u64>(), any::<u64>(), any::<u64>()).prop_map(|(a, b, c)| a | b | c | a >> 7),
        ]
    }

    proptest! {
        #[test]
        fn rechecks_go_back_as_far_as_a_walk_cell_by_cell(
            open in prop::array::uniform3(mostly()),
            branches in prop::array::uniform4(prop::array::uniform3(mostly())),
            jump_points in prop::array::uniform3(any::<u64>()), v in 0u32..192,
        ) {
            let words: Vec<_> = (0..3)
                .map(|w| DiagonalWord {
                    // The last step leads out of the grid.
                    open: if w == 2 { open[w] & !(1 << 63) } else { open[w] },
                    branches_up: [!branches[0][w], !branches[1][w]],
                    branches_down: [!branches[2][w], !branches[3][w]],
                })
                .collect();
            let is_set = |pick: &dyn Fn(&DiagonalWord) -> u64, v: u32| {
                pick(&words[v as usize / 64]) >> (v % 64) & 1 != 0
            };
            let is_jump_point = |v: &u32| jump_points[*v as usize / 64] >> (v % 64) & 1 != 0;
            let is_open = |v: u32| is_set(&|word| word.open, v);
            let mut diagonals = diagonals(&words, &jump_points);

            // Back from v as long as steps are open, up to the first branch, which counts.
            let (mut up, mut at) = (Vec::new(), v);
            while at > 0 && is_open(at - 1) {
                at -= 1;
                up.push(at);
                if is_set(&|word| word.branches::<true>(), at) {
                    break;
                }
            }
            up.reverse();
            up.retain(is_jump_point);
            prop_assert_eq!(rechecked::<true>(&mut diagonals, v), up);

            let (mut down, mut at) = (Vec::new(), v);
            while at < 191 && is_open(at) {
                at += 1;
                down.push(at);
                if is_set(&|word| word.branches::<false>(), at) {
                    break;
                }
            }
            down.retain(is_jump_point);
            prop_assert_eq!(rechecked::<false>(&mut diagonals, v), down);
        }
    }
}
