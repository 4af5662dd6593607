//! Random fields, for tests.

use std::ops::Range;

use fastrand::Rng;

use super::field::Clearance;
use crate::grid::Grid;

/// A grid of random walls with sides in a range, and its distances.
pub(crate) fn any_field(rng: &mut Rng, sides: Range<u32>) -> (Grid, Clearance) {
    let (width, height, walls) = (rng.u32(sides.clone()), rng.u32(sides), rng.u8(0..6));
    let grid = Grid::from_fn(width, height, |_| rng.u8(0..20) >= walls).expect("a good size");
    let field = Clearance::from_grid(&grid, 4.0);
    (grid, field)
}
