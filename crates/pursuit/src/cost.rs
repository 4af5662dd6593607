//! What steps cost: whole numbers, so that sums are exact and equal on every machine.

use crate::cell::Cell;

/// Cost of a straight step between two cells of terrain cost 1.
///
/// Twice 985, so that the mean of two terrain costs is also a whole number.
pub const STRAIGHT: u32 = 1970;

/// Cost of a diagonal step between two cells of terrain cost 1.
///
/// 1393/985 is a convergent of √2: [`DIAGONAL`] is too low by a share of 2.6e-7.
pub const DIAGONAL: u32 = 2786;

/// Half of [`STRAIGHT`] and of [`DIAGONAL`], which are even: some searches count in halves.
pub(crate) const HALF_STRAIGHT: u32 = STRAIGHT / 2;
pub(crate) const HALF_DIAGONAL: u32 = DIAGONAL / 2;

/// Cost of the cheapest walk from one cell to another in the open on terrain cost 1.
#[must_use]
#[inline]
pub const fn octile(from: Cell, to: Cell) -> u64 {
    2 * half_octile(from.x.abs_diff(to.x), from.y.abs_diff(to.y))
}

/// Half of [`octile`], from the number of columns and rows between two cells.
#[inline(always)]
pub(crate) const fn half_octile(dx: u32, dy: u32) -> u64 {
    let (long, short) = if dx > dy { (dx, dy) } else { (dy, dx) };
    // A diagonal step instead of two straight ones, as often as there are both.
    long as u64 * HALF_STRAIGHT as u64 + short as u64 * (HALF_DIAGONAL - HALF_STRAIGHT) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ratio_of_the_costs_is_near_enough_to_the_square_root_of_two() {
        let error = f64::from(DIAGONAL) / f64::from(STRAIGHT) / 2.0f64.sqrt() - 1.0;
        assert!((-2.6e-7..0.0).contains(&error), "relative error {error}");
    }

    #[test]
    fn octile_counts_diagonal_steps_first() {
        let (s, d) = (u64::from(STRAIGHT), u64::from(DIAGONAL));
        let start = Cell::new(3, -1);
        assert_eq!(octile(start, start), 0);
        assert_eq!(octile(start, Cell::new(8, -3)), 3 * s + 2 * d);
        assert_eq!(octile(start, Cell::new(1, 4)), 3 * s + 2 * d);
        let ends = [(i32::MIN, i32::MAX), (i32::MAX, i32::MIN)].map(Cell::from);
        assert_eq!(octile(ends[0], ends[1]), u64::from(u32::MAX) * d);
    }
}
