//! The cells of a grid ([`Cell`], [`CellIndex`], [`CellRect`]), and the allowed steps between neighboring cells
//! ([`DiagonalPolicy`]).
//!
//! Nothing here uses world units: only [`Layout`](crate::Layout) does.

use std::fmt;

use glam::Vec2;

/// Maximum number of cells in a grid or a layout: 2²⁸, a square of 16,384 × 16,384.
pub const MAX_CELLS: u64 = 1 << 28;

/// Maximum number of cells along one side: 2²⁴. An `f32` can hold every whole number up to 2²⁴, so each cell center is
/// exact in cell space.
pub const MAX_SIDE: u32 = 1 << 24;

/// One square of a grid, given by its column `x` and its row `y`. Row 0 has the smallest world `y`.
///
/// A cell may lie outside a grid. Each function that takes a cell documents what happens then.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cell {
    /// Column. It grows with world `x`.
    pub x: i32,
    /// Row. It grows with world `y`.
    pub y: i32,
}

impl Cell {
    /// The cell in column `x` and row `y`.
    #[must_use]
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// The cell's center in cell space, where centers lie at whole numbers and lengths are in cells.
    #[must_use]
    pub fn center(self) -> Vec2 {
        Vec2::new(self.x as f32, self.y as f32)
    }

    /// The cell that contains a point in cell space. Coordinates are clamped to the range of `i32`, and NaN becomes 0.
    #[must_use]
    #[inline]
    pub fn at(point: Vec2) -> Self {
        // This uses 64 bits: beyond 2²³ cells, an `f32` cannot hold half a cell.
        let [x, y] = (point.as_dvec2() + 0.5).to_array().map(floor);
        Self::new(x, y)
    }

    /// The cell that is `dx` columns and `dy` rows away. Coordinates are clamped to the range of `i32`.
    #[must_use]
    pub const fn offset(self, dx: i32, dy: i32) -> Self {
        Self::new(self.x.saturating_add(dx), self.y.saturating_add(dy))
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}

impl From<(i32, i32)> for Cell {
    fn from((x, y): (i32, i32)) -> Self {
        Self { x, y }
    }
}

/// Index of a cell in an array of all cells of a grid, row by row: `y * width + x`.
///
/// An index is meaningful only for the grid or layout that returned it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CellIndex(pub u32);

impl CellIndex {
    /// The index as `usize`, for array access.
    #[must_use]
    pub const fn get(self) -> usize {
        self.0 as usize
    }
}

/// A rectangle of cells. `min` is its first cell. `max` is one column and one row past its last cell.
///
/// If `max` is not beyond `min` on both axes, the rectangle is empty.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CellRect {
    /// First column and row, inclusive.
    pub min: Cell,
    /// The column and the row after the last ones, exclusive.
    pub max: Cell,
}

impl CellRect {
    /// The rectangle from `min`, inclusive, to `max`, exclusive.
    #[must_use]
    pub const fn new(min: Cell, max: Cell) -> Self {
        Self { min, max }
    }

    /// A rectangle without cells.
    pub const EMPTY: Self = Self::new(Cell::new(0, 0), Cell::new(0, 0));

    /// Whether the rectangle has no cells.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.max.x <= self.min.x || self.max.y <= self.min.y
    }

    /// Number of columns; 0 when empty.
    #[must_use]
    pub const fn width(&self) -> u32 {
        if self.is_empty() {
            0
        } else {
            self.max.x.wrapping_sub(self.min.x) as u32
        }
    }

    /// Number of rows; 0 when empty.
    #[must_use]
    pub const fn height(&self) -> u32 {
        if self.is_empty() {
            0
        } else {
            self.max.y.wrapping_sub(self.min.y) as u32
        }
    }

    /// Number of cells.
    #[must_use]
    pub const fn cell_count(&self) -> u64 {
        self.width() as u64 * self.height() as u64
    }

    /// Whether `cell` lies inside the rectangle.
    #[must_use]
    pub const fn contains(&self, cell: Cell) -> bool {
        cell.x >= self.min.x && cell.x < self.max.x && cell.y >= self.min.y && cell.y < self.max.y
    }

    /// The cells that are in both rectangles. The result is empty if there are no such cells.
    #[must_use]
    pub fn intersect(&self, other: &Self) -> Self {
        let both = Self {
            min: Cell::new(self.min.x.max(other.min.x), self.min.y.max(other.min.y)),
            max: Cell::new(self.max.x.min(other.max.x), self.max.y.min(other.max.y)),
        };
        if both.is_empty() { Self::EMPTY } else { both }
    }

    /// The smallest rectangle that contains both rectangles. An empty rectangle adds nothing.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        match (self.is_empty(), other.is_empty()) {
            (true, true) => Self::EMPTY,
            (true, false) => *other,
            (false, true) => *self,
            (false, false) => Self {
                min: Cell::new(self.min.x.min(other.min.x), self.min.y.min(other.min.y)),
                max: Cell::new(self.max.x.max(other.max.x), self.max.y.max(other.max.y)),
            },
        }
    }

    /// A rectangle that is larger by `cells` on all four sides. An empty rectangle stays empty.
    #[must_use]
    pub fn grow(&self, cells: u32) -> Self {
        if self.is_empty() {
            return Self::EMPTY;
        }
        Self {
            min: Cell::new(
                self.min.x.saturating_sub_unsigned(cells),
                self.min.y.saturating_sub_unsigned(cells),
            ),
            max: Cell::new(
                self.max.x.saturating_add_unsigned(cells),
                self.max.y.saturating_add_unsigned(cells),
            ),
        }
    }

    /// All cells in the order of [`CellIndex`]: row by row, and by `x` within each row.
    pub fn cells(&self) -> impl DoubleEndedIterator<Item = Cell> + Clone + use<> {
        let Self { min, max } = *self;
        (min.y..max.y).flat_map(move |y| (min.x..max.x).map(move |x| Cell::new(x, y)))
    }
}

/// The numbers of columns and rows of a grid.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Size {
    pub(crate) width: u32,
    pub(crate) height: u32,
}

impl Size {
    /// Whether a grid may have this size. Sizes without cells are accepted here, since they are reported as a different
    /// error.
    pub(crate) fn fits(width: u64, height: u64) -> bool {
        let side = u64::from(MAX_SIDE);
        width <= side && height <= side && width * height <= MAX_CELLS
    }

    pub(crate) fn cell_count(self) -> usize {
        self.width as usize * self.height as usize
    }

    pub(crate) fn rect(self) -> CellRect {
        let max = Cell::new(self.width as i32, self.height as i32);
        CellRect::new(Cell::new(0, 0), max)
    }

    pub(crate) fn contains(self, cell: Cell) -> bool {
        (cell.x as u32) < self.width && (cell.y as u32) < self.height
    }

    /// The index of the cell. `None` outside the grid.
    pub(crate) fn index(self, cell: Cell) -> Option<CellIndex> {
        self.contains(cell)
            .then(|| CellIndex(cell.y as u32 * self.width + cell.x as u32))
    }
}

/// Steps to the eight neighbors: the four straight steps, then the four diagonal ones. All searches and fields of this
/// crate visit neighbors in this order.
pub const NEIGHBORS: [(i32, i32); 8] = [
    (1, 0),
    (-1, 0),
    (0, 1),
    (0, -1),
    (1, 1),
    (-1, 1),
    (1, -1),
    (-1, -1),
];

/// The diagonal steps that are allowed between two free cells.
///
/// A diagonal step passes between two cells: those that share a side with both of its ends. Every policy is symmetric:
/// a step from A to B is allowed if and only if the step from B to A is.
///
/// [`OneFree`](Self::OneFree) and [`Always`](Self::Always) make sense only for points, which are bodies of radius 0. A
/// larger body would scrape the corners that such steps touch. On a map for larger bodies, some of the cells beside
/// such corners are therefore blocked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum DiagonalPolicy {
    /// No diagonal steps: the 4-neighbor grid.
    Never,
    /// Both cells that the step passes between must be free, so that it cuts no corner of a wall.
    #[default]
    NoCornerCut,
    /// At least one of the two cells that the step passes between must be free.
    OneFree,
    /// Every diagonal step is allowed, even between two walls that touch at a corner.
    Always,
}

impl DiagonalPolicy {
    /// All policies, from the strictest to the most lenient.
    pub const ALL: [Self; 4] = [Self::Never, Self::NoCornerCut, Self::OneFree, Self::Always];

    /// Whether a diagonal step may be taken. The arguments say which of the two cells that the step passes between are
    /// free.
    #[must_use]
    pub const fn allows(self, one_free: bool, other_free: bool) -> bool {
        match self {
            Self::Never => false,
            Self::NoCornerCut => one_free && other_free,
            Self::OneFree => one_free || other_free,
            Self::Always => true,
        }
    }
}

/// The largest whole number up to `x`. The result equals `f64::floor`, without a function call. It is clamped to
/// the range of `i32`, and NaN gives 0.
#[inline]
pub(crate) fn floor(x: f64) -> i32 {
    let whole = x as i32;
    whole.saturating_sub(i32::from(f64::from(whole) > x))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rect(x0: i32, y0: i32, x1: i32, y1: i32) -> CellRect {
        CellRect::new(Cell::new(x0, y0), Cell::new(x1, y1))
    }

    #[test]
    fn floor_agrees_with_the_standard_library() {
        let near = (-3000..3000).map(|n| f64::from(n) / 1000.0);
        for x in near.chain([
            -0.0,
            1e300,
            -1e300,
            f64::NAN,
            f64::INFINITY,
            2_147_483_647.5,
        ]) {
            assert_eq!(floor(x), x.floor() as i32, "{x}");
        }
    }

    #[test]
    fn a_rectangle_contains_its_min_but_not_its_max() {
        let r = rect(-1, 2, 3, 4);
        assert!(r.contains(Cell::new(-1, 2)));
        assert!(r.contains(Cell::new(2, 3)));
        assert!(!r.contains(Cell::new(3, 3)));
        assert!(!r.contains(Cell::new(2, 4)));
        assert_eq!((r.width(), r.height(), r.cell_count()), (4, 2, 8));
    }

    #[test]
    fn cells_come_row_by_row() {
        let cells: Vec<Cell> = rect(0, 0, 2, 2).cells().collect();
        assert_eq!(cells, [(0, 0), (1, 0), (0, 1), (1, 1)].map(Cell::from));
        assert_eq!(rect(0, 0, 2, 0).cells().count(), 0);
    }

    #[test]
    fn an_empty_rectangle_adds_nothing_to_a_union_and_does_not_grow() {
        let r = rect(5, 5, 6, 6);
        assert_eq!(CellRect::EMPTY.union(&r), r);
        assert_eq!(r.union(&rect(9, 9, 9, 20)), r);
        assert!(CellRect::EMPTY.grow(3).is_empty());
        assert!(r.intersect(&rect(6, 5, 9, 9)).is_empty());
        assert_eq!(r.grow(1), rect(4, 4, 7, 7));
    }

    #[test]
    fn the_size_of_the_largest_rectangle_does_not_overflow() {
        let all = rect(i32::MIN, i32::MIN, i32::MAX, i32::MAX);
        assert_eq!(all.width(), u32::MAX);
        assert_eq!(all.grow(7), all);
    }

    #[test]
    fn neighbors_are_four_straight_steps_and_then_four_diagonal_ones() {
        assert!(NEIGHBORS[..4].iter().all(|(x, y)| x.abs() + y.abs() == 1));
        assert!(
            NEIGHBORS[4..]
                .iter()
                .all(|(x, y)| x.abs() == 1 && y.abs() == 1)
        );
        let mut all = NEIGHBORS.to_vec();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 8);
    }
}
