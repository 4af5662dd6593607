//! Bitboards that tell where a straight or a diagonal walk has to stop, for searches on bit rows.
//!
//! They are for grids without terrain costs, 8 neighbors and no cut corners, and follow from a
//! grid's rows by a few operations per word.

use std::sync::atomic::AtomicBool;

use crate::bit_rows::{BitRows, Shear};
use crate::cancel::{Cancelled, check};
use crate::dead_ends::DeadEnds;

/// Where walks over a grid stop.
///
/// Has coordinates of its own: `u` along the longer side of the grid, `v` along the shorter. So no
/// diagonal is longer than the short side, and the boards of a narrow grid stay small.
#[derive(Clone, Debug)]
pub(crate) struct Boards {
    /// Whether `u` counts rows and `v` columns.
    pub(crate) swapped: bool,
    pub(crate) v_side: u32,
    /// 2⁶⁴ / the stride of the lines of equal `v`, rounded up: to divide by that stride.
    pub(crate) inverse_stride: u64,
    /// Whether the walls are crumbs, so many that a search cell by cell is faster than one by jumps.
    pub(crate) is_crumbly: bool,
    /// In the form of the lines of equal `v`. They count as walls in all that follows.
    pub(crate) dead_ends: DeadEnds,
    /// Lines of equal `v` with bits by `u`, then lines of equal `u` with bits by `v`.
    pub(crate) lines: [Lines; 2],
    /// Diagonals on which `u` grows with `v`, then those on which it falls.
    pub(crate) diagonals: [Diagonals; 2],
}

/// Rows or columns of cells, with a blocked line before the first and after the last.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    /// Bits per line: a multiple of 64, the last of them blocked.
    pub(crate) stride: u32,
    pub(crate) free: Box<[u64]>,
    /// For walks toward higher bits, and toward lower ones.
    pub(crate) walks: [Box<[LineWord]>; 2],
}

/// What a walk along a line meets on 64 cells.
///
/// A walk passes a *jump point* where a wall beside it has just ended (Harabor and Grastien, 2011).
/// An *idle* one is worth stopping at only for a goal: no other jump point lies around that wall.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LineWord {
    /// Walls, and jump points that are not idle.
    pub(crate) stops: u64,
    /// Jump points at which the wall ended on the next line, and on the line before.
    pub(crate) ended: [u64; 2],
}

/// All diagonals of one kind. The bit of a cell is its `v`.
#[derive(Clone, Debug)]
pub(crate) struct Diagonals {
    /// Bits per diagonal: a multiple of 64, the last of them without a step.
    pub(crate) stride: u32,
    pub(crate) words: Box<[DiagonalWord]>,
}

/// 64 cells of a diagonal.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DiagonalWord {
    /// From where the step to the next higher bit is allowed.
    pub(crate) steps: u64,
    /// From where a straight walk along `u`, and one along `v`, meets a jump point, in the directions
    /// between which the diagonal walk toward higher bits lies.
    pub(crate) turns_up: [u64; 2],
    /// The same toward lower bits.
    pub(crate) turns_down: [u64; 2],
}

impl Boards {
    /// The boards of `width` columns and `height` rows of bits, `words` row by row, 1 = free, with a
    /// blocked row before the first and after the last and a blocked bit at the end of each.
    pub(crate) fn new(
        words: &[u64],
        width: u32,
        height: u32,
        cancel: Option<&AtomicBool>,
    ) -> Result<Self, Cancelled> {
        let mut rows = BitRows {
            row_words: width as usize / 64 + 1,
            words: words.to_vec(),
        };
        let swapped = height > width;
        let (mut u_side, mut v_side) = (width, height);
        if swapped {
            rows = rows.transposed(width, height);
            std::mem::swap(&mut u_side, &mut v_side);
        }
        let is_crumbly = has_crumbs(&rows, u_side, v_side);
        check(cancel)?;
        let (dead_ends, words) = DeadEnds::fill(&rows.words, rows.row_words);
        let by_u = BitRows {
            words: words.into_vec(),
            ..rows
        };
        check(cancel)?;
        let by_v = by_u.transposed(u_side, v_side);
        let (mut lines_u, leads_u) = lines(&by_u);
        let (mut lines_v, leads_v) = lines(&by_v);
        let leads_u = leads_u.map(|leads| leads.transposed(u_side, v_side));
        let mut useful: Vec<[BitRows; 2]> = Vec::with_capacity(2);
        let diagonals = [true, false].map(|rising| {
            check(cancel)?;
            let up_u = usize::from(!rising);
            let with = [&leads_u[up_u], &leads_v[0]];
            let against = [&leads_u[1 - up_u], &leads_v[1]];
            let diagonals = Diagonals::new(rising, v_side, &steps(&by_v, rising), with, against);
            let leads = diagonals.leads();
            useful.push(leads.map(|leads| leads.columns(rising, u_side, v_side)));
            Ok(diagonals)
        });
        let [rising, falling] = diagonals;
        let diagonals = [rising?, falling?];
        // Of the turn from a walk in one direction to one in another, by whether u and v fall.
        let useful = |falls_u: usize, falls_v: usize| &useful[falls_u ^ falls_v][falls_v];
        for falls in 0..2 {
            check(cancel)?;
            let turns = [0, 1].map(|side| useful(side, falls).either(&leads_u[side]));
            lines_v.mark_idle(falls, turns);
            let turns = [0, 1].map(|side| useful(falls, side).either(&leads_v[side]));
            lines_u.mark_idle(falls, turns.map(|turns| turns.transposed(v_side, u_side)));
        }
        Ok(Self {
            swapped,
            v_side,
            inverse_stride: u64::MAX / u64::from(lines_u.stride) + 1,
            is_crumbly,
            dead_ends,
            lines: [lines_u, lines_v],
            diagonals,
        })
    }
}

/// Where walks along the rows toward higher and lower bits stop, and from where they meet a jump point
/// before they meet a wall.
fn lines(rows: &BitRows) -> (Lines, [BitRows; 2]) {
    let (free, n) = (&rows.words, rows.row_words);
    let at = |i: usize| free.get(i).copied().unwrap_or(0);
    let starts = |i: usize| at(i) & !(at(i) << 1 | at(i.wrapping_sub(1)) >> 63);
    let ends = |i: usize| at(i) & !(at(i) >> 1 | at(i.wrapping_add(1)) << 63);
    let word = |free: u64, ended: [u64; 2]| LineWord {
        stops: !free | ended[0] | ended[1],
        ended: ended.map(|ended| ended & free),
    };
    let beside = |i: usize| [i + n, i.wrapping_sub(n)];
    let places = || free.iter().enumerate();
    let up: Box<[_]> = places()
        .map(|(i, &free)| word(free, beside(i).map(starts)))
        .collect();
    let down: Box<[_]> = places()
        .map(|(i, &free)| word(free, beside(i).map(ends)))
        .collect();
    let mut leads = [vec![0; free.len()], vec![0; free.len()]];
    // What a walk meets first beyond the word at hand: a jump point, 1, or a wall, 0.
    let mut beyond = 0;
    for ((word, lead), free) in up.iter().zip(&mut leads[0]).zip(free).rev() {
        let (stops, jumps) = (word.stops, word.stops & free);
        let first = first_stop_is_jump(stops.reverse_bits(), jumps.reverse_bits(), beyond);
        *lead = (first << 1 | beyond).reverse_bits() & free;
        beyond = first >> 63;
    }
    beyond = 0;
    for ((word, lead), free) in down.iter().zip(&mut leads[1]).zip(free) {
        let first = first_stop_is_jump(word.stops, word.stops & free, beyond);
        *lead = (first << 1 | beyond) & free;
        beyond = first >> 63;
    }
    let lines = Lines {
        stride: n as u32 * 64,
        free: free.as_slice().into(),
        walks: [up, down],
    };
    let leads = leads.map(|words| BitRows {
        row_words: n,
        words,
    });
    (lines, leads)
}

/// Whether a fifth of the walls are single cells, two or more to a row or column: the order of numbers
/// from which on A\* is faster on random maps of 256² to 2048² cells, measured.
fn has_crumbs(rows: &BitRows, width: u32, height: u32) -> bool {
    let (free, n) = (&rows.words, rows.row_words);
    let mut singles = 0;
    let mut walls = width * height;
    for i in n..free.len().saturating_sub(n) {
        let beside = (free[i] << 1 | free[i - 1] >> 63) & (free[i] >> 1 | free[i + 1] << 63);
        singles += (!free[i] & beside & free[i - n] & free[i + n]).count_ones();
        walls -= free[i].count_ones();
    }
    5 * u64::from(singles) >= u64::from(walls) && singles >= 2 * width.max(height)
}

impl Lines {
    /// `useful` tells from which cells the turn to the next line, and to the line before, meets a jump
    /// point.
    fn mark_idle(&mut self, walk: usize, useful: [BitRows; 2]) {
        let useful = useful[0].words.iter().zip(&useful[1].words);
        for (word, (next, before)) in self.walks[walk].iter_mut().zip(useful) {
            let [next, before] = [word.ended[0] & next, word.ended[1] & before];
            word.stops &= !(word.ended[0] | word.ended[1]) | next | before;
        }
    }
}

/// For each bit, whether the first stop at or below it is a jump point; `below` says so of what lies
/// before the lowest bit.
fn first_stop_is_jump(stops: u64, jumps: u64, below: u64) -> u64 {
    let open = !stops;
    // A carry runs through all open bits above a jump point.
    let carried = open.wrapping_add((jumps << 1 | below) & open);
    jumps | open & !carried
}

/// From which cells the step along a diagonal to the next line's neighboring bit is allowed, in the
/// form of the columns: line `u`, bit `v`.
fn steps(columns: &BitRows, rising: bool) -> BitRows {
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

impl Diagonals {
    /// Collects bits by diagonal: cell (u, v) is on number `u - v + v_side` of those that rise, on
    /// number `u + v + 1` of those that fall. Nothing is on number 0.
    fn new(
        rising: bool,
        v_side: u32,
        steps: &BitRows,
        turns_up: [&BitRows; 2],
        turns_down: [&BitRows; 2],
    ) -> Self {
        let n = steps.row_words;
        let v_side = v_side as usize;
        let mut words = vec![DiagonalWord::default(); (steps.words.len() / n + v_side) * n];
        let mut shear = Shear::default();
        for w in 0..n {
            let end = (w + 1) * 64;
            let (first, skipped) = if rising {
                (v_side.saturating_sub(end), end.saturating_sub(v_side))
            } else {
                (end - 64, 0)
            };
            let mut put = |source: &BitRows, set: fn(&mut DiagonalWord, u64)| {
                let bits = shear.diagonals(source, w, rising).iter().skip(skipped);
                let places = words.iter_mut().skip(first * n + w).step_by(n);
                places.zip(bits).for_each(|(word, &bits)| set(word, bits));
            };
            put(steps, |word, bits| word.steps = bits);
            put(turns_up[0], |word, bits| word.turns_up[0] = bits);
            put(turns_up[1], |word, bits| word.turns_up[1] = bits);
            put(turns_down[0], |word, bits| word.turns_down[0] = bits);
            put(turns_down[1], |word, bits| word.turns_down[1] = bits);
        }
        Self {
            stride: n as u32 * 64,
            words: words.into_boxed_slice(),
        }
    }

    /// From where walks toward higher and lower bits come by a cell from which they branch.
    fn leads(&self) -> [BitRows; 2] {
        let mut leads = [vec![0; self.words.len()], vec![0; self.words.len()]];
        let mut beyond = 0;
        for (word, lead) in self.words.iter().zip(&mut leads[0]).rev() {
            let turns = (word.turns_up[0] | word.turns_up[1]).reverse_bits();
            let steps = word.steps.reverse_bits();
            let (ahead, next) = carries(turns, steps, beyond);
            *lead = ahead.reverse_bits() & word.steps;
            beyond = next;
        }
        beyond = 0;
        let mut step = 0;
        for (word, lead) in self.words.iter().zip(&mut leads[1]) {
            let steps = word.steps << 1 | step;
            let (ahead, next) = carries(word.turns_down[0] | word.turns_down[1], steps, beyond);
            *lead = ahead & steps;
            beyond = next;
            step = word.steps >> 63;
        }
        let row_words = self.stride as usize / 64;
        leads.map(|words| BitRows { row_words, words })
    }
}

/// The carry into each bit, and out of the highest, where some bits make a carry and some pass it on.
fn carries(make: u64, pass: u64, into: u64) -> (u64, u64) {
    let (sum, first) = (make | pass).overflowing_add(make);
    let (sum, second) = sum.overflowing_add(into);
    ((make | pass) ^ make ^ sum, u64::from(first | second))
}
