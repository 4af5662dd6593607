//! Whether walls are scattered: so many of them are single cells that jump points gain nothing.

use crate::bits::rows::BitRows;
use crate::cancel::{Cancelled, Watch};

/// How many walls there are, and how many of them are single cells.
///
/// ```text
/// . . . . # .
/// . # . . # .      the wall on the left is single: its four straight neighbors are free
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
    pub(crate) fn count(
        rows: &BitRows,
        width: u32,
        height: u32,
        watch: &mut Watch<'_>,
    ) -> Result<Self, Cancelled> {
        let (free, n) = (&rows.words, rows.row_words);
        let mut singles = 0;
        let mut walls = width * height;
        watch.pieces(free.len().saturating_sub(2 * n), |piece| {
            for i in piece.start + n..piece.end + n {
                // For each bit, whether the cell at the next bit, and at the previous one, is free.
                let (next, previous) = (
                    free[i] >> 1 | free[i + 1] << 63,
                    free[i] << 1 | free[i - 1] >> 63,
                );
                let around = previous & next & free[i - n] & free[i + n];
                singles += (!free[i] & around).count_ones();
                walls -= free[i].count_ones();
            }
        })?;
        Ok(Self {
            singles,
            walls,
            longer_side: width.max(height),
        })
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
