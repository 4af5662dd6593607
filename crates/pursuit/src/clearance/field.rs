//! The clearance field: its data and the distance at a cell.

use std::ops::Range;

use super::scale::Scale;
use crate::cell::{Cell, CellRect, Size};

/// How much larger than the available room a body may be, in cells.
///
/// With this tolerance, a body with a radius of 0.5 fits between walls that are one cell apart, and the rounding
/// errors of unit conversions block nothing. A field with a cap above 4 may round distances down by more than this.
/// In such a field, only distances of whole and half cells are sure to be exact within the tolerance.
pub const FIT_TOLERANCE_CELLS: f32 = 1e-4;

/// A step from a cell to one of its neighbors, named by the direction in which it is stored. Each undirected
/// step belongs to its end with the smaller `y`. If both ends have the same `y`, it belongs to the end with
/// the smaller `x`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// To `(x + 1, y)`.
    PlusX,
    /// To `(x, y + 1)`.
    PlusY,
    /// To `(x + 1, y + 1)`.
    PlusXPlusY,
    /// To `(x - 1, y + 1)`.
    MinusXPlusY,
}

impl Step {
    /// All steps, in the order in which this crate visits them.
    pub const ALL: [Self; 4] = [
        Self::PlusX,
        Self::PlusY,
        Self::PlusXPlusY,
        Self::MinusXPlusY,
    ];

    /// The change of column and row, `(dx, dy)`.
    #[must_use]
    pub const fn offset(self) -> (i32, i32) {
        match self {
            Self::PlusX => (1, 0),
            Self::PlusY => (0, 1),
            Self::PlusXPlusY => (1, 1),
            Self::MinusXPlusY => (-1, 1),
        }
    }

    /// The cell that the step leads to from `cell`, which may lie outside the grid.
    #[must_use]
    pub const fn end(self, cell: Cell) -> Cell {
        let (dx, dy) = self.offset();
        cell.offset(dx, dy)
    }
}

/// Distances to the nearest obstacle, in cells: one for the center of each cell, and one for each step between two
/// neighboring centers. The distance of a step is the least distance along it. A distance is never negative and never
/// above the [cap](Clearance::cap). The distance of a step is never above the distance of either end.
///
/// A distance equal to the cap means "this far or farther".
///
/// # Precision
///
/// A field takes 8 bytes per cell, so distances are rounded. They are always rounded down: a body that fits
/// according to the field does fit.
///
/// - The error of the distance of a center is below a bound: the cap is rounded up to a power of two, and divided by
///   65,536. For caps above 2 and up to 4, the bound is 1/16,384 of a cell, which is less than [`FIT_TOLERANCE_CELLS`]. For
///   larger caps, the bound exceeds the tolerance. Whole and half cells are exact. A distance below twice the bound
///   is stored as 0, which means that the center touches the obstacle.
/// - The distance of a step is exactly the distance of its nearer end, unless [`limit_step`](Clearance::limit_step)
///   put an obstacle closer to the step than to that end. The error of such a distance is less than 1/512 of a cell
///   if the distance is below one cell, and less than 1/256 of the cap otherwise. The distance of a step is never
///   more precise than the distance of a center.
#[derive(Clone, Debug, PartialEq)]
pub struct Clearance {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) cap: f32,
    pub(super) scale: Scale,
    /// One code per cell, in row order. A greater code stands for a greater distance: see
    /// [`scale`](super::scale).
    pub(super) centers: Box<[u16]>,
    /// The marks of the steps that are narrower than both of their ends: see [`steps`](super::steps).
    pub(super) steps: Box<[[u8; 5]]>,
    /// One byte per unit square: the least distance along its sides and diagonals. See [`Clearance::squares`].
    pub(super) squares: Box<[u8]>,
}

impl Clearance {
    /// The largest distance that the field stores, in cells. It means "this far or farther".
    #[must_use]
    pub fn cap(&self) -> f32 {
        self.cap
    }

    /// An upper bound of the rounding error, in cells. Each distance of a center or a step is at most the true
    /// distance, and falls short of it by less than this.
    #[must_use]
    pub fn resolution(&self) -> f32 {
        self.scale.resolution()
    }

    pub(crate) fn width(&self) -> u32 {
        self.width
    }

    pub(crate) fn height(&self) -> u32 {
        self.height
    }

    /// The rectangle of all cells.
    #[must_use]
    pub fn rect(&self) -> CellRect {
        let (width, height) = (self.width, self.height);
        Size { width, height }.rect()
    }

    /// Distance from the center of `cell` to the nearest obstacle, in cells, at most the cap. It is 0 outside
    /// the grid.
    #[must_use]
    pub fn center(&self, cell: Cell) -> f32 {
        if self.rect().contains(cell) {
            self.scale.decode(self.centers[self.slot(cell)])
        } else {
            0.0
        }
    }

    /// The distances of the 4 × 4 centers from `origin` - (1, 1) to `origin` + (2, 2), row by row. `None` if some
    /// of the centers lie outside the grid.
    pub(crate) fn centers_around(&self, origin: Cell) -> Option<[f32; 16]> {
        let (width, height) = (self.width as i32, self.height as i32);
        let is_inside =
            0 < origin.x && origin.x < width - 2 && 0 < origin.y && origin.y < height - 2;
        is_inside.then(|| {
            let first = self.slot(origin.offset(-1, -1));
            let mut codes = [0; 16];
            for (row, codes) in codes.chunks_exact_mut(4).enumerate() {
                codes.copy_from_slice(&self.centers[first + row * self.width as usize..][..4]);
            }
            codes.map(|code| self.scale.decode(code))
        })
    }

    pub(super) fn has_step(&self, cell: Cell, step: Step) -> bool {
        self.rect().contains(cell) && self.rect().contains(step.end(cell))
    }

    /// The index of a cell of the grid in the arrays.
    pub(super) fn slot(&self, cell: Cell) -> usize {
        cell.y as usize * self.width as usize + cell.x as usize
    }

    /// The indices of the cells that row `y` and the rectangle share. The rectangle lies inside the grid.
    pub(super) fn row_of(&self, y: i32, rect: CellRect) -> Range<usize> {
        let first = self.slot(Cell::new(rect.min.x, y));
        first..first + rect.width() as usize
    }
}
