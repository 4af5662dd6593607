//! How far it is to the nearest obstacle: from every cell's center, and along every step between
//! two neighboring centers. One field serves bodies of every size.
//!
//! All lengths are in cells, all positions in cell space, where centers lie at whole numbers.

mod compare;
mod drawing;
mod field;
mod from_grid;
mod gaps;
mod lower;
#[cfg(test)]
#[path = "tests/naive.rs"]
mod naive;
mod scale;
mod squares;
mod steps;
mod walkable;

pub use drawing::Drawing;
pub use field::{Clearance, Step, TOLERANCE};
pub(crate) use squares::{byte_distance, least_byte};
