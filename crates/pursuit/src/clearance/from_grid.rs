//! Exact distances to the walls of a grid.

use super::{Clearance, Step, clamp_cap};
use crate::grid::Grid;

impl Clearance {
    /// Distances to the grid's walls, each a solid square of one cell. What lies outside of the grid
    /// is no wall. Exact up to rounding of `f32`.
    ///
    /// For `cap` see [`Clearance::open`]; time grows with it.
    ///
    /// Distances from centers are found first along columns, then along rows, as in the transform
    /// of A. Meijster, J. Roerdink and W. Hesselink (2000), with a window in place of the lower
    /// envelope.
    #[must_use]
    pub fn from_grid(grid: &Grid, cap: f32) -> Self {
        let (width, height) = (grid.width(), grid.height());
        let cap = clamp_cap(cap);
        let mut field = Self {
            width,
            height,
            cap,
            centers: center_distances(grid, cap),
            steps: vec![[0.0; 4]; grid.cell_count()].into_boxed_slice(),
            squares: vec![0; grid.cell_count()].into_boxed_slice(),
        };
        field.measure_steps();
        for corner in field.rect().cells() {
            field.measure_square(corner);
        }
        field
    }

    /// Sets all distances of steps from those of the centers.
    fn measure_steps(&mut self) {
        let (width, height) = (self.width as usize, self.height as usize);
        for y in 0..height {
            let row = y * width;
            for x in 0..width {
                let i = row + x;
                let [right, up] = [x + 1 < width, y + 1 < height];
                let here = self.centers[i];
                // A straight step is as far from a wall as its nearer end: in each axis the end
                // is where the step comes closest to the wall's interval.
                if right {
                    self.steps[i][Step::PlusX as usize] = here.min(self.centers[i + 1]);
                }
                if up {
                    self.steps[i][Step::PlusY as usize] = here.min(self.centers[i + width]);
                }
                if right && up {
                    let least = here.min(self.centers[i + width + 1]);
                    self.steps[i][Step::PlusXPlusY as usize] =
                        self.diagonal(least, (x + 1, y), (x, y + 1));
                }
                if x > 0 && up {
                    let least = here.min(self.centers[i + width - 1]);
                    self.steps[i][Step::MinusXPlusY as usize] =
                        self.diagonal(least, (x - 1, y), (x, y + 1));
                }
            }
        }
    }

    /// Distance of the diagonal step that passes between the cells `low` and `high`, given the
    /// smaller distance of its ends.
    ///
    /// Only walls on the line through `low` and `high` are nearer to the middle of the step than to
    /// its ends: the one `k` cells beyond `low` or `high` is √2 k from the middle and √(2k² + ½)
    /// from both ends.
    fn diagonal(&self, ends: f32, low: (usize, usize), high: (usize, usize)) -> f32 {
        const ROUNDING: f32 = 1e-3;
        let squared = ends * ends;
        let k = (squared / 2.0).sqrt().floor();
        if ends <= 0.0 || squared > 2.0 * k * k + 0.5 + ROUNDING {
            return ends;
        }
        let dx = high.0 as isize - low.0 as isize;
        let is_wall = |(x, y): (usize, usize), k: isize| {
            let (x, y) = (x as isize + dx * k, y as isize + k);
            let inside = 0 <= x && x < self.width as isize && 0 <= y && y < self.height as isize;
            inside && self.centers[y as usize * self.width as usize + x as usize] <= 0.0
        };
        let cells = k as isize;
        if is_wall(low, -cells) || is_wall(high, cells) {
            ends.min(k * std::f32::consts::SQRT_2)
        } else {
            ends
        }
    }
}

/// Distance from a center to a wall's square along one axis, `cells` columns or rows away.
fn gap(cells: usize) -> f32 {
    (cells as f32 - 0.5).max(0.0)
}

fn center_distances(grid: &Grid, cap: f32) -> Box<[f32]> {
    let (width, height) = (grid.width() as usize, grid.height() as usize);
    let mut squared = squared_column_gaps(grid);
    // From here on a wall's square is beyond the cap.
    let reach = (cap + 0.5).ceil() as usize;
    // Room beside the row, so that the window needs no bounds.
    let mut padded = vec![f32::INFINITY; width + 2 * reach];
    for y in 0..height {
        let row = &mut squared[y * width..(y + 1) * width];
        padded[reach..reach + width].copy_from_slice(row);
        for k in 1..reach {
            let across = gap(k) * gap(k);
            let left = &padded[reach - k..][..width];
            let right = &padded[reach + k..][..width];
            for (best, (left, right)) in row.iter_mut().zip(left.iter().zip(right)) {
                *best = best.min(left.min(*right) + across);
            }
        }
        for distance in row {
            *distance = distance.sqrt().min(cap);
        }
    }
    squared.into_boxed_slice()
}

/// For each cell the squared distance from its center to the nearest wall of its column, infinite
/// where there is none.
fn squared_column_gaps(grid: &Grid) -> Vec<f32> {
    const NONE: u32 = u32::MAX;
    let (width, height) = (grid.width() as usize, grid.height() as usize);
    let mut gaps = vec![f32::INFINITY; width * height];
    let mut since = vec![NONE; width];
    let mut sweep = |y: usize| {
        let free = grid.row(y as u32);
        let row = &mut gaps[y * width..(y + 1) * width];
        for (x, (gap_squared, since)) in row.iter_mut().zip(&mut since).enumerate() {
            let is_free = free[x / 64] >> (x % 64) & 1 != 0;
            *since = if is_free { since.saturating_add(1) } else { 0 };
            if *since != NONE {
                let distance = gap(*since as usize);
                *gap_squared = gap_squared.min(distance * distance);
            }
        }
    };
    (0..height).for_each(&mut sweep);
    // Counts left over from the first sweep are above those that it found: they lower nothing.
    (0..height).rev().for_each(&mut sweep);
    gaps
}
