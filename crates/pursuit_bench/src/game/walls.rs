//! The walls of a level, and the exact distance from a point to them, computed without the plugin.

use bevy::math::{Rect, Vec2};
use pursuit::{Cell, CellRect, Grid};

use super::rects::merge_blocked;

/// Walls as boxes in world units. A cell is a unit square, and the lower left corner of cell (0, 0) is the origin.
pub struct WallBoxes {
    grid: Grid,
    boxes: Vec<Rect>,
}

impl WallBoxes {
    /// The walls of a level.
    #[must_use]
    pub fn of(grid: &Grid) -> Self {
        WallBoxes {
            grid: grid.clone(),
            boxes: merge_blocked(grid).iter().map(to_world).collect(),
        }
    }

    /// Disjoint boxes that cover the walls.
    #[must_use]
    pub fn boxes(&self) -> &[Rect] {
        &self.boxes
    }

    /// Distance from `point` to the nearest wall, in world units. `None` if the wall is farther away than `reach`.
    pub(crate) fn distance(&self, point: Vec2, reach: f32) -> Option<f32> {
        let cell_of = |at: Vec2| Cell::new(at.x.floor() as i32, at.y.floor() as i32);
        let near = CellRect::new(cell_of(point - reach), cell_of(point + reach).offset(1, 1));
        let near = near.intersect(&self.grid.rect());
        let walls = near.cells().filter(|&cell| !self.grid.is_free(cell));
        let squares = walls.map(|cell| to_world(&CellRect::new(cell, cell.offset(1, 1))));
        let distances = squares.map(|square| distance_to(&square, point));
        distances
            .filter(|&distance| distance <= reach)
            .min_by(f32::total_cmp)
    }

    /// Distance from `point` to the nearest wall, in world units, but at most `max_distance`. 0 for a point that is not
    /// finite.
    pub(crate) fn clearance(&self, point: Vec2, max_distance: f32) -> f32 {
        let nearest = || self.distance(point, max_distance).unwrap_or(max_distance);
        if point.is_finite() { nearest() } else { 0.0 }
    }

    /// Width and height of the level, in world units.
    pub(crate) fn size(&self) -> Vec2 {
        Vec2::new(self.grid.width() as f32, self.grid.height() as f32)
    }
}

/// The center of a cell, in world units.
#[must_use]
pub fn center(cell: Cell) -> Vec2 {
    from_cell_space(cell.center())
}

/// Converts a point from the core's cell space, in which the centers of cells have integer coordinates, to world units.
pub(crate) fn from_cell_space(point: Vec2) -> Vec2 {
    point + 0.5
}

/// Converts a rectangle of cells to world units.
pub(crate) fn to_world(rect: &CellRect) -> Rect {
    let corner = |cell: Cell| Vec2::new(cell.x as f32, cell.y as f32);
    Rect::from_corners(corner(rect.min), corner(rect.max))
}

/// Distance from a point to a box. 0 for a point inside the box.
pub(crate) fn distance_to(wall: &Rect, point: Vec2) -> f32 {
    point.distance(point.clamp(wall.min, wall.max))
}

#[cfg(test)]
mod tests {
    use super::WallBoxes;
    use bevy::math::Vec2;
    use pursuit::maps::parse_ascii;

    fn walls(map: &str) -> WallBoxes {
        WallBoxes::of(&parse_ascii(map).unwrap().grid)
    }

    #[test]
    fn distances_are_measured_to_the_nearest_side_or_corner() {
        let walls = walls("#...\n....\n");
        // The wall is the unit square at the origin.
        for (point, distance) in [
            (Vec2::new(1.5, 0.5), 0.5),
            (Vec2::new(1.3, 1.4), 0.5),
            (Vec2::new(0.2, 1.9), 0.9),
            (Vec2::new(0.9, 0.5), 0.0),
        ] {
            let found = walls.distance(point, 1.0).unwrap();
            assert!((found - distance).abs() < 1e-5, "{found} from {point}");
        }
    }

    #[test]
    fn walls_out_of_reach_have_no_distance() {
        let near = walls("#...\n....\n");
        assert_eq!(near.distance(Vec2::new(2.5, 0.5), 1.4), None);
        assert!(near.distance(Vec2::new(2.5, 0.5), 1.6).is_some());
        let none = walls("..\n..\n");
        assert_eq!(none.distance(Vec2::new(-3.0, 1.0), 10.0), None);
        assert!(none.boxes().is_empty());
        assert_eq!(near.clearance(Vec2::new(2.5, 0.5), 0.4), 0.4);
        assert_eq!(near.clearance(Vec2::NAN, 0.4), 0.0);
    }
}
