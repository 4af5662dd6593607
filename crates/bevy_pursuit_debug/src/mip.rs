//! How much is walkable of blocks of 2 × 2, 4 × 4, … cells.

use pursuit::{Cell, Grid};

/// How many tints a block can have between all blocked and all walkable.
pub(crate) const TINTS: u8 = 8;

/// The share of walkable cells in every block of a grid, at every power of two.
///
/// One byte per block: a third of a byte per cell. Built in one pass over the grid.
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
    tints: Vec<u8>,
}

/// How many cells of each block are walkable.
struct Counts {
    width: u32,
    height: u32,
    free: Vec<u32>,
}

impl Mip {
    /// Counts the walkable cells of `grid`.
    pub fn of(grid: &Grid) -> Self {
        let (width, height) = (grid.width(), grid.height());
        let is_free = |x: u32, y: u32| grid.is_free(Cell::new(x as i32, y as i32));
        let mut counts = Counts::of(width, height, |x, y| u32::from(is_free(x, y)));
        let mut levels = vec![counts.level(1, width, height)];
        while counts.width > 1 || counts.height > 1 {
            counts = Counts::of(counts.width, counts.height, |x, y| counts.free(x, y));
            levels.push(counts.level(levels.len() as u32 + 1, width, height));
        }
        Self {
            width,
            height,
            levels,
        }
    }

    /// Whether this may be of a grid of that size.
    pub(crate) fn fits(&self, grid: &Grid) -> bool {
        (self.width, self.height) == (grid.width(), grid.height())
    }

    /// How much of a block of `2^level` cells a side is walkable, in eighths, rounded; `level` is at least 1. Cells
    /// outside of the grid do not count. 0 is all blocked, 8 all walkable, and mixed blocks are neither. `None` for
    /// a block outside of the grid.
    pub fn tint(&self, level: u32, block: Cell) -> Option<u8> {
        let (x, y) = (u32::try_from(block.x).ok()?, u32::try_from(block.y).ok()?);
        let last = self.levels.len() as u32;
        let tints = self.levels.get(level.clamp(1, last) as usize - 1)?;
        // Beyond the coarsest level there is only the first block.
        if level > last {
            (x == 0 && y == 0).then_some(())?
        }
        let is_inside = x < tints.width && y < tints.height;
        is_inside.then(|| tints.tints[y as usize * tints.width as usize + x as usize])
    }
}

impl Counts {
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

    /// The tints of blocks of `2^level` cells a side, in a grid of that size.
    fn level(&self, level: u32, grid_width: u32, grid_height: u32) -> Level {
        let extent = |start: u32, size: u32| {
            let (from, side) = (u64::from(start) << level, 1_u64 << level);
            side.min(u64::from(size) - from)
        };
        let mut tints = Vec::with_capacity(self.free.len());
        for y in 0..self.height {
            let cells_up = extent(y, grid_height);
            tints.extend((0..self.width).map(|x| {
                let cells = extent(x, grid_width) * cells_up;
                tint_of(self.free(x, y), cells)
            }));
        }
        Level {
            width: self.width,
            height: self.height,
            tints,
        }
    }
}

/// The tint of a block of so many cells, some of them free.
fn tint_of(free: u32, cells: u64) -> u8 {
    let (free, tints) = (u64::from(free), u64::from(TINTS));
    match free {
        0 => 0,
        _ if free == cells => TINTS,
        _ => ((2 * tints * free + cells) / (2 * cells)).clamp(1, tints - 1) as u8,
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
        let tint = mip.tint(level, block);
        if cells.is_empty() {
            assert_eq!(tint, None, "no cell in block {block} of side {side}");
        } else {
            let free = cells.iter().filter(|&&cell| grid.is_free(cell)).count();
            let share = f64::from(TINTS) * free as f64 / cells.len() as f64;
            let tint = tint.expect("a block of the grid");
            let is_mixed = 0 < free && free < cells.len();
            assert_eq!(is_mixed, 0 < tint && tint < TINTS, "{block} of side {side}");
            let off = (share - f64::from(tint)).abs();
            assert!(off <= 0.5 || is_mixed && off < 1.0, "{tint}, not {share}");
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
    fn one_wall_in_the_largest_block_still_shows() {
        assert_eq!(tint_of((1 << 28) - 1, 1 << 28), TINTS - 1);
        assert_eq!(tint_of(1, 1 << 28), 1);
    }

    #[test]
    fn one_wall_in_a_large_block_still_shows() {
        let grid = Grid::from_fn(64, 64, |cell| cell != Cell::new(9, 9)).expect("a grid");
        assert_eq!(Mip::of(&grid).tint(6, Cell::new(0, 0)), Some(TINTS - 1));
    }
}
