//! Distances of a part of a field, drawn anew as a whole or taken over from another field.

use super::field::{Clearance, Step};
use super::scale::code_of;
use crate::cell::{Cell, CellRect};

/// A rectangle of a field that is drawn again: see [`Clearance::redraw`].
#[derive(Debug)]
pub struct Drawing<'a> {
    field: &'a mut Clearance,
    rect: CellRect,
}

impl Clearance {
    /// Forgets the obstacles around a rectangle, as [`reset`](Self::reset) does. Then `draw` says which obstacles
    /// there are, also for the steps that lead out of `rect`. The field is as if
    /// [`lower_center`](Self::lower_center) and [`lower_step`](Self::lower_step) had said it, in less time. Parts of
    /// `rect` outside of the grid are ignored.
    ///
    /// ```
    /// use pursuit::Step;
    /// use pursuit::{Cell, CellRect, Clearance};
    ///
    /// let mut field = Clearance::open(8, 8, 4.0)?;
    /// let rect = CellRect::new(Cell::new(2, 2), Cell::new(5, 3));
    /// field.redraw(rect, |drawing| {
    ///     drawing.lower_row(Cell::new(2, 2), [1.0, 0.5, 1.0].into_iter());
    ///     drawing.lower_step(Cell::new(3, 2), Step::PlusX, 0.25);
    /// });
    /// assert_eq!(field.center(Cell::new(4, 2)), 1.0);
    /// assert_eq!(field.step(Cell::new(3, 2), Step::PlusX), 0.25);
    /// # Ok::<(), pursuit::GridError>(())
    /// ```
    pub fn redraw(&mut self, rect: CellRect, draw: impl FnOnce(&mut Drawing<'_>)) {
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
        // A step that leads out of `rect` has a square on each side.
        self.measure_squares(rect.grow(1).intersect(&self.rect()));
    }

    /// Forgets all obstacles around the centers in `rect` and along the steps that start or end in
    /// it. The centers' distances become the cap, the steps' those of their nearer end. Parts of
    /// `rect` outside of the grid are ignored.
    ///
    /// If you put obstacles back, also lower the steps that lead out of `rect`. To reset a wall's cell
    /// does not remove the wall: its neighbors keep their distances to it. For walls that fill cells, use
    /// [`LiveMap::fill`](crate::LiveMap::fill).
    pub fn reset(&mut self, rect: CellRect) {
        self.redraw(rect, |_| {});
    }

    /// Takes over the distances of another field: those of the centers in `rect`, and those of the steps that
    /// start or end there. `origin` is where the cell (0, 0) of that field lies in this one. Parts of `rect`
    /// outside of either field are ignored.
    ///
    /// For a part of a map that was worked out alone, in place of drawing it by hand. The steps that lead out of
    /// `rect` are those of the other field too, so it has to go on for a cell beyond `rect`, unless this field
    /// ends there. Both should have one [cap](Self::cap): else what the other calls "this far or further" is
    /// taken for just as far.
    pub fn take_over(&mut self, from: &Self, origin: Cell, rect: CellRect) {
        let end = origin.offset(from.width as i32, from.height as i32);
        let rect = rect.intersect(&CellRect::new(origin, end));
        let rect = rect.intersect(&self.rect());
        self.redraw(rect, |drawing| drawing.take_over(from, origin));
    }

    /// Takes over from `newer` what it says about the centers in `rect`, the steps at them and the
    /// squares around: all that [`reset`](Self::reset) of `rect`, and lowering its centers and their steps,
    /// can change. Parts of `rect` outside of the grid are ignored. A field of another size or cap
    /// becomes a copy of `newer` as a whole.
    ///
    /// A second copy follows the first with it: where the two are equal but for such edits, they are equal
    /// after it.
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
    fn take_over(&mut self, from: &Clearance, origin: Cell) {
        let there = |cell: Cell| {
            let [x, y] =
                [(cell.x, origin.x), (cell.y, origin.y)].map(|(at, o)| at.saturating_sub(o));
            Cell::new(x, y)
        };
        let (rect, around) = (self.rect, self.rect.grow(1));
        for y in rect.min.y..rect.max.y {
            let row = (rect.min.x..rect.max.x).map(|x| from.center(there(Cell::new(x, y))));
            self.lower_row(Cell::new(rect.min.x, y), row);
        }
        for y in around.min.y..around.max.y {
            for cell in (around.min.x..around.max.x).map(|x| Cell::new(x, y)) {
                // What the ends say holds for a step already.
                let steps = Step::ALL.into_iter();
                for step in steps.filter(|step| from.has_step(there(cell), *step)) {
                    if let Some(units) = from.narrow(there(cell), step) {
                        self.lower_step(cell, step, from.scale.cells(units));
                    }
                }
            }
        }
    }

    /// The cells that are drawn again.
    #[must_use]
    pub fn rect(&self) -> CellRect {
        self.rect
    }

    /// All cells of the field.
    #[must_use]
    pub fn grid(&self) -> CellRect {
        self.field.rect()
    }

    /// The field's [`cap`](Clearance::cap).
    #[must_use]
    pub fn cap(&self) -> f32 {
        self.field.cap()
    }

    /// The field's [`resolution`](Clearance::resolution).
    #[must_use]
    pub fn resolution(&self) -> f32 {
        self.field.resolution()
    }

    /// [`Clearance::step`], as far as it is drawn.
    #[must_use]
    pub fn step(&self, cell: Cell, step: Step) -> f32 {
        self.field.step(cell, step)
    }

    /// Says for cells in a row, from `first` on to the right, that an obstacle is at most so far from their centers,
    /// in cells. Negative distances and NaN count as 0. Cells outside of the rectangle are left out.
    pub fn lower_row(&mut self, first: Cell, distances: impl ExactSizeIterator<Item = f32>) {
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

    /// [`Clearance::lower_step`] for a step that starts or ends in the rectangle. Others are left out.
    pub fn lower_step(&mut self, cell: Cell, step: Step, distance: f32) {
        let is_drawn = self.rect.contains(cell) || self.rect.contains(step.end(cell));
        if is_drawn && self.field.has_step(cell, step) {
            let units = self.field.scale.units(distance);
            self.field.lower_step_units(cell, step, units);
        }
    }
}
