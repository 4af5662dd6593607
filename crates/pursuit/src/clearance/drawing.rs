//! Replaces the obstacles in a part of a field, or copies a part from another field.

use super::field::{Clearance, Step};
use super::scale::code_of;
use crate::cell::{Cell, CellRect};

/// A rectangle of a field whose obstacles are being replaced: see [`Clearance::replace_obstacles`].
#[derive(Debug)]
pub struct Drawing<'a> {
    field: &'a mut Clearance,
    rect: CellRect,
}

impl Clearance {
    /// Replaces all obstacles of a rectangle. First, the old ones are removed as by [`reset`](Self::reset). Then
    /// `draw` adds the new ones, including those near the steps that lead out of `rect`. The result is the same
    /// as after single calls of [`limit_center`](Self::limit_center) and [`limit_step`](Self::limit_step), but
    /// takes less time. Parts of `rect` outside the grid are ignored.
    ///
    /// ```
    /// use pursuit::Step;
    /// use pursuit::{Cell, CellRect, Clearance};
    ///
    /// let mut field = Clearance::open(8, 8, 4.0)?;
    /// let rect = CellRect::new(Cell::new(2, 2), Cell::new(5, 3));
    /// field.replace_obstacles(rect, |drawing| {
    ///     drawing.limit_row(Cell::new(2, 2), [1.0, 0.5, 1.0].into_iter());
    ///     drawing.limit_step(Cell::new(3, 2), Step::PlusX, 0.25);
    /// });
    /// assert_eq!(field.center(Cell::new(4, 2)), 1.0);
    /// assert_eq!(field.step(Cell::new(3, 2), Step::PlusX), 0.25);
    /// # Ok::<(), pursuit::GridError>(())
    /// ```
    pub fn replace_obstacles(&mut self, rect: CellRect, draw: impl FnOnce(&mut Drawing<'_>)) {
        let rect = rect.intersect(&self.rect());
        if rect.is_empty() {
            return;
        }
        let farthest = code_of(self.scale.units(self.cap));
        for y in rect.min.y..rect.max.y {
            let row = self.row_of(y, rect);
            self.centers[row].fill(farthest);
        }
        self.drop_marks_in(rect);
        draw(&mut Drawing { field: self, rect });
        self.drop_vain_marks_in(rect);
        self.measure_squares_around(rect);
    }

    /// Removes all obstacles near the centers in `rect` and near the steps that start or end in it. The
    /// distances of the centers become the cap, and the distance of each step becomes the distance of its
    /// nearer end. Parts of `rect` outside the grid are ignored.
    ///
    /// When you add obstacles again, also lower the distances of the steps that lead out of `rect`. Resetting the
    /// cell of a wall does not remove the wall, since its neighbors keep their distances to it. For walls that
    /// fill cells, use [`LiveMap::fill`](crate::LiveMap::fill).
    pub fn reset(&mut self, rect: CellRect) {
        self.replace_obstacles(rect, |_| {});
    }

    /// Copies distances from another field: the centers in `rect`, and the steps that start or end in `rect`.
    /// `origin` is the cell of this field on which the other field's cell (0, 0) lies. Parts of `rect`
    /// outside either field are ignored.
    ///
    /// This inserts a part of a map that was computed separately. The steps that lead out of `rect` are
    /// copied as well, so `from` must extend one cell beyond `rect`, except where this field ends. Both
    /// fields should have the same [cap](Self::cap): otherwise a distance that means "this far or farther" in
    /// `from` is copied as exactly that far.
    pub fn paste(&mut self, from: &Self, origin: Cell, rect: CellRect) {
        let end = origin.offset(from.width as i32, from.height as i32);
        let rect = rect.intersect(&CellRect::new(origin, end));
        let rect = rect.intersect(&self.rect());
        self.replace_obstacles(rect, |drawing| drawing.paste(from, origin));
    }

    /// Copies the centers in `rect`, the steps at these centers and the squares around them from `newer`. This is all
    /// that can change when `rect` is [reset](Self::reset) and distances of its centers and steps are then lowered.
    /// If two fields differed only by such edits, they are equal afterwards. Parts of `rect` outside the grid are
    /// ignored. If the size or the cap differs, `self` becomes a copy of `newer`.
    pub(crate) fn copy_from(&mut self, newer: &Self, rect: CellRect) {
        if (self.width, self.height, self.cap) != (newer.width, newer.height, newer.cap) {
            *self = newer.clone();
            return;
        }
        let rect = rect.intersect(&self.rect());
        let around = rect.grow(2).intersect(&self.rect());
        for y in around.min.y..around.max.y {
            let row = self.row_of(y, around);
            let (centers, steps) = (&newer.centers[row.clone()], &newer.steps[row.clone()]);
            self.centers[row.clone()].copy_from_slice(centers);
            self.steps[row.clone()].copy_from_slice(steps);
            self.squares[row.clone()].copy_from_slice(&newer.squares[row]);
        }
    }
}

impl Drawing<'_> {
    fn paste(&mut self, from: &Clearance, origin: Cell) {
        let there = |cell: Cell| {
            let [x, y] =
                [(cell.x, origin.x), (cell.y, origin.y)].map(|(at, o)| at.saturating_sub(o));
            Cell::new(x, y)
        };
        let (rect, around) = (self.rect, self.rect.grow(1));
        for y in rect.min.y..rect.max.y {
            let row = (rect.min.x..rect.max.x).map(|x| from.center(there(Cell::new(x, y))));
            self.limit_row(Cell::new(rect.min.x, y), row);
        }
        for y in around.min.y..around.max.y {
            for cell in (around.min.x..around.max.x).map(|x| Cell::new(x, y)) {
                let start = there(cell);
                if from.rect().contains(start) {
                    // The step is already limited by the distances of its ends.
                    for (step, units) in from.narrow_steps(from.slot(start)) {
                        self.limit_step(cell, step, from.scale.cells(units));
                    }
                }
            }
        }
    }

    /// The rectangle whose obstacles are being replaced.
    #[must_use]
    pub fn rect(&self) -> CellRect {
        self.rect
    }

    /// The rectangle of all cells of the field.
    #[must_use]
    pub fn grid(&self) -> CellRect {
        self.field.rect()
    }

    /// The [`cap`](Clearance::cap) of the field, in cells.
    #[must_use]
    pub fn cap(&self) -> f32 {
        self.field.cap()
    }

    /// The [`resolution`](Clearance::resolution) of the field, in cells.
    #[must_use]
    pub fn resolution(&self) -> f32 {
        self.field.resolution()
    }

    /// The current distance of a step, in cells: see [`Clearance::step`].
    #[must_use]
    pub fn step(&self, cell: Cell, step: Step) -> f32 {
        self.field.step(cell, step)
    }

    /// Lowers the distances of neighboring centers in a row to at most `distances`, in cells. The leftmost center is
    /// `first`. Negative distances and NaN are treated as 0. Cells outside the rectangle are ignored.
    pub fn limit_row(&mut self, first: Cell, distances: impl ExactSizeIterator<Item = f32>) {
        let count = i32::try_from(distances.len()).unwrap_or(i32::MAX);
        let row = CellRect::new(first, first.offset(count, 1)).intersect(&self.rect);
        if row.is_empty() {
            return;
        }
        let (scale, slots) = (self.field.scale, self.field.row_of(first.y, row));
        let distances = distances.skip((row.min.x - first.x) as usize);
        for (center, distance) in self.field.centers[slots].iter_mut().zip(distances) {
            *center = code_of(scale.units(distance)).min(*center);
        }
    }

    /// Does the same as [`Clearance::limit_step`] for a step that starts or ends in the rectangle. Other steps
    /// are ignored.
    pub fn limit_step(&mut self, cell: Cell, step: Step, distance: f32) {
        let is_drawn = self.rect.contains(cell) || self.rect.contains(step.end(cell));
        if is_drawn && self.field.has_step(cell, step) {
            let units = self.field.scale.units(distance);
            self.field.limit_step_units(cell, step, units);
        }
    }
}
