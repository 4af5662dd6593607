//! The crate `bevy_northstar`: HPA* over chunks, straightened by lines of sight.
//!
//! The crate is used without an app: its grid is queried directly, in the default mode, with the filter against cutting
//! corners. A step costs the integer cost of the cell that it enters, so a diagonal step costs as much as a straight
//! step. The filter sees one chunk at a time. So a diagonal step over the border between two chunks may cut a corner,
//! and the benchmark counts it as illegal.

use bevy::math::UVec3;
use bevy_northstar::prelude::{
    GridSettingsBuilder, Nav, OrdinalGrid, Path, PathfindArgs, filter::NoCornerCutting,
};
use pursuit::{Cell, Grid};
use pursuit_bench::{Finder, FinderAnswer};

/// Smallest side that the crate accepts for a grid, in cells.
const MIN_SIDE: u32 = 3;

/// A map with its chunks and their connections.
pub(crate) struct Northstar(OrdinalGrid);

impl Northstar {
    pub(crate) fn new(grid: &Grid) -> Self {
        let mut peer = Self::of_walls(grid);
        peer.build();
        peer
    }

    /// A grid with walls, and without chunks or connections yet.
    pub(crate) fn of_walls(grid: &Grid) -> Self {
        let [width, height] = [grid.width(), grid.height()].map(|side| side.max(MIN_SIDE));
        let settings = GridSettingsBuilder::new_2d(width, height)
            .default_impassable()
            .add_neighbor_filter(NoCornerCutting)
            .build();
        let mut peer = OrdinalGrid::new(&settings);
        for cell in grid.rect().cells().filter(|&cell| grid.is_free(cell)) {
            peer.set_nav(position(cell), Nav::Passable(1));
        }
        Northstar(peer)
    }

    /// Builds the chunks and their connections.
    pub(crate) fn build(&mut self) {
        self.0.build();
    }
}

fn position(cell: Cell) -> UVec3 {
    UVec3::new(cell.x as u32, cell.y as u32, 0)
}

impl Finder for Northstar {
    /// The start, and the path from the cell after it.
    type Found = (Cell, Option<Path>);

    fn find(&mut self, start: Cell, goal: Cell) -> Self::Found {
        let mut request = PathfindArgs::new(position(start), position(goal));
        (start, self.0.pathfind(&mut request))
    }

    fn read((start, found): Self::Found) -> FinderAnswer {
        let cells = found.map(|path| {
            let cells = path
                .path()
                .iter()
                .map(|p| Cell::new(p.x as i32, p.y as i32));
            let mut cells: Vec<_> = std::iter::once(start).chain(cells).collect();
            cells.dedup();
            cells
        });
        FinderAnswer {
            cells,
            expanded: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Northstar;
    use pursuit::Cell;
    use pursuit::maps::parse_ascii;
    use pursuit_bench::Finder;

    #[test]
    fn paths_cut_no_corner_and_cross_no_wall() {
        let path = |map| {
            let grid = parse_ascii(map).unwrap().grid;
            let found = Northstar::new(&grid).find(Cell::new(0, 0), Cell::new(2, 0));
            Northstar::read(found).cells
        };
        let around = [(0, 0), (0, 1), (1, 1), (2, 1), (2, 0)].map(Cell::from);
        assert_eq!(path(".#.\n..."), Some(around.to_vec()));
        assert_eq!(path(".#."), None);
    }
}
