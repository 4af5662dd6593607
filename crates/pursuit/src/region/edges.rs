//! Which components of neighboring tiles touch.
//!
//! Nothing is stored for it. The border columns of two tiles are two words, and so are their border
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
//! The cells of one run are neighbors of each other in both tiles, so one edge tells it all.

use super::tile::{SIDE, run_starts};
use super::tiles::{Place, Tiles};
use crate::cell::NEIGHBORS;

/// The last row and the last column of a tile.
const LAST: u32 = SIDE as u32 - 1;

impl Tiles {
    /// The tiles beside a tile that its components can touch, each with the step there.
    pub(super) fn neighbors(&self, tile: u32) -> impl Iterator<Item = ((i32, i32), u32)> + use<> {
        let (across, down) = (self.frame().across() as i32, self.frame().down() as i32);
        let (x, y) = (tile as i32 % across, tile as i32 / across);
        let steps = if self.reach() == 0 { 4 } else { 8 };
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
                let corner = |tile, dx, dy| Place {
                    tile,
                    row: if dy > 0 { LAST as usize } else { 0 },
                    bit: if dx > 0 { LAST } else { 0 },
                };
                let (own, theirs) = (corner(tile, dx, dy), corner(other, -dx, -dy));
                let is_free = |at: Place| self.rows(at.tile)[at.row] >> at.bit & 1 != 0;
                if is_free(own) && is_free(theirs) {
                    visit(self.component(own), self.component(theirs));
                }
            }
        }
    }

    fn column_edges(&self, west: usize, east: usize, mut visit: impl FnMut(u16, u16)) {
        let (last, first) = (self.columns(west).1, self.columns(east).0);
        self.touching(last, first, |row, next_row| {
            let own = self.component(Place {
                tile: west,
                row: row as usize,
                bit: LAST,
            });
            let theirs = self.component(Place {
                tile: east,
                row: next_row as usize,
                bit: 0,
            });
            visit(own, theirs);
        });
    }

    fn row_edges(&self, north: usize, south: usize, mut visit: impl FnMut(u16, u16)) {
        let (last, first) = (self.rows(north)[LAST as usize], self.rows(south)[0]);
        self.touching(last, first, |bit, next_bit| {
            let own = self.component(Place {
                tile: north,
                row: LAST as usize,
                bit,
            });
            let theirs = self.component(Place {
                tile: south,
                row: 0,
                bit: next_bit,
            });
            visit(own, theirs);
        });
    }

    /// Visits a pair of bits for each run of bits at which two lines touch.
    fn touching(&self, line: u64, next: u64, mut visit: impl FnMut(u32, u32)) {
        let mut starts = run_starts(line & next);
        while starts != 0 {
            let bit = starts.trailing_zeros();
            visit(bit, bit);
            starts &= starts - 1;
        }
        if self.reach() == 0 {
            return;
        }
        let (mut after, mut before) = (run_starts(line & next >> 1), run_starts(line & next << 1));
        while after != 0 {
            let bit = after.trailing_zeros();
            visit(bit, bit + 1);
            after &= after - 1;
        }
        while before != 0 {
            let bit = before.trailing_zeros();
            visit(bit, bit - 1);
            before &= before - 1;
        }
    }
}
