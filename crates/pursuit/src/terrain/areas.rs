//! The area of each cell.

use std::fmt;
use std::sync::Arc;

use crate::cell::{Cell, CellRect, Size};
use crate::grid_error::GridError;
use crate::walls::{Walls, node_stride};

/// The area of each cell of a map, as a number from 0 to 255. A game chooses what the numbers mean, for example mud,
/// water or a road. The area 0 is plain ground, and at first all cells are in it. [`AreaCosts`](crate::AreaCosts) has
/// the costs of areas for a class of bodies.
#[derive(Clone)]
pub struct Areas {
    size: Size,
    /// Number of nodes per row.
    stride: u32,
    /// The area of each node, in the order in which [`Walls`] number them.
    of_nodes: Arc<[u8]>,
    /// Number of cells in each area.
    counts: [u32; 256],
}

impl Areas {
    /// Creates areas of `width` × `height` cells of plain ground.
    ///
    /// # Errors
    ///
    /// [`GridError::Empty`] if there are no cells, and [`GridError::TooLarge`] if there are too many.
    pub fn plain(width: u32, height: u32) -> Result<Self, GridError> {
        let walls = Walls::blocked(width, height)?;
        let of_nodes = vec![0; walls.node_count() as usize].into();
        Ok(Self::of_nodes(walls.size(), of_nodes))
    }

    /// Creates areas from one number per node.
    pub(crate) fn of_nodes(size: Size, of_nodes: Arc<[u8]>) -> Self {
        let mut areas = Self {
            size,
            stride: node_stride(size.width),
            of_nodes,
            counts: [0; 256],
        };
        for row in areas.rows(size.rect()) {
            let counted = areas.of_nodes[row].iter();
            counted.for_each(|&area| areas.counts[usize::from(area)] += 1);
        }
        areas
    }

    /// The rectangle of all cells.
    #[must_use]
    pub fn rect(&self) -> CellRect {
        self.size.rect()
    }

    /// The area of a cell. 0 outside the map.
    #[must_use]
    pub fn area(&self, cell: Cell) -> u8 {
        if !self.size.contains(cell) {
            return 0;
        }
        let node = (cell.y as u32 + 1) * self.stride + cell.x as u32;
        self.of_nodes[node as usize]
    }

    /// Assigns all cells of a rectangle to an area. Parts of the rectangle outside the map are ignored.
    pub fn fill(&mut self, rect: CellRect, area: u8) {
        self.paint(rect, |_, _| area);
    }

    /// Assigns each cell of a rectangle to the area that `paint` returns for the cell and its current area. Parts of
    /// the rectangle outside the map are ignored.
    pub fn paint(&mut self, rect: CellRect, mut paint: impl FnMut(Cell, u8) -> u8) {
        let rect = rect.intersect(&self.rect());
        let rows = self.rows(rect);
        let of_nodes = Arc::make_mut(&mut self.of_nodes);
        for (y, row) in (rect.min.y..rect.max.y).zip(rows) {
            for (x, area) in (rect.min.x..).zip(&mut of_nodes[row]) {
                self.counts[usize::from(*area)] -= 1;
                *area = paint(Cell::new(x, y), *area);
                self.counts[usize::from(*area)] += 1;
            }
        }
    }

    /// Copies the areas of a rectangle from `newer`. If `self` and `newer` also differ outside the rectangle, the
    /// caller must copy the other rectangles as well.
    pub(crate) fn catch_up(&mut self, newer: &Self, rect: CellRect) {
        for row in self.rows(rect) {
            let newer = &newer.of_nodes[row.clone()];
            if self.of_nodes[row.clone()] != *newer {
                Arc::make_mut(&mut self.of_nodes)[row].copy_from_slice(newer);
            }
        }
        self.counts = newer.counts;
    }

    /// Whether some cell of a rectangle has different areas in `self` and `other`. The rectangle lies inside
    /// the map.
    pub(crate) fn differs_in(&self, other: &Self, rect: CellRect) -> bool {
        let mut rows = self.rows(rect);
        rows.any(|row| self.of_nodes[row.clone()] != other.of_nodes[row])
    }

    /// The area of each node.
    pub(crate) fn nodes(&self) -> &Arc<[u8]> {
        &self.of_nodes
    }

    /// The areas that have at least one cell.
    pub(crate) fn present(&self) -> impl Iterator<Item = u8> {
        (0..=u8::MAX).filter(|&area| self.counts[usize::from(area)] > 0)
    }

    /// The nodes of each row of a rectangle, which lies inside the map.
    fn rows(&self, rect: CellRect) -> impl Iterator<Item = std::ops::Range<usize>> + use<> {
        let stride = self.stride as usize;
        let columns = rect.min.x as usize..rect.max.x.max(rect.min.x) as usize;
        (rect.min.y..rect.max.y).map(move |y| {
            let row = (y as usize + 1) * stride;
            row + columns.start..row + columns.end
        })
    }
}

impl PartialEq for Areas {
    fn eq(&self, other: &Self) -> bool {
        self.size == other.size && !self.differs_in(other, self.rect())
    }
}

impl Eq for Areas {}

impl fmt::Debug for Areas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let present: Vec<u8> = self.present().collect();
        f.debug_struct("Areas")
            .field("size", &self.size)
            .field("present", &present)
            .finish_non_exhaustive()
    }
}
