//! What diagonal walks meet: cells from which a straight walk reaches a jump point, 64 cells at a time.
//!
//! A diagonal walk never stops at a jump point itself. It *branches* where a straight walk reaches one
//! (intermediate pruning: Harabor and Grastien, 2014), and goes on afterwards. It ends only where a step
//! is blocked. With a word of branches at hand, a search looks at no cell from which there is nothing to
//! reach:
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
//! A diagonal is a line of bits, too: the bit of a cell is its `v`. Lines of equal `u` become diagonals
//! by a shear (see [`Shear`]).
//!
//! The words of neighboring diagonals lie side by side, not those of one diagonal: first the words of all
//! diagonals for `v` below 64, then those for `v` below 128, and so on. So what is near on the map is
//! near in memory, and the cells of a straight line are in one piece of it.

use crate::bits::carry::carries;
use crate::bits::rows::BitRows;
use crate::bits::shear::Shear;
use crate::cancel::{Cancelled, ITEMS, Watch};
use crate::lines::journal::{Journaled, Layer};

/// All diagonals of one kind. Cell (u, v) is on number `u - v + v_side` of those that rise, on number
/// `u + v + 1` of those that fall. Nothing is on number 0.
#[derive(Clone, Debug)]
pub(crate) struct Diagonals {
    /// From one word of a diagonal to the next one: the number of diagonals.
    pub(crate) stride: u32,
    /// The last bit of a diagonal's last word lies outside of the grid. So no walk toward higher bits goes
    /// on past that word.
    pub(crate) words: Journaled<DiagonalWord>,
    pub(crate) update_index: UpdateIndex,
}

/// What only updates need to know. Empty until the first one.
#[derive(Clone, Debug)]
pub(crate) struct UpdateIndex {
    /// The jump points of straight walks, of any axis and direction. Words in the order of the diagonals'.
    pub(crate) jump_points: Journaled<u64>,
    /// How many of them there are on each diagonal.
    pub(crate) counts: Journaled<u32>,
}

/// 64 cells of a diagonal. Bits grow with `v`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct DiagonalWord {
    /// Cells from which the step to the next bit is allowed.
    pub(crate) open: u64,
    /// For diagonal walks toward higher bits. `[0]`: cells from which the `u` part of that direction, walked
    /// straight, meets a jump point. `[1]`: the same for the `v` part.
    pub(crate) branches_up: [u64; 2],
    /// The same for diagonal walks toward lower bits.
    pub(crate) branches_down: [u64; 2],
}

impl DiagonalWord {
    /// Cells at which a walk toward higher bits, `UP`, or toward lower ones branches, along either axis.
    #[inline(always)]
    pub(crate) fn branches<const UP: bool>(self) -> u64 {
        let [along_u, along_v] = if UP {
            self.branches_up
        } else {
            self.branches_down
        };
        along_u | along_v
    }
}

/// What diagonals are made of: lines of equal `u`, bits by `v`. The fields are those of [`DiagonalWord`].
pub(crate) struct DiagonalSources<'a> {
    pub(crate) open: &'a BitRows,
    pub(crate) branches_up: [&'a BitRows; 2],
    pub(crate) branches_down: [&'a BitRows; 2],
}

/// From which cells the step along a diagonal to the next bit is allowed. `by_v` are the free cells by
/// lines of equal `u`, and so is the result. A step is allowed if four cells are free, here those with a 1:
///
/// ```text
///            rising: to (u + 1, v + 1)       falling: to (u - 1, v + 1)
/// v + 1      1  1                            1  1
/// v          1  1                            1  1
///            u  u + 1                    u - 1  u
/// ```
pub(crate) fn open_steps(
    by_v: &BitRows,
    rising: bool,
    watch: &mut Watch<'_>,
) -> Result<BitRows, Cancelled> {
    let n = by_v.row_words;
    let at = |i: usize| by_v.words.get(i).copied().unwrap_or(0);
    // Both a cell and the one at the next bit of its line.
    let pair = |i: usize| at(i) & (at(i) >> 1 | at(i.wrapping_add(1)) << 63);
    let words = watch.collect(by_v.words.len(), |i| {
        let beside = if rising { i + n } else { i.wrapping_sub(n) };
        pair(i) & pair(beside)
    })?;
    Ok(BitRows {
        row_words: n,
        words,
    })
}

/// Number of diagonals of one kind.
fn diagonal_count(by_v: &BitRows, v_side: u32) -> usize {
    by_v.words.len() / by_v.row_words + v_side as usize
}

/// Calls `put(word, bits)` for word `w` of every diagonal: lines of equal `u` come in, and the bits of
/// diagonals go out. [`Shear`] turns the lines by 45 degrees.
#[inline(always)]
fn fill_words<T>(
    shear: &mut Shear,
    by_v: &BitRows,
    (w, rising, v_side): (usize, bool, u32),
    words: &mut [T],
    put: impl Fn(&mut T, u64),
    watch: &mut Watch<'_>,
) -> Result<(), Cancelled> {
    let (end, side) = ((w + 1) * 64, v_side as usize);
    let (first, skipped) = if rising {
        (side.saturating_sub(end), end.saturating_sub(side))
    } else {
        (end - 64, 0)
    };
    let count = diagonal_count(by_v, v_side);
    let words = words.get_mut(w * count + first..(w + 1) * count);
    let diagonals = shear.diagonals(by_v.column(w), rising, watch)?;
    let diagonals = diagonals.get(skipped..).unwrap_or_default().chunks(ITEMS);
    for (words, diagonals) in words.unwrap_or_default().chunks_mut(ITEMS).zip(diagonals) {
        watch.pass(diagonals.len())?;
        let pairs = words.iter_mut().zip(diagonals);
        pairs.for_each(|(word, &bits)| put(word, bits));
    }
    Ok(())
}

impl Diagonals {
    /// Takes the bits of lines to the diagonals.
    pub(crate) fn new(
        rising: bool,
        v_side: u32,
        sources: &DiagonalSources<'_>,
        watch: &mut Watch<'_>,
    ) -> Result<Self, Cancelled> {
        let (n, count) = (sources.open.row_words, diagonal_count(sources.open, v_side));
        let mut words = watch.collect(count * n, |_| DiagonalWord::default())?;
        let mut shear = Shear::default();
        let [up, down] = [sources.branches_up, sources.branches_down];
        for w in 0..n {
            let mut put = |source, set: fn(&mut DiagonalWord, u64)| {
                let place = (w, rising, v_side);
                fill_words(&mut shear, source, place, &mut words, set, watch)
            };
            put(sources.open, |word, bits| word.open = bits)?;
            put(up[0], |word, bits| word.branches_up[0] = bits)?;
            put(up[1], |word, bits| word.branches_up[1] = bits)?;
            put(down[0], |word, bits| word.branches_down[0] = bits)?;
            put(down[1], |word, bits| word.branches_down[1] = bits)?;
        }
        Ok(Self {
            stride: count as u32,
            words: Journaled::new(words.into()),
            update_index: UpdateIndex {
                jump_points: Journaled::new(Box::default()),
                counts: Journaled::new(Box::default()),
            },
        })
    }

    /// Works out what updates need. `jump_points` are lines of equal `u`, bits by `v`.
    pub(crate) fn fill_update_index(
        &mut self,
        rising: bool,
        v_side: u32,
        jump_points: &BitRows,
        watch: &mut Watch<'_>,
    ) -> Result<(), Cancelled> {
        let mut words = vec![0; self.words.len()];
        let mut counts = vec![0; self.stride as usize];
        let mut shear = Shear::default();
        for w in 0..jump_points.row_words {
            let place = (w, rising, v_side);
            let put = |word: &mut u64, bits| *word = bits;
            fill_words(&mut shear, jump_points, place, &mut words, put, watch)?;
        }
        for words in words.chunks(counts.len()) {
            let counts = counts.iter_mut().zip(words);
            counts.for_each(|(count, word): (&mut u32, &u64)| *count += word.count_ones());
        }
        let index = &mut self.update_index;
        index.counts = Journaled::new(counts.into());
        index.jump_points = Journaled::new(words.into());
        // A copy may have some already, of other cells.
        index.counts.note_all();
        index.jump_points.note_all();
        Ok(())
    }

    /// From which cells walks toward higher and toward lower bits come by a branch later than at their first
    /// cell. Words in the order of the diagonals'.
    ///
    /// Follows all walks backward at once. In the terms of [`carries`], a branch makes a carry, and a cell
    /// with an open step passes on the one that comes into it.
    pub(crate) fn coming_by_branch(
        &self,
        watch: &mut Watch<'_>,
    ) -> Result<[Vec<u64>; 2], Cancelled> {
        let count = self.stride as usize;
        let mut coming = [vec![0; self.words.len()], vec![0; self.words.len()]];
        // For each diagonal, the carry from the words already done.
        let mut carried = vec![0; count];
        let pairs = self.words.chunks(count).zip(coming[0].chunks_mut(count));
        for (words, results) in pairs.rev() {
            watch.pieces(count, |piece| {
                let results = &mut results[piece.clone()];
                let carried = &mut carried[piece.clone()];
                for ((word, result), carry) in words[piece].iter().zip(results).zip(carried) {
                    // Carries go to higher bits, these walks come from lower ones.
                    let branches = word.branches::<true>().reverse_bits();
                    let open = word.open.reverse_bits();
                    let (ahead, out) = carries(branches, open, *carry);
                    *result = ahead.reverse_bits() & word.open;
                    *carry = out;
                }
            })?;
        }
        // For each diagonal, that carry, and whether the last step of the word before is allowed.
        let mut carried = vec![(0, 0); count];
        let pairs = self.words.chunks(count).zip(coming[1].chunks_mut(count));
        for (words, results) in pairs {
            watch.pieces(count, |piece| {
                let results = &mut results[piece.clone()];
                let carried = &mut carried[piece.clone()];
                for ((word, result), (carry, step_in)) in
                    words[piece].iter().zip(results).zip(carried)
                {
                    // The step from a bit to the one below is noted at the one below.
                    let open = word.open << 1 | *step_in;
                    let (ahead, out) = carries(word.branches::<false>(), open, *carry);
                    *result = ahead & open;
                    *carry = out;
                    *step_in = word.open >> 63;
                }
            })?;
        }
        Ok(coming)
    }

    /// All layers, to keep a journal of them.
    pub(crate) fn layers(&mut self) -> [&mut dyn Layer; 3] {
        let UpdateIndex {
            jump_points,
            counts,
        } = &mut self.update_index;
        [&mut self.words, jump_points, counts]
    }

    /// Copies what changed in `newer`.
    pub(crate) fn catch_up(&mut self, newer: &Self) {
        self.words.catch_up(&newer.words);
        let (index, newer) = (&mut self.update_index, &newer.update_index);
        index.jump_points.catch_up(&newer.jump_points);
        index.counts.catch_up(&newer.counts);
    }
}

#[cfg(test)]
mod tests {
    use crate::cell::Cell;
    use crate::grid::Grid;
    use crate::lines::boards::Boards;
    use crate::lines::node::Node;

    #[test]
    fn the_picture_of_branches_is_right() {
        // The first line of the picture is the highest.
        let picture = [
            ". . . . 5 .",
            ". . . 4 . .",
            ". . 3 . . J",
            ". 2 . . # .",
            "1 . . . . J",
        ];
        let rows = picture.map(|row| row.split(' ').collect::<Vec<_>>());
        let grid = Grid::from_fn(6, 5, |Cell { x, y }| {
            rows[4 - y as usize][x as usize] != "#"
        });
        let grid = grid.expect("a good size");
        let boards = Boards::new(grid.words(), 6, 5);
        let (_, index) = boards.diagonal_word::<true>(Node { u: 0, v: 0 });
        let word = boards.diagonals[0].words[index as usize];
        assert_eq!(word.branches_up[0], 0b00101);
        assert_eq!(word.open, 0b01111, "four steps from 1 to 5");
        let is_jump_point = |u: u32, v: u32| {
            let bit = boards.line_bit::<0>(Node { u, v });
            boards.lines[0].words[0][bit as usize / 64].jump_points() >> (bit % 64) & 1 != 0
        };
        for (row, v) in rows.iter().rev().zip(0..) {
            for (&mark, u) in row.iter().zip(0..) {
                assert_eq!(is_jump_point(u, v), mark == "J", "at {u}, {v}");
            }
        }
    }
}
