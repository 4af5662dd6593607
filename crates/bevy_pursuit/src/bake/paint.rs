//! Which area each cell is in, from the shapes of areas.

use std::collections::BTreeMap;
use std::sync::Arc;

use bevy::math::DVec2;
use pursuit::{Areas, Cell, CellRect};

use crate::grid::Piece;
use crate::ground::{NavArea, Rules};
use crate::obstacle::ObstacleId;

/// The shape of an area in the grid's cell space.
#[derive(Clone, PartialEq)]
pub(super) struct Patch {
    pub(super) area: NavArea,
    pub(super) pieces: Arc<[Piece]>,
    /// Cells that it may cover.
    pub(super) cells: CellRect,
}

/// Paints the cells of a rectangle from nothing. Where patches overlap, the one that ranks highest counts.
pub(super) fn paint(
    areas: &mut Areas,
    rect: CellRect,
    patches: &BTreeMap<ObstacleId, Patch>,
    rules: &Rules,
) {
    areas.fill(rect, 0);
    let mut here: Vec<&Patch> = patches
        .values()
        .filter(|patch| !patch.cells.intersect(&rect).is_empty())
        .collect();
    here.sort_by_key(|patch| rules.rank(patch.area));
    for patch in here {
        for piece in &*patch.pieces {
            areas.paint(covered_cells(piece, rect), |cell, before| {
                let is_inside = piece.distance(cell.center().as_dvec2()) == 0.0;
                if is_inside { patch.area.area.0 } else { before }
            });
        }
    }
}

/// The cells of a rectangle whose centers may be in a piece.
pub(super) fn covered_cells(piece: &Piece, rect: CellRect) -> CellRect {
    let (min, max) = piece.bounds();
    let corner = |point: DVec2| Cell::new(point.x as i32, point.y as i32);
    let (min, max) = (corner(min.ceil()), corner(max.floor()));
    CellRect::new(min, max.offset(1, 1)).intersect(&rect)
}
