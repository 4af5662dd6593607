//! Decides which squares to draw for a view. This is pure arithmetic without the engine.

use bevy::math::{Rect, Vec2};
use pursuit::{Cell, CellRect, Layout};

/// Width of the gap between two squares, as a share of a square's side.
pub(crate) const GAP_FRACTION: f32 = 0.16;
/// The coarsest level. Its squares are 2²⁴ cells wide, as wide as the longest side of any grid.
const MAX_LEVEL: u32 = 24;
/// Squares are made for a rectangle that is slightly larger than the view: its sides lie at multiples of
/// `2^SNAP_LEVELS` squares. So a small camera movement needs no new squares.
const SNAP_LEVELS: u32 = 4;

/// The camera's view of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct View {
    /// The visible part of the world, in world units.
    pub(crate) area: Rect,
    /// Physical pixels per world unit.
    pub(crate) pixels_per_unit: f32,
}

/// The finest level at which squares are at least `min_pixels` wide and at most `max_squares` squares are in view. The
/// squares of a level are `2^level` cells wide.
pub(crate) fn level_for(layout: &Layout, view: &View, min_pixels: f32, max_squares: u32) -> u32 {
    let cells = cells_in_view(layout, view);
    let is_coarse_enough = |level: u32| {
        let pixels = side_of(layout, level) * view.pixels_per_unit;
        let count = blocks_of(cells, level).cell_count();
        pixels >= min_pixels && count <= u64::from(max_squares.max(1))
    };
    (0..MAX_LEVEL)
        .find(|level| is_coarse_enough(*level))
        .unwrap_or(MAX_LEVEL)
}

/// The side of a square at a level, in world units.
pub(crate) fn side_of(layout: &Layout, level: u32) -> f32 {
    layout.cell_size() * (1_u32 << level) as f32
}

/// The cells that are at least partly in view.
pub(crate) fn cells_in_view(layout: &Layout, view: &View) -> CellRect {
    layout.cells_touching(view.area.min, view.area.max)
}

/// The blocks that contain `cells`, in block coordinates. A block is `2^level` cells wide.
pub(crate) fn blocks_of(cells: CellRect, level: u32) -> CellRect {
    if cells.is_empty() {
        return CellRect::EMPTY;
    }
    let last = Cell::new((cells.max.x - 1) >> level, (cells.max.y - 1) >> level);
    let first = Cell::new(cells.min.x >> level, cells.min.y >> level);
    CellRect::new(first, last.offset(1, 1))
}

/// The blocks at a level that contain `cells`, extended to multiples of `2^SNAP_LEVELS` blocks within the grid.
pub(crate) fn snapped(cells: CellRect, level: u32, layout: &Layout) -> CellRect {
    let coarse = blocks_of(cells, level + SNAP_LEVELS);
    let all = blocks_of(layout.rect(), level);
    CellRect::new(
        Cell::new(coarse.min.x << SNAP_LEVELS, coarse.min.y << SNAP_LEVELS),
        Cell::new(coarse.max.x << SNAP_LEVELS, coarse.max.y << SNAP_LEVELS),
    )
    .intersect(&all)
}

/// The cell in the middle of a block.
pub(crate) fn middle_of(block: Cell, level: u32) -> Cell {
    let half = (1 << level) / 2;
    Cell::new((block.x << level) + half, (block.y << level) + half)
}

/// Neighboring squares in one row that have the same tint. They are drawn as a single dashed stroke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SquareStroke<T> {
    /// Row, in squares.
    pub(crate) y: i32,
    /// First column, in squares.
    pub(crate) start: i32,
    /// One past the last column, in squares.
    pub(crate) end: i32,
    /// Tint of all squares of the stroke.
    pub(crate) tint: T,
}

impl<T> SquareStroke<T> {
    /// The two ends of the stroke, which runs through the middle of the squares. `corner` is the grid's lower left
    /// corner, and `side` is the side of one square. All are in world units.
    pub(crate) fn ends(&self, corner: Vec2, side: f32) -> (Vec2, Vec2) {
        let inset = GAP_FRACTION / 2.0;
        let at = |x: f32| corner + side * Vec2::new(x, self.y as f32 + 0.5);
        (at(self.start as f32 + inset), at(self.end as f32 - inset))
    }
}

/// Joins the squares of `area` into strokes, row by row, and calls `visit` with each stroke. Squares whose tint is
/// `None` are left out.
pub(crate) fn for_each_stroke<T: PartialEq>(
    area: CellRect,
    mut tint: impl FnMut(Cell) -> Option<T>,
    mut visit: impl FnMut(SquareStroke<T>),
) {
    for y in area.min.y..area.max.y {
        let mut open: Option<SquareStroke<T>> = None;
        for x in area.min.x..area.max.x {
            let tint = tint(Cell::new(x, y));
            match (&mut open, tint) {
                (Some(stroke), Some(tint)) if stroke.tint == tint => stroke.end = x + 1,
                (_, tint) => {
                    let (start, end) = (x, x + 1);
                    let next = tint.map(|tint| SquareStroke {
                        y,
                        start,
                        end,
                        tint,
                    });
                    std::mem::replace(&mut open, next).map(&mut visit);
                }
            }
        }
        open.map(&mut visit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIN_PIXELS: f32 = 4.0;
    const MAX_SQUARES: u32 = 32_768;

    fn layout(side: u32) -> Layout {
        Layout::new(Vec2::splat(-100.0), 10.0, side, side).expect("a layout")
    }

    fn view(width: f32, pixels_per_unit: f32) -> View {
        let area = Rect::from_center_size(Vec2::ZERO, Vec2::new(width, width));
        View {
            area,
            pixels_per_unit,
        }
    }

    #[test]
    fn squares_keep_the_minimum_size_and_maximum_count_at_every_zoom() {
        let layout = layout(4096);
        let mut before = 0;
        for zoom in 0..200 {
            let pixels_per_unit = 10.0 * 0.95_f32.powi(zoom);
            let view = view(3840.0 / pixels_per_unit, pixels_per_unit);
            let level = level_for(&layout, &view, MIN_PIXELS, MAX_SQUARES);
            assert!(side_of(&layout, level) * pixels_per_unit >= MIN_PIXELS);
            let squares = blocks_of(cells_in_view(&layout, &view), level).cell_count();
            assert!(squares <= u64::from(MAX_SQUARES), "{squares} at {level}");
            assert!(level >= before, "zooming out makes squares finer");
            before = level;
        }
        assert!(before > 2);
        let near = view(1000.0, 1.0);
        assert_eq!(level_for(&layout, &near, MIN_PIXELS, MAX_SQUARES), 0);
        assert_eq!(level_for(&layout, &near, f32::NAN, 0), MAX_LEVEL);
    }

    #[test]
    fn blocks_cover_every_cell_in_view() {
        let cells = CellRect::new(Cell::new(5, 8), Cell::new(17, 9));
        let blocks = CellRect::new(Cell::new(0, 1), Cell::new(3, 2));
        assert_eq!(blocks_of(cells, 3), blocks);
        let layout = layout(100);
        let cells = CellRect::new(Cell::new(17, 33), Cell::new(40, 90));
        let around = CellRect::new(Cell::new(16, 32), Cell::new(48, 96));
        assert_eq!(snapped(cells, 0, &layout), around);
        let all = CellRect::new(Cell::new(0, 0), Cell::new(50, 50));
        assert_eq!(snapped(layout.rect(), 1, &layout), all);
        assert!(snapped(CellRect::EMPTY, 3, &layout).is_empty());
    }

    #[test]
    fn equal_neighbors_of_a_row_become_one_stroke() {
        let area = CellRect::new(Cell::new(0, 0), Cell::new(6, 2));
        let row = ["aab b ", "bbbbbb"];
        let tint = |cell: Cell| match row[cell.y as usize].as_bytes()[cell.x as usize] {
            b' ' => None,
            letter => Some(letter),
        };
        let mut found = Vec::new();
        for_each_stroke(area, tint, |stroke| {
            found.push((stroke.y, stroke.start, stroke.end, stroke.tint));
        });
        let expected = [
            (0, 0, 2, b'a'),
            (0, 2, 3, b'b'),
            (0, 4, 5, b'b'),
            (1, 0, 6, b'b'),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_stroke_leaves_half_a_gap_at_both_ends() {
        let (y, start, end, tint) = (2, 1, 4, 0);
        let stroke = SquareStroke {
            y,
            start,
            end,
            tint,
        };
        let (from, to) = stroke.ends(Vec2::new(100.0, 0.0), 10.0);
        assert!((from - Vec2::new(110.8, 25.0)).length() < 1e-4);
        assert!((to - Vec2::new(139.2, 25.0)).length() < 1e-4);
    }
}
