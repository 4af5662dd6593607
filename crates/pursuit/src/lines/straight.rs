//! What straight walks meet: walls and jump points, 64 cells at a time.
//!
//! A walk along a line passes a *jump point* where a wall beside it has just ended: from there a path may
//! turn around that end (Harabor and Grastien, 2011). The cell around the end is the *forced neighbor*.
//! Jump points are found a word at a time (Harabor and Grastien, 2014):
//!
//! ```text
//! next line         . # # . . . . #
//! this line         . . . J . . . .     a walk to the right: the wall on the next line ends at 3
//! previous line     . . . . . . . #
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
    pub(crate) words: [Journaled<LineWord>; 2],
}

/// What a walk along a line meets on 64 cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct LineWord {
    /// Walls, and jump points that are not dominated.
    ///
    /// A jump point is *dominated* if the ends of its walls lead to no other jump point. For each side with a
    /// forced neighbor, neither the straight walk from the jump point to that side reaches one, nor does the
    /// diagonal walk ahead and to that side come by a branch. So it is worth stopping at only for a goal.
    ///
    /// Branches take no notice of that: the straight walk from a branch may reach dominated jump points
    /// alone. It then passes them and finds a wall.
    pub(crate) stops: u64,
    /// Jump points whose forced neighbor is on the next line, and on the previous line.
    pub(crate) forced_neighbors: [u64; 2],
}

impl LineWord {
    /// The cells with a forced neighbor, dominated or not.
    #[inline(always)]
    pub(crate) fn jump_points(self) -> u64 {
        self.forced_neighbors[0] | self.forced_neighbors[1]
    }

    /// The cells that are no walls.
    #[inline(always)]
    pub(crate) fn free(self) -> u64 {
        // Jump points that are not dominated are stops, too, but free.
        !self.stops | self.jump_points()
    }

    /// From which cells a walk meets a jump point before a wall, dominated or not.
    ///
    /// `carry` is the same answer, as 0 or 1, for one place outside of the word. In: the answer past the
    /// word's far end. Out: the answer at its near end, for the word that walks come from.
    ///
    /// ```text
    /// cells             . . J . . # . .     a walk to the right
    /// first stop is J   1 1 1 . . . . .     at or after each cell; carry: past the end is a wall
    /// result            1 1 . . . . . .     the same for the cell that comes next
    /// ```
    #[inline(always)]
    pub(crate) fn reaches_jump_point<const UP: bool>(self, carry: &mut u64) -> u64 {
        let jumps = self.jump_points();
        let stops = self.stops | jumps;
        let result;
        // For each bit, whether the first stop at it or below it is a jump point. That is what walks toward
        // lower bits meet. For the others, all bits are reversed.
        let first_is_jump;
        if UP {
            first_is_jump = first_stop_is_jump(stops.reverse_bits(), jumps.reverse_bits(), *carry);
            result = (first_is_jump << 1 | *carry).reverse_bits();
        } else {
            first_is_jump = first_stop_is_jump(stops, jumps, *carry);
            result = first_is_jump << 1 | *carry;
        }
        *carry = first_is_jump >> 63;
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
/// all jump points count as undominated. `row_words` is the number of words to a line.
#[inline(always)]
pub(crate) fn line_words(free: &[u64], index: usize, row_words: usize) -> [LineWord; 2] {
    let [cells, starts, ends] = runs(free, index);
    let [_, next_starts, next_ends] = runs(free, index + row_words);
    let [_, previous_starts, previous_ends] = runs(free, index.wrapping_sub(row_words));
    // A walk toward higher bits meets runs at their starts.
    let word = |here: u64, next: u64, previous: u64| {
        // No walk passes the cell at which it meets a run of this line.
        let passed = cells & !here;
        let forced_neighbors = [next & passed, previous & passed];
        LineWord {
            stops: !cells | forced_neighbors[0] | forced_neighbors[1],
            forced_neighbors,
        }
    };
    [
        word(starts, next_starts, previous_starts),
        word(ends, next_ends, previous_ends),
    ]
}

/// The words of walks toward higher bits and toward lower ones, before they become [`Lines`].
pub(crate) type LineWords = [Vec<LineWord>; 2];

/// What walks along the rows meet, as long as all jump points count as undominated.
pub(crate) fn undominated_line_words(
    rows: &BitRows,
    watch: &mut Watch<'_>,
) -> Result<LineWords, Cancelled> {
    let (free, n) = (&rows.words, rows.row_words);
    let up = watch.collect(free.len(), |index| line_words(free, index, n)[0])?;
    let down = watch.collect(free.len(), |index| line_words(free, index, n)[1])?;
    Ok([up, down])
}

/// From which cells walks toward higher bits, and toward lower ones, meet a jump point before a wall,
/// dominated or not.
pub(crate) fn reaching(
    words: &LineWords,
    row_words: usize,
    watch: &mut Watch<'_>,
) -> Result<[BitRows; 2], Cancelled> {
    let mut reaching = words.each_ref().map(|words| vec![0; words.len()]);
    // The words that a walk comes to first are done last, so that each hands its carry to the next one.
    let mut carry = 0;
    let pieces = words[0].chunks(ITEMS).zip(reaching[0].chunks_mut(ITEMS));
    for (words, results) in pieces.rev() {
        watch.pass(words.len())?;
        for (word, result) in words.iter().zip(results).rev() {
            *result = word.reaches_jump_point::<true>(&mut carry);
        }
    }
    carry = 0;
    let pieces = words[1].chunks(ITEMS).zip(reaching[1].chunks_mut(ITEMS));
    for (words, results) in pieces {
        watch.pass(words.len())?;
        for (word, result) in words.iter().zip(results) {
            *result = word.reaches_jump_point::<false>(&mut carry);
        }
    }
    Ok(reaching.map(|words| BitRows { row_words, words }))
}

/// Takes the dominated jump points out of the stops. `reaching_by_side` are the cells from which another jump
/// point is reached around the end of a wall: `[0]` toward the next line, `[1]` toward the previous line.
pub(crate) fn drop_dominated_stops(
    words: &mut [LineWord],
    reaching_by_side: &[BitRows; 2],
    watch: &mut Watch<'_>,
) -> Result<(), Cancelled> {
    let [next, previous] = reaching_by_side
        .each_ref()
        .map(|rows| rows.words.chunks(ITEMS));
    for (words, (next, previous)) in words.chunks_mut(ITEMS).zip(next.zip(previous)) {
        watch.pass(words.len())?;
        for (word, (next, previous)) in words.iter_mut().zip(next.iter().zip(previous)) {
            let sides = word.forced_neighbors;
            word.stops &= !word.jump_points() | sides[0] & next | sides[1] & previous;
        }
    }
    Ok(())
}

impl Lines {
    pub(crate) fn new(rows: BitRows, words: LineWords) -> Self {
        Self {
            stride: rows.row_words as u32 * 64,
            free: Journaled::new(rows.words.into()),
            words: words.map(|words| Journaled::new(words.into())),
        }
    }

    /// The jump points of walks in both directions.
    pub(crate) fn jump_points(&self) -> BitRows {
        let both = self.words[0].iter().zip(&*self.words[1]);
        let words = both.map(|(up, down)| up.jump_points() | down.jump_points());
        BitRows {
            row_words: self.stride as usize / 64,
            words: words.collect(),
        }
    }

    /// All layers, to keep a journal of them.
    pub(crate) fn layers(&mut self) -> [&mut dyn Layer; 3] {
        let [up, down] = &mut self.words;
        [&mut self.free, up, down]
    }

    /// Copies what changed in `newer`.
    pub(crate) fn catch_up(&mut self, newer: &Self) {
        self.free.catch_up(&newer.free);
        for (words, newer) in self.words.iter_mut().zip(&newer.words) {
            words.catch_up(newer);
        }
    }
}
