//! Small worlds for lines of sight and walks, with their exact geometry.

use arbitrary::{Arbitrary, Result, Unstructured};
use pursuit::glam::{DVec2, Vec2};
use pursuit::{Clearance, Grid};

use crate::exact::{Obstacle, sample, walls};

/// Largest distance in the field of a world, in cells.
const MAX_DISTANCE_CELLS: f32 = 4.0;
/// Longest side of a world, in cells. Worlds are small because every distance is measured to every obstacle.
const MAX_WORLD_SIDE: u32 = 14;

/// A clearance field and its source: walls that fill cells, or obstacles of any position.
#[derive(Debug)]
pub struct AnyWorld {
    pub(crate) field: Clearance,
    pub(crate) obstacles: Vec<Obstacle>,
}

impl<'a> Arbitrary<'a> for AnyWorld {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let width = u.int_in_range(1..=MAX_WORLD_SIDE)?;
        let height = u.int_in_range(1..=MAX_WORLD_SIDE)?;
        if u.arbitrary()? {
            let rows = (0..height).map(|_| u.arbitrary::<u16>());
            let rows = rows.collect::<Result<Vec<_>>>()?;
            let free = |cell: pursuit::Cell| rows[cell.y as usize] >> cell.x & 1 == 0;
            let grid = Grid::from_fn(width, height, free).expect("a good size");
            let (field, obstacles) = (
                Clearance::from_grid(&grid, MAX_DISTANCE_CELLS),
                walls(&grid),
            );
            return Ok(Self { field, obstacles });
        }
        let count = u.int_in_range(0..=7)?;
        let obstacles = (0..count).map(|_| any_obstacle(u));
        let obstacles = obstacles.collect::<Result<Vec<_>>>()?;
        let field = sample(width, height, MAX_DISTANCE_CELLS, &obstacles);
        Ok(Self { field, obstacles })
    }
}

/// An obstacle that may be as small as a point, and up to a third of the world wide. Its position is arbitrary, or
/// snapped to multiples of half a cell.
pub(crate) fn any_obstacle(u: &mut Unstructured<'_>) -> Result<Obstacle> {
    let size = f64::from(MAX_WORLD_SIDE) + 2.0;
    let along = |u: &mut Unstructured<'_>| -> Result<f64> {
        let at = f64::from(u.arbitrary::<u16>()?) / 65535.0 * size - 1.0;
        Ok(if u.arbitrary()? {
            (2.0 * at).round() / 2.0
        } else {
            at
        })
    };
    let low = DVec2::new(along(u)?, along(u)?);
    let sides = [u.arbitrary::<u8>()?, u.arbitrary::<u8>()?].map(|side| f64::from(side) / 50.0);
    Ok(if u.arbitrary()? {
        let high = low + DVec2::from(sides);
        Obstacle::Rectangle { low, high }
    } else {
        let (center, radius) = (low, sides[0] / 4.0);
        Obstacle::Disc { center, radius }
    })
}

/// A point inside a world, on its edge, outside it, or not finite.
#[derive(Arbitrary, Clone, Copy, Debug)]
pub enum AnyPoint {
    /// A point in the world, given as fractions of its width and height. The point may be on the edge.
    Inside(u16, u16),
    /// A point like [`AnyPoint::Inside`], snapped to multiples of half a cell.
    Snapped(u16, u16),
    /// Any numbers, including NaN and infinities.
    Anywhere(f32, f32),
}

impl AnyPoint {
    pub(crate) fn on(&self, field: &Clearance) -> Vec2 {
        let size = field.rect().max.center();
        let at = |x: u16, y: u16| Vec2::new(f32::from(x), f32::from(y)) / 65535.0 * size - 0.5;
        match *self {
            Self::Inside(x, y) => at(x, y),
            Self::Snapped(x, y) => (2.0 * at(x, y)).round() / 2.0,
            Self::Anywhere(x, y) => Vec2::new(x, y),
        }
    }
}

/// A radius of a body, in cells.
#[derive(Arbitrary, Clone, Copy, Debug)]
pub enum AnyRadius {
    /// A radius from 0 to 2.55, in hundredths.
    Hundredths(u8),
    /// Any number, including negative numbers, NaN and infinities.
    Any(f32),
}

impl AnyRadius {
    pub(crate) fn cells(self) -> f32 {
        match self {
            Self::Hundredths(hundredths) => f32::from(hundredths) / 100.0,
            Self::Any(radius) => radius,
        }
    }
}
