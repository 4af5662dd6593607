//! Line of sight for a disc, proven from a [`Clearance`] field.
//!
//! The field holds distances along steps between cell centers. The lines through the centers cut
//! cell space into unit squares, and for the part of a segment within one square the distances
//! along the square's sides and diagonals say how near an obstacle can be. The answer is
//! conservative: `true` is a proof, `false` may be a gap that the samples cannot tell from a wall.
//!
//! A segment is followed column by column along its longer axis. One byte per square, a bound of what
//! its sides and diagonals say, settles most squares; the others are judged by all samples around.
//!
//! How much is missed: a step between neighboring centers is always seen for its own distance. Among
//! walls that fill whole cells, a disc of up to half a cell is seen wherever it has 0.15 cells to
//! spare, and nearly always with 0.02. Larger discs and obstacles between the centers want more, in
//! bad cases half a cell; so does the outermost half cell of the grid, which no center lies beyond.
//!
//! Positions are in cell space, where cell centers lie at whole numbers; lengths are in cells.

mod columns;
mod square;

use glam::{DVec2, Vec2};

use crate::cell::Cell;
use crate::clearance::{Clearance, TOLERANCE};

use columns::{Columns, Part};
use square::{Neighborhood, Square};

/// A lower bound of the distance from `point` to the nearest obstacle, in cells, at most the field's
/// cap. 0 outside of the grid and for a point that is not finite.
///
/// At a cell's center it is the field's distance there, or up to what rounding took from that more.
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

/// Whether a disc of `radius` cells whose center moves from `from` to `to` is proven to touch no
/// obstacle. [`TOLERANCE`] is granted.
///
/// `false` if an end is outside of the grid or not finite, or if `radius` is NaN or above the
/// field's cap. A radius of 0 or less means a point that keeps out of obstacles.
#[must_use]
pub fn line_of_sight(clearance: &Clearance, from: Vec2, to: Vec2, radius: f32) -> bool {
    proven::<WHOLE>(clearance, from, to, radius) >= 1.0
}

/// How much of the way from `from` to `to` a disc of `radius` cells is proven to go before it might
/// touch an obstacle or its center leaves the grid: 0 for nothing, not even the start, 1 for all,
/// which is when [`line_of_sight`] holds.
///
/// A larger radius never gets further.
#[must_use]
pub fn visible_fraction(clearance: &Clearance, from: Vec2, to: Vec2, radius: f32) -> f32 {
    let fraction = proven::<PART>(clearance, from, to, radius);
    if fraction >= 1.0 {
        1.0
    } else {
        // Rounded down, so that the point at the fraction is within the proven part.
        (fraction as f32).next_down().max(0.0)
    }
}

/// How much of the way [`visible_fraction`] holds by cheap arguments alone. Misses some of it.
pub(crate) fn clear_fraction(clearance: &Clearance, from: Vec2, to: Vec2, radius: f32) -> f32 {
    let fraction = proven::<QUICK>(clearance, from, to, radius);
    if fraction >= 1.0 {
        1.0
    } else {
        (fraction as f32).next_down().max(0.0)
    }
}

/// What is asked of a proof: that all of the segment is proven, or nothing.
const WHOLE: u8 = 0;
/// How much is proven.
const PART: u8 = 1;
/// As `WHOLE`, by cheap arguments alone.
const QUICK: u8 = 2;

/// Whether a point is in the closed rectangle of the grid's cells; not if it is not finite.
fn contains(clearance: &Clearance, point: DVec2) -> bool {
    let last = DVec2::new(f64::from(clearance.width()), f64::from(clearance.height())) - 0.5;
    point.cmpge(DVec2::splat(-0.5)).all() && point.cmple(last).all()
}

fn cell_of(point: DVec2) -> Cell {
    Cell::new(point.x as i32, point.y as i32)
}

/// The square of four centers that stands for the unit square with the corner `corner`: itself, or
/// the nearest one for the rim between the outermost centers and the grid's border.
fn square_of(clearance: &Clearance, corner: Cell) -> Cell {
    Cell::new(
        corner.x.min(clearance.width() as i32 - 2).max(0),
        corner.y.min(clearance.height() as i32 - 2).max(0),
    )
}

/// The proven part of a segment, 0 to 1. Where only the `WHOLE` is asked for, anything less may be 0.
fn proven<const EFFORT: u8>(clearance: &Clearance, from: Vec2, to: Vec2, radius: f32) -> f64 {
    let (start, end) = (from.as_dvec2(), to.as_dvec2());
    if !contains(clearance, start) || !end.is_finite() {
        return 0.0;
    }
    let needed = (radius - TOLERANCE).max(TOLERANCE);
    if radius.is_nan() || needed > clearance.cap() {
        return 0.0;
    }
    let limit = time_inside(clearance, start, end);
    if EFFORT != PART && limit < 1.0 {
        return 0.0;
    }
    if EFFORT != PART && is_cut_off(clearance, from, to, needed) {
        return 0.0;
    }
    let columns = Columns::new(start, end - start, limit);
    let least = square::least_byte(needed);
    let mut column = 0;
    loop {
        column = columns.skip_clear(clearance, column, least);
        if column >= columns.count() {
            return limit;
        }
        let Some(parts) = columns.parts(column) else {
            return limit;
        };
        for part in parts.into_iter().flatten() {
            let share = proven_in_square::<EFFORT>(clearance, &columns, part, (needed, least));
            if share < 1.0 {
                return part.from + (part.until - part.from) * f64::from(share);
            }
        }
        column += 1;
    }
}

/// A segment shorter than this, in cells, is not worth a look ahead.
const SHORT: f32 = 6.0;

/// Whether a look at few points of a segment in the grid finds one that is nearer than `needed` to an
/// obstacle.
fn is_cut_off(clearance: &Clearance, from: Vec2, to: Vec2, needed: f32) -> bool {
    let way = to - from;
    if way.length_squared() < SHORT * SHORT {
        return false;
    }
    let last = clearance.rect().max.offset(-1, -1);
    [0.5, 0.25, 0.75].into_iter().any(|share| {
        let point = from + way * share;
        // A point on the border is in the outermost cell.
        let [x, y] = [point.x, point.y].map(|along| (along + 0.5) as i32);
        let center = Cell::new(x.min(last.x), y.min(last.y));
        let spare = needed - clearance.center(center);
        spare > 0.0 && point.distance_squared(center.center()) < spare * spare
    })
}

/// When the segment leaves the grid, at most 1. It starts inside.
fn time_inside(clearance: &Clearance, start: DVec2, end: DVec2) -> f64 {
    if contains(clearance, end) {
        return 1.0;
    }
    let way = end - start;
    let last = DVec2::new(f64::from(clearance.width()), f64::from(clearance.height())) - 0.5;
    let border = DVec2::select(way.cmplt(DVec2::ZERO), DVec2::splat(-0.5), last);
    let times = (border - start) / way;
    // An axis without motion gives an infinite time, or none at all on the border.
    let time = |time: f64| if time.is_nan() { f64::INFINITY } else { time };
    let leaves = time(times.x).min(time(times.y));
    leaves.clamp(0.0, 1.0_f64.next_down())
}

/// The proven share of what a segment has in one square.
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
        // Rounding may have put an end beside the square.
        ends = ends.map(|end| end.clamp(Vec2::ZERO, Vec2::ONE));
    }
    let [a, b] = ends;
    if EFFORT != PART && square::is_blocked(clearance, origin, b, needed) {
        return 0.0;
    }
    let square = Square::at(clearance, origin, has_rim);
    if square.proves(a, b, needed) {
        return 1.0;
    }
    if EFFORT == QUICK {
        return 0.0;
    }
    let neighborhood = Neighborhood::of(square, clearance, origin);
    if EFFORT == WHOLE {
        f32::from(neighborhood.is_proven(a, b, needed))
    } else {
        neighborhood.proven_part(a, b, needed)
    }
}
