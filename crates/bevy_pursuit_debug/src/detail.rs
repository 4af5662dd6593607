//! Which squares to draw for a view: pure arithmetic, no engine.

use bevy::math::{Rect, Vec2};
use pursuit::{Cell, CellRect, Layout};

/// Share of a square's side that stays empty between it and its neighbor.
pub(crate) const GAP: f32 = 0.16;
/// Cells along a chunk's side.
pub(crate) const CHUNK: u32 = 16;
/// Most chunk outlines in a frame; beyond it chunks double in size.
pub(crate) const MAX_CHUNKS: u64 = 4096;
/// Smallest chunk worth an outline, in pixels.
const MIN_CHUNK_PIXELS: f32 = 48.0;
/// Coarsest level: squares of 2²⁴ cells a side, the longest side of any grid.
const MAX_LEVEL: u32 = 24;

/// What the camera shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// The part of the world in sight.
    pub area: Rect,
    /// How many physical pixels a world unit takes.
    pub pixels_per_unit: f32,
}

/// How coarse to draw: squares of `2^level` cells a side, fading to the next coarser ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Detail {
    /// Level of the finer squares; 0 is single cells.
    pub level: u32,
    /// How much of the coarser squares shows: 0 only the finer ones, toward 1 only the coarser.
    pub fade: f32,
}

impl Detail {
    /// The finest detail at which squares are at least `min_pixels` wide and at most `max_squares`
    /// of them are in view.
    pub fn choose(layout: &Layout, view: &View, min_pixels: f32, max_squares: u32) -> Self {
        let cell_pixels = layout.cell_size() * view.pixels_per_unit;
        let in_view = cells_in_view(layout, view).cell_count() as f32;
        let by_size = (min_pixels / cell_pixels).log2();
        let by_count = (in_view / max_squares.max(1) as f32).log2() / 2.0;
        // Below 0 a cell is larger than it has to be.
        let depth = by_size.max(by_count).min((MAX_LEVEL - 1) as f32);
        let level = depth.max(0.0).ceil();
        // Runs from 0, just coarse enough, to 1, where the finer squares become too fine: by then
        // the coarser ones have taken over.
        let worn = depth - level + 1.0;
        Self {
            level: level as u32,
            fade: smooth_step((worn - 0.6) / 0.4),
        }
    }

    /// Cells along the side of the finer squares.
    pub fn side(&self) -> u32 {
        1 << self.level
    }
}

/// The cells that the view shows at least a part of.
pub(crate) fn cells_in_view(layout: &Layout, view: &View) -> CellRect {
    layout.cells_touching(view.area.min, view.area.max)
}

/// The blocks of `2^level` cells a side that hold `cells`, in block coordinates.
pub(crate) fn blocks_of(cells: CellRect, level: u32) -> CellRect {
    if cells.is_empty() {
        return CellRect::EMPTY;
    }
    let last = Cell::new((cells.max.x - 1) >> level, (cells.max.y - 1) >> level);
    let first = Cell::new(cells.min.x >> level, cells.min.y >> level);
    CellRect::new(first, last.offset(1, 1))
}

/// Level of the chunks to outline: [`CHUNK`] cells a side, or the next doubling at which they are
/// [`MIN_CHUNK_PIXELS`] wide and at most [`MAX_CHUNKS`] in view.
pub(crate) fn chunk_level(cells: CellRect, cell_pixels: f32) -> u32 {
    let wide = |level: u32| cell_pixels * (1_u32 << level) as f32 >= MIN_CHUNK_PIXELS;
    let few = |level: u32| blocks_of(cells, level).cell_count() <= MAX_CHUNKS;
    let mut levels = CHUNK.ilog2()..MAX_LEVEL;
    levels
        .find(|&level| wide(level) && few(level))
        .unwrap_or(MAX_LEVEL)
}

/// Neighboring squares of one row and one tint: drawn as a single dashed stroke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Row, in squares.
    pub y: i32,
    /// First column, in squares.
    pub start: i32,
    /// Column after the last, in squares.
    pub end: i32,
    /// Tint of all of them.
    pub tint: u16,
}

impl Run {
    /// Ends of the stroke through the middle of the run's squares, in world units; `side` is that
    /// of one square.
    pub(crate) fn stroke(&self, corner: Vec2, side: f32) -> (Vec2, Vec2) {
        let inset = GAP / 2.0;
        let at = |x: f32| corner + side * Vec2::new(x, self.y as f32 + 0.5);
        (at(self.start as f32 + inset), at(self.end as f32 - inset))
    }
}

/// Cuts the squares of `area` into runs, row by row. Squares of tint `None` are left out.
pub fn runs(area: CellRect, tint: impl Fn(Cell) -> Option<u16>) -> impl Iterator<Item = Run> {
    (area.min.y..area.max.y).flat_map(move |y| {
        let mut found = Vec::new();
        runs_of_row(area, y, &tint, |run| found.push(run));
        found
    })
}

/// The same for one row of `area`, each square looked at once, from left to right.
pub(crate) fn runs_of_row(
    area: CellRect,
    y: i32,
    mut tint: impl FnMut(Cell) -> Option<u16>,
    mut visit: impl FnMut(Run),
) {
    let mut open: Option<Run> = None;
    for x in area.min.x..area.max.x {
        let tint = tint(Cell::new(x, y));
        match (&mut open, tint) {
            (Some(run), Some(tint)) if run.tint == tint => run.end = x + 1,
            (_, tint) => {
                let next = tint.map(|tint| Run {
                    y,
                    start: x,
                    end: x + 1,
                    tint,
                });
                std::mem::replace(&mut open, next).map(&mut visit);
            }
        }
    }
    open.map(visit);
}

fn smooth_step(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
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

    fn choose(layout: &Layout, view: &View) -> Detail {
        Detail::choose(layout, view, MIN_PIXELS, MAX_SQUARES)
    }

    #[test]
    fn near_cells_are_drawn_one_by_one() {
        let detail = choose(&layout(1024), &view(1000.0, 1.0));
        assert_eq!(
            detail,
            Detail {
                level: 0,
                fade: 0.0
            }
        );
    }

    #[test]
    fn squares_are_never_smaller_than_asked_nor_more_numerous() {
        let layout = layout(4096);
        for zoom in 0..200 {
            let pixels_per_unit = 10.0 * 0.95_f32.powi(zoom);
            let view = view(3840.0 / pixels_per_unit, pixels_per_unit);
            let detail = choose(&layout, &view);
            let square = 10.0 * detail.side() as f32;
            assert!(square * pixels_per_unit >= MIN_PIXELS * 0.999, "{detail:?}");
            let squares = blocks_of(cells_in_view(&layout, &view), detail.level).cell_count();
            // A partly visible square at each end of each row and column comes on top.
            let slack = 4.0 * f64::from(MAX_SQUARES).sqrt() + 4.0;
            assert!(
                squares as f64 <= f64::from(MAX_SQUARES) + slack,
                "{squares} at {detail:?}"
            );
        }
    }

    #[test]
    fn zooming_out_never_jumps() {
        let layout = layout(4096);
        // Depth in levels, fades included: what the eye sees.
        let depth = |pixels_per_unit: f32| {
            let detail = choose(&layout, &view(1000.0 / pixels_per_unit, pixels_per_unit));
            detail.level as f32 + detail.fade
        };
        let mut before = depth(4.0);
        for step in 1..4000 {
            let now = depth(4.0 * 0.999_f32.powi(step));
            assert!(
                now - before < 0.02 && now >= before - 1e-3,
                "from {before} to {now}"
            );
            before = now;
        }
    }

    #[test]
    fn only_cells_in_view_are_drawn() {
        let layout = layout(1024);
        let cells = cells_in_view(&layout, &view(98.0, 1.0));
        assert_eq!(cells, CellRect::new(Cell::new(5, 5), Cell::new(15, 15)));
        let beside = View {
            area: Rect::from_center_size(Vec2::splat(-5000.0), Vec2::splat(10.0)),
            pixels_per_unit: 1.0,
        };
        assert!(cells_in_view(&layout, &beside).is_empty());
        assert!(blocks_of(CellRect::EMPTY, 3).is_empty());
    }

    #[test]
    fn blocks_hold_every_cell_in_view() {
        let cells = CellRect::new(Cell::new(5, 8), Cell::new(17, 9));
        assert_eq!(
            blocks_of(cells, 3),
            CellRect::new(Cell::new(0, 1), Cell::new(3, 2))
        );
    }

    #[test]
    fn chunk_outlines_are_bounded_and_never_dense() {
        let all = |side| CellRect::new(Cell::new(0, 0), Cell::new(side, side));
        assert_eq!(
            chunk_level(all(1024), 8.0),
            4,
            "64 x 64 chunks are just allowed"
        );
        assert_eq!(chunk_level(all(1025), 8.0), 5);
        assert_eq!(
            chunk_level(all(100), 1.0),
            6,
            "64 cells are the first 48 pixels wide"
        );
        assert_eq!(chunk_level(all(100), 0.0), MAX_LEVEL);
        let level = chunk_level(all(16_384), 8.0);
        assert!(blocks_of(all(16_384), level).cell_count() <= MAX_CHUNKS);
    }

    #[test]
    fn equal_neighbors_of_a_row_become_one_stroke() {
        let area = CellRect::new(Cell::new(0, 0), Cell::new(6, 2));
        let row = ["aab b ", "bbbbbb"];
        let tint = |cell: Cell| match row[cell.y as usize].as_bytes()[cell.x as usize] {
            b' ' => None,
            letter => Some(u16::from(letter - b'a')),
        };
        let found: Vec<_> = runs(area, tint)
            .map(|run| (run.y, run.start, run.end, run.tint))
            .collect();
        assert_eq!(
            found,
            [(0, 0, 2, 0), (0, 2, 3, 1), (0, 4, 5, 1), (1, 0, 6, 1)]
        );
    }

    #[test]
    fn a_stroke_leaves_half_a_gap_at_both_ends() {
        let run = Run {
            y: 2,
            start: 1,
            end: 4,
            tint: 0,
        };
        let (from, to) = run.stroke(Vec2::new(100.0, 0.0), 10.0);
        assert!((from - Vec2::new(110.8, 25.0)).length() < 1e-4);
        assert!((to - Vec2::new(139.2, 25.0)).length() < 1e-4);
    }
}
