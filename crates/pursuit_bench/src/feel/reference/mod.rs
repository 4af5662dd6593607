//! The shortest path that a disc can take between walls: exact, and not by the plugin's word.
//!
//! A shortest path is made of straight lines and of arcs around corners of walls, and each line touches
//! the arcs at its ends (the tangent graph: Liu and Arimoto, 1992). The graph is worked out only where
//! a search looks: corners that no path comes to never ask what they see.

mod corner;
mod graph;
mod search;
mod sweep;

use bevy::math::DVec2;
use pursuit::Grid;

use graph::Graph;

pub(crate) use search::Route;

/// The level as a disc of one radius sees it. The radius is less than half a cell, so that arcs of two
/// corners never meet.
pub(crate) struct Reference<'a>(Graph<'a>);

impl<'a> Reference<'a> {
    pub(crate) fn new(level: &'a Grid, radius: f64) -> Self {
        Reference(Graph::new(level, radius))
    }

    /// The shortest path between two places; `None` where there is none. The disc fits at both.
    pub(crate) fn route(&mut self, from: DVec2, to: DVec2) -> Option<Route> {
        search::route(&mut self.0, from, to)
    }
}

#[cfg(test)]
mod tests {
    use super::{Reference, sweep};
    use bevy::math::DVec2;
    use pursuit::maps::parse_ascii;
    use pursuit::{Cell, Grid};
    use std::f64::consts::{FRAC_PI_2, PI};

    const RADIUS: f64 = 0.4;

    fn length(map: &str, from: (f64, f64), to: (f64, f64)) -> Option<f64> {
        let level = parse_ascii(map).unwrap().grid;
        let mut reference = Reference::new(&level, RADIUS);
        let route = reference.route(from.into(), to.into())?;
        let legs = route.points.windows(2).map(|leg| leg[0].distance(leg[1]));
        let walked: f64 = legs.sum();
        assert!(walked <= route.length + 1e-9 && walked >= 0.998 * route.length);
        Some(route.length)
    }

    #[track_caller]
    fn check(map: &str, from: (f64, f64), to: (f64, f64), expected: f64) {
        let found = length(map, from, to).unwrap();
        assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
    }

    #[test]
    fn without_walls_the_path_is_a_line() {
        check(
            "......\n......\n......\n",
            (0.5, 0.5),
            (5.5, 2.5),
            29_f64.sqrt(),
        );
        check("......\n", (0.5, 0.5), (0.5, 0.5), 0.0);
    }

    #[test]
    fn around_one_corner_it_is_two_tangents_and_an_arc() {
        let corner = "##..\n##..\n....\n....\n";
        // Both places lie on the tangents at the ends of the quarter.
        check(corner, (0.5, 2.4), (2.4, 0.5), 1.5 + 1.5 + 0.4 * FRAC_PI_2);
        // Seen from the corner the places are 3/2 π - 2 atan(1/2) apart. Tangents take some of that.
        let away = 1.25_f64.sqrt();
        let apart = 1.5 * PI - 2.0 * 0.5_f64.atan();
        let arc = 0.4 * (apart - 2.0 * (0.4 / away).acos());
        let lines = 2.0 * (1.25 - 0.16_f64).sqrt();
        check(corner, (1.0, 2.5), (2.5, 1.0), lines + arc);
    }

    #[test]
    fn a_disc_that_does_not_fit_has_no_path() {
        assert_eq!(length("..#..\n..#..\n", (0.5, 0.5), (4.5, 0.5)), None);
        // Two walls that touch at their corners.
        assert_eq!(length(".#\n#.\n", (0.5, 0.5), (1.5, 1.5)), None);
    }

    #[test]
    fn a_corridor_as_wide_as_a_cell_is_passed() {
        let map = "...#...\n.......\n...#...\n";
        check(map, (0.5, 1.5), (6.5, 1.5), 6.0);
        let bent = length(map, (0.5, 0.5), (6.5, 0.5)).unwrap();
        assert!(bent > 6.0 && bent < 6.5, "{bent}");
    }

    /// The shortest path over points around all corners, each a little outside of its arc.
    fn brute_force(level: &Grid, from: DVec2, to: DVec2) -> Option<f64> {
        const PARTS: u32 = 24;
        let part = FRAC_PI_2 / f64::from(PARTS);
        let mut points = vec![from, to];
        for y in 1..level.height() as i32 {
            for x in 1..level.width() as i32 {
                let cells = [(-1, -1), (0, -1), (0, 0), (-1, 0)];
                let walls = cells.map(|(dx, dy)| !level.is_free(Cell::new(x + dx, y + dy)));
                if !walls.contains(&true) {
                    continue;
                }
                let around = (0..=4 * PARTS).map(|k| f64::from(k) * part);
                let far = RADIUS / (part / 2.0).cos();
                let at = DVec2::new(f64::from(x), f64::from(y));
                let around = around.map(|angle| at + DVec2::from_angle(angle) * far);
                points.extend(around.filter(|p| sweep::is_free(level, *p, *p, RADIUS)));
            }
        }
        let mut best = vec![f64::INFINITY; points.len()];
        let mut done = vec![false; points.len()];
        best[0] = 0.0;
        loop {
            let open = (0..points.len()).filter(|&i| !done[i] && best[i].is_finite());
            let next = open.min_by(|&i, &j| best[i].total_cmp(&best[j]))?;
            if next == 1 {
                return Some(best[1]);
            }
            done[next] = true;
            for other in 0..points.len() {
                let length = best[next] + points[next].distance(points[other]);
                if !done[other]
                    && length < best[other]
                    && sweep::is_free(level, points[next], points[other], RADIUS)
                {
                    best[other] = length;
                }
            }
        }
    }

    #[test]
    fn on_random_levels_no_other_path_is_shorter() {
        let mut random = fastrand::Rng::with_seed(11);
        let (mut compared, mut none) = (0, 0);
        while compared < 60 {
            let (width, height) = (random.u32(4..9), random.u32(4..9));
            let sparse = random.u32(2..6);
            let cells: Vec<bool> = (0..width * height)
                .map(|_| random.u32(0..sparse) > 0)
                .collect();
            let level = Grid::from_fn(width, height, |cell| {
                cells[(cell.y * width as i32 + cell.x) as usize]
            });
            let level = level.unwrap();
            let free: Vec<_> = level.rect().cells().filter(|c| level.is_free(*c)).collect();
            let (Some(from), Some(to)) = (random.choice(&free), random.choice(&free)) else {
                continue;
            };
            let center = |cell: &Cell| cell.center().as_dvec2() + 0.5;
            let (from, to) = (center(from), center(to));
            let found = Reference::new(&level, RADIUS).route(from, to);
            let found = found.map(|route| route.length);
            let other = brute_force(&level, from, to);
            match (found, other) {
                (None, None) => none += 1,
                (Some(found), Some(other)) => {
                    assert!(found <= other + 1e-6, "{found} > {other}: {from} {to}");
                    assert!(
                        other <= found * 1.001 + 1e-6,
                        "{found} < {other}: {from} {to}"
                    );
                    compared += 1;
                }
                _ => panic!("{found:?} is not {other:?} from {from} to {to}"),
            }
        }
        assert!(none > 5, "{none}");
    }
}
