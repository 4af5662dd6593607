//! How grids compare and print: by their cells.

use std::fmt;

use super::Grid;

impl PartialEq for Grid {
    fn eq(&self, other: &Self) -> bool {
        (self.width, self.height) == (other.width, other.height)
            && self.words == other.words
            && self.costs == other.costs
    }
}

impl Eq for Grid {}

impl fmt::Debug for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Grid")
            .field("width", &self.width)
            .field("height", &self.height)
            .field("free_count", &self.free_count)
            .field("has_terrain", &self.has_terrain())
            .finish_non_exhaustive()
    }
}
