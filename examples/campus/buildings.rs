//! The buildings of the campus: blocks of wall tiles, each named after the place at its door.

use std::collections::BTreeSet;

use bevy::prelude::*;
use pursuit::{Cell, CellRect};
use pursuit_examples::stage::{Stage, TILE};
use pursuit_examples::walls::{merge_cells, world_rect};

use crate::places::NAMED_TILES;

/// How far a click may be from a place, in world units.
const NEAR: f32 = 1.3 * TILE;

/// One building.
#[derive(Clone, Debug)]
pub(crate) struct Building {
    /// Of the place at its door: an index of [`NAMED_TILES`].
    pub(crate) tile: usize,
    pub(crate) tiles: BTreeSet<Cell>,
    /// Rectangles that cover it, in world units.
    pub(crate) rects: Vec<Rect>,
}

impl Building {
    /// Where its name stands: in the middle of its largest part.
    pub(crate) fn middle(&self) -> Vec2 {
        let area = |rect: &&Rect| (rect.width() * rect.height()) as i32;
        let largest = self.rects.iter().max_by_key(area);
        largest.map_or(Vec2::ZERO, Rect::center)
    }
}

/// All buildings.
#[derive(Resource, Clone, Debug)]
pub(crate) struct Buildings(pub(crate) Vec<Building>);

impl Buildings {
    /// The buildings of a level: walls that do not touch its border, and have a door.
    pub(crate) fn of(stage: &Stage) -> Self {
        let level = &stage.level;
        let area = level.layout().rect();
        let mut seen = BTreeSet::new();
        let mut buildings = Vec::new();
        for cell in area.cells().filter(|cell| !level.is_floor(*cell)) {
            if seen.contains(&cell) {
                continue;
            }
            let tiles = block_of(stage, area, cell);
            seen.extend(tiles.iter().copied());
            let is_border = |cell: &Cell| !area.contains(cell.offset(1, 1)) || cell.x * cell.y == 0;
            if tiles.iter().any(is_border) {
                continue;
            }
            if let Some(tile) = door_of(stage, &tiles) {
                let merged = merge_cells(area, |cell| tiles.contains(&cell));
                let rects = merged.into_iter().map(|rect| world_rect(level, rect));
                buildings.push(Building {
                    tile,
                    rects: rects.collect(),
                    tiles,
                });
            }
        }
        Self(buildings)
    }

    /// The place that is meant by a click: that of the building there, or one near by. An index of [`NAMED_TILES`].
    pub(crate) fn pick(&self, stage: &Stage, at: Vec2) -> Option<usize> {
        let holds = |building: &&Building| building.rects.iter().any(|rect| rect.contains(at));
        if let Some(building) = self.0.iter().find(holds) {
            return Some(building.tile);
        }
        let apart = |tile: usize| {
            let places = stage.positions(NAMED_TILES[tile].mark);
            places
                .first()
                .map_or(f32::INFINITY, |place| place.distance(at))
        };
        let nearest = (0..NAMED_TILES.len()).min_by(|a, b| apart(*a).total_cmp(&apart(*b)));
        nearest.filter(|tile| apart(*tile) <= NEAR)
    }
}

/// The walls that hang together with one tile.
fn block_of(stage: &Stage, area: CellRect, first: Cell) -> BTreeSet<Cell> {
    let mut tiles = BTreeSet::from([first]);
    let mut open = vec![first];
    while let Some(cell) = open.pop() {
        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let next = cell.offset(dx, dy);
            if area.contains(next) && !stage.level.is_floor(next) && tiles.insert(next) {
                open.push(next);
            }
        }
    }
    tiles
}

/// The place beside one of the tiles.
fn door_of(stage: &Stage, tiles: &BTreeSet<Cell>) -> Option<usize> {
    NAMED_TILES.iter().position(|tile| {
        let mut marks = stage.level.marks().iter();
        let door = marks.find(|(mark, _)| *mark == tile.mark);
        door.is_some_and(|&(_, cell)| {
            let beside = [(1, 0), (-1, 0), (0, 1), (0, -1)];
            tile.key.is_some()
                && beside
                    .iter()
                    .any(|&(dx, dy)| tiles.contains(&cell.offset(dx, dy)))
        })
    })
}
