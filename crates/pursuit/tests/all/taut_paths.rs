//! Taut paths, checked against the shortest path of a disc. The tests also check that shortest path against other
//! methods.

use std::f64::consts::{FRAC_PI_2, PI};

use pursuit::glam::{DVec2, Vec2};
use pursuit::maps::parse_ascii;
use pursuit::{Cell, DiagonalPolicy, Grid, NavMap, NavScratch};

use crate::disc::{Reference, sweep};

const RADIUS: f64 = 0.4;

/// A level in which about one cell in `sparse` is a wall.
fn random_level(random: &mut fastrand::Rng, size: (u32, u32), sparse: u32) -> Grid {
    let level = Grid::from_fn(size.0, size.1, |_| random.u32(0..sparse) > 0);
    level.expect("a size above 0")
}

/// The centers of two random free cells. The lower corner of cell (0, 0) is the origin.
fn random_ends(random: &mut fastrand::Rng, level: &Grid) -> Option<[DVec2; 2]> {
    let free: Vec<_> = level.rect().cells().filter(|c| level.is_free(*c)).collect();
    let ends = [random.choice(&free)?, random.choice(&free)?];
    Some(ends.map(|cell| cell.center().as_dvec2() + 0.5))
}

#[test]
fn a_taut_path_is_never_shorter_than_the_shortest_disc_path_and_seldom_much_longer() {
    let mut random = fastrand::Rng::with_seed(7);
    let (mut scratch, mut ratios) = (NavScratch::new(), Vec::new());
    while ratios.len() < 300 {
        let sparse = random.u32(3..12);
        let level = random_level(&mut random, (24, 18), sparse);
        let Some([from, to]) = random_ends(&mut random, &level) else {
            continue;
        };
        let map = NavMap::new(&level, 2.0, DiagonalPolicy::NoCornerCut);
        let [start, goal] = [from, to].map(|place| place.as_vec2() - 0.5);
        let taut = map.taut_path(start, goal, RADIUS as f32, &mut scratch);
        let taut = taut.ok().filter(|path| path.last() == Some(&goal));
        let exact = Reference::new(&level, RADIUS).route(from, to);
        let (Some(taut), Some(exact)) = (&taut, &exact) else {
            assert_eq!(taut.is_some(), exact.is_some(), "{from} to {to}");
            continue;
        };
        let legs = taut.windows(2).map(|leg: &[Vec2]| leg[0].distance(leg[1]));
        let length: f64 = legs.map(f64::from).sum();
        assert!(length >= exact.length - 1e-4, "{taut:?}");
        ratios.push(length / exact.length.max(1e-3));
    }
    ratios.sort_by(f64::total_cmp);
    let [median, worst] = [ratios.len() / 2, ratios.len() - 1].map(|at| ratios[at]);
    assert!(median < 1.03 && worst < 1.2, "{median}, {worst}");
}

fn length(map: &str, from: (f64, f64), to: (f64, f64)) -> Option<f64> {
    let level = parse_ascii(map).expect("a map").grid;
    let mut reference = Reference::new(&level, RADIUS);
    let route = reference.route(from.into(), to.into())?;
    let legs = route.points.windows(2).map(|leg| leg[0].distance(leg[1]));
    let walked: f64 = legs.sum();
    assert!(walked <= route.length + 1e-9 && walked >= 0.998 * route.length);
    Some(route.length)
}

#[track_caller]
fn check(map: &str, from: (f64, f64), to: (f64, f64), expected: f64) {
    let found = length(map, from, to).expect("a path");
    assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
}

#[test]
fn a_disc_path_consists_of_lines_and_of_two_tangents_and_an_arc_around_a_corner() {
    let open = "......\n......\n......\n";
    check(open, (0.5, 0.5), (5.5, 2.5), 29_f64.sqrt());
    check("......\n", (0.5, 0.5), (0.5, 0.5), 0.0);
    let corner = "##..\n##..\n....\n....\n";
    // Both points lie on the tangents at the ends of the quarter circle.
    check(corner, (0.5, 2.4), (2.4, 0.5), 1.5 + 1.5 + 0.4 * FRAC_PI_2);
    // Seen from the corner, the angle between the two points is 3/2 π - 2 atan(1/2). The two tangents take up a part of
    // this angle.
    let away = 1.25_f64.sqrt();
    let apart = 1.5 * PI - 2.0 * 0.5_f64.atan();
    let arc = 0.4 * (apart - 2.0 * (0.4 / away).acos());
    let lines = 2.0 * (1.25 - 0.16_f64).sqrt();
    check(corner, (1.0, 2.5), (2.5, 1.0), lines + arc);
}

#[test]
fn a_disc_passes_a_corridor_one_cell_wide_but_no_gap_between_corners() {
    assert_eq!(length("..#..\n..#..\n", (0.5, 0.5), (4.5, 0.5)), None);
    assert_eq!(length(".#\n#.\n", (0.5, 0.5), (1.5, 1.5)), None);
    let map = "...#...\n.......\n...#...\n";
    check(map, (0.5, 1.5), (6.5, 1.5), 6.0);
    let bent = length(map, (0.5, 0.5), (6.5, 0.5)).unwrap();
    assert!(bent > 6.0 && bent < 6.5, "{bent}");
}

/// The shortest path over points around all corners. Each point lies slightly outside the arc of its corner.
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
fn the_disc_path_on_random_levels_agrees_with_brute_force() {
    let mut random = fastrand::Rng::with_seed(11);
    let (mut compared, mut none) = (0, 0);
    while compared < 60 {
        let size = (random.u32(4..9), random.u32(4..9));
        let sparse = random.u32(2..6);
        let level = random_level(&mut random, size, sparse);
        let Some([from, to]) = random_ends(&mut random, &level) else {
            continue;
        };
        let found = Reference::new(&level, RADIUS).route(from, to);
        match (
            found.map(|route| route.length),
            brute_force(&level, from, to),
        ) {
            (None, None) => none += 1,
            (Some(found), Some(other)) => {
                assert!(found <= other + 1e-6, "{found} > {other}: {from} {to}");
                let most = found * 1.001 + 1e-6;
                assert!(other <= most, "{found} < {other}: {from} {to}");
                compared += 1;
            }
            (found, other) => panic!("{found:?} is not {other:?} from {from} to {to}"),
        }
    }
    assert!(none > 5, "{none}");
}

#[test]
fn a_swept_disc_is_free_exactly_if_it_is_free_at_all_of_its_places() {
    let mut random = fastrand::Rng::with_seed(5);
    let (mut free, mut blocked) = (0, 0);
    for _ in 0..20 {
        let level = random_level(&mut random, (12, 12), 8);
        let walls = level.rect().cells().filter(|cell| !level.is_free(*cell));
        let walls: Vec<DVec2> = walls.map(|wall| wall.center().as_dvec2()).collect();
        let room = |place: DVec2| {
            let rooms = walls
                .iter()
                .map(|&w| place.distance(place.clamp(w, w + 1.0)));
            rooms.fold(1.0, f64::min)
        };
        for _ in 0..200 {
            let mut point = || DVec2::new(0.5 + 11.0 * random.f64(), 0.5 + 11.0 * random.f64());
            let (from, to) = (point(), point());
            let places = (0..=400).map(|k| from.lerp(to, f64::from(k) / 400.0));
            let nearest = places.map(room).fold(1.0, f64::min);
            let answer = sweep::is_free(&level, from, to, RADIUS);
            // Two neighboring tested points are at most 17 / 400 cells apart, so any point of the line is at most half
            // of that away from a tested point.
            assert!(!answer || nearest > 0.399, "{from} to {to}: {nearest}");
            assert!(answer || nearest < 0.43, "{from} to {to}: {nearest}");
            if answer { free += 1 } else { blocked += 1 }
        }
    }
    assert!(
        free > 200 && blocked > 200,
        "{free} free, {blocked} blocked"
    );
    let level = Grid::from_fn(5, 3, |cell| cell.y != 0).unwrap();
    let line = |y| sweep::is_free(&level, DVec2::new(0.5, y), DVec2::new(4.5, y), RADIUS);
    assert!(
        line(1.4) && !line(1.399),
        "a disc may touch a wall but not overlap it"
    );
}
