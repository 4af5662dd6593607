//! One byte per unit square between four cell centers, which says how clear the square is. A line of
//! sight reads little else.

use super::{Clearance, Step};
use crate::cell::Cell;

/// Steps of a byte in a cell. Distances from 255 steps up are not told apart.
const STEPS_PER_CELL: f32 = 64.0;

/// The least distance along the sides and diagonals of a square, in steps, rounded down.
pub(super) fn bound(distance: f32) -> u8 {
    (distance * STEPS_PER_CELL) as u8
}

/// The least byte of a square whose sides and diagonals are all at least `distance` cells from any
/// obstacle; `None` where no byte says so much.
pub(crate) fn least_byte(distance: f32) -> Option<u8> {
    let steps = (distance * STEPS_PER_CELL).ceil();
    (steps <= f32::from(u8::MAX)).then_some(steps as u8)
}

impl Clearance {
    /// The squares' bytes, each in the place of its corner with the smallest coordinates; 0 where
    /// that corner is in the last column or row.
    pub(crate) fn squares(&self) -> &[u8] {
        &self.squares
    }

    /// Says that the square with the lowest corner `corner` is no clearer than `distance`.
    pub(super) fn lower_square(&mut self, corner: Cell, distance: f32) {
        if self.has_square(corner) {
            let i = self.slot(corner);
            self.squares[i] = self.squares[i].min(bound(distance));
        }
    }

    /// Says the same of the squares on both sides of a step.
    pub(super) fn lower_squares_beside(&mut self, cell: Cell, step: Step, distance: f32) {
        match step {
            Step::PlusX => {
                self.lower_square(cell, distance);
                self.lower_square(cell.offset(0, -1), distance);
            }
            Step::PlusY => {
                self.lower_square(cell, distance);
                self.lower_square(cell.offset(-1, 0), distance);
            }
            Step::PlusXPlusY => self.lower_square(cell, distance),
            Step::MinusXPlusY => self.lower_square(cell.offset(-1, 0), distance),
        }
    }

    /// Finds the byte of the square with the lowest corner `corner`, a cell of the grid, anew.
    pub(super) fn measure_square(&mut self, corner: Cell) {
        if !self.has_square(corner) {
            return;
        }
        let i = self.slot(corner);
        let [bottom, left, rising, _] = self.steps[i];
        let right = self.steps[i + 1][Step::PlusY as usize];
        let falling = self.steps[i + 1][Step::MinusXPlusY as usize];
        let top = self.steps[i + self.width as usize][Step::PlusX as usize];
        let sides = bottom.min(left).min(right.min(top));
        self.squares[i] = bound(sides.min(rising.min(falling)));
    }

    fn has_square(&self, corner: Cell) -> bool {
        0 <= corner.x
            && corner.x < self.width as i32 - 1
            && 0 <= corner.y
            && corner.y < self.height as i32 - 1
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cell::CellRect;

    proptest! {
        #[test]
        fn edits_keep_the_bytes_that_the_steps_ask_for(
            (width, height) in (1..7_u32, 1..7_u32),
            edits in prop::collection::vec((0..6_usize, -2..8_i32, -2..8_i32, 0.0..5.0_f32), 1..40),
        ) {
            let mut field = Clearance::open(width, height, 4.0).unwrap();
            for (kind, x, y, distance) in edits {
                let cell = Cell::new(x, y);
                match kind {
                    0 => field.reset(CellRect::new(cell, cell.offset(2, 3))),
                    1 => field.lower_center(cell, distance),
                    _ => field.lower_step(cell, Step::ALL[kind - 2], distance),
                }
                let mut anew = field.clone();
                anew.squares.fill(0);
                field.rect().cells().for_each(|corner| anew.measure_square(corner));
                prop_assert_eq!(&field, &anew);
            }
        }

        #[test]
        fn a_byte_never_says_more_than_is_known(distance in 0.0..6.0_f32, needed in 0.0..6.0_f32) {
            let passes = least_byte(needed).is_some_and(|least| bound(distance) >= least);
            prop_assert!(!passes || distance >= needed);
            prop_assert!(passes || distance < needed + 2.0 / STEPS_PER_CELL || needed > 3.9);
        }
    }

    #[test]
    fn a_distance_is_enough_for_itself_where_a_byte_holds_it() {
        for steps in 0..=255 {
            let distance = steps as f32 / STEPS_PER_CELL;
            assert_eq!(least_byte(distance), Some(bound(distance)));
        }
        assert_eq!(least_byte(4.0), None);
    }
}
