//! Exact distances to the walls of a grid.

use super::field::{Clearance, Step};
use super::gaps::center_codes;
use super::limits::clamp_cap;
use super::scale::Scale;
use crate::bits::ones;
use crate::cell::{Cell, CellRect};
use crate::grid::Grid;
use crate::walls::Walls;

impl Clearance {
    /// Distances to the walls of a grid. Each wall is a solid square of one cell; the outside of the grid is
    /// not a wall. The distances are exact except for [rounding](Clearance#precision), which is always down.
    ///
    /// See [`Clearance::open`] for `cap`. A grid of 1024² cells takes a millisecond or two if the cap is below 8.
    /// Above that, the time grows with the cap.
    #[must_use]
    pub fn from_grid(grid: &Grid, cap: f32) -> Self {
        let (scale, cap) = Scale::of(clamp_cap(cap));
        let centers = center_codes(grid.walls(), (scale, cap));
        let mut field = Self::plain(grid.width(), grid.height(), (scale, cap), centers);
        field.measure_steps(grid.walls());
        // The four corners of a square determine its byte. If a wall is closer to a diagonal than to both ends of
        // that diagonal, it is even closer to one of the two other corners.
        for y in 0..grid.height() as i32 {
            let row = CellRect::new(Cell::new(0, y), Cell::new(grid.width() as i32, y + 1));
            field.measure_plain_squares(row);
        }
        field
    }

    /// Finds the narrow steps, which are closer to a wall than both of their ends.
    ///
    /// A straight step is never narrow, because a wall is as close to one of its ends as to any other point of
    /// the step. A diagonal step is narrow only if a line from a free corner of a wall meets it in the middle at
    /// a right angle:
    ///
    /// ```text
    ///   . . d .
    ///   . a\. .      The wall's corner is √2 from the middle between a and d, and √2.5 from both.
    ///   .   \ .      In general √2 k and √(2 k² + ½), for k = 0, 1, 2 and so on.
    ///   . . . #
    /// ```
    fn measure_steps(&mut self, walls: &Walls) {
        let cap = self.scale.units(self.cap);
        let away = |k: u32| self.scale.root(8 * k * k);
        let past_corners: Vec<u32> = (0..).map(away).take_while(|&units| units < cap).collect();
        for y in 0..self.height as i32 {
            for_each_free_corner(walls, y, |wall, (dx, dy)| {
                self.pass_corner(wall, (dx, dy), &past_corners);
            });
        }
    }

    /// Lowers the distances of the steps that pass one corner of `wall`: the corner in the direction (`dx`, `dy`).
    /// `past_corners` has the greatest distance that each of these steps may keep, in units, beginning with the step
    /// nearest to the corner.
    fn pass_corner(&mut self, wall: Cell, (dx, dy): (i32, i32), past_corners: &[u32]) {
        let step = if dx == dy {
            Step::MinusXPlusY
        } else {
            Step::PlusXPlusY
        };
        for (k, &units) in (0..).zip(past_corners) {
            let here = wall.offset(k * dx, k * dy);
            // The step joins two cells: the one beside `here` and the one above or below it.
            let ends = [here.offset(dx, 0), here.offset(0, dy)];
            if !ends.iter().all(|&end| self.rect().contains(end)) {
                return;
            }
            let start = ends[usize::from(dy < 0)];
            if units < self.step_units(start, step) {
                self.limit_step_units(start, step, units);
            }
        }
    }
}

/// Calls `visit` for each free corner of each wall in row `y`, with the wall and the diagonal direction of the
/// corner. A corner is free if the two straight neighbors of the wall that touch the corner are free.
fn for_each_free_corner(walls: &Walls, y: i32, mut visit: impl FnMut(Cell, (i32, i32))) {
    let row = |y: i32| (0 <= y && y < walls.height() as i32).then(|| walls.row(y as u32));
    let free = walls.row(y as u32);
    for w in 0..free.len() {
        let walls = !free[w];
        let before = if w > 0 { free[w - 1] >> 63 } else { 0 };
        let after = free.get(w + 1).map_or(0, |next| next << 63);
        let sides = [(-1, free[w] << 1 | before), (1, free[w] >> 1 | after)];
        for dy in [-1, 1] {
            let beyond = row(y + dy).map_or(0, |row| row[w]);
            for (dx, beside) in sides {
                for bit in ones(walls & beside & beyond) {
                    let x = w as i32 * 64 + bit as i32;
                    visit(Cell::new(x, y), (dx, dy));
                }
            }
        }
    }
}
