//! The unit squares along a segment, column by column.

use std::ops::Range;

use glam::DVec2;

use crate::cell::Cell;
use crate::clearance::Clearance;

/// Number of fractional bits of a fixed-point coordinate. The longest side of a grid needs 24 bits for the whole
/// part, so a 64-bit word has room for the coordinate and a sign:
///
/// ```text
///   bit   63   62              38 37              18                     0
///        +---+-------------------+-----------------+----------------------+
///        | - | square, -1 to 2²⁴ | position in the square, in 2⁻³⁸ cells  |
///        +---+-------------------+-----------------+----------------------+
///                                              MAX_TOUCH_FIXED is bit 18 alone
/// ```
///
/// A right shift by 38 bits rounds down: -0.5 is in square -1.
const FRACTION_BITS: u32 = 38;

/// One cell in fixed point: two to the power of [`FRACTION_BITS`].
const FIXED_PER_CELL: f64 = (1_u64 << FRACTION_BITS) as f64;

/// A square is skipped if the segment reaches into it by no more than this, measured across the main axis: 2⁻²⁰
/// cells. Points this close to the border of the square are covered by the square on the other side of the border.
const MAX_TOUCH_FIXED: i64 = 1 << (FRACTION_BITS - 20);

/// A segment, divided into columns. The main axis is the axis along which the segment is longer. A column is the
/// strip between two neighboring lines through cell centers, at right angles to the main axis. The segment meets
/// one or two squares of each column:
///
/// ```text
///   across
///     |    column 0     1     2
///     2    +-----+-----+-----+
///     |    |     | b  _|__--`|        Column 1 is entered in the square `a`
///     1    +-----+_-`--+-----+        and left in the square `b`. The columns
///     |    |__--`| a   |     |        beside it have one square each.
///     0    +-----+-----+-----+ -- along the main axis
/// ```
pub(super) struct Columns {
    start: DVec2,
    /// The vector from the start to the end.
    delta: DVec2,
    /// Whether the main axis is y. If so, a column is a row of squares.
    is_steep: bool,
    /// The coordinate along the main axis at which the first column begins, at its lower border.
    first: i32,
    count: i32,
    /// The direction of the segment along the main axis: 1 or -1.
    step: i32,
    /// The distance along the main axis from the start of the segment to the second column.
    first_length: f64,
    /// The coordinate across the main axis at the start, in fixed point.
    start_across: i64,
    /// The coordinate across the main axis at which the segment enters the second column, in fixed point.
    second_across: i64,
    /// The coordinate across the main axis at the end of the last column, in fixed point.
    end_across: i64,
    /// How much the coordinate across the main axis changes per column, in fixed point.
    slope: i64,
    /// The time that the segment spends in a column. Time is 0 at the start of the segment and 1 at its end.
    time_per_column: f64,
    /// The time at which the last column ends.
    limit: f64,
}

/// The part of a segment that lies in one square.
#[derive(Clone, Copy)]
pub(super) struct Part {
    /// The lowest corner of the square.
    pub(super) square: Cell,
    /// The time at which the segment enters the square. At the time `until` it leaves the square.
    pub(super) from: f64,
    pub(super) until: f64,
}

impl Columns {
    /// The columns from the segment's start up to the time `limit`.
    pub(super) fn new(start: DVec2, delta: DVec2, limit: f64) -> Self {
        let is_steep = delta.y.abs() > delta.x.abs();
        let turned = |v: DVec2| if is_steep { (v.y, v.x) } else { (v.x, v.y) };
        let (along, across) = turned(start);
        let (along_end, end_across) = turned(start + delta * limit);
        let (main, side) = turned(delta);
        let time_per_column = if main == 0.0 { 0.0 } else { main.abs().recip() };
        let is_backward = main < 0.0;
        let (first, last) = if is_backward {
            (ceil(along) - 1, floor_from_minus_one(along_end))
        } else {
            (floor_from_minus_one(along), ceil(along_end) - 1)
        };
        let (step, border) = if is_backward {
            (-1, first)
        } else {
            (1, first + 1)
        };
        let first_length = (f64::from(border) - along).abs();
        let slope = side * time_per_column;
        Self {
            start,
            delta,
            is_steep,
            first,
            count: ((last - first) * step + 1).max(1),
            step,
            first_length,
            start_across: fixed(across),
            second_across: fixed(across + slope * first_length),
            end_across: fixed(end_across),
            slope: fixed(slope),
            time_per_column,
            limit,
        }
    }

    /// The number of columns.
    pub(super) fn count(&self) -> i32 {
        self.count
    }

    /// The point of the segment at a time.
    pub(super) fn at(&self, time: f64) -> DVec2 {
        self.start + self.delta * time
    }

    /// The coordinate across the main axis at which the segment enters a column.
    fn entry(&self, column: i32) -> i64 {
        if column == 0 {
            self.start_across
        } else if column >= self.count {
            self.end_across
        } else {
            self.second_across + self.slope * i64::from(column - 1)
        }
    }

    /// The two squares in which the segment enters and leaves a column, as coordinates across the main axis.
    fn squares(&self, entry: i64, exit: i64) -> [i64; 2] {
        let touch = self.touch();
        [entry + touch, exit - touch].map(|side| side >> FRACTION_BITS)
    }

    /// [`MAX_TOUCH_FIXED`], with a minus sign if the segment falls across the main axis.
    fn touch(&self) -> i64 {
        if self.slope < 0 {
            -MAX_TOUCH_FIXED
        } else {
            MAX_TOUCH_FIXED
        }
    }

    /// The first column of a range in which the segment meets a square whose byte is below `least`. If there is
    /// no such column, the result is the end of the range.
    pub(super) fn skip_clear(
        &self,
        clearance: &Clearance,
        Range { start: column, end }: Range<i32>,
        least: Option<u8>,
    ) -> i32 {
        let Some(least) = least else {
            return column;
        };
        let squares = clearance.squares();
        let width = i64::from(clearance.width());
        let (along, across) = if self.is_steep {
            (width, 1)
        } else {
            (1, width)
        };
        // Outside the grid there is no square: the index belongs to a byte of 0, or is not in the array.
        let is_clear = |i: i64| squares.get(i as usize).is_some_and(|&byte| byte >= least);
        let slope = self.slope;
        let touch = self.touch();
        let crosses_clear = |base: i64, entry: i64, exit: i64| {
            let a = base + ((entry + touch) >> FRACTION_BITS) * across;
            let b = base + ((exit - touch) >> FRACTION_BITS) * across;
            // If a line runs along the border of two squares, one clear square is enough.
            is_clear(a) && is_clear(b) || slope == 0 && (is_clear(a) || is_clear(b))
        };
        let stride = along * i64::from(self.step);
        let mut base = i64::from(self.first) * along + i64::from(column) * stride;
        let mut entry = self.entry(column);
        let mut column = column;
        if column == 0 && column < end && self.count > 1 {
            let exit = self.entry(1);
            if !crosses_clear(base, entry, exit) {
                return 0;
            }
            (column, base, entry) = (1, base + stride, exit);
        }
        // The last column is cut off where the segment ends.
        let before_last = end.min(self.count - 1);
        while column < before_last {
            let exit = entry + slope;
            if !crosses_clear(base, entry, exit) {
                return column;
            }
            (column, base, entry) = (column + 1, base + stride, exit);
        }
        let is_last = column < end && column + 1 == self.count;
        column + i32::from(is_last && crosses_clear(base, entry, self.entry(self.count)))
    }

    /// The parts of the segment in the squares of a column. `column` is less than [`count`](Self::count).
    pub(super) fn parts(&self, column: i32) -> [Option<Part>; 2] {
        let (entry, exit) = (self.entry(column), self.entry(column + 1));
        let from = self.time(column);
        let until = self.time(column + 1).max(from);
        let along = self.first + column * self.step;
        let square = |across: i64| {
            let across = across as i32;
            if self.is_steep {
                Cell::new(across, along)
            } else {
                Cell::new(along, across)
            }
        };
        let [a, b] = self.squares(entry, exit);
        let part = |across, from, until| Part {
            square: square(across),
            from,
            until,
        };
        if a == b || entry == exit {
            return [Some(part(a, from, until)), None];
        }
        let border = a.max(b) << FRACTION_BITS;
        let share = ((border - entry) as f64 / (exit - entry) as f64).clamp(0.0, 1.0);
        let between = from + (until - from) * share;
        [Some(part(a, from, between)), Some(part(b, between, until))]
    }

    /// The time at which the segment enters a column.
    fn time(&self, column: i32) -> f64 {
        if column == 0 {
            0.0
        } else if column >= self.count {
            self.limit
        } else {
            (self.time_per_column * (self.first_length + f64::from(column - 1))).min(self.limit)
        }
    }
}

/// Rounds `x`, which is at least -1, down to a whole number. The result equals `f64::floor`, without a
/// function call.
fn floor_from_minus_one(x: f64) -> i32 {
    (x + 1.0) as i32 - 1
}

/// Rounds `x`, which is at least -1, up to a whole number.
fn ceil(x: f64) -> i32 {
    let below = floor_from_minus_one(x);
    below + i32::from(f64::from(below) < x)
}

/// Converts a coordinate to fixed point.
fn fixed(x: f64) -> i64 {
    (x * FIXED_PER_CELL) as i64
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;
    use proptest::prelude::*;

    use super::*;
    use crate::clearance::Step;

    /// The parts of a segment in all columns, in order.
    fn parts(columns: &Columns) -> Vec<Part> {
        (0..columns.count())
            .flat_map(|column| columns.parts(column))
            .flatten()
            .collect()
    }

    /// Checks the squares of the segment from `from` to `to`. In the picture, the digit of a square is the number
    /// of the segment's part that lies in it. The first line is row 0.
    #[track_caller]
    fn check(from: (f64, f64), to: (f64, f64), expected: &str) {
        let (start, end) = (DVec2::from(from), DVec2::from(to));
        let parts = parts(&Columns::new(start, end - start, 1.0));
        let mark = |cell: Cell| {
            let number = parts.iter().position(|part| part.square == cell);
            number.map_or('.', |number| char::from(b'1' + number as u8))
        };
        let rows: Vec<String> = (0..)
            .zip(expected.lines())
            .map(|(y, row)| {
                (0..row.len() as i32)
                    .map(|x| mark(Cell::new(x, y)))
                    .collect()
            })
            .collect();
        assert_eq!(rows.join("\n"), expected, "from {start} to {end}");
        let drawn = expected.chars().filter(char::is_ascii_digit).count();
        assert_eq!(parts.len(), drawn, "each square has one part");
    }

    #[test]
    fn a_column_in_which_the_segment_crosses_a_border_has_two_squares() {
        check((0.5, 0.25), (2.5, 1.75), "12.\n.34");
        check((2.5, 1.75), (0.5, 0.25), "43.\n.21");
        check((0.5, 1.75), (2.5, 0.25), ".34\n12.");
        check((0.25, 0.5), (1.75, 2.5), "1.\n23\n.4");
    }

    #[test]
    fn a_segment_through_a_corner_of_four_squares_meets_two_of_them() {
        check((0.0, 0.0), (3.0, 3.0), "1..\n.2.\n..3");
        check((0.0, 0.0), (4.0, 2.0), "12..\n..34");
        check((4.0, 2.0), (0.0, 0.0), "43..\n..21");
        check((0.0, 3.0), (3.0, 0.0), "..3\n.2.\n1..");
    }

    #[test]
    fn a_segment_along_a_border_has_the_squares_of_one_side() {
        check((0.0, 1.0), (3.0, 1.0), "...\n123");
        check((1.0, 2.5), (1.0, 0.5), ".3\n.2\n.1");
        check((1.5, 0.5), (1.5, 0.5), ".1");
    }

    #[test]
    fn the_parts_of_a_column_meet_where_the_segment_crosses_the_border() {
        // In column 1 the segment rises from 0.75 to 1.25, so it crosses the border at 1 halfway through.
        let columns = Columns::new(DVec2::new(0.0, 0.25), DVec2::new(4.0, 2.0), 1.0);
        let [Some(below), Some(above)] = columns.parts(1) else {
            panic!("column 1 must have two squares");
        };
        let times = [below.from, below.until, above.from, above.until];
        assert_eq!(times, [0.25, 0.375, 0.375, 0.5]);
        assert_eq!(columns.count(), 4);
    }

    /// A segment on a grid of some size, and the time up to which it is followed. Many segments lie along
    /// borders or diagonals, or pass through corners of squares.
    #[derive(Debug)]
    struct Segment {
        size: [u32; 2],
        start: DVec2,
        end: DVec2,
        limit: f64,
    }

    fn any_segment() -> impl Strategy<Value = Segment> {
        (1..14_u32, 1..14_u32, 0..6_u8, any::<u64>()).prop_map(|(width, height, kind, seed)| {
            let mut rng = Rng::with_seed(seed);
            let last = DVec2::new(f64::from(width), f64::from(height)) - 0.5;
            let parts = [1.0, 2.0, 8.0, 1e6][usize::from(kind) % 4];
            let mut point = || {
                let any = DVec2::new(rng.f64(), rng.f64()) * (last + 0.5) - 0.5;
                ((any * parts).round() / parts).clamp(DVec2::splat(-0.5), last)
            };
            let (start, mut end) = (point(), point());
            if kind == 4 {
                end.y = start.y;
            }
            if kind == 5 {
                let reach = (end - start).abs().min_element();
                end = start + (end - start).signum() * reach;
            }
            let limit = if rng.bool() { 1.0 } else { rng.f64() };
            Segment {
                size: [width, height],
                start,
                end,
                limit,
            }
        })
    }

    impl Segment {
        fn columns(&self) -> Columns {
            Columns::new(self.start, self.end - self.start, self.limit)
        }

        fn at(&self, time: f64) -> DVec2 {
            self.start + (self.end - self.start) * time
        }

        /// Whether the segment has a point in a square that is more than `depth` away from all sides. The test
        /// clips the segment to a rectangle in the simplest way.
        fn enters(&self, square: Cell, depth: f64) -> bool {
            let low = square.center().as_dvec2() + depth;
            let high = square.center().as_dvec2() + 1.0 - depth;
            let (mut first, mut last) = (0.0_f64, self.limit);
            for axis in 0..2 {
                let (start, delta) = (self.start[axis], self.end[axis] - self.start[axis]);
                if delta == 0.0 {
                    if start < low[axis] || start > high[axis] {
                        return false;
                    }
                    continue;
                }
                let (s, t) = ((low[axis] - start) / delta, (high[axis] - start) / delta);
                first = first.max(s.min(t));
                last = last.min(s.max(t));
            }
            first < last
        }

        /// The two squares of a column, computed in floating point: the square just after the segment enters the
        /// column, and the square just before it leaves the column.
        fn squares(&self, columns: &Columns, column: i32) -> [Cell; 2] {
            let delta = self.end - self.start;
            let is_steep = delta.y.abs() > delta.x.abs();
            let [main, side] = if is_steep { [1, 0] } else { [0, 1] };
            let touch = MAX_TOUCH_FIXED as f64 / FIXED_PER_CELL;
            let inward = if delta[side] < 0.0 { -touch } else { touch };
            let [from, until] = [column, column + 1].map(|column| self.at(columns.time(column)));
            let along = from.midpoint(until)[main].floor() as i32;
            [from[side] + inward, until[side] - inward].map(|across| {
                let across = across.floor() as i32;
                if is_steep {
                    Cell::new(across, along)
                } else {
                    Cell::new(along, across)
                }
            })
        }
    }

    /// Twice [`MAX_TOUCH_FIXED`], in cells, since the ends of a short segment may be confused with each other.
    const NEAR_CELLS: f64 = 2.0 * MAX_TOUCH_FIXED as f64 / FIXED_PER_CELL;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(crate::search::oracle::cases(4096)))]

        #[test]
        fn parts_follow_each_other_and_each_lies_in_its_square(segment in any_segment()) {
            let parts = parts(&segment.columns());
            let mut time = 0.0;
            for part in &parts {
                prop_assert_eq!(part.from, time, "a part must begin where the previous part ends");
                prop_assert!(part.from <= part.until);
                time = part.until;
                let low = part.square.center().as_dvec2() - NEAR_CELLS;
                for share in [0.0, 0.3, 0.5, 1.0] {
                    let point = segment.at(part.from + (part.until - part.from) * share);
                    let is_inside = point.cmpge(low).all() && point.cmple(low + 1.0 + 2.0 * NEAR_CELLS).all();
                    prop_assert!(is_inside, "{} is outside square {}", point, part.square);
                }
            }
            prop_assert_eq!(time, segment.limit);
        }

        #[test]
        fn each_square_that_the_segment_enters_has_a_part(segment in any_segment()) {
            let parts = parts(&segment.columns());
            for y in -1..=segment.size[1] as i32 {
                for x in -1..=segment.size[0] as i32 {
                    let square = Cell::new(x, y);
                    let has_part = parts.iter().any(|part| part.square == square);
                    prop_assert!(has_part || !segment.enters(square, NEAR_CELLS), "square {} has no part", square);
                }
            }
        }

        #[test]
        fn skip_clear_agrees_with_a_check_column_by_column_in_floating_point(
            segment in any_segment(),
            seed in any::<u64>(),
            obstacles in 0..12_u32,
        ) {
            let mut rng = Rng::with_seed(seed);
            let [width, height] = segment.size;
            let mut field = Clearance::open(width, height, 4.0).unwrap();
            for _ in 0..obstacles {
                let cell = Cell::new(rng.i32(0..width as i32), rng.i32(0..height as i32));
                field.limit_step(cell, Step::ALL[rng.usize(0..4)], rng.f32() * 4.0);
                field.limit_center(cell, rng.f32() * 6.0);
            }
            let least = rng.u8(1..);
            let is_clear = |square: Cell| {
                let i = square.y * width as i32 + square.x;
                field.rect().contains(square) && field.squares()[i as usize] >= least
            };
            let columns = segment.columns();
            for first in 0..=columns.count() {
                let mut expected = first;
                while expected < columns.count() {
                    let [a, b] = segment.squares(&columns, expected).map(is_clear);
                    if !(a && b || columns.slope == 0 && (a || b)) {
                        break;
                    }
                    expected += 1;
                }
                for end in first..=columns.count() {
                    let skip = |least| columns.skip_clear(&field, first..end, least);
                    prop_assert_eq!(skip(Some(least)), expected.min(end));
                    prop_assert_eq!(skip(None), first);
                }
            }
        }

        #[test]
        fn floor_ceil_and_fixed_point_agree_with_floating_point(x in -1024..1_i64 << 34) {
            let x = x as f64 / 1024.0;
            prop_assert_eq!(f64::from(floor_from_minus_one(x)), x.floor());
            prop_assert_eq!(f64::from(ceil(x)), x.ceil());
            prop_assert_eq!(fixed(x) >> FRACTION_BITS, x.floor() as i64);
            prop_assert_eq!(fixed(x) as f64 / FIXED_PER_CELL, x);
        }
    }
}
