//! Floors: one textured mesh per material, and trims where materials meet.

use crate::paint::Painter;
use crate::walls::{merge_cells, world_rect};
use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;
use pursuit::Cell;

use super::palette;
use super::textures::PERIOD;
use crate::stage::{Floor, Stage};

/// The mesh of each material that the stage has, with texture coordinates in world units.
pub fn floor_meshes(stage: &Stage) -> Vec<(Floor, Mesh)> {
    let mut meshes = Vec::new();
    for floor in Floor::ALL {
        let area = stage.level.layout().rect();
        let rects = merge_cells(area, |cell| stage.floor(cell) == Some(floor));
        if !rects.is_empty() {
            let rects: Vec<Rect> = rects
                .into_iter()
                .map(|rect| world_rect(&stage.level, rect))
                .collect();
            meshes.push((floor, textured(&rects, stage.level.bounds().min)));
        }
    }
    meshes
}

/// Carpets' golden borders and the stone curbs of lawns.
pub fn paint_trims(stage: &Stage) -> Painter {
    let mut painter = Painter::new();
    let cells = stage.level.layout().rect().cells();
    for (cell, floor) in cells.filter_map(|cell| Some((cell, stage.floor(cell)?))) {
        let tile = stage.level.tile_rect(cell);
        for side in SIDES {
            let neighbor = stage.floor(cell.offset(side.0, side.1));
            if neighbor == Some(floor) {
                continue;
            }
            match floor {
                Floor::Carpet => {
                    let open = |dx, dy| stage.floor(cell.offset(dx, dy)) == Some(floor);
                    strip(&mut painter, tile, side, (3.0, 5.0), palette::GOLD, open);
                }
                Floor::Lawn if neighbor.is_some() => {
                    strip(
                        &mut painter,
                        tile,
                        side,
                        (0.0, 3.0),
                        palette::STONE_DARK,
                        |_, _| true,
                    );
                    strip(
                        &mut painter,
                        tile,
                        side,
                        (0.0, 1.6),
                        palette::STONE,
                        |_, _| true,
                    );
                }
                Floor::Wood if neighbor.is_some() => {
                    let sill = palette::TIMBER_DARK;
                    strip(&mut painter, tile, side, (0.0, 2.5), sill, |_, _| true);
                }
                _ => {}
            }
        }
        if floor == Floor::Carpet {
            paint_inner_corners(&mut painter, stage, cell, tile);
        }
    }
    painter
}

const SIDES: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];

/// A strip along one side of a tile, between two distances from it. Where the floor ends at a
/// neighboring side too, the strip stops short, so that two strips meet in a corner.
fn strip(
    painter: &mut Painter,
    tile: Rect,
    (dx, dy): (i32, i32),
    (from, to): (f32, f32),
    color: Color,
    goes_on: impl Fn(i32, i32) -> bool,
) {
    let mut rect = tile;
    match (dx, dy) {
        (1, _) => (rect.min.x, rect.max.x) = (tile.max.x - to, tile.max.x - from),
        (-1, _) => (rect.min.x, rect.max.x) = (tile.min.x + from, tile.min.x + to),
        (_, 1) => (rect.min.y, rect.max.y) = (tile.max.y - to, tile.max.y - from),
        _ => (rect.min.y, rect.max.y) = (tile.min.y + from, tile.min.y + to),
    }
    let short = |open: bool| if open { 0.0 } else { from };
    if dx != 0 {
        rect.min.y += short(goes_on(0, -1));
        rect.max.y -= short(goes_on(0, 1));
    } else {
        rect.min.x += short(goes_on(-1, 0));
        rect.max.x -= short(goes_on(1, 0));
    }
    painter.rect(rect, color);
}

/// The bit of border where two strips of neighboring tiles turn around an inner corner.
fn paint_inner_corners(painter: &mut Painter, stage: &Stage, cell: Cell, tile: Rect) {
    let carpet = |dx, dy| stage.floor(cell.offset(dx, dy)) == Some(Floor::Carpet);
    for (dx, dy) in [(1, 1), (-1, 1), (1, -1), (-1, -1)] {
        if carpet(dx, 0) && carpet(0, dy) && !carpet(dx, dy) {
            let toward = Vec2::new(dx as f32, dy as f32);
            let corner = tile.center() + tile.half_size() * toward;
            let at = |x: f32, y: f32| corner - toward * Vec2::new(x, y);
            painter.rect(
                Rect::from_corners(at(0.0, 3.0), at(5.0, 5.0)),
                palette::GOLD,
            );
            painter.rect(
                Rect::from_corners(at(3.0, 0.0), at(5.0, 3.0)),
                palette::GOLD,
            );
        }
    }
}

fn textured(rects: &[Rect], origin: Vec2) -> Mesh {
    let mut positions = Vec::with_capacity(4 * rects.len());
    let mut uvs = Vec::with_capacity(4 * rects.len());
    let mut indices = Vec::with_capacity(6 * rects.len());
    for rect in rects {
        let first = positions.len() as u32;
        for corner in [
            rect.min,
            Vec2::new(rect.max.x, rect.min.y),
            rect.max,
            Vec2::new(rect.min.x, rect.max.y),
        ] {
            let at = (corner - origin) / PERIOD;
            positions.push([corner.x, corner.y, 0.0]);
            uvs.push([at.x, -at.y]);
        }
        indices.extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
    }
    Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::RENDER_WORLD,
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
    .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, uvs)
    .with_inserted_indices(Indices::U32(indices))
}
