//! The grid that a body of one radius can walk on.
//!
//! Each cell has a *width*: the radius of the largest body that may walk on it. The width is the distance at the
//! cell's center, unless a step at the cell is narrow: closer to an obstacle than both of its ends. One of the
//! two ends of such a step is given up. The width of that end is the distance of the step:
//!
//! ```text
//!    0.9   0.4   0.7      distances at two centers, and along the step between them
//!     o-----+-----o
//!    0.9         0.4      widths: the end with less room is given up
//! ```
//!
//! A body of radius `r` walks on the cells whose width is at least `r`. So a smaller body can walk wherever a
//! larger body can, and the width of a cell depends only on the distances around it.

use std::ops::Range;

use super::field::{Clearance, FIT_TOLERANCE_CELLS, Step};
use super::scale::{MAX_UNITS, code_of, units_of};
use super::steps;
use crate::cancel::{Cancel, Cancelled, uncancelled};
use crate::cell::{Cell, CellRect, DiagonalPolicy};
use crate::grid::{CellCosts, Grid};
use crate::walls::Walls;

impl Clearance {
    /// The cells on which a disc of `radius` cells can stand. They are chosen so that the disc touches no
    /// obstacle along any step that `diagonals` allows between two of them: if a step is too narrow, the end
    /// with the smaller distance is left out.
    ///
    /// The disc may be too large by up to [`FIT_TOLERANCE_CELLS`]. If the radius is 0 or less, every cell whose
    /// distance is above 0 is free, and steps are not checked. A radius above the [cap](Clearance::cap) fits nowhere.
    /// Every cell of the grid costs 1.
    ///
    /// If walls fill whole cells, a radius up to 0.5 has no unsafe steps under
    /// [`Never`](DiagonalPolicy::Never) and [`NoCornerCut`](DiagonalPolicy::NoCornerCut). The other policies
    /// allow steps that touch the corner of a wall, so they make sense only for a radius of 0: with a larger
    /// radius, the cells beside such corners are left out.
    #[must_use]
    pub fn walkable(&self, radius: f32, diagonals: DiagonalPolicy) -> Grid {
        uncancelled(|cancel| {
            let walls = self.decide_walkable(radius, diagonals, cancel)?;
            Grid::new(walls, CellCosts::Flat(1), cancel)
        })
    }

    /// The walls of [`walkable`](Self::walkable), decided row by row.
    pub(crate) fn decide_walkable(
        &self,
        radius: f32,
        diagonals: DiagonalPolicy,
        cancel: Cancel<'_>,
    ) -> Result<Walls, Cancelled> {
        let walls = Walls::blocked(self.width, self.height)
            .expect("invariant: a clearance field has the size of a grid");
        let columns = 0..self.width as usize;
        let mut rows = Rows::new(self, radius, diagonals, columns);
        walls.fill_rows(|y, words| rows.decide(y, words), cancel)
    }

    /// Updates `grid` after the distances in `rects` changed. `grid` is the result of
    /// [`walkable`](Self::walkable) with the same radius and policy before the change. Only the cells in and
    /// around `rects` are decided again.
    pub(crate) fn update_walkable(
        &self,
        grid: &mut Grid,
        (radius, diagonals): (f32, DiagonalPolicy),
        rects: &[CellRect],
        cancel: Cancel<'_>,
    ) -> Result<(), Cancelled> {
        let edit_words = |words: &mut [u64], row_words: usize, rect: CellRect| {
            let columns = rect.min.x as usize..rect.max.x as usize;
            let mut rows = Rows::new(self, radius, diagonals, columns);
            let of_row = words_of(&rows.columns);
            rows.look_below(rect.min.y as u32);
            for y in rect.min.y..rect.max.y {
                cancel.check()?;
                let row = (y as usize + 1) * row_words;
                let words = &mut words[row + of_row.start..row + of_row.end];
                rows.decide(y as u32, words);
            }
            Ok(())
        };
        grid.edit_words(self.decided_by(rects), edit_words)
    }

    /// The cells whose walkability may depend on the distances in `rects`. They extend one cell beyond each
    /// rectangle, since a step that leads out of the rectangle may have become narrower or wider.
    pub(crate) fn decided_by<'r>(
        &self,
        rects: &'r [CellRect],
    ) -> impl Iterator<Item = CellRect> + Clone + use<'r> {
        let all = self.rect();
        let around = move |rect: &CellRect| rect.grow(1).intersect(&all);
        let all_around = rects.iter().map(around);
        all_around.filter(|rect| !rect.is_empty())
    }

    /// Whether a step that is `narrow` units wide matters to a body that is too large for it: whether the other rules
    /// would let the body take it. A straight step always matters. A diagonal step matters if the cells beside it
    /// have more room than the step. `diagonals` decides whether both of them must have more room, or only one.
    fn counts(&self, start: Cell, step: Step, narrow: u32, diagonals: DiagonalPolicy) -> bool {
        let (dx, dy) = step.offset();
        if dx == 0 || dy == 0 {
            return true;
        }
        let beside = [start.offset(dx, 0), start.offset(0, dy)];
        let [one, other] = beside.map(|cell| units_of(self.centers[self.slot(cell)]) > narrow);
        diagonals.allows(one, other)
    }

    /// The end of a step of the grid that is given up if the step is too narrow: the end with the smaller
    /// distance. If both distances are about equal, it is the end with the higher index.
    fn end_given_up(&self, start: Cell, step: Step) -> Cell {
        let end = step.end(start);
        // `end` has the higher index.
        if self.center(start) + FIT_TOLERANCE_CELLS < self.center(end) {
            start
        } else {
            end
        }
    }
}

/// Number of cells that are checked together for narrow steps. Most blocks of this size have no narrow step.
const CELLS_PER_BLOCK: usize = 16;

/// Decides which cells are walkable, row by row, upward.
struct Rows<'a> {
    field: &'a Clearance,
    radius: f32,
    /// The least distance at which the body fits, in units. It is above every distance if the body fits nowhere.
    least: u32,
    diagonals: DiagonalPolicy,
    /// The columns to decide.
    columns: Range<usize>,
    /// The cells of the current row and of the next row that narrow steps make unwalkable, one bit each, in
    /// the words that contain `columns`.
    dropped: [Vec<u64>; 2],
}

impl<'a> Rows<'a> {
    fn new(
        field: &'a Clearance,
        radius: f32,
        diagonals: DiagonalPolicy,
        columns: Range<usize>,
    ) -> Self {
        let none = vec![0; words_of(&columns).len()];
        let has_room = |distance: f32| distance + FIT_TOLERANCE_CELLS >= radius;
        Self {
            field,
            radius,
            least: field.scale.least_units(has_room).unwrap_or(u32::MAX),
            diagonals,
            columns,
            dropped: [none.clone(), none],
        }
    }

    /// Takes into account the steps that lead into row `first` from the row before it, if there is one.
    fn look_below(&mut self, first: u32) {
        if let Some(y) = first.checked_sub(1) {
            self.drop_narrow_ends(y);
            self.next_row();
        }
    }

    /// Decides the columns of row `y`. `words` are the words of the row that contain the columns.
    fn decide(&mut self, y: u32, words: &mut [u64]) {
        self.drop_narrow_ends(y);
        let width = self.field.width as usize;
        let row = &self.field.centers[y as usize * width..(y as usize + 1) * width];
        let fits_nowhere = self.least > MAX_UNITS;
        // A center without any room is a wall.
        let least = code_of(self.least.max(2));
        let dropped = words_of(&self.columns).zip(&self.dropped[0]);
        for (word, (w, dropped)) in words.iter_mut().zip(dropped) {
            let first = self.columns.start.max(w * 64);
            let codes = &row[first..self.columns.end.min(w * 64 + 64)];
            let decided = u64::MAX >> (64 - codes.len()) << (first - w * 64);
            let fitting = if fits_nowhere {
                0
            } else {
                bits_from(codes, least) << (first - w * 64)
            };
            *word = *word & !decided | fitting & !dropped;
        }
        self.next_row()
    }

    fn next_row(&mut self) {
        self.dropped.swap(0, 1);
        self.dropped[1].fill(0)
    }

    /// Gives up one end of each step that starts in row `y` and is too narrow for the body.
    fn drop_narrow_ends(&mut self, y: u32) {
        if self.radius <= FIT_TOLERANCE_CELLS {
            return;
        }
        let first = self.columns.start.saturating_sub(1);
        let end = (self.columns.end + 1).min(self.field.width as usize);
        let row = y as usize * self.field.width as usize;
        let field = self.field;
        let blocks = field.steps[row + first..row + end].chunks(CELLS_PER_BLOCK);
        for (x, block) in (first..).step_by(CELLS_PER_BLOCK).zip(blocks) {
            if !steps::are_plain(block) {
                let cells = row + x..row + x + block.len();
                self.drop_narrow_ends_among(cells, Cell::new(x as i32, y as i32));
            }
        }
    }

    /// Gives up one end of each step that starts in `cells` and is too narrow for the body. `cells` is a part of a
    /// row that begins at the cell `first`.
    fn drop_narrow_ends_among(&mut self, cells: Range<usize>, first: Cell) {
        let field = self.field;
        for (i, start) in cells.zip((0..).map(|dx| first.offset(dx, 0))) {
            for (step, units) in field.narrow_steps(i) {
                if units < self.least && field.counts(start, step, units, self.diagonals) {
                    let cell = field.end_given_up(start, step);
                    let x = cell.x as usize;
                    if self.columns.contains(&x) {
                        let word = x / 64 - self.columns.start / 64;
                        self.dropped[(cell.y - start.y) as usize][word] |= 1 << (x % 64);
                    }
                }
            }
        }
    }
}

/// The words of a row that contain the given columns.
fn words_of(columns: &Range<usize>) -> Range<usize> {
    columns.start / 64..columns.end.div_ceil(64)
}

/// Maximum number of codes that are compared one by one.
const MAX_COMPARED_CODES: usize = 24;

/// One bit for each of up to 64 codes: whether the code is at least `least`.
fn bits_from(codes: &[u16], least: u16) -> u64 {
    if codes.len() <= MAX_COMPARED_CODES {
        let codes = codes.iter().rev();
        return codes.fold(0, |bits, code| bits << 1 | u64::from(*code >= least));
    }
    let mut are_enough = [0_u8; 64];
    for (is_enough, code) in are_enough.iter_mut().zip(codes) {
        *is_enough = u8::from(*code >= least);
    }
    let eights = are_enough.as_chunks::<8>().0.iter().rev();
    eights.fold(0, |bits, eight| bits << 8 | gather(*eight))
}

/// Packs eight bytes that are each 0 or 1 into eight bits. The multiplication moves byte `i` to bit 56 + `i`,
/// and no two parts of the product overlap (after the bit matrix tricks in H. Warren, Hacker's Delight,
/// 2002):
///
/// ```text
///   0000000h ... 0000000b 0000000a   times   1 << 56 | 1 << 49 | ... | 1 << 7   gives   hgfedcba ...
/// ```
fn gather(bytes: [u8; 8]) -> u64 {
    /// A product with this number moves bit 0 of each byte to its place in the highest byte.
    const EACH_TO_ITS_BIT: u64 = 0x0102_0408_1020_4080;
    u64::from_le_bytes(bytes).wrapping_mul(EACH_TO_ITS_BIT) >> 56
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn bits_from_sets_the_bit_of_each_code_that_is_at_least_the_bound(
            codes in prop::collection::vec(0..9_u16, 0..=64),
            least in 0..10_u16,
        ) {
            let bits = bits_from(&codes, least);
            for i in 0..64 {
                let expected = codes.get(i).is_some_and(|code| *code >= least);
                prop_assert_eq!(bits >> i & 1 != 0, expected);
            }
        }
    }

    #[test]
    fn a_narrow_step_out_of_an_edit_blocks_the_cell_at_its_other_end() {
        let edited = Cell::new(2, 2);
        let rect = CellRect::new(edited, edited.offset(1, 1));
        for (step, is_out) in Step::ALL
            .into_iter()
            .flat_map(|step| [(step, true), (step, false)])
        {
            let (dx, dy) = step.offset();
            let (start, other) = if is_out {
                (edited, edited.offset(dx, dy))
            } else {
                (edited.offset(-dx, -dy), edited.offset(-dx, -dy))
            };
            let mut field = Clearance::open(5, 5, 4.0).expect("a good size");
            // `other` has less room than the edited cell, so it is given up.
            field.limit_center(other, 3.0);
            let body = (2.0, DiagonalPolicy::NoCornerCut);
            let mut grid = field.walkable(body.0, body.1);
            field.limit_step(start, step, 1.0);
            uncancelled(|cancel| field.update_walkable(&mut grid, body, &[rect], cancel));
            assert_eq!(grid, field.walkable(body.0, body.1), "{step:?} at {start}");
            assert!(
                !grid.is_free(other) && grid.is_free(edited),
                "{step:?} at {start}"
            );
        }
    }
}
