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
//! A diagonal is a line of bits, too: the bit of a cell is its `v`. `lines` of equal `u` become diagonals
//! by a shear (see [`Shear`]).

use crate::bits::carry::carries;
use crate::bits::rows::BitRows;
use crate::bits::shear::Shear;
use crate::lines::journal::{Journaled, Layer};

/// All diagonals of one kind. Cell (u, v) is on number `u - v + v_side` of those that rise, on number
/// `u + v + 1` of those that fall. Nothing is on number 0.
#[derive(Clone, Debug)]
pub(crate) struct Diagonals {
    /// Bits per diagonal: a multiple of 64, the last of them without a step.
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
pub(crate) fn steps(columns: &BitRows, rising: bool) -> BitRows {
    let n = columns.row_words;
    let at = |i: usize| columns.words.get(i).copied().unwrap_or(0);
    let pair = |i: usize| at(i) & (at(i) >> 1 | at(i.wrapping_add(1)) << 63);
    let words = (0..columns.words.len()).map(|i| {
        let next = if rising { i + n } else { i.wrapping_sub(n) };
        pair(i) & pair(next)
    });
    BitRows {
        row_words: n,
        words: words.collect(),
    }
}

/// Number of diagonals of one kind.
fn count(columns: &BitRows, v_side: u32) -> usize {
    columns.words.len() / columns.row_words + v_side as usize
}

/// Calls `put(place, bits)` for word `w` of every diagonal, with bits by column.
#[inline(always)]
fn collect(
    shear: &mut Shear,
    columns: &BitRows,
    w: usize,
    rising: bool,
    v_side: u32,
    mut put: impl FnMut(usize, u64),
) {
    let (end, v_side) = ((w + 1) * 64, v_side as usize);
    let (first, skipped) = if rising {
        (v_side.saturating_sub(end), end.saturating_sub(v_side))
    } else {
        (end - 64, 0)
    };
    let diagonals = shear.diagonals(columns, w, rising).iter().skip(skipped);
    for (diagonal, &bits) in diagonals.enumerate() {
        put((first + diagonal) * columns.row_words + w, bits);
    }
}

impl Diagonals {
    /// Collects bits by diagonal.
    pub(crate) fn new(rising: bool, v_side: u32, sources: &DiagonalSources<'_>) -> Self {
        let n = sources.steps.row_words;
        let mut words = vec![DiagonalWord::default(); count(sources.steps, v_side) * n];
        let mut shear = Shear::default();
        for w in 0..n {
            let mut put = |source, set: fn(&mut DiagonalWord, u64)| {
                collect(&mut shear, source, w, rising, v_side, |place, bits| {
                    if let Some(word) = words.get_mut(place) {
                        set(word, bits);
                    }
                });
            };
            put(sources.steps, |word, bits| word.steps = bits);
            put(sources.turns_up[0], |word, bits| word.turns_up[0] = bits);
            put(sources.turns_up[1], |word, bits| word.turns_up[1] = bits);
            put(sources.turns_down[0], |word, bits| {
                word.turns_down[0] = bits;
            });
            put(sources.turns_down[1], |word, bits| {
                word.turns_down[1] = bits;
            });
        }
        Self {
            stride: n as u32 * 64,
            words: Journaled::new(words.into()),
            jump_points: Journaled::new(Box::default()),
            counts: Journaled::new(Box::default()),
        }
    }

    /// Collects the jump points, by column, that updates need.
    pub(crate) fn add_jump_points(&mut self, rising: bool, v_side: u32, jump_points: &BitRows) {
        let n = jump_points.row_words;
        let mut words = vec![0; count(jump_points, v_side) * n];
        let mut shear = Shear::default();
        for w in 0..n {
            collect(&mut shear, jump_points, w, rising, v_side, |place, bits| {
                if let Some(word) = words.get_mut(place) {
                    *word = bits;
                }
            });
        }
        let ones = |line: &[u64]| line.iter().map(|word| word.count_ones()).sum();
        self.counts = Journaled::new(words.chunks(n).map(ones).collect());
        self.jump_points = Journaled::new(words.into());
    }

    /// From which cells walks toward higher and toward lower bits come by a cell, beyond the first, from
    /// which they turn off to a jump point. By diagonal.
    pub(crate) fn reaching(&self) -> [BitRows; 2] {
        let mut reaching = [vec![0; self.words.len()], vec![0; self.words.len()]];
        let mut beyond = 0;
        for (word, result) in self.words.iter().zip(&mut reaching[0]).rev() {
            let turns = word.turns::<true>().reverse_bits();
            let steps = word.steps.reverse_bits();
            let (ahead, next) = carries(turns, steps, beyond);
            *result = ahead.reverse_bits() & word.steps;
            beyond = next;
        }
        beyond = 0;
        let mut step = 0;
        for (word, result) in self.words.iter().zip(&mut reaching[1]) {
            let steps = word.steps << 1 | step;
            let (ahead, next) = carries(word.turns::<false>(), steps, beyond);
            *result = ahead & steps;
            beyond = next;
            step = word.steps >> 63;
        }
        let row_words = self.stride as usize / 64;
        reaching.map(|words| BitRows { row_words, words })
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
