//! Fields without obstacles, and obstacles said one distance at a time.

use super::field::{Clearance, Step};
use super::scale::{Scale, code_of, units_of};
use crate::cell::Cell;
use crate::cell::Size;
use crate::grid_error::GridError;

impl Clearance {
    /// A field without obstacles: every distance is `cap`.
    ///
    /// `cap`, in cells, is the largest distance that is told apart from "further", and so the
    /// largest radius that a body can have. It is clamped to 1..=1024, and rounded up to what a center can
    /// say exactly; NaN counts as 1.
    ///
    /// # Errors
    ///
    /// [`GridError::Empty`] and [`GridError::TooLarge`], as for a grid of that size.
    pub fn open(width: u32, height: u32, cap: f32) -> Result<Self, GridError> {
        if width == 0 || height == 0 {
            return Err(GridError::Empty { width, height });
        }
        if !Size::fits(u64::from(width), u64::from(height)) {
            return Err(GridError::TooLarge { width, height });
        }
        let (scale, cap) = Scale::of(clamp_cap(cap));
        let cells = width as usize * height as usize;
        let farthest = code_of(scale.units(cap));
        let centers = vec![farthest; cells].into_boxed_slice();
        let mut open = Self::plain(width, height, (scale, cap), centers);
        open.measure_plain_squares(open.rect());
        Ok(open)
    }

    /// Says that an obstacle is at most `distance` cells from the center of `cell`, and so from all
    /// steps at it. Negative distances and NaN count as 0. Outside of the grid nothing happens.
    ///
    /// To lower one cell to 0 does not add a wall there: its neighbors keep their distances, and bodies pass
    /// too near. Who adds an obstacle lowers all centers up to the cap around it. For walls that fill cells, use
    /// [`LiveMap::fill`](crate::LiveMap::fill).
    pub fn lower_center(&mut self, cell: Cell, distance: f32) {
        if !self.rect().contains(cell) {
            return;
        }
        let i = self.slot(cell);
        let code = code_of(self.scale.units(distance));
        if code >= self.centers[i] {
            return;
        }
        self.centers[i] = code;
        let units = units_of(code);
        self.drop_marks_from(cell, units);
        for (dx, dy) in [(0, 0), (-1, 0), (0, -1), (-1, -1)] {
            self.lower_square(cell.offset(dx, dy), units);
        }
    }

    /// Says that an obstacle is at most `distance` cells from some point of the step that starts at
    /// the center of `cell`. Negative distances and NaN count as 0. Where there is no such step,
    /// nothing happens.
    ///
    /// Needed only for steps that come nearer to an obstacle than both of their ends do. Every plain square
    /// wall has such steps: the diagonals that pass its corners. What the ends say holds for the step already,
    /// and is exact, while `distance` is rounded down. It makes no difference in which order centers and steps
    /// are lowered.
    pub fn lower_step(&mut self, cell: Cell, step: Step, distance: f32) {
        if !self.has_step(cell, step) {
            return;
        }
        if let Some(units) = self.lower_step_units(cell, step, self.scale.units(distance)) {
            self.lower_squares_beside(cell, step, units);
        }
    }
}

/// A cap that is in the bounds that [`Clearance::open`] names.
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
    fn an_open_field_has_the_cap_everywhere_and_no_step_out_of_the_grid() {
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
    fn a_field_without_cells_or_with_too_many_is_refused() {
        let (width, height) = (0, 2);
        let empty = GridError::Empty { width, height };
        assert_eq!(Clearance::open(0, 2, 4.0), Err(empty));
        let huge = Clearance::open(1 << 15, 1 << 14, 4.0);
        assert!(matches!(huge, Err(GridError::TooLarge { .. })));
    }

    #[test]
    fn a_cap_that_means_nothing_is_clamped() {
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
    fn a_distance_that_is_no_number_counts_as_touching() {
        let mut field = Clearance::open(2, 2, 4.0).unwrap();
        field.lower_center(Cell::new(0, 0), f32::NAN);
        field.lower_step(Cell::new(1, 0), Step::PlusY, -1.0);
        field.lower_center(Cell::new(7, 7), 1.0);
        field.lower_step(Cell::new(-1, 0), Step::PlusX, 1.0);
        assert_eq!(field.center(Cell::new(0, 0)), 0.0);
        assert_eq!(field.step(Cell::new(1, 0), Step::PlusY), 0.0);
        assert_eq!(field.center(Cell::new(1, 0)), 4.0);
    }
}
