//! Walls, seen from above and a little from the south: a light top, a rim, a front where the floor
//! begins, and the shadows that they cast. The light comes from the north-west.

use crate::level::Level;
use crate::paint::Painter;
use bevy::prelude::*;
use pursuit::Cell;

use super::palette;

/// Height of a wall's visible front, in world units.
const FRONT: f32 = 13.0;
/// Width of the rim around a wall's top.
const RIM: f32 = 2.0;
/// Length of the shadow that a wall casts to the south and to the east.
const CAST: f32 = 15.0;
/// Width of the dim seam at a wall's other sides.
const SEAM: f32 = 7.0;

/// Tops, rims and fronts of all walls that border a floor, corners included; deeper ones are left
/// to the dark.
pub fn paint_walls(level: &Level) -> Painter {
    let mut painter = Painter::new();
    for cell in level.layout().rect().cells() {
        let floor = |dx, dy| level.is_floor(cell.offset(dx, dy));
        if !floor(0, 0) && !is_deep(level, cell) {
            let tile = level.tile_rect(cell);
            paint_wall(&mut painter, tile, floor);
            paint_outer_edges(&mut painter, tile, |dx, dy| {
                is_deep(level, cell.offset(dx, dy))
            });
        }
    }
    painter
}

/// Whether the tile is wall, and so are all around it.
fn is_deep(level: &Level, cell: Cell) -> bool {
    (-1..=1).all(|dx| (-1..=1).all(|dy| !level.is_floor(cell.offset(dx, dy))))
}

/// A dim edge where a wall's top ends in the dark.
fn paint_outer_edges(painter: &mut Painter, tile: Rect, deep: impl Fn(i32, i32) -> bool) {
    let Rect { min, max } = tile;
    let edges = [
        ((-1, 0), Rect::new(min.x, min.y, min.x + RIM, max.y)),
        ((1, 0), Rect::new(max.x - RIM, min.y, max.x, max.y)),
        ((0, -1), Rect::new(min.x, min.y, max.x, min.y + RIM)),
        ((0, 1), Rect::new(min.x, max.y - RIM, max.x, max.y)),
    ];
    for ((dx, dy), edge) in edges {
        if deep(dx, dy) {
            painter.rect(edge, palette::WALL_EDGE);
        }
    }
}

fn paint_wall(painter: &mut Painter, tile: Rect, floor: impl Fn(i32, i32) -> bool) {
    let Rect { min, max } = tile;
    painter.rect(tile, palette::WALL_TOP);
    let south = floor(0, -1);
    let foot = if south { min.y + FRONT } else { min.y };
    if south {
        paint_front(painter, Rect::new(min.x, min.y, max.x, foot));
    }
    let (light, dim) = (palette::WALL_RIM, palette::WALL_EDGE);
    let rims = [
        (south, Rect::new(min.x, foot, max.x, foot + RIM), light),
        (
            floor(0, 1),
            Rect::new(min.x, max.y - RIM, max.x, max.y),
            light,
        ),
        (
            floor(-1, 0),
            Rect::new(min.x, foot, min.x + RIM, max.y),
            light,
        ),
        (floor(1, 0), Rect::new(max.x - RIM, foot, max.x, max.y), dim),
    ];
    for (_, rim, color) in rims.into_iter().filter(|(shown, ..)| *shown) {
        painter.rect(rim, color);
    }
    // Rims meet around inner corners.
    for (dx, dy) in [(-1, 1), (1, 1), (-1, -1), (1, -1)] {
        if floor(dx, dy) && !floor(dx, 0) && !floor(0, dy) {
            let (x, color) = if dx < 0 {
                (min.x, light)
            } else {
                (max.x - RIM, dim)
            };
            let (low, high) = if dy < 0 {
                (min.y, min.y + FRONT + RIM)
            } else {
                (max.y - RIM, max.y)
            };
            painter.rect(Rect::new(x, low, x + RIM, high), color);
        }
    }
}

/// The face of a wall, in courses of stone.
fn paint_front(painter: &mut Painter, front: Rect) {
    /// Heights of the seams between courses, as shares of the front's.
    const SEAMS: [f32; 2] = [0.36, 0.7];
    /// Place along the tile, and the course from seam to seam, of each joint.
    const JOINTS: [(f32, f32, f32); 4] = [
        (0.3, 0.7, 1.0),
        (0.8, 0.36, 0.7),
        (0.1, 0.36, 0.7),
        (0.55, 0.0, 0.36),
    ];
    const WIDTH: f32 = 0.7;
    let Rect { min, max } = front;
    let at = |share: f32| min.y + front.height() * share;
    painter.gradient(front, palette::WALL_FACE, palette::WALL_FOOT);
    for seam in SEAMS {
        let seam = Rect::new(min.x, at(seam), max.x, at(seam) + WIDTH);
        painter.rect(seam, palette::WALL_FOOT.with_alpha(0.55));
    }
    for (along, low, high) in JOINTS {
        let x = min.x + front.width() * along;
        let joint = Rect::new(x, at(low), x + WIDTH, at(high));
        painter.rect(joint, palette::WALL_FOOT.with_alpha(0.45));
    }
}

/// Soft shadows on the floor along walls.
pub fn paint_shadows(level: &Level) -> Painter {
    let mut painter = Painter::new();
    for cell in level.layout().rect().cells() {
        let wall = |dx, dy| !level.is_floor(cell.offset(dx, dy));
        let beside = (-1..=1).any(|dx| (-1..=1).any(|dy| wall(dx, dy)));
        if level.is_floor(cell) && beside {
            paint_shadow(&mut painter, level.tile_rect(cell), wall);
        }
    }
    painter
}

fn paint_shadow(painter: &mut Painter, tile: Rect, wall: impl Fn(i32, i32) -> bool) {
    let Rect { min, max } = tile;
    let dark = palette::SHADE.with_alpha(0.5);
    let dim = palette::SHADE.with_alpha(0.26);
    let none = palette::SHADE.with_alpha(0.0);
    let sw = min;
    let se = Vec2::new(max.x, min.y);
    let nw = Vec2::new(min.x, max.y);
    let ne = max;
    let down = Vec2::new(0.0, -CAST);
    let right = Vec2::new(CAST, 0.0);
    if wall(0, 1) {
        painter.quad([(nw + down, none), (ne + down, none), (ne, dark), (nw, dark)]);
    }
    if wall(-1, 0) {
        painter.quad([
            (sw, dark),
            (sw + right, none),
            (nw + right, none),
            (nw, dark),
        ]);
    }
    if wall(-1, 1) && !wall(-1, 0) && !wall(0, 1) {
        painter.quad([
            (nw, dark),
            (nw + down, none),
            (nw + down * 0.7 + right * 0.7, none),
            (nw + right, none),
        ]);
    }
    if wall(1, 0) {
        let left = Vec2::new(-SEAM, 0.0);
        painter.quad([(se + left, none), (se, dim), (ne, dim), (ne + left, none)]);
    }
    if wall(0, -1) {
        let up = Vec2::new(0.0, SEAM);
        painter.quad([(sw, dim), (se, dim), (se + up, none), (sw + up, none)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walls_without_floor_beside_them_are_left_to_the_dark() {
        let closed = Level::parse("#######\n#######\n#..####\n#######\n#######\n", 10.0);
        let closed = closed.expect("a level");
        let more = Level::parse("####\n#..#\n####\n", 10.0).expect("a level");
        assert_eq!(
            paint_walls(&closed).triangles(),
            paint_walls(&more).triangles()
        );
    }

    #[test]
    fn open_floor_has_no_shadow() {
        let level = Level::parse(".....\n.....\n.....\n", 10.0).expect("a level");
        let middle = level.tile_rect(Cell::new(2, 1));
        let mut painter = Painter::new();
        paint_shadow(&mut painter, middle, |_, _| false);
        assert_eq!(painter.triangles(), 0);
    }
}
