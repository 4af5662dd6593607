//! Whether walls are scattered. If many walls are single cells, jump points save no time.

use crate::bits::rows::BitRows;

/// The number of walls, and the number of walls that are single cells.
///
/// ```text
/// . . . . # .
/// . # . . # .      3 walls, 1 single: the one on the left has four free straight neighbors
/// . . . . . .
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Scattered {
    pub(crate) singles: u32,
    pub(crate) walls: u32,
    /// The larger one of width and height.
    longer_side: u32,
}

impl Scattered {
    /// Counts the walls among the first `width` bits of `height` rows.
    pub(crate) fn count(rows: &BitRows, width: u32, height: u32) -> Self {
        let (free, n) = (&rows.words, rows.row_words);
        let mut singles = 0;
        let mut walls = width * height;
        for i in n..free.len().saturating_sub(n) {
            // For each bit, whether the cell at the next bit, and at the previous one, is free.
            let next = free[i] >> 1 | free[i + 1] << 63;
            let previous = free[i] << 1 | free[i - 1] >> 63;
            let around = previous & next & free[i - n] & free[i + n];
            singles += (!free[i] & around).count_ones();
            walls -= free[i].count_ones();
        }
        Self {
            singles,
            walls,
            longer_side: width.max(height),
        }
    }

    /// Whether A\* is likely to be faster than jump points: a fifth of the walls are single cells, and there are
    /// at least two of these for each row or column of the longer side. Measured on random maps of 256² to 2048²
    /// cells; the numbers are rough.
    #[inline]
    pub(crate) fn is_scattered(&self) -> bool {
        5 * u64::from(self.singles) >= u64::from(self.walls)
            && u64::from(self.singles) >= 2 * u64::from(self.longer_side)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cell::NEIGHBORS;
    use crate::grid::Grid;
    use crate::jump::naive::any_grid;
    use crate::jump::pictures;

    fn count(grid: &Grid) -> Scattered {
        let rows = BitRows {
            row_words: grid.walls().stride() as usize / 64,
            words: grid.walls().words().to_vec(),
        };
        Scattered::count(&rows, grid.width(), grid.height())
    }

    #[test]
    fn the_picture_of_a_single_wall_matches_the_code() {
        let counted = count(&pictures::grid(&[
            ". . . . # .",
            ". # . . # .",
            ". . . . . .",
        ]));
        assert_eq!((counted.singles, counted.walls), (1, 3));
    }

    #[test]
    fn walls_are_scattered_if_a_fifth_are_single_and_each_row_has_two() {
        let is_scattered = |singles, walls, longer_side| {
            let counts = Scattered {
                singles,
                walls,
                longer_side,
            };
            counts.is_scattered()
        };
        assert!(is_scattered(20, 100, 10));
        assert!(!is_scattered(20, 101, 10));
        assert!(!is_scattered(19, 20, 10));
    }

    proptest! {
        #[test]
        fn counts_agree_with_a_check_of_each_cell(grid in any_grid()) {
            let walls: Vec<_> = grid.rect().cells().filter(|&cell| !grid.is_free(cell)).collect();
            let singles = walls.iter().filter(|wall| {
                let mut around = NEIGHBORS[..4].iter().map(|&(dx, dy)| wall.offset(dx, dy));
                around.all(|cell| grid.is_free(cell))
            });
            let counted = count(&grid);
            prop_assert_eq!(counted.singles as usize, singles.count());
            prop_assert_eq!(counted.walls as usize, walls.len());
        }
    }
}
