//! Which cells are free, and what it costs to cross them.

mod builder;
mod compare;
mod costs;
#[cfg(test)]
pub(crate) mod random;
mod redraw;

pub use builder::GridBuilder;

use std::sync::Arc;

use crate::cancel::{Cancel, Cancelled, uncancelled};
use crate::cell::{Cell, CellIndex, CellRect};
pub use crate::grid_error::GridError;
use crate::identity::next_identity;
use crate::layout::size_fits;
use crate::stride::Stride;
use crate::terrain::Terrain;

/// Walls and terrain costs of a rectangle of cells. To change some, [make another grid](Self::to_builder) of it.
///
/// Walls are bit rows, one bit per cell, so that a scan handles 64 cells at once. Two grids are
/// equal when size, walls and costs are.
///
/// Only free cells make terrain: a wall may have a cost, which counts once the cell is freed. Where all
/// free cells cost the same, searches take the roads of even ground and multiply what they find.
///
/// What searches need beside it is in a [`BodyLayers`](crate::BodyLayers).
#[derive(Clone)]
pub struct Grid {
    width: u32,
    height: u32,
    /// Words per row. A row always ends in at least one blocked bit.
    row_words: u32,
    /// Rows of nodes, as searches number cells.
    nodes: Stride,
    /// Row after row, 1 = free, with a blocked row before the first and after the last.
    words: Box<[u64]>,
    /// One cost per node, those of walls included; absent when every cost is 1. Walls that change leave them, so
    /// that the grids of one map share them.
    costs: Option<Arc<[u8]>>,
    /// What is known of them; absent when they are.
    terrain: Option<Terrain>,
    free_count: u32,
    identity: u64,
}

/// Rows shorter than this are numbered without their padding to whole words.
const NARROW: u32 = 32;

impl Grid {
    /// A grid of `width` × `height` cells of cost 1, each free where `free` says so. `free` is asked
    /// once per cell, row by row.
    ///
    /// # Errors
    ///
    /// [`GridError::Empty`] and [`GridError::TooLarge`].
    pub fn from_fn(
        width: u32,
        height: u32,
        mut free: impl FnMut(Cell) -> bool,
    ) -> Result<Self, GridError> {
        Self::from_words_fn(width, height, |y, words| {
            for (w, word) in words.iter_mut().enumerate() {
                let first = w as u32 * 64;
                for bit in 0..width.saturating_sub(first).min(64) {
                    let cell = Cell::new((first + bit) as i32, y as i32);
                    *word |= u64::from(free(cell)) << bit;
                }
            }
        })
    }

    /// Like [`Grid::from_fn`], a row at a time: `fill` gets a row's number and its words, all zero,
    /// and sets the bits of the free cells. Bits beyond the row's width are ignored.
    pub(crate) fn from_words_fn(
        width: u32,
        height: u32,
        fill: impl FnMut(u32, &mut [u64]),
    ) -> Result<Self, GridError> {
        let grid = Self::blocked(width, height)?;
        Ok(uncancelled(|cancel| grid.fill_rows(fill, cancel)))
    }

    /// Calls `fill` for each row of a grid without free cells, as [`from_words_fn`](Self::from_words_fn) does.
    pub(crate) fn fill_rows(
        mut self,
        mut fill: impl FnMut(u32, &mut [u64]),
        cancel: Cancel<'_>,
    ) -> Result<Self, Cancelled> {
        let (row_words, height) = (self.row_words as usize, self.height as usize);
        let rows = self.words.chunks_exact_mut(row_words).skip(1).take(height);
        for (y, row) in rows.enumerate() {
            cancel.begin_part()?;
            fill(y as u32, row);
            mask_padding(row, self.width);
            self.free_count += count_ones(row);
        }
        self.identity = next_identity();
        Ok(self)
    }

    /// All cells blocked, without an identity.
    pub(crate) fn blocked(width: u32, height: u32) -> Result<Self, GridError> {
        if width == 0 || height == 0 {
            return Err(GridError::Empty { width, height });
        }
        if !size_fits(u64::from(width), u64::from(height)) {
            return Err(GridError::TooLarge { width, height });
        }
        let row_words = width / 64 + 1;
        // Each row of nodes ends in a blocked one, too.
        let nodes = if width < NARROW {
            width + 1
        } else {
            row_words * 64
        };
        Ok(Self {
            width,
            height,
            row_words,
            nodes: Stride::new(nodes),
            words: vec![0; row_words as usize * (height as usize + 2)].into_boxed_slice(),
            costs: None,
            terrain: None,
            free_count: 0,
            identity: 0,
        })
    }

    /// Completes a grid whose cells are set.
    fn seal(&mut self) {
        self.identity = next_identity();
        self.free_count = count_ones(&self.words);
    }

    /// Works out what searches need to know of the costs.
    fn survey(&mut self, cancel: Cancel<'_>) -> Result<(), Cancelled> {
        let (row_words, stride) = (self.row_words as usize, self.node_stride() as usize);
        let costs = self.costs.as_ref();
        let terrain = costs.map(|costs| Terrain::of(&self.words, row_words, costs, stride, cancel));
        self.terrain = terrain.transpose()?;
        Ok(())
    }

    /// Number of columns.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Number of rows.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// All cells.
    #[must_use]
    pub fn rect(&self) -> CellRect {
        CellRect::new(
            Cell::new(0, 0),
            Cell::new(self.width as i32, self.height as i32),
        )
    }

    /// Number of cells, free or not.
    #[must_use]
    pub fn cell_count(&self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Number of free cells.
    #[must_use]
    pub fn free_count(&self) -> usize {
        self.free_count as usize
    }

    /// Whether the cell is one of the grid's.
    #[must_use]
    pub fn contains(&self, cell: Cell) -> bool {
        (cell.x as u32) < self.width && (cell.y as u32) < self.height
    }

    /// Whether the cell can be stood on; `false` outside of the grid.
    #[must_use]
    pub fn is_free(&self, cell: Cell) -> bool {
        self.slot(cell).is_some_and(|slot| self.slot_is_free(slot))
    }

    /// Terrain cost of the cell, 1 to 255, blocked or not; 1 outside of the grid.
    #[must_use]
    pub fn cost(&self, cell: Cell) -> u8 {
        match (&self.costs, self.node(cell)) {
            (Some(costs), Some(node)) => costs[node as usize],
            _ => 1,
        }
    }

    /// Whether some free cell costs more than 1.
    #[must_use]
    pub fn has_terrain(&self) -> bool {
        self.uniform_cost() != Some(1)
    }

    /// What every free cell costs, if that is the same for all: 1 where there is no terrain or no free
    /// cell. Then jump-point search and tables are as good as without terrain.
    /// `None` where free cells differ.
    #[must_use]
    pub fn uniform_cost(&self) -> Option<u8> {
        self.terrain.as_ref().map_or(Some(1), Terrain::uniform)
    }

    /// A number that no other grid built by this process has, but its clones: what was worked out from
    /// a grid holds for all with its identity.
    #[cfg(any(test, feature = "planners", feature = "tables"))]
    pub(crate) fn identity(&self) -> u64 {
        self.identity
    }

    /// The cell's index; `None` outside of the grid.
    #[must_use]
    pub fn index(&self, cell: Cell) -> Option<CellIndex> {
        self.contains(cell)
            .then(|| CellIndex(cell.y as u32 * self.width + cell.x as u32))
    }

    /// The cell with that index; beyond the last index, a cell outside of the grid.
    #[must_use]
    pub fn cell(&self, index: CellIndex) -> Cell {
        Cell::new((index.0 % self.width) as i32, (index.0 / self.width) as i32)
    }

    // Slots: the bits of the words, counted from the lowest bit of the first word. The neighbors of a
    // cell are `slot ± 1` and `slot ± stride`; the padding between and around the rows is blocked.
    //
    // Nodes: as searches number the cells, padding included, in rows of their own. In a narrow grid most
    // of a row of slots is padding, so a row of nodes has a single node of it there:
    //
    //     slots of a grid 3 wide   ...#############  (61 of them)
    //     nodes                    ...#
    //
    // Else a node is a slot.

    /// Slots per row: a multiple of 64, above the width.
    pub(crate) fn stride(&self) -> u32 {
        self.row_words * 64
    }

    /// The cell's slot; `None` outside of the grid.
    pub(crate) fn slot(&self, cell: Cell) -> Option<u32> {
        self.contains(cell)
            .then(|| (cell.y as u32 + 1) * self.stride() + cell.x as u32)
    }

    /// Nodes per row, above the width.
    pub(crate) fn node_stride(&self) -> u32 {
        self.nodes.length()
    }

    /// Rows of nodes. The first one and the last one are padding.
    #[cfg(feature = "planners")]
    pub(crate) fn node_rows(&self) -> Stride {
        self.nodes
    }

    /// Number of nodes, padding included. Below 2³¹ for every grid.
    pub(crate) fn node_count(&self) -> u32 {
        self.nodes.length() * (self.height + 2)
    }

    /// The cell's node; `None` outside of the grid.
    pub(crate) fn node(&self, cell: Cell) -> Option<u32> {
        self.contains(cell)
            .then(|| (cell.y as u32 + 1) * self.nodes.length() + cell.x as u32)
    }

    /// The cell of a node: the inverse of [`Grid::node`].
    #[inline(always)]
    pub(crate) fn node_cell(&self, node: u32) -> Cell {
        let (row, place) = self.nodes.split(node);
        Cell::new(place as i32, row as i32 - 1)
    }

    /// The slot of a node that is no padding.
    #[inline(always)]
    pub(crate) fn node_slot(&self, node: u32) -> u32 {
        if self.width < NARROW {
            return self.narrow_slot(node);
        }
        node
    }

    /// Apart, or the wide grids would pay for the division, too.
    #[cold]
    #[inline(never)]
    fn narrow_slot(&self, node: u32) -> u32 {
        let (row, place) = self.nodes.split(node);
        row * self.stride() + place
    }

    /// Whether the slot's cell is free; padding is not.
    pub(crate) fn slot_is_free(&self, slot: u32) -> bool {
        let word = self.words.get((slot / 64) as usize).copied().unwrap_or(0);
        word >> (slot % 64) & 1 != 0
    }

    /// All bit rows, padding rows included, `stride / 64` words each.
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    /// The words of row `y`; bits from the width on are zero.
    pub(crate) fn row(&self, y: u32) -> &[u64] {
        let words = self.row_words as usize;
        let first = (y as usize + 1) * words;
        &self.words[first..first + words]
    }

    /// Terrain cost per node and what is known about the costs, where free cells differ in cost.
    pub(crate) fn uneven_costs(&self) -> Option<(&[u8], &Terrain)> {
        let terrain = self.terrain.as_ref()?;
        let costs = self.costs.as_deref()?;
        terrain.uniform().is_none().then_some((costs, terrain))
    }
}

fn count_ones(words: &[u64]) -> u32 {
    words.iter().map(|word| word.count_ones()).sum()
}

/// Clears the bits of a row from `width` on.
fn mask_padding(row: &mut [u64], width: u32) {
    if let Some(last) = row.last_mut() {
        *last &= (1 << (width % 64)) - 1;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn sizes_without_cells_and_beyond_the_limit_have_errors_of_their_own() {
        assert!(matches!(Grid::builder(0, 3), Err(GridError::Empty { .. })));
        assert!(matches!(Grid::builder(3, 0), Err(GridError::Empty { .. })));
        let huge = Grid::builder(1 << 15, 1 << 14);
        assert!(matches!(huge, Err(GridError::TooLarge { .. })));
        assert!(matches!(
            Grid::builder(1, u32::MAX),
            Err(GridError::TooLarge { .. })
        ));
        assert!(Grid::from_fn(1, 1, |_| true).is_ok());
    }

    #[test]
    fn outside_is_not_free_at_the_bound_itself_and_beyond() {
        for width in [1, 63, 64, 65] {
            let grid = Grid::builder(width, 2).unwrap().build();
            let w = width as i32;
            assert!(grid.is_free(Cell::new(w - 1, 1)));
            for outside in [
                (w, 0),
                (w, 1),
                (0, 2),
                (-1, 0),
                (0, -1),
                (i32::MIN, i32::MAX),
            ] {
                assert!(
                    !grid.is_free(outside.into()),
                    "{outside:?} is outside of width {width}"
                );
                assert!(!grid.contains(outside.into()));
                assert_eq!(grid.index(outside.into()), None);
            }
        }
    }

    #[test]
    fn the_builder_refuses_cells_outside_and_cost_zero() {
        let mut builder = Grid::builder(4, 4).unwrap();
        let outside = Cell::new(4, 0);
        assert_eq!(
            builder.set_free(outside, false),
            Err(GridError::Outside(outside))
        );
        assert_eq!(
            builder.set_cost(outside, 2),
            Err(GridError::Outside(outside))
        );
        let inside = Cell::new(1, 1);
        assert_eq!(
            builder.set_cost(inside, 0),
            Err(GridError::ZeroCost(inside))
        );
    }

    #[test]
    fn costs_of_one_leave_a_grid_without_terrain() {
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
    fn clones_share_an_identity_and_equal_grids_do_not() {
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
        fn nodes_and_indices_lead_back_to_their_cells(
            width in prop_oneof![1u32..70, 1u32..3000], height in 1u32..3000,
            fx in 0.0f64..1.0, fy in 0.0f64..1.0,
        ) {
            let grid = Grid::blocked(width, height).unwrap();
            let cell = Cell::new((fx * width as f64) as i32, (fy * height as f64) as i32);
            let node = grid.node(cell).unwrap();
            prop_assert_eq!(grid.node_cell(node), cell);
            prop_assert_eq!(grid.node_slot(node), grid.slot(cell).unwrap());
            prop_assert!(node < grid.node_count());
            prop_assert_eq!(grid.cell(grid.index(cell).unwrap()), cell);
        }

        #[test]
        fn cells_answer_what_the_function_said(width in 1u32..140, height in 1u32..6, salt: u64) {
            let free = |cell: Cell| {
                let n = (cell.y as u64 * 1000 + cell.x as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                (n ^ salt).count_ones().is_multiple_of(2)
            };
            let grid = Grid::from_fn(width, height, free).unwrap();
            for cell in grid.rect().grow(1).cells() {
                prop_assert_eq!(grid.is_free(cell), grid.contains(cell) && free(cell));
            }
        }
    }
}
