//! The walls and jump points that straight walks meet, 64 cells at a time.
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
//! starts, next      1 . . 1 . . . .     free & !(free << 1), where the walk finds that a wall has ended
//! starts, this      1 . . . . . . .     no walk to the right comes to these cells
//! forced, next      . . . 1 . . . .     starts, next & !(starts, this)
//! ```
//!
//! If a run of free cells starts on this line at the same place, that cell is no jump point, since no walk comes
//! to it from the left. So a wall across many lines has jump points only at its ends. For a walk to the left, the
//! ends of runs take the part of their starts.

use crate::bits::carry::first_stop_is_jump;
use crate::bits::rows::BitRows;
use crate::jump::journal::{Journaled, Layer};

/// Rows or columns of cells, with a blocked line before the first and after the last.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    /// Bits per line: a multiple of 64, the last of them blocked.
    pub(crate) stride: u32,
    pub(crate) free: Journaled<u64>,
    /// For walks up, and for walks down.
    pub(crate) words: [Journaled<LineWord>; 2],
}

/// The stops and the jump points of walks along a line in one direction, on 64 cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct LineWord {
    /// Walls, and jump points that are not dominated.
    ///
    /// A jump point is *dominated* if turning around the end of its wall leads to no other jump point. That is
    /// so if, for each side with a forced neighbor,
    ///
    /// - the straight walk from the jump point to that side reaches no jump point, and
    /// - the diagonal walk from the jump point, ahead and to that side, reaches no branch.
    ///
    /// A path turns at a dominated jump point only if its goal is around there. So a search passes it unless it
    /// sees the goal from there.
    ///
    /// Both count dominated jump points, too: otherwise whether one is dominated could depend on itself. So a
    /// cell is a branch even if its straight walk reaches nothing but dominated jump points. That walk then
    /// passes them all and ends at a wall.
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

    /// From which cells a walk reaches a jump point, dominated or not.
    ///
    /// Walks that leave the word go on in the next one. `carry` joins the two: 1 if the first stop from some
    /// place on is a jump point, 0 if it is a wall. On entry that place is the first cell of the next word,
    /// where walks go on. On return it is the first cell of this word, for the word that walks come from.
    ///
    /// ```text
    /// cells             . . J . . # . .     a walk to the right; carry on entry: 0
    /// first stop is J   1 1 1 . . . . .     the first stop at a cell or after it; carry on return: 1
    /// result            1 1 . . . . . .     the first stop after a cell: the line above, moved by one
    /// ```
    #[inline(always)]
    pub(crate) fn reaches_jump_point<const UP: bool>(self, carry: &mut u64) -> u64 {
        let jumps = self.jump_points();
        let stops = self.stops | jumps;
        let result;
        // For each bit, whether the first stop at it or below it is a jump point. Walks down meet that stop.
        // For walks up, all bits are reversed.
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

/// One word of walks up and one of walks down. `index` is its number among the words of free cells, and
/// `row_words` the number of words to a line. Every jump point is a stop here, dominated or not.
#[inline(always)]
pub(crate) fn line_words(free: &[u64], index: usize, row_words: usize) -> [LineWord; 2] {
    let [cells, starts, ends] = runs(free, index);
    let [_, next_starts, next_ends] = runs(free, index + row_words);
    let [_, previous_starts, previous_ends] = runs(free, index.wrapping_sub(row_words));
    // Walks up find walls ending where runs start, walks down where runs end.
    let word = |here: u64, next: u64, previous: u64| {
        // No walk comes to a cell from the wall before it.
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

/// The words of walks up, and of walks down, before they become [`Lines`].
pub(crate) type LineWords = [Vec<LineWord>; 2];

/// The stops of walks along the rows. Every jump point is a stop here: [`drop_dominated_stops`] comes later.
pub(crate) fn undominated_line_words(rows: &BitRows) -> LineWords {
    let (free, n) = (&rows.words, rows.row_words);
    let walks = |way: usize| (0..free.len()).map(move |index| line_words(free, index, n)[way]);
    [walks(0).collect(), walks(1).collect()]
}

/// From which cells walks up, and walks down, reach a jump point, dominated or not.
pub(crate) fn reaching(words: &LineWords, row_words: usize) -> [BitRows; 2] {
    let mut reaching = words.each_ref().map(|words| vec![0; words.len()]);
    // Against the direction of the walks, so that each word hands its carry to the one that walks come from.
    let mut carry = 0;
    for (word, result) in words[0].iter().zip(&mut reaching[0]).rev() {
        *result = word.reaches_jump_point::<true>(&mut carry);
    }
    carry = 0;
    for (word, result) in words[1].iter().zip(&mut reaching[1]) {
        *result = word.reaches_jump_point::<false>(&mut carry);
    }
    reaching.map(|words| BitRows { row_words, words })
}

/// Takes the dominated jump points out of the stops. `reaching_by_side`, for each side: the cells from which the
/// straight walk to that side reaches a jump point, or the diagonal walk ahead and to that side a branch.
pub(crate) fn drop_dominated_stops(words: &mut [LineWord], reaching_by_side: &[BitRows; 2]) {
    let [next, previous] = reaching_by_side.each_ref().map(|rows| &rows.words);
    for (word, (next, previous)) in words.iter_mut().zip(next.iter().zip(previous)) {
        let sides = word.forced_neighbors;
        word.stops &= !word.jump_points() | sides[0] & next | sides[1] & previous;
    }
}

impl Lines {
    pub(crate) fn new(rows: BitRows, words: LineWords) -> Self {
        Self {
            stride: rows.row_words as u32 * 64,
            free: Journaled::new(rows.words.into()),
            words: words.map(|words| Journaled::new(words.into())),
        }
    }

    /// The jump points of walks up or down.
    pub(crate) fn jump_points(&self) -> BitRows {
        let [up, down] = &self.words;
        let both = (0..up.len()).map(|index| up[index].jump_points() | down[index].jump_points());
        BitRows {
            row_words: self.stride as usize / 64,
            words: both.collect(),
        }
    }

    /// All layers, for operations on each journal.
    pub(crate) fn layers(&mut self) -> [&mut dyn Layer; 3] {
        let [up, down] = &mut self.words;
        [&mut self.free, up, down]
    }

    /// Copies the entries that are listed in the journals of `newer`.
    pub(crate) fn catch_up(&mut self, newer: &Self) {
        self.free.catch_up(&newer.free);
        for (words, newer) in self.words.iter_mut().zip(&newer.words) {
            words.catch_up(newer);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cell::{DiagonalPolicy, NEIGHBORS};
    use crate::jump::boards::JumpPointBoards;
    use crate::jump::naive::{Direction, Naive, any_grid, cells, node};
    use crate::jump::pictures;
    use crate::pruning::successors;

    #[test]
    fn the_picture_of_a_jump_point_matches_the_code() {
        let [next, this, previous] =
            [". # # . . . . #", ". . . . . . . .", ". . . . . . . #"].map(pictures::free_cells);
        let free = [0, previous, this, next, 0];
        let starts = |index| pictures::picture(runs(&free, index)[1], 8);
        assert_eq!(starts(3), "1 . . 1 . . . .");
        assert_eq!(starts(2), "1 . . . . . . .");
        let [up, _] = line_words(&free, 2, 1);
        let forced = up.forced_neighbors.map(|word| pictures::picture(word, 8));
        assert_eq!(forced, [". . . 1 . . . .", ". . . . . . . ."]);
    }

    #[test]
    fn the_picture_of_reaching_a_jump_point_matches_the_code() {
        let jump = pictures::bits(". . 1 . . . . .");
        let word = LineWord {
            stops: jump | pictures::bits(". . . . . 1 . .") | u64::MAX << 8,
            forced_neighbors: [jump, 0],
        };
        let mut carry = 0;
        let result = word.reaches_jump_point::<true>(&mut carry);
        assert_eq!(pictures::picture(result, 8), "1 1 . . . . . .");
        assert_eq!(carry, 1);
    }

    fn place(step: Direction) -> usize {
        let place = NEIGHBORS.iter().position(|&neighbor| neighbor == step);
        place.expect("a step")
    }

    /// The steps that must be looked at after a straight one, by the table that all searches take the rule from.
    fn needed(
        naive: &Naive<impl Fn(crate::cell::Cell) -> bool>,
        at: crate::cell::Cell,
        ahead: Direction,
    ) -> u8 {
        let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)));
        let window = around.map(|(dx, dy)| {
            usize::from(naive.is_free(at.offset(dx, dy))) << (3 * (dy + 1) + dx + 1)
        });
        successors(DiagonalPolicy::NoCornerCut)[place(ahead) + 1][window.sum::<usize>()]
    }

    fn check<const AXIS: usize>(
        boards: &JumpPointBoards,
        naive: &Naive<impl Fn(crate::cell::Cell) -> bool>,
    ) -> Result<(), TestCaseError> {
        let lines = &boards.lines[AXIS];
        let words = lines.words.each_ref().map(|words| words.to_vec());
        let reaching = reaching(&words, lines.stride as usize / 64);
        let jump_points = lines.jump_points();
        for at in cells(boards) {
            let line_bit = boards.line_bit::<AXIS>(node(at));
            let (index, bit) = (line_bit as usize / 64, line_bit % 64);
            let is_set = |word: u64| word >> bit & 1 != 0;
            let mut is_any = false;
            for (down, by) in [1, -1].into_iter().enumerate() {
                let ahead: Direction = if AXIS == 0 { (by, 0) } else { (0, by) };
                let word = words[down][index];
                let forced = naive.forced(at, ahead);
                if naive.is_free(at) && naive.is_free(at.offset(-ahead.0, -ahead.1)) {
                    let needed = needed(naive, at, ahead);
                    let sides = [
                        (ahead.1.abs(), ahead.0.abs()),
                        (-ahead.1.abs(), -ahead.0.abs()),
                    ];
                    let by_table = sides.map(|side| needed >> place(side) & 1 != 0);
                    prop_assert_eq!(forced, by_table, "{} {:?}: the rule of pruning", at, ahead);
                }
                let is_jump_point = forced != [false; 2];
                is_any |= is_jump_point;
                let reaching = reaching[down].words[index];
                let found = [word.jump_points(), word.free(), word.stops, reaching].map(is_set);
                let is_free = naive.is_free(at);
                let is_stop = !is_free || is_jump_point && !naive.is_dominated(at, ahead);
                let reaches = is_free && naive.reaches_jump_point(at, ahead);
                let expected = [is_jump_point, is_free, is_stop, reaches];
                prop_assert_eq!(found, expected, "{} {:?}", at, ahead);
                let found = word.forced_neighbors.map(is_set);
                prop_assert_eq!(found, forced, "{} {:?}", at, ahead);
            }
            prop_assert_eq!(is_set(jump_points.words[index]), is_any, "{}", at);
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(crate::search::oracle::cases(80)))]

        #[test]
        fn words_of_lines_agree_with_a_check_of_each_cell(grid in any_grid()) {
            let boards = JumpPointBoards::new(&grid);
            let naive = Naive::of(&boards, &grid);
            check::<0>(&boards, &naive)?;
            check::<1>(&boards, &naive)?;
        }
    }
}
