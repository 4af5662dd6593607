//! The tiles of a grid: where a cell lies, and its component inside its tile.

use super::blocks::{Block, Blocks};
use super::tile::{TILE_SIDE, TileLabels, runs_up_to};
use crate::bits::transpose::transpose;
use crate::cell::{Cell, CellRect};
use crate::walls::Walls;

/// How a grid is cut into tiles of 64 × 64 cells.
///
/// A grid of fewer than 64 columns is cut as if its rows were columns. Otherwise a grid of one column
/// would take a word for each cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tiling {
    /// The grid's.
    pub(super) rect: CellRect,
    /// Whether `x` and `y` are swapped.
    is_turned: bool,
    width: u32,
    height: u32,
    /// Tiles in a row of tiles.
    pub(super) across: u32,
    /// Tiles in a column of tiles.
    pub(super) down: u32,
    /// Words kept of each tile: 64, or fewer where a tile is as high as the grid.
    pub(super) rows: usize,
}

/// Where a cell lies in its tile.
#[derive(Clone, Copy)]
pub(super) struct TileCell {
    pub(super) tile: usize,
    pub(super) row: usize,
    pub(super) bit: u32,
}

impl Tiling {
    fn of(rect: CellRect) -> Self {
        let (columns, rows) = (rect.width(), rect.height());
        let is_turned = columns < rows.min(TILE_SIDE as u32);
        let (width, height) = if is_turned {
            (rows, columns)
        } else {
            (columns, rows)
        };
        Self {
            rect,
            is_turned,
            width,
            height,
            across: width.div_ceil(TILE_SIDE as u32),
            down: height.div_ceil(TILE_SIDE as u32),
            rows: height.min(TILE_SIDE as u32) as usize,
        }
    }

    /// Converts a cell between the coordinates of the grid and those of the tiling, in both directions.
    pub(super) fn turned(&self, cell: Cell) -> Cell {
        if self.is_turned {
            Cell::new(cell.y, cell.x)
        } else {
            cell
        }
    }

    /// The last column and the last row of the tiling.
    pub(super) fn last(&self) -> Cell {
        Cell::new(self.width as i32 - 1, self.height as i32 - 1)
    }

    /// Where a cell of the grid lies; `None` outside.
    #[inline]
    fn place(&self, cell: Cell) -> Option<TileCell> {
        let Cell { x, y } = self.turned(cell);
        let (x, y) = (x as u32, y as u32);
        if x >= self.width || y >= self.height {
            return None;
        }
        let side = TILE_SIDE as u32;
        Some(TileCell {
            tile: (y / side * self.across + x / side) as usize,
            row: (y % side) as usize,
            bit: x % side,
        })
    }

    /// The rows of the tiling that lie in a tile and in the grid.
    fn rows_of(&self, tile: u32) -> std::ops::Range<u32> {
        let first = tile / self.across * TILE_SIDE as u32;
        first..self.height.min(first + TILE_SIDE as u32)
    }
}

/// What is kept of one tile beside its words.
#[derive(Clone, Copy, Debug, Default)]
struct Tile {
    /// Where the labels of its runs are.
    labels: Block,
    /// Where its components are.
    components: Block,
    /// Its first and its last column; bit `y` is that of row `y`.
    first_column: u64,
    last_column: u64,
}

/// The words of a grid in tiles, with the components of each tile.
///
/// A *slot* is a component's place among those of all tiles. Slots of a tile follow each other.
///
/// ```text
/// a grid of 130 x 70     tile 0   tile 1   tile 2      2 columns of it
///                        tile 3   tile 4   tile 5      6 rows of it; words of the others are zero
///
/// words                  rows 0 to 63 of tile 0, then those of tile 1, ...
/// bit x of word y        column x and row y of the tile
/// ```
#[derive(Clone, Debug)]
pub(super) struct Tiles {
    pub(super) tiling: Tiling,
    /// How far beyond its ends a run reaches into the next row; see [`TileLabels::label`].
    pub(super) reach: u8,
    /// The words of the first tile, then those of the second, ...; 1 = free.
    pub(super) words: Box<[u64]>,
    /// For each word, its first run among those of the tile; see [`TileLabels`].
    first_runs: Box<[u16]>,
    tiles: Box<[Tile]>,
    /// Component of each run in its tile.
    labels: Vec<u16>,
    label_blocks: Blocks,
    /// Cells of the component in each slot.
    cells: Vec<u16>,
    slot_blocks: Blocks,
}

impl Tiles {
    /// Tiles for a grid of this size, all blocked.
    pub(super) fn blocked(rect: CellRect, reach: u8) -> Self {
        let tiling = Tiling::of(rect);
        let count = tiling.across as usize * tiling.down as usize;
        let words = count * tiling.rows;
        Self {
            tiling,
            reach,
            words: vec![0; words].into(),
            first_runs: vec![0; words].into(),
            tiles: vec![Tile::default(); count].into(),
            labels: Vec::new(),
            label_blocks: Blocks::default(),
            cells: Vec::new(),
            slot_blocks: Blocks::default(),
        }
    }

    pub(super) fn count(&self) -> usize {
        self.tiles.len()
    }

    /// The words of a tile.
    pub(super) fn rows(&self, tile: usize) -> &[u64] {
        &self.words[tile * self.tiling.rows..][..self.tiling.rows]
    }

    /// The first and the last column of a tile, bit `y` for row `y`.
    pub(super) fn columns(&self, tile: usize) -> (u64, u64) {
        (self.tiles[tile].first_column, self.tiles[tile].last_column)
    }

    /// Component of each run of a tile, in the order of the runs.
    pub(super) fn labels(&self, tile: usize) -> &[u16] {
        &self.labels[self.tiles[tile].labels.range()]
    }

    /// The slots of a tile's components.
    pub(super) fn slots(&self, tile: usize) -> std::ops::Range<usize> {
        self.tiles[tile].components.range()
    }

    /// Slots of all tiles, with gaps.
    pub(super) fn slot_count(&self) -> usize {
        self.cells.len()
    }

    /// Cells of the component in a slot.
    pub(super) fn cells(&self, slot: usize) -> u16 {
        self.cells[slot]
    }

    /// The slot of the component that a cell of the grid is in; `None` if blocked or outside.
    #[inline]
    pub(super) fn slot(&self, cell: Cell) -> Option<usize> {
        let place = self.tiling.place(cell)?;
        let word = self.words[place.tile * self.tiling.rows + place.row];
        (word >> place.bit & 1 != 0).then(|| self.slot_at(place))
    }

    /// The slot of the component that the free cell at a place is in.
    #[inline]
    pub(super) fn slot_at(&self, place: TileCell) -> usize {
        let components = self.tiles[place.tile].components;
        // Most tiles of maps are of one piece: nothing to count.
        if components.len() == 1 {
            components.start()
        } else {
            components.start() + usize::from(self.component(place))
        }
    }

    /// The component in its tile of the free cell at a place.
    #[inline]
    pub(super) fn component(&self, place: TileCell) -> u16 {
        let at = place.tile * self.tiling.rows + place.row;
        let runs = runs_up_to(self.words[at], place.bit);
        let run = usize::from(self.first_runs[at]) + runs - 1;
        self.labels[self.tiles[place.tile].labels.start() + run]
    }

    /// The tiles that hold cells of `rect`, cells of the grid.
    pub(super) fn tiles_of(&self, rect: CellRect) -> impl Iterator<Item = u32> + use<> {
        let rect = rect.intersect(&self.tiling.rect);
        let [min, max] = [rect.min, rect.max].map(|corner| self.tiling.turned(corner));
        let side = TILE_SIDE as u32;
        let along = |min: i32, max: i32| min as u32 / side..(max as u32).div_ceil(side);
        let (columns, rows) = if rect.is_empty() {
            (0..0, 0..0)
        } else {
            (along(min.x, max.x), along(min.y, max.y))
        };
        let across = self.tiling.across;
        rows.flat_map(move |y| columns.clone().map(move |x| y * across + x))
    }

    /// The words of a tile as the grid has them: those of the rows that `rect` touches, and of the others
    /// as they are kept. `words` are those of a tile.
    pub(super) fn load(
        &self,
        tile: u32,
        walls: &Walls,
        rect: CellRect,
        words: &mut [u64; TILE_SIDE],
    ) -> usize {
        let rows = self.tiling.rows_of(tile);
        let column = tile % self.tiling.across;
        if self.tiling.is_turned {
            // The grid is less than a word wide.
            let first = column * TILE_SIDE as u32;
            let count = (self.tiling.width - first).min(TILE_SIDE as u32);
            words.fill(0);
            for (word, y) in words.iter_mut().zip(first..first + count) {
                *word = walls.row(y)[0];
            }
            transpose(words);
        } else {
            let (min, max) = (rect.min.y.max(0) as u32, rect.max.y.max(0) as u32);
            let (first, end) = (rows.start.max(min), rows.end.min(max));
            let changed = (first - rows.start) as usize..(end - rows.start) as usize;
            let kept = self.rows(tile as usize);
            if changed.len() < kept.len() {
                words[..kept.len()].copy_from_slice(kept);
            }
            let stride = walls.stride() as usize / 64;
            // A row of padding comes first.
            let from = (first as usize + 1) * stride + column as usize;
            let source = walls.words()[from..].iter().step_by(stride);
            for (word, &new) in words[changed].iter_mut().zip(source) {
                *word = new;
            }
        }
        self.tiling.rows
    }

    /// Replaces a tile. All that is ever written of a tile is written here.
    pub(super) fn write(&mut self, tile: usize, rows: &[u64], labeled: &TileLabels) {
        let at = tile * self.tiling.rows;
        self.words[at..at + rows.len()].copy_from_slice(rows);
        self.first_runs[at..at + rows.len()].copy_from_slice(&labeled.first_runs()[..rows.len()]);
        let tile = &mut self.tiles[tile];
        (tile.first_column, tile.last_column) = labeled.columns();
        let (labels, cells) = (labeled.labels(), labeled.cells());
        self.label_blocks.fit(&mut tile.labels, labels.len());
        grow(&mut self.labels, self.label_blocks.end());
        self.labels[tile.labels.range()].copy_from_slice(labels);
        self.slot_blocks.fit(&mut tile.components, cells.len());
        grow(&mut self.cells, self.slot_blocks.end());
        self.cells[tile.components.range()].copy_from_slice(cells);
    }

    /// Gives back memory that lists have grown into, but for some room for edits.
    pub(super) fn trim(&mut self) {
        trim(&mut self.labels);
        trim(&mut self.cells);
    }
}

/// Makes a list at least `len` items long.
fn grow<T: Clone + Default>(list: &mut Vec<T>, len: usize) {
    if list.len() < len {
        list.resize(len, T::default());
    }
}

/// Leaves an eighth of a list's length as room.
pub(super) fn trim<T>(list: &mut Vec<T>) {
    list.shrink_to(list.len() + list.len() / 8);
}
