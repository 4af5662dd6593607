//! The ground of a level, as convex polygons. The ground is where the center of a body can be.
//!
//! Each cell is divided into nine parts. The parts beside walls are not ground, and the other parts are merged into
//! rectangles. A rectangle has an extra corner wherever the side of a neighbor ends, so that neighbors share whole
//! sides:
//!
//! ```text
//! +-----+---+
//! |     |   |
//! |     +---+
//! |     |   |
//! +-----+---+
//! ```

use std::collections::{BTreeSet, HashMap};

use bevy::math::Vec2;
use bevy_landmass::prelude::{NavigationMesh2d, ValidNavigationMesh2d};
use pursuit::{Cell, Grid};
use pursuit_bench::WallBoxes;

/// Side of an island, in cells. To find a point, the crate searches all islands, and then all polygons of one island.
const ISLAND_SIDE: u32 = 64;
/// Number of parts along each side of a cell.
const PARTS_PER_SIDE: u32 = 3;

/// A corner, in parts of cells from the origin of the level.
type Corner = (i32, i32);

/// The ground for bodies of `radius` cells, as one navmesh for each island. The radius must be less than half a cell.
pub(crate) fn islands(level: &Grid, radius: f32) -> Vec<ValidNavigationMesh2d> {
    let starts = |side: u32| (0..side).step_by(ISLAND_SIDE as usize);
    let all = starts(level.height()).flat_map(|y| starts(level.width()).map(move |x| (x, y)));
    all.map(|from| rectangles(level, from))
        .filter(|rectangles| !rectangles.is_empty())
        .map(|rectangles| {
            let mesh = mesh(&rectangles, radius);
            mesh.validate().expect("rectangles that share sides")
        })
        .collect()
}

/// The rectangles of one island, each as its lower left and its upper right corner.
fn rectangles(level: &Grid, from: (u32, u32)) -> Vec<[Corner; 2]> {
    let [width, height] = [
        (level.width() - from.0).min(ISLAND_SIDE),
        (level.height() - from.1).min(ISLAND_SIDE),
    ];
    let (x, y) = (
        (from.0 * PARTS_PER_SIDE) as i32,
        (from.1 * PARTS_PER_SIDE) as i32,
    );
    let is_wall = |part: Cell| !is_ground(level, part.x + x, part.y + y);
    let not_ground = Grid::from_fn(width * PARTS_PER_SIDE, height * PARTS_PER_SIDE, is_wall);
    let not_ground = not_ground.expect("a part of a level is no larger");
    let ground = WallBoxes::of(&not_ground);
    let corner = |at: Vec2| (at.x as i32 + x, at.y as i32 + y);
    let boxes = ground.boxes().iter();
    boxes.map(|it| [corner(it.min), corner(it.max)]).collect()
}

/// Whether a part of a cell is ground. There are no walls outside the level.
fn is_ground(level: &Grid, x: i32, y: i32) -> bool {
    let parts = PARTS_PER_SIDE as i32;
    let is_free = |x: i32, y: i32| {
        let cell = Cell::new(x, y);
        level.index(cell).is_none() || level.is_free(cell)
    };
    let (cell, beside) = (
        (x / parts, y / parts),
        (x / parts + x % parts - 1, y / parts + y % parts - 1),
    );
    is_free(cell.0, cell.1)
        && is_free(beside.0, cell.1)
        && is_free(cell.0, beside.1)
        && is_free(beside.0, beside.1)
}

fn mesh(rectangles: &[[Corner; 2]], radius: f32) -> NavigationMesh2d {
    let (mut rows, mut columns) = (HashMap::new(), HashMap::new());
    for &[(left, low), (right, high)] in rectangles {
        for (x, y) in [(left, low), (right, low), (left, high), (right, high)] {
            rows.entry(y).or_insert_with(BTreeSet::new).insert(x);
            columns.entry(x).or_insert_with(BTreeSet::new).insert(y);
        }
    }
    let (mut vertices, mut numbers) = (Vec::new(), HashMap::new());
    let mut number = |corner: Corner| {
        *numbers.entry(corner).or_insert_with(|| {
            vertices.push(place(corner, radius));
            vertices.len() - 1
        })
    };
    let polygons: Vec<Vec<usize>> = rectangles
        .iter()
        .map(|&[(left, low), (right, high)]| {
            let below = rows[&low].range(left..right).map(|&x| (x, low));
            let right_side = columns[&right].range(low..high).map(|&y| (right, y));
            let above = rows[&high]
                .range(left + 1..=right)
                .rev()
                .map(|&x| (x, high));
            let left_side = columns[&left]
                .range(low + 1..=high)
                .rev()
                .map(|&y| (left, y));
            let around = below.chain(right_side).chain(above).chain(left_side);
            around.map(&mut number).collect()
        })
        .collect();
    NavigationMesh2d {
        polygon_type_indices: vec![0; polygons.len()],
        vertices,
        polygons,
        height_mesh: None,
    }
}

/// The position of a corner in the world, in cells.
fn place((x, y): Corner, radius: f32) -> Vec2 {
    let parts = PARTS_PER_SIDE as i32;
    let within = |part: i32| [0.0, radius, 1.0 - radius][(part % parts) as usize];
    let along = |part: i32| (part / parts) as f32 + within(part);
    Vec2::new(along(x), along(y))
}

#[cfg(test)]
mod tests {
    use super::{islands, mesh, rectangles};
    use pursuit::maps::parse_ascii;

    /// Twice the area of a polygon. It is positive if the corners run counterclockwise.
    fn area(corners: &[bevy::math::Vec2]) -> f32 {
        let next = corners.iter().cycle().skip(1);
        corners.iter().zip(next).map(|(a, b)| a.perp_dot(*b)).sum()
    }

    #[test]
    fn the_ground_is_where_a_body_has_room() {
        let level = parse_ascii("...\n.#.\n...\n").unwrap().grid;
        let rectangles = rectangles(&level, (0, 0));
        let mesh = mesh(&rectangles, 0.25);
        let areas = mesh.polygons.iter().map(|polygon| {
            let corners: Vec<_> = polygon.iter().map(|&at| mesh.vertices[at]).collect();
            area(&corners) / 2.0
        });
        // The ground is the level without the wall and a rim of 0.25 around it.
        assert!((areas.sum::<f32>() - (9.0 - 2.25)).abs() < 1e-4);
        assert_eq!(islands(&level, 0.25).len(), 1);
    }

    #[test]
    fn neighbors_share_whole_sides() {
        let level = parse_ascii("..#..\n.....\n..#..\n").unwrap().grid;
        let mesh = mesh(&rectangles(&level, (0, 0)), 0.25);
        let sides = |polygon: &Vec<usize>| {
            let next = polygon.iter().cycle().skip(1).copied();
            polygon.iter().copied().zip(next).collect::<Vec<_>>()
        };
        let all: Vec<(usize, usize)> = mesh.polygons.iter().flat_map(sides).collect();
        // Each shared side is in the list once in each direction. With fewer shared sides, the ground would not be
        // connected.
        let shared = all.iter().filter(|(a, b)| all.contains(&(*b, *a))).count();
        assert_eq!(
            (mesh.polygons.len(), shared / 2),
            (3, 2),
            "{:?}",
            mesh.polygons
        );
    }
}
