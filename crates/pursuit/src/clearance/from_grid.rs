//! Exact distances to the walls of a grid.

use super::field::{Clearance, Step};
use super::gaps::center_codes;
use super::lower::clamp_cap;
use super::scale::Scale;
use crate::cell::{Cell, CellRect};
use crate::grid::Grid;
use crate::walls::Walls;

impl Clearance {
    /// Distances to the grid's walls, each a solid square of one cell. What lies outside of the grid
    /// is no wall. They are exact, rounded down as all [distances](Clearance#how-exact-they-are) are.
    ///
    /// For `cap` see [`Clearance::open`]. 1024² cells take a millisecond or two with a cap below 8;
    /// with larger ones time grows with the cap.
    #[must_use]
    pub fn from_grid(grid: &Grid, cap: f32) -> Self {
        let (scale, cap) = Scale::of(clamp_cap(cap));
        let centers = center_codes(grid.walls(), (scale, cap));
        let mut field = Self::plain(grid.width(), grid.height(), (scale, cap), centers);
        field.measure_steps(grid.walls());
        // A wall that is nearer to a diagonal than its ends are is nearer still to one of the two cells
        // that the diagonal passes between.
        for y in 0..grid.height() as i32 {
            let row = CellRect::new(Cell::new(0, y), Cell::new(grid.width() as i32, y + 1));
            field.measure_plain_squares(row);
        }
        field
    }

    /// Finds the steps that are nearer to a wall than both of their ends.
    ///
    /// Straight ones never are: in each axis an end is where the step comes closest to a wall's interval.
    /// Of diagonal ones only those are that lead past the free corner of a wall, at a right angle to the
    /// line from there:
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

    /// Lowers the steps that lead past the corner of a wall which points to (`dx`, `dy`), given how far
    /// each is away, in units.
    fn pass_corner(&mut self, wall: Cell, (dx, dy): (i32, i32), past_corners: &[u32]) {
        let step = if dx == dy {
            Step::MinusXPlusY
        } else {
            Step::PlusXPlusY
        };
        for (k, &units) in (0..).zip(past_corners) {
            let here = wall.offset(k * dx, k * dy);
            // The step joins the cells beside and above, or below, this one.
            let ends = [here.offset(dx, 0), here.offset(0, dy)];
            if !ends.iter().all(|&end| self.rect().contains(end)) {
                return;
            }
            let start = ends[usize::from(dy < 0)];
            if units < self.step_units(start, step) {
                self.lower_step_units(start, step, units);
            }
        }
    }
}

/// Calls `visit` with each wall of a row and each direction in which the two cells beside the wall's
/// corner there are free.
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
                let mut corners = walls & beside & beyond;
                while corners != 0 {
                    let x = w as i32 * 64 + corners.trailing_zeros() as i32;
                    visit(Cell::new(x, y), (dx, dy));
                    corners &= corners - 1;
                }
            }
        }
    }
}
