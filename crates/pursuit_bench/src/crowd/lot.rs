//! An open lot of the level with a closed pen in it, and a wall that goes back and forth beside it.
//!
//! ```text
//! ..........................
//! .........########.........
//! .........#oooooo#.........    # the pen, o where targets stand
//! .........########.........
//! ..........................
//! ....====------------------    = the wall, - where it will be
//! ..........................
//! ```

use bevy::math::Vec2;
use fastrand::Rng;
use pursuit::{Cell, CellRect, Grid};

use crate::game::places::Places;

/// Cells of the lot.
const WIDTH: i32 = 26;
const HEIGHT: i32 = 20;
/// The pen with its walls, which are one cell thick, from the lot's corner.
const PEN: CellRect = CellRect::new(Cell::new(9, 3), Cell::new(17, 11));
/// Half of the wall's sides, in cells.
pub(super) const WALL_HALF_SIZE: Vec2 = Vec2::new(2.0, 0.5);
/// The wall's center goes from one of these to the other, from the lot's corner. Two and a half cells
/// are between the wall and the pen: room for an agent, and agents that wait at the pen have the wall
/// near them.
const TRACK: (Vec2, Vec2) = (Vec2::new(4.0, 14.0), Vec2::new(22.0, 14.0));
/// Rows of the lot in which the wall is, and one on each side.
const TRACK_ROWS: std::ops::Range<i32> = 12..16;

/// Where the lot is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lot {
    corner: Cell,
}

impl Lot {
    /// A random one of all that fit into the largest region of the level. `None` where none does.
    pub(super) fn choose(level: &Grid, places: &Places, random: &mut Rng) -> Option<Self> {
        let mut is_open = vec![false; level.cell_count()];
        for index in places.largest.iter().filter_map(|&cell| level.index(cell)) {
            is_open[index.get()] = true;
        }
        let fits = |corner: &Cell| {
            let mut lot = rect(*corner, WIDTH, HEIGHT).cells();
            lot.all(|cell| level.index(cell).is_some_and(|index| is_open[index.get()]))
        };
        let corners: Vec<Cell> = places.largest.iter().copied().filter(fits).collect();
        let corner = *random.choice(&corners)?;
        Some(Lot { corner })
    }

    /// The level with the walls of the pen.
    pub(super) fn build(&self, level: &Grid) -> Grid {
        let mut builder = level.to_builder();
        builder.fill(self.pen(), false);
        builder.fill(self.inside(), true);
        builder.build()
    }

    /// Whether a cell is inside the pen.
    pub(super) fn is_inside(&self, cell: Cell) -> bool {
        self.inside().contains(cell)
    }

    /// Whether an agent can start here and have the wall near it: in the lot, and in nobody's way.
    pub(super) fn is_beside_the_wall(&self, cell: Cell) -> bool {
        let lot = rect(self.corner, WIDTH, HEIGHT);
        let on_track = TRACK_ROWS.contains(&(cell.y - self.corner.y));
        lot.contains(cell) && !self.pen().contains(cell) && !on_track
    }

    /// Where the wall's center is after it went `distance` cells.
    pub(super) fn wall_at(&self, distance: f32) -> Vec2 {
        let (left, right) = TRACK;
        let length = left.distance(right);
        let along = distance.rem_euclid(2.0 * length);
        let along = along.min(2.0 * length - along);
        let corner = Vec2::new(self.corner.x as f32, self.corner.y as f32);
        corner + left.lerp(right, along / length)
    }

    fn pen(&self) -> CellRect {
        let Cell { x, y } = self.corner;
        CellRect::new(PEN.min.offset(x, y), PEN.max.offset(x, y))
    }

    fn inside(&self) -> CellRect {
        let pen = self.pen();
        CellRect::new(pen.min.offset(1, 1), pen.max.offset(-1, -1))
    }
}

fn rect(corner: Cell, width: i32, height: i32) -> CellRect {
    CellRect::new(corner, corner.offset(width, height))
}

#[cfg(test)]
mod tests {
    use super::Lot;
    use crate::game::places::Places;
    use fastrand::Rng;
    use pursuit::{Cell, Grid};

    #[test]
    fn nobody_gets_into_the_pen() {
        let level = Grid::from_fn(40, 30, |_| true).unwrap();
        let open = Places::new(&level, 0.4).unwrap();
        let lot = Lot::choose(&level, &open, &mut Rng::with_seed(1)).unwrap();
        let places = Places::new(&lot.build(&level), 0.4).unwrap();
        assert_eq!(places.others.len(), 36);
        assert!(places.others.iter().all(|&cell| lot.is_inside(cell)));
        let beside = |cell: &Cell| lot.is_beside_the_wall(*cell);
        let beside = places.largest.into_iter().filter(beside);
        assert_eq!(beside.count(), 26 * 16 - 64);
    }
}
