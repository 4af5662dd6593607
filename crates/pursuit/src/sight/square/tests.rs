//! Checks the bounds of one square against points that are tried one by one.

use fastrand::Rng;
use glam::DVec2;

use super::*;
use crate::random::each_case;
use crate::search::oracle::cases;

const CASES: u16 = 3000;

/// The ends of the sides and diagonals of a square, in the order of the fields of [`Square`].
const LINES: [[(f64, f64); 2]; 6] = [
    [(0.0, 0.0), (0.0, 1.0)],
    [(1.0, 0.0), (1.0, 1.0)],
    [(0.0, 0.0), (1.0, 0.0)],
    [(0.0, 1.0), (1.0, 1.0)],
    [(0.0, 0.0), (1.0, 1.0)],
    [(1.0, 0.0), (0.0, 1.0)],
];

fn square(samples: [f32; 6]) -> Square {
    let [left, right, bottom, top, rising, falling] = samples;
    Square {
        left,
        right,
        bottom,
        top,
        rising,
        falling,
        has_rim: false,
    }
}

fn samples(square: &Square) -> [f32; 6] {
    let Square { left, right, .. } = *square;
    let Square { bottom, top, .. } = *square;
    [left, right, bottom, top, square.rising, square.falling]
}

/// Points along a segment, including both ends.
fn dense(a: DVec2, b: DVec2, count: u32) -> impl Iterator<Item = DVec2> {
    (0..=count).map(move |k| a.lerp(b, f64::from(k) / f64::from(count)))
}

fn least(distances: impl Iterator<Item = f64>) -> f64 {
    distances.fold(f64::INFINITY, f64::min)
}

/// A rectangle that blocks the way. With neither width nor height it is a point. With only one of them it is a
/// wall without thickness.
struct Obstacle {
    low: DVec2,
    high: DVec2,
}

fn distance(obstacles: &[Obstacle], point: DVec2) -> f64 {
    let to = |obstacle: &Obstacle| point.distance(point.clamp(obstacle.low, obstacle.high));
    least(obstacles.iter().map(to))
}

fn any_obstacles(rng: &mut Rng) -> Vec<Obstacle> {
    let count = rng.usize(1..4);
    let mut obstacle = || {
        let mut along = || {
            let low = (rng.f64() * 32.0 - 12.0).round() / 8.0;
            [low, low + f64::from(rng.u8(0..3)) * rng.f64()]
        };
        let [x, y] = [along(), along()];
        let [low, high] = [0, 1].map(|end| DVec2::new(x[end], y[end]));
        Obstacle { low, high }
    };
    (0..count).map(|_| obstacle()).collect()
}

/// The samples that a clearance field has around the unit square, rounded down.
fn sampled(obstacles: &[Obstacle], has_rim: bool) -> Neighborhood {
    const POINTS: u32 = 512;
    let along = |[a, b]: [(f64, f64); 2]| {
        let (a, b) = (DVec2::from(a), DVec2::from(b));
        let nearest = least(dense(a, b, POINTS).map(|point| distance(obstacles, point)));
        // The obstacle may be nearest between two of the sampled points.
        (nearest - a.distance(b) / f64::from(2 * POINTS)).max(0.0) as f32
    };
    let mut centers = [0.0; 16];
    for y in 0..4 {
        for x in 0..4 {
            let center = DVec2::new(x as f64, y as f64) - 1.0;
            centers[4 * y + x] = distance(obstacles, center) as f32;
        }
    }
    let square = Square {
        has_rim,
        ..square(LINES.map(along))
    };
    Neighborhood { square, centers }
}

/// A point in the unit square, or up to half a cell outside it with `has_rim`; often on a border or a
/// diagonal.
fn any_point(rng: &mut Rng, has_rim: bool) -> Vec2 {
    let mut along = || {
        let within = rng.i32(0..=64) as f32 / 64.0;
        if has_rim { 2.0 * within - 0.5 } else { within }
    };
    Vec2::new(along(), along())
}

#[test]
fn no_obstacle_fits_into_a_square_whose_lines_all_have_half_a_cell_of_clearance() {
    let clear = square([0.5; 6]);
    assert!(clear.proves(Vec2::ZERO, Vec2::new(1.0, 0.3), 0.5));
    assert!(clear.proves(Vec2::splat(0.5), Vec2::splat(0.5), 1.0));
    assert!(!clear.proves(Vec2::splat(0.5), Vec2::splat(0.5), 1.01));
}

#[test]
fn a_post_in_the_middle_is_passed_along_the_sides_but_not_along_the_diagonals() {
    let post = square([0.5, 0.5, 0.5, 0.5, 0.0, 0.0]);
    for (from, to, is_proven) in [
        (Vec2::ZERO, Vec2::X, true),
        (Vec2::X, Vec2::ONE, true),
        (Vec2::ZERO, Vec2::ONE, false),
        (Vec2::new(0.0, 0.25), Vec2::new(1.0, 0.25), false),
    ] {
        assert_eq!(post.proves(from, to, 0.5), is_proven, "{from} to {to}");
    }
    assert_eq!(
        post.to_core(Vec2::new(0.0, 0.25), Vec2::new(1.0, 0.25)),
        0.25
    );
}

#[test]
fn a_thin_wall_through_the_square_is_its_core() {
    let wall = square([0.25, 0.75, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(wall.to_core(Vec2::new(1.0, 0.0), Vec2::new(0.5, 1.0)), 0.25);
    assert!(wall.proves(Vec2::new(0.75, 0.0), Vec2::new(0.75, 1.0), 0.5));
    assert!(!wall.proves(Vec2::new(0.0, 0.5), Vec2::new(0.5, 0.5), 0.01));
}

#[test]
fn no_proof_contradicts_an_obstacle() {
    let mut proven = 0;
    each_case(CASES, |rng| {
        let obstacles = any_obstacles(rng);
        let has_rim = rng.bool();
        let near = sampled(&obstacles, has_rim);
        let [a, b] = [0; 2].map(|_| any_point(rng, has_rim));
        let exact = |point: Vec2| distance(&obstacles, point.as_dvec2());
        let bound = near.distance(a);
        assert!(f64::from(bound) < exact(a) + 1e-5, "{bound} at {a}");
        let upto = |end: Vec2| {
            least(dense(a.as_dvec2(), end.as_dvec2(), 200).map(|p| distance(&obstacles, p)))
        };
        let all = upto(b) as f32;
        assert!(!near.is_proven(a, b, all + 1e-4), "{a} to {b} at {all}");
        let needed = 0.01 + rng.f32();
        let part = near.proven_part(a, b, needed);
        proven += u32::from(part > 0.0);
        let is_true = part == 0.0 || upto(a.lerp(b, part)) as f32 > needed - 1e-4;
        assert!(is_true, "{part} from {a} to {b} at {needed}");
    });
    assert!(proven > cases(500), "too few cases have a proof: {proven}");
}

#[test]
fn a_line_proves_its_distance_minus_the_length_to_the_farthest_point() {
    const POINTS: u32 = 200;
    each_case(CASES / 4, |rng| {
        let square = square([0; 6].map(|_| rng.f32() * 2.0));
        let has_rim = rng.bool();
        let [a, b] = [0; 2].map(|_| any_point(rng, has_rim));
        let left_of = |(sample, ends): (f32, [(f64, f64); 2])| {
            let [from, to] = ends.map(DVec2::from);
            let to_line = |p: DVec2| least(dense(from, to, POINTS).map(|q| p.distance(q)));
            let farthest = dense(a.as_dvec2(), b.as_dvec2(), 20).map(to_line);
            f64::from(sample) - farthest.fold(0.0, f64::max)
        };
        let lines = samples(&square).into_iter().zip(LINES);
        let expected = lines.map(left_of).fold(f64::NEG_INFINITY, f64::max) as f32;
        let is = square.near_lines_outside(a, b);
        assert!((is - expected).abs() < 0.004, "{is}, not {expected}");
        if !has_rim {
            let inside = square.near_lines(a, b);
            assert!((is - inside).abs() < 1e-5, "{inside}, not {is}");
        }
    });
}

#[test]
fn enclosed_bounds_obstacles_outside_and_to_core_bounds_obstacles_inside() {
    const MARKS: i32 = 40;
    let mark = |k: i32| f64::from(k) / f64::from(MARKS);
    let to_lines = |q: DVec2| {
        let to_line = |ends: [(f64, f64); 2]| {
            let [from, to] = ends.map(DVec2::from);
            let line = (to - from).normalize();
            line.perp_dot(q - from).abs()
        };
        LINES.map(to_line)
    };
    each_case(CASES, |rng| {
        let most = if rng.bool() { 10 } else { 28 };
        let square = square([0; 6].map(|_| mark(rng.i32(0..most)) as f32));
        let [a, b] = [0; 2].map(|_| any_point(rng, false));
        let segment: Vec<DVec2> = dense(a.as_dvec2(), b.as_dvec2(), 500).collect();
        let [left, right, bottom, top, ..] = samples(&square).map(f64::from);
        let around = |p: &DVec2| {
            let [x, y] = [p.x, p.y];
            least([x + left, 1.0 - x + right, y + bottom, 1.0 - y + top].into_iter())
        };
        let enclosed = least(segment.iter().map(around)) as f32;
        assert!((square.enclosed(a, b) - enclosed).abs() < 1e-5);

        let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for y in 0..=MARKS {
            for x in 0..=MARKS {
                let q = DVec2::new(mark(x), mark(y));
                let [l, r, b, t, ..] = to_lines(q);
                let keeps = l >= left - 1e-6 && r >= right - 1e-6;
                if keeps && b >= bottom - 1e-6 && t >= top - 1e-6 {
                    (low, high) = (low.min(q), high.max(q));
                }
            }
        }
        // If all samples are above 0.2071, no point is that far from all sides and diagonals.
        let is_empty = low.x > high.x || square.least() > 0.2072;
        let is = square.to_core(a, b);
        if is_empty {
            assert_eq!(is, f32::INFINITY);
        } else {
            let to_core = segment.iter().map(|p| p.distance(p.clamp(low, high)));
            let expected = least(to_core) as f32;
            assert!((is - expected).abs() < 0.002, "{is}, not {expected}");
        }
    });
}

#[test]
fn every_point_is_within_the_quarter_inradius_of_some_line() {
    let mut most = 0.0_f32;
    for y in 0..=1000_u16 {
        for x in 0..=1000_u16 {
            let [x, y] = [x, y].map(|k| f32::from(k) / 1000.0);
            let to_sides = x.min(1.0 - x).min(y.min(1.0 - y));
            let to_diagonals = (x - y).abs().min((x + y - 1.0).abs()) * FRAC_1_SQRT_2;
            most = most.max(to_sides.min(to_diagonals));
        }
    }
    assert!(
        most <= QUARTER_INRADIUS && QUARTER_INRADIUS < most + 1e-3,
        "{most}"
    );
}

#[test]
fn a_center_proves_its_distance_minus_the_length_to_the_farthest_point() {
    each_case(CASES, |rng| {
        let centers = [0; 16].map(|_| rng.f32() * 2.0);
        let square = square([0.0; 6]);
        let neighborhood = Neighborhood { square, centers };
        let [a, b] = [0; 2].map(|_| any_point(rng, true));
        let best = |points: &[Vec2]| {
            let mut best = f32::NEG_INFINITY;
            for y in 0..4 {
                for x in 0..4 {
                    let center = Vec2::new(x as f32 - 1.0, y as f32 - 1.0);
                    let farthest = points
                        .iter()
                        .map(|p| p.distance(center))
                        .fold(0.0, f32::max);
                    best = best.max(centers[4 * y + x] - farthest);
                }
            }
            best
        };
        assert_eq!(neighborhood.near_centers(a), best(&[a]));
        let both = best(&[a, b]);
        for (needed, is_near) in [
            (both - 1e-4, true),
            (both + 1e-4, false),
            (both + 1.0, false),
        ] {
            let is = neighborhood.is_near_center(a, b, needed);
            assert_eq!(is, is_near, "{a} to {b} at {needed}");
        }
    });
}

#[test]
fn bisection_agrees_with_sixteen_pieces_checked_one_by_one() {
    let mut parts = 0;
    each_case(CASES, |rng| {
        let has_rim = rng.bool();
        let near = sampled(&any_obstacles(rng), has_rim);
        let [a, b] = [0; 2].map(|_| any_point(rng, has_rim));
        let needed = rng.f32();
        let piece = |k: u32, count: u32| a + (b - a) * (k as f32 / count as f32);
        // The piece is proven by itself or as a part of a larger piece.
        let is_proven = |k: &u32| {
            [1, 2, 4, 8, 16].into_iter().any(|count: u32| {
                let larger = k * count / 16;
                near.holds(piece(larger, count), piece(larger + 1, count), needed)
            })
        };
        let proven = (0..16).take_while(is_proven).count();
        let part = near.proven_part(a, b, needed);
        assert_eq!(part, proven as f32 / 16.0, "{a} to {b} at {needed}");
        assert_eq!(near.is_proven(a, b, needed), proven == 16);
        parts += u32::from(0 < proven && proven < 16);
    });
    assert!(
        parts > cases(50),
        "too few cases prove only a part: {parts}"
    );
}

#[test]
fn distance_to_a_rectangle_equals_the_distance_of_the_nearest_points() {
    each_case(CASES, |rng| {
        let [a, b, c, d] = [0; 4].map(|_| any_point(rng, true));
        let (low, high) = (c.min(d), c.max(d));
        let points = || dense(a.as_dvec2(), b.as_dvec2(), 1000).map(|p| p.as_vec2());
        let to_rectangle = points().map(|p| f64::from(p.distance(p.clamp(low, high))));
        let expected = least(to_rectangle) as f32;
        let is = distance_to_rectangle(a, b, low, high);
        assert!((is - expected).abs() < 0.002, "{is}, not {expected}");
        let to_segment = points().map(|p| f64::from(p.distance(c)));
        let expected = least(to_segment) as f32;
        let is = distance_to_segment(c, a, b);
        assert!((is - expected).abs() < 0.002, "{is}, not {expected}");
    });
}

#[test]
fn samples_equal_the_field_and_are_0_outside_the_grid() {
    each_case(CASES / 10, |rng| {
        let (width, height) = (rng.u32(1..7), rng.u32(1..7));
        let mut field = Clearance::open(width, height, 4.0).unwrap();
        for cell in field.rect().cells() {
            field.limit_center(cell, rng.f32() * 5.0);
            field.limit_step(cell, Step::ALL[rng.usize(0..4)], rng.f32() * 3.0);
        }
        for origin in field.rect().cells() {
            let [right, above] = [origin.offset(1, 0), origin.offset(0, 1)];
            let expected = [
                field.step(origin, Step::PlusY),
                field.step(right, Step::PlusY),
                field.step(origin, Step::PlusX),
                field.step(above, Step::PlusX),
                field.step(origin, Step::PlusXPlusY),
                field.step(right, Step::MinusXPlusY),
            ];
            let has_square = field.rect().contains(origin.offset(1, 1));
            if !has_square && width > 1 && height > 1 {
                continue;
            }
            let square = Square::at(&field, origin, false);
            assert_eq!(samples(&square), expected, "at {origin}");
            assert_eq!(
                square.has_rim, !has_square,
                "exactly a thin grid must have a rim"
            );
            let Neighborhood { centers, .. } = Neighborhood::of(square, &field, origin);
            for (i, center) in (0..).zip(centers) {
                let cell = origin.offset(i % 4 - 1, i / 4 - 1);
                assert_eq!(center, field.center(cell), "at {cell}");
            }
            let least = expected.into_iter().fold(f32::INFINITY, f32::min);
            let needed = rng.f32() * 3.0;
            let is_clear = is_clear(&field, origin, least_byte(needed));
            let wanted = needed.max(QUARTER_INRADIUS);
            assert!(!is_clear || least >= wanted, "at {origin}");
            assert!(is_clear || least < wanted + 2.0 / 64.0, "at {origin}");
        }
    });
}

#[test]
fn a_point_is_blocked_if_the_nearest_center_is_too_close_to_an_obstacle() {
    each_case(CASES, |rng| {
        let mut field = Clearance::open(2, 2, 4.0).unwrap();
        for cell in field.rect().cells() {
            field.limit_center(cell, rng.f32() * 2.0);
        }
        let point = any_point(rng, false);
        // The middle of the square is equally far from all corners. The lowest corner is used for it.
        let corner = Cell::new(
            point.x.round_ties_even() as i32,
            point.y.round_ties_even() as i32,
        );
        let farthest = field.center(corner) + point.distance(corner.center());
        for (needed, expected) in [(farthest, false), (farthest + 4e-4, true)] {
            let is = is_blocked(&field, Cell::new(0, 0), point, needed);
            assert_eq!(is, expected, "{point} at {needed}");
        }
    });
}
