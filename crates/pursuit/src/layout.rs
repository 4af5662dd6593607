//! The conversion between world positions and cells.

use glam::{DVec2, Vec2};
use thiserror::Error;

use crate::cell::{Cell, CellRect, MAX_SIDE, Size};

/// How far [`Layout::covering`] may fall short of the area, as a share of a cell, so that `(0.1 + 0.2) / 0.1` gives
/// three cells and not four.
const COVER_TOLERANCE: f64 = 1e-4;

/// The position of a grid in the world: its lowest corner, the side of a cell, and the number of columns and
/// rows.
///
/// World positions are in world units. In *cell space*, the unit is one cell and cell centers lie at whole
/// numbers: the center of cell (3, 4) is (3.0, 4.0).
///
/// Cell borders are exact. Column `k` owns the positions from its lower border (inclusive) to the lower
/// border of the next column (exclusive). Borders are computed in `f64` and rounded once to `f32`. The last
/// column and row also own the outermost border.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layout {
    origin: Vec2,
    cell_size: f32,
    size: Size,
}

/// The reason why a layout cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum LayoutError {
    /// A coordinate of a corner is NaN or infinite, or the opposite corner would have such a coordinate.
    #[error("the layout's corners must be finite, got {0} and {1}")]
    NotFinite(Vec2, Vec2),
    /// The cell size is not a finite number above zero.
    #[error("the cell size must be finite and above zero, got {0}")]
    CellSize(f32),
    /// The layout has no cells, or its area has no extent.
    #[error("the layout from {min} to {max} has no cells: {width} x {height}")]
    Empty {
        /// Requested lowest corner, in world units.
        min: Vec2,
        /// The opposite corner, in world units.
        max: Vec2,
        /// Requested number of columns.
        width: u64,
        /// Requested number of rows.
        height: u64,
    },
    /// The layout has more than [`MAX_CELLS`](crate::MAX_CELLS) cells, or more than [`MAX_SIDE`] along a
    /// side.
    #[error(
        "a layout of {width} x {height} cells is too large: at most 2^28, and 2^24 along a side"
    )]
    TooLarge {
        /// Requested number of columns.
        width: u64,
        /// Requested number of rows.
        height: u64,
    },
    /// The layout is so far from the world's origin that `f32` positions cannot distinguish neighboring cells.
    #[error("cells of size {cell_size} cannot be told apart at {far} from the world's origin")]
    TooFine {
        /// Requested cell size, in world units.
        cell_size: f32,
        /// Largest coordinate of a corner, in world units.
        far: f32,
    },
}

impl Layout {
    /// The layout of `width` × `height` cells whose side is `cell_size`, in world units. `origin` is the
    /// lowest corner of the layout, half a cell below the center of cell (0, 0) on both axes.
    ///
    /// # Errors
    ///
    /// Returns the [`LayoutError`] that applies.
    pub fn new(origin: Vec2, cell_size: f32, width: u32, height: u32) -> Result<Self, LayoutError> {
        if !(cell_size.is_finite() && cell_size > 0.0) {
            return Err(LayoutError::CellSize(cell_size));
        }
        let (columns, rows) = (u64::from(width), u64::from(height));
        if columns == 0 || rows == 0 {
            return Err(LayoutError::Empty {
                min: origin,
                max: origin + cell_size * Vec2::new(width as f32, height as f32),
                width: columns,
                height: rows,
            });
        }
        if !Size::fits(columns, rows) {
            return Err(LayoutError::TooLarge {
                width: columns,
                height: rows,
            });
        }
        let layout = Self {
            origin,
            cell_size,
            size: Size { width, height },
        };
        let max = layout.max_corner();
        if !origin.is_finite() || !max.is_finite() {
            return Err(LayoutError::NotFinite(origin, max));
        }
        // A cell must be at least four times as wide as the spacing of `f32` numbers, so that its two borders, its
        // center, and positions between the center and the borders are different numbers.
        let far = origin.abs().max(max.abs()).max_element();
        if f64::from(cell_size) < 4.0 * f64::from(far.next_up() - far) {
            return Err(LayoutError::TooFine { cell_size, far });
        }
        Ok(layout)
    }

    /// The smallest layout that starts at `min` and covers the area up to `max`, with cells whose side is
    /// `cell_size`, all in world units. Up to a ten-thousandth of a cell may stay uncovered, so that rounding
    /// in the arguments does not add a column.
    ///
    /// # Errors
    ///
    /// Returns the [`LayoutError`] that applies. An area without extent is [`LayoutError::Empty`].
    pub fn covering(min: Vec2, max: Vec2, cell_size: f32) -> Result<Self, LayoutError> {
        if !(cell_size.is_finite() && cell_size > 0.0) {
            return Err(LayoutError::CellSize(cell_size));
        }
        if !min.is_finite() || !max.is_finite() {
            return Err(LayoutError::NotFinite(min, max));
        }
        let cells = |low: f32, high: f32| -> u64 {
            if high <= low {
                return 0;
            }
            let exact = (f64::from(high) - f64::from(low)) / f64::from(cell_size);
            ((exact - COVER_TOLERANCE).ceil() as u64).max(1)
        };
        let (width, height) = (cells(min.x, max.x), cells(min.y, max.y));
        let side = u64::from(MAX_SIDE);
        if width > side || height > side {
            return Err(LayoutError::TooLarge { width, height });
        }
        if width == 0 || height == 0 {
            return Err(LayoutError::Empty {
                min,
                max,
                width,
                height,
            });
        }
        Self::new(min, cell_size, width as u32, height as u32)
    }

    /// Side of a cell, in world units.
    #[must_use]
    pub fn cell_size(&self) -> f32 {
        self.cell_size
    }

    /// Number of columns.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.size.width
    }

    /// Number of rows.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.size.height
    }

    /// Number of cells.
    #[must_use]
    pub fn cell_count(&self) -> usize {
        self.size.cell_count()
    }

    /// The rectangle of all cells.
    #[must_use]
    pub fn rect(&self) -> CellRect {
        self.size.rect()
    }

    /// Lowest corner of the covered area, in world units. It is the lowest corner of cell (0, 0).
    #[must_use]
    pub fn min_corner(&self) -> Vec2 {
        self.origin
    }

    /// Highest corner of the covered area, in world units.
    #[must_use]
    pub fn max_corner(&self) -> Vec2 {
        Vec2::new(
            self.edge(self.origin.x, self.size.width as i32),
            self.edge(self.origin.y, self.size.height as i32),
        )
    }

    /// Whether a world position lies in one of the cells, so that [`Layout::cell_at`] returns that cell.
    #[must_use]
    pub fn contains_position(&self, position: Vec2) -> bool {
        position.cmpge(self.origin).all() && position.cmple(self.max_corner()).all()
    }

    /// The cell that contains a world position. `None` outside the grid, and for NaN or infinity.
    #[must_use]
    pub fn cell_at(&self, position: Vec2) -> Option<Cell> {
        if self.contains_position(position) {
            self.cell_clamped(position)
        } else {
            None
        }
    }

    /// The cell that contains a world position, or the nearest cell of the grid if the position lies outside.
    /// `None` only for NaN or infinity.
    #[must_use]
    pub fn cell_clamped(&self, position: Vec2) -> Option<Cell> {
        position.is_finite().then(|| {
            Cell::new(
                self.column(self.origin.x, position.x, self.size.width),
                self.column(self.origin.y, position.y, self.size.height),
            )
        })
    }

    /// Center of a cell, in world units. It is defined outside the grid as well.
    #[must_use]
    pub fn center(&self, cell: Cell) -> Vec2 {
        self.world_of(DVec2::new(f64::from(cell.x), f64::from(cell.y)))
    }

    /// Converts a world position to cell space, where cell centers lie at whole numbers.
    #[must_use]
    pub fn to_cell_space(&self, position: Vec2) -> Vec2 {
        self.to_cell_space_f64(position.as_dvec2()).as_vec2()
    }

    /// Does the same as [`Layout::to_cell_space`], without rounding to `f32`.
    #[must_use]
    pub fn to_cell_space_f64(&self, position: DVec2) -> DVec2 {
        (position - self.origin.as_dvec2()) / f64::from(self.cell_size) - 0.5
    }

    /// Converts a position in cell space to world units: the inverse of [`Layout::to_cell_space`].
    #[must_use]
    pub fn to_world(&self, position: Vec2) -> Vec2 {
        self.world_of(position.as_dvec2())
    }

    fn world_of(&self, position: DVec2) -> Vec2 {
        let from_corner = (position + 0.5) * f64::from(self.cell_size);
        (self.origin.as_dvec2() + from_corner).as_vec2()
    }

    /// The cells that share at least one point with the world rectangle from `min` to `max`, including its
    /// borders on both sides, clamped to the grid. Infinite ends reach the border of the grid. The result is
    /// empty if a coordinate is NaN, or if `min` is beyond `max`.
    #[must_use]
    pub fn cells_touching(&self, min: Vec2, max: Vec2) -> CellRect {
        let reaches = min.cmple(max).all()
            && max.cmpge(self.origin).all()
            && min.cmple(self.max_corner()).all();
        if !reaches {
            return CellRect::EMPTY;
        }
        let span = |origin: f32, low: f32, high: f32, count: u32| -> (i32, i32) {
            let first = self.column(origin, low, count);
            let on_border = first > 0 && self.edge(origin, first) >= low;
            (
                first - i32::from(on_border),
                self.column(origin, high, count) + 1,
            )
        };
        let (x0, x1) = span(self.origin.x, min.x, max.x, self.size.width);
        let (y0, y1) = span(self.origin.y, min.y, max.y, self.size.height);
        CellRect::new(Cell::new(x0, y0), Cell::new(x1, y1))
    }

    /// World coordinate of the border before column (or row) `k`.
    fn edge(&self, origin: f32, k: i32) -> f32 {
        (f64::from(origin) + f64::from(k) * f64::from(self.cell_size)) as f32
    }

    /// Column (or row) of a coordinate, clamped to `0..count`. The coordinate must not be NaN.
    fn column(&self, origin: f32, position: f32, count: u32) -> i32 {
        let last = count as i32 - 1;
        let guess = (f64::from(position) - f64::from(origin)) / f64::from(self.cell_size);
        // The cast rounds toward zero, so it rounds positive numbers down. Negative numbers become 0.
        let mut k = (guess as i32).clamp(0, last);
        // Borders are rounded to `f32`, so beside a border the quotient can be off by one.
        if k > 0 && position < self.edge(origin, k) {
            k -= 1;
        } else if k < last && position >= self.edge(origin, k + 1) {
            k += 1;
        }
        k
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn layout() -> Layout {
        Layout::new(Vec2::new(-30.0, -10.0), 2.5, 8, 6).unwrap()
    }

    #[test]
    fn cell_at_respects_the_origin_and_the_cell_size() {
        let l = layout();
        assert_eq!(l.cell_at(Vec2::new(-30.0, -10.0)), Some(Cell::new(0, 0)));
        assert_eq!(l.cell_at(Vec2::new(-27.6, -7.4)), Some(Cell::new(0, 1)));
        assert_eq!(l.cell_at(Vec2::new(-11.0, 4.0)), Some(Cell::new(7, 5)));
        assert_eq!(l.center(Cell::new(1, 1)), Vec2::new(-26.25, -6.25));
        assert_eq!(l.max_corner(), Vec2::new(-10.0, 5.0));
    }

    #[test]
    fn positions_on_the_right_and_top_border_belong_to_the_last_cells() {
        let l = layout();
        assert_eq!(l.cell_at(l.max_corner()), Some(Cell::new(7, 5)));
        assert_eq!(l.cell_at(Vec2::new(-10.0, -10.0)), Some(Cell::new(7, 0)));
        let beyond = Vec2::new(l.max_corner().x.next_up(), 0.0);
        assert_eq!(l.cell_at(beyond), None);
        assert_eq!(l.cell_clamped(beyond), Some(Cell::new(7, 4)));
        let before = Vec2::new(-30.0f32.next_up(), (-10.0f32).next_down());
        assert_eq!(l.cell_at(before), None);
    }

    #[test]
    fn covering_divides_the_world_size_by_the_cell_size() {
        let l = Layout::covering(Vec2::ZERO, Vec2::new(100.0, 40.0), 10.0).unwrap();
        assert_eq!((l.width(), l.height(), l.cell_count()), (10, 4, 40));
    }

    #[test]
    fn covering_rounds_up_except_for_rounding_errors() {
        let cells =
            |w: f32, s: f32| Layout::covering(Vec2::ZERO, Vec2::new(w, 1.0), s).map(|l| l.width());
        assert_eq!(cells(10.1, 1.0), Ok(11));
        assert_eq!(cells(0.1 + 0.2, 0.1), Ok(3));
        assert_eq!(cells(1e-6, 1.0), Ok(1));
    }

    #[test]
    fn arguments_that_are_not_finite_are_rejected() {
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let corner = Vec2::new(bad, 0.0);
            assert!(Layout::new(corner, 1.0, 4, 4).is_err());
            assert!(Layout::new(Vec2::ZERO, bad, 4, 4).is_err());
            assert!(Layout::covering(Vec2::ZERO, corner, 1.0).is_err());
            assert!(Layout::covering(corner, Vec2::ONE, 1.0).is_err());
            assert_eq!(layout().cell_at(corner), None);
            assert_eq!(layout().cell_clamped(corner), None);
        }
        assert!(Layout::new(Vec2::splat(f32::MAX), f32::MAX, 4, 4).is_err());
        assert!(layout().cells_touching(Vec2::NAN, Vec2::ONE).is_empty());
    }

    #[test]
    fn empty_and_too_large_layouts_are_different_errors() {
        let new = |w, h| Layout::new(Vec2::ZERO, 1.0, w, h);
        let covering = Layout::covering;
        for empty in [new(0, 5), new(5, 0), covering(Vec2::ONE, Vec2::ONE, 1.0)] {
            assert!(matches!(empty, Err(LayoutError::Empty { .. })), "{empty:?}");
        }
        let swapped = covering(Vec2::new(3.0, 1.0), Vec2::new(-2.0, 5.0), 1.0);
        let message = swapped.expect_err("no extent").to_string();
        assert_eq!(
            message,
            "the layout from [3, 1] to [-2, 5] has no cells: 0 x 4"
        );
        assert!(new(1 << 14, 1 << 14).is_ok());
        for large in [
            new((1 << 14) + 1, 1 << 14),
            new(u32::MAX, u32::MAX),
            new(MAX_SIDE + 1, 1),
            covering(Vec2::ZERO, Vec2::splat(1e30), 1e-3),
        ] {
            assert!(
                matches!(large, Err(LayoutError::TooLarge { .. })),
                "{large:?}"
            );
        }
        for cell_size in [0.0, -1.0] {
            let refused = Layout::new(Vec2::ZERO, cell_size, 1, 1);
            assert!(
                matches!(refused, Err(LayoutError::CellSize(_))),
                "{cell_size}"
            );
        }
    }

    #[test]
    fn cells_too_small_for_their_distance_from_the_origin_are_rejected() {
        let far = Vec2::splat(1e7);
        assert!(matches!(
            Layout::new(far, 1.0, 4, 4),
            Err(LayoutError::TooFine { .. })
        ));
        assert!(Layout::new(far, 8.0, 4, 4).is_ok());
    }

    #[test]
    fn cells_touching_includes_borders_and_clamps_to_the_grid() {
        let l = Layout::new(Vec2::ZERO, 1.0, 4, 4).unwrap();
        let touch = |a: (f32, f32), b: (f32, f32)| l.cells_touching(a.into(), b.into());
        let rect = |a: (i32, i32), b: (i32, i32)| CellRect::new(a.into(), b.into());
        assert_eq!(touch((1.5, 1.5), (1.5, 1.5)), rect((1, 1), (2, 2)));
        assert_eq!(touch((1.0, 1.5), (2.0, 1.6)), rect((0, 1), (3, 2)));
        assert_eq!(touch((-9.0, -9.0), (0.0, 0.0)), rect((0, 0), (1, 1)));
        assert_eq!(touch((4.0, 4.0), (9.0, 9.0)), rect((3, 3), (4, 4)));
        assert!(touch((4.1, 0.0), (9.0, 9.0)).is_empty());
        assert!(touch((3.0, 0.0), (2.0, 9.0)).is_empty());
        let all = l.cells_touching(Vec2::NEG_INFINITY, Vec2::INFINITY);
        assert_eq!(all, l.rect());
    }

    fn any_layout() -> impl Strategy<Value = Layout> {
        let (at, side) = (|| -1e4f32..1e4, || 1u32..300);
        (at(), at(), 0.02f32..50.0, side(), side())
            .prop_map(|(x, y, s, w, h)| Layout::new(Vec2::new(x, y), s, w, h))
            .prop_filter_map("representable", Result::ok)
    }

    proptest! {
        #[test]
        fn cell_at_inverts_center(l in any_layout(), fx in 0.0f32..1.0, fy in 0.0f32..1.0) {
            let cell = Cell::new(
                (fx * l.width() as f32) as i32 % l.width() as i32,
                (fy * l.height() as f32) as i32 % l.height() as i32,
            );
            prop_assert_eq!(l.cell_at(l.center(cell)), Some(cell));
            let back = l.to_cell_space(l.center(cell));
            prop_assert!((back - cell.center()).length() < 0.5, "{back} is not near {cell}");
        }

        #[test]
        fn every_border_is_the_first_position_of_its_cell(l in any_layout(), f in 0.0f32..1.0) {
            let k = (f * l.width() as f32) as i32 % l.width() as i32;
            let y = l.center(Cell::new(0, 0)).y;
            let x = l.edge(l.min_corner().x, k);
            prop_assert_eq!(l.cell_at(Vec2::new(x, y)), Some(Cell::new(k, 0)));
            if k > 0 {
                prop_assert_eq!(l.cell_at(Vec2::new(x.next_down(), y)), Some(Cell::new(k - 1, 0)));
            }
        }

        #[test]
        fn cell_clamped_agrees_with_cell_at_inside_and_stays_in_the_grid(
            l in any_layout(), x in -3e4f32..3e4, y in -3e4f32..3e4,
        ) {
            let p = Vec2::new(x, y);
            let clamped = l.cell_clamped(p).unwrap();
            prop_assert!(l.rect().contains(clamped));
            if let Some(cell) = l.cell_at(p) {
                prop_assert_eq!(cell, clamped);
            }
        }
    }
}
