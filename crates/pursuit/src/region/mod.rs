//! Connected regions: whether one cell can be reached from another, without a search.

mod blocks;
mod edges;
mod forest;
mod join;
mod names;
mod nearest;
mod split;
mod tile;
mod tiles;

use std::fmt;

pub(crate) use self::nearest::nearest_free;

use self::join::Edit;
use self::names::Names;
use self::tiles::Tiles;
use crate::cancel::{Cancel, Cancelled, uncancelled};
use crate::cell::{Cell, CellRect, DiagonalPolicy};
use crate::grid::Grid;
use crate::walls::Walls;

/// The name of a region in one [`Regions`]. It is valid until the next [update](Regions::update).
///
/// Names are small numbers. The names of [`Regions::of`] are `0..count`. After an update, there may be gaps between the
/// numbers: see [`Regions::ids`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RegionId(pub u32);

/// The connected regions of a grid: two free cells are in the same region if and only if a path joins them under the
/// diagonal policy.
///
/// The grid is divided into tiles of 64 × 64 cells. Each tile labels its own cells (Rosenfeld and Pfaltz, 1966), and a
/// graph of tiles records which labels of neighboring tiles touch. (Sturtevant, 2007, uses tiles with regions for
/// abstract paths.) So the time of an edit depends on its size: [`Regions::update`] labels only the tiles that changed,
/// and checks the tiles around them.
///
/// Regions take a fifth of a byte per cell on maps of games, less than 1 byte among scattered walls, and less than 7
/// bytes on a checkerboard.
///
/// Two `Regions` are equal if they have the same free cells and the same connections. The names of the regions, the
/// policies and earlier updates may differ.
#[derive(Clone)]
pub struct Regions {
    diagonals: DiagonalPolicy,
    tiles: Tiles,
    names: Names,
    memory: EditMemory,
}

/// Memory for edits, kept from one edit to the next. A clone starts without it.
#[derive(Default)]
struct EditMemory(Option<Box<Edit>>);

impl Clone for EditMemory {
    fn clone(&self) -> Self {
        Self(None)
    }
}

/// How far beyond their ends runs of neighboring rows touch: a diagonal neighbor counts only where it
/// can be stepped to past two walls.
fn reach(diagonals: DiagonalPolicy) -> u8 {
    u8::from(diagonals == DiagonalPolicy::Always)
}

impl Regions {
    /// Finds the regions of a grid.
    ///
    /// [`DiagonalPolicy::Never`], [`NoCornerCut`](DiagonalPolicy::NoCornerCut) and
    /// [`OneFree`](DiagonalPolicy::OneFree) have the same regions, since each diagonal step that they allow
    /// can be replaced by two straight ones.
    #[must_use]
    pub fn of(grid: &Grid, diagonals: DiagonalPolicy) -> Self {
        uncancelled(|cancel| Self::labeled(grid.walls(), diagonals, cancel))
    }

    /// Labels the regions between walls. This function does the same as [`of`](Self::of), and checks `cancel` for each
    /// tile.
    pub(crate) fn labeled(
        walls: &Walls,
        diagonals: DiagonalPolicy,
        cancel: Cancel<'_>,
    ) -> Result<Self, Cancelled> {
        let mut tiles = Tiles::blocked(walls.rect(), reach(diagonals));
        let mut names = Names::default();
        Edit::default().label_all(&mut tiles, &mut names, walls, cancel)?;
        tiles.trim();
        names.trim();
        Ok(Self {
            diagonals,
            tiles,
            names,
            memory: EditMemory::default(),
        })
    }

    /// Updates the regions to `grid`, which may differ from their current grid only in cells of `rect`. Parts of `rect`
    /// outside the grid are ignored. A grid of another size is labeled as a whole.
    ///
    /// The result equals [`Regions::of`] with the same policy. A region that neither splits nor merges keeps its name.
    /// If a region splits, the part that is found last keeps the name.
    ///
    /// This takes some microseconds per tile of 64 × 64 cells that changed. If an edit splits a region in two, or might
    /// split it, the update searches the smaller part tile by tile. If an edit merges two regions, one pass over the
    /// labels of all tiles renames them.
    pub fn update(&mut self, grid: &Grid, rect: CellRect) {
        uncancelled(|cancel| self.follow(grid.walls(), rect, cancel));
    }

    /// Like [`update`](Self::update), but can be cancelled. The regions are then incomplete and cannot be used.
    pub(crate) fn follow(
        &mut self,
        walls: &Walls,
        rect: CellRect,
        cancel: Cancel<'_>,
    ) -> Result<(), Cancelled> {
        if walls.rect() != self.tiles.tiling.rect {
            *self = Self::labeled(walls, self.diagonals, cancel)?;
            return Ok(());
        }
        let edit = self.memory.0.get_or_insert_default();
        edit.apply(&mut self.tiles, &mut self.names, (walls, rect), cancel)?;
        if edit.is_large() {
            self.memory = EditMemory::default();
        }
        Ok(())
    }

    /// The regions, sorted by number.
    pub fn ids(&self) -> impl Iterator<Item = RegionId> + '_ {
        let numbered = (0..).zip(&self.names.sizes);
        numbered.filter_map(|(number, &size)| (size != 0).then_some(RegionId(number)))
    }

    /// Number of cells in a region. 0 if the region does not exist.
    #[must_use]
    pub fn size(&self, region: RegionId) -> usize {
        let size = self.names.sizes.get(region.0 as usize);
        size.map_or(0, |&size| size as usize)
    }

    /// The diagonal policy of the regions.
    #[must_use]
    pub fn diagonals(&self) -> DiagonalPolicy {
        self.diagonals
    }

    /// The region of a cell. `None` if the cell is blocked or outside the grid.
    #[must_use]
    #[inline]
    pub fn region(&self, cell: Cell) -> Option<RegionId> {
        let slot = self.tiles.slot(cell)?;
        Some(RegionId(self.names.region(slot)))
    }

    /// Whether a path joins two cells. `false` if one of them is blocked or outside the grid.
    #[must_use]
    #[inline]
    pub fn connected(&self, a: Cell, b: Cell) -> bool {
        self.region(a)
            .is_some_and(|region| self.region(b) == Some(region))
    }

    /// The cell of `region` with the smallest octile distance to `goal`. If several cells are equally near, it is the
    /// one with the smallest [`CellIndex`](crate::CellIndex). `goal` may be blocked or outside the grid. `None` only if
    /// the region does not exist.
    #[must_use]
    pub fn nearest_in(&self, region: RegionId, goal: Cell) -> Option<Cell> {
        if self.size(region) == 0 {
            return None;
        }
        if self.region(goal) == Some(region) {
            return Some(goal);
        }
        nearest::nearest_in(&self.tiles, &self.names, region.0, goal)
    }
}

impl PartialEq for Regions {
    fn eq(&self, other: &Self) -> bool {
        if self.tiles.tiling != other.tiles.tiling || self.tiles.words != other.tiles.words {
            return false;
        }
        let by_run = |regions: &Self, tile: usize, run: usize| {
            let slot = regions.tiles.slots(tile).start;
            let label = usize::from(regions.tiles.labels(tile)[run]);
            regions.names.region(slot + label)
        };
        // The name in `other` for each name in `self`, and the other way around.
        let mut there = vec![None; self.names.sizes.len()];
        let mut here = vec![None; other.names.sizes.len()];
        (0..self.tiles.count()).all(|tile| {
            (0..self.tiles.labels(tile).len()).all(|run| {
                let (a, b) = (by_run(self, tile, run), by_run(other, tile, run));
                *there[a as usize].get_or_insert(b) == b && *here[b as usize].get_or_insert(a) == a
            })
        })
    }
}

impl Eq for Regions {}

impl fmt::Debug for Regions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Regions")
            .field("rect", &self.tiles.tiling.rect)
            .field("diagonals", &self.diagonals)
            .field("count", &self.ids().count())
            .finish_non_exhaustive()
    }
}
