//! The walls of a level, and the exact distance from a point to them, computed without the plugin.

use bevy::math::{Rect, Vec2};
use pursuit::{Cell, CellRect, Grid};

use super::rects::merge_blocked;

/// Walls as boxes in world units. A cell is a unit square; cell (0, 0) begins at the origin.
pub struct Walls {
    boxes: Vec<Rect>,
    /// Index into `boxes` for each cell; beyond the end for a free cell.
    of_cell: Vec<u32>,
    width: i32,
    height: i32,
}

impl Walls {
    /// The walls of a level.
    #[must_use]
    pub fn of(grid: &Grid) -> Self {
        let (rects, of_cell) = merge_blocked(grid);
        Walls {
            boxes: rects.iter().map(to_world).collect(),
            of_cell,
            width: grid.width() as i32,
            height: grid.height() as i32,
        }
    }

    /// Disjoint boxes that cover the walls.
    #[must_use]
    pub fn boxes(&self) -> &[Rect] {
        &self.boxes
    }

    /// Distance from `point` to the nearest wall, in world units; `None` if it is farther than
    /// `reach`.
    pub(crate) fn distance(&self, point: Vec2, reach: f32) -> Option<f32> {
        let min = (point - reach).floor().as_ivec2();
        let max = (point + reach).floor().as_ivec2();
        let near = (min.y..=max.y).flat_map(|y| (min.x..=max.x).map(move |x| (x, y)));
        let walls = near.filter_map(|(x, y)| self.wall_at(x, y));
        let distances = walls.map(|wall| distance_to(wall, point));
        distances
            .filter(|&distance| distance <= reach)
            .min_by(f32::total_cmp)
    }

    /// Distance from `point` to the nearest wall, at most `max_distance`, in world units. 0 for a point that is not finite.
    pub(crate) fn clearance(&self, point: Vec2, max_distance: f32) -> f32 {
        let nearest = || self.distance(point, max_distance).unwrap_or(max_distance);
        if point.is_finite() { nearest() } else { 0.0 }
    }

    /// Size of the level, which begins at the origin.
    pub(crate) fn size(&self) -> Vec2 {
        Vec2::new(self.width as f32, self.height as f32)
    }

    fn wall_at(&self, x: i32, y: i32) -> Option<&Rect> {
        let inside = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        let cell = inside.then(|| (y * self.width + x) as usize)?;
        self.boxes.get(*self.of_cell.get(cell)? as usize)
    }
}

/// Center of a cell in world units.
#[must_use]
pub fn center(cell: Cell) -> Vec2 {
    from_cell_space(cell.center())
}

/// The core's cell space has cell centers at whole numbers.
pub(crate) fn from_cell_space(point: Vec2) -> Vec2 {
    point + 0.5
}

/// The cells of a rectangle in world units.
pub(crate) fn to_world(rect: &CellRect) -> Rect {
    let corner = |cell: Cell| Vec2::new(cell.x as f32, cell.y as f32);
    Rect::from_corners(corner(rect.min), corner(rect.max))
}

/// Distance from a point to a box; 0 inside of it.
pub(crate) fn distance_to(wall: &Rect, point: Vec2) -> f32 {
    point.distance(point.clamp(wall.min, wall.max))
}

#[cfg(test)]
mod tests {
    use super::Walls;
    use bevy::math::Vec2;
    use pursuit::maps::parse_ascii;

    fn walls(map: &str) -> Walls {
        Walls::of(&parse_ascii(map).unwrap().grid)
    }

    #[test]
    fn distance_counts_to_the_side_and_to_the_corner() {
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
    fn walls_out_of_reach_are_not_seen() {
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
