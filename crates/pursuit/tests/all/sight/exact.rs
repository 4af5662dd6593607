//! Exact geometry, written for clarity, to check the distances of the library.

use glam::DVec2;
use pursuit::{Cell, Clearance, Grid, Step};

use crate::segments::{to_rectangle, to_segment};

/// An obstacle: the square of a wall, a disc or a point.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Obstacle {
    Rectangle { low: DVec2, high: DVec2 },
    Disc { center: DVec2, radius: f64 },
}

impl Obstacle {
    /// Distance to the segment from `a` to `b`.
    pub(crate) fn distance(&self, a: DVec2, b: DVec2) -> f64 {
        match *self {
            Self::Disc { center, radius } => (to_segment(center, a, b) - radius).max(0.0),
            Self::Rectangle { low, high } => to_rectangle(a, b, low, high),
        }
    }
}

/// The walls of a grid.
pub(crate) fn walls(grid: &Grid) -> Vec<Obstacle> {
    grid.rect()
        .cells()
        .filter(|&cell| !grid.is_free(cell))
        .map(|cell| {
            let center = point(cell);
            Obstacle::Rectangle {
                low: center - 0.5,
                high: center + 0.5,
            }
        })
        .collect()
}

/// Distance from a segment to the nearest obstacle. Infinity if there is no obstacle.
pub(crate) fn distance(obstacles: &[Obstacle], a: DVec2, b: DVec2) -> f64 {
    obstacles
        .iter()
        .map(|obstacle| obstacle.distance(a, b))
        .fold(f64::INFINITY, f64::min)
}

/// A field sampled from obstacles of any shape, as a bake does. The distance of a step is lowered only if the step
/// comes closer to an obstacle than both of its ends.
pub(crate) fn sample(width: u32, height: u32, cap: f32, obstacles: &[Obstacle]) -> Clearance {
    const ROUNDING: f64 = 1e-9;
    let mut field = Clearance::open(width, height, cap).unwrap();
    for cell in field.rect().cells() {
        let here = point(cell);
        let away = distance(obstacles, here, here);
        field.limit_center(cell, away as f32);
        for step in Step::ALL {
            let end = point(step.end(cell));
            let along = distance(obstacles, here, end);
            if along < away.min(distance(obstacles, end, end)) - ROUNDING {
                field.limit_step(cell, step, along as f32);
            }
        }
    }
    field
}

pub(crate) fn point(cell: Cell) -> DVec2 {
    cell.center().as_dvec2()
}
