//! Draws convex pieces in cell space into a clearance field.

mod nearest;
mod raster;

pub(super) use nearest::draw_nearest;
pub(super) use raster::touched_cells;
