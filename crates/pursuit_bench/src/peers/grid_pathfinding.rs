//! The crate `grid_pathfinding`: jump-point search on prepared neighbor masks.
//!
//! The crate has no rule against cutting corners: a diagonal step may pass one wall, or even lead between two walls.
//! The benchmark counts such a path as illegal. A diagonal step costs 99 and a straight step 70, which is √2 to within
//! 0.01 %.

use grid_pathfinding::PathingGrid;
use grid_util::{Point, ValueGrid};
use pursuit::{Cell, Grid};

use super::finder::{Finder, FinderAnswer};

/// A map with its neighbor masks, jump points and connected components.
pub(crate) struct JumpPoints(PathingGrid);

impl JumpPoints {
    pub(crate) fn new(grid: &Grid) -> Self {
        let (width, height) = (grid.width() as usize, grid.height() as usize);
        let mut peer = PathingGrid::new(width, height, false);
        for cell in grid.rect().cells().filter(|&cell| !grid.is_free(cell)) {
            peer.set(cell.x, cell.y, true);
        }
        peer.generate_components();
        JumpPoints(peer)
    }
}

impl Finder for JumpPoints {
    type Found = Option<Vec<Point>>;

    fn find(&mut self, start: Cell, goal: Cell) -> Self::Found {
        let [start, goal] = [start, goal].map(|cell| Point::new(cell.x, cell.y));
        self.0.get_path_single_goal(start, goal, false)
    }

    fn read(found: Self::Found) -> FinderAnswer {
        let cells = found.map(|points| points.iter().map(|p| Cell::new(p.x, p.y)).collect());
        FinderAnswer {
            cells,
            expanded: None,
        }
    }
}
