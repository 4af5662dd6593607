//! The grid that a body of one radius can walk on.

use super::{Clearance, Step, TOLERANCE};
use crate::cell::DiagonalPolicy;
use crate::grid::Grid;

impl Clearance {
    /// The cells on which a disc of `radius` cells can stand, so chosen that it touches no obstacle
    /// along any step that `diagonals` allows between two of them.
    ///
    /// A cell is free if its center's distance is above 0 and at least `radius`. Where a step that
    /// is allowed between two free cells has a smaller distance than `radius`, the end with the
    /// smaller distance is dropped; of two about equal ones, the one with the higher index. First
    /// straight steps are looked at, then diagonal ones, row by row. One look at each is enough:
    /// blocking a cell never allows a new step.
    ///
    /// [`TOLERANCE`] is granted everywhere. With a radius of 0 or less no step is looked at. A
    /// radius above the [cap](Clearance::cap) fits nowhere. The grid's costs are 1, its generation
    /// is 0.
    ///
    /// Walls that fill whole cells leave no unsafe step up to a radius of 0.5 under
    /// [`Never`](DiagonalPolicy::Never) and [`NoCornerCut`](DiagonalPolicy::NoCornerCut). The other
    /// policies allow steps that touch a wall's corner, and so make sense for a radius of 0 only:
    /// above that, cells beside such corners are dropped.
    #[must_use]
    pub fn walkable(&self, radius: f32, diagonals: DiagonalPolicy) -> Grid {
        let mut free: Vec<bool> = self
            .centers
            .iter()
            .map(|&center| center > 0.0 && center + TOLERANCE >= radius)
            .collect();
        if radius > TOLERANCE {
            self.drop_unsafe_ends(&mut free, radius, diagonals, false);
            if diagonals != DiagonalPolicy::Never {
                self.drop_unsafe_ends(&mut free, radius, diagonals, true);
            }
        }
        let row = self.width as usize;
        Grid::from_words_fn(self.width, self.height, |y, words| {
            let free = &free[y as usize * row..(y as usize + 1) * row];
            for (word, cells) in words.iter_mut().zip(free.chunks(64)) {
                let bits = cells.iter().rev();
                *word = bits.fold(0, |bits, &free| bits << 1 | u64::from(free));
            }
        })
        .expect("invariant: a clearance field has the size of a grid")
    }

    /// Drops an end of each unsafe step, straight or diagonal, that is allowed between free cells.
    fn drop_unsafe_ends(
        &self,
        free: &mut [bool],
        radius: f32,
        diagonals: DiagonalPolicy,
        diagonal: bool,
    ) {
        let (width, height) = (self.width as usize, self.height as usize);
        let kinds = if diagonal {
            [Step::PlusXPlusY, Step::MinusXPlusY]
        } else {
            [Step::PlusX, Step::PlusY]
        };
        let needed = radius - TOLERANCE;
        for (i, steps) in self.steps.iter().enumerate() {
            let [a, b] = kinds.map(|kind| steps[kind as usize]);
            if a.min(b) >= needed || !free[i] {
                continue;
            }
            let (x, y) = (i % width, i / width);
            for kind in kinds {
                let (dx, dy) = kind.offset();
                let inside =
                    (dx <= 0 || x + 1 < width) && (dx >= 0 || x > 0) && y + (dy as usize) < height;
                if !inside || steps[kind as usize] >= needed {
                    continue;
                }
                let across = i.wrapping_add_signed(dx as isize);
                let along = i + dy as usize * width;
                let end = along.wrapping_add_signed(dx as isize);
                let allowed = !diagonal || diagonals.allows(free[across], free[along]);
                if allowed && free[i] && free[end] {
                    // The end has the higher index.
                    let start_is_nearer = self.centers[i] + TOLERANCE < self.centers[end];
                    free[if start_is_nearer { i } else { end }] = false;
                }
            }
        }
    }
}
