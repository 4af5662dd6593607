//! Distances along steps: four steps per cell, in five bytes.
//!
//! A step is never farther from an obstacle than its nearer end, and usually its distance is the distance of that
//! end. Only *narrow* steps, which are closer to an obstacle than both of their ends, have a mark of their own
//! (see [`super::scale`]):
//!
//! ```text
//!   bit   39       30 29       20 19       10 9         0
//!        +-----------+-----------+-----------+-----------+    0         not narrow
//!        | (-1, +1)  | (+1, +1)  |  (0, +1)  |  (+1, 0)  |    1..=1023  mark 1022..=0
//!        +-----------+-----------+-----------+-----------+
//! ```
//!
//! A mark is kept only while it is below the distances of both ends, so every step with a mark is narrow. A field
//! without narrow steps has five zero bytes per cell.

use super::field::{Clearance, Step};
use super::scale::{NO_MARK, Scale, units_of};
use crate::cell::{Cell, CellRect};

/// The marks of the four steps that start at a cell.
type Word = [u8; 5];

/// The word of a cell without narrow steps.
const NO_NARROW_STEPS: Word = [0; 5];

/// Number of bits of a word that belong to one step.
const BITS_PER_STEP: u32 = 10;

fn bits([a, b, c, d, e]: Word) -> u64 {
    u64::from_le_bytes([a, b, c, d, e, 0, 0, 0])
}

/// The number that a word stores for a step. It is 0 if the step is not narrow. Otherwise, it is greater for a closer
/// obstacle.
fn field(word: u64, step: Step) -> u32 {
    (word >> (step as u32 * BITS_PER_STEP)) as u32 & NO_MARK
}

fn set_field(word: &mut Word, step: Step, field: u32) {
    let shift = step as u32 * BITS_PER_STEP;
    let others = bits(*word) & !(u64::from(NO_MARK) << shift);
    let [a, b, c, d, e, ..] = (others | u64::from(field) << shift).to_le_bytes();
    *word = [a, b, c, d, e];
}

/// The cells of `grid` that lie outside `rect` but have steps into it: the row before `rect` and one column on
/// each side.
pub(super) fn starts_beside(rect: CellRect, grid: CellRect) -> impl Iterator<Item = Cell> {
    let around = rect.grow(1).intersect(&grid);
    let above = (around.min.x..around.max.x).map(move |x| Cell::new(x, around.min.y));
    let above = above.filter(move |cell| cell.y < rect.min.y);
    let sides = [rect.min.x - 1, rect.max.x].into_iter();
    let sides = sides.filter(move |x| grid.min.x <= *x && *x < grid.max.x);
    let sides = sides.flat_map(move |x| (rect.min.y..rect.max.y).map(move |y| Cell::new(x, y)));
    above.chain(sides)
}

/// Whether no step in `words` is narrow.
pub(super) fn are_plain(words: &[Word]) -> bool {
    words.as_flattened().iter().fold(0, |all, byte| all | byte) == 0
}

impl Clearance {
    /// A field with these centers and without narrow steps. The bytes of its squares are all 0.
    pub(super) fn plain(
        width: u32,
        height: u32,
        (scale, cap): (Scale, f32),
        centers: Box<[u16]>,
    ) -> Self {
        let cells = centers.len();
        Self {
            width,
            height,
            cap,
            scale,
            centers,
            steps: vec![NO_NARROW_STEPS; cells].into_boxed_slice(),
            squares: vec![0; cells].into_boxed_slice(),
        }
    }

    /// The least distance from any point of the step that starts at `cell` to the nearest obstacle, in cells,
    /// at most the cap. It is 0 if an end of the step lies outside the grid.
    #[must_use]
    pub fn step(&self, cell: Cell, step: Step) -> f32 {
        if self.has_step(cell, step) {
            self.scale.cells(self.step_units(cell, step))
        } else {
            0.0
        }
    }

    /// The distance of a narrow step of the grid, in units. `None` if the step is not narrow.
    pub(super) fn narrow(&self, start: Cell, step: Step) -> Option<u32> {
        let field = field(bits(self.steps[self.slot(start)]), step);
        (field != 0).then(|| self.scale.at_mark(NO_MARK - field))
    }

    /// The narrow steps that start at the cell with index `i`, and their distances in units.
    pub(super) fn narrow_steps(&self, i: usize) -> impl Iterator<Item = (Step, u32)> {
        let (scale, mut rest) = (self.scale, bits(self.steps[i]));
        std::iter::from_fn(move || {
            let step = *Step::ALL.get((rest.trailing_zeros() / BITS_PER_STEP) as usize)?;
            let mark = NO_MARK - field(rest, step);
            rest &= !(u64::from(NO_MARK) << (step as u32 * BITS_PER_STEP));
            Some((step, scale.at_mark(mark)))
        })
    }

    /// The distance of a step between two cells of the grid, in units.
    pub(super) fn step_units(&self, start: Cell, step: Step) -> u32 {
        let field = field(bits(self.steps[self.slot(start)]), step);
        let mark = self.scale.at_mark(NO_MARK - field);
        mark.min(self.end_units(start, step))
    }

    /// The smaller distance of the two ends of a step of the grid, in units.
    fn end_units(&self, start: Cell, step: Step) -> u32 {
        let end = self.slot(step.end(start));
        units_of(self.centers[self.slot(start)].min(self.centers[end]))
    }

    /// Lowers the distance of a step of the grid to at most `units`. Nothing changes if `units` is the cap or more.
    /// This needs a check, since the last mark may lie below the cap.
    pub(super) fn limit_step_units(&mut self, start: Cell, step: Step, units: u32) {
        if units >= self.scale.units(self.cap) {
            return;
        }
        let mark = self.scale.mark(units);
        let lower = NO_MARK - mark;
        let units = self.scale.at_mark(mark);
        let word = &self.steps[self.slot(start)];
        if lower > field(bits(*word), step) && units < self.end_units(start, step) {
            let i = self.slot(start);
            set_field(&mut self.steps[i], step, lower);
        }
    }

    /// Removes the marks of all steps that start or end in a rectangle of the grid.
    pub(super) fn drop_marks_in(&mut self, rect: CellRect) {
        for y in rect.min.y..rect.max.y {
            let cells = self.row_of(y, rect);
            self.steps[cells].fill(NO_NARROW_STEPS);
        }
        for start in starts_beside(rect, self.rect()) {
            let i = self.slot(start);
            if self.steps[i] != NO_NARROW_STEPS {
                let steps = Step::ALL.into_iter();
                let into = steps.filter(|step| rect.contains(step.end(start)));
                into.for_each(|step| set_field(&mut self.steps[i], step, 0));
            }
        }
    }

    /// Removes the vain marks of all steps that start or end in a rectangle of the grid. A mark is vain if at least one
    /// end of its step has no greater distance than the mark.
    pub(super) fn drop_vain_marks_in(&mut self, rect: CellRect) {
        for y in rect.min.y..rect.max.y {
            let row = self.row_of(y, rect);
            if !are_plain(&self.steps[row]) {
                (rect.min.x..rect.max.x).for_each(|x| self.drop_vain_marks_of(Cell::new(x, y)));
            }
        }
        starts_beside(rect, self.rect()).for_each(|start| self.drop_vain_marks_of(start));
    }

    #[inline]
    fn drop_vain_marks_of(&mut self, start: Cell) {
        let i = self.slot(start);
        if self.steps[i] == NO_NARROW_STEPS {
            return;
        }
        for step in Step::ALL {
            let narrow = self.narrow(start, step);
            if narrow.is_some_and(|units| units >= self.end_units(start, step)) {
                set_field(&mut self.steps[i], step, 0);
            }
        }
    }

    /// The least mark of the sides and diagonals of the square whose lowest corner has index `i`, in units.
    /// `None` if none of them has a mark.
    pub(super) fn least_mark_around(&self, i: usize) -> Option<u32> {
        let max_field = self.fields_around(i).into_iter().fold(0, u32::max);
        (max_field > 0).then(|| self.scale.at_mark(NO_MARK - max_field))
    }

    /// The distances along the sides and diagonals of the square whose lowest corner has index `i`, in cells.
    /// They are in this order: left, right, bottom, top, the diagonal that rises from the lowest corner, the
    /// falling diagonal.
    pub(crate) fn around_square(&self, i: usize) -> [f32; 6] {
        let width = self.width as usize;
        let low = &self.centers[i..i + 2];
        let high = &self.centers[i + width..i + width + 2];
        let [a, b, c, d] = [low[0], low[1], high[0], high[1]].map(|code| self.scale.decode(code));
        let ends = [a.min(c), b.min(d), a.min(b), c.min(d), a.min(d), b.min(c)];
        let fields = self.fields_around(i);
        if fields.iter().fold(0, |all, field| all | field) == 0 {
            return ends;
        }
        let mut least = fields.map(|field| self.scale.cells(self.scale.at_mark(NO_MARK - field)));
        for (least, ends) in least.iter_mut().zip(ends) {
            *least = if *least < ends { *least } else { ends };
        }
        least
    }

    /// The [fields](field) of the sides and diagonals of a square, in the order of
    /// [`around_square`](Self::around_square). At most four bytes of each word are read.
    fn fields_around(&self, i: usize) -> [u32; 6] {
        let words = &self.steps[i..i + 2];
        let ([a, b, c, d, _], [_, f, g, h, k]) = (words[0], words[1]);
        let [l, m, ..] = self.steps[i + self.width as usize];
        let here = u64::from(u32::from_le_bytes([a, b, c, d]));
        let right = u64::from(u32::from_le_bytes([f, g, h, k])) << 8;
        let above = u64::from(u16::from_le_bytes([l, m]));
        [
            field(here, Step::PlusY),
            field(right, Step::PlusY),
            field(here, Step::PlusX),
            field(above, Step::PlusX),
            field(here, Step::PlusXPlusY),
            field(right, Step::MinusXPlusY),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn setting_one_step_leaves_the_other_steps_unchanged() {
        for own in Step::ALL {
            let mut word = [0; 5];
            set_field(&mut word, own, NO_MARK);
            for step in Step::ALL {
                let expected = if step == own { NO_MARK } else { 0 };
                assert_eq!(field(bits(word), step), expected, "{own:?}, {step:?}");
            }
            assert!(!are_plain(&[[0; 5], word]));
            set_field(&mut word, own, 7);
            assert_eq!(field(bits(word), own), 7);
            set_field(&mut word, own, 0);
            assert!(are_plain(&[word]));
        }
    }
}
