//! Decides whether two paths pass a wall on different sides.

use bevy::math::DVec2;
use pursuit::{Cell, Grid};

/// The centers of the wall cells with a protruding corner. If two paths pass a wall on different sides, at least one of
/// these points is between them.
pub(super) fn islands(level: &Grid) -> Vec<DVec2> {
    let is_wall = |cell: &Cell| !level.is_free(*cell);
    let sticks_out = |cell: &Cell| {
        let is_free = |dx, dy| level.is_free(cell.offset(dx, dy));
        [(1, 1), (1, -1), (-1, 1), (-1, -1)]
            .into_iter()
            .any(|(dx, dy)| is_free(dx, 0) && is_free(0, dy) && is_free(dx, dy))
    };
    let cells = level.rect().cells();
    let cells = cells.filter(|cell| is_wall(cell) && sticks_out(cell));
    cells.map(|cell| cell.center().as_dvec2() + 0.5).collect()
}

/// Whether one of the `islands` is between two paths with the same ends.
pub(super) fn passes_another_side(islands: &[DVec2], a: &[DVec2], b: &[DVec2]) -> bool {
    let loop_of: Vec<DVec2> = a.iter().chain(b.iter().rev()).copied().collect();
    islands.iter().any(|&island| winding(&loop_of, island) != 0)
}

/// The winding number of a closed line around a point (Sunday, 2001).
fn winding(line: &[DVec2], point: DVec2) -> i32 {
    let next = line.iter().cycle().skip(1);
    let around = line.iter().zip(next).map(|(&a, &b)| {
        let side = (b - a).perp_dot(point - a);
        match (a.y <= point.y, b.y <= point.y) {
            (true, false) if side > 0.0 => 1,
            (false, true) if side < 0.0 => -1,
            _ => 0,
        }
    });
    around.sum()
}

#[cfg(test)]
mod tests {
    use super::{islands, passes_another_side};
    use bevy::math::DVec2;
    use pursuit::maps::parse_ascii;

    #[test]
    fn a_wall_between_two_paths_makes_them_differ() {
        let level = parse_ascii(".....\n..#..\n.....\n").unwrap().grid;
        let islands = islands(&level);
        assert_eq!(islands, [DVec2::new(2.5, 1.5)]);
        let path = |y| [(0.5, 1.5), (2.5, y), (4.5, 1.5)].map(DVec2::from);
        assert!(passes_another_side(&islands, &path(0.5), &path(2.5)));
        assert!(!passes_another_side(&islands, &path(0.5), &path(0.2)));
    }
}
