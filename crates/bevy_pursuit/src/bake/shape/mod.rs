//! From a shape to distances: convex pieces in cell space, drawn into a clearance field.

mod decompose;
mod nearest;
#[cfg(test)]
mod random_shapes;
mod raster;

pub(super) use decompose::{Flaw, decompose};
pub(super) use nearest::draw_nearest;
pub(super) use raster::touched_cells;
