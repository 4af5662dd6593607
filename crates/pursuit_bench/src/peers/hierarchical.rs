//! The crate `hierarchical_pathfinding`: HPA* over chunks with cached paths.
//!
//! A step costs the integer cost of the cell that it leaves, so a diagonal step costs as much as a straight step. The
//! crate minimizes the number of steps, not the length of the path. The user supplies the neighborhood, so the one here
//! does not allow cutting corners.

use std::sync::Arc;

use hierarchical_pathfinding::prelude::{Neighborhood, PathCache, PathCacheConfig};
use pursuit::{Cell, Grid};

use super::finder::{Finder, FinderAnswer};

type Point = (usize, usize);

/// Side of a chunk, in cells. For larger maps, the crate's documentation recommends chunks larger than the default of
/// 8. The crate's own fast setting has 16.
const CHUNK_SIDE: usize = 16;

/// A map with the path cache of the crate.
pub(crate) struct Hierarchical {
    map: FreeCells,
    cache: PathCache<FreeCells>,
}

/// The free cells of a map. The cache clones this struct for every path, so cloning is cheap.
#[derive(Clone, Debug)]
struct FreeCells {
    width: usize,
    free: Arc<[bool]>,
}

impl FreeCells {
    fn is_free(&self, x: usize, y: usize) -> bool {
        x < self.width && self.free.get(y * self.width + x) == Some(&true)
    }

    /// Cost of a cell. A wall has a negative cost.
    fn cost(&self, (x, y): Point) -> isize {
        if self.is_free(x, y) { 1 } else { -1 }
    }
}

impl Neighborhood for FreeCells {
    fn get_all_neighbors(&self, (x, y): Point, target: &mut Vec<Point>) {
        // The column left of the first one wraps around to a number beyond the last column.
        let (left, up) = (x.wrapping_sub(1), y.wrapping_sub(1));
        let (right, down) = (x + 1, y + 1);
        let [w, e] = [left, right].map(|x| self.is_free(x, y));
        let [n, s] = [up, down].map(|y| y != usize::MAX && self.is_free(x, y));
        let steps = [
            (w, (left, y)),
            (e, (right, y)),
            (n, (x, up)),
            (s, (x, down)),
            (w && n && self.is_free(left, up), (left, up)),
            (e && n && self.is_free(right, up), (right, up)),
            (w && s && self.is_free(left, down), (left, down)),
            (e && s && self.is_free(right, down), (right, down)),
        ];
        target.extend(steps.into_iter().filter(|step| step.0).map(|step| step.1));
    }

    fn heuristic(&self, a: Point, b: Point) -> usize {
        a.0.abs_diff(b.0).max(a.1.abs_diff(b.1))
    }
}

impl Hierarchical {
    pub(crate) fn new(grid: &Grid) -> Self {
        let map = FreeCells {
            width: grid.width() as usize,
            free: grid.rect().cells().map(|cell| grid.is_free(cell)).collect(),
        };
        let size = (map.width, grid.height() as usize);
        let config = PathCacheConfig::with_chunk_size(CHUNK_SIDE);
        let cache = PathCache::new(size, |cell| map.cost(cell), map.clone(), config);
        Hierarchical { map, cache }
    }
}

impl Finder for Hierarchical {
    /// The start, and the path from the cell after the start.
    type Found = (Cell, Option<Vec<Point>>);

    fn find(&mut self, start: Cell, goal: Cell) -> Self::Found {
        let [from, to] = [start, goal].map(|cell| (cell.x as usize, cell.y as usize));
        let cost = |cell| self.map.cost(cell);
        let path = self.cache.find_path(from, to, cost);
        (start, path.map(|path| path.resolve(cost)))
    }

    fn read((start, found): Self::Found) -> FinderAnswer {
        let cells = found.map(|steps| {
            let steps = steps.into_iter();
            let steps = steps.map(|(x, y)| Cell::new(x as i32, y as i32));
            let mut cells: Vec<_> = std::iter::once(start).chain(steps).collect();
            // The crate returns a path from a cell to itself as one step to the same cell.
            cells.dedup();
            cells
        });
        FinderAnswer {
            cells,
            expanded: None,
        }
    }
}
