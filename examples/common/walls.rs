//! Wall tiles merged into rectangles, and one fixed collider for each of those.

use bevy::prelude::*;
use bevy_rapier2d::prelude::*;
use pursuit::{Cell, CellRect, Grid};

use crate::level::Level;

/// The collision group of everything that agents must walk around.
pub const OBSTACLES: Group = Group::GROUP_1;

/// Rectangles that cover each cell for which `wanted` holds exactly once.
///
/// Greedy: the longest run in the topmost row that is left, extended over as many rows as hold the
/// same run. Not the fewest rectangles, but few.
pub fn merge_cells(area: CellRect, wanted: impl Fn(Cell) -> bool) -> Vec<CellRect> {
    let mut done: Vec<CellRect> = Vec::new();
    let mut open: Vec<CellRect> = Vec::new();
    for y in area.min.y..=area.max.y {
        let runs = if y < area.max.y {
            runs_of_row(area, y, &wanted)
        } else {
            Vec::new()
        };
        let mut next = Vec::with_capacity(runs.len());
        for run in runs {
            let above = open.iter().position(|rect| same_columns(rect, &run));
            let start = above.map_or(run.min, |index| open.swap_remove(index).min);
            next.push(CellRect::new(start, run.max));
        }
        done.append(&mut open);
        open = next;
    }
    done.sort_by_key(|rect| (rect.min.y, rect.min.x));
    done
}

/// Spawns a fixed collider for each rectangle of walls, and four around the level, as children of
/// `parent`.
pub fn spawn_wall_colliders(parent: &mut ChildSpawnerCommands, level: &Level) {
    let walls = wall_rects(level.floor());
    let walls = walls.into_iter().map(|rect| world_rect(level, rect));
    for area in walls.chain(fence(level.bounds(), level.layout().cell_size())) {
        let half = area.half_size();
        parent.spawn((
            Name::new("wall"),
            RigidBody::Fixed,
            Collider::cuboid(half.x, half.y),
            CollisionGroups::new(OBSTACLES, Group::ALL),
            Transform::from_translation(area.center().extend(0.0)),
        ));
    }
}

/// Four rectangles that enclose `bounds` from outside.
fn fence(bounds: Rect, thickness: f32) -> [Rect; 4] {
    let (min, max) = (bounds.min, bounds.max);
    [
        Rect::new(min.x - thickness, min.y, min.x, max.y),
        Rect::new(max.x, min.y, max.x + thickness, max.y),
        Rect::new(
            min.x - thickness,
            min.y - thickness,
            max.x + thickness,
            min.y,
        ),
        Rect::new(
            min.x - thickness,
            max.y,
            max.x + thickness,
            max.y + thickness,
        ),
    ]
}

/// The walls of a floor plan, merged.
pub fn wall_rects(floor: &Grid) -> Vec<CellRect> {
    merge_cells(floor.rect(), |cell| !floor.is_free(cell))
}

/// The rectangle that a block of tiles covers in the world.
pub fn world_rect(level: &Level, rect: CellRect) -> Rect {
    let last = Cell::new(rect.max.x - 1, rect.max.y - 1);
    level.tile_rect(rect.min).union(level.tile_rect(last))
}

fn runs_of_row(area: CellRect, y: i32, wanted: &impl Fn(Cell) -> bool) -> Vec<CellRect> {
    let mut runs = Vec::new();
    let mut start = None;
    for x in area.min.x..=area.max.x {
        let inside = x < area.max.x && wanted(Cell::new(x, y));
        match (start, inside) {
            (None, true) => start = Some(x),
            (Some(first), false) => {
                runs.push(CellRect::new(Cell::new(first, y), Cell::new(x, y + 1)));
                start = None;
            }
            _ => {}
        }
    }
    runs
}

fn same_columns(a: &CellRect, b: &CellRect) -> bool {
    a.min.x == b.min.x && a.max.x == b.max.x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rectangles_cover_each_wanted_cell_once_and_no_other() {
        let area = CellRect::new(Cell::new(-3, -2), Cell::new(40, 30));
        let wanted = |cell: Cell| (cell.x * 7 + cell.y * cell.y * 3) % 5 < 2;
        let rects = merge_cells(area, wanted);
        for cell in area.grow(1).cells() {
            let covered = rects.iter().filter(|rect| rect.contains(cell)).count();
            let expected = usize::from(area.contains(cell) && wanted(cell));
            assert_eq!(covered, expected, "at {cell}");
        }
    }

    #[test]
    fn a_solid_block_is_one_rectangle() {
        let area = CellRect::new(Cell::new(0, 0), Cell::new(9, 6));
        assert_eq!(merge_cells(area, |_| true), [area]);
    }
}
