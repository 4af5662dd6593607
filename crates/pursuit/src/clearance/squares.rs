//! The clearance of the unit squares between four cell centers, one byte each. Checks of lines of sight read little
//! besides these bytes.

use super::field::Clearance;
use super::steps;
use crate::cell::{Cell, CellRect};

/// Number of steps per cell in which the byte of a square counts. All distances of 255 steps or more have the same
/// byte.
const STEPS_PER_CELL: f32 = 64.0;

/// The smallest byte of a square whose sides and diagonals are all at least `distance` cells from any
/// obstacle. `None` if no byte stands for such a distance.
pub(crate) fn least_byte(distance: f32) -> Option<u8> {
    // This rounds up. It is faster than `ceil`, which is a function call where the processor has no instruction for
    // it.
    let steps = distance * STEPS_PER_CELL;
    let cut = steps as i32;
    let steps = cut.saturating_add(i32::from(steps > cut as f32));
    u8::try_from(steps.max(0)).ok()
}

/// The least distance that a byte stands for, in cells.
pub(crate) fn byte_distance(byte: u8) -> f32 {
    f32::from(byte) / STEPS_PER_CELL
}

impl Clearance {
    /// The bytes of the unit squares, each at the index of the square's lowest corner. A byte is the least
    /// distance along the sides and diagonals of the square, as a number of 1/64 cells, rounded down. It is 0 if the
    /// lowest corner is in the last column or row.
    pub(crate) fn squares(&self) -> &[u8] {
        &self.squares
    }

    /// Computes the bytes of the squares whose lowest corners are in a rectangle of the grid.
    pub(super) fn measure_squares(&mut self, rect: CellRect) {
        let rect = self.measure_plain_squares(rect);
        for y in rect.min.y..rect.max.y {
            let row = self.row_of(y, rect);
            // The squares also have steps in the next column and in the next row.
            let above = row.start + self.width as usize..row.end + self.width as usize;
            let words = &self.steps[row.start..row.end + 1];
            if steps::are_plain(words) && steps::are_plain(&self.steps[above]) {
                continue;
            }
            for i in row {
                if let Some(least) = self.least_mark_around(i) {
                    self.squares[i] = self.squares[i].min(self.scale.byte(least));
                }
            }
        }
    }

    /// Computes the bytes of all squares with a corner in a rectangle, or with a step that ends there.
    pub(super) fn measure_squares_around(&mut self, rect: CellRect) {
        self.measure_squares(rect.grow(1).intersect(&self.rect()));
    }

    /// Computes the bytes of the squares in `rect` from their four corners alone. This is exact if no side or
    /// diagonal of a square is closer to an obstacle than the nearest of the four corners is. Returns the part of
    /// `rect` that has squares.
    pub(super) fn measure_plain_squares(&mut self, rect: CellRect) -> CellRect {
        let last = self.rect().max.offset(-1, -1);
        let rect = rect.intersect(&CellRect::new(Cell::new(0, 0), last));
        for y in rect.min.y..rect.max.y {
            let row = self.row_of(y, rect);
            let above = row.start + self.width as usize;
            let codes = [row.start, above].map(|first| &self.centers[first..=first + row.len()]);
            self.scale.bytes(codes, &mut self.squares[row]);
        }
        rect
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::field::Step;
    use super::*;

    proptest! {
        #[test]
        fn bytes_equal_the_least_step_after_every_edit(
            (width, height) in (1..7_u32, 1..7_u32),
            cap in prop_oneof![Just(4.0), 1.0..5.0_f32, 500.0..1024.0_f32],
            edits in prop::collection::vec((0..6_usize, -2..8_i32, -2..8_i32, 0.0..5.0_f32), 1..40),
        ) {
            let mut field = Clearance::open(width, height, cap).unwrap();
            for (kind, x, y, distance) in edits {
                let cell = Cell::new(x, y);
                match kind {
                    0 => field.reset(CellRect::new(cell, cell.offset(2, 3))),
                    1 => field.limit_center(cell, distance),
                    _ => field.limit_step(cell, Step::ALL[kind - 2], distance),
                }
                for corner in field.rect().cells() {
                    let byte = field.squares[field.slot(corner)];
                    if !field.rect().contains(corner.offset(1, 1)) {
                        prop_assert_eq!(byte, 0);
                        continue;
                    }
                    let [right, above] = [corner.offset(1, 0), corner.offset(0, 1)];
                    let around = [
                        field.step(corner, Step::PlusX),
                        field.step(corner, Step::PlusY),
                        field.step(corner, Step::PlusXPlusY),
                        field.step(right, Step::PlusY),
                        field.step(right, Step::MinusXPlusY),
                        field.step(above, Step::PlusX),
                    ];
                    let least = around.into_iter().fold(f32::INFINITY, f32::min);
                    prop_assert_eq!(byte, (least * STEPS_PER_CELL) as u8, "{} of {}", corner, least);
                }
                let mut anew = field.clone();
                anew.squares.fill(0);
                anew.measure_squares(anew.rect());
                prop_assert_eq!(&field, &anew);
            }
        }

        #[test]
        fn bytes_are_rounded_down_by_less_than_two_steps(distance in 0.0..4.0_f32, needed in 0.0..6.0_f32) {
            let mut field = Clearance::open(2, 2, 4.0).unwrap();
            field.limit_center(Cell::new(0, 0), distance);
            let passes = least_byte(needed).is_some_and(|least| field.squares[0] >= least);
            prop_assert!(!passes || distance >= needed);
            prop_assert!(passes || distance < needed + 2.0 / STEPS_PER_CELL || needed > 3.9);
        }
    }

    #[test]
    fn whole_steps_below_256_fit_into_a_byte_exactly() {
        let mut field = Clearance::open(2, 2, 4.0).unwrap();
        for steps in (0..=255_u8).rev() {
            let distance = f32::from(steps) / STEPS_PER_CELL;
            field.limit_center(Cell::new(1, 1), distance);
            assert_eq!(field.squares[0], steps);
            assert_eq!(least_byte(distance), Some(steps));
        }
        assert_eq!(least_byte(4.0), None);
    }
}
