//! What diagonal walks meet: cells from which a straight walk reaches a jump point, 64 cells at a time.
//!
//! A diagonal walk never stops at a jump point itself. It turns off where a straight walk reaches one
//! (intermediate pruning: Harabor and Grastien, 2014). With a word of such cells at hand, a search looks
//! at no cell from which there is nothing to reach:
//!
//! ```text
//! . . . . 5 .       a diagonal that rises, from the cell 1
//! . . . 4 . .
//! . . 3 . . J       from 3, a walk to the right reaches the jump point J
//! . 2 . . # .
//! 1 . . . . .       turns_up[0] of this diagonal: . . 1 . .
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
    /// From one word of a diagonal to the next one: the number of diagonals. The last bit of a diagonal's
    /// last word has no step.
    pub(crate) stride: u32,
    pub(crate) words: Journaled<DiagonalWord>,
    /// The jump points of straight walks, of any axis and direction. Only updates need them: empty until
    /// the first one.
    pub(crate) jump_points: Journaled<u64>,
    /// How many of them there are on each diagonal. As empty as they are.
    pub(crate) counts: Journaled<u32>,
}

/// 64 cells of a diagonal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct DiagonalWord {
    /// From where the step to the next higher bit is allowed.
    pub(crate) steps: u64,
    /// From where a straight walk along `u`, and one along `v`, meets a jump point, in the directions
    /// between which the diagonal walk toward higher bits lies.
    pub(crate) turns_up: [u64; 2],
    /// The same toward lower bits.
    pub(crate) turns_down: [u64; 2],
}

impl DiagonalWord {
    /// From where a walk toward higher bits, `UP`, or toward lower ones can turn off to a jump point.
    #[inline(always)]
    pub(crate) fn turns<const UP: bool>(self) -> u64 {
        let [along_u, along_v] = if UP { self.turns_up } else { self.turns_down };
        along_u | along_v
    }
}

/// What diagonals are made of: bits by column, lines of equal `u`.
pub(crate) struct DiagonalSources<'a> {
    pub(crate) steps: &'a BitRows,
    pub(crate) turns_up: [&'a BitRows; 2],
    pub(crate) turns_down: [&'a BitRows; 2],
}

/// From which cells the step along a diagonal to the next higher bit is allowed, by column. It is if four
/// cells are free:
///
/// ```text
/// bit            v v+1
/// line u         1  1      the pair of bits on both lines
/// next line      1  1      (the line before, if the diagonals fall)
/// ```
pub(crate) fn steps(
    columns: &BitRows,
    rising: bool,
    watch: &mut Watch<'_>,
) -> Result<BitRows, Cancelled> {
    let n = columns.row_words;
    let at = |i: usize| columns.words.get(i).copied().unwrap_or(0);
    let pair = |i: usize| at(i) & (at(i) >> 1 | at(i.wrapping_add(1)) << 63);
    let words = watch.collect(columns.words.len(), |i| {
        let next = if rising { i + n } else { i.wrapping_sub(n) };
        pair(i) & pair(next)
    })?;
    Ok(BitRows {
        row_words: n,
        words,
    })
}

/// Number of diagonals of one kind.
fn count(columns: &BitRows, v_side: u32) -> usize {
    columns.words.len() / columns.row_words + v_side as usize
}

/// Calls `put(place, bits)` for word `w` of every diagonal, with bits by column.
#[inline(always)]
fn collect<T>(
    shear: &mut Shear,
    columns: &BitRows,
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
    let count = count(columns, v_side);
    let words = words.get_mut(w * count + first..(w + 1) * count);
    let diagonals = shear.diagonals(columns.column(w), rising, watch)?;
    let diagonals = diagonals.get(skipped..).unwrap_or_default().chunks(ITEMS);
    for (words, diagonals) in words.unwrap_or_default().chunks_mut(ITEMS).zip(diagonals) {
        watch.pass(diagonals.len())?;
        let pairs = words.iter_mut().zip(diagonals);
        pairs.for_each(|(word, &bits)| put(word, bits));
    }
    Ok(())
}

impl Diagonals {
    /// Collects bits by diagonal.
    pub(crate) fn new(
        rising: bool,
        v_side: u32,
        sources: &DiagonalSources<'_>,
        watch: &mut Watch<'_>,
    ) -> Result<Self, Cancelled> {
        let (n, count) = (sources.steps.row_words, count(sources.steps, v_side));
        let mut words = watch.collect(count * n, |_| DiagonalWord::default())?;
        let mut shear = Shear::default();
        let [up, down] = [sources.turns_up, sources.turns_down];
        for w in 0..n {
            let mut put = |source, set: fn(&mut DiagonalWord, u64)| {
                let place = (w, rising, v_side);
                collect(&mut shear, source, place, &mut words, set, watch)
            };
            put(sources.steps, |word, bits| word.steps = bits)?;
            put(up[0], |word, bits| word.turns_up[0] = bits)?;
            put(up[1], |word, bits| word.turns_up[1] = bits)?;
            put(down[0], |word, bits| word.turns_down[0] = bits)?;
            put(down[1], |word, bits| word.turns_down[1] = bits)?;
        }
        Ok(Self {
            stride: count as u32,
            words: Journaled::new(words.into()),
            jump_points: Journaled::new(Box::default()),
            counts: Journaled::new(Box::default()),
        })
    }

    /// Collects the jump points, by column, that updates need.
    pub(crate) fn add_jump_points(
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
            collect(&mut shear, jump_points, place, &mut words, put, watch)?;
        }
        for words in words.chunks(counts.len()) {
            let counts = counts.iter_mut().zip(words);
            counts.for_each(|(count, word): (&mut u32, &u64)| *count += word.count_ones());
        }
        self.counts = Journaled::new(counts.into());
        self.jump_points = Journaled::new(words.into());
        // A copy may have some already, of other cells.
        self.counts.note_all();
        self.jump_points.note_all();
        Ok(())
    }

    /// From which cells walks toward higher and toward lower bits come by a cell, beyond the first, from
    /// which they turn off to a jump point. Words in the order of the diagonals'.
    pub(crate) fn reaching(&self, watch: &mut Watch<'_>) -> Result<[Vec<u64>; 2], Cancelled> {
        let count = self.stride as usize;
        let mut reaching = [vec![0; self.words.len()], vec![0; self.words.len()]];
        // What a walk on each diagonal comes by beyond the words at hand.
        let mut beyond = vec![0; count];
        let pairs = self.words.chunks(count).zip(reaching[0].chunks_mut(count));
        for (words, results) in pairs.rev() {
            watch.pieces(count, |piece| {
                let results = &mut results[piece.clone()];
                let beyond = &mut beyond[piece.clone()];
                for ((word, result), beyond) in words[piece].iter().zip(results).zip(beyond) {
                    let turns = word.turns::<true>().reverse_bits();
                    let steps = word.steps.reverse_bits();
                    let (ahead, next) = carries(turns, steps, *beyond);
                    *result = ahead.reverse_bits() & word.steps;
                    *beyond = next;
                }
            })?;
        }
        // And whether the step into those words is allowed.
        let mut beyond = vec![(0, 0); count];
        let pairs = self.words.chunks(count).zip(reaching[1].chunks_mut(count));
        for (words, results) in pairs {
            watch.pieces(count, |piece| {
                let results = &mut results[piece.clone()];
                let beyond = &mut beyond[piece.clone()];
                for ((word, result), (beyond, step)) in words[piece].iter().zip(results).zip(beyond)
                {
                    let steps = word.steps << 1 | *step;
                    let (ahead, next) = carries(word.turns::<false>(), steps, *beyond);
                    *result = ahead & steps;
                    *beyond = next;
                    *step = word.steps >> 63;
                }
            })?;
        }
        Ok(reaching)
    }

    /// All layers, to keep a journal of them.
    pub(crate) fn layers(&mut self) -> [&mut dyn Layer; 3] {
        [&mut self.words, &mut self.jump_points, &mut self.counts]
    }

    /// Copies what changed in `newer`.
    pub(crate) fn catch_up(&mut self, newer: &Self) {
        self.words.catch_up(&newer.words);
        self.jump_points.catch_up(&newer.jump_points);
        self.counts.catch_up(&newer.counts);
    }
}
