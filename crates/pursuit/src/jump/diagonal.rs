//! The branches and closed steps that diagonal walks meet, 64 cells at a time.
//!
//! A diagonal walk never stops at a jump point itself. It *branches* where a straight walk would reach one
//! (intermediate pruning: Harabor and Grastien, 2014), and then goes on. It ends only where a step is closed.
//! A word of branches spares a search all cells from which a straight walk would reach nothing:
//!
//! ```text
//! . . . . 5 .       a rising diagonal, from the cell 1
//! . . . 4 . .
//! . . 3 . . J       from 3, a walk to the right reaches the jump point J,
//! . 2 . . # .
//! 1 . . . . J       and so does one from 1; the wall blocks the one from 2
//!
//! cells             1 2 3 4 5
//! branches_up[0]    1 . 1 . .
//! ```
//!
//! On a diagonal, the bit of a cell is its `v`. Lines of equal `u` become diagonals by a shear (see [`Shear`]).
//!
//! In memory, the first words of all diagonals come first: `v` from 0 to 63. The second words of all diagonals
//! follow: `v` from 64 to 127, and so on. So cells that are near on the map are near in memory, and a walk goes
//! from one word of its diagonal to the next by adding the number of diagonals.

use crate::bits::carry::carries;
use crate::bits::rows::BitRows;
use crate::bits::shear::Shear;
use crate::cancel::{Cancel, Cancelled};
use crate::jump::journal::{Journaled, Layer};

/// All diagonals of one kind, rising or falling. Cell (u, v) is on the rising diagonal number `u - v + v_side`
/// and on the falling diagonal number `u + v + 1`. No cell is on number 0.
#[derive(Clone, Debug)]
pub(crate) struct DiagonalLines {
    /// How far the next word of the same diagonal is: the number of diagonals.
    pub(crate) stride: u32,
    /// The last bit of a diagonal's last word lies outside of the grid. So no walk up goes on past that word.
    pub(crate) words: Journaled<DiagonalWord>,
    pub(crate) update_index: UpdateIndex,
}

/// Data that only updates need. Empty until the first update.
#[derive(Clone, Debug, Default)]
pub(crate) struct UpdateIndex {
    /// The jump points of straight walks along both axes, up and down. Words in the order of
    /// [`DiagonalLines::words`].
    pub(crate) jump_points: Journaled<u64>,
    /// How many jump points there are on each diagonal.
    pub(crate) counts: Journaled<u32>,
}

/// 64 cells of a diagonal. Bits grow with `v`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct DiagonalWord {
    /// Cells from which the step to the next bit is allowed. The same bit says whether the step back is allowed.
    pub(crate) open: u64,
    /// The branches of walks up. `[0]`: the straight walk along `u`, in the direction in which the diagonal
    /// walk moves `u`, reaches a jump point. `[1]`: the same along `v`.
    pub(crate) branches_up: [u64; 2],
    /// The branches of walks down.
    pub(crate) branches_down: [u64; 2],
}

impl DiagonalWord {
    /// The branches of walks up, `UP`, or down, along either axis.
    #[inline(always)]
    pub(crate) fn branches<const UP: bool>(self) -> u64 {
        let [along_u, along_v] = self.branches_by_axis::<UP>();
        along_u | along_v
    }

    /// The branches of walks up, or down, along `u` and along `v`.
    #[inline(always)]
    pub(crate) fn branches_by_axis<const UP: bool>(self) -> [u64; 2] {
        if UP {
            self.branches_up
        } else {
            self.branches_down
        }
    }
}

/// The fields of [`DiagonalWord`], as lines of equal `u` with bits by `v`. [`DiagonalLines::new`] shears them.
pub(crate) struct DiagonalSources<'a> {
    pub(crate) open: &'a BitRows,
    pub(crate) branches_up: [&'a BitRows; 2],
    pub(crate) branches_down: [&'a BitRows; 2],
}

/// From which cells the diagonal step to the next bit is allowed. `by_v` are the free cells as lines of equal
/// `u`, and the result has the same form. A step is allowed if four cells are free, here those with a 1:
///
/// ```text
///            rising: to (u + 1, v + 1)       falling: to (u - 1, v + 1)
/// v + 1      1  1                            1  1
/// v          1  1                            1  1
///            u  u + 1                    u - 1  u
/// ```
pub(crate) fn open_steps(by_v: &BitRows, rising: bool) -> BitRows {
    let n = by_v.row_words;
    let at = |i: usize| by_v.words.get(i).copied().unwrap_or(0);
    // Whether a cell is free and the one at the next bit of its line is, too.
    let pair = |i: usize| at(i) & (at(i) >> 1 | at(i.wrapping_add(1)) << 63);
    let words = (0..by_v.words.len())
        .map(|i| {
            let beside = if rising { i + n } else { i.wrapping_sub(n) };
            pair(i) & pair(beside)
        })
        .collect();
    BitRows {
        row_words: n,
        words,
    }
}

/// Number of diagonals of one kind.
fn diagonal_count(by_v: &BitRows, v_side: u32) -> usize {
    by_v.words.len() / by_v.row_words + v_side as usize
}

/// Calls `put(word, bits)` for word `w` of every diagonal. `bits` are those of the lines of equal `u` in `by_v`,
/// turned by 45 degrees ([`Shear`]).
#[inline(always)]
fn fill_words<T>(
    shear: &mut Shear,
    by_v: &BitRows,
    (w, rising, v_side): (usize, bool, u32),
    words: &mut [T],
    put: impl Fn(&mut T, u64),
) {
    let (end, side) = ((w + 1) * 64, v_side as usize);
    let (first, skipped) = if rising {
        (side.saturating_sub(end), end.saturating_sub(side))
    } else {
        (end - 64, 0)
    };
    let count = diagonal_count(by_v, v_side);
    let words = words.get_mut(w * count + first..(w + 1) * count);
    let diagonals = shear.diagonals(by_v.column(w), rising);
    let diagonals = diagonals.get(skipped..).unwrap_or_default();
    for (word, &bits) in words.unwrap_or_default().iter_mut().zip(diagonals) {
        put(word, bits);
    }
}

impl DiagonalLines {
    /// The diagonals whose words `sources` tell line by line.
    pub(crate) fn new(
        rising: bool,
        v_side: u32,
        sources: &DiagonalSources<'_>,
        cancel: Cancel<'_>,
    ) -> Result<Self, Cancelled> {
        let (n, count) = (sources.open.row_words, diagonal_count(sources.open, v_side));
        let mut words = vec![DiagonalWord::default(); count * n];
        let mut shear = Shear::default();
        let [up, down] = [sources.branches_up, sources.branches_down];
        for w in 0..n {
            cancel.check()?;
            let mut put = |source, set: fn(&mut DiagonalWord, u64)| {
                let which = (w, rising, v_side);
                fill_words(&mut shear, source, which, &mut words, set)
            };
            put(sources.open, |word, bits| word.open = bits);
            put(up[0], |word, bits| word.branches_up[0] = bits);
            put(up[1], |word, bits| word.branches_up[1] = bits);
            put(down[0], |word, bits| word.branches_down[0] = bits);
            put(down[1], |word, bits| word.branches_down[1] = bits);
        }
        Ok(Self {
            stride: count as u32,
            words: Journaled::new(words.into()),
            update_index: UpdateIndex::default(),
        })
    }

    /// Computes the data that only updates need. `jump_points` are lines of equal `u`, bits by `v`.
    pub(crate) fn fill_update_index(&mut self, rising: bool, v_side: u32, jump_points: &BitRows) {
        let mut words = vec![0; self.words.len()];
        let mut counts = vec![0; self.stride as usize];
        let mut shear = Shear::default();
        for w in 0..jump_points.row_words {
            let which = (w, rising, v_side);
            let put = |word: &mut u64, bits| *word = bits;
            fill_words(&mut shear, jump_points, which, &mut words, put);
        }
        for words in words.chunks(counts.len()) {
            for (count, word) in counts.iter_mut().zip(words) {
                *count += word.count_ones();
            }
        }
        let index = &mut self.update_index;
        index.counts = Journaled::new(counts.into());
        index.jump_points = Journaled::new(words.into());
        // A copy may have an index already, of other jump points. It has to copy all of this one.
        index.counts.note_all();
        index.jump_points.note_all();
    }

    /// The cells from which walks up, and walks down, reach a branch. Words in the order of the diagonals'.
    ///
    /// Follows all walks backward at once. In the terms of [`carries`], a branch makes a carry, and an open
    /// step hands it on to the cell before.
    ///
    /// ```text
    /// open              1 1 1 . 1 1 . .     where walks up may go on; there is no step from 3 to 4
    /// branches up       . . 1 . 1 . . .
    /// reach one, up     1 1 . . . . . .     the walk from 2 comes to 3, where nothing is
    /// branches down     . 1 . . . . . .
    /// reach one, down   . . 1 1 . . . .     no step leads from 4 down to 3
    /// ```
    pub(crate) fn reaching_branch(&self) -> [Vec<u64>; 2] {
        let count = self.stride as usize;
        let mut reaching = [vec![0; self.words.len()], vec![0; self.words.len()]];
        // For each diagonal, the carry out of the word above, which is already done.
        let mut carried = vec![0; count];
        let pairs = self.words.chunks(count).zip(reaching[0].chunks_mut(count));
        for (words, results) in pairs.rev() {
            for ((word, result), carry) in words.iter().zip(results).zip(&mut carried) {
                // Carries go up. They have to go back along walks up, so all bits are reversed.
                let branches = word.branches::<true>().reverse_bits();
                let open = word.open.reverse_bits();
                let (ahead, out) = carries(branches, open, *carry);
                *result = ahead.reverse_bits() & word.open;
                *carry = out;
            }
        }
        // For each diagonal, the carry out of the word below, and whether the step up from there is open.
        let mut carried = vec![(0, 0); count];
        let pairs = self.words.chunks(count).zip(reaching[1].chunks_mut(count));
        for (words, results) in pairs {
            let pairs = words.iter().zip(results);
            for ((word, result), (carry, step_in)) in pairs.zip(&mut carried) {
                // Whether the step down from each bit is open. That is noted at the bit below.
                let open = word.open << 1 | *step_in;
                let (ahead, out) = carries(word.branches::<false>(), open, *carry);
                *result = ahead & open;
                *carry = out;
                *step_in = word.open >> 63;
            }
        }
        reaching
    }

    /// All layers, for operations on each journal.
    pub(crate) fn layers(&mut self) -> [&mut dyn Layer; 3] {
        let UpdateIndex {
            jump_points,
            counts,
        } = &mut self.update_index;
        [&mut self.words, jump_points, counts]
    }

    /// Copies the entries that are listed in the journals of `newer`.
    pub(crate) fn catch_up(&mut self, newer: &Self) {
        self.words.catch_up(&newer.words);
        let (index, newer) = (&mut self.update_index, &newer.update_index);
        index.jump_points.catch_up(&newer.jump_points);
        index.counts.catch_up(&newer.counts)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::grid::Grid;
    use crate::jump::boards::JumpPointBoards;
    use crate::jump::naive::{Naive, any_grid, cells, node};
    use crate::jump::node::Node;
    use crate::jump::pictures;

    #[test]
    fn the_picture_of_open_steps_matches_the_code() {
        // Lines of equal u with bits by v: cells u and u + 1, or u - 1 and u.
        let pair = |rising: bool, [first, second]: [u64; 2]| {
            let by_v = BitRows {
                row_words: 1,
                words: vec![0, first, second, 0],
            };
            let open = open_steps(&by_v, rising);
            open.words
        };
        assert_eq!(
            pair(true, [0b11, 0b11]),
            [0, 1, 0, 0],
            "from u, which is first"
        );
        assert_eq!(
            pair(false, [0b11, 0b11]),
            [0, 0, 1, 0],
            "from u, which is second"
        );
        for walls in [[0b10, 0b11], [0b01, 0b11], [0b11, 0b10], [0b11, 0b01]] {
            assert_eq!(pair(true, walls), [0; 4]);
            assert_eq!(pair(false, walls), [0; 4]);
        }
    }

    #[test]
    fn the_picture_of_reaching_a_branch_matches_the_code() {
        let word = DiagonalWord {
            open: pictures::bits("1 1 1 . 1 1 . ."),
            branches_up: [pictures::bits(". . 1 . 1 . . ."), 0],
            branches_down: [0, pictures::bits(". 1 . . . . . .")],
        };
        let [up, down] = pictures::diagonal(word).reaching_branch();
        assert_eq!(pictures::picture(up[0], 8), "1 1 . . . . . .");
        assert_eq!(pictures::picture(down[0], 8), ". . 1 1 . . . .");
    }

    fn check<const RISING: bool>(
        boards: &mut JumpPointBoards,
        grid: &Grid,
    ) -> Result<(), TestCaseError> {
        boards.prepare_updates();
        let boards = &*boards;
        let naive = Naive::of(boards, grid);
        let diagonals = &boards.diagonals[usize::from(!RISING)];
        let reaching = diagonals.reaching_branch();
        let by_u = if RISING { 1 } else { -1 };
        let mut counts = vec![0; diagonals.stride as usize];
        for at in cells(boards) {
            let (number, index) = boards.diagonal_word::<RISING>(node(at));
            let (index, bit) = (index as usize, at.y % 64);
            let is_set = |word: u64| word >> bit & 1 != 0;
            let word = diagonals.words[index];
            prop_assert_eq!(
                is_set(word.open),
                naive.can_step(at, (by_u, 1)),
                "open at {}",
                at
            );
            let ways = [
                (word.branches_up, &reaching[0], 1),
                (word.branches_down, &reaching[1], -1),
            ];
            for (branches, reaching, by_v) in ways.into_iter().filter(|_| naive.is_free(at)) {
                let by = (by_u * by_v, by_v);
                let axes = [(by.0, 0), (0, by.1)].map(|ahead| naive.reaches_jump_point(at, ahead));
                prop_assert_eq!(branches.map(is_set), axes, "branches at {} by {:?}", at, by);
                let reaches = naive.reaches_branch(at, by);
                prop_assert_eq!(is_set(reaching[index]), reaches, "{} by {:?}", at, by);
            }
            let is_one = naive.is_any_jump_point(at);
            let jump_points = &diagonals.update_index.jump_points;
            prop_assert_eq!(is_set(jump_points[index]), is_one, "jump point at {}", at);
            counts[number as usize] += u32::from(is_one);
        }
        prop_assert_eq!(&*diagonals.update_index.counts, &counts);
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(crate::search::oracle::cases(30)))]

        #[test]
        fn words_of_diagonals_agree_with_a_check_of_each_cell(grid in any_grid()) {
            let mut boards = JumpPointBoards::new(&grid);
            check::<true>(&mut boards, &grid)?;
            check::<false>(&mut boards, &grid)?;
        }
    }

    #[test]
    fn the_picture_of_branches_matches_the_code() {
        let picture = [
            ". . . . 5 .",
            ". . . 4 . .",
            ". . 3 . . J",
            ". 2 . . # .",
            "1 . . . . J",
        ];
        let boards = pictures::boards(&picture);
        let (_, index) = boards.diagonal_word::<true>(Node { u: 0, v: 0 });
        let word = boards.diagonals[0].words[index as usize];
        assert_eq!(word.branches_up[0], 0b00101);
        assert_eq!(word.open, 0b01111, "four steps from 1 to 5");
        let is_jump_point = |u: u32, v: u32| {
            let bit = boards.line_bit::<0>(Node { u, v });
            boards.lines[0].words[0][bit as usize / 64].jump_points() >> (bit % 64) & 1 != 0
        };
        for (row, v) in picture.iter().rev().zip(0..) {
            for (mark, u) in row.split(' ').zip(0..) {
                assert_eq!(is_jump_point(u, v), mark == "J", "at {u}, {v}");
            }
        }
    }
}
