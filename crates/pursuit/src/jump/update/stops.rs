//! Which jump points are dominated after an edit: the recheck.
//!
//! ```text
//! line 3            # # # . . . x . .      a wall comes at x
//! line 2            # # # . . . . B .      B becomes a jump point of walks along line 2
//! line 1            . . . J . . . . .
//! line 0            . . . . . . . . .
//!
//! line 1, walks up       before                 after
//!   forced, next         . . . 1 . . . . .      . . . 1 . . . . .
//!   stops                . . . . . . . . .      . . . 1 . . . . .      J is not dominated any more
//!
//! the rising diagonal of J, from line 0 up
//!   open                 1 1 1 .                1 1 1 .
//!   branches_up[0]       . . . .                . . 1 .                J reaches the branch on line 2
//! ```

use std::hint::black_box;

use crate::jump::boards::JumpPointBoards;
use crate::jump::diagonal::DiagonalLines;
use crate::jump::node::Node;
use crate::jump::straight::LineWord;
use crate::jump::walks::{WHOLE_WORD, beyond, reach};

/// Number of nodes whose words are read together, before the first of them is checked again.
const NODES_PER_BATCH: usize = 16;

/// Rechecks some nodes.
pub(super) fn update_stops(boards: &mut JumpPointBoards, nodes: &[(u32, Node)]) {
    for nodes in nodes.chunks(NODES_PER_BATCH) {
        // The nodes lie far apart. So their words come from memory at once, and not one after the other.
        let words = nodes.iter().map(|(_, node)| words_at(boards, *node));
        black_box(words.fold(0, |all, words| all ^ words));
        for (_, node) in nodes {
            update_stop(boards, *node);
        }
    }
}

/// A number made of all words of lines at a node. Whoever asks for it has to read them.
fn words_at(boards: &JumpPointBoards, node: Node) -> u64 {
    let at = |axis: usize, bit: u32| {
        let both = boards.lines[axis].words.iter();
        let words = both.filter_map(|words| words.get(bit as usize / 64));
        words.fold(0, |all, word| all ^ word.stops)
    };
    at(0, boards.line_bit::<0>(node)) ^ at(1, boards.line_bit::<1>(node))
}

/// Rechecks a node: writes whether straight walks stop there, along both axes, up and down.
fn update_stop(boards: &mut JumpPointBoards, node: Node) {
    for ahead in 0..2 {
        update_stop_along::<0>(boards, node, ahead);
        update_stop_along::<1>(boards, node, ahead);
    }
}

/// Writes whether walks along an axis stop at a jump point. `ahead` and `side` are directions: 0 if the coordinate
/// grows, 1 if it falls.
fn update_stop_along<const AXIS: usize>(boards: &mut JumpPointBoards, node: Node, ahead: usize) {
    let at = boards.line_bit::<AXIS>(node);
    let (index, bit) = (at as usize / 64, at % 64);
    let Some(&word) = boards.lines[AXIS].words[ahead].get(index) else {
        return;
    };
    let is_forced = |side: usize| word.forced_neighbors[side] >> bit & 1 != 0;
    let stops_at = |side: usize| {
        is_forced(side) && {
            let (along_u, along_v) = if AXIS == 0 {
                (ahead, side)
            } else {
                (side, ahead)
            };
            reaches_jump_point(boards, node, 1 - AXIS, side)
                || reaches_branch(boards, node, along_u, along_v)
        }
    };
    if !is_forced(0) && !is_forced(1) {
        return;
    }
    let is_stop = stops_at(0) || stops_at(1);
    let stops = word.stops & !(1 << bit) | u64::from(is_stop) << bit;
    boards.lines[AXIS].words[ahead].set(index, LineWord { stops, ..word });
}

/// Whether a straight walk from a node reaches a jump point.
fn reaches_jump_point(boards: &JumpPointBoards, node: Node, axis: usize, direction: usize) -> bool {
    let (_, index) = boards.diagonal_word::<true>(node);
    let word = boards.diagonals[0].words.get(index as usize);
    let word = word.copied().unwrap_or_default();
    let branches = [word.branches_up, word.branches_down][direction][axis];
    branches >> (node.v % 64) & 1 != 0
}

/// Whether a diagonal walk from a node reaches a branch.
fn reaches_branch(boards: &JumpPointBoards, node: Node, along_u: usize, along_v: usize) -> bool {
    let (_, index) = if along_u == along_v {
        boards.diagonal_word::<true>(node)
    } else {
        boards.diagonal_word::<false>(node)
    };
    let diagonals = &boards.diagonals[along_u ^ along_v];
    if along_v == 0 {
        reaches_branch_from::<true>(diagonals, index as usize, node.v % 64)
    } else {
        reaches_branch_from::<false>(diagonals, index as usize, node.v % 64)
    }
}

/// Whether the walk from a bit of a word reaches a branch.
fn reaches_branch_from<const UP: bool>(
    diagonals: &DiagonalLines,
    mut index: usize,
    bit: u32,
) -> bool {
    let (stride, mut bits) = (diagonals.stride as usize, beyond::<UP>(bit));
    while let Some(&word) = diagonals.words.get(index) {
        let reach = reach::<UP>(word, bits);
        if reach.branches != [0; 2] || !reach.goes_on {
            return reach.branches != [0; 2];
        }
        index = if UP {
            index + stride
        } else {
            index.wrapping_sub(stride)
        };
        bits = WHOLE_WORD;
    }
    false
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cancel::uncancelled;
    use crate::cell::{Cell, CellRect};
    use crate::jump::diagonal::DiagonalWord;
    use crate::jump::naive::{Naive, any_grid, cells, node};
    use crate::jump::pictures::{self, bits, picture};
    use crate::jump::update::UpdateScratch;

    #[test]
    fn the_picture_of_a_recheck_matches_the_code() {
        let before = [
            "# # # . . . . . .",
            "# # # . . . . . .",
            ". . . . . . . . .",
            ". . . . . . . . .",
        ];
        let mut after = before;
        after[0] = "# # # . . . # . .";
        // Of line 1, walks up: forced neighbors on the next line, and stops; of the diagonal of J, open
        // steps and branches.
        let words = |boards: &JumpPointBoards| {
            let slot = boards.slot(Node { u: 3, v: 1 });
            let line = boards.lines[0].words[0][slot as usize / 64];
            let (_, index) = boards.diagonal_word::<true>(Node { u: 3, v: 1 });
            let diagonal = boards.diagonals[0].words[index as usize];
            let line = [line.forced_neighbors[0], line.stops].map(|word| picture(word, 9));
            (
                line,
                [diagonal.open, diagonal.branches_up[0]].map(|word| picture(word, 4)),
            )
        };
        let mut boards = pictures::boards(&before);
        let (forced, none) = (". . . 1 . . . . .", ". . . . . . . . .");
        let (line, diagonal) = words(&boards);
        assert_eq!(line, [forced, none]);
        assert_eq!(diagonal, ["1 1 1 .", ". . . ."]);
        let x = Cell::new(6, 3);
        let rect = CellRect::new(x, x.offset(1, 1));
        uncancelled(|cancel| {
            boards.update(
                pictures::grid(&after).walls().words(),
                [rect],
                &mut UpdateScratch::default(),
                cancel,
            )
        });
        let (line, diagonal) = words(&boards);
        assert_eq!(line, [forced, forced]);
        assert_eq!(diagonal, ["1 1 1 .", ". . 1 ."]);
        assert!(boards.is_jump_point(Cell::new(7, 2)), "B");
    }

    #[test]
    fn the_pictures_of_reaching_a_branch_match_the_code() {
        let diagonal = |open: &str, up: &str, down: &str| {
            pictures::diagonal(DiagonalWord {
                open: bits(open),
                branches_up: [bits(up), 0],
                branches_down: [bits(down), 0],
            })
        };
        let none = ". . . . . . .";
        let up = |branches: &str| {
            reaches_branch_from::<true>(&diagonal("1 1 1 1 . 1 1", branches, none), 0, 1)
        };
        assert!(up(". 1 . . 1 . 1"));
        assert!(
            !up(". 1 . . . . 1"),
            "neither where it begins nor past the step"
        );
        let down = |branches: &str| {
            reaches_branch_from::<false>(&diagonal("1 . 1 1 1 1 1", none, branches), 0, 5)
        };
        assert!(down(". 1 1 . . 1 ."));
        assert!(
            !down(". 1 . . . 1 ."),
            "neither where it begins nor past the step"
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(crate::search::oracle::cases(80)))]

        #[test]
        fn walks_agree_with_walks_cell_by_cell(grid in any_grid()) {
            let boards = JumpPointBoards::new(&grid);
            let naive = Naive::of(&boards, &grid);
            for at in cells(&boards).filter(|&at| naive.is_free(at)) {
                for (along_u, along_v) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    let by = [1, -1];
                    let found = reaches_branch(&boards, node(at), along_u, along_v);
                    let expected = naive.reaches_branch(at, (by[along_u], by[along_v]));
                    prop_assert_eq!(found, expected, "{} by {} {}", at, along_u, along_v);
                }
                for direction in 0..2 {
                    let by = [1, -1][direction];
                    let found = [0, 1].map(|axis| reaches_jump_point(&boards, node(at), axis, direction));
                    let expected = [(by, 0), (0, by)].map(|by| naive.reaches_jump_point(at, by));
                    prop_assert_eq!(found, expected, "{} by {}", at, by);
                }
            }
        }

        #[test]
        fn a_recheck_restores_the_stops_of_a_build(grid in any_grid(), all_stop: bool) {
            let expected = JumpPointBoards::new(&grid);
            let mut boards = expected.clone();
            for lines in &mut boards.lines {
                for words in &mut lines.words {
                    for index in 0..words.len() {
                        let word = words[index];
                        let jump_points = word.jump_points();
                        let stops = if all_stop { word.stops | jump_points } else { word.stops & !jump_points };
                        words.set(index, LineWord { stops, ..word });
                    }
                }
            }
            let nodes: Vec<_> = cells(&boards).map(node).map(|node| (boards.slot(node), node)).collect();
            update_stops(&mut boards, &nodes);
            for (lines, expected) in boards.lines.iter().zip(&expected.lines) {
                for (words, expected) in lines.words.iter().zip(&expected.words) {
                    prop_assert_eq!(&**words, &**expected);
                }
            }
        }
    }
}
