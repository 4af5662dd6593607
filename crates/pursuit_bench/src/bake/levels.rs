//! Levels of any size: a map repeated side by side, and an open field with crates.

use std::fmt;
use std::sync::Arc;

use fastrand::Rng;
use pursuit::{Cell, CellRect, Grid, GridError};

/// Side of a crate, in cells.
const CRATE_SIDE: i32 = 3;

/// A square level with a name: the map's name, or `crates`.
pub(super) struct Level {
    pub(super) name: String,
    /// The walls. They are shared with the threads in which peers work.
    pub(super) grid: Arc<Grid>,
}

impl Level {
    pub(super) fn new(name: impl Into<String>, grid: Grid) -> Self {
        Level {
            name: name.into(),
            grid: Arc::new(grid),
        }
    }

    /// Side of the level, in cells.
    pub(super) fn size(&self) -> u32 {
        self.grid.width()
    }
}

impl fmt::Display for Level {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} of {}", self.name, self.size())
    }
}

/// A square level with sides of `size` cells: the map repeated side by side, or cut.
pub(super) fn tiled(map: &Grid, size: u32) -> Result<Grid, GridError> {
    let (width, height) = (map.width() as i32, map.height() as i32);
    Grid::from_fn(size, size, |cell| {
        map.is_free(Cell::new(cell.x % width, cell.y % height))
    })
}

/// A square level with sides of `size` cells and one crate per `cells_per_crate` cells. The crates may overlap.
pub(super) fn crates(size: u32, cells_per_crate: u32, seed: u64) -> Result<Grid, GridError> {
    let mut random = Rng::with_seed(seed);
    let mut builder = Grid::builder(size, size)?;
    let side = size as i32;
    for _ in 0..u64::from(size) * u64::from(size) / u64::from(cells_per_crate) {
        let corner = Cell::new(random.i32(0..side), random.i32(0..side));
        let cells = CellRect::new(corner, corner.offset(CRATE_SIDE, CRATE_SIDE));
        builder.fill(cells, false);
    }
    Ok(builder.build())
}

#[cfg(test)]
mod tests {
    use super::{crates, tiled};
    use pursuit::maps::{parse_ascii, write_ascii};

    #[test]
    fn a_map_is_repeated_or_cut() {
        let map = parse_ascii(".#.\n...\n").unwrap().grid;
        let rows = |size| write_ascii(&tiled(&map, size).unwrap());
        assert_eq!(rows(2), ".#\n..\n");
        assert_eq!(rows(5), ".#..#\n.....\n.#..#\n.....\n.#..#\n");
    }

    #[test]
    fn crates_leave_most_of_a_level_open_and_the_seed_decides_where_they_are() {
        let of = |seed| write_ascii(&crates(100, 300, seed).unwrap());
        let blocked = of(1).matches('#').count();
        assert!((150..=300).contains(&blocked), "{blocked} cells");
        assert_eq!(of(1), of(1));
        assert_ne!(of(1), of(2));
    }
}
