//! Fields without obstacles, and obstacles that are added one distance at a time.

use super::field::{Clearance, Step};
use super::scale::{Scale, code_of};
use crate::cell::{Cell, CellRect, Size};
use crate::grid_error::GridError;

impl Clearance {
    /// A field without obstacles: every distance is `cap`.
    ///
    /// `cap`, in cells, is the largest distance that the field stores, so it is also the largest radius of a
    /// body. It is clamped to 1..=1024 and rounded up to a distance that a center can store exactly. NaN is
    /// treated as 1.
    ///
    /// # Errors
    ///
    /// Returns [`GridError::Empty`] or [`GridError::TooLarge`], as a grid of that size does.
    pub fn open(width: u32, height: u32, cap: f32) -> Result<Self, GridError> {
        let cells = Size::of(width, height)?.cell_count();
        let (scale, cap) = Scale::of(clamp_cap(cap));
        let farthest = code_of(scale.units(cap));
        let centers = vec![farthest; cells].into_boxed_slice();
        let mut open = Self::plain(width, height, (scale, cap), centers);
        open.measure_plain_squares(open.rect());
        Ok(open)
    }

    /// Records an obstacle at most `distance` cells from the center of `cell`, and so from all steps at that
    /// center. Negative distances and NaN are treated as 0. A cell outside the grid is ignored.
    ///
    /// Lowering one cell to 0 does not add a wall: its neighbors keep their distances, and bodies would pass too
    /// close. To add an obstacle, lower the distances of all centers that are less than the cap away from it. For
    /// walls that fill cells, use [`LiveMap::fill`](crate::LiveMap::fill).
    pub fn limit_center(&mut self, cell: Cell, distance: f32) {
        if !self.rect().contains(cell) {
            return;
        }
        let i = self.slot(cell);
        let code = code_of(self.scale.units(distance));
        if code >= self.centers[i] {
            return;
        }
        self.centers[i] = code;
        let rect = CellRect::new(cell, cell.offset(1, 1));
        self.drop_vain_marks_in(rect);
        self.measure_squares_around(rect);
    }

    /// Records an obstacle at most `distance` cells from some point of the step that starts at the center of
    /// `cell`. Negative distances and NaN are treated as 0. A step that does not exist is ignored.
    ///
    /// This is needed only for steps that come closer to an obstacle than both of their ends. Every plain square wall
    /// has such steps: the diagonals that pass its corners. A step is already limited by the distances of its ends,
    /// which are stored more precisely than `distance`. Centers and steps can be lowered in any order.
    pub fn limit_step(&mut self, cell: Cell, step: Step, distance: f32) {
        if self.has_step(cell, step) {
            self.limit_step_units(cell, step, self.scale.units(distance));
            self.measure_squares_around(CellRect::new(cell, cell.offset(1, 1)));
        }
    }
}

/// Clamps a cap to the bounds that [`Clearance::open`] documents.
pub(super) fn clamp_cap(cap: f32) -> f32 {
    if cap.is_nan() {
        1.0
    } else {
        cap.clamp(1.0, 1024.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_distance_of_an_open_field_is_the_cap_inside_the_grid_and_0_outside() {
        let open = Clearance::open(3, 2, 4.0).unwrap();
        for cell in open.rect().cells() {
            assert_eq!(open.center(cell), 4.0);
            for step in Step::ALL {
                let inside = open.rect().contains(step.end(cell));
                assert_eq!(open.step(cell, step), if inside { 4.0 } else { 0.0 });
            }
        }
        assert_eq!(open.center(Cell::new(3, 0)), 0.0);
        assert_eq!(open.step(Cell::new(-1, 0), Step::PlusX), 0.0);
    }

    #[test]
    fn empty_and_too_large_fields_are_errors() {
        let (width, height) = (0, 2);
        let empty = GridError::Empty { width, height };
        assert_eq!(Clearance::open(0, 2, 4.0), Err(empty));
        let huge = Clearance::open(1 << 15, 1 << 14, 4.0);
        assert!(matches!(huge, Err(GridError::TooLarge { .. })));
    }

    #[test]
    fn caps_are_clamped_and_nan_counts_as_one() {
        for (given, cap) in [
            (f32::NAN, 1.0),
            (-3.0, 1.0),
            (0.0, 1.0),
            (2.5, 2.5),
            (f32::INFINITY, 1024.0),
        ] {
            assert_eq!(Clearance::open(1, 1, given).unwrap().cap(), cap);
        }
    }

    #[test]
    fn nan_and_negative_distances_count_as_zero() {
        let mut field = Clearance::open(2, 2, 4.0).unwrap();
        field.limit_center(Cell::new(0, 0), f32::NAN);
        field.limit_step(Cell::new(1, 0), Step::PlusY, -1.0);
        field.limit_center(Cell::new(7, 7), 1.0);
        field.limit_step(Cell::new(-1, 0), Step::PlusX, 1.0);
        assert_eq!(field.center(Cell::new(0, 0)), 0.0);
        assert_eq!(field.step(Cell::new(1, 0), Step::PlusY), 0.0);
        assert_eq!(field.center(Cell::new(1, 0)), 4.0);
    }
}
