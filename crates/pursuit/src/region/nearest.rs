//! The cell of a region that is nearest to a goal, and the free cell that is nearest to a point.

use glam::Vec2;

use super::names::Names;
use super::tile::TILE_SIDE;
use super::tiles::{TileCell, Tiles};
use crate::cell::{Cell, CellRect};
use crate::cost::half_octile;
use crate::grid::Grid;

/// The nearest cell so far: half its distance, and its row and column, by which ties are broken.
type Best = Option<(u64, i32, i32)>;

/// The cell of `region` with the smallest octile distance to `goal`; among equals, the one with the
/// smallest index. Looks at tiles in squares around the goal, of growing size.
pub(super) fn nearest_in(tiles: &Tiles, names: &Names, region: u32, goal: Cell) -> Option<Cell> {
    let tiling = &tiles.tiling;
    let goal = tiling.turned(goal);
    let last = tiling.last();
    // The goal's cell, or the one at the border that is nearest to it.
    let inside = Cell::new(goal.x.clamp(0, last.x), goal.y.clamp(0, last.y));
    let (dx, dy) = (goal.x.abs_diff(inside.x), goal.y.abs_diff(inside.y));
    let side = TILE_SIDE as i32;
    let center = Cell::new(inside.x / side, inside.y / side);
    // Cells to the nearest tile.
    let to_border = |at: i32| (at % side + 1).min(side - at % side);
    let to_next = to_border(inside.x).min(to_border(inside.y));
    let mut nearest = Nearest {
        tiles,
        names,
        region,
        goal,
        best: None,
    };
    nearest.look_in_tile(center.x, center.y, true);
    let (across, down) = (tiling.across as i32, tiling.down as i32);
    let all = CellRect::new(Cell::new(0, 0), Cell::new(across, down));
    let mut inner = CellRect::new(center, center.offset(1, 1));
    for away in 1..across.max(down) {
        let gap = ((away - 1) * side + to_next) as u32;
        let least = half_octile(dx + gap, dy).min(half_octile(dx, dy + gap));
        if nearest.is_beaten(least) {
            break;
        }
        let outer = inner.grow(1);
        for Cell { x, y } in ring(outer.intersect(&all), inner) {
            nearest.look_in_tile(x, y, false);
        }
        inner = outer;
    }
    nearest.best.map(|(_, y, x)| Cell::new(x, y))
}

struct Nearest<'a> {
    tiles: &'a Tiles,
    names: &'a Names,
    region: u32,
    /// In the coordinates of the tiling.
    goal: Cell,
    best: Best,
}

impl Nearest<'_> {
    /// Whether nothing at this distance or beyond can be the answer.
    fn is_beaten(&self, least: u64) -> bool {
        self.best.is_some_and(|(distance, ..)| least > distance)
    }

    fn look_in_tile(&mut self, x: i32, y: i32, is_near: bool) {
        let side = TILE_SIDE as i32;
        let (first_x, first_y) = (x * side, y * side);
        let away = |goal: i32, first: i32| goal.abs_diff(goal.clamp(first, first + side - 1));
        let dx = away(self.goal.x, first_x);
        if self.is_beaten(half_octile(dx, away(self.goal.y, first_y))) {
            return;
        }
        // Up to 64 rows of 32 runs each.
        let tile = (y * self.tiles.tiling.across as i32 + x) as usize;
        // The goal's own tile usually has the answer, so a search in it is faster than a check before it.
        if !is_near {
            let regions = &self.names.regions[self.tiles.slots(tile)];
            if !regions.contains(&self.region) {
                return;
            }
        }
        // Rows by growing distance, so that the first one that is too far ends it.
        let last = first_y + self.tiles.tiling.rows as i32 - 1;
        let mut up = self.goal.y.clamp(first_y - 1, last);
        let mut down = up + 1;
        loop {
            let y = match (up >= first_y, down <= last) {
                (true, true) if self.goal.y.abs_diff(down) < self.goal.y.abs_diff(up) => down,
                (true, _) => up,
                (false, true) => down,
                (false, false) => break,
            };
            if self.is_beaten(half_octile(dx, self.goal.y.abs_diff(y))) {
                break;
            }
            self.look_in_row(tile, (first_x, y), (y - first_y) as usize);
            if y == up {
                up -= 1;
            } else {
                down += 1;
            }
        }
    }

    /// Looks at the region's last column at or before the goal's, and at its first one after it.
    ///
    /// ```text
    /// column            0 1 2 3 4 5 6 7 8      the goal's column is 5
    /// word              1 1 . 1 1 . . 1 1
    /// before            1 1 1 1 1 1 . . .
    /// word & before     1 1 . 1 1 . . . .      looks at 4; if that run is of another region, at 1
    /// word & !before    . . . . . . . 1 1      looks at 7
    /// ```
    fn look_in_row(&mut self, tile: usize, (first_x, y): (i32, i32), row: usize) {
        let word = self.tiles.rows(tile)[row];
        // Bits at or before the goal's column.
        let before = match i64::from(self.goal.x) - i64::from(first_x) {
            ..0 => 0,
            bit @ 0..63 => (2 << bit) - 1,
            _ => u64::MAX,
        };
        let mut rest = word & before;
        while rest != 0 {
            let bit = 63 - rest.leading_zeros();
            if self.is_in_region(TileCell { tile, row, bit }) {
                self.meet(first_x + bit as i32, y);
                break;
            }
            // The whole run is of another region: go on left of it.
            let gaps = !rest & (u64::MAX >> (63 - bit));
            rest &= u64::MAX.checked_shr(gaps.leading_zeros()).unwrap_or(0);
        }
        rest = word & !before;
        while rest != 0 {
            let bit = rest.trailing_zeros();
            if self.is_in_region(TileCell { tile, row, bit }) {
                self.meet(first_x + bit as i32, y);
                break;
            }
            // Adding at the lowest one carries over its whole run.
            rest &= rest.wrapping_add(1 << bit);
        }
    }

    fn is_in_region(&self, place: TileCell) -> bool {
        self.names.region(self.tiles.slot_at(place)) == self.region
    }

    fn meet(&mut self, x: i32, y: i32) {
        let distance = half_octile(self.goal.x.abs_diff(x), self.goal.y.abs_diff(y));
        let cell = self.tiles.tiling.turned(Cell::new(x, y));
        let found = (distance, cell.y, cell.x);
        if self.best.is_none_or(|best| found < best) {
            self.best = Some(found);
        }
    }
}

/// The free cell whose center is nearest to a point in cell space, which may be anywhere; among equals the
/// first, row by row.
pub(crate) fn nearest_free(grid: &Grid, point: Vec2) -> Option<Cell> {
    if !point.is_finite() {
        return None;
    }
    let all = grid.rect();
    let last = Vec2::new(all.max.x as f32, all.max.y as f32) - 1.0;
    let inside = point.clamp(Vec2::ZERO, last);
    let own = inside.round();
    let own = Cell::new(own.x as i32, own.y as i32);
    let (inside, beyond) = (inside.as_dvec2(), point.as_dvec2() - inside.as_dvec2());
    // The squared distance less that of `inside`, which would drown all differences far outside.
    let distance = |cell: Cell| {
        let way = cell.center().as_dvec2() - inside;
        way.length_squared() - 2.0 * beyond.dot(way)
    };
    let mut best: Option<(f64, Cell)> = None;
    let mut inner = CellRect::EMPTY;
    for away in 0..=grid.width().max(grid.height()) {
        // No center in a ring is nearer than that: all ways inside lead away from the point.
        let least = (f64::from(away) - 0.5).max(0.0);
        if best.is_some_and(|(distance, _)| distance < least * least) {
            break;
        }
        let outer = CellRect::new(own, own.offset(1, 1)).grow(away);
        for cell in ring(outer.intersect(&all), inner) {
            if !grid.is_free(cell) {
                continue;
            }
            let distance = distance(cell);
            let is_nearer = |(best, first): (f64, Cell)| {
                distance < best || distance == best && (cell.y, cell.x) < (first.y, first.x)
            };
            if best.is_none_or(is_nearer) {
                best = Some((distance, cell));
            }
        }
        inner = outer;
    }
    best.map(|(_, cell)| cell)
}

/// The cells of `outer` that are not in `inner`, which lies around the same cell.
fn ring(outer: CellRect, inner: CellRect) -> impl Iterator<Item = Cell> {
    let (low, high) = (outer.min, outer.max);
    let top = inner.min.y.clamp(low.y, high.y);
    let bottom = inner.max.y.clamp(top, high.y);
    let left = inner.min.x.clamp(low.x, high.x);
    let right = inner.max.x.clamp(left, high.x);
    // Above, below, and on both sides, each without a look at rows of which it has no cell: a strip has many.
    let parts = [
        (low.x..high.x, low.y..top),
        (low.x..high.x, bottom..high.y),
        (low.x..left, top..bottom),
        (right..high.x, top..bottom),
    ];
    let parts = parts.into_iter().filter(|(columns, _)| !columns.is_empty());
    parts.flat_map(|(columns, rows)| {
        rows.flat_map(move |y| columns.clone().map(move |x| Cell::new(x, y)))
    })
}
