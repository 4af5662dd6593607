//! Counts of walkable cells in blocks of 2 × 2, 4 × 4, … cells.

use pursuit::{Cell, Grid};

/// How many tints a block can have between all blocked and all walkable.
pub(crate) const TINTS: u8 = 8;

/// The share of walkable cells in every block of a grid, at every power of two.
///
/// A third of the grid's cells in memory, times four bytes; built in one pass over the grid.
#[derive(Clone, Debug)]
pub struct Mip {
    width: u32,
    height: u32,
    /// Level 1 and up; the last is a single block.
    levels: Vec<Level>,
}

#[derive(Clone, Debug)]
struct Level {
    width: u32,
    height: u32,
    free: Vec<u32>,
}

impl Mip {
    /// Counts the walkable cells of `grid`.
    pub fn of(grid: &Grid) -> Self {
        let (width, height) = (grid.width(), grid.height());
        let mut levels: Vec<Level> = Vec::new();
        let (mut below_width, mut below_height) = (width, height);
        while below_width > 1 || below_height > 1 || levels.is_empty() {
            let level = match levels.last() {
                None => Level::of(width, height, |x, y| {
                    u32::from(grid.is_free(Cell::new(x as i32, y as i32)))
                }),
                Some(below) => Level::of(below.width, below.height, |x, y| below.free(x, y)),
            };
            (below_width, below_height) = (level.width, level.height);
            levels.push(level);
        }
        Self {
            width,
            height,
            levels,
        }
    }

    /// Share of walkable cells, 0 to 1, among the cells of a block of `2^level` cells a side that
    /// lie in the grid; `level` is at least 1. `None` for a block outside of the grid.
    pub fn walkable_share(&self, level: u32, block: Cell) -> Option<f32> {
        let (x, y) = (u32::try_from(block.x).ok()?, u32::try_from(block.y).ok()?);
        let last = self.levels.len() as u32;
        let counts = self.levels.get(level.clamp(1, last) as usize - 1)?;
        // Beyond the coarsest level there is only the first block.
        if level > last {
            (x == 0 && y == 0).then_some(())?
        }
        if x >= counts.width || y >= counts.height {
            return None;
        }
        let extent = |start: u32, size: u32| {
            let (from, side) = (u64::from(start) << level, 1_u64 << level);
            side.min(u64::from(size) - from)
        };
        let cells = extent(x, self.width) * extent(y, self.height);
        Some(counts.free(x, y) as f32 / cells as f32)
    }

    /// Whether this may be of a grid of that size.
    pub(crate) fn fits(&self, grid: &Grid) -> bool {
        (self.width, self.height) == (grid.width(), grid.height())
    }

    /// The block's tint: 0 is all blocked, [`TINTS`] all walkable, and mixed blocks are neither.
    pub(crate) fn tint(&self, level: u32, block: Cell) -> Option<u8> {
        let share = self.walkable_share(level, block)?;
        Some(match share {
            0.0 => 0,
            1.0 => TINTS,
            _ => ((share * f32::from(TINTS)).round() as u8).clamp(1, TINTS - 1),
        })
    }
}

impl Level {
    fn of(below_width: u32, below_height: u32, below: impl Fn(u32, u32) -> u32) -> Self {
        let (width, height) = (below_width.div_ceil(2), below_height.div_ceil(2));
        let mut free = vec![0; width as usize * height as usize];
        for y in 0..below_height {
            let row = (y / 2) as usize * width as usize;
            for x in 0..below_width {
                free[row + (x / 2) as usize] += below(x, y);
            }
        }
        Self {
            width,
            height,
            free,
        }
    }

    fn free(&self, x: u32, y: u32) -> u32 {
        self.free[y as usize * self.width as usize + x as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_counts_what_a_plain_loop_counts() {
        let free = |cell: Cell| (cell.x * 5 + cell.y * 3) % 7 < 3;
        let grid = Grid::from_fn(37, 21, free).expect("a grid");
        let mip = Mip::of(&grid);
        for level in 1..=6 {
            let side = 1 << level;
            for y in 0..=(21 / side) {
                for x in 0..=(37 / side) {
                    check_block(&grid, &mip, level, Cell::new(x, y));
                }
            }
        }
    }

    #[track_caller]
    fn check_block(grid: &Grid, mip: &Mip, level: u32, block: Cell) {
        let side = 1 << level;
        let inside = |cell: &Cell| cell.x >> level == block.x && cell.y >> level == block.y;
        let cells: Vec<_> = grid.rect().cells().filter(inside).collect();
        let share = mip.walkable_share(level, block);
        if cells.is_empty() {
            assert_eq!(share, None, "no cell in block {block} of side {side}");
        } else {
            let free = cells.iter().filter(|&&cell| grid.is_free(cell)).count();
            assert_eq!(
                share,
                Some(free as f32 / cells.len() as f32),
                "{block} of side {side}"
            );
        }
    }

    #[test]
    fn a_grid_of_one_cell_has_a_level_too() {
        let grid = Grid::from_fn(1, 1, |_| true).expect("a grid");
        let mip = Mip::of(&grid);
        for level in [1, 2, 24] {
            assert_eq!(mip.tint(level, Cell::new(0, 0)), Some(TINTS));
            assert_eq!(mip.tint(level, Cell::new(1, 0)), None);
            assert_eq!(mip.tint(level, Cell::new(0, -1)), None);
        }
    }

    #[test]
    fn one_wall_in_a_large_block_still_shows() {
        let grid = Grid::from_fn(64, 64, |cell| cell != Cell::new(9, 9)).expect("a grid");
        assert_eq!(Mip::of(&grid).tint(6, Cell::new(0, 0)), Some(TINTS - 1));
    }
}
