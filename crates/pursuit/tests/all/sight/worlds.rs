//! Random worlds for tests of sight and paths.

use glam::{DVec2, Vec2};
use proptest::prelude::*;
use pursuit::maps::parse_ascii;
use pursuit::{Cell, Clearance, Grid};

use super::exact::{Obstacle, sample, walls};

pub(crate) fn grid(board: &str) -> Grid {
    parse_ascii(board).unwrap().grid
}

/// A grid of up to 13 × 13 cells, from almost open to half walls.
pub(crate) fn any_grid() -> impl Strategy<Value = Grid> {
    (1..14_u32, 1..14_u32, 1..10_u8).prop_flat_map(|(width, height, walls)| {
        prop::collection::vec(0..20_u8, (width * height) as usize).prop_map(move |cells| {
            let free = |cell: Cell| cells[(cell.y * width as i32 + cell.x) as usize] >= walls;
            Grid::from_fn(width, height, free).unwrap()
        })
    })
}

/// A few discs and rectangles, from points to large ones, around 9 × 8 cells.
pub(crate) fn any_obstacles() -> impl Strategy<Value = Vec<Obstacle>> {
    let obstacle = (-1.0..9.0, -1.0..9.0, 0.0..2.0, 0.0..1.5, any::<bool>());
    let obstacle = obstacle.prop_map(|(x, y, width, height, round)| {
        let low = DVec2::new(x, y);
        if round {
            let (center, radius) = (low, width / 4.0);
            Obstacle::Disc { center, radius }
        } else {
            let high = low + DVec2::new(width, height);
            Obstacle::Rectangle { low, high }
        }
    });
    prop::collection::vec(obstacle, 0..8)
}

/// A clearance field, and the obstacles from which it was made.
#[derive(Clone, Debug)]
pub(crate) struct World {
    pub(crate) field: Clearance,
    pub(crate) obstacles: Vec<Obstacle>,
}

impl World {
    pub(crate) fn of_walls(grid: &Grid) -> Self {
        let (field, obstacles) = (Clearance::from_grid(grid, 4.0), walls(grid));
        Self { field, obstacles }
    }

    pub(crate) fn of_obstacles(obstacles: Vec<Obstacle>) -> Self {
        let field = sample(9, 8, 4.0, &obstacles);
        Self { field, obstacles }
    }

    /// The point whose coordinates are the shares `x` and `y` of the width and height of the whole grid.
    pub(crate) fn at(&self, (x, y): (f32, f32)) -> Vec2 {
        let size = self.field.rect().max.center();
        Vec2::new(x, y) * size - 0.5
    }

    /// The point whose coordinates are the shares `x` and `y` of the rectangle between the outermost centers.
    pub(crate) fn inside(&self, (x, y): (f32, f32)) -> Vec2 {
        let size = self.field.rect().max.center();
        Vec2::new(x, y) * (size - 1.0)
    }
}

/// A world of walls, or of obstacles anywhere.
pub(crate) fn any_world() -> impl Strategy<Value = World> {
    prop_oneof![
        any_grid().prop_map(|grid| World::of_walls(&grid)),
        any_obstacles().prop_map(World::of_obstacles),
    ]
}

pub(crate) fn shares() -> impl Strategy<Value = (f32, f32)> {
    (0.0..=1.0_f32, 0.0..=1.0_f32)
}
