//! Which cells to bake anew, as rectangles that do not overlap.

use std::collections::BTreeSet;

use pursuit::{Cell, CellRect};

/// From more rectangles than this on, whole tiles are baked: to compare all rectangles with each other
/// takes longer then.
const MOST_RECTS: usize = 32;

/// Side of a tile, in cells.
const TILE: i32 = 16;

/// Cells to bake anew.
///
/// ```text
///   few changes        many: tiles, in rows
///
///   .##...             ####..
///   .##...             ####..
///   ....#.             ..####
/// ```
#[derive(Debug)]
pub(super) struct Dirty {
    grid: CellRect,
    few: Vec<CellRect>,
    /// Row and column of each, once there are many.
    tiles: BTreeSet<(i32, i32)>,
}

impl Dirty {
    /// Nothing, of a grid.
    pub(super) fn new(grid: CellRect) -> Self {
        Self {
            grid,
            few: Vec::new(),
            tiles: BTreeSet::new(),
        }
    }

    /// Adds the cells of a rectangle of the grid, and merges where one larger rectangle is no more work.
    pub(super) fn add(&mut self, mut rect: CellRect) {
        if rect.is_empty() {
            return;
        }
        if !self.tiles.is_empty() {
            self.add_tiles(rect);
            return;
        }
        let worth_merging = |a: &CellRect, b: &CellRect| {
            !a.intersect(b).is_empty() || a.union(b).cell_count() <= a.cell_count() + b.cell_count()
        };
        while let Some(other) = (self.few.iter()).position(|other| worth_merging(other, &rect)) {
            rect = rect.union(&self.few.swap_remove(other));
        }
        self.few.push(rect);
        if self.few.len() > MOST_RECTS {
            for rect in std::mem::take(&mut self.few) {
                self.add_tiles(rect);
            }
        }
    }

    fn add_tiles(&mut self, rect: CellRect) {
        let tiles = |min: i32, max: i32| min.div_euclid(TILE)..=(max - 1).div_euclid(TILE);
        for row in tiles(rect.min.y, rect.max.y) {
            let columns = tiles(rect.min.x, rect.max.x);
            self.tiles.extend(columns.map(|column| (row, column)));
        }
    }

    /// The rectangles.
    pub(super) fn into_rects(self) -> Vec<CellRect> {
        let mut rects = self.few;
        for (row, column) in self.tiles {
            let corner = Cell::new(column * TILE, row * TILE);
            let tile = CellRect::new(corner, corner.offset(TILE, TILE)).intersect(&self.grid);
            match rects.last_mut() {
                Some(last) if last.min.y == tile.min.y && last.max.x == tile.min.x => {
                    *last = last.union(&tile);
                }
                _ => rects.push(tile),
            }
        }
        rects
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRID: CellRect = CellRect {
        min: Cell { x: 0, y: 0 },
        max: Cell { x: 210, y: 205 },
    };

    fn rect(x: i32, y: i32, width: i32, height: i32) -> CellRect {
        CellRect::new(Cell::new(x, y), Cell::new(x + width, y + height))
    }

    #[test]
    fn two_far_changes_do_not_bake_what_lies_between() {
        let mut dirty = Dirty::new(GRID);
        dirty.add(rect(0, 0, 4, 4));
        dirty.add(rect(100, 100, 4, 4));
        assert_eq!(dirty.into_rects(), [rect(0, 0, 4, 4), rect(100, 100, 4, 4)]);
    }

    #[test]
    fn overlapping_changes_become_one() {
        let mut dirty = Dirty::new(GRID);
        dirty.add(rect(0, 0, 4, 4));
        dirty.add(rect(20, 0, 4, 4));
        dirty.add(rect(3, 1, 18, 2));
        assert_eq!(dirty.into_rects(), [rect(0, 0, 24, 4)]);
    }

    #[test]
    fn all_is_covered_once_and_many_changes_by_whole_tiles() {
        let mut random = fastrand::Rng::with_seed(3);
        for round in 0..50 {
            let mut dirty = Dirty::new(GRID);
            let mut added = Vec::new();
            let count = [20, 200][round % 2];
            for _ in 0..count {
                let (x, y) = (random.i32(0..200), random.i32(0..200));
                let one = rect(x, y, random.i32(0..9), random.i32(0..9)).intersect(&GRID);
                dirty.add(one);
                added.push(one);
            }
            let rects = dirty.into_rects();
            assert!(rects.iter().all(|rect| rect.intersect(&GRID) == *rect));
            assert_eq!(
                count == 200,
                rects.iter().all(|rect| rect.min.y % TILE == 0)
            );
            for cell in added.iter().flat_map(CellRect::cells) {
                let covers = rects.iter().filter(|rect| rect.contains(cell)).count();
                assert_eq!(covers, 1, "cell {cell} lies in {covers} rectangles");
            }
        }
    }
}
