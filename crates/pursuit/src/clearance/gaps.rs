//! The distance from each cell center to the nearest wall of a grid, in whole numbers.
//!
//! A wall fills its cell. A wall that is `k` columns and `l` rows away is therefore (2k - 1) / 2 cells away
//! in x and (2l - 1) / 2 in y, or 0 where `k` or `l` is 0. Four times the squared distance is a whole number:
//! the sum of at most two odd squares.
//!
//! ```text
//!   walls        rows to the nearest       4 d²            distances
//!                wall of the column
//!   . . . #      2 - - 0                   9  9  1  0      1.5  1.5  0.5  0
//!   . . . .      1 - - 1                   1  2  2  1      0.5  0.7  0.7  0.5
//!   # . . .      0 - - 2                   0  1  9  9      0    0.5  1.5  1.5
//! ```
//!
//! The distances are found first along columns, then along rows, as in the transform of A. Meijster, J.
//! Roerdink and W. Hesselink (2000), with a window in place of the lower envelope. If the cap is below 8
//! cells, all numbers fit into bytes, and the compiler can process a register full of cells at a time.

use super::scale::{Scale, code_of};
use crate::walls::Walls;

/// The codes of the centers, row by row.
pub(super) fn center_codes(walls: &Walls, (scale, cap): (Scale, f32)) -> Box<[u16]> {
    let most = 4.0 * cap * cap;
    if most <= f32::from(u8::MAX) {
        codes::<u8>(walls, (scale, cap))
    } else if most <= f32::from(u16::MAX) {
        codes::<u16>(walls, (scale, cap))
    } else {
        codes::<u32>(walls, (scale, cap))
    }
}

/// A number type that can hold four times the squared cap. Sums that do not fit saturate.
trait Lane: Copy + Ord {
    /// The gap at a wall.
    const NONE: Self;
    /// The greatest squared gap, which means "this far or farther".
    const FARTHEST: Self;

    fn next(self) -> Self;
    fn plus(self, other: Self) -> Self;
    /// Four times the squared distance to a wall that is `self` rows or columns away.
    fn squared_gap(self) -> Self;
    fn of(count: usize) -> Self;
    fn number(self) -> usize;
}

macro_rules! lane {
    ($lane:ty, $wider:ty, $farthest:expr) => {
        impl Lane for $lane {
            const NONE: Self = 0;
            const FARTHEST: Self = $farthest;

            fn next(self) -> Self {
                self + 1
            }

            fn plus(self, other: Self) -> Self {
                self.saturating_add(other)
            }

            fn squared_gap(self) -> Self {
                let odd = (2 * <$wider>::from(self)).saturating_sub(1);
                (odd * odd).min(<$wider>::from(Self::FARTHEST)) as Self
            }

            fn of(count: usize) -> Self {
                count as Self
            }

            fn number(self) -> usize {
                self as usize
            }
        }
    };
}

lane!(u8, u16, u8::MAX);
lane!(u16, u32, u16::MAX);
lane!(u32, u32, u32::MAX);

fn codes<L: Lane>(walls: &Walls, (scale, cap): (Scale, f32)) -> Box<[u16]> {
    let (width, height) = (walls.width() as usize, walls.height() as usize);
    // Walls that are this many rows or columns away, or more, are at least as far away as the cap.
    let reach = (cap + 0.5).ceil() as usize;
    let roots = Roots::new(scale, cap);
    let mut codes = vec![0; width * height].into_boxed_slice();
    let mut below = vec![L::NONE; width * height];
    let mut column = ColumnGaps::<L>::new(width, reach);
    for (y, row) in below.chunks_exact_mut(width).enumerate() {
        column.enter(walls.row(y as u32));
        row.copy_from_slice(&column.gaps);
    }
    let mut column = ColumnGaps::<L>::new(width, reach);
    let mut squared = vec![L::FARTHEST; width];
    // The row is padded on both sides so that the window needs no bounds checks.
    let mut padded = vec![L::FARTHEST; width + 2 * reach];
    let rows = below.chunks_exact(width).zip(codes.chunks_exact_mut(width));
    for (y, (below, codes)) in rows.enumerate().rev() {
        column.enter(walls.row(y as u32));
        let gaps = below.iter().zip(&column.gaps);
        for (squared, (below, above)) in padded[reach..].iter_mut().zip(gaps) {
            *squared = (*below).min(*above).squared_gap();
        }
        look_aside(&padded, reach, &mut squared);
        for (code, quarters) in codes.iter_mut().zip(&squared) {
            *code = roots.code(quarters.number());
        }
    }
    codes
}

/// Writes four times the squared distance of each cell of a row to `squared`. `padded` has the values that count only
/// the walls in a cell's own column, with `reach` more values on both sides. The values of all columns less than
/// `reach` away are combined.
fn look_aside<L: Lane>(padded: &[L], reach: usize, squared: &mut [L]) {
    let width = squared.len();
    squared.copy_from_slice(&padded[reach..reach + width]);
    for k in 1..reach {
        let across = L::of(k).squared_gap();
        let left = &padded[reach - k..][..width];
        let right = &padded[reach + k..][..width];
        for (best, (left, right)) in squared.iter_mut().zip(left.iter().zip(right)) {
            *best = (*best).min((*left).min(*right).plus(across));
        }
    }
}

/// For each column, the number of rows since the last wall, while the rows are visited in order.
struct ColumnGaps<L> {
    gaps: Vec<L>,
    /// One byte for each cell of the row: 1 if the cell is free, otherwise 0. One byte of the row's words becomes
    /// eight of these bytes.
    is_free: Vec<[u8; 8]>,
    reach: L,
}

impl<L: Lane> ColumnGaps<L> {
    /// The state before the first row, with no wall beyond it. The numbers of rows stop growing at `reach`.
    fn new(width: usize, reach: usize) -> Self {
        let reach = L::of(reach);
        Self {
            gaps: vec![reach; width],
            is_free: Vec::new(),
            reach,
        }
    }

    fn enter(&mut self, free: &[u64]) {
        let bytes = free.iter().flat_map(|word| word.to_le_bytes());
        self.is_free.clear();
        self.is_free.extend(bytes.map(|byte| SPREAD[byte as usize]));
        let is_free = self.is_free.as_flattened();
        for (gap, is_free) in self.gaps.iter_mut().zip(is_free) {
            let next = gap.next().min(self.reach);
            *gap = if *is_free != 0 { next } else { L::NONE };
        }
    }
}

/// For each possible byte, its eight bits, each as a byte. The lowest bit is first.
static SPREAD: [[u8; 8]; 256] = {
    let mut spread = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            spread[byte][bit] = (byte >> bit) as u8 & 1;
            bit += 1;
        }
        byte += 1;
    }
    spread
};

/// The codes of distances, looked up by four times the squared distance.
struct Roots {
    scale: Scale,
    /// Four times the squared cap, rounded up. `farthest` is the code of the cap.
    cap_quarters: usize,
    farthest: u16,
    /// The codes of the smallest numbers. With a cap of up to 127, the table has all numbers.
    table: Vec<u16>,
}

impl Roots {
    /// Maximum number of entries in the table.
    const LARGEST_TABLE: usize = 1 << 16;

    fn new(scale: Scale, cap: f32) -> Self {
        let cap_quarters = (4.0 * cap * cap).ceil() as usize;
        let mut roots = Self {
            scale,
            cap_quarters,
            farthest: code_of(scale.units(cap)),
            table: Vec::new(),
        };
        // The table also covers the saturated numbers, which are beyond the cap.
        let count = (cap_quarters + 1).clamp(256, Self::LARGEST_TABLE);
        let table = (0..count).map(|quarters| roots.work_out(quarters));
        roots.table = table.collect();
        roots
    }

    fn code(&self, quarters: usize) -> u16 {
        match self.table.get(quarters) {
            Some(code) => *code,
            None => self.work_out(quarters),
        }
    }

    fn work_out(&self, quarters: usize) -> u16 {
        if quarters >= self.cap_quarters {
            return self.farthest;
        }
        code_of(self.scale.root(quarters as u32)).min(self.farthest)
    }
}
