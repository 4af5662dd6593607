//! The cells that a straight run over terrain passes, 64 at a time.

use crate::bits::steps_to_gap;
use crate::cell::{Cell, CellRect};
use crate::walls::Walls;

/// For each straight direction, the cells that a run in this direction passes. A run passes a cell if the cell costs as
/// much as the previous cell, and if the only step that a search needs from the cell is the step straight on.
///
/// ```text
/// costs    1 1 1 3 3      passed to the right    . 1 1 . 1
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Passes {
    /// The bits in rows, like [`Walls::words`]: for runs to the right, and for runs to the left.
    rows: [Box<[u64]>; 2],
    /// The bits in columns, in the same format: for runs toward higher rows, and for runs toward lower rows.
    columns: [Box<[u64]>; 2],
    /// Bits per row, and bits per column.
    strides: [u32; 2],
    /// Number of bits that are set.
    count: u32,
}

/// The shortest side of a grid that has passes, in cells. Narrower grids have no passes, since each line of passes
/// takes at least one word.
const MIN_SIDE_CELLS: u32 = 16;

/// The straight directions in which runs pass a cell, one bit each. `here` and `beside` are the costs of the cell and
/// of its four straight neighbors, 0 for walls. `passes` is the cell's [`Window::passes`](super::Window::passes).
#[inline(always)]
pub(super) fn passed(here: u8, beside: [u8; 4], passes: u8) -> u8 {
    let [left, right, above, below] = beside.map(|cost| u8::from(cost == here && here > 0));
    passes & (left | right << 1 | above << 2 | below << 3)
}

impl Passes {
    /// The passes of a grid of the same size without free cells.
    pub(super) fn blocked(walls: &Walls) -> Self {
        let (width, height) = (walls.width(), walls.height());
        if width.min(height) < MIN_SIDE_CELLS {
            return Self::default();
        }
        let column_words = height / 64 + 1;
        let lines = |count: u32, words: u32| {
            let line = || vec![0; (count as usize + 2) * words as usize].into();
            [line(), line()]
        };
        Self {
            rows: lines(height, walls.stride() / 64),
            columns: lines(width, column_words),
            strides: [walls.stride(), 64 * column_words],
            count: 0,
        }
    }

    /// Whether the grid has passes.
    pub(crate) fn are_known(&self) -> bool {
        self.strides[0] > 0
    }

    /// Updates the bits of a cell.
    pub(super) fn set(&mut self, cell: Cell, passed: u8) {
        if !self.are_known() {
            return;
        }
        let (x, y) = (cell.x as u32, cell.y as u32);
        let [row, column] = [self.bit::<0>(x, y), self.bit::<1>(x, y)];
        let ([right, left], [up, down]) = (&mut self.rows, &mut self.columns);
        let layers = [(right, row), (left, row), (up, column), (down, column)];
        for (n, (words, bit)) in layers.into_iter().enumerate() {
            let word = &mut words[bit as usize / 64];
            let (was, is) = (*word >> (bit % 64) & 1, u64::from(passed >> n & 1));
            *word ^= (was ^ is) << (bit % 64);
            self.count = self.count + is as u32 - was as u32;
        }
    }

    /// Copies a rectangle, which lies inside the grid, from `newer`.
    pub(super) fn catch_up(&mut self, newer: &Self, rect: CellRect) {
        if !self.are_known() {
            return;
        }
        self.count = newer.count;
        let spans = [(rect.min.x, rect.max.x), (rect.min.y, rect.max.y)];
        let layers = self.rows.iter_mut().chain(&mut self.columns);
        let newer = newer.rows.iter().chain(&newer.columns);
        for (n, (words, newer)) in layers.zip(newer).enumerate() {
            let ((first, last), (from, to)) = (spans[1 - n / 2], spans[n / 2]);
            let row_words = self.strides[n / 2] as usize / 64;
            for line in first..last {
                let line = (line as usize + 1) * row_words;
                let own = line + from as usize / 64..line + (to as usize).div_ceil(64);
                words[own.clone()].copy_from_slice(&newer[own]);
            }
        }
    }

    /// Whether jumps make a search faster. They do if, on average over the four directions, runs pass at least nine
    /// tenths of the free cells. This limit was measured on benchmark maps, with areas from single cells to large
    /// ponds.
    pub(crate) fn are_most(&self, free: u32) -> bool {
        self.are_known() && 10 * u64::from(self.count) >= 9 * 4 * u64::from(free)
    }

    /// The index of a cell's bit in the rows, or in the columns if `AXIS` is 1.
    #[inline(always)]
    pub(crate) fn bit<const AXIS: usize>(&self, x: u32, y: u32) -> u32 {
        let (line, place) = if AXIS == 0 { (y, x) } else { (x, y) };
        (line + 1) * self.strides[AXIS] + place
    }

    /// The indices of the bits of the cell that is `steps` steps in the direction `N` of
    /// [`NEIGHBORS`](crate::NEIGHBORS) from another cell. `bits` has the indices of the other cell's bits: in the rows,
    /// and in the columns.
    #[inline(always)]
    pub(crate) fn ahead<const N: usize>(&self, bits: [u32; 2], steps: u32) -> [u32; 2] {
        let mut by = self.strides.map(|stride| stride * steps);
        by[N / 2] = steps;
        if N.is_multiple_of(2) {
            [bits[0] + by[0], bits[1] + by[1]]
        } else {
            [bits[0].wrapping_sub(by[0]), bits[1].wrapping_sub(by[1])]
        }
    }

    /// Number of steps from a bit in the straight direction `N` to the first cell that runs do not pass.
    #[inline(always)]
    pub(crate) fn steps<const N: usize>(&self, from: u32) -> u32 {
        let words = if N < 2 {
            &self.rows[N % 2]
        } else {
            &self.columns[N % 2]
        };
        if N.is_multiple_of(2) {
            steps_to_gap::<true>(words, from)
        } else {
            steps_to_gap::<false>(words, from)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::NEIGHBORS;
    use crate::grid::Grid;
    use crate::random::{any_cell, any_walls, each_case, with_costs};
    use crate::search::oracle::cases;

    /// Whether a run in the direction `n` passes a cell.
    fn is_passed(grid: &Grid, cell: Cell, n: usize) -> bool {
        let (x, y) = NEIGHBORS[n];
        let before = cell.offset(-x, -y);
        let node = |cell: Cell| grid.walls().node(cell).filter(|_| grid.is_free(cell));
        let (Some(terrain), Some(own), Some(_)) = (grid.uneven(), node(cell), node(before)) else {
            return false;
        };
        let passes = terrain.cells()[own as usize] >> (8 + n) & 1 != 0;
        passes && grid.cost(cell) == grid.cost(before)
    }

    fn check<const N: usize>(grid: &Grid, passes: &Passes, from: Cell) -> u32 {
        let (x, y) = NEIGHBORS[N];
        let mut cell = from.offset(x, y);
        let mut steps = 1;
        while is_passed(grid, cell, N) {
            cell = cell.offset(x, y);
            steps += 1;
        }
        let bits = |cell: Cell| {
            let (x, y) = (cell.x as u32, cell.y as u32);
            [passes.bit::<0>(x, y), passes.bit::<1>(x, y)]
        };
        assert_eq!(
            passes.steps::<N>(bits(from)[N / 2]),
            steps,
            "{N} from {from}"
        );
        if grid.contains(cell) {
            assert_eq!(passes.ahead::<N>(bits(from), steps), bits(cell));
        }
        steps
    }

    #[test]
    fn runs_continue_as_long_as_cells_are_passed() {
        let mut far = 0;
        each_case(400, |rng| {
            let (width, height) = (rng.u32(16..150), rng.u32(16..150));
            let walls = any_walls(rng, width, height, 0..3);
            let (middle, dear) = (any_cell(rng, &walls), rng.u8(1..9));
            let grid = with_costs(&walls, |cell| {
                let is_near = cell.x.abs_diff(middle.x).max(cell.y.abs_diff(middle.y)) < 9;
                if is_near { dear } else { 1 }
            });
            let Some(passes) = grid.uneven().map(|terrain| terrain.passes()) else {
                return;
            };
            let all = [&passes.rows, &passes.columns].into_iter().flatten();
            let count: u32 = all
                .flat_map(|words| words.iter())
                .map(|word| word.count_ones())
                .sum();
            assert_eq!(passes.count, count);
            for _ in 0..20 {
                let from = any_cell(rng, &grid);
                let steps = [
                    check::<0>(&grid, passes, from),
                    check::<1>(&grid, passes, from),
                    check::<2>(&grid, passes, from),
                    check::<3>(&grid, passes, from),
                ];
                far += u64::from(steps.into_iter().any(|steps| steps > 64));
            }
        });
        assert!(far > cases(400), "{far}");
    }

    #[test]
    fn the_picture_of_passed_cells_matches_the_code() {
        let walls = Grid::from_fn(16, 16, |cell| cell.x < 5 && cell.y < 1).expect("a good size");
        let grid = with_costs(&walls, |cell| if cell.x < 3 { 1 } else { 3 });
        let passes = grid.uneven().expect("costs differ").passes();
        assert_eq!(passes.rows[0][1], 0b10110);
    }
}
