//! Clearance: the distance to the nearest obstacle, from the center of each cell and along each step between
//! two neighboring centers. One field serves bodies of every size.
//!
//! All lengths are in cells, and all positions are in cell space, where cell centers lie at whole numbers.

mod compare;
mod drawing;
mod field;
mod from_grid;
mod gaps;
mod limits;
#[cfg(test)]
#[path = "tests/naive.rs"]
mod naive;
mod scale;
mod squares;
mod steps;
mod walkable;

pub use drawing::Drawing;
pub use field::{Clearance, FIT_TOLERANCE_CELLS, Step};
pub(crate) use squares::{byte_distance, least_byte};
