//! The unit squares along a segment, column by column.

use glam::DVec2;

use crate::cell::Cell;
use crate::clearance::Clearance;

/// Bits after the point of a coordinate as a whole number. With those before it, for the longest
/// side of a grid, and the sign they fit in 64.
const FRACTION_BITS: u32 = 38;

/// Two to the power of [`FRACTION_BITS`].
const ONE: f64 = (1_u64 << FRACTION_BITS) as f64;

/// How far a segment has to reach into a square, across its columns, for the square to count: 10⁻⁶
/// cells. What is nearer to the border is known from the square on the other side of it.
const TOUCH: f64 = 1e-6;

/// A segment, cut into columns by the lines through cell centers across the axis on which it is
/// longer, the main axis. In each column it meets one or two squares.
pub(super) struct Columns {
    start: DVec2,
    way: DVec2,
    /// Whether the main axis is y. A column is a row then.
    is_steep: bool,
    /// Of the first column, the smaller coordinate along the main axis.
    first: i32,
    count: i32,
    /// From column to column: 1 or -1.
    step: i32,
    /// Way along the main axis in the first column.
    lead: f64,
    /// Across the main axis: at the start, at the end, and how much it changes per column.
    across: f64,
    across_end: f64,
    slope: f64,
    /// Time per column: it is 0 at the segment's start, 1 at its end.
    pace: f64,
    /// When the last column ends.
    limit: f64,
}

/// What a segment has in one square.
#[derive(Clone, Copy)]
pub(super) struct Part {
    /// The corner with the smallest coordinates.
    pub(super) square: Cell,
    pub(super) from: f64,
    pub(super) until: f64,
}

impl Columns {
    /// Those from the segment's start up to the time `limit`.
    pub(super) fn new(start: DVec2, way: DVec2, limit: f64) -> Self {
        let is_steep = way.y.abs() > way.x.abs();
        let turned = |v: DVec2| if is_steep { (v.y, v.x) } else { (v.x, v.y) };
        let (along, across) = turned(start);
        let (along_end, across_end) = turned(start + way * limit);
        let (main, side) = turned(way);
        let pace = if main == 0.0 { 0.0 } else { main.abs().recip() };
        let is_backward = main < 0.0;
        let (first, last) = if is_backward {
            (ceil(along) - 1, floor(along_end))
        } else {
            (floor(along), ceil(along_end) - 1)
        };
        let (step, border) = if is_backward {
            (-1, first)
        } else {
            (1, first + 1)
        };
        Self {
            start,
            way,
            is_steep,
            first,
            count: ((last - first) * step + 1).max(1),
            step,
            lead: (f64::from(border) - along).abs(),
            across,
            across_end,
            slope: side * pace,
            pace,
            limit,
        }
    }

    /// The point at a time.
    pub(super) fn at(&self, time: f64) -> DVec2 {
        self.start + self.way * time
    }

    /// Across the main axis, where a column is entered.
    fn entry(&self, column: i32) -> f64 {
        if column == 0 {
            self.across
        } else if column >= self.count {
            self.across_end
        } else {
            self.across + self.slope * (self.lead + f64::from(column - 1))
        }
    }

    /// The first column from `column` on with a square whose byte is below `least`; the count of
    /// columns if there is none.
    pub(super) fn skip_clear(&self, clearance: &Clearance, column: i32, least: u16) -> i32 {
        let squares = clearance.squares();
        let width = i64::from(clearance.width());
        let (along, across) = if self.is_steep {
            (width, 1)
        } else {
            (1, width)
        };
        // No square lies beside the grid: there it is a byte of 0 or none.
        let byte = |i: i64| squares.get(i as usize).copied().unwrap_or(0);
        let slope = fixed(self.slope);
        // A line along a border is known from the square on either side.
        let is_border = slope == 0;
        let touch = fixed(self.touch());
        let crosses_clear = |base: i64, entry: i64, exit: i64| {
            let [a, b] = [entry + touch, exit - touch].map(|side| side >> FRACTION_BITS);
            let [a, b] = [a, b].map(|side| byte(base + side * across));
            let byte = if is_border { a.max(b) } else { a.min(b) };
            u16::from(byte) >= least
        };
        let mut column = column;
        let mut base = i64::from(self.first + column * self.step) * along;
        let mut entry = fixed(self.entry(column));
        while column + 1 < self.count {
            let exit = if column == 0 {
                fixed(self.entry(1))
            } else {
                entry + slope
            };
            if !crosses_clear(base, entry, exit) {
                return column;
            }
            base += along * i64::from(self.step);
            entry = exit;
            column += 1;
        }
        let is_last = column + 1 == self.count;
        column + i32::from(is_last && crosses_clear(base, entry, fixed(self.across_end)))
    }

    /// What the segment has in the squares of a column; `None` after the last one.
    pub(super) fn parts(&self, column: i32) -> Option<[Option<Part>; 2]> {
        if column >= self.count {
            return None;
        }
        let (entry, exit) = (self.entry(column), self.entry(column + 1));
        let from = self.time(column);
        let until = self.time(column + 1).max(from);
        let along = self.first + column * self.step;
        let square = |across: i32| {
            if self.is_steep {
                Cell::new(across, along)
            } else {
                Cell::new(along, across)
            }
        };
        let [a, b] = [entry + self.touch(), exit - self.touch()].map(floor);
        let part = |across, from, until| Part {
            square: square(across),
            from,
            until,
        };
        if a == b || entry == exit {
            return Some([Some(part(a, from, until)), None]);
        }
        let share = ((f64::from(a.max(b)) - entry) / (exit - entry)).clamp(0.0, 1.0);
        let between = from + (until - from) * share;
        Some([Some(part(a, from, between)), Some(part(b, between, until))])
    }

    /// When a column is entered.
    fn time(&self, column: i32) -> f64 {
        if column == 0 {
            0.0
        } else if column >= self.count {
            self.limit
        } else {
            (self.pace * (self.lead + f64::from(column - 1))).min(self.limit)
        }
    }

    /// [`TOUCH`] in the direction in which the segment goes across.
    fn touch(&self) -> f64 {
        if self.slope < 0.0 { -TOUCH } else { TOUCH }
    }
}

/// The largest whole number up to `x`, for coordinates from -1 up: what `f64::floor` gives, but without
/// a call.
fn floor(x: f64) -> i32 {
    (x + 1.0) as i32 - 1
}

/// The least whole number from `x` up, for coordinates from -1 up.
fn ceil(x: f64) -> i32 {
    let below = floor(x);
    below + i32::from(f64::from(below) < x)
}

/// A coordinate as a whole number.
fn fixed(x: f64) -> i64 {
    (x * ONE) as i64
}
