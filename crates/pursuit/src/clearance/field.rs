//! The field itself: what it holds, and where.

use std::ops::Range;

use super::scale::Scale;
use crate::cell::{Cell, CellRect, Size};

/// By how many cells a body may be larger than the room it is given: 10⁻⁴.
///
/// So a body of radius 0.5 fits exactly between walls that are one cell apart, and rounding in a
/// change of units blocks nothing. A field with a cap above 4 rounds distances down by as much and more:
/// there only walls at whole and half cells are that exact.
pub const TOLERANCE: f32 = 1e-4;

/// A step from a cell to a neighbor, named by the direction in which it is stored: each undirected
/// step belongs to the end with the smaller `y`, or with the smaller `x` where `y` is the same.
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

    /// Change of column and row.
    #[must_use]
    pub const fn offset(self) -> (i32, i32) {
        match self {
            Self::PlusX => (1, 0),
            Self::PlusY => (0, 1),
            Self::PlusXPlusY => (1, 1),
            Self::MinusXPlusY => (-1, 1),
        }
    }

    /// Where the step leads to from `cell`, inside of a grid or not.
    #[must_use]
    pub const fn end(self, cell: Cell) -> Cell {
        let (dx, dy) = self.offset();
        cell.offset(dx, dy)
    }
}

/// Distances to the nearest obstacle, in cells: one per cell center, and for each step between two
/// neighboring centers the least along it. Distances are never negative and never above the
/// [cap](Clearance::cap); a step's is never above that of its two ends.
///
/// A distance at the cap says "this far or further".
///
/// # How exact they are
///
/// A field takes 8 bytes per cell. So distances are rounded, always down: what fits by the field fits.
///
/// - A center's is exact to the 65,536th part of the cap rounded up to a power of two: 1/16,384 of a cell
///   for caps above 2 and up to 4. That is finer than [`TOLERANCE`]; with larger caps it is coarser. Whole
///   and half cells are exact. What is nearer than two such parts touches: 0.
/// - A step's is exactly that of its nearer end, unless an obstacle is said to be nearer to it than that
///   ([`lower_step`](Clearance::lower_step)). Then it is exact to 1/512 of a cell below one cell, to 1/256
///   of the cap above, and never finer than a center's.
#[derive(Clone, Debug, PartialEq)]
pub struct Clearance {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) cap: f32,
    pub(super) scale: Scale,
    /// One code per cell, in the order of the distances: see [`scale`](super::scale).
    pub(super) centers: Box<[u16]>,
    /// What steps say beyond their ends: see [`steps`](super::steps).
    pub(super) steps: Box<[[u8; 5]]>,
    /// What the steps around each unit square say about it: see [`Clearance::squares`].
    pub(super) squares: Box<[u8]>,
}

impl Clearance {
    /// The largest distance that is told apart from "further", in cells.
    #[must_use]
    pub fn cap(&self) -> f32 {
        self.cap
    }

    /// What rounding takes from a distance at most, in cells: the distance of any center or step is that
    /// which it was told, or less by less than this.
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

    /// All cells.
    #[must_use]
    pub fn rect(&self) -> CellRect {
        Size {
            width: self.width,
            height: self.height,
        }
        .rect()
    }

    /// Distance from the cell's center to the nearest obstacle, in cells, at most the cap; 0 outside
    /// of the grid.
    #[must_use]
    pub fn center(&self, cell: Cell) -> f32 {
        if self.rect().contains(cell) {
            self.scale.decode(self.centers[self.slot(cell)])
        } else {
            0.0
        }
    }

    /// The distances of four by four centers from `origin` - (1, 1) on, by rows; `None` where some are
    /// outside of the grid.
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
            self.scale.decode_all(codes)
        })
    }

    pub(super) fn has_step(&self, cell: Cell, step: Step) -> bool {
        self.rect().contains(cell) && self.rect().contains(step.end(cell))
    }

    /// Place of a cell of the grid in the arrays.
    pub(super) fn slot(&self, cell: Cell) -> usize {
        cell.y as usize * self.width as usize + cell.x as usize
    }

    /// Places of the cells of one row of a rectangle of the grid.
    pub(super) fn row_of(&self, y: i32, rect: CellRect) -> Range<usize> {
        let first = self.slot(Cell::new(rect.min.x, y));
        first..first + rect.width() as usize
    }
}
