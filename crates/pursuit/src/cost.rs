//! Costs of steps. They are whole numbers, so that sums are exact and the same on every machine.

use crate::cell::Cell;

/// Cost of a straight step between two cells of terrain cost 1.
///
/// It is twice 985, so that its product with the mean of two terrain costs is a whole number.
pub const STRAIGHT: u32 = 1970;

/// Cost of a diagonal step between two cells of terrain cost 1.
///
/// 1393/985 is a convergent of √2, so [`DIAGONAL`] is too low by only 2.6e-7 of its value.
pub const DIAGONAL: u32 = 2786;

/// Half of [`STRAIGHT`]. Some searches add up half costs, which are whole numbers because both costs are even.
pub(crate) const HALF_STRAIGHT: u32 = STRAIGHT / 2;
/// Half of [`DIAGONAL`].
pub(crate) const HALF_DIAGONAL: u32 = DIAGONAL / 2;

/// The octile distance: the cost of the cheapest walk between two cells on open ground of terrain cost 1.
#[must_use]
#[inline]
pub const fn octile(from: Cell, to: Cell) -> u64 {
    2 * half_octile(from.x.abs_diff(to.x), from.y.abs_diff(to.y))
}

/// Half of the [`octile`] distance, from the number of columns and rows between two cells.
#[inline(always)]
pub(crate) const fn half_octile(dx: u32, dy: u32) -> u64 {
    let (long, short) = if dx > dy { (dx, dy) } else { (dy, dx) };
    // One diagonal step replaces two straight ones, as often as possible.
    long as u64 * HALF_STRAIGHT as u64 + short as u64 * (HALF_DIAGONAL - HALF_STRAIGHT) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ratio_of_the_costs_is_close_to_the_square_root_of_two() {
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
