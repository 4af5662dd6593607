//! Records which parts of a grid changed, and in which generation.

use std::mem;
use std::ops::Range;
use std::sync::Arc;

use bevy::math::DVec2;
use pursuit::{Cell, CellRect, Layout};

/// Side of a tile, in cells.
const TILE_SIDE: i32 = 8;

/// Distance, in cells, within which cell centers contribute to the clearance at a position.
const SAMPLE_REACH_CELLS: f64 = 1.0;

/// Number of generations, counted back from the latest, for which the bounds of all changes since then are kept.
const RECENT_GENERATIONS: usize = 32;

/// For each tile of 8 × 8 cells, the generation in which a distance in it last changed.
///
/// ```text
///   tiles          3 3 3 7        7: redrawn by the latest bake
///                  3 3 7 7        3: the first bake of this layout
///                  5 3 3 3
///   since          bounds of the 7s; then of the 7s and 5s; ...
/// ```
#[derive(Clone, Debug)]
pub(super) struct TileChanges {
    columns: i32,
    rows: i32,
    /// The generation in which this layout was baked from nothing.
    first: u64,
    latest: u64,
    /// The tiles, row by row. Consecutive bakes share the rows in which nothing changed.
    tiles: Vec<Arc<[u64]>>,
    /// Bounds of the tiles that changed in the latest generation, in the latest two, and so on.
    since: Vec<CellRect>,
}

impl TileChanges {
    /// A grid in which everything changed in `generation`.
    pub(super) fn new(layout: &Layout, generation: u64) -> Self {
        let tiles = |cells: u32| cells.div_ceil(TILE_SIDE as u32) as i32;
        let (columns, rows) = (tiles(layout.width()), tiles(layout.height()));
        Self {
            columns,
            rows,
            first: generation,
            latest: generation,
            tiles: vec![vec![generation; columns as usize].into(); rows as usize],
            since: Vec::new(),
        }
    }

    /// The state after `rects` of a grid were redrawn in `generation`. `differs` returns whether a distance in a
    /// rectangle changed. `None` if no distance changed.
    pub(super) fn after(
        &self,
        generation: u64,
        grid: CellRect,
        differs: impl Fn(CellRect) -> bool,
        rects: &[CellRect],
    ) -> Option<Self> {
        let mut next = self.clone();
        next.latest = generation;
        let mut bounds = CellRect::EMPTY;
        for rect in rects {
            // Steps lead out of the rectangle by one cell.
            let around = rect.grow(1).intersect(&grid);
            for tile in tiles_of(around).cells() {
                let is_known = next.is_of(tile, generation);
                if !is_known && differs(cells_of(tile).intersect(&around)) {
                    next.mark(tile, generation, &mut bounds);
                }
            }
        }
        if bounds.is_empty() {
            return None;
        }
        next.since.truncate(RECENT_GENERATIONS - 1);
        for before in &mut next.since {
            *before = before.union(&bounds);
        }
        next.since.insert(0, bounds);
        Some(next)
    }

    /// Whether a tile last changed in this generation.
    fn is_of(&self, tile: Cell, generation: u64) -> bool {
        self.tiles[tile.y as usize][tile.x as usize] == generation
    }

    fn mark(&mut self, tile: Cell, generation: u64, bounds: &mut CellRect) {
        Arc::make_mut(&mut self.tiles[tile.y as usize])[tile.x as usize] = generation;
        *bounds = bounds.union(&CellRect::new(tile, tile.offset(1, 1)));
    }

    /// Whether a distance in the rectangle from `min` to `max` changed after `generation`. Positions are in cell space.
    pub(super) fn area_changed_since(&self, generation: u64, min: DVec2, max: DVec2) -> bool {
        let within = self.changed_tiles(generation);
        // Infinite ends are fine, NaN is not.
        let is_unknown = self.is_older(generation) || min.is_nan() || max.is_nan();
        if is_unknown || within.is_empty() {
            return !within.is_empty();
        }
        let [min, max] = [min - SAMPLE_REACH_CELLS, max + SAMPLE_REACH_CELLS].map(in_tiles);
        let columns = touched(min.x, max.x, within.min.x..within.max.x);
        let mut rows = touched(min.y, max.y, within.min.y..within.max.y);
        rows.any(|row| self.any_since(generation, row, columns.clone()))
    }

    /// Whether a distance within `reach` cells of the segment changed after `generation`. Positions are in cell space.
    pub(super) fn segment_changed_since(
        &self,
        generation: u64,
        from: DVec2,
        to: DVec2,
        reach: f64,
    ) -> bool {
        let within = self.changed_tiles(generation);
        let is_finite = from.is_finite() && to.is_finite() && reach.is_finite();
        if self.is_older(generation) || !is_finite || within.is_empty() {
            return !within.is_empty();
        }
        let line = WideLine::new(from, to, reach);
        let mut rows = line.rows(within.min.y..within.max.y);
        rows.any(|row| {
            let columns = line.columns(row, within.min.x..within.max.x);
            self.any_since(generation, row, columns)
        })
    }

    /// The tiles in which a distance changed after `generation`, in cells, row by row. All tiles if the grid was baked
    /// from nothing after `generation`.
    pub(super) fn tiles_since(&self, generation: u64) -> impl Iterator<Item = CellRect> {
        let is_old = self.is_older(generation);
        let changed = self.changed_tiles(generation).cells().filter(move |tile| {
            is_old || self.tiles[tile.y as usize][tile.x as usize] > generation
        });
        changed.map(cells_of)
    }

    /// Whether the grid was baked from nothing after `generation`.
    fn is_older(&self, generation: u64) -> bool {
        generation < self.first
    }

    /// Bounds of the tiles that changed after `generation`. All tiles if these bounds are not kept.
    fn changed_tiles(&self, generation: u64) -> CellRect {
        if self.latest <= generation {
            return CellRect::EMPTY;
        }
        let all = CellRect::new(Cell::new(0, 0), Cell::new(self.columns, self.rows));
        if self.is_older(generation) {
            return all;
        }
        let ago = usize::try_from(self.latest - generation - 1).unwrap_or(usize::MAX);
        self.since.get(ago).copied().unwrap_or(all)
    }

    fn any_since(&self, generation: u64, row: i32, columns: Range<i32>) -> bool {
        let row = self.tiles.get(row as usize);
        let range = columns.start as usize..columns.end as usize;
        let tiles = row.and_then(|row| row.get(range)).unwrap_or_default();
        tiles.iter().any(|tile| *tile > generation)
    }
}

/// A segment with a width, in units of tiles.
struct WideLine {
    /// The end with the lower y, then the end with the higher y.
    from: DVec2,
    to: DVec2,
    reach: f64,
}

impl WideLine {
    fn new(from: DVec2, to: DVec2, reach: f64) -> Self {
        let reach = (reach.max(0.0) + SAMPLE_REACH_CELLS) / f64::from(TILE_SIDE);
        let [mut from, mut to] = [from, to].map(in_tiles);
        if from.y > to.y {
            mem::swap(&mut from, &mut to);
        }
        Self { from, to, reach }
    }

    /// The rows that the line touches.
    fn rows(&self, within: Range<i32>) -> Range<i32> {
        touched(self.from.y - self.reach, self.to.y + self.reach, within)
    }

    /// The columns that the line touches in a row. Only the part of the line within `reach` of the row is considered.
    fn columns(&self, row: i32, within: Range<i32>) -> Range<i32> {
        let (low, high) = (f64::from(row) - self.reach, f64::from(row + 1) + self.reach);
        let rise = self.to.y - self.from.y;
        let at = |y: f64| {
            let share = ((y - self.from.y) / rise).clamp(0.0, 1.0);
            self.from.x + (self.to.x - self.from.x) * share
        };
        let (a, b) = if rise > 0.0 {
            (at(low), at(high))
        } else {
            (self.from.x, self.to.x)
        };
        touched(a.min(b) - self.reach, a.max(b) + self.reach, within)
    }
}

/// The tiles that contain these cells.
fn tiles_of(cells: CellRect) -> CellRect {
    if cells.is_empty() {
        return CellRect::EMPTY;
    }
    let last = cells.max.offset(-1, -1);
    let [first, last] =
        [cells.min, last].map(|cell| Cell::new(cell.x / TILE_SIDE, cell.y / TILE_SIDE));
    CellRect::new(first, last.offset(1, 1))
}

/// The cells of a tile, including those beyond the grid.
fn cells_of(tile: Cell) -> CellRect {
    let corner = Cell::new(tile.x * TILE_SIDE, tile.y * TILE_SIDE);
    CellRect::new(corner, corner.offset(TILE_SIDE, TILE_SIDE))
}

/// Converts from cell space to tiles: tile 0 extends from 0 to 1.
fn in_tiles(position: DVec2) -> DVec2 {
    (position + 0.5) / f64::from(TILE_SIDE)
}

/// The tiles of `within` from coordinate `low` to coordinate `high`, both included, in tiles. `as` saturates.
fn touched(low: f64, high: f64, within: Range<i32>) -> Range<i32> {
    let first = (low.floor() as i32).max(within.start);
    let last = (high.floor() as i32).saturating_add(1).min(within.end);
    first..last.max(first)
}

#[cfg(test)]
mod tests {
    use bevy::math::Vec2;
    use pursuit::Step;
    use pursuit::sight::line_of_sight;

    use pursuit::Clearance;

    use super::*;
    use pursuit::oracle::cases;

    const SIDE: u32 = 61;

    fn layout() -> Layout {
        Layout::new(Vec2::ZERO, 1.0, SIDE, SIDE).unwrap()
    }

    fn open() -> Clearance {
        Clearance::open(SIDE, SIDE, 4.0).unwrap()
    }

    fn random_place(random: &mut fastrand::Rng) -> DVec2 {
        let mut coordinate = || random.f64() * 80.0 - 10.0;
        DVec2::new(coordinate(), coordinate())
    }

    /// Distance from a segment to a tile, in cells.
    fn tile_distance(tile: Cell, from: DVec2, to: DVec2) -> f64 {
        let min = DVec2::new(f64::from(tile.x * TILE_SIDE), f64::from(tile.y * TILE_SIDE)) - 0.5;
        let at = |share: f64| {
            let point = from.lerp(to, share);
            point.distance(point.clamp(min, min + f64::from(TILE_SIDE)))
        };
        // The distance is convex along the segment.
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..80 {
            let third = (high - low) / 3.0;
            if at(low + third) <= at(high - third) {
                high -= third;
            } else {
                low += third;
            }
        }
        at(low).min(at(0.0)).min(at(1.0))
    }

    /// A history of random changes, with the tile and the generation of each change.
    fn history(random: &mut fastrand::Rng) -> (TileChanges, Vec<(Cell, u64)>) {
        let (mut changes, mut clearance) = (TileChanges::new(&layout(), 5), open());
        let mut naive = Vec::new();
        for generation in 6..50 {
            let cell = Cell::new(random.i32(0..SIDE as i32), random.i32(0..SIDE as i32));
            let mut next = clearance.clone();
            // The cell lies well inside its tile, so that its steps do not reach another tile.
            let inner = Cell::new(
                cell.x / TILE_SIDE * TILE_SIDE + 3,
                cell.y / TILE_SIDE * TILE_SIDE + 3,
            );
            if next.center(inner) == 0.0 || inner.x >= SIDE as i32 || inner.y >= SIDE as i32 {
                next.reset(next.rect());
            }
            next.limit_center(inner, 0.0);
            let rects = [next.rect()];
            let Some(after) = changes.after(
                generation,
                next.rect(),
                |rect| next.differs_in(&clearance, rect),
                &rects,
            ) else {
                continue;
            };
            for y in 0..SIDE as i32 {
                for x in 0..SIDE as i32 {
                    let cell = Cell::new(x, y);
                    if clearance.center(cell) != next.center(cell) {
                        naive.push((Cell::new(x / TILE_SIDE, y / TILE_SIDE), generation));
                    }
                }
            }
            (changes, clearance) = (after, next);
        }
        (changes, naive)
    }

    #[test]
    fn a_segment_counts_as_changed_if_a_tile_near_it_changed() {
        let mut random = fastrand::Rng::with_seed(61);
        let (mut met, mut free) = (0, 0);
        for _ in 0..40 {
            let (changes, naive) = history(&mut random);
            for _ in 0..300 {
                let (from, to) = (random_place(&mut random), random_place(&mut random));
                let (to, reach) = match random.u8(0..3) {
                    0 => (from, 0.0),
                    1 => (DVec2::new(to.x, from.y), 3.0 * random.f64()),
                    _ => (to, 3.0 * random.f64()),
                };
                let generation = random.u64(5..50);
                let later = naive.iter().filter(|(_, at)| *at > generation);
                let distances = later.map(|(tile, _)| tile_distance(*tile, from, to));
                let nearest = distances.fold(f64::INFINITY, f64::min);
                let got = changes.segment_changed_since(generation, from, to, reach);
                met += usize::from(got);
                free += usize::from(!got);
                assert!(
                    got || nearest > reach,
                    "{nearest} away, not seen within {reach}"
                );
                let far = (reach + SAMPLE_REACH_CELLS) * std::f64::consts::SQRT_2 + 1e-6;
                assert!(
                    !got || nearest <= far,
                    "{nearest} away, seen within {reach}"
                );
            }
        }
        assert!(met > 1000 && free > 1000, "{met} changed, {free} did not");
    }

    #[test]
    fn an_area_counts_as_changed_if_a_tile_in_it_changed() {
        let mut random = fastrand::Rng::with_seed(62);
        for _ in 0..40 {
            let (changes, naive) = history(&mut random);
            for _ in 0..300 {
                let (a, b) = (random_place(&mut random), random_place(&mut random));
                let (min, max) = (a.min(b), a.max(b));
                let generation = random.u64(5..50);
                let expected = naive.iter().any(|(tile, at)| {
                    let low =
                        DVec2::new(f64::from(tile.x * TILE_SIDE), f64::from(tile.y * TILE_SIDE))
                            - 0.5;
                    let high = low + f64::from(TILE_SIDE);
                    let reaches = low.cmple(max + SAMPLE_REACH_CELLS).all()
                        && high.cmpgt(min - SAMPLE_REACH_CELLS).all();
                    *at > generation && reaches
                });
                let got = changes.area_changed_since(generation, min, max);
                assert_eq!(got, expected, "{min} to {max} since {generation}");
            }
        }
    }

    #[test]
    fn every_line_of_sight_that_an_edit_breaks_counts_as_changed() {
        let mut random = fastrand::Rng::with_seed(63);
        let mut lost = 0;
        for _ in 0..cases(200) {
            let mut before = open();
            let lower = |field: &mut Clearance, random: &mut fastrand::Rng, most: f32| {
                let cell = Cell::new(random.i32(0..SIDE as i32), random.i32(0..SIDE as i32));
                field.limit_center(cell, random.f32() * most);
                cell
            };
            for _ in 0..2000 {
                lower(&mut before, &mut random, 4.0);
            }
            let mut after = before.clone();
            let at = lower(&mut after, &mut random, 0.5);
            let changes = TileChanges::new(&layout(), 5);
            let Some(changes) = changes.after(
                6,
                before.rect(),
                |rect| after.differs_in(&before, rect),
                &[before.rect()],
            ) else {
                continue;
            };
            for _ in 0..2000 {
                let mut near = || at.center() + (Vec2::new(random.f32(), random.f32()) - 0.5) * 8.0;
                let (from, to) = (near(), near());
                let radius = random.f32();
                let sees = |clearance| line_of_sight(clearance, from, to, radius);
                if sees(&before) && !sees(&after) {
                    lost += 1;
                    let (from, to) = (from.as_dvec2(), to.as_dvec2());
                    assert!(
                        changes.segment_changed_since(5, from, to, 0.0),
                        "{from} to {to}, a radius of {radius}, {at}"
                    );
                }
            }
        }
        assert!(lost > cases(1000), "{lost} proofs were lost");
    }

    #[test]
    fn old_generations_and_invalid_numbers_count_as_changed() {
        let changes = TileChanges::new(&layout(), 5);
        let (from, to) = (DVec2::splat(3.0), DVec2::splat(9.0));
        assert!(changes.segment_changed_since(4, from, to, 1.0));
        assert!(changes.area_changed_since(4, from, to));
        for generation in [5, 6, u64::MAX] {
            assert!(!changes.segment_changed_since(generation, from, to, 1.0));
            assert!(!changes.area_changed_since(generation, from, to));
        }
        let mut walled = open();
        walled.limit_center(Cell::new(50, 50), 0.0);
        let rect = CellRect::new(Cell::new(50, 50), Cell::new(51, 51));
        let changes = changes
            .after(
                6,
                walled.rect(),
                |rect| walled.differs_in(&open(), rect),
                &[rect],
            )
            .unwrap();
        assert!(!changes.segment_changed_since(5, from, to, 1.0));
        assert!(changes.segment_changed_since(5, from, DVec2::NAN, 1.0));
        assert!(changes.segment_changed_since(5, from, to, f64::INFINITY));
        assert!(changes.area_changed_since(5, DVec2::NAN, to));
        assert!(changes.area_changed_since(5, DVec2::NEG_INFINITY, DVec2::INFINITY));
    }

    #[test]
    fn a_step_that_leaves_a_tile_changes_both_tiles() {
        let mut walled = open();
        walled.limit_step(Cell::new(7, 7), Step::PlusXPlusY, 0.0);
        let changes = TileChanges::new(&layout(), 1);
        let changes = changes
            .after(
                2,
                walled.rect(),
                |rect| walled.differs_in(&open(), rect),
                &[open().rect()],
            )
            .unwrap();
        for place in [2.0, 13.0] {
            let place = DVec2::splat(place);
            assert!(changes.area_changed_since(1, place, place));
        }
        let aside = DVec2::new(2.0, 13.0);
        assert!(!changes.area_changed_since(1, aside, aside));
    }

    #[test]
    fn a_redraw_with_the_same_result_is_not_a_change() {
        let changes = TileChanges::new(&layout(), 1);
        assert!(
            changes
                .after(
                    2,
                    open().rect(),
                    |rect| open().differs_in(&open(), rect),
                    &[open().rect()]
                )
                .is_none()
        );
    }
}
