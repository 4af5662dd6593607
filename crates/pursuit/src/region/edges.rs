//! Which components of neighboring tiles touch.
//!
//! No edges are stored. The border columns of two tiles are two words, and so are their border
//! rows:
//!
//! ```text
//!   last column of the western tile    1 1 1 . 1 1 . 1
//!   first column of the eastern tile   . 1 1 . 1 . . 1
//!   both                               . 1 1 . 1 . . 1    three runs, an edge each
//!
//!   corners, under `Always`: the same with the eastern column moved by one row
//! ```
//!
//! The cells of one run are neighbors of each other in both tiles, so one edge represents the whole run.

use super::tile::{TILE_SIDE, run_starts};
use super::tiles::{TileCell, Tiles};
use crate::bits::ones;
use crate::cell::NEIGHBORS;

/// Index of the last row and the last column of a tile.
const LAST_INDEX: u32 = TILE_SIDE as u32 - 1;

impl Tiles {
    /// The tiles beside a tile that its components can touch, each with the step there.
    pub(super) fn neighbors(&self, tile: u32) -> impl Iterator<Item = ((i32, i32), u32)> + use<> {
        let (across, down) = (self.tiling.across as i32, self.tiling.down as i32);
        let (x, y) = (tile as i32 % across, tile as i32 / across);
        let steps = if self.reach == 0 { 4 } else { 8 };
        NEIGHBORS.into_iter().take(steps).filter_map(move |step| {
            let (x, y) = (x + step.0, y + step.1);
            let is_inside = (0..across).contains(&x) && (0..down).contains(&y);
            is_inside.then_some((step, (y * across + x) as u32))
        })
    }

    /// Visits pairs of components that touch: one of `tile`, and one of `other`, which lies a step
    /// further. A pair may come more than once.
    pub(super) fn edges(
        &self,
        tile: u32,
        step: (i32, i32),
        other: u32,
        mut visit: impl FnMut(u16, u16),
    ) {
        let (tile, other) = (tile as usize, other as usize);
        match step {
            (1, 0) => self.column_edges(tile, other, visit),
            (-1, 0) => self.column_edges(other, tile, |theirs, own| visit(own, theirs)),
            (0, 1) => self.row_edges(tile, other, visit),
            (0, -1) => self.row_edges(other, tile, |theirs, own| visit(own, theirs)),
            (dx, dy) => {
                let corner = |tile, dx, dy| TileCell {
                    tile,
                    row: if dy > 0 { LAST_INDEX as usize } else { 0 },
                    bit: if dx > 0 { LAST_INDEX } else { 0 },
                };
                let (own, theirs) = (corner(tile, dx, dy), corner(other, -dx, -dy));
                let is_free = |at: TileCell| self.rows(at.tile)[at.row] >> at.bit & 1 != 0;
                if is_free(own) && is_free(theirs) {
                    visit(self.component(own), self.component(theirs));
                }
            }
        }
    }

    fn column_edges(&self, west: usize, east: usize, mut visit: impl FnMut(u16, u16)) {
        let (last, first) = (self.columns(west).1, self.columns(east).0);
        self.touching(last, first, |row, next_row| {
            let own = self.component_at(west, row, LAST_INDEX);
            visit(own, self.component_at(east, next_row, 0));
        });
    }

    fn row_edges(&self, north: usize, south: usize, mut visit: impl FnMut(u16, u16)) {
        let (last, first) = (self.rows(north)[LAST_INDEX as usize], self.rows(south)[0]);
        self.touching(last, first, |bit, next_bit| {
            let own = self.component_at(north, LAST_INDEX, bit);
            visit(own, self.component_at(south, 0, next_bit));
        });
    }

    fn component_at(&self, tile: usize, row: u32, bit: u32) -> u16 {
        let row = row as usize;
        self.component(TileCell { tile, row, bit })
    }

    /// Visits a pair of bits for each run of bits at which two lines touch.
    fn touching(&self, line: u64, next: u64, mut visit: impl FnMut(u32, u32)) {
        ones(run_starts(line & next)).for_each(|bit| visit(bit, bit));
        if self.reach == 0 {
            return;
        }
        ones(run_starts(line & next >> 1)).for_each(|bit| visit(bit, bit + 1));
        ones(run_starts(line & next << 1)).for_each(|bit| visit(bit, bit - 1));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use fastrand::Rng;

    use super::*;
    use crate::cell::{Cell, DiagonalPolicy};
    use crate::grid::Grid;
    use crate::random::{any_walls, each_case};
    use crate::region::Regions;
    use crate::search::oracle::cases;

    /// Tiles of one column or row, of one tile, and of several.
    fn any_regions(rng: &mut Rng) -> (Grid, Regions) {
        let sides = [1, 3, 64, 65, 130, 200];
        let [width, height] = [0; 2].map(|_| sides[rng.usize(0..6)]);
        let grid = any_walls(rng, width, height, 0..16);
        let policy = [DiagonalPolicy::Never, DiagonalPolicy::Always][rng.usize(0..2)];
        let regions = Regions::of(&grid, policy);
        (grid, regions)
    }

    /// The tile and the component in it that a cell is in.
    fn component_of(tiles: &Tiles, cell: Cell) -> Option<(u32, u16)> {
        let slot = tiles.slot(cell)?;
        let tile = (0..tiles.count()).find(|&tile| tiles.slots(tile).contains(&slot))?;
        Some((tile as u32, (slot - tiles.slots(tile).start) as u16))
    }

    #[test]
    fn components_touch_exactly_where_their_cells_touch() {
        let mut found = 0;
        each_case(300, |rng| {
            let (grid, regions) = any_regions(rng);
            let tiles = &regions.tiles;
            let mut expected = BTreeSet::new();
            let cells = grid.rect().cells().filter(|cell| {
                // No other lies beside another tile.
                [cell.x, cell.y]
                    .iter()
                    .any(|at| [0, 63].contains(&(at % 64)))
            });
            for cell in cells {
                let Some(own) = component_of(tiles, cell) else {
                    continue;
                };
                for (dx, dy) in NEIGHBORS {
                    let is_step = dx == 0 || dy == 0 || tiles.reach > 0;
                    let next = component_of(tiles, cell.offset(dx, dy));
                    if let Some(theirs) = next.filter(|next| is_step && next.0 != own.0) {
                        expected.insert((own, theirs));
                    }
                }
            }
            let mut edges = BTreeSet::new();
            for tile in 0..tiles.count() as u32 {
                for (step, other) in tiles.neighbors(tile) {
                    tiles.edges(tile, step, other, |own, theirs| {
                        edges.insert(((tile, own), (other, theirs)));
                    });
                }
            }
            assert_eq!(edges, expected);
            found += edges.len();
        });
        assert!(found > cases(2000), "{found}");
    }

    #[test]
    fn each_run_at_which_lines_touch_is_visited_once() {
        let mut kinds = BTreeMap::new();
        each_case(4000, |rng| {
            let (_, regions) = any_regions(&mut Rng::with_seed(rng.u64(0..8)));
            let tiles = &regions.tiles;
            // Often with long runs, also up to both ends.
            let mut any_line = || match rng.u8(0..3) {
                0 => rng.u64(..),
                1 => rng.u64(..) | rng.u64(..) | rng.u64(..),
                _ => u64::MAX << rng.u32(0..64) | rng.u64(..) >> 40,
            };
            let (line, next) = (any_line(), any_line());
            let is_set = |word: u64, bit: i32| (0..64).contains(&bit) && word >> bit & 1 != 0;
            let mut expected = Vec::new();
            let by = if tiles.reach == 0 {
                vec![0]
            } else {
                vec![0, 1, -1]
            };
            for by in by {
                let touch = |bit: i32| is_set(line, bit) && is_set(next, bit + by);
                let starts = (0..64).filter(|&bit| touch(bit) && !touch(bit - 1));
                expected.extend(starts.map(|bit| (bit as u32, (bit + by) as u32)));
            }
            let mut visited = Vec::new();
            tiles.touching(line, next, |bit, other| visited.push((bit, other)));
            assert_eq!(visited, expected, "{line:b} and {next:b}");
            *kinds.entry(tiles.reach).or_insert(0) += 1;
        });
        assert!(kinds.len() == 2, "{kinds:?}");
    }
}
