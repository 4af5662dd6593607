//! The grid that a body of one radius can walk on, and the widest body that gets from one cell to
//! another.
//!
//! Each cell has a *width*: the radius of the largest body that may walk on it. It is the distance at
//! the cell's center, unless a step at the cell is narrower than both of its ends. Then one of the two
//! ends has to go, and its width is that of the step:
//!
//! ```text
//!    0.9   0.4   0.7      distances at two centers, and along the step between them
//!     o-----+-----o
//!    0.9         0.4      widths: the end with less room gives way
//! ```
//!
//! A body of radius `r` walks on the cells of width `r` and more. So what a larger body can walk, a
//! smaller one can; and what a cell's width is follows from the distances around it alone.

use std::collections::BinaryHeap;

use super::{Clearance, Step, TOLERANCE};
use crate::cell::{Cell, DiagonalPolicy};
use crate::grid::Grid;

impl Clearance {
    /// The cells on which a disc of `radius` cells can stand, so chosen that it touches no obstacle
    /// along any step that `diagonals` allows between two of them: those of that
    /// [width](Self::width_at) or more.
    ///
    /// [`TOLERANCE`] is granted everywhere. With a radius of 0 or less, all cells are free whose
    /// distance is above 0, and no step is looked at. A radius above the [cap](Clearance::cap) fits
    /// nowhere. The grid's costs are 1, its generation is 0.
    ///
    /// Walls that fill whole cells leave no unsafe step up to a radius of 0.5 under
    /// [`Never`](DiagonalPolicy::Never) and [`NoCornerCut`](DiagonalPolicy::NoCornerCut). The other
    /// policies allow steps that touch a wall's corner, and so make sense for a radius of 0 only:
    /// above that, cells beside such corners are dropped.
    #[must_use]
    pub fn walkable(&self, radius: f32, diagonals: DiagonalPolicy) -> Grid {
        let row_words = self.width as usize / 64 + 1;
        // Cells of this row and of the next that give way to an end of a narrow step.
        let mut dropped = [vec![0_u64; row_words], vec![0; row_words]];
        Grid::from_words_fn(self.width, self.height, |y, words| {
            self.fitting(y, radius, words);
            if radius > TOLERANCE {
                self.drop_narrow_ends(y, radius, diagonals, &mut dropped);
                let row = words.iter_mut().zip(&mut dropped[0]);
                row.for_each(|(word, dropped)| *word &= !std::mem::take(dropped));
                dropped.swap(0, 1);
            }
        })
        .expect("invariant: a clearance field has the size of a grid")
    }

    /// The radius of the largest body that may walk on a cell, in cells; 0 outside of the grid.
    ///
    /// It is the distance at the cell's center, or less: where a step is narrower than both of its
    /// ends, the end with the smaller distance is as wide as the step; of two about equal ones, the
    /// one with the higher index. Straight steps count always. A diagonal one counts if the cells that
    /// it passes between have more room than it has, both or one of them as `diagonals` says: else no
    /// body takes it that does not fit through.
    #[must_use]
    pub fn width_at(&self, cell: Cell, diagonals: DiagonalPolicy) -> f32 {
        let mut width = self.center(cell);
        for step in Step::ALL {
            let (dx, dy) = step.offset();
            for start in [cell, cell.offset(-dx, -dy)] {
                let narrow = self.step(start, step);
                let counts = self.rect().contains(start)
                    && self.rect().contains(step.end(start))
                    && self.counts(start, step, diagonals);
                if counts && narrow < width && self.gives_way(start, step) == cell {
                    width = narrow;
                }
            }
        }
        width
    }

    /// The radius of the largest body that can walk from one cell to another, in cells, exact up to
    /// [`TOLERANCE`]: [`walkable`](Self::walkable) joins the cells up to that radius and not beyond.
    /// `None` if not even a point can. At most the [cap](Self::cap).
    ///
    /// Looks at the widest cells first, each at most once (Pollack, 1960: the maximum capacity through a
    /// network).
    #[must_use]
    pub fn widest_radius(&self, from: Cell, to: Cell, diagonals: DiagonalPolicy) -> Option<f32> {
        let has_room = |cell: Cell| self.center(cell) > 0.0;
        if !has_room(from) || !has_room(to) {
            return None;
        }
        let mut seen = vec![0_u64; self.centers.len().div_ceil(64)];
        let mut is_new = |i: usize| {
            let (word, bit) = (&mut seen[i / 64], 1 << (i % 64));
            let is_new = *word & bit == 0;
            *word |= bit;
            is_new
        };
        // Widths are not negative: their bits are in the order of the numbers.
        let key = |cell: Cell| self.width_at(cell, diagonals).to_bits();
        let mut open = BinaryHeap::from([(key(from), self.slot(from))]);
        is_new(self.slot(from));
        let mut widest = f32::INFINITY;
        while let Some((width, i)) = open.pop() {
            widest = widest.min(f32::from_bits(width));
            let width = self.width as usize;
            let cell = Cell::new((i % width) as i32, (i / width) as i32);
            if cell == to {
                return Some(widest);
            }
            for step in Step::ALL {
                let (dx, dy) = step.offset();
                // Other policies replace a diagonal step by two straight ones.
                if dx != 0 && dy != 0 && diagonals != DiagonalPolicy::Always {
                    continue;
                }
                for next in [cell.offset(dx, dy), cell.offset(-dx, -dy)] {
                    if has_room(next) && is_new(self.slot(next)) {
                        open.push((key(next), self.slot(next)));
                    }
                }
            }
        }
        None
    }

    /// The bits of the cells of a row whose centers have room for the body.
    fn fitting(&self, y: u32, radius: f32, words: &mut [u64]) {
        let row = self.width as usize;
        let centers = &self.centers[y as usize * row..(y as usize + 1) * row];
        for (word, centers) in words.iter_mut().zip(centers.chunks(64)) {
            *word = centers.iter().rev().fold(0, |bits, &center| {
                bits << 1 | u64::from(center > 0.0 && center + TOLERANCE >= radius)
            });
        }
    }

    /// Marks the ends that give way of all steps which start in a row and are too narrow for the body:
    /// in this row, and in the next.
    fn drop_narrow_ends(
        &self,
        y: u32,
        radius: f32,
        diagonals: DiagonalPolicy,
        dropped: &mut [Vec<u64>; 2],
    ) {
        let row = y as usize * self.width as usize;
        let is_narrow = |step: f32| step + TOLERANCE < radius;
        // Then an end that gives way to it has none, either.
        let has_no_room = |center: f32| is_narrow(center + TOLERANCE);
        for x in 0..self.width as usize {
            let steps = &self.steps[row + x];
            let least = steps[0].min(steps[1]).min(steps[2].min(steps[3]));
            if !is_narrow(least) || has_no_room(self.centers[row + x]) {
                continue;
            }
            let start = Cell::new(x as i32, y as i32);
            for step in Step::ALL {
                let is_inside = self.rect().contains(step.end(start));
                let narrow = is_inside && is_narrow(steps[step as usize]);
                if narrow && self.counts(start, step, diagonals) {
                    let cell = self.gives_way(start, step);
                    dropped[(cell.y - start.y) as usize][cell.x as usize / 64] |=
                        1 << (cell.x % 64);
                }
            }
        }
    }

    /// Whether some body that is too large for a step of the grid would take it: a straight one always,
    /// a diagonal one if there is more room beside it.
    fn counts(&self, start: Cell, step: Step, diagonals: DiagonalPolicy) -> bool {
        let (dx, dy) = step.offset();
        if dx == 0 || dy == 0 {
            return true;
        }
        let narrow = self.step(start, step);
        let [one, other] =
            [start.offset(dx, 0), start.offset(0, dy)].map(|beside| self.center(beside) > narrow);
        diagonals.allows(one, other)
    }

    /// The end of a step of the grid that is given up if the step is too narrow.
    fn gives_way(&self, start: Cell, step: Step) -> Cell {
        let end = step.end(start);
        // The end has the higher index.
        if self.center(start) + TOLERANCE < self.center(end) {
            start
        } else {
            end
        }
    }
}
