//! Determines the area of each cell from the shapes of areas.

use std::collections::BTreeMap;
use std::sync::Arc;

use pursuit::{Areas, Cell, CellRect};

use super::raster::cells_within;
use crate::grid::Piece;
use crate::ground::{NavArea, Rules};
use crate::obstacle::ObstacleId;

/// The shape of an area in the grid's cell space.
#[derive(Clone, PartialEq)]
pub(super) struct Patch {
    pub(super) area: NavArea,
    pub(super) pieces: Arc<[Piece]>,
    /// Cells that the patch may cover.
    pub(super) cells: CellRect,
}

/// Side of a tile, in cells: patches are looked up once per painted tile.
const TILE_SIDE: i32 = 128;

/// Clears the cells in `rects` and paints them again. Where patches overlap, the highest rank wins.
pub(super) fn paint(
    areas: &mut Areas,
    rects: &[CellRect],
    patches: &BTreeMap<ObstacleId, Patch>,
    rules: &Rules,
) {
    let all = (rects.iter()).fold(CellRect::EMPTY, |all, rect| all.union(rect));
    let is_near = |patch: &&Patch| !patch.cells.intersect(&all).is_empty();
    let mut ranked: Vec<&Patch> = patches.values().filter(is_near).collect();
    ranked.sort_by_key(|patch| rules.rank(patch.area));
    let mut by_tile: BTreeMap<(i32, i32), Vec<&Patch>> = BTreeMap::new();
    for patch in ranked {
        for tile in tiles(patch.cells.intersect(&all)) {
            by_tile.entry(corner(tile)).or_default().push(patch);
        }
    }
    for rect in rects {
        areas.fill(*rect, 0);
        for tile in tiles(*rect) {
            for patch in by_tile.get(&corner(tile)).into_iter().flatten() {
                paint_patch(areas, patch, rect.intersect(&tile));
            }
        }
    }
}

fn corner(tile: CellRect) -> (i32, i32) {
    (tile.min.x, tile.min.y)
}

/// The tiles that a rectangle touches.
fn tiles(rect: CellRect) -> impl Iterator<Item = CellRect> {
    let along = |min: i32, max: i32| min.div_euclid(TILE_SIDE)..=(max - 1).div_euclid(TILE_SIDE);
    let rows = along(rect.min.y, rect.max.y);
    rows.flat_map(move |y| {
        along(rect.min.x, rect.max.x).map(move |x| {
            let corner = Cell::new(x * TILE_SIDE, y * TILE_SIDE);
            CellRect::new(corner, corner.offset(TILE_SIDE, TILE_SIDE))
        })
    })
}

/// Paints the cells of a rectangle whose centers are in a patch.
fn paint_patch(areas: &mut Areas, patch: &Patch, rect: CellRect) {
    for piece in &*patch.pieces {
        areas.paint(cells_within(piece, 0.0, rect), |cell, before| {
            let is_inside = piece.distance(cell.center().as_dvec2()) == 0.0;
            if is_inside { patch.area.area.0 } else { before }
        });
    }
}

#[cfg(test)]
mod tests {
    use bevy::ecs::entity::Entity;
    use bevy::math::DVec2;
    use fastrand::Rng;
    use pursuit::oracle::cases;

    use super::*;
    use crate::ground::AreaId;
    use crate::obstacle::ObstacleSource;

    fn any_rect(random: &mut Rng, all: CellRect, most: i32) -> CellRect {
        let min = Cell::new(random.i32(0..all.max.x), random.i32(0..all.max.y));
        let max = min.offset(random.i32(1..most), random.i32(1..most));
        CellRect::new(min, max).intersect(&all)
    }

    fn any_patch(random: &mut Rng, all: CellRect) -> Patch {
        let point = |random: &mut Rng| DVec2::new(random.f64() * 400.0, random.f64() * 300.0);
        let axis = DVec2::from_angle(random.f64() * 6.0);
        let pieces = (0..random.u8(1..3)).filter_map(|_| {
            let half = (point(random) * 0.2).max(DVec2::ONE);
            Piece::rectangle(point(random), axis, half, 0.0)
        });
        let pieces: Arc<[Piece]> = pieces.collect();
        let cells = pieces.iter().map(|piece| cells_within(piece, 0.0, all));
        let area = NavArea::new(AreaId(random.u8(0..4)));
        Patch {
            area: area.with_priority(random.i16(0..3)),
            cells: cells.fold(CellRect::EMPTY, |all, cells| all.union(&cells)),
            pieces,
        }
    }

    #[test]
    fn painted_cells_get_the_patch_of_highest_rank_and_others_stay() {
        let rules = Rules::default();
        let mut covered = 0;
        for seed in 0..cases(15) {
            let random = &mut Rng::with_seed(seed);
            let mut areas = Areas::plain(400, 300).expect("a size");
            let all = areas.rect();
            areas.fill(all, 9);
            let ids = (0..random.u32(0..40)).map(|part| {
                let source = ObstacleSource("test");
                ObstacleId {
                    part,
                    ..ObstacleId::of(Entity::PLACEHOLDER, source)
                }
            });
            let patches: BTreeMap<_, _> = ids.map(|id| (id, any_patch(random, all))).collect();
            let most = [4, 40, 300][random.usize(0..3)];
            let rects: Vec<_> = (0..random.u8(1..30))
                .map(|_| any_rect(random, all, most))
                .collect();
            paint(&mut areas, &rects, &patches, &rules);
            for cell in all.cells() {
                let is_in = |patch: &&Patch| {
                    let mut pieces = patch.pieces.iter();
                    pieces.any(|piece| piece.distance(cell.center().as_dvec2()) == 0.0)
                };
                let highest = patches.values().filter(is_in).map(|patch| patch.area);
                let highest = highest.max_by_key(|area| rules.rank(*area));
                covered += u32::from(highest.is_some());
                let expected = match rects.iter().any(|rect| rect.contains(cell)) {
                    true => highest.map_or(0, |area| area.area.0),
                    false => 9,
                };
                assert_eq!(areas.area(cell), expected, "seed {seed}, {cell:?}");
            }
        }
        assert!(covered > 0);
    }
}
