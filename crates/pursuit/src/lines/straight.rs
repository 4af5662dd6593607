//! What straight walks meet: walls and jump points, 64 cells at a time.
//!
//! A walk along a line passes a *jump point* where a wall beside it has just ended: from there a path may
//! turn around that end (Harabor and Grastien, 2011). The cell around the end is the *forced neighbor*.
//! Jump points are found a word at a time (Harabor and Grastien, 2014):
//!
//! ```text
//! next line         . # # . . . . #
//! this line         . . . J . . . .     a walk to the right: the wall on the next line ends at 3
//! line before       . . . . . . . #
//!
//! starts of the     1 . . 1 . . . .     free & !(free << 1)
//! next line
//! ```
//!
//! Where a run of free cells starts on this line, too, there is no jump point: no walk passes that cell. So
//! a wall across many lines has jump points at its ends only. A walk to the left meets the ends of runs in
//! place of their starts.

use crate::bits::carry::first_stop_is_jump;
use crate::bits::rows::BitRows;
use crate::cancel::{Cancelled, ITEMS, Watch};
use crate::lines::journal::{Journaled, Layer};

/// Rows or columns of cells, with a blocked line before the first and after the last.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    /// Bits per line: a multiple of 64, the last of them blocked.
    pub(crate) stride: u32,
    pub(crate) free: Journaled<u64>,
    /// For walks toward higher bits, and toward lower ones.
    pub(crate) walks: [Journaled<LineWord>; 2],
}

/// What a walk along a line meets on 64 cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct LineWord {
    /// Walls, and jump points that are not dominated. A *dominated* one is worth stopping at only for a
    /// goal: no other jump point lies around the end of its wall.
    pub(crate) stops: u64,
    /// Jump points whose forced neighbor is on the next line, and on the line before.
    pub(crate) forced_neighbors: [u64; 2],
}

impl LineWord {
    /// The cells with a forced neighbor, dominated or not.
    #[inline(always)]
    pub(crate) fn jump_points(self) -> u64 {
        self.forced_neighbors[0] | self.forced_neighbors[1]
    }

    #[inline(always)]
    pub(crate) fn free(self) -> u64 {
        !self.stops | self.jump_points()
    }

    /// From which cells a walk meets a jump point before a wall, dominated or not. `beyond` says so, as
    /// 0 or 1, of a walk that leaves the word, and then of one that enters it.
    ///
    /// ```text
    /// cells             . . J . . # . .     a walk to the right
    /// first stop is J   1 1 1 . . . . .     at or after each cell; beyond: a wall
    /// result            1 1 . . . . . .     the same for the cell that comes next
    /// ```
    #[inline(always)]
    pub(crate) fn reaches_jump_point<const UP: bool>(self, beyond: &mut u64) -> u64 {
        let jumps = self.jump_points();
        let stops = self.stops | jumps;
        let result;
        let first;
        if UP {
            first = first_stop_is_jump(stops.reverse_bits(), jumps.reverse_bits(), *beyond);
            result = (first << 1 | *beyond).reverse_bits();
        } else {
            first = first_stop_is_jump(stops, jumps, *beyond);
            result = first << 1 | *beyond;
        }
        *beyond = first >> 63;
        result & self.free()
    }
}

/// A word of free cells, and where runs of them start and end.
#[inline(always)]
fn runs(free: &[u64], index: usize) -> [u64; 3] {
    let at = |i: usize| free.get(i).copied().unwrap_or(0);
    let cells = at(index);
    let starts = cells & !(cells << 1 | at(index.wrapping_sub(1)) >> 63);
    let ends = cells & !(cells >> 1 | at(index.wrapping_add(1)) << 63);
    [cells, starts, ends]
}

/// The words of walks toward higher and toward lower bits over the free cells of one word, as long as
/// no jump point is dominated. `row_words` is the number of words to a line.
#[inline(always)]
pub(crate) fn line_words(free: &[u64], index: usize, row_words: usize) -> [LineWord; 2] {
    let this = runs(free, index);
    let next = runs(free, index + row_words);
    let before = runs(free, index.wrapping_sub(row_words));
    [1, 2].map(|which| {
        // No walk passes the cell at which a run of this line starts.
        let passed = this[0] & !this[which];
        let forced_neighbors = [next[which] & passed, before[which] & passed];
        LineWord {
            stops: !this[0] | forced_neighbors[0] | forced_neighbors[1],
            forced_neighbors,
        }
    })
}

/// The words of walks toward higher bits and toward lower ones, before they become [`Lines`].
pub(crate) type Walks = [Vec<LineWord>; 2];

/// What walks along the rows meet, as long as no jump point is dominated.
pub(crate) fn walks(rows: &BitRows, watch: &mut Watch<'_>) -> Result<Walks, Cancelled> {
    let (free, n) = (&rows.words, rows.row_words);
    let up = watch.collect(free.len(), |index| line_words(free, index, n)[0])?;
    let down = watch.collect(free.len(), |index| line_words(free, index, n)[1])?;
    Ok([up, down])
}

/// From which cells walks toward higher bits, and toward lower ones, meet a jump point before a wall.
pub(crate) fn reaching(
    walks: &Walks,
    row_words: usize,
    watch: &mut Watch<'_>,
) -> Result<[BitRows; 2], Cancelled> {
    let mut reaching = walks.each_ref().map(|words| vec![0; words.len()]);
    let mut beyond = 0;
    let pieces = walks[0].chunks(ITEMS).zip(reaching[0].chunks_mut(ITEMS));
    for (words, results) in pieces.rev() {
        watch.pass(words.len())?;
        for (word, result) in words.iter().zip(results).rev() {
            *result = word.reaches_jump_point::<true>(&mut beyond);
        }
    }
    beyond = 0;
    let pieces = walks[1].chunks(ITEMS).zip(reaching[1].chunks_mut(ITEMS));
    for (words, results) in pieces {
        watch.pass(words.len())?;
        for (word, result) in words.iter().zip(results) {
            *result = word.reaches_jump_point::<false>(&mut beyond);
        }
    }
    Ok(reaching.map(|words| BitRows { row_words, words }))
}

/// Takes the dominated jump points out of the stops. `useful` are the cells from which some jump point
/// lies around a wall on the next line, and on the line before.
pub(crate) fn pass_dominated(
    walk: &mut [LineWord],
    useful: &[BitRows; 2],
    watch: &mut Watch<'_>,
) -> Result<(), Cancelled> {
    let [next, before] = useful.each_ref().map(|rows| rows.words.chunks(ITEMS));
    for (words, (next, before)) in walk.chunks_mut(ITEMS).zip(next.zip(before)) {
        watch.pass(words.len())?;
        for (word, (next, before)) in words.iter_mut().zip(next.iter().zip(before)) {
            let sides = word.forced_neighbors;
            word.stops &= !word.jump_points() | sides[0] & next | sides[1] & before;
        }
    }
    Ok(())
}

impl Lines {
    pub(crate) fn new(rows: BitRows, walks: Walks) -> Self {
        Self {
            stride: rows.row_words as u32 * 64,
            free: Journaled::new(rows.words.into()),
            walks: walks.map(|words| Journaled::new(words.into())),
        }
    }

    /// The jump points of walks in both directions.
    pub(crate) fn jump_points(&self) -> BitRows {
        let both = self.walks[0].iter().zip(&*self.walks[1]);
        let words = both.map(|(up, down)| up.jump_points() | down.jump_points());
        BitRows {
            row_words: self.stride as usize / 64,
            words: words.collect(),
        }
    }

    /// All layers, to keep a journal of them.
    pub(crate) fn layers(&mut self) -> [&mut dyn Layer; 3] {
        let [up, down] = &mut self.walks;
        [&mut self.free, up, down]
    }

    /// Copies what changed in `newer`.
    pub(crate) fn catch_up(&mut self, newer: &Self) {
        self.free.catch_up(&newer.free);
        for (walk, newer) in self.walks.iter_mut().zip(&newer.walks) {
            walk.catch_up(newer);
        }
    }
}
