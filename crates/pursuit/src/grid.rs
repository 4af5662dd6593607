//! Grids: the cells that are free, and their terrain costs.

mod builder;

pub use builder::GridBuilder;

use std::fmt;
use std::sync::Arc;

use crate::cancel::{Cancel, Cancelled, uncancelled};
use crate::cell::{Cell, CellIndex, CellRect};
pub use crate::grid_error::GridError;
use crate::identity::next_identity;
use crate::terrain::Terrain;
use crate::walls::Walls;

/// The walls and terrain costs of a rectangle of cells. A grid cannot be changed. To change cells, [build another
/// grid](Self::to_builder) from it.
///
/// Two grids are equal if their size, walls and costs are equal.
///
/// Only the costs of free cells matter. A wall may have a cost, which applies once the cell is freed. If all free cells
/// have the same cost, a search runs as on ground of cost 1 and multiplies the cost of its path by that cost.
///
/// A [`BodyLayers`](crate::BodyLayers) holds the grid together with everything else that searches need.
#[derive(Clone)]
pub struct Grid {
    walls: Walls,
    /// The cost of every cell if there is no terrain.
    flat: u8,
    terrain: Option<Terrain>,
    identity: u64,
}

/// The costs of the cells of a grid, walls included.
#[derive(Clone, Debug)]
pub(crate) enum CellCosts {
    /// All cells have the same cost.
    Flat(u8),
    /// One cost per node.
    Each(Arc<[u8]>),
}

impl Grid {
    /// A grid of `width` × `height` cells of cost 1. A cell is free if `free` returns `true` for it; `free`
    /// is called once per cell, row by row.
    ///
    /// # Errors
    ///
    /// [`GridError::Empty`] if there are no cells, and [`GridError::TooLarge`] if there are too many.
    pub fn from_fn(
        width: u32,
        height: u32,
        mut free: impl FnMut(Cell) -> bool,
    ) -> Result<Self, GridError> {
        let walls = Walls::blocked(width, height)?;
        let fill = |y: u32, words: &mut [u64]| {
            for (w, word) in words.iter_mut().enumerate() {
                let first = w as u32 * 64;
                for bit in 0..width.saturating_sub(first).min(64) {
                    let cell = Cell::new((first + bit) as i32, y as i32);
                    *word |= u64::from(free(cell)) << bit;
                }
            }
        };
        Ok(uncancelled(|cancel| {
            Self::new(walls.fill_rows(fill, cancel)?, CellCosts::Flat(1), cancel)
        }))
    }

    pub(crate) fn new(
        walls: Walls,
        costs: CellCosts,
        cancel: Cancel<'_>,
    ) -> Result<Self, Cancelled> {
        let (flat, terrain) = match costs {
            CellCosts::Flat(flat) => (flat, None),
            CellCosts::Each(costs) => (1, Some(Terrain::of(&walls, costs, cancel)?)),
        };
        Ok(Self {
            flat,
            terrain,
            walls,
            identity: next_identity(),
        })
    }

    /// Changes walls in some rectangles, which lie inside the grid, and gives the grid a new identity. Costs do not
    /// change. `edit` is passed to [`Walls::edit_words`]. The time depends on the edited area.
    ///
    /// After a cancelled edit, the grid is inconsistent and must not be used.
    pub(crate) fn edit_words(
        &mut self,
        rects: impl Iterator<Item = CellRect>,
        mut edit: impl FnMut(&mut [u64], usize, CellRect) -> Result<(), Cancelled>,
    ) -> Result<(), Cancelled> {
        for rect in rects {
            match &mut self.terrain {
                Some(terrain) => terrain.edit_words(&mut self.walls, rect, &mut edit)?,
                None => self.walls.edit_words(rect, &mut edit)?,
            }
        }
        self.identity = next_identity();
        Ok(())
    }

    /// Changes the costs of nodes in some rectangles, which lie inside the grid. All other costs keep their values.
    pub(crate) fn recost(
        &mut self,
        rects: impl Iterator<Item = CellRect> + Clone,
        cost: impl Fn(u32) -> u8,
        cancel: Cancel<'_>,
    ) -> Result<(), Cancelled> {
        let terrain = match &mut self.terrain {
            Some(terrain) => terrain,
            None => {
                let rows = |rect| self.walls.nodes_of_rows(rect);
                let mut rows = rects.clone().flat_map(rows);
                if rows.all(|mut row| row.all(|node| cost(node) == self.flat)) {
                    return Ok(());
                }
                let flat = vec![self.flat; self.walls.node_count() as usize];
                let terrain = Terrain::of(&self.walls, flat.into(), cancel)?;
                self.terrain.insert(terrain)
            }
        };
        for rect in rects {
            cancel.check()?;
            terrain.recost(&self.walls, rect, &cost, cancel)?;
        }
        self.identity = next_identity();
        Ok(())
    }

    /// Makes this grid equal to `newer`, and gives it the identity of `newer`. Before the call, the two may differ only
    /// in `rects`.
    pub(crate) fn catch_up(&mut self, newer: &Self, rects: impl Iterator<Item = CellRect> + Clone) {
        match (&mut self.terrain, &newer.terrain) {
            (Some(terrain), Some(newer)) => terrain.catch_up(newer, &self.walls, rects.clone()),
            (terrain, newer) => terrain.clone_from(newer),
        }
        self.flat = newer.flat;
        self.walls.catch_up(&newer.walls, rects);
        self.identity = newer.identity;
    }

    /// The walls of the grid.
    pub(crate) fn walls(&self) -> &Walls {
        &self.walls
    }

    /// The terrain, if free cells have different costs.
    pub(crate) fn uneven(&self) -> Option<&Terrain> {
        let terrain = self.terrain.as_ref()?;
        terrain.uniform().is_none().then_some(terrain)
    }

    /// The costs of all cells.
    pub(crate) fn costs(&self) -> CellCosts {
        let each = self.terrain.as_ref().map(Terrain::costs);
        each.map_or(CellCosts::Flat(self.flat), |costs| {
            CellCosts::Each(costs.clone())
        })
    }

    /// Number of columns.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.walls.width()
    }

    /// Number of rows.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.walls.height()
    }

    /// The rectangle of all cells.
    #[must_use]
    pub fn rect(&self) -> CellRect {
        self.walls.rect()
    }

    /// Number of cells, free or not.
    #[must_use]
    pub fn cell_count(&self) -> usize {
        self.walls.size().cell_count()
    }

    /// Number of free cells.
    #[must_use]
    pub fn free_count(&self) -> usize {
        self.walls.free_count() as usize
    }

    /// Whether the cell lies inside the grid.
    #[must_use]
    pub fn contains(&self, cell: Cell) -> bool {
        self.walls.contains(cell)
    }

    /// Whether the cell is free. `false` outside the grid.
    #[must_use]
    pub fn is_free(&self, cell: Cell) -> bool {
        self.walls.is_free(cell)
    }

    /// Terrain cost of the cell, 1 to 255, whether it is blocked or not. 1 outside the grid.
    #[must_use]
    pub fn cost(&self, cell: Cell) -> u8 {
        let node = self.walls.node(cell);
        let terrain = self.terrain.as_ref();
        node.map_or(1, |node| terrain.map_or(self.flat, |it| it.cost(node)))
    }

    /// Whether some free cell costs more than 1.
    #[must_use]
    pub fn has_terrain(&self) -> bool {
        self.uniform_cost() != Some(1)
    }

    /// The cost of every free cell, if all free cells have the same cost. Jump-point search and tables then work as on
    /// ground of cost 1. `None` if free cells have different costs.
    #[must_use]
    pub fn uniform_cost(&self) -> Option<u8> {
        let terrain = self.terrain.as_ref();
        terrain.map_or(Some(self.flat), Terrain::uniform)
    }

    /// A number that no other grid in this process has, except for clones of this grid. Data that was derived from a
    /// grid is valid for every grid with the same identity.
    pub(crate) fn identity(&self) -> u64 {
        self.identity
    }

    /// The index of the cell. `None` outside the grid.
    #[must_use]
    pub fn index(&self, cell: Cell) -> Option<CellIndex> {
        self.walls.size().index(cell)
    }
}

impl Grid {
    /// Whether all cells of two grids of the same size have the same costs.
    fn costs_are(&self, other: &Self) -> bool {
        match (self.costs(), other.costs()) {
            (CellCosts::Flat(own), CellCosts::Flat(other)) => own == other,
            (CellCosts::Each(own), CellCosts::Each(other)) if own == other => true,
            _ => (self.rect().cells()).all(|cell| self.cost(cell) == other.cost(cell)),
        }
    }
}

impl PartialEq for Grid {
    fn eq(&self, other: &Self) -> bool {
        self.walls == other.walls && self.costs_are(other)
    }
}

impl Eq for Grid {}

impl fmt::Debug for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Grid")
            .field("width", &self.width())
            .field("height", &self.height())
            .field("free_count", &self.free_count())
            .field("has_terrain", &self.has_terrain())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn empty_and_too_large_grids_are_different_errors() {
        for (width, height) in [(0, 3), (3, 0)] {
            let empty = Grid::builder(width, height);
            assert!(matches!(empty, Err(GridError::Empty { .. })));
        }
        for (width, height) in [(1 << 15, 1 << 14), (1, u32::MAX)] {
            let huge = Grid::builder(width, height);
            assert!(matches!(huge, Err(GridError::TooLarge { .. })));
        }
        assert!(Grid::from_fn(1, 1, |_| true).is_ok());
    }

    #[test]
    fn the_builder_rejects_cells_outside_the_grid_and_zero_costs() {
        let mut builder = Grid::builder(4, 4).unwrap();
        let (inside, outside) = (Cell::new(1, 1), Cell::new(4, 0));
        let refused = Err(GridError::Outside(outside));
        assert_eq!(builder.set_free(outside, false), refused);
        assert_eq!(builder.set_cost(outside, 2), refused);
        let refused = Err(GridError::ZeroCost(inside));
        assert_eq!(builder.set_cost(inside, 0), refused);
    }

    #[test]
    fn a_grid_whose_costs_are_all_one_has_no_terrain() {
        let mut builder = Grid::builder(4, 4).unwrap();
        builder.set_cost(Cell::new(1, 2), 9).unwrap();
        let rough = builder.clone().build();
        assert!(rough.has_terrain());
        assert_eq!(rough.cost(Cell::new(1, 2)), 9);
        assert_eq!(rough.cost(Cell::new(2, 1)), 1);
        builder.set_cost(Cell::new(1, 2), 1).unwrap();
        let plain = builder.build();
        assert!(!plain.has_terrain());
        assert_eq!(plain, Grid::builder(4, 4).unwrap().build());
    }

    #[test]
    fn clones_share_an_identity_but_rebuilt_grids_do_not() {
        let grid = Grid::builder(3, 3).unwrap().build();
        assert_eq!(grid.clone().identity(), grid.identity());
        let equal = grid.to_builder().build();
        assert_eq!(equal, grid);
        assert_ne!(equal.identity(), grid.identity());
    }

    proptest! {
        #[test]
        fn filling_rectangles_sets_exactly_their_cells(
            width in 1u32..200, height in 1u32..9,
            x in -5i32..200, y in -3i32..9, w in 0i32..150, h in 0i32..9,
        ) {
            let rect = CellRect::new(Cell::new(x, y), Cell::new(x + w, y + h));
            let mut builder = Grid::builder(width, height).unwrap();
            builder.fill(rect, false);
            let holed = builder.clone().build();
            let expected = Grid::from_fn(width, height, |cell| !rect.contains(cell)).unwrap();
            prop_assert_eq!(&holed, &expected);
            let inside = rect.intersect(&holed.rect()).cell_count() as usize;
            prop_assert_eq!(holed.free_count(), holed.cell_count() - inside);
            builder.fill(rect, true);
            prop_assert_eq!(builder.build(), Grid::builder(width, height).unwrap().build());
        }

        #[test]
        fn from_fn_frees_exactly_the_cells_for_which_the_function_returns_true(
            width in prop_oneof![1u32..140, 63u32..66], height in 1u32..6, salt: u64,
        ) {
            let free = |cell: Cell| {
                let n = (cell.y as u64 * 1000 + cell.x as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                (n ^ salt).count_ones().is_multiple_of(2)
            };
            let grid = Grid::from_fn(width, height, free).unwrap();
            let far = Cell::new(i32::MIN, i32::MAX);
            for cell in grid.rect().grow(1).cells().chain([far]) {
                let is_inside = cell.x >= 0 && (cell.x as u32) < width && cell.y >= 0 && (cell.y as u32) < height;
                prop_assert_eq!((grid.contains(cell), grid.index(cell).is_some()), (is_inside, is_inside));
                prop_assert_eq!(grid.is_free(cell), is_inside && free(cell));
            }
        }
    }
}
