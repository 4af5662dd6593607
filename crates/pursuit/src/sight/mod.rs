//! Line of sight for a disc, proven from a [`Clearance`] field.
//!
//! The field holds the distance to obstacles along each step between neighboring cell centers. The lines through
//! the centers divide cell space into unit squares. For the part of a segment within one square, the distances
//! along the sides and diagonals of the square show how close an obstacle can be. The result is conservative:
//! `true` is a proof, while `false` may also mean a gap that the samples cannot tell from a wall.
//!
//! A segment is followed column by column along its longer axis. Each square has a byte, which is a lower bound of
//! the distances along its sides and diagonals. In most squares the byte alone is enough for a proof. In the other
//! squares, all samples around the square are used.
//!
//! A proof can miss narrow gaps. A step between neighboring centers is always visible to a disc that fits the step's
//! own distance. Among walls that fill whole cells, a disc with a radius of up to half a cell is proven to pass
//! wherever it has 0.15 cells to spare, and nearly always where it has 0.02. Larger discs need more room to spare,
//! and so does any disc beside an obstacle that lies between the centers: half a cell in bad cases. In the outermost
//! half cell of the grid, discs need just as much, because no center lies beyond it.
//!
//! Positions are in cell space, where cell centers lie at whole numbers. Lengths are in cells.

mod columns;
mod square;

use glam::{DVec2, Vec2};

use crate::cell::Cell;
use crate::clearance::{Clearance, FIT_TOLERANCE_CELLS};

use columns::{Columns, Part};
use square::{Neighborhood, Square};

/// A lower bound of the distance from `point` to the nearest obstacle, in cells, at most the field's cap. It
/// is 0 outside the grid and for a point that is not finite.
///
/// At the center of a cell, the bound is the field's distance, or greater by at most the rounding error of that
/// distance.
#[must_use]
pub fn clearance_at(clearance: &Clearance, point: Vec2) -> f32 {
    if !contains(clearance, point.as_dvec2()) {
        return 0.0;
    }
    let origin = square_of(clearance, cell_of(point.as_dvec2().floor()));
    let neighborhood = Neighborhood::of(Square::at(clearance, origin, true), clearance, origin);
    let bound = neighborhood.distance(point - origin.center());
    bound.clamp(0.0, clearance.cap())
}

/// Whether one byte proves that a disc of `radius` cells fits everywhere in the square between four centers
/// that contains `point`. This is the cheapest proof, since it reads only that byte.
#[inline]
pub(crate) fn is_square_clear(clearance: &Clearance, point: Vec2, radius: f32) -> bool {
    let needed = (radius - FIT_TOLERANCE_CELLS).max(FIT_TOLERANCE_CELLS);
    inner_square(clearance, point)
        .is_some_and(|origin| square::is_clear(clearance, origin, square::least_byte(needed)))
}

/// A lower bound of how far a disc of `radius` cells may move from `point` in any direction, in cells. It follows
/// from one byte and the size of the grid, and is 0 if these prove nothing.
#[inline]
pub(crate) fn square_room(clearance: &Clearance, point: Vec2, radius: f32) -> f32 {
    let Some(origin) = inner_square(clearance, point) else {
        return 0.0;
    };
    let last = Vec2::new(clearance.width() as f32, clearance.height() as f32) - 1.0;
    let to_border = point.min(last - point).min_element();
    let free = square::least_distance(clearance, origin) - radius;
    free.min(to_border).max(0.0)
}

/// The square between four centers that contains `point`. `None` if there is no such square.
#[inline]
fn inner_square(clearance: &Clearance, point: Vec2) -> Option<Cell> {
    let last = Vec2::new(clearance.width() as f32, clearance.height() as f32) - 1.0;
    let is_inside = point.cmpge(Vec2::ZERO).all() && point.cmplt(last).all();
    is_inside.then(|| Cell::new(point.x as i32, point.y as i32))
}

/// Whether a disc of `radius` cells whose center moves from `from` to `to` is proven to touch no obstacle. The
/// disc may be too large by up to [`FIT_TOLERANCE_CELLS`].
///
/// The result is `false` if an end lies outside the grid or is not finite, or if `radius` is NaN or above the field's
/// cap. With a radius of 0 or less, the disc is a point that must not be inside an obstacle.
#[must_use]
pub fn line_of_sight(clearance: &Clearance, from: Vec2, to: Vec2, radius: f32) -> bool {
    let fraction = proven::<PROVE_WHOLE>(clearance, from, to, radius);
    fraction >= 1.0
}

/// The fraction of the segment from `from` to `to` that a disc of `radius` cells is proven to travel before it
/// might touch an obstacle or before its center leaves the grid. The fraction is 0 if not even the start is
/// proven. It is 1 exactly when [`line_of_sight`] holds.
///
/// A larger disc never gets farther.
#[must_use]
pub fn visible_fraction(clearance: &Clearance, from: Vec2, to: Vec2, radius: f32) -> f32 {
    rounded_down(proven::<PROVE_PART>(clearance, from, to, radius))
}

/// Rounds down the proven fraction of a segment. The point at the returned fraction always lies in the proven part.
fn rounded_down(fraction: f64) -> f32 {
    if fraction >= 1.0 {
        1.0
    } else {
        (fraction as f32).next_down().max(0.0)
    }
}

/// A lower bound of [`visible_fraction`] from cheap arguments alone. It may be any proven fraction, often 0,
/// and it is 1 only if the whole segment is proven.
pub(crate) fn clear_fraction(clearance: &Clearance, from: Vec2, to: Vec2, radius: f32) -> f32 {
    rounded_down(proven::<PROVE_QUICKLY>(clearance, from, to, radius))
}

/// Effort of a proof that has to find out whether the whole segment is proven.
const PROVE_WHOLE: u8 = 0;
/// Effort of a proof that has to find out how much of the segment is proven.
const PROVE_PART: u8 = 1;
/// Effort of a proof that has to find out whether cheap arguments alone prove the whole segment.
const PROVE_QUICKLY: u8 = 2;

/// Whether a point lies in the closed rectangle of the grid's cells. A point that is not finite does not.
fn contains(clearance: &Clearance, point: DVec2) -> bool {
    let last = DVec2::new(f64::from(clearance.width()), f64::from(clearance.height())) - 0.5;
    point.cmpge(DVec2::splat(-0.5)).all() && point.cmple(last).all()
}

fn cell_of(point: DVec2) -> Cell {
    Cell::new(point.x as i32, point.y as i32)
}

/// The square between four centers that stands for the unit square with the lowest corner `corner`. It is that
/// unit square itself, or the nearest square between centers if `corner` is in the rim of the grid: in the
/// outermost half cell, beyond the outermost centers.
fn square_of(clearance: &Clearance, corner: Cell) -> Cell {
    Cell::new(
        corner.x.min(clearance.width() as i32 - 2).max(0),
        corner.y.min(clearance.height() as i32 - 2).max(0),
    )
}

/// The proven fraction of a segment, from 0 to 1. With an effort other than `PROVE_PART`, a fraction below 1 may
/// be returned as 0.
fn proven<const EFFORT: u8>(clearance: &Clearance, from: Vec2, to: Vec2, radius: f32) -> f64 {
    let (start, end) = (from.as_dvec2(), to.as_dvec2());
    if !contains(clearance, start) || !end.is_finite() {
        return 0.0;
    }
    let needed = (radius - FIT_TOLERANCE_CELLS).max(FIT_TOLERANCE_CELLS);
    if radius.is_nan() || needed > clearance.cap() {
        return 0.0;
    }
    let limit = time_inside(clearance, start, end);
    if EFFORT != PROVE_PART && limit < 1.0 {
        return 0.0;
    }
    if EFFORT != PROVE_PART && is_probed_blocked(clearance, start, end, needed) {
        return 0.0;
    }
    let columns = Columns::new(start, end - start, limit);
    let least = square::least_byte(needed);
    let mut column = 0;
    loop {
        column = columns.skip_clear(clearance, column..columns.count(), least);
        if column >= columns.count() {
            return limit;
        }
        for part in columns.parts(column).into_iter().flatten() {
            let share = proven_in_square::<EFFORT>(clearance, &columns, part, (needed, least));
            if share < 1.0 {
                return part.from + (part.until - part.from) * f64::from(share);
            }
        }
        column += 1;
    }
}

/// Length of the shortest segment that is probed before it is followed, in cells.
const MIN_PROBED_CELLS: f64 = 6.0;

/// Probes three points of a segment in the grid. Returns whether one of them turns out to be closer than `needed`
/// to an obstacle.
fn is_probed_blocked(clearance: &Clearance, start: DVec2, end: DVec2, needed: f32) -> bool {
    let delta = end - start;
    if delta.length_squared() < MIN_PROBED_CELLS * MIN_PROBED_CELLS {
        return false;
    }
    let last = clearance.rect().max.offset(-1, -1);
    [0.5, 0.25, 0.75].into_iter().any(|share| {
        let point = start + delta * share;
        // A point on the border belongs to the outermost cell.
        let nearest = cell_of(point + 0.5);
        let center = Cell::new(nearest.x.min(last.x), nearest.y.min(last.y));
        let spare = f64::from(needed - square::center_upper_bound(clearance, center));
        spare > 0.0 && point.distance_squared(center.center().as_dvec2()) < spare * spare
    })
}

/// The fraction of the segment at which the segment leaves the grid, at most 1. `start` is inside the grid.
fn time_inside(clearance: &Clearance, start: DVec2, end: DVec2) -> f64 {
    if contains(clearance, end) {
        return 1.0;
    }
    let delta = end - start;
    let last = DVec2::new(f64::from(clearance.width()), f64::from(clearance.height())) - 0.5;
    let border = DVec2::select(delta.cmplt(DVec2::ZERO), DVec2::splat(-0.5), last);
    let times = (border - start) / delta;
    // Without motion along an axis, the time is infinite, or NaN for a start on the border.
    let time = |time: f64| if time.is_nan() { f64::INFINITY } else { time };
    let leaves = time(times.x).min(time(times.y));
    leaves.clamp(0.0, 1.0_f64.next_down())
}

/// How much is proven of the part of a segment in one square, from 0 to 1.
fn proven_in_square<const EFFORT: u8>(
    clearance: &Clearance,
    columns: &Columns,
    part: Part,
    (needed, least): (f32, Option<u8>),
) -> f32 {
    let origin = square_of(clearance, part.square);
    let has_rim = origin != part.square;
    if !has_rim && square::is_clear(clearance, origin, least) {
        return 1.0;
    }
    let corner = origin.center().as_dvec2();
    let mut ends = [part.from, part.until].map(|time| (columns.at(time) - corner).as_vec2());
    if !has_rim {
        // Rounding may have put an end outside the square.
        ends = ends.map(|end| end.clamp(Vec2::ZERO, Vec2::ONE));
    }
    let [a, b] = ends;
    if EFFORT != PROVE_PART && square::is_blocked(clearance, origin, b, needed) {
        return 0.0;
    }
    let square = Square::at(clearance, origin, has_rim);
    if square.proves(a, b, needed) {
        return 1.0;
    }
    if EFFORT == PROVE_QUICKLY {
        return 0.0;
    }
    let neighborhood = Neighborhood::of(square, clearance, origin);
    if EFFORT == PROVE_WHOLE {
        f32::from(neighborhood.is_proven(a, b, needed))
    } else {
        neighborhood.proven_part(a, b, needed)
    }
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;
    use crate::clearance::Step;
    use crate::grid::Grid;
    use crate::maps::parse_ascii;
    use crate::random::{any_field, each_case};
    use crate::search::oracle::cases;

    const CASES: u16 = 3000;

    /// A point in the grid or in a margin around it, often on the border.
    fn any_point(rng: &mut Rng, grid: &Grid, margin: f32) -> Vec2 {
        let mut along = |size: u32| {
            let last = size as f32 - 0.5;
            let any = rng.f32() * (size as f32 + 2.0 * margin) - 0.5 - margin;
            [any, any.round(), any.clamp(-0.5, last), -0.5, last][rng.usize(0..5)]
        };
        let point = Vec2::new(along(grid.width()), along(grid.height()));
        let last = Vec2::new(grid.width() as f32, grid.height() as f32) - 0.5;
        point.clamp(Vec2::splat(-0.5 - margin), last + margin)
    }

    /// Distance to the nearest wall, by a search through all cells.
    fn to_wall(grid: &Grid, point: DVec2) -> f64 {
        let walls = grid.rect().cells().filter(|&cell| !grid.is_free(cell));
        let to = |cell: Cell| {
            let center = cell.center().as_dvec2();
            point.distance(point.clamp(center - 0.5, center + 0.5))
        };
        walls.map(to).fold(f64::INFINITY, f64::min)
    }

    /// Marks with `*` the free cells of a map that a body at `S` can see.
    #[track_caller]
    fn check(map: &str, radius: f32, expected: &str) {
        let parsed = parse_ascii(map).unwrap();
        let field = Clearance::from_grid(&parsed.grid, 4.0);
        let start = parsed.find('S').unwrap().center();
        let mut drawn = String::new();
        for (y, line) in (0..).zip(map.lines()) {
            for (x, mark) in (0..).zip(line.chars()) {
                let sees = line_of_sight(&field, start, Vec2::new(x as f32, y as f32), radius);
                drawn.push(if mark == '.' && sees { '*' } else { mark });
            }
            drawn.push('\n');
        }
        assert_eq!(drawn.trim_end(), expected, "for a radius of {radius}");
    }

    #[test]
    fn a_wall_casts_a_shadow_that_is_wider_for_a_larger_body() {
        let map = "......\n......\nS.#...\n......\n......";
        check(map, 0.1, "*****.\n***...\nS*#...\n***...\n*****.");
        check(map, 0.3, "****..\n**....\nS*#...\n**....\n****..");
        check(map, 0.6, "***...\n**....\nS.#...\n**....\n***...");
    }

    #[test]
    fn a_segment_leaves_the_grid_at_the_first_border_that_it_crosses() {
        let field = Clearance::open(4, 2, 4.0).unwrap();
        let leaves = |start, end| time_inside(&field, DVec2::from(start), DVec2::from(end));
        assert_eq!(leaves((0.0, 0.0), (7.0, 0.0)), 0.5);
        assert_eq!(leaves((0.0, 0.0), (7.0, -4.0)), 0.125);
        assert_eq!(leaves((3.5, 0.0), (3.5, 6.0)), 0.25);
        assert_eq!(leaves((3.5, 0.0), (3.5, 1.5)), 1.0);
        assert_eq!(leaves((3.5, 0.0), (4.0, 0.0)), 0.0);
    }

    #[test]
    fn points_before_time_inside_are_in_the_grid_and_later_points_are_not() {
        each_case(CASES, |rng| {
            let (grid, field) = any_field(rng, 1..16);
            let start = any_point(rng, &grid, 0.0).as_dvec2();
            let end = any_point(rng, &grid, 9.0).as_dvec2();
            let limit = time_inside(&field, start, end);
            let depth = |time: f64| {
                let point = start.lerp(end, time);
                let size = DVec2::new(f64::from(grid.width()), f64::from(grid.height()));
                (point + 0.5).min(size - 0.5 - point).min_element()
            };
            for k in 0..=100 {
                let time = f64::from(k) / 100.0;
                let is_inside = if time <= limit {
                    depth(time) > -1e-9
                } else {
                    depth(time) < 1e-9
                };
                assert!(is_inside, "{start} to {end} at {time}, leaves at {limit}");
            }
            assert_eq!(limit < 1.0, depth(1.0) < 0.0);
        });
    }

    #[test]
    fn a_line_is_cut_off_if_the_center_nearest_to_a_probe_is_too_close_to_an_obstacle() {
        let mut counts = [0; 2];
        each_case(2 * CASES, |rng| {
            let (grid, field) = any_field(rng, 1..16);
            let [from, to] = [0; 2].map(|_| any_point(rng, &grid, 0.0).as_dvec2());
            let needed = 0.01 + rng.f32();
            let is = is_probed_blocked(&field, from, to, needed);
            counts[usize::from(is)] += 1;
            // For each probed point, upper bounds of the distance to an obstacle. If several centers are equally
            // close to the point, each of them gives a bound.
            let mut bounds = [Vec::new(), Vec::new(), Vec::new()];
            for (share, bounds) in [0.25, 0.5, 0.75].into_iter().zip(&mut bounds) {
                let point = from.lerp(to, share);
                let away = |cell: Cell| point.distance(cell.center().as_dvec2());
                let nearest = grid.rect().cells().map(away).fold(f64::INFINITY, f64::min);
                let nearest = grid
                    .rect()
                    .cells()
                    .filter(|&cell| away(cell) < nearest + 1e-6);
                bounds.extend(nearest.map(|cell| away(cell) + f64::from(field.center(cell))));
                let true_distance = to_wall(&grid, point).min(4.0);
                assert!(bounds.iter().all(|&bound| true_distance < bound + 1e-3));
            }
            let needed = f64::from(needed);
            let some_say = bounds.iter().flatten().any(|&bound| bound < needed);
            assert!(some_say || !is, "{from} to {to} for {needed}");
            let all_say = |bounds: &Vec<f64>| bounds.iter().all(|&bound| bound < needed - 1e-3);
            let is_due = bounds.iter().any(all_say) && from.distance(to) > MIN_PROBED_CELLS;
            assert!(is || !is_due, "{from} to {to} for {needed}");
        });
        assert!(counts.into_iter().min() > Some(cases(300)), "{counts:?}");
    }

    #[test]
    fn all_efforts_prove_only_true_fractions_and_agree_on_the_whole() {
        let mut wholes = [0; 2];
        each_case(2 * CASES, |rng| {
            let (grid, field) = any_field(rng, 1..16);
            let from = any_point(rng, &grid, 0.0);
            let to = any_point(rng, &grid, 2.0);
            let radius = rng.f32() * 0.8;
            let sees = line_of_sight(&field, from, to, radius);
            let visible = visible_fraction(&field, from, to, radius);
            let clear = clear_fraction(&field, from, to, radius);
            assert_eq!(sees, visible >= 1.0, "{from} to {to} for {radius}");
            assert!(clear <= visible, "{from} to {to} for {radius}");
            wholes[usize::from(sees)] += 1;
            for k in 0..=100 {
                let share = f64::from(visible) * f64::from(k) / 100.0;
                let point = from.as_dvec2().lerp(to.as_dvec2(), share);
                let is_free = visible == 0.0 || to_wall(&grid, point) > f64::from(radius) - 2e-4;
                assert!(is_free, "{from} to {to} for {radius} at {share}");
            }
        });
        assert!(wholes.into_iter().min() > Some(cases(300)), "{wholes:?}");
    }

    /// Distances are rounded down. A center whose distance lost much must not veto the proof of a center whose
    /// distance lost less.
    #[test]
    fn the_rounding_of_one_center_blocks_no_line_that_another_proves() {
        for cap in [4.0, 1000.0] {
            each_case(CASES, |rng| {
                let mut field = Clearance::open(9, 9, cap).unwrap();
                let corner = Vec2::splat(-0.5 - rng.f32());
                for cell in field.rect().cells() {
                    let away = |point: Vec2| point.distance(corner);
                    field.limit_center(cell, away(cell.center()));
                    for step in Step::ALL {
                        let end = step.end(cell).center();
                        let along =
                            (0..=32).map(|k| away(cell.center().lerp(end, k as f32 / 32.0)));
                        let least = along.fold(f32::INFINITY, f32::min);
                        if least < away(cell.center()).min(away(end)) - 1e-3 {
                            field.limit_step(cell, step, least - 1e-3);
                        }
                    }
                }
                let from = Vec2::splat(rng.f32());
                let to = from + Vec2::splat(if rng.bool() { 0.0 } else { 5.0 });
                let radius = clearance_at(&field, from) + FIT_TOLERANCE_CELLS;
                let sees = line_of_sight(&field, from, to, radius);
                let visible = visible_fraction(&field, from, to, radius);
                assert_eq!(sees, visible >= 1.0, "cap {cap}: {from} to {to}");
            });
        }
    }
}
